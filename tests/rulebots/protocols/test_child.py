"""A program in its own process: lines, limits, and an end with all that it has started."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulebots.errors import UsageError
from rulebots.protocols import kept_file
from rulebots.protocols.child import Child, Gone, Late
from rulebots.protocols.protocol import ProtocolError

ECHO = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"


@pytest.fixture
def started() -> Iterator[list[Child]]:
    children: list[Child] = []
    yield children
    for child in children:
        child.kill()


def python(started: list[Child], program: str, **limits: int) -> Child:
    started.append(Child([sys.executable, "-c", program], **limits))
    return started[-1]


def soon(seconds: float = 20.0) -> float:
    return time.monotonic() + seconds


def test_lines_go_in_and_come_out(started):
    child = python(started, ECHO, memory=500)
    child.send(["abc", "grün"], soon())
    assert [child.receive(soon()), child.receive(soon())] == ["cba", "nürg"]


def test_a_program_that_says_nothing_is_late_and_not_waited_for(started):
    child = python(started, "import time; time.sleep(60)")
    with pytest.raises(Late, match="gave no answer in time"):
        child.receive(time.monotonic() + 0.05)


def test_a_program_that_reads_nothing_is_late(started):
    child = python(started, "import time; time.sleep(60)")
    with pytest.raises(Late):
        child.send(["x" * 1_000_000], time.monotonic() + 0.05)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("raise SystemExit(3)", r"ended \(exit code 3\)$"),
        ("import os; os.abort()", "was ended by SIGABRT$"),
        ("raise ValueError('my own words')", r"ended \(exit code 1\); its stderr ends 'ValueError: my own words' "),
        ("import os, time; os.close(1); time.sleep(60)", "closed its output$"),
    ],
)
def test_a_program_that_has_gone_is_told_with_its_own_last_words(started, program, message):
    child = python(started, program)
    with pytest.raises(Gone, match=message):
        child.receive(soon())


def test_a_flood_without_a_line_is_cut_off(started):
    child = python(started, "import sys\nwhile True: sys.stdout.write('x' * 100_000)", longest_line=1000)
    with pytest.raises(ProtocolError, match="sent a line of more than 1,000 bytes"):
        child.receive(soon())


def test_what_is_no_text_is_refused(started):
    child = python(started, r"import sys; sys.stdout.buffer.write(b'\xff\xfe\n')")
    with pytest.raises(ProtocolError, match="expected text in UTF-8"):
        child.receive(soon())


def test_all_that_it_has_started_ends_with_it(started):
    child = python(started, "import subprocess; print(subprocess.Popen(['sleep', '600']).pid, flush=True); input()")
    grandchild = int(child.receive(soon()))
    child.kill()
    assert ended(grandchild)


def test_what_a_program_leaves_behind_ends_when_it_has_gone(started):
    child = python(started, "import subprocess; print(subprocess.Popen(['sleep', '600'], stdout=2).pid, flush=True)")
    grandchild = int(child.receive(soon()))
    with pytest.raises(Gone):
        child.receive(soon())
    assert ended(grandchild)


def ended(pid: int) -> bool:
    """Whether a process ends within seconds; a zombie, whose parent has not looked yet, has ended."""
    until = soon()
    while time.monotonic() < until:
        stat = Path(f"/proc/{pid}/stat")
        try:
            if stat.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)
    return False


def test_a_program_that_has_gone_while_its_own_child_keeps_its_output_is_told_so(started):
    program = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])"
    child = python(started, program)

    def heard() -> str:
        while True:
            with contextlib.suppress(Late):
                return child.receive(time.monotonic() + 0.05)

    with pytest.raises(Gone, match=r"ended \(exit code 0\), and what it has started keeps its output open$"):
        heard()


def test_memory_is_limited(started):
    child = python(started, "a = bytearray(400_000_000); print('has it', flush=True)", memory=200)
    with pytest.raises(Gone, match="MemoryError"):
        child.receive(soon())


def test_what_it_writes_on_stderr_is_kept_up_to_a_limit(started, tmp_path, monkeypatch):
    monkeypatch.setattr(kept_file, "MOST_KEPT", 1000)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    child = python(started, "import sys\nfor i in range(20_000): print('line', i, file=sys.stderr)\nprint(1)")
    assert child.receive(soon()) == "1"
    child.kill()
    (kept,) = tmp_path.iterdir()
    assert kept == child.errors.path
    assert kept.read_text().startswith("line 0\nline 1\n")
    assert kept.stat().st_size == 1000


def test_a_program_that_ends_by_itself_when_it_is_dismissed_is_not_killed(started):
    child = python(started, "import sys; print(sys.stdin.read(), file=sys.stderr)")
    child.dismiss(["goodbye"])
    child.kill(20.0)
    assert child._process.returncode == 0
    assert child.errors.hint.startswith("; its stderr ends 'goodbye'")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("nosuchprogram", "no such program is installed; a file of yours begins with ./"),
        ("./none", "there is no such file"),
        ("./folder", "is a folder: expected a program"),
        ("./plain.py", r"cannot be started: make it executable \(chmod \+x ./plain.py\)"),
    ],
)
def test_what_cannot_be_started_says_why(tmp_path, monkeypatch, word, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.py").write_text("print(1)")
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match=message):
        Child([word])


def test_no_handle_stays_open(started):
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        child = Child([sys.executable, "-c", "import sys; print(1, file=sys.stderr); print(2)"])
        child.receive(soon())
        child.kill()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
