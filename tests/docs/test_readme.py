"""README is true: its commands and snippets run in order, in one fresh folder.

In a document, a ```console block holds commands after `$ ` with their output, a ```python block
runs in the namespace of the blocks before it, and a ```text block right after it is what it prints. What a
page shows was recorded: `RECORD=1 python -m pytest tests/docs -k PAGE` runs the blocks and writes what they
print into the page, where it no longer matches (see shown_output.py). A comment above a block says more:
`<!-- file: NAME -->` writes it to a file, `<!-- fails -->` expects an exit code other than 0, `<!-- varies -->`
lets its numbers differ (`<!-- fails, varies -->` is both), `<!-- bred -->` all but its first line, and
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
from shown_output import matches, recorded

from evolve.settings import Settings

README = CHECKOUT / "README.md"
BLOCK = re.compile(r"(?:^<!-- (?P<mark>[^\n]*?) -->\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
#: Where the programs of this environment are; documents are run compiled, as by their reader.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"} | {
    "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
}
#: Whether what a page shows is written into it, not compared.
RECORD = os.environ.get("RECORD")
documents_run_compiled = pytest.mark.compiled


@dataclass(frozen=True)
class Block:
    mark: str
    kind: str
    text: str
    #: Where the text begins: the line, and the place in the page.
    line: int
    start: int
    #: What a python block prints, and where that begins.
    output: str
    output_start: int

    @property
    def fails(self) -> bool:
        return self.mark.startswith("fails")

    @property
    def varies(self) -> str:
        return next((word for word in ("varies", "bred") if self.mark.endswith(word)), "")


def blocks(path: Path) -> Iterator[Block]:
    text = path.read_text()
    found = list(BLOCK.finditer(text))
    for this, after in zip_longest(found, found[1:]):
        printed = after and after["kind"] == "text" and not text[this.end() : after.start()].strip()
        output, start = (after["text"], after.start("text")) if after and printed else ("", 0)
        line = text.count("\n", 0, this.start("text")) + 1
        yield Block(this["mark"] or "", this["kind"], this["text"], line, this.start("text"), output, start)


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Each command of a console block with the output that it shows."""
    assert block.text.startswith("$ "), f"line {block.line}: expected a command behind '$ '"
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def run_document(
    path: Path,
    folder: Path,
    environment: Mapping[str, str] = ENVIRONMENT,
    skipped: Callable[[str], object] = lambda text: None,
) -> int:
    """Run every block of a document in a folder, which has to be the current one; how many there were.

    Each has to print what stands there, or it is recorded. `skipped` gets those that are not run.
    """
    ran = 0
    namespace: dict[str, Any] = {"__name__": "__main__"}  # as in the script that its reader makes of it
    page = Page(path, folder)
    for block in blocks(path):
        ran += 1
        if block.mark.startswith("file: "):
            target = folder / block.mark.removeprefix("file: ")
            target.parent.mkdir(exist_ok=True)
            target.write_text(block.text)
        elif block.mark.startswith("not run: "):
            skipped(block.text)
        elif block.kind == "console":
            end = block.start
            for command, output in commands(block):
                printed = run_command(f"{path.name}:{block.line}", command, folder, environment, fails=block.fails)
                end += len(f"$ {command}\n{output}")
                if output.strip():
                    page.compare(block, command, output, end - len(output), printed)
        elif block.kind == "python":
            page.compare(block, "it", block.output, block.output_start, run_python(path.name, block, namespace))
    page.write()
    return ran


