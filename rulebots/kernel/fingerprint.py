"""What decides what a function, rule, rule set, player or law computes: the one identity.

`fingerprint(thing)` is the same for things that compute the same, in every process, and changes with the
code and the values that take part, wherever they are written. Comments, docstrings and line numbers take no
part, nor does what compiles the code: that is `toolchain()`.

- A class may say what takes part by a method `identity()`, which may name the class itself. Of other objects, the class
  and everything they hold take part.
- Of a module, the parts take part that the code reads. The whole source takes part where a player's code passes the
  module on or imports it in a function.
- A user's Python names functions and classes of this package by their names only: what they do comes with the package's
  version, and their registries know what else this process has loaded.
- A value of a kernel that cannot be inspected takes part as something that no other process has: see `known`.
"""

from __future__ import annotations

import builtins
import contextlib
import enum
import functools
import hashlib
import importlib.util
import operator
import os
import sys
import types
import uuid
import weakref
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from importlib import metadata
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from rulebots.errors import version_of
from rulebots.kernel.byte_code import imports_in, lookups_of, names_in
from rulebots.kernel.user_code import COMPILING, is_followed, is_ours, is_versioned

DIGITS = 24
#: Variables that change where or how loudly Numba works, and not what it makes.
_HARMLESS = ("NUMBA_DISABLE_JIT", "NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "NUMBA_DEBUG_CACHE", "NUMBA_WARNINGS")
#: What Python writes into a class for annotations: functions that are not part of what the class does.
_ANNOTATING = ("__annotate__", "__annotate_func__")
_PLAIN = (bool, int, float, complex, str, bytes)
_BUILTINS = vars(builtins)
_PACKAGE = Path(__file__).parents[1]
_MISSING = object()
#: What wraps functions, and the attributes that hold what is inside.
_WRAPPERS: dict[type, tuple[str, ...]] = {
    functools.partial: ("func", "args", "keywords"),
    functools.partialmethod: ("func", "args", "keywords"),
    functools.cached_property: ("func",),
    functools.singledispatchmethod: ("func", "dispatcher.registry"),
    types.MethodType: ("__func__", "__self__"),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    property: ("fget", "fset", "fdel"),
}
#: No other process has this one's.
_PROCESS = uuid.uuid4().hex


def fingerprint(thing: Any) -> str:
    """Hex digits that change with what a thing computes: see above. Ask a player before it has played."""
    return _hash(_Walk().value(thing))


def known(function: Any) -> bool:
    """Whether everything that decides what a function computes can be inspected, so that its code can be kept."""
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
    versions = [f"{name} {version_of(name)}" for name in ("numpy", "numba", "llvmlite")]
    flags = [f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith("NUMBA_") and k not in _HARMLESS]
    compilers = (_PACKAGE / f"{name.replace('.', '/')}.py" for name in COMPILING)
    files = [Path(".numba_config.yaml"), *compilers]
    texts = [path.read_text("utf-8") if path.is_file() else "" for path in files]
    return _hash(iter([sys.version, *versions, *flags, *texts]))


def _hash(parts: Iterator[str]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)} {part}\n".encode())
    return digest.hexdigest()[:DIGITS]


