"""Compile several kernels at once, on as many cores as there are.

Numba compiles one kernel after the other, whatever the number of threads. What takes seconds is therefore
compiled by forked processes, which keep it on disk; this process then loads it.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from rulebots.kernel import Kernel, compiling, load_numba

#: The name of the thread that waits for the end of the parent.
_WATCH = "end with the parent"
#: Compiling so little, in seconds, is not worth a process.
WORTH_A_PROCESS = 0.3


class Compilation(NamedTuple):
    """A kernel, and a call that compiles it for its arguments, or loads it from disk."""

    kernel: Kernel[..., Any]
    run: Callable[[], object]

    @property
    def is_missing(self) -> bool:
        """Whether its machine code is not on disk, where there is to be any."""
        return compiling() and self.kernel.is_lasting and not self.kernel.is_kept


def precompile(compilations: Iterable[Compilation]) -> None:
    """Compile kernels, or load them; where several are missing, on all cores. Raises what their calls raise."""
    everything = list(compilations)
    shares = _shares([c for c in everything if c.is_missing]) if _can_fork() else []
    with contextlib.ExitStack() as helpers:
        if len(shares) > 1:
            load_numba()  # once, before the processes part
            for share in shares[1:]:
                helpers.enter_context(_compiled_apart(share))
            _compile_all(shares[0])
    _compile_all(everything)


def seconds_to_compile(compilations: Iterable[Compilation]) -> float:
    """About how long compiling what is missing takes; 0 where nothing is."""
    return max(map(_seconds, _shares([c for c in compilations if c.is_missing])), default=0.0)


def _shares(missing: list[Compilation]) -> list[list[Compilation]]:
    """What is missing, spread over the cores; the share that takes longest first."""
    shares: list[list[Compilation]] = [[] for _ in range(os.cpu_count() or 1)]
    for compilation in sorted(missing, key=lambda c: -c.kernel.seconds_to_compile):
        min(shares, key=_seconds).append(compilation)
    return sorted((share for share in shares if _seconds(share) > WORTH_A_PROCESS), key=_seconds, reverse=True)


def _seconds(share: list[Compilation]) -> float:
    return sum(c.kernel.seconds_to_compile for c in share)


def end_with_parent(until_it_ends: Callable[[], object]) -> None:
    """End this process when its parent ends, by SIGKILL as well; the call returns when it does, and takes no lock."""

    def watch() -> None:
        until_it_ends()
        os._exit(1)

    threading.Thread(target=watch, name=_WATCH, daemon=True).start()


def _can_fork() -> bool:
    """Whether this process can be forked safely: no other thread may hold a lock that the child will need."""
    return (
        sys.platform == "linux"
        and multiprocessing.parent_process() is None
        and all(thread.name == _WATCH for thread in threading.enumerate() if thread is not threading.current_thread())
    )


@contextlib.contextmanager
def _compiled_apart(share: list[Compilation]) -> Any:
    """A process that compiles a share while the block runs, and is done after it."""
    process = multiprocessing.get_context("fork").Process(target=_compile_quietly, args=(share,), daemon=True)
    with warnings.catch_warnings():
        # Python 3.12 counts NumPy's threads too; its library is prepared for a fork.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    try:
        yield
        process.join()
    finally:
        process.kill()


def _compile_quietly(share: list[Compilation]) -> None:
    """What that process does. An error here happens again in the process that waits, which reports it."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    assert parent is not None
    end_with_parent(parent.join)
    with warnings.catch_warnings(), contextlib.suppress(Exception):
        warnings.simplefilter("ignore")
        _compile_all(share)


def _compile_all(compilations: list[Compilation]) -> None:
    for compilation in compilations:
        compilation.run()
