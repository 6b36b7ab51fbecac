"""Results of the steps of a long search, kept on disk: killed and begun again, it goes on where it was."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import joblib

from rulebots.kernel.code_cache import cache_folder
from rulebots.kernel.fingerprint import fingerprint

T = TypeVar("T")


class Steps:
    """Keeps what each step of a search made, in a private folder that belongs to the search's identity.

    `identity` is whatever decides what the steps make. Without one nothing is kept. What is kept are pickles, which
    are code: they stand beside the compiled code.
    """

    def __init__(self, identity: object = None) -> None:
        self.folder: Path | None = None if identity is None else cache_folder() / "searches" / fingerprint(identity)
        #: Whether there is something of a former process.
        self.begun = self.folder is not None and self.folder.exists()
        kept: Any = joblib.Memory(self.folder, verbose=0, compress=1).cache(_made, ignore=["make"])
        self._kept = kept

    def __call__(self, step: str, make: Callable[[], T]) -> T:
        """What `make` makes, or made when this step was last done."""
        found: T = self._kept(step, make)
        return found

    def forget(self) -> None:
        """Remove what was kept, when all is done."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


def _made(step: str, make: Callable[[], T]) -> T:
    return make()
