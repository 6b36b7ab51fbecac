"""One definition, two executions: a plain Python function that Numba can also run at native speed.

What is decided here, and why:

- Calling a kernel from Python runs its source, interpreted: the debugger, and the oracle of the
  tests. `kernel.compiled` is the same source as machine code. Inside another kernel that is being
  compiled, a kernel stands for its compiled self.
- Small kernels are written into those that call them before Numba sees any: see inlining.py.
- Machine code is kept on disk in a folder named by the fingerprint of *everything* that takes part: the
  kernel's own byte code, that of every kernel it calls, every constant they read, and what compiles them.
- Only kernels called from Python are kept on disk; those they call are linked into them.
- Numba counts references to arrays, atomically. Kernels that make no array are compiled without: see `_compile`.
- `fastmath` stays off: a score must not depend on the order in which a compiler likes to add.

Numba itself is used in numba_backend.py only.
"""

import contextlib
import functools
import importlib.util
import logging
import os
import pkgutil
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar, overload

import numpy as np

from rulebots.errors import FileError, UsageError, demand
from rulebots.kernel import compile_errors
from rulebots.kernel.code_cache import cache_folder
from rulebots.kernel.fingerprint import NUMBAS_FILE, Identity, toolchain
from rulebots.kernel.inlining import body_of, inlined
from rulebots.kernel.user_code import CodeError, in_users_terms, is_ours, is_users

_SLOW = "{} runs interpreted, which is slow: Numba cannot compile it ({})"
#: Fingerprints of kernels that were announced, and reasons that were given: functions around one law share a reason.
_SAID: set[str] = set()
#: Says what is being compiled, where that takes a while.
LOG = logging.getLogger("rulebots.compile")
#: Bytes of code that compile in about a second on a common machine: where it is written into its callers (see
#: inlining.py), and elsewhere.
BYTES_A_SECOND = {True: 5_000, False: 3_000}
#: What a function that is compiled apart takes, in seconds, however little it does.
SECONDS_APART = 0.05
#: Kernels with at most this many bytes of code, and with at most so many once small kernels are written into them, are
#: inlined wherever they are called.
MOST_FORCED = 2_000
MOST_FORCED_WRITTEN = 10_000

#: Bytes of addresses that compiling takes. With fewer, OpenBLAS, which Numba loads with SciPy, tries without end.
ADDRESSES = 1_000 << 20

#: How kernels are compiled, the quickest first: with no count of references, with one, and as they were written, each
#: apart, so that what Numba then says names their own lines.
UNCOUNTED = "uncounted"
COUNTED = "counted"
AS_WRITTEN = "as written"
#: How the kernel is compiled that is being compiled; those that it calls are compiled as it is.
_MODE: ContextVar[str] = ContextVar("mode", default=COUNTED)
#: Whether kernels run interpreted although they could be compiled.
_INTERPRETING: ContextVar[bool] = ContextVar("interpreting", default=False)

P = ParamSpec("P")
R = TypeVar("R")


