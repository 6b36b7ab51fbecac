"""When Ctrl-C takes effect, and that none is lost."""
# ruff: noqa: PT012 - Ctrl-C ends a block, so a block of several lines is what is tested

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator

import pytest

from evolve.signals import uninterrupted
from rulebots.cli.interrupts import Interrupts, press_again, watch


@pytest.fixture(autouse=True)
def _python_takes_ctrl_c() -> Iterator[None]:
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def test_ctrl_c_ends_the_block_that_allows_it():
    with Interrupts() as interrupts, pytest.raises(KeyboardInterrupt), interrupts.allowed():
        press()
        pytest.fail("the block went on")


def test_ctrl_c_between_the_blocks_waits_for_the_next_one_and_ends_only_that():
    with Interrupts() as interrupts:
        press()
        with pytest.raises(KeyboardInterrupt), interrupts.allowed():
            pytest.fail("the block began")
        with interrupts.allowed():
            interrupts.check()


def test_a_ctrl_c_that_was_swallowed_is_noticed_at_the_next_check():
    with Interrupts() as interrupts, pytest.raises(KeyboardInterrupt), interrupts.allowed():
        with contextlib.suppress(KeyboardInterrupt):
            press()
        interrupts.check()
        pytest.fail("the check passed")


def test_a_second_ctrl_c_does_not_disturb_the_clean_up_of_the_first():
    done = []
    with Interrupts() as interrupts:
        with pytest.raises(KeyboardInterrupt), interrupts.allowed():
            try:
                press()
            finally:
                press()
                done.append("cleaned up")
        with interrupts.allowed():
            done.append("the next block")
    assert done == ["cleaned up", "the next block"]


def test_the_error_that_foreign_code_makes_of_a_ctrl_c_is_the_ctrl_c():
    with Interrupts() as interrupts, pytest.raises(KeyboardInterrupt), interrupts.allowed():
        try:
            press()
        finally:
            threading.Lock().release()


def test_an_error_without_a_ctrl_c_stays_what_it_is():
    with Interrupts() as interrupts, pytest.raises(RuntimeError, match="unlocked"), interrupts.allowed():
        threading.Lock().release()


def test_an_uninterrupted_block_inside_an_allowed_one_holds_back_too():
    done = []
    with Interrupts() as interrupts, pytest.raises(KeyboardInterrupt), interrupts.allowed():
        with uninterrupted():
            press()
            done.append("everything")
        pytest.fail("the block went on")
    assert done == ["everything"]


def test_ctrl_c_stays_ignored_where_it_was_and_does_nothing_in_other_threads():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Interrupts() as interrupts, interrupts.allowed(), uninterrupted():
        press()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=lambda: Interrupts().__enter__())
    thread.start()
    thread.join()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_windows_sends_a_dropped_ctrl_c_again_without_ending_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr("os.kill", lambda *_: pytest.fail("which ends the process there"))
    with pytest.raises(KeyboardInterrupt):
        press_again()


def test_where_threads_get_no_signals_nobody_waits_for_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.cli.interrupts.PROBE", None)
    before = threading.active_count()
    watch("rulebots")
    assert threading.active_count() == before
