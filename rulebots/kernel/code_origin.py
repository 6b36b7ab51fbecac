"""Where code comes from: this package or its user, Python itself, or an installed library."""

from __future__ import annotations

import functools
import importlib.util
import site
import sys
import sysconfig
from pathlib import Path

#: What compiles kernels: it belongs to the toolchain, not to what they compute.
COMPILING = ("kernel.decorator", "kernel.numba_backend", "kernel.inlining", "kernel.source_code")
#: What asks players, and what tells a person of mistakes, decides no move; the latter knows the folders of a machine.
_TELLING = ("kernel.user_code", "kernel.compile_errors", "players.faults", "players.player")
#: What says what code computes.
_IDENTIFYING = ("kernel.code_origin", "kernel", "kernel.fingerprint", "kernel.byte_code")
_MACHINERY = tuple(f"rulebots.{name}" for name in (*_IDENTIFYING, *COMPILING, *_TELLING))
#: Of these modules the name says enough: their versions belong to the toolchain.
_NAMED = ("numpy", "math", "numba", "builtins")


@functools.cache
def is_followed(module: str | None) -> bool:
    """Whether a module is this package's or the user's: not Python's own, nor an installed library."""
    if module is None:  # code that was made from text
        return True
    if module.split(".", maxsplit=1)[0] in ("rulebots", "evolve", "__main__"):
        return module not in _MACHINERY
    if is_versioned(module):
        return False
    file = _file_of(module)
    return file is None or not any(Path(file).is_relative_to(place) for place in _installed())


def _file_of(module: str) -> str | None:
    """Where a module is, or would be loaded from; None for one that was made and stands in no file."""
    if module in sys.modules:
        return getattr(sys.modules[module], "__file__", None)
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    return None if spec is None else spec.origin


def is_ours(module: str | None) -> bool:
    """Whether a module belongs to this package, games that ship included."""
    return module is not None and module.split(".", maxsplit=1)[0] in ("rulebots", "evolve")


@functools.cache
def is_versioned(module: str) -> bool:
    """Whether the toolchain says what a module does."""
    top = module.split(".", maxsplit=1)[0]
    return module in _MACHINERY or top in _NAMED or top in sys.stdlib_module_names


@functools.cache
def _installed() -> tuple[str, ...]:
    return (*site.getsitepackages(), site.getusersitepackages(), sysconfig.get_path("stdlib"))