class Kernel(Generic[P, R]):
    """A plain Python function with a compiled twin; made by the decorator `kernel`."""

    function: Callable[P, R]

    def __init__(self, function: Callable[P, R], *, inlines: bool = True) -> None:
        self.function = function
        self._inlines = inlines
        #: What the announcement names instead of the function.
        self.title = ""
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the source as it stands, interpreted."""
        return self.function(*args, **kwargs)

    def __reduce__(self) -> tuple[Any, ...]:
        module = self.function.__module__
        name = self.function.__qualname__
        if "<locals>" in name:  # made by a function, it may be a name of its module all the same
            name = next((n for n, value in vars(sys.modules[module]).items() if value is self), name)
        return pkgutil.resolve_name, (f"{module}:{name}",)

    def identity(self) -> object:
        """What takes part in a fingerprint."""
        return self.function

    @functools.cached_property
    def whole(self) -> Identity:
        """Everything that takes part in what this kernel computes: its fingerprint, and the functions."""
        return Identity(self, strict=True)

    @property
    def plain(self) -> bool:
        """Whether it is never compiled: a `PlainKernel` takes part."""
        return self.whole.plain

    @property
    def fingerprint(self) -> str:
        """Hex digest of everything that decides what this kernel computes."""
        return self.whole.fingerprint

    @property
    def folder(self) -> Path:
        """Where machine code of this kernel is kept."""
        return cache_folder() / f"{self.fingerprint}-{toolchain()[:8]}-{load_numba().processor()}"

    @property
    def is_kept(self) -> bool:
        """Whether machine code of this kernel, as entries are compiled, is on disk, and is not damaged."""
        return bool(load_numba().keeps(self.folder))

    @functools.cached_property
    def compiled(self) -> Callable[P, R]:
        """The same function as machine code, kept on disk; interpreted under NUMBA_DISABLE_JIT=1.

        Calling it raises numba's own error when the source is beyond Numba: see `obstacle`.
        """
        return self._dispatcher(counting=True) if compiling() and not self.plain else self.function

    def obstacle(self, *examples: Any) -> str | None:
        """Why Numba cannot compile this kernel for arguments like these; None when `compiled` is ready.

        Raises:
            CodeError: a name or a field in it does not exist, or it keeps a memory: interpreted, it would be as wrong.
        """
        if not compiling() or self.plain:
            return None
        kinds = load_numba().kinds_of(examples)
        if not self.is_kept:
            self._announce()
        try:
            self.compiled = self._compile(kinds)
        except Exception as error:  # noqa: BLE001 - numba raises many kinds, all meaning "not compiled"
            names = (getattr(getattr(example, "dtype", None), "names", None) for example in examples)
            return compile_errors.reason(
                self.whole.functions, str(error) or type(error).__name__, list(filter(None, names))
            )
        return None

    def no_number(self, *examples: Any) -> str | None:
        """What a kernel without an obstacle gives for arguments like these, as Numba names it; None for a number."""
        backend = load_numba()
        kind = backend.result_kind(self.compiled, backend.kinds_of(examples))
        return None if backend.is_number(kind) else str(kind)

    def _compile(self, kinds: tuple[Any, ...]) -> Any:
        """A dispatcher that is ready for arguments of such types: the quickest one that can be had.

        The caller holds all arrays of a kernel that makes none and gives none back. Counting them at every
        call within, atomically, was 30 % of a match.
        """
        backend = load_numba()
        counts = self.calls_back or not backend.uncounted() or any(self.folder.glob("counted-*.nbc"))
        for mode in (COUNTED, AS_WRITTEN) if counts else (UNCOUNTED, COUNTED, AS_WRITTEN):
            around = _MODE.set(mode)
            try:
                dispatcher = self._linked[mode] if mode == AS_WRITTEN else self._dispatcher(counting=mode == COUNTED)
                backend.compile_for(dispatcher, kinds)
            except Exception:  # it makes an array and has to count; or it is beyond Numba, which the last one says
                if mode == AS_WRITTEN:
                    raise
            else:
                if mode != UNCOUNTED or backend.holds_no_array(backend.result_kind(dispatcher, kinds)):
                    return dispatcher
            finally:
                _MODE.reset(around)
        raise AssertionError("compiled as it was written, or Numba said why not")

    def _dispatcher(self, *, counting: bool) -> Any:
        folder = self.folder if self.is_lasting else None
        # What is on disk needs no writing, and what is made again for another signature is the same, only later.
        function = self.function if folder is not None and self.is_kept else self._written
        return load_numba().dispatcher(function, counting=counting, nogil=not self.calls_back, folder=folder)

    @functools.cached_property
    def _linked(self) -> dict[str, Any]:
        """What the kernel stands for in others that are compiled, by mode."""
        nogil = not self.calls_back
        backend = load_numba()
        # A large function, or one of a search, is called from several places: inlining it would compile it again at
        # each of them, and makes it no faster.
        forced = self._inlines and len(self.function.__code__.co_code) <= MOST_FORCED
        forced = forced and len(self._written.__code__.co_code) <= MOST_FORCED_WRITTEN
        dispatchers = {
            mode: backend.called(self._written, counting=mode == COUNTED, nogil=nogil, forced=forced)
            for mode in (UNCOUNTED, COUNTED)
        }
        return {**dispatchers, AS_WRITTEN: backend.dispatcher(self.function, counting=True, nogil=nogil)}

    @functools.cached_property
    def _written(self) -> Callable[P, R]:
        if not (self._inlines and isinstance(self.function, types.FunctionType)):
            return self.function
        return inlined(self.function, _function_of)

    @functools.cached_property
    def calls_back(self) -> bool:
        """Whether a kernel that calls back into Python takes part (see `interpreted`): it cannot be kept on disk."""
        return any("objmode" in function.__code__.co_freevars for function in self.whole.functions)

    @property
    def is_lasting(self) -> bool:
        """Whether machine code can be kept: another process can import all that takes part, and would find the same."""
        return (
            self.whole.known
            and not self.plain
            and not self.calls_back
            # Code typed at a prompt stands in no file.
            and Path(self.function.__code__.co_filename).is_file()
            and all(function.__module__ in sys.modules for function in self.whole.functions)
        )

    @functools.cached_property
    def seconds_to_compile(self) -> float:
        """About how long compiling takes."""
        seconds = 0.0
        for function in self.whole.functions:
            body = body_of(function) if self._inlines else None
            written = body is not None and body.simple
            seconds += len(function.__code__.co_code) / BYTES_A_SECOND[written] + (0 if written else SECONDS_APART)
        return seconds

    def _announce(self) -> None:
        """Say that something is being compiled, once for each kernel, where that takes about two seconds or longer."""
        if self.seconds_to_compile >= 2 and self.fingerprint not in _SAID:
            _SAID.add(self.fingerprint)
            inner = "<locals>" in self.function.__qualname__  # its name means nothing to anybody
            part = f"a part of {self.function.__module__.rpartition('.')[0] or self.function.__module__}"
            what = self.title or (part if inner else _full_name(self.function))
            # As a warning, so that it is also seen where nobody has set up logging: in a script, in a notebook.
            LOG.warning("compiling %s: about %.0f s, only the first time", what, self.seconds_to_compile)


class PlainKernel(Kernel[P, R]):
    """A function of Python objects that stands where kernels do: it, and every kernel that calls it, is interpreted.

    `meaning` is what decides what it computes, which takes the place of its code in a fingerprint.
    """

    plain = True

    def __init__(self, function: Callable[P, R], meaning: object) -> None:
        super().__init__(function)
        self.meaning = meaning

    def identity(self) -> object:
        """Its name, and what it stands for."""
        return self.function.__name__, self.meaning


@functools.cache
def load_numba() -> types.ModuleType:
    """Numba, loaded when something is compiled for the first time.

    Raises:
        FileError: a limit on the process leaves too few addresses, or Numba's own file of settings is not YAML.
    """
    with contextlib.suppress(ImportError):  # Windows has no such limit
        import resource

        room = resource.getrlimit(resource.RLIMIT_AS)[0]
        demand(
            not 0 <= room < ADDRESSES,  # Linux says -1 for any
            f"not enough memory: compiling takes {ADDRESSES >> 20:,} MB of addresses, "
            f"and `ulimit -v` allows {room >> 20:,}",
            FileError,
        )
    import yaml

    try:
        backend = importlib.import_module("rulebots.kernel.numba_backend")
    except yaml.YAMLError as error:
        raise FileError(
            f"{NUMBAS_FILE}, which Numba reads here, is not valid YAML: {' '.join(str(error).split())}"
        ) from None
    backend.register(Kernel, lambda called: called._linked[_MODE.get()])  # noqa: SLF001 - our own
    return backend


def _function_of(value: object) -> types.FunctionType | None:
    return value.function if isinstance(value, Kernel) and isinstance(value.function, types.FunctionType) else None


@overload
def kernel(function: Callable[P, R]) -> Kernel[P, R]: ...


@overload
def kernel(*, inlines: bool) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...


def kernel(function: Callable[P, R] | None = None, *, inlines: bool = True) -> Any:
    """Decorate a function of numbers, arrays and records so that it can also run compiled.

    With `inlines=False` the small kernels that it calls stay calls, for LLVM to inline: a tree search is then a tenth
    faster, and compiles as fast.
    """
    if function is None:
        return functools.partial(Kernel, inlines=inlines)
    return Kernel(function, inlines=inlines)


def runnable(body: Kernel[..., R], *examples: Any) -> Callable[..., R]:
    """The kernel compiled for arguments like these; interpreted, with a warning, where Numba cannot.

    Compiled code raises exceptions without a line: the call is then made once more, interpreted, to learn it.

    Raises:
        CodeError: a name or a field does not exist; or, when the function is called, whatever the user's code raises.
    """
    reason = body.obstacle(*examples)
    if reason is not None and reason not in _SAID:
        _SAID.add(reason)
        warnings.warn(_SLOW.format(body.title or _full_name(body.function), reason), RuntimeWarning, stacklevel=2)
    run = body.function if reason is not None or not compiling() else body.compiled
    # Interpreted by a debugger's user: nothing stands between.
    return run if run is body.function and reason is None and not body.plain else _telling(body, run)


def _telling(body: Kernel[..., R], run: Callable[..., R]) -> Callable[..., R]:
    """The function; what it raises is reported with the user's line."""

    def telling(*arguments: Any) -> R:
        try:
            return run(*arguments)
        except UsageError:
            raise
        except Exception as error:
            where = in_users_terms(error) or _raised_again(body, arguments, error)
            if where is None:
                raise
            raise CodeError(where) from None

    telling.__wrapped__ = run  # type: ignore[attr-defined]  # as functools.wraps has it
    return telling


