"""One definition, two executions: plain Python functions that also run at native speed.

`decorator` has what others use. `inlining` prepares a function, `numba_backend` compiles it, `fingerprint` says what
it computes, `code_cache` is where machine code is kept, `precompile` compiles several kernels at once. `user_code`
reports mistakes in a user's code and limits its time, and `compile_errors` says why a function cannot be compiled.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulebots.kernel.code_cache import cache_folder
    from rulebots.kernel.decorator import (
        Kernel,
        PlainKernel,
        compiling,
        debugging,
        interpreted,
        interpreting,
        kernel,
        load_numba,
        runnable,
    )

__all__ = [
    "Kernel",
    "PlainKernel",
    "cache_folder",
    "compiling",
    "debugging",
    "interpreted",
    "interpreting",
    "kernel",
    "load_numba",
    "runnable",
]


def __getattr__(name: str) -> Any:
    # NumPy is imported with it: a command line that only names a mistake does not wait for that.
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(importlib.import_module("rulebots.kernel.decorator"), name)
