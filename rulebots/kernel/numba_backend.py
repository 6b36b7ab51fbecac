"""Numba at arm's length: the one file that imports it.

Importing numba takes 0.3 s that `--help` and `evolve check` must not pay: this file is imported when
something is compiled for the first time.

Most of what is used is documented. What is not documented is listed here, each with what happens in a Numba that has
dropped it: compiling or running is slower, and nothing else changes.

- `_nrt=False`: Numba counts references to arrays, atomically, which was 30 % of a match. Without the flag it counts.
- `forceinline`, `no_cpython_wrapper`, `no_cfunc_wrapper`: what kernels call is compiled to be inlined, and for no
  other caller. Without them LLVM decides what it inlines, and entries are made that nobody uses.
- `Dispatcher.get_call_template`: what kernels call is compiled once for all sizes of whole numbers. Without it Numba
  compiles it for each size and each constant that it is called with.
- `Dispatcher._cache`, `CompileResult._reduce` and `_rebuild`, `serialize.dumps`: machine code is kept on disk. Without
  them each process compiles for itself. Numba's own way to the disk (`cache=True`) does not notice an edit in a
  function of another file, and where it keeps things is one setting for all threads.
"""

import contextlib
import functools
import gc
import hashlib
import os
import pickle
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numba.core.compiler
import numba.core.registry
import numba.core.runtime
import numba.core.serialize
from numba.core.caching import NullCache
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.extending import typeof_impl

#: What Numba is asked for where only other compiled functions call.
_UNWRAPPED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


#: Bytes of a SHA-256.
DIGEST = hashlib.sha256().digest_size


def dispatcher(function: Callable[..., Any], *, counting: bool, nogil: bool, folder: Path | None = None) -> Any:
    """A function to be compiled for the arguments that it is called with, and kept in a folder if there is one."""
    # A record that begins as another does is what rules see of a view; each is compiled for by itself.
    warnings.filterwarnings("ignore", ".* has been considered a subtype of ", NumbaExperimentalFeatureWarning)
    compiled = _jit(function, {"nogil": nogil, "_nrt": counting})
    if folder is not None:
        compiled._cache = _Kept(folder, "counted" if counting else "uncounted")  # noqa: SLF001 - see above
    return compiled


def called(function: Callable[..., Any], *, counting: bool, nogil: bool, forced: bool) -> Any:
    """A function that other compiled functions call; `forced`: it is inlined wherever it is called.

    It is compiled once for whole numbers of any size and for constants: as int64, which all of them fit.
    """
    compiled = _jit(function, {"nogil": nogil, "_nrt": counting, "forceinline": forced} | _UNWRAPPED)
    with contextlib.suppress(AttributeError):
        template_of = compiled.get_call_template
        compiled.get_call_template = lambda kinds, named: template_of(
            tuple(_widened(kind) for kind in kinds), {name: _widened(kind) for name, kind in named.items()}
        )
    return compiled


def _widened(kind: Any) -> Any:
    """int64 for Numba's type of a signed whole number; other types as they are, and no type of one constant."""
    kind = numba.types.unliteral(kind)
    return numba.types.int64 if isinstance(kind, numba.types.Integer) and kind.signed else kind


def compile_for(compiled: Any, kinds: tuple[Any, ...]) -> None:
    """Compile a dispatcher's function for arguments of such types, or load that. Raises what Numba raises."""
    # Numba's graphs hold no garbage while they grow: compiling takes a twentieth less time without the search for it.
    collecting = gc.isenabled()
    gc.disable()
    try:
        compiled.compile(kinds)
    finally:
        if collecting:
            gc.enable()


def processor() -> str:
    """Digits for the kind of processor that machine code is made for; "" where this Numba does not say."""
    with contextlib.suppress(Exception):
        text = str(numba.core.registry.cpu_target.target_context.codegen().magic_tuple())
        return hashlib.sha256(text.encode()).hexdigest()[:8]
    return ""


def keeps(folder: Path) -> bool:
    """Whether a folder holds machine code. Deletes damaged files."""
    sound = False
    for path in folder.glob("*.nbc"):
        with contextlib.suppress(OSError):
            if _is_sound(path.read_bytes()):
                sound = True
            else:
                path.unlink()
    return sound


