"""README is true: its commands and snippets run in order, in one fresh folder.

In a document, a ```console block holds commands after `$ ` with their output, a ```python block
runs in the namespace of the blocks before it, and a ```text block right after it is what it prints. In
output `...` stands for anything; alone on a line, for any lines. A comment above a block says more:
`<!-- file: NAME -->` writes it to a file, `<!-- fails -->` expects an exit code other than 0, and
`<!-- not run: REASON -->` leaves it out.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from checkout import CHECKOUT
from cli_output import without_compiling

from evolve.settings import Settings

README = CHECKOUT / "README.md"
BLOCK = re.compile(r"(?:^<!-- (?P<mark>[^\n]*?) -->\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
#: Where the programs of this environment are; documents are run compiled, as by their reader.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"} | {
    "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
}
documents_run_compiled = pytest.mark.compiled


@dataclass(frozen=True)
class Block:
    mark: str
    kind: str
    text: str
    line: int
    #: What a python block prints.
    output: str


def blocks(path: Path) -> Iterator[Block]:
    text = path.read_text()
    found = list(BLOCK.finditer(text))
    for this, after in zip_longest(found, found[1:]):
        printed = after and after["kind"] == "text" and not text[this.end() : after.start()].strip()
        output = after["text"] if after and printed else ""
        line = text.count("\n", 0, this.start("text")) + 1
        yield Block(this["mark"] or "", this["kind"], this["text"], line, output)


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Each command of a console block with the output that it shows."""
    assert block.text.startswith("$ "), f"line {block.line}: expected a command behind '$ '"
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def matches(shown: str, printed: str) -> bool:
    """Whether a document shows what was printed, blanks at the ends of lines apart."""
    pattern = ""
    for line in shown.strip().splitlines():
        words = r"[^\n]*".join(re.escape(part.rstrip()) for part in line.split("..."))
        pattern += r"(?:[^\n]*\n)*?" if line == "..." else words + r"[ ]*\n"
    return re.fullmatch(pattern, printed.strip() + "\n") is not None


def run_document(
    path: Path,
    folder: Path,
    environment: Mapping[str, str] = ENVIRONMENT,
    skipped: Callable[[str], object] = lambda text: None,
) -> int:
    """Run every block of a document in a folder, which has to be the current one; how many there were.

    Each has to print what stands there. `skipped` gets those that are not run.
    """
    ran = 0
    namespace: dict[str, Any] = {"__name__": "__main__"}  # as in the script that its reader makes of it
    for block in blocks(path):
        ran += 1
        where = f"{path.name}:{block.line}"
        if block.mark.startswith("file: "):
            target = folder / block.mark.removeprefix("file: ")
            target.parent.mkdir(exist_ok=True)
            target.write_text(block.text)
        elif block.mark.startswith("not run: "):
            skipped(block.text)
        elif block.kind == "console":
            for command, output in commands(block):
                run_command(where, command, output, folder, environment, fails=block.mark == "fails")
        elif block.kind == "python":
            run_python(path.name, block, namespace)
    return ran


def run_command(
    where: str, command: str, output: str, folder: Path, environment: Mapping[str, str], *, fails: bool
) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
    printed = without_compiling(done.stdout)
    assert bool(done.returncode) == fails, f"{where}: {command}: exit code {done.returncode}\n{printed}"
    assert not output.strip() or matches(output, printed), f"{where}: {command} printed\n{printed}"


def run_python(name: str, block: Block, namespace: dict[str, Any]) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        # Blank lines in front: a traceback then names the document's own line.
        exec(compile("\n" * (block.line - 1) + block.text, name, "exec"), namespace)  # noqa: S102 - our own text
    shown = printed.getvalue()
    assert matches(block.output, shown) or block.output == shown, f"{name}:{block.line} printed\n{shown}"


def marked(mark: str) -> str:
    """The one line of the one block with that mark."""
    (text,) = (block.text for block in blocks(README) if block.mark == mark)
    (line,) = text.splitlines()
    return line


@documents_run_compiled
def test_every_command_and_snippet_of_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_document(README, tmp_path) > 0


def test_the_two_set_up_lines_follow_the_first_screen() -> None:
    marks = [block.mark for block in blocks(README)]
    assert marks[:4] == ["file: sower.py", "", "install line", "test line"]
    assert marked("install line").endswith(".venv/bin/evolve run --generations 50")
    assert ".[test]" in marked("test line")
    assert " -m pytest" in marked("test line")
    assert README.read_text().index("## ") > README.read_text().index(marked("test line"))


def test_ci_runs_the_test_line_of_readme() -> None:
    script = CHECKOUT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    done = subprocess.run([str(script), "--show"], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    steps = done.stdout.splitlines()
    environment, install, quick, slow = marked("test line").split(" && ")
    assert steps[0] == f"{environment} && {install}"
    assert any(quick in step for step in steps[1:])
    assert any(step.startswith(slow) for step in steps[1:])


def test_the_run_of_the_install_line_is_the_default_one() -> None:
    words = shlex.split(marked("install line"))
    assert words[-1] == str(Settings.generations)


def test_readme_is_short() -> None:
    assert len(README.read_text().splitlines()) < 200


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a ... c", "a b c\n", True),
        ("a\n...\nc", "a\nc\n", True),
        ("a\n...\nc", "a\nb\nb\nc\n", True),
        ("a\n...", "a\n", True),
        ("a b  ", "a b\n\n", True),
        ("a ... c", "a b\nc\n", False),
        ("a", "a\nb\n", False),
        ("1.5", "105\n", False),
    ],
)
def test_output_is_compared_line_by_line(shown: str, printed: str, same: bool) -> None:
    assert matches(shown, printed) == same
