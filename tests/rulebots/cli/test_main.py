"""Ctrl-C is answered by one line, wherever it arrives and however often: programs that begin as ours do."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rulebots.cli import main as cli
from rulebots.play.background import Preparation

#: As in a terminal, also where the tests run in the background, which ignores Ctrl-C.
PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from rulebots.cli.main import start
sys.exit(start("program", "words"))
"""
#: A package of commands; `go` is the only one.
WORDS = """
import signal, threading, time
from rulebots.cli import interrupts
from rulebots.cli.app import App

app = App("Try.")

def press():
    signal.raise_signal(signal.SIGINT)

class Finalized:
    def __del__(self):
        press()

def in_a_handler():
    try:
        press()
    finally:
        press()
        print("tidied up", flush=True)

def in_a_handler_without_end():
    interrupts.GRACE = 0.1
    try:
        press()
    finally:
        time.sleep(0.2)
        press()
        time.sleep(60)

def in_foreign_code():
    try:
        press()
    finally:
        threading.Lock().release()

def in_a_finalizer():
    Finalized()
    time.sleep(60)

def in_an_import():
    class Wrapped:
        def __set_name__(self, owner, name):
            press()
    type("Owner", (), {"wrapped": Wrapped()})

def in_compiled_code():
    import ctypes, os
    interrupts.UNANSWERED = 0.2

    def press_again():
        for _ in range(2):
            time.sleep(0.5)
            os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press_again, daemon=True).start()
    mutex = ctypes.create_string_buffer(64)
    while True:  # the second call waits for ever, and for no signal
        ctypes.CDLL(None).pthread_mutex_lock(mutex)

def after_everything():
    import atexit
    atexit.register(press)

def without_one():
    threading.Lock().release()

@app.command()
def go(case: str) -> None:
    globals()[case]()
    print("went on", flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "out"),
    [
        ("in_a_handler", "tidied up\n"),
        ("in_a_handler_without_end", ""),
        ("in_foreign_code", ""),
        ("in_a_finalizer", ""),
        ("in_an_import", ""),
    ],
)
def test_ctrl_c_ends_in_one_line_wherever_it_arrives(tmp_path: Path, case, out):
    run = go(tmp_path, case)
    assert (run.returncode, run.stdout, run.stderr) == (130, out, "program: interrupted\n")


@pytest.mark.slow
def test_a_second_ctrl_c_ends_compiled_code_that_answers_none(tmp_path: Path):
    run = go(tmp_path, "in_compiled_code")
    waiting = "program: compiled code is running and has not stopped yet; Ctrl-C again ends the program at once\n"
    assert (run.returncode, run.stdout, run.stderr) == (130, "", waiting + "program: interrupted\n")


def test_ctrl_c_after_the_end_says_nothing(tmp_path: Path):
    run = go(tmp_path, "after_everything")
    assert (run.returncode, run.stdout, run.stderr) == (0, "went on\n", "")


def test_an_error_that_no_ctrl_c_came_before_is_not_called_one(tmp_path: Path):
    run = go(tmp_path, "without_one")
    assert run.returncode == 1
    assert "interrupted" not in run.stderr
    assert run.stderr.endswith("RuntimeError: release unlocked lock\n")


def go(folder: Path, case: str) -> subprocess.CompletedProcess[str]:
    (folder / "words").mkdir()
    (folder / "words" / "__init__.py").write_text(WORDS)
    command = [sys.executable, "-c", PROGRAM, "go", case]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def test_a_process_that_still_compiles_ends_without_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM crashes where the interpreter ends under a thread that compiles."""
    may, ended = threading.Event(), list[int]()
    thread = threading.Thread(target=may.wait, name=Preparation.__name__, daemon=True)
    monkeypatch.setattr(sys, "argv", ["rulebots", "--version"])
    monkeypatch.setattr("rulebots.cli.main.end_process", ended.append)
    thread.start()
    assert (cli.main(), ended) == (0, [0])
    may.set()
    thread.join()
    assert (cli.main(), ended) == (0, [0])