def _is_sound(content: bytes) -> bool:
    return hashlib.sha256(content[DIGEST:]).digest() == content[:DIGEST]


def uncounted() -> bool:
    """Whether this Numba can leave out the counting of references."""
    return "_nrt" in _known_flags()


def register(kind: type, dispatcher_of: Callable[[Any], Any]) -> None:
    """Let compiled code call objects of a class: each stands for a dispatcher."""

    @typeof_impl.register(kind)  # type: ignore[untyped-decorator]  # numba has no types
    def typeof(value: Any, context: object) -> Any:
        return numba.types.Dispatcher(dispatcher_of(value))


def kinds_of(examples: tuple[Any, ...]) -> tuple[Any, ...]:
    """What Numba calls the types of arguments like these."""
    return tuple(numba.typeof(example) for example in examples)


def result_kind(compiled: Any, kinds: tuple[Any, ...]) -> Any:
    """What a compiled function gives for arguments of such types."""
    return compiled.overloads[kinds].signature.return_type


def is_number(kind: Any) -> bool:
    """Whether Numba's type is that of a number or a bool."""
    return isinstance(kind, numba.types.Number | numba.types.Boolean)


def holds_no_array(kind: Any) -> bool:
    """Whether Numba's type is that of a number, of None, or of a tuple of such: nothing to which references count."""
    if isinstance(kind, numba.types.BaseTuple):
        return all(holds_no_array(part) for part in kind)
    return is_number(kind) or isinstance(kind, numba.types.NoneType)


def calling_back(function: Callable[..., Any]) -> Callable[..., float]:
    """A function for compiled code that calls `function(view, item) -> float` in Python."""
    objmode = numba.objmode

    def call_back(view: Any, item: int) -> float:
        with objmode(value="float64"):
            value = float(function(view, item))
        return value

    return call_back


def _jit(function: Callable[..., Any], flags: dict[str, Any]) -> Any:
    return numba.njit(**{name: value for name, value in flags.items() if name in _known_flags()})(function)


@functools.cache
def _known_flags() -> frozenset[str]:
    def nothing() -> None:
        pass

    known = {"nogil"}
    for name in ("_nrt", "forceinline", *_UNWRAPPED):
        with contextlib.suppress(Exception):  # Numba refuses a flag with a KeyError today
            numba.njit(**{name: True})(nothing)
            known.add(name)
    return frozenset(known)


class _Kept(NullCache):  # type: ignore[misc]  # numba has no types
    """The machine code of one function in a folder of its own: a file for each signature and kind of processor.

    Stands where Numba expects its own cache. What cannot be read or written is not there. A file begins with the
    SHA-256 of the rest: machine code with a damaged byte must never run, so such a file is deleted.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name

    def load_overload(self, signature: Any, target: Any) -> Any:
        path: Path | None = None
        try:
            # What machine code needs of Numba; all else, which takes 0.2 s, only compiling needs.
            numba.core.runtime.rtsys.initialize(target)
            path = self._file(signature, target.codegen())
            content = path.read_bytes()
            if _is_sound(content):
                return numba.core.compiler.CompileResult._rebuild(target, *pickle.loads(content[DIGEST:]))  # noqa: S301, SLF001 - our own file
        except FileNotFoundError:
            return None
        except Exception:  # noqa: BLE001, S110 - whatever is wrong with it, it is compiled again
            pass
        if path is not None:
            with contextlib.suppress(OSError):
                path.unlink()
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep machine code, unless it holds addresses of this process."""
        with contextlib.suppress(OSError, AttributeError, pickle.PicklingError, TypeError):
            if result.lifted or result.library.has_dynamic_globals:
                return
            content = numba.core.serialize.dumps(result._reduce())  # noqa: SLF001 - see above
            path = self._file(signature, result.codegen)
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, passing = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(hashlib.sha256(content).digest() + content)
                os.replace(passing, path)  # noqa: PTH105 - as the line above
            except BaseException:
                os.unlink(passing)  # noqa: PTH108
                raise

    def _file(self, signature: Any, codegen: Any) -> Path:
        text = f"{signature} {codegen.magic_tuple()}"
        return self._folder / f"{self._name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.nbc"
