"""What decides what a function, rule, rule set, player or law computes: the one identity.

`fingerprint(thing)` is the same for things that compute the same, in every process, and changes with the
code and the values that take part, wherever they are written. Comments, docstrings and line numbers take no
part, nor does what compiles the code: that is `toolchain()`.

A class says what takes part by a method `identity()`, which may name the class itself; of other objects their class
and all they hold take part.
What a kernel names and nobody can look into takes part as something that no other process has: see `known`.
"""

from __future__ import annotations

import dis
import enum
import functools
import hashlib
import os
import site
import sys
import sysconfig
import types
import uuid
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from importlib import metadata
from pathlib import Path, PurePath
from typing import Any

import numpy as np

DIGITS = 24
#: What compiles kernels: it belongs to the toolchain, not to what they compute.
_COMPILING = ("kernel", "numba_backend", "inlining", "source_code")
_MACHINERY = ("rulebots.fingerprint", *(f"rulebots.{name}" for name in _COMPILING))
#: Of these modules the name says enough: their versions belong to the toolchain.
_NAMED = ("numpy", "math", "numba", "builtins")
#: Variables that change where or how loudly Numba works, and not what it makes.
_HARMLESS = ("NUMBA_DISABLE_JIT", "NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "NUMBA_DEBUG_CACHE", "NUMBA_WARNINGS")
#: No other process has this one's.
_PROCESS = uuid.uuid4().hex


def fingerprint(thing: Any) -> str:
    """Hex digits that change with what a thing computes: see above. Ask a player before it has played."""
    return _hash(_Walk().value(thing))


def known(function: Any) -> bool:
    """Whether all that decides what a function computes can be looked into, so that its machine code can be kept."""
    walk = _Walk()
    for _ in walk.value(function):
        pass
    return not walk.unknown


def taking_part(function: Any) -> list[types.FunctionType]:
    """A function and all others that it calls, directly or not."""
    walk = _Walk()
    for _ in walk.value(function):
        pass
    return walk.functions


@functools.cache
def toolchain() -> str:
    """What makes machine code of a kernel: versions, flags in the environment, and how this package compiles."""
    versions = [f"{name} {metadata.version(name)}" for name in ("numpy", "numba", "llvmlite")]
    flags = [f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith("NUMBA_") and k not in _HARMLESS]
    files = [Path(".numba_config.yaml"), *(Path(__file__).with_name(f"{name}.py") for name in _COMPILING)]
    texts = [path.read_text("utf-8") if path.is_file() else "" for path in files]
    return _hash(iter([sys.version, *versions, *flags, *texts]))


def _hash(parts: Iterator[str]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)} {part}\n".encode())
    return digest.hexdigest()[:DIGITS]