def _raised_again(body: Kernel[..., Any], arguments: tuple[Any, ...], first: Exception) -> str | None:
    """What the source of a kernel raises, in the user's terms; None where nothing of the user's can have raised it.

    The call before has changed what was given, so that it may raise nothing now: then the lines are named that can.
    """
    with np.errstate(divide="raise", invalid="raise", over="raise"):
        try:
            body.function(*arguments)
        except UsageError as error:
            return str(error)
        except Exception as error:  # noqa: BLE001 - anything that the user's code raises
            if (text := in_users_terms(error)) is not None:
                return text
    functions = [f for f in body.whole.functions if is_users(f.__code__.co_filename) and not is_ours(f.__module__)]
    return compile_errors.suspects(functions, first)


@functools.cache
def interpreted(function: Callable[..., Any], reason: str) -> Kernel[..., float]:
    """A kernel that calls back into Python for `function(view, item) -> float`; warns once.

    Compiled code around it stays compiled; each call costs a few microseconds and takes the GIL.
    """
    warnings.warn(_SLOW.format(_full_name(function), reason), RuntimeWarning, stacklevel=2)
    call_back = load_numba().calling_back(function)
    call_back.__name__ = call_back.__qualname__ = function.__name__
    return Kernel(call_back)


def _full_name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def compiling() -> bool:
    """Whether kernels are compiled in this process (NUMBA_DISABLE_JIT=1 turns it off), and now (see `interpreting`).

    Where Numba is not installed they are not, and the first call says so.
    """
    # As for Numba itself, the environment takes precedence over its file.
    disabled = _is_set("NUMBA_DISABLE_JIT") or ("NUMBA_DISABLE_JIT" not in os.environ and _off_by_file())
    return not (disabled or debugging() or _INTERPRETING.get()) and _numba_is_here()


