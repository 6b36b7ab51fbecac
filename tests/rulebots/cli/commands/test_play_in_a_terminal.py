"""`rulebots play` at a terminal: what is asked and overwritten there, the screen that is passed on, and Ctrl-C."""

from __future__ import annotations

import io
import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from cli_output import without_compiling

from rulebots.play.background import Preparation

PROGRAM = str(Path(sys.executable).with_name("rulebots"))
#: Nothing that takes long to compile: what is tested is the conversation.
CIRCLES = ("circles", "-s", "3", "-e", "2", "--seed", "3", "--against", "random")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


class Keyboard(io.StringIO):
    """Lines that somebody types."""

    def isatty(self) -> bool:
        return True


@pytest.mark.slow
def test_bytes_that_are_no_text_are_answered() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    typed = b"\xff\xfe\nquit\n"
    words = [PROGRAM, "play", "circles", "-s", "3", "--against", "random"]
    done = subprocess.run(words, input=typed, env=environment, capture_output=True, check=False)
    assert (done.returncode, without_compiling(done.stderr.decode())) == (0, "")
    assert b"expected one stone as 'row,col'" in done.stdout


def at_a_keyboard() -> None:
    """In the new process: the pseudo-terminal is its own, and Ctrl-C is not ignored, whoever runs the tests."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """`rulebots play` in a pseudo-terminal."""

    def __init__(self, *words: str) -> None:
        self.master, slave = os.openpty()
        environment = {**os.environ, "TERM": "xterm", "NO_COLOR": ""}
        self.process = subprocess.Popen(
            [PROGRAM, "play", *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
            preexec_fn=at_a_keyboard,  # noqa: PLW1509 - no other way to give a process its terminal
        )
        os.close(slave)
        self.seen, self.place = "", 0

    def until(self, text: str) -> str:
        """Wait until that text appears behind the last one waited for, and give what came in between."""
        deadline, start = time.monotonic() + 60, self.place
        while text not in self.seen[start:]:
            assert time.monotonic() < deadline, self.seen
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.master, 4096).decode()
                except OSError:  # the program has ended
                    break
        assert text in self.seen[start:], self.seen
        self.place = self.seen.index(text, start) + len(text)
        return self.seen[start : self.place]

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def end(self) -> int:
        code = self.process.wait(timeout=30)
        os.close(self.master)
        return code


@pytest.mark.slow
def test_a_game_in_a_terminal() -> None:
    at = Terminal(*CIRCLES)
    at.until("your move (? for help): ")
    at.type("7,7\n")
    assert "there is no stone 7,7" in at.until("your move")
    at.type("0,0\n")
    assert "random is thinking ..." in at.until("random takes ")
    at.until("your move")
    at.type("\x04")
    at.until("The input has ended; the game so far is in circles-unfinished.txt")
    assert at.end() == 0


@pytest.mark.slow
def test_ctrl_c_in_a_terminal_ends_in_one_line() -> None:
    at = Terminal(*CIRCLES)
    at.until("your move (? for help): ")
    time.sleep(0.5)  # Python misses a signal that comes between the prompt and its waiting for a line
    at.type("\x03")
    at.until("rulebots: interrupted")
    assert "Traceback" not in at.seen
    assert at.end() == 130


def test_the_board_waits_for_no_compiler_and_the_seconds_count_up(play, monkeypatch) -> None:
    may, work = threading.Event(), Preparation.work

    def make(self: Preparation) -> None:
        self.compiling = "a search"
        assert may.wait(60)
        work(self)

    def overwrite(text: str) -> None:
        told.append(text)
        may.set()

    told = list[str]()
    monkeypatch.setattr(io, "StringIO", Keyboard)
    monkeypatch.setattr(Preparation, "work", make)
    for where in ("dialogue", "commands.play"):
        monkeypatch.setattr(f"rulebots.cli.{where}.in_terminal", lambda: True)
    monkeypatch.setattr("rulebots.cli.commands.play.FAULTS_WITHIN", 0.01)
    monkeypatch.setattr("rulebots.cli.dialogue._overwrite", overwrite)
    code, out, err = play(*CIRCLES, typed="0,0\nquit\n")
    assert (code, err) == (0, "")
    assert told[0] == "Preparing the other players, once: 0 s"
    assert out.index("your move") < out.index("random takes")


def test_the_screen_is_covered_between_any_two_persons(play, monkeypatch) -> None:
    monkeypatch.setattr(io, "StringIO", Keyboard)
    monkeypatch.setattr("rulebots.cli.dialogue.in_terminal", lambda: True)
    monkeypatch.setattr("rich.console.Console.clear", lambda *_: sys.stdout.write("<cleared>"))
    words = ("goofspiel:game", *["--against", "you"] * 2, "--seed", "1")
    _, out, _ = play(*words, typed="1\n\n2\n\n3\n\nquit\n")
    between = out.split("<cleared>")
    assert len(between) == 4
    for said, name in zip(between[1:], ("player 2", "player 3", "player 1"), strict=True):
        assert f"Pass the screen to {name}, who presses Enter. " in said
    assert "player 2 makes a move that you do not see\n" in between[3]
    assert "player 1 plays 1" not in between[1] + between[2]
    assert "player 2 plays 2" not in between[2] + between[3]
