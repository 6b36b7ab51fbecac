"""One definition, two executions: a plain Python function that Numba can also run at native speed.

This is the only file that imports numba, and it does so when something is compiled for the first
time, because importing numba costs 0.3 s that `--help` and `evolve check` must not pay.

What is decided here, and why:

- Calling a kernel from Python runs its source, interpreted: the debugger, and the oracle of the
  tests. `kernel.compiled` is the same source as machine code. Inside another kernel that is being
  compiled, a kernel stands for its compiled self.
- Numba's own disk cache does not notice an edit in a function that is called from another file. A
  compiled kernel is therefore kept in a folder named by a fingerprint of *everything* that takes
  part: its own byte code, that of every kernel it calls, every constant they read.
- Only kernels called from Python are kept on disk; those they call are linked into them.
- Numba counts references to arrays, atomically. Kernels that make no array are compiled without: see `_uncounted`.
- `fastmath` stays off: a score must not depend on the order in which a compiler likes to add.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import types
import warnings
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from importlib import metadata
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np
import platformdirs

_MODULE = "module "
_SLOW = "{} runs interpreted, which is slow: Numba cannot compile it ({})"

#: Whether the kernel that is being compiled counts references; those that it calls do as it does.
_COUNTING: ContextVar[bool] = ContextVar("counting", default=True)

P = ParamSpec("P")
R = TypeVar("R")


class Kernel(Generic[P, R]):
    """A plain Python function with a compiled twin; made by the decorator `kernel`."""

    function: Callable[P, R]

    def __init__(self, function: Callable[P, R]) -> None:
        self.function = function
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the source as it stands, interpreted."""
        return self.function(*args, **kwargs)

    def __reduce__(self) -> tuple[Any, ...]:
        # Numba hashes the pickled cells of a closure to find its cached code, so the bytes must
        # depend on what the kernel does and on nothing else.
        return _load, (self.function.__module__, self.function.__qualname__, self.fingerprint)

    @functools.cached_property
    def fingerprint(self) -> str:
        """Hex digest of everything that decides what this kernel computes."""
        return hashlib.sha256("\n".join(_parts(self.function, set())).encode()).hexdigest()[:24]

    @functools.cached_property
    def compiled(self) -> Callable[P, R]:
        """The same function as machine code, kept on disk; interpreted under NUMBA_DISABLE_JIT=1.

        Calling it raises numba's own error when the source is beyond Numba: see `obstacle`.
        """
        return self._dispatcher(counting=True) if compiling() else self.function

    def _dispatcher(self, *, counting: bool) -> Any:
        import numba

        calls_back = _calls_back(self.function)
        # Code typed at a prompt stands in no file, and Numba keeps on disk only what does.
        lasting = Path(self.function.__code__.co_filename).is_file() and not calls_back and _importable(self.function)
        former = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(cache_folder() / self.fingerprint)
        try:
            return numba.njit(nogil=not calls_back, cache=lasting, _nrt=counting)(self.function)
        finally:
            numba.config.CACHE_DIR = former

    @functools.cached_property
    def _linked(self) -> dict[bool, Any]:
        import numba

        nogil = not _calls_back(self.function)
        return {c: numba.njit(nogil=nogil, forceinline=True, _nrt=c)(self.function) for c in (False, True)}

    @property
    def _numba_type_(self) -> Any:
        """What a kernel is to Numba when another kernel that is being compiled names it."""
        import numba

        return numba.types.Dispatcher(self._linked[_COUNTING.get()])

    def obstacle(self, *examples: Any) -> str | None:
        """Why Numba cannot compile this kernel for arguments like these; None when `compiled` is ready."""
        if not compiling():
            return None
        import numba

        kinds = tuple(numba.typeof(example) for example in examples)
        if not _calls_back(self.function) and (quick := self._uncounted(kinds)) is not None:
            self.compiled = quick
            return None
        self.compiled = counted = self._dispatcher(counting=True)
        try:
            counted.compile(kinds)
        except Exception as error:  # noqa: BLE001 - numba raises many kinds, all meaning "not compiled"
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            telling = [line for line in lines if not line.startswith("Failed in nopython mode")]
            return (telling or lines or [type(error).__name__])[0]
        return None

    def _uncounted(self, kinds: tuple[Any, ...]) -> Any:
        """The kernel compiled without a count of who holds which array; None where that cannot be.

        The caller holds all arrays of a kernel that makes none and gives none back. Counting them at
        every call within, atomically, was 30 % of a match.
        """
        import numba

        dispatcher, mode = self._dispatcher(counting=False), _COUNTING.set(False)
        try:
            dispatcher.compile(kinds)
        except Exception:  # noqa: BLE001 - as in `obstacle`, which then says what it is
            return None
        finally:
            _COUNTING.reset(mode)
        given = dispatcher.overloads[kinds].signature.return_type
        return (
            dispatcher if isinstance(given, numba.types.Number | numba.types.Boolean | numba.types.NoneType) else None
        )

    def no_number(self, *examples: Any) -> str | None:
        """What a kernel without an obstacle gives for arguments like these, as Numba names it; None for a number."""
        import numba

        dispatcher: Any = self.compiled
        given = dispatcher.overloads[tuple(numba.typeof(example) for example in examples)].signature.return_type
        return None if isinstance(given, numba.types.Number | numba.types.Boolean) else str(given)


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Decorate a function of numbers, arrays and records so that it can also run compiled."""
    return Kernel(function)


def runnable(body: Kernel[..., R], *examples: Any) -> Callable[..., R]:
    """The kernel compiled for arguments like these; interpreted, with a warning, where Numba cannot."""
    reason = body.obstacle(*examples)
    if reason is None:
        return body.compiled
    warnings.warn(_SLOW.format(_full_name(body.function), reason), RuntimeWarning, stacklevel=2)
    return body.function


@functools.cache
def interpreted(function: Callable[..., Any], reason: str) -> Kernel[..., float]:
    """A kernel that calls back into Python for `function(view, item) -> float`; warns once.

    Compiled code around it stays compiled; each call costs a few microseconds and takes the GIL.
    """
    warnings.warn(_SLOW.format(_full_name(function), reason), RuntimeWarning, stacklevel=2)
    from numba import objmode

    def call_back(view: Any, item: int) -> float:
        with objmode(value="float64"):
            value = float(function(view, item))
        return value

    call_back.__name__ = call_back.__qualname__ = function.__name__
    return Kernel(call_back)


def _full_name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def compiling() -> bool:
    """Whether kernels are compiled in this process (NUMBA_DISABLE_JIT=1 turns it off)."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