class _Walk:
    """One pass over everything that takes part, as text, in a fixed order."""

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
        if value is None or type(value) in _PLAIN or isinstance(value, type(...) | PurePath):
            yield _plain(value)
        elif isinstance(value, np.dtype):
            yield from self._dtype(value)
        elif isinstance(value, np.ndarray | np.generic):
            yield from self._array(np.asarray(value))
        elif isinstance(value, range | slice):
            yield from self.value((value.start, value.stop, value.step))
        elif isinstance(value, types.ModuleType):
            yield value.__name__
            if self._strict and self._followed(value):
                yield self._unknown(value)  # what is read of it cannot be told here
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
        if isinstance(value, enum.Enum):
            yield from (*self._python(type(value)), value.name, *self.value(value.value))
        elif isinstance(value, _PLAIN):
            yield from self._python(type(value))
            yield from (base.__repr__(value) for base in _PLAIN if isinstance(value, base))
            yield from self._held(value)
        elif isinstance(value, weakref.WeakKeyDictionary | weakref.WeakValueDictionary):
            # It holds what happens to be alive.
            yield self._unknown(value) if self._strict else "weak"
        elif isinstance(value, tuple | list | AbstractSet | Mapping):
            if type(value).__module__ != "builtins":
                yield from (*self._python(type(value)), *self._held(value))
            yield from self._collection(value)
        elif isinstance(value, types.FunctionType):
            yield from self._function(value)
        elif held := next((names for kind, names in _WRAPPERS.items() if isinstance(value, kind)), None):
            for name in held:
                yield from self.value(operator.attrgetter(name)(value))
        elif isinstance(value, types.BuiltinFunctionType | np.ufunc):
            yield f"{getattr(value, '__module__', '')} {value.__name__}"
        elif isinstance(value, types.WrapperDescriptorType | types.MethodDescriptorType):
            yield f"{value.__objclass__.__qualname__} {value.__name__}"
        elif isinstance(value, type):
            yield from self._python(value) if self._strict else self._class(value)
        elif callable(inside := getattr(value, "__wrapped__", None)) and not hasattr(value, "identity"):
            yield from self.value(inside)
        else:
            yield from self._object(value)

    def _collection(self, value: Any) -> Iterator[str]:
        if isinstance(value, tuple | list):
            yield str(len(value))
            for part in value:
                yield from self.value(part)
        elif isinstance(value, AbstractSet):
            yield from sorted(_hash(self.value(part)) for part in value)
        else:
            for key, part in value.items():
                yield from (*self.value(key), *self.value(part))

    def _held(self, value: Any) -> Iterator[str]:
        """The attributes of an object itself, in its `__dict__` or in slots."""
        slots = [
            name
            for kind in type(value).__mro__
            if kind.__module__ != "builtins"
            for name, member in vars(kind).items()
            if isinstance(member, types.MemberDescriptorType) and hasattr(value, name)
        ]
        held = {name: getattr(value, name) for name in slots} | getattr(value, "__dict__", {})
        for name, part in sorted(held.items()):
            yield from (name, *self.value(part))

    def _unknown(self, value: Any) -> str:
        """What stands for a value that a kernel names and that cannot be inspected."""
        self.unknown = True
        self._alive.append(value)
        return f"unknown {_PROCESS} {id(value)}"

    def _object(self, value: Any) -> Iterator[str]:
        if callable(identity := getattr(value, "identity", None)):
            yield from self.value(identity())
        elif is_dataclass(value):
            yield from self._python(type(value))
            for field in fields(value):
                yield from (field.name, *self.value(getattr(value, field.name)))
        elif type(value).__module__ != "builtins" and is_followed(type(value).__module__):
            yield from (*self._python(type(value)), *self._held(value))
        elif self._strict:
            yield self._unknown(value)
        else:
            yield f"{type(value).__module__}.{type(value).__qualname__}"

    def _python(self, kind: type | types.FunctionType) -> list[str]:
        """Of a class, or of a function in it: code that runs as Python, where not all that is named need be known."""
        strict, self._strict = self._strict, False
        if strict and isinstance(kind, type):
            parts = [_hash(self._class(kind))]
            if not is_followed(type(kind).__module__) and type(kind).__module__ not in sys.stdlib_module_names:
                parts.append(self._unknown(kind))  # a library's metaclass may keep anything anywhere
        else:
            parts = list(self.value(kind))
        self._strict = strict
        return parts

    def _class(self, kind: type) -> Iterator[str]:
        yield f"{kind.__module__}.{kind.__qualname__}"
        # Compiled code reads fields by their places, also of a class from elsewhere.
        if issubclass(kind, tuple):
            yield from self.value(getattr(kind, "_fields", None))
        if is_dataclass(kind):
            for field in fields(kind):
                yield f"{field.name} {field.init} {field.kw_only} {field.compare}"
        if not is_followed(kind.__module__):
            return
        if is_dataclass(kind):
            for field in fields(kind):
                yield from (*self.value(field.default), *self.value(field.default_factory))
        if type(kind) is not type:
            yield from self.value(type(kind))
        for base in kind.__bases__:
            yield from self.value(base)
        members: Mapping[str, Any] = kind.__members__ if isinstance(kind, enum.EnumMeta) else {}
        for name, member in members.items():
            yield from (name, *self.value(member.value))
        for name, member in sorted(vars(kind).items()):
            if name not in members and not _by_python(name, member, kind):
                yield from (name, *self.value(member))

    def _function(self, function: types.FunctionType) -> Iterator[str]:
        if not self._strict and not is_followed(function.__module__):
            yield f"{function.__module__}.{function.__qualname__}"
            return
        self.functions.append(function)
        code = function.__code__
        yield f"module {function.__module__}"  # machine code on disk refers to modules by name
        yield from self._code(code, function.__doc__)
        yield from (*self.value(function.__defaults__), *self.value(function.__kwdefaults__))
        read = lookups_of(code)
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            try:
                inside = cell.cell_contents
            except ValueError:  # nothing yet
                yield f"{name} is empty"
            else:
                yield from self._named(name, inside, read.in_closure.get(name, ()), function)
        for name, paths in read.in_globals.items():
            if name in function.__globals__:
                yield from self._named(name, function.__globals__[name], paths, function)
            elif self._strict and name not in _BUILTINS:
                yield from (name, self._unknown(function))  # it may still come
        if self._is_users_python(function):
            for module in _imported(function):
                yield from self._handed_on(module, code)

    def _is_users_python(self, function: types.FunctionType) -> bool:
        """Whether a function is a user's Python, not this package's."""
        return not self._strict and not is_ours(function.__module__)

    def _named(
        self, name: str, value: Any, paths: Iterable[tuple[str, ...]], function: types.FunctionType
    ) -> Iterator[str]:
        """A value that a function calls by name; of a module, what the function reads from it."""
        yield name
        if self._followed(value):
            for path in paths:
                yield from self._through(value, path, function)
        else:
            yield from self._part(value, function)

    def _part(self, value: Any, function: types.FunctionType) -> Iterator[str]:
        """A value that a function names; by its name alone where a user's code names what this package has."""
        defined = isinstance(value, types.FunctionType | type)
        if defined and self._is_users_python(function) and is_ours(value.__module__):
            yield f"{value.__module__}.{value.__qualname__} {metadata.version('rulebots')}"
        else:
            yield from self.value(value)

    def _followed(self, value: Any) -> bool:
        """Whether a value is a module whose name does not say enough."""
        if not isinstance(value, types.ModuleType):
            return False
        return is_followed(value.__name__) or (self._strict and not is_versioned(value.__name__))

    def _through(self, module: types.ModuleType, path: tuple[str, ...], function: types.FunctionType) -> Iterator[str]:
        """What a function reads by dots, from a module through others."""
        for name in path:
            yield name
            found: Any = getattr(module, name, _MISSING)
            if found is _MISSING:
                yield self._unknown(module) if self._strict else "missing"
                return
            if not self._followed(found):
                yield from self._part(found, function)
                return
            module = found
        # The module gets another name, or goes elsewhere.
        if self._strict:
            yield self._unknown(module)
        elif self._is_users_python(function):
            yield from self._handed_on(module, function.__code__)
        else:
            yield from self._anything(module, names_in(function.__code__), [])

    def _handed_on(self, module: types.ModuleType, code: types.CodeType) -> Iterator[str]:
        """A module of which a user's code may read anything: what it names there, and the module as it is written."""
        if is_ours(module.__name__):
            yield module.__name__
            return
        yield from self._anything(module, names_in(code), [])
        with contextlib.suppress(OSError, TypeError, ValueError, SyntaxError):  # a module without a source
            text = Path(getattr(module, "__file__", None) or "").read_bytes()
            yield from self._code(compile(text, module.__name__, "exec", optimize=2), None)

    def _anything(self, module: types.ModuleType, names: tuple[str, ...], around: list[Any]) -> Iterator[str]:
        """All that code could read of a module, by the attributes that it names."""
        yield module.__name__
        for name in names:
            found: Any = getattr(module, name, _MISSING)
            if found is _MISSING or found is module or found in around:
                continue
            yield name
            if self._followed(found):
                yield from self._anything(found, names, [*around, module])
            else:
                yield from self.value(found)

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


