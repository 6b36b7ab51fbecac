"""A program in its own process: lines, limits, and an end with all that it has started."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulebots.errors import UsageError
from rulebots.protocols import ProtocolError, child_process
from rulebots.protocols.child_process import ChildProcess, ProgramEnded

ECHO = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"


@pytest.fixture
def started() -> Iterator[list[ChildProcess]]:
    children: list[ChildProcess] = []
    yield children
    for child in children:
        child.end()


def python(started: list[ChildProcess], program: str, **limits: int) -> ChildProcess:
    started.append(ChildProcess([sys.executable, "-c", program], **limits))
    return started[-1]


def soon(seconds: float = 20.0) -> float:
    return time.monotonic() + seconds


def test_lines_go_in_and_come_out(started):
    child = python(started, ECHO, memory=500)
    child.send(["abc", "grün"])
    assert [child.receive(soon()), child.receive(soon())] == ["cba", "nürg"]


def test_a_program_that_says_nothing_is_late_and_not_waited_for(started):
    child = python(started, "import time; time.sleep(60)")
    with pytest.raises(TimeoutError):
        child.receive(soon(0.05))
    assert child.returncode is None


def test_a_program_that_reads_nothing_is_told_no_more(started, monkeypatch):
    monkeypatch.setattr(child_process, "MOST_UNREAD", 1_000_000)
    child = python(started, "import time; time.sleep(60)")
    with pytest.raises(ProtocolError, match="does not read what it is told"):  # noqa: PT012 - sooner or later
        while True:
            child.send(["x" * 100_000])
            time.sleep(0.01)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("raise SystemExit(3)", r"ended \(exit code 3\)$"),
        ("import os; os.abort()", "was ended by SIGABRT$"),
        ("import os; os.kill(os.getpid(), 40)", "was ended by signal 40$"),
        ("raise ValueError('my own words')", r"ended \(exit code 1\); its stderr ends 'ValueError: my own words' "),
        ("import os, time; os.close(1); time.sleep(60)", "closed its output$"),
    ],
)
def test_a_program_that_has_gone_is_told_with_its_own_last_words(started, program, message):
    child = python(started, program)
    with pytest.raises(ProgramEnded, match=message):
        child.receive(soon())


def test_a_flood_without_a_line_is_cut_off(started):
    child = python(started, "import sys\nwhile True: sys.stdout.write('x' * 100_000)", longest_line=1000)
    with pytest.raises(ProtocolError, match="sent a line of more than 1,000 bytes"):
        child.receive(soon())


def test_what_is_no_text_is_refused(started):
    child = python(started, r"import sys; sys.stdout.buffer.write(b'\xff\xfe\n')")
    with pytest.raises(ProtocolError, match="expected text in UTF-8"):
        child.receive(soon())


def test_without_process_groups_the_program_itself_is_ended(started, monkeypatch):
    monkeypatch.setattr("rulebots.protocols.child_process.HAS_GROUPS", False)  # as on Windows
    monkeypatch.delattr("os.killpg")
    child = python(started, "import time; print('here', flush=True); time.sleep(60)", memory=1)
    assert child.receive(soon()) == "here"
    child.end()
    assert child._exited.is_set()


def test_all_that_it_has_started_ends_with_it(started):
    child = python(started, "import subprocess; print(subprocess.Popen(['sleep', '600']).pid, flush=True); input()")
    grandchild = int(child.receive(soon()))
    child.end()
    assert ended(grandchild)


def test_what_a_program_leaves_behind_ends_when_it_has_gone(started):
    child = python(started, "import subprocess; print(subprocess.Popen(['sleep', '600'], stdout=2).pid, flush=True)")
    grandchild = int(child.receive(soon()))
    with pytest.raises(ProgramEnded):
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
    with pytest.raises(ProgramEnded, match=r"ended \(exit code 0\)$"):
        python(started, program).receive(soon())


def test_a_line_that_is_begun_and_not_ended_is_told(started):
    child = python(started, "import sys, time; sys.stdout.write('{'); sys.stdout.flush(); time.sleep(60)")
    with pytest.raises(TimeoutError):
        child.receive(soon(0.5))
    assert child.hint == "; it sent '{' without the end of a line"


def test_a_line_that_came_unasked_is_found(started):
    child = python(started, "print(1, flush=True); print(2, flush=True); input()")
    assert child.receive(soon()) == "1"

    time.sleep(0.2)
    assert child.receive(0.0) == "2"
    with pytest.raises(TimeoutError):
        child.receive(0.0)


def test_a_program_that_writes_more_than_is_read_has_to_wait(started):
    child = python(started, "for i in range(100_000): print(i)")
    for number in range(100_000):
        assert child.receive(soon()) == str(number)
        assert child._lines.qsize() < 50_000


def test_memory_is_limited(started):
    child = python(started, "a = bytearray(400_000_000); print('has it', flush=True)", memory=200)
    with pytest.raises(ProgramEnded, match="MemoryError"):
        child.receive(soon())


def test_what_it_writes_on_stderr_is_kept_up_to_a_limit(started, tmp_path, monkeypatch):
    monkeypatch.setattr(child_process, "MOST_KEPT", 1000)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    child = python(started, "import sys\nfor i in range(20_000): print('line', i, file=sys.stderr)\nprint(1)")
    assert child.receive(soon()) == "1"
    child.end()
    (kept,) = tmp_path.iterdir()
    assert f"(all of it: {kept})" in child.errors.hint
    assert kept.read_text().startswith("line 0\nline 1\n")
    assert kept.stat().st_size == 1000


def test_a_program_that_ends_by_itself_when_it_is_dismissed_is_not_killed(started):
    child = python(started, "import sys; print(sys.stdin.read(), file=sys.stderr)")
    child.dismiss(["goodbye"])
    child.end(20.0)
    assert child.returncode == 0
    assert child.errors.hint.startswith("; its stderr ends 'goodbye'")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("nosuchprogram", "no such program is installed; your own file begins with ./"),
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
        ChildProcess([word])


def test_no_handle_stays_open(started):
    python(started, "pass").end()  # the event loop has handles too
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        child = python(started, "import sys; print(1, file=sys.stderr); print(2)")
        child.receive(soon())
        child.end()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_all_programs_end_with_a_process_that_forgets_them(tmp_path):
    code = (
        "import sys; from rulebots.protocols.child_process import ChildProcess\n"
        "child = ChildProcess([sys.executable, '-c', 'input()'])\n"
        "print(child._transport.get_pid())"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert run.stderr == ""
    assert ended(int(run.stdout))  # its input is closed