class Page:
    """A page and what is recorded of it."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path, self.folder, self.text = path, folder, path.read_text()
        self.changes: list[tuple[int, str, str]] = []

    def compare(self, block: Block, what: str, shown: str, start: int, printed: str) -> None:
        """Fail where something else was printed than stands in the page, or record that."""
        printed = printed.replace(str(self.folder), "~/mine").replace(str(CHECKOUT), "~/rulebots")
        if RECORD:
            self.changes.append((start, shown, recorded(shown, printed, varies=block.varies)))
        else:
            where = f"{self.path.name}:{block.line}"
            assert matches(shown, printed, varies=block.varies), f"{where}: {what} printed\n{printed}"

    def write(self) -> None:
        """Write what was recorded into the page."""
        for start, shown, printed in reversed(self.changes):
            self.text = self.text[:start] + printed + self.text[start + len(shown) :]
        if self.changes:
            self.path.write_text(self.text)


def run_command(where: str, command: str, folder: Path, environment: Mapping[str, str], *, fails: bool) -> str:
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
    return printed


def run_python(name: str, block: Block, namespace: dict[str, Any]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        # Blank lines in front: a traceback then names the document's own line.
        exec(compile("\n" * (block.line - 1) + block.text, name, "exec"), namespace)  # noqa: S102 - our own text
    return printed.getvalue()


def marked(mark: str) -> str:
    """The one line of the one block with that mark."""
    (text,) = (block.text for block in blocks(README) if block.mark == mark)
    (line,) = text.splitlines()
    return line


@documents_run_compiled
def test_every_command_and_snippet_of_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_document(README, tmp_path) > 0


@documents_run_compiled
def test_the_commands_between_the_words_of_readme_run(tmp_path: Path) -> None:
    """Those that need no file of the reader's."""
    prose = " ".join(BLOCK.sub("", README.read_text()).split())
    found = re.findall(r"`(?:\.venv/bin/)?(rulebots (?:match|export) [^`]+)`", prose)
    assert len(found) == 3
    for command in found:
        run_command(README.name, command, tmp_path, ENVIRONMENT, fails=False)


def test_the_two_set_up_lines_are_marked() -> None:
    assert marked("install line").endswith(".venv/bin/evolve run --generations 50")
    assert ".[test]" in marked("test line")
    assert " -m pytest" in marked("test line")


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
    assert len(README.read_text().split()) <= 650


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\n...\nc", "a\nc\n", True),
        ("a\n...\nc", "a\nb\nb\nc\n", True),
        ("a\n...", "a\n", True),
        ("a b  ", "a b\n\n", True),
        ("a ... c", "a b c\n", False),
        ("a", "a\nb\n", False),
        ("1.5", "105\n", False),
        ("won 68.0 %  in 3.4 s", "won 68.0 % in 12 s\n", True),
        ("won 68.0 %  in 3.4 s", "won 67.0 % in 3.4 s\n", False),
        ("runs/a-2026-11-29-085115-seed1", "runs/a-2026-11-30-215143-seed1\n", True),
    ],
)
def test_output_is_compared_line_by_line(shown: str, printed: str, same: bool) -> None:
    assert matches(shown, printed) == same


def test_numbers_of_a_block_that_varies_are_compared_roughly() -> None:
    assert matches("won  68.0 %  3 - 1", "won   55.5 %  3 - 2\n", varies="varies")
    assert not matches("won  68.0 %", "won   6.8 %\n", varies="varies")
    assert not matches("won  68.0 %", "lost  68.0 %\n", varies="varies")


def test_of_a_block_that_depends_on_what_was_bred_the_first_line_is_compared() -> None:
    assert matches("ply 9\nplays 2\n", "ply 9\n\nplays 3\n", varies="bred")
    assert not matches("ply 9\nplays 2\n", "error\nplays 2\n", varies="bred")


@pytest.mark.parametrize(
    ("shown", "printed", "now"),
    [
        ("a\n", "b\nc\n", "b\nc\n"),
        ("won 6... % of 3\n", "won 61 % of 3\n", "won 61 % of 3\n"),
        ("...\nstep 9: 1\n", "step 1: 1\nstep 8: 7\nstep 9: 2\n", "...\nstep 9: 2\n"),
        ("in 3 s\n", "in 4 s\n", "in 3 s\n"),
        ("?\n", "", ""),
    ],
)
def test_a_page_records_what_no_longer_matches(shown: str, printed: str, now: str) -> None:
    assert recorded(shown, printed) == now


def test_a_page_is_recorded_where_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page.md"
    page = """
```console
$ echo {}
{}$ true
```

```python
print(1)
```
```text
{}```
"""
    path.write_text(page.format(3, "?\n", "2\n"))
    monkeypatch.setattr(sys.modules[__name__], "RECORD", "1")
    assert run_document(path, tmp_path) == 3
    assert path.read_text() == page.format(3, "3\n", "1\n")
