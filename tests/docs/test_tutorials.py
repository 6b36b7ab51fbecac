"""The tutorials, typed word for word by somebody who has the source distribution and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from cli_output import without_compiling
from shown_output import matches
from test_readme import CHECKOUT, Block, blocks, commands, documents_run_compiled

TUTORIALS = ("first-run", "first-rule", "first-game", "your-own-game", "hanabi-team")
#: What an environment of ours would bring along.
OURS = ("NUMBA_DISABLE_JIT", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYTEST_CURRENT_TEST")
END, NEXT = "-- done:", "-- next:"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, built and unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "builder")], check=True)
    python = folder / "builder" / "bin" / "python"
    for words in (["pip", "install", "-q", "build"], ["build", "--sdist", "-o", str(folder), str(CHECKOUT)]):
        subprocess.run([python, "-m", *words], check=True, capture_output=True)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as found:
        found.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


@pytest.mark.skipif(not (CHECKOUT / ".git").exists(), reason="needs a checkout to compare with")
def test_the_source_distribution_has_all_that_the_checkout_has(unpacked: Path) -> None:
    """So the test line of README works in it, and so does every link."""
    list_files = ["git", "ls-files", "-z"]
    listed = subprocess.run(list_files, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    tracked = [name for name in listed.split("\0") if name and (CHECKOUT / name).exists()]
    assert [name for name in tracked if not (unpacked / name).exists()] == []
    assert os.access(unpacked / ".ci" / "run", os.X_OK)


@documents_run_compiled
def test_who_types_what_the_tutorials_say_gets_what_they_show(unpacked: Path) -> None:
    reader = Reader(unpacked)
    try:
        for name in TUTORIALS:
            program = ""
            for block in blocks(unpacked / "docs" / "tutorial" / f"{name}.md"):
                where = f"{name}.md:{block.line}"
                if block.mark.startswith("file: "):
                    reader.write(block.mark.removeprefix("file: "), block.text)
                elif block.kind == "python":
                    program = reader.run_python(where, program, block)
                elif block.kind in ("sh", "console"):
                    shown = commands(block) if block.kind == "console" else [(block.text, "")]
                    for command, output in shown:
                        reader.run(where, command, output, varies=block.varies)
            reader.type("mkdir next && cd next")  # a tutorial begins in an empty folder
    finally:
        reader.shell.kill()
        reader.shell.communicate()


class Reader:
    """Somebody with one shell, who types commands, writes files, and keeps a program that grows block by block."""

    def __init__(self, folder: Path) -> None:
        self.shell = subprocess.Popen(
            ["/bin/sh"], cwd=folder, env={name: value for name, value in os.environ.items() if name not in OURS},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    def type(self, command: str) -> tuple[int, str]:
        """The exit code of a command and what it prints."""
        assert self.shell.stdin
        assert self.shell.stdout
        self.shell.stdin.write(f"{{ {command.strip()}\n}} < /dev/null; code=$?; echo; echo '{END}' $code\n")
        self.shell.stdin.flush()
        printed = ""
        for line in self.shell.stdout:
            if line.startswith(END):
                return int(line.removeprefix(END)), printed
            printed += line
        raise AssertionError(f"{command} ended the shell, after\n{printed}")

    def run(self, where: str, command: str, output: str, *, varies: str = "") -> str:
        code, printed = self.type(command)
        printed = without_compiling(printed)
        assert code == 0, f"{where}: {command}: exit code {code}\n{printed}"
        assert not output.strip() or matches(output, printed, varies=varies), f"{where}: {command} printed\n{printed}"
        return printed

    def write(self, name: str, text: str) -> None:
        path = Path(self.type("pwd")[1].strip()) / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def run_python(self, where: str, former: str, block: Block) -> str:
        """Run the blocks of a page so far as a script; what the last one prints has to be what the page shows."""
        program = f"{former}\nprint('{NEXT}')\n{block.text}"
        if block.output:
            self.write("page.py", program)
            # What an earlier block wrote is written again.
            printed = self.run(where, "rm -f mine.yaml && python page.py", "").rpartition(f"{NEXT}\n")[2]
            assert matches(block.output, printed, varies=block.varies), f"{where} printed\n{printed}"
        return program
