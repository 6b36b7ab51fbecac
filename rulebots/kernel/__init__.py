"""One definition, two executions: plain Python functions that also run at native speed.

`decorator` has what others use. `inlining` and `source_code` prepare a function, `numba_backend` compiles it,
`fingerprint` tells what it computes, `code_cache` says where its machine code is kept, `precompile` compiles several at
once. `time_limit` limits the time that a user's code takes, `user_code` says whose code it is and
names a mistake by the user's line, and `compile_errors` says why a function cannot be compiled.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulebots.kernel.decorator import (
        Kernel,
        compiling,
        debugging,
        interpreted,
        interpreting,
        kernel,
        load_numba,
        runnable,
    )

__all__ = ["Kernel", "compiling", "debugging", "interpreted", "interpreting", "kernel", "load_numba", "runnable"]


def __getattr__(name: str) -> Any:
    # NumPy is imported with it: a command line that only names a mistake does not wait for that.
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(importlib.import_module("rulebots.kernel.decorator"), name)