@functools.cache
def _numba_is_here() -> bool:
    if all(importlib.util.find_spec(name) for name in ("numba", "llvmlite")):
        return True
    LOG.warning("Numba is not installed: laws and rules run interpreted, hundreds to thousands of times slower")
    return False


@contextlib.contextmanager
def interpreting() -> Iterator[None]:
    """While the block runs, kernels run interpreted that would be compiled for the first time."""
    mode = _INTERPRETING.set(True)
    try:
        yield
    finally:
        _INTERPRETING.reset(mode)


def debugging() -> bool:
    """Whether everything runs interpreted, with each call of a law and of a rule checked: RULEBOTS_DEBUG=1."""
    return _is_set("RULEBOTS_DEBUG")


def _is_set(variable: str) -> bool:
    return os.environ.get(variable, "0") not in ("", "0")


@functools.cache
def _off_by_file() -> bool:
    """Whether Numba's own file of settings, in the current folder, turns it off; the first call says so."""
    with contextlib.suppress(OSError, ValueError):
        text = Path(NUMBAS_FILE).read_text("utf-8")
        found = re.search(r"^\s*disable_jit\s*:\s*[\"']?(\w+)", text, re.MULTILINE | re.IGNORECASE)
        if found and found[1] != "0":
            LOG.info(
                "'disable_jit' in %s: laws and rules run interpreted, up to thousands of times slower", NUMBAS_FILE
            )
            return True
    return False
