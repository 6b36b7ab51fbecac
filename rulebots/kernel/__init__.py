"""One definition, two executions: plain Python functions that also run at native speed.

`decorator` has what others use. `inlining` and `source_code` prepare a function, `numba_backend` compiles it,
`fingerprint` and `byte_code` tell what it computes, `code_cache` says where its machine code is kept, `precompile`
compiles several at once, and `compile_errors` names a mistake by the person's own line.
"""

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