def _imported(function: types.FunctionType) -> Iterator[types.ModuleType]:
    """The user's modules that a function imports when it runs, as far as they can be imported."""
    for dots, name in imports_in(function.__code__):
        with contextlib.suppress(Exception):
            place = function.__globals__.get("__package__") or ""
            full = importlib.util.resolve_name("." * dots + name, place)
            if is_followed(full):
                yield importlib.import_module(full)


def _plain(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else repr(value)


def _by_python(name: str, member: Any, kind: type) -> bool:
    """Whether something in a class is Python's own: it says nothing more, or differs between processes."""
    if name.startswith("__") and name.endswith("__") and name != "__match_args__":
        wrapped = isinstance(member, classmethod | property)
        return name in _ANNOTATING or not (callable(member) or wrapped) or _generated(member, kind)
    sunder = name.startswith("_") and name.endswith("_") and isinstance(kind, enum.EnumMeta)
    return name == "_abc_impl" or (sunder and not isinstance(member, types.FunctionType))


def _generated(member: Any, kind: type) -> bool:
    """Whether a function is the `__new__` of a namedtuple, which belongs to no module that can be imported."""
    function = getattr(member, "__func__", member)
    return issubclass(kind, tuple) and getattr(function, "__module__", "") == f"namedtuple_{kind.__name__}"
