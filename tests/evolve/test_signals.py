"""Signals are held back, not lost."""
# ruff: noqa: PT012 - a signal ends a block, so a block of several lines is what is tested

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from evolve.signals import blocked, uninterrupted


@pytest.fixture(autouse=True)
def _python_takes_ctrl_c() -> Iterator[None]:
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def test_an_uninterrupted_block_is_finished_first():
    done = []
    with pytest.raises(KeyboardInterrupt), uninterrupted():
        press()
        done.append("everything")
    assert done == ["everything"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_where_signals_cannot_be_blocked_the_block_runs_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "pthread_sigmask")  # as on Windows
    with pytest.raises(KeyboardInterrupt), blocked(signal.SIGINT):
        press()
        pytest.fail("Ctrl-C is delayed where it cannot be")


def test_a_blocked_signal_is_delayed_here_and_never_reaches_children():
    program = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    done = []
    with pytest.raises(KeyboardInterrupt):
        with blocked(signal.SIGINT):
            child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
            press()
            done.append("everything")
        pytest.fail("the signal was lost")
    assert child.stdout == "True\n"
    assert done == ["everything"]