class _Walk:
    """One way through all that takes part, as text, in a fixed order."""

    def __init__(self) -> None:
        self.unknown = False
        self.functions: list[types.FunctionType] = []
        self._open: list[int] = []
        self._done: dict[tuple[int, bool], str] = {}
        #: What is looked at stays alive, so that no other object gets its id.
        self._alive: list[Any] = []
        #: Whether the code is a kernel's: then everything that it names is a part of it.
        self._strict = True

    def value(self, value: Any) -> Iterator[str]:
        """Everything that decides what a value does or means."""
        yield type(value).__qualname__
        if value is None or isinstance(value, bool | int | float | complex | str | bytes | type(...) | PurePath):
            yield _plain(value)
        elif isinstance(value, np.dtype):
            yield from self._dtype(value)
        elif isinstance(value, np.ndarray | np.generic):
            yield from self._array(np.asarray(value))
        elif isinstance(value, range | slice):
            yield from self.value((value.start, value.stop, value.step))
        elif isinstance(value, types.ModuleType):
            yield value.__name__
        elif isinstance(value, types.CodeType):
            yield from self._code(value, None)
        elif id(value) in self._open:
            yield f"inside {self._open.index(id(value))}"
        else:
            # By its digest: it makes no difference whether equal things are one and the same.
            if (known := self._done.get(key := (id(value), self._strict))) is None:
                self._alive.append(value)
                self._open.append(id(value))
                known = self._done[key] = _hash(self._whole(value))
                self._open.pop()
            yield known

    def _whole(self, value: Any) -> Iterator[str]:
        """Of a value that may hold others."""
        if isinstance(value, tuple | list):
            yield str(len(value))
            for part in value:
                yield from self.value(part)
        elif isinstance(value, AbstractSet):
            yield from sorted(_hash(self.value(part)) for part in value)
        elif isinstance(value, Mapping):
            for key, part in value.items():
                yield from (*self.value(key), *self.value(part))
        elif isinstance(value, enum.Enum):
            yield from (value.name, *self.value(value.value))
        elif isinstance(value, types.FunctionType):
            yield from self._function(value)
        elif isinstance(value, functools.partial):
            yield from (*self.value(value.func), *self.value(value.args), *self.value(value.keywords))
        elif isinstance(value, types.MethodType):
            yield from (*self.value(value.__func__), *self.value(value.__self__))
        elif isinstance(value, types.BuiltinFunctionType | np.ufunc):
            yield f"{getattr(value, '__module__', '')} {value.__name__}"
        elif isinstance(value, type):
            yield from self._python(value) if self._strict else self._class(value)
        elif callable(inside := getattr(value, "__wrapped__", None)) and not hasattr(value, "identity"):
            yield from self.value(inside)
        else:
            yield from self._object(value)

    def _object(self, value: Any) -> Iterator[str]:
        if callable(identity := getattr(value, "identity", None)):
            yield from self.value(identity())
        elif is_dataclass(value):
            yield from self._python(type(value))
            for field in fields(value):
                yield from (field.name, *self.value(getattr(value, field.name)))
        elif (
            type(value).__module__ != "builtins" and _looked_into(type(value).__module__) and hasattr(value, "__dict__")
        ):
            yield from self._python(type(value))
            for name, part in sorted(vars(value).items()):
                yield from (name, *self.value(part))
        elif self._strict:
            self.unknown = True
            yield f"unknown {_PROCESS} {id(value)}"
        else:
            yield f"{type(value).__module__}.{type(value).__qualname__}"

    def _python(self, kind: type | types.FunctionType) -> list[str]:
        """Of a class, or of a function in it: code that runs as Python, where not all that is named need be known."""
        strict, self._strict = self._strict, False
        parts = [_hash(self._class(kind))] if strict and isinstance(kind, type) else list(self.value(kind))
        self._strict = strict
        return parts

    def _class(self, kind: type) -> Iterator[str]:
        yield f"{kind.__module__}.{kind.__qualname__}"
        if not _looked_into(kind.__module__):
            return
        for base in kind.__bases__:
            yield from self.value(base)
        for name, member in sorted(vars(kind).items()):
            inside = getattr(member, "__func__", getattr(member, "func", getattr(member, "fget", member)))
            if isinstance(inside, types.FunctionType) and _looked_into(inside.__module__):
                yield from (name, *self._python(inside))

    def _function(self, function: types.FunctionType) -> Iterator[str]:
        self.functions.append(function)
        if not self._strict and not _looked_into(function.__module__):
            yield f"{function.__module__}.{function.__qualname__}"
            return
        code = function.__code__
        yield f"module {function.__module__}"  # machine code on disk refers to modules by name
        yield from self._code(code, function.__doc__)
        yield from (*self.value(function.__defaults__), *self.value(function.__kwdefaults__))
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            try:
                inside = cell.cell_contents
            except ValueError:  # nothing yet
                yield f"{name} is empty"
            else:
                yield from self._named(name, inside, code)
        for name in _names(code):
            if name in function.__globals__:
                yield from self._named(name, function.__globals__[name], code)

    def _named(self, name: str, value: Any, code: types.CodeType) -> Iterator[str]:
        """A value that code calls by name; of a module, what the code names of it."""
        yield name
        if isinstance(value, types.ModuleType) and _looked_into(value.__name__):
            for attribute in code.co_names:
                if hasattr(value, attribute):
                    yield from (attribute, *self.value(getattr(value, attribute)))
        else:
            yield from self.value(value)

    def _code(self, code: types.CodeType, doc: str | None) -> Iterator[str]:
        yield f"{code.co_name} {code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_freevars}"
        yield code.co_exceptiontable.hex()
        for constant in code.co_consts:
            if constant is None or constant != doc:
                yield from self.value(constant)

    def _dtype(self, dtype: np.dtype[Any]) -> Iterator[str]:
        yield f"{dtype.str} {dtype.itemsize} {dtype.alignment} {dtype.shape}"
        if dtype.subdtype is not None:
            yield from self._dtype(dtype.subdtype[0])
        for name in dtype.names or ():
            yield f"{name} {dtype.fields[name][1] if dtype.fields else ''}"
            yield from self._dtype(dtype[name])

    def _array(self, array: np.ndarray[Any, Any]) -> Iterator[str]:
        yield from self._dtype(array.dtype)
        yield str(array.shape)
        if array.dtype.hasobject:
            yield from self.value(array.tolist())
        else:
            yield hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def _plain(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else repr(value)


@functools.lru_cache(maxsize=4096)
def _names(code: types.CodeType) -> tuple[str, ...]:
    """The global names that code, and the functions in it, look up; not those of attributes, which may be the same."""
    names = [i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")]
    inside = (c for c in code.co_consts if isinstance(c, types.CodeType))
    return tuple(dict.fromkeys((*names, *(name for c in inside for name in _names(c)))))


@functools.cache
def _looked_into(module: str) -> bool:
    """Whether a module is this package's or the user's: not Python's own, nor an installed library."""
    top = module.split(".", maxsplit=1)[0]
    if module in _MACHINERY:
        return False
    if top in ("rulebots", "evolve", "__main__"):
        return True
    if top in _NAMED or top in sys.stdlib_module_names:
        return False
    file = getattr(sys.modules.get(module), "__file__", None)
    return file is None or not any(Path(file).is_relative_to(place) for place in _installed())


@functools.cache
def _installed() -> tuple[str, ...]:
    return (*site.getsitepackages(), site.getusersitepackages(), sysconfig.get_path("stdlib"))