@functools.cache
def cache_folder() -> Path:
    """Where compiled code is kept: $RULEBOTS_CACHE, else the user's cache folder, else a temporary one."""
    wanted = os.environ.get("RULEBOTS_CACHE")
    folder = Path(wanted) if wanted else platformdirs.user_cache_path("rulebots")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        warnings.warn(
            f"compiled code is not kept, for '{folder}' cannot be written: {error}", RuntimeWarning, stacklevel=2
        )
        passing = tempfile.mkdtemp(prefix="rulebots-")
        atexit.register(shutil.rmtree, passing, ignore_errors=True)
        return Path(passing)


def _load(module: str, qualname: str, fingerprint: str) -> Any:
    """Find a pickled kernel again by name; a kernel made inside a function cannot be found."""
    found: Any = sys.modules[module] if module in sys.modules else __import__(module, fromlist=["_"])
    for name in qualname.split("."):
        found = getattr(found, name)
    return found


def _parts(function: Any, seen: set[int]) -> Iterator[str]:
    """Everything that decides what `function` computes, as text, in a fixed order."""
    yield _toolchain()
    yield from _function_parts(function, seen)


@functools.cache
def _toolchain() -> str:
    return f"python {sys.version_info[:2]} numpy {np.__version__} numba {metadata.version('numba')}, uncounted"


def _function_parts(function: Any, seen: set[int]) -> Iterator[str]:
    if id(function) in seen:
        return
    seen.add(id(function))
    code = function.__code__
    yield f"{_MODULE}{function.__module__}"  # what is kept on disk refers to modules by name
    yield from _code_parts(code, function.__doc__)
    yield f"{function.__defaults__!r} {function.__kwdefaults__!r}"
    cells = function.__closure__ or ()
    for name, cell in zip(code.co_freevars, cells, strict=True):
        yield from _value_parts(name, cell.cell_contents, code, seen)
    for name in _names(code):
        if name in function.__globals__:
            yield from _value_parts(name, function.__globals__[name], code, seen)


def _code_parts(code: types.CodeType, doc: str | None) -> Iterator[str]:
    constants = [c for c in code.co_consts if not isinstance(c, types.CodeType) and c != doc]
    names = (code.co_names, code.co_varnames, code.co_freevars)
    yield f"{code.co_name} {code.co_code.hex()} {names} {constants!r}"
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _code_parts(constant, None)


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _value_parts(name: str, value: Any, code: types.CodeType, seen: set[int]) -> Iterator[str]:
    if isinstance(value, Kernel):
        yield name
        yield from _function_parts(value.function, seen)
    elif isinstance(value, np.ndarray):
        yield f"{name} {value.dtype} {value.shape} {value.tobytes().hex()}"
    elif isinstance(value, types.ModuleType) and value.__name__.split(".")[0] not in ("numpy", "math"):
        for attribute in _names(code):
            if hasattr(value, attribute):
                yield from _value_parts(f"{name}.{attribute}", getattr(value, attribute), code, seen)
    elif isinstance(value, tuple) and any(isinstance(v, Kernel) for v in value):
        for i, v in enumerate(value):
            yield from _value_parts(f"{name}[{i}]", v, code, seen)
    elif isinstance(value, bool | int | float | str | tuple | np.dtype | np.generic):
        yield f"{name} {value!r}"
    elif isinstance(value, types.FunctionType):
        yield name
        yield from _function_parts(value, seen)


def _importable(function: Any) -> bool:
    """Whether all functions that take part come from modules that another process could import."""
    modules = (part.removeprefix(_MODULE) for part in _parts(function, set()) if part.startswith(_MODULE))
    return all(module in sys.modules for module in modules)


def _calls_back(function: Any) -> bool:
    """Whether a kernel that calls back into Python takes part: such code cannot be kept on disk."""
    return any("objmode" in part for part in _parts(function, set()))
