"""Python's search for garbage can wait: while a large structure grows it finds none, and takes half of the time."""

from __future__ import annotations

import gc
import threading


class _NoCollecting:
    """Nothing is searched inside a `with` block, for as long as any thread is inside."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._was_on = False

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._was_on = gc.isenabled()
                gc.disable()
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0 and self._was_on:
                gc.enable()


NO_COLLECTING = _NoCollecting()
