"""The identity of what a function, rule, rule set, player or law computes: the same in every process.

- A kernel is its code, the kernels that it calls, and every constant that they read. If one cannot be inspected, the
  fingerprint is one that no other process has, and `Identity.known` is false.
- An object is what its method `identity()` returns, else its class and all that it holds.
- A class is the code of its file; if it is a user's, also of the user's files that this one imports, anywhere in it.

Comments and line numbers take no part, nor does what compiles the code: that is `toolchain()`.
"""

import ast
import builtins
import contextlib
import dis
import functools
import hashlib
import importlib.util
import itertools
import os
import sys
import types
import uuid
from collections.abc import Iterable, Mapping, Set as AbstractSet
from dataclasses import fields, is_dataclass
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from rulebots.errors import version_of
from rulebots.kernel.user_code import COMPILING, file_of, is_followed, is_ours, is_versioned

#: Where Numba looks for settings besides the environment.
NUMBAS_FILE = ".numba_config.yaml"
#: Variables that change where or how loudly Numba works, but not its machine code.
_HARMLESS = ("NUMBA_DISABLE_JIT", "NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "NUMBA_DEBUG_CACHE", "NUMBA_WARNINGS")
_PLAIN: tuple[Any, ...] = (bool, int, float, complex, str, bytes, type(None), type(...))
_PROCESS = uuid.uuid4().hex  # no other process has this one's


def fingerprint(thing: Any) -> str:
    """Hex digits that change with what a thing computes: see above. Ask a player before it has played."""
    return Identity(thing).fingerprint


@functools.cache
def toolchain() -> str:
    """What makes machine code of a kernel: versions, flags in the environment, and how this package compiles."""
    versions = [f"{name} {version_of(name)}" for name in ("numpy", "numba", "llvmlite")]
    flags = [f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith("NUMBA_") and k not in _HARMLESS]
    files = [Path(NUMBAS_FILE), *(Path(__file__).with_name(f"{name}.py") for name in COMPILING)]
    texts = [path.read_text("utf-8") if path.is_file() else "" for path in files]
    return _digest(sys.version, *versions, *flags, *texts)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:24]


@functools.lru_cache(maxsize=4096)
def lookups_of(code: types.CodeType) -> dict[str, set[tuple[str, ...]]]:
    """By the name of a global or free variable that code reads, the attributes that follow it at once."""
    result: dict[str, set[tuple[str, ...]]] = {}
    steps = [(i.opname, i.argval) for i in dis.get_instructions(code) if i.opname != "EXTENDED_ARG"]
    for place, (operation, name) in enumerate(steps):
        if operation.startswith(("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_")):
            after = itertools.takewhile(lambda step: step[0] in {"LOAD_ATTR", "LOAD_METHOD"}, steps[place + 1 :])
            result.setdefault(name, set()).add(tuple(attribute for _, attribute in after))
    for inner in (lookups_of(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)):
        for name, paths in inner.items():
            result.setdefault(name, set()).update(paths)
    return {name: paths for name, paths in result.items() if name not in code.co_cellvars}  # those are its own


def _add_sources(module: str, texts: dict[str, str]) -> None:
    """Add the code of a module's file, and of the user's modules that a user's module imports, by name."""
    if module in texts or not is_followed(module) or (file := file_of(module)) is None:
        return
    with contextlib.suppress(OSError, SyntaxError, ValueError, ImportError):
        tree = ast.parse(Path(file).read_bytes())
        texts[module] = ast.dump(tree)
        package = module if Path(file).name == "__init__.py" else module.rpartition(".")[0]
        for node in () if is_ours(module) else ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            if isinstance(node, ast.ImportFrom):
                origin = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
                names = [origin, *(f"{origin}.{name}" for name in names)]
            for name in itertools.filterfalse(is_ours, names):
                _add_sources(name, texts)


class Identity:
    """One pass over all that takes part in a thing; `strict` if it is the function of a kernel.

    `functions` are those that take part, `known` whether everything that they read could be inspected, `plain` whether
    one of the kernels is never compiled.
    """

    def __init__(self, thing: Any, *, strict: bool = False) -> None:
        self.known = True
        self.plain = False
        self.functions: list[types.FunctionType] = []
        self._strict = strict
        self._open: list[int] = []
        #: By id, each object that was looked at, which keeps its id, and its digest.
        self._done: dict[int, tuple[Any, str]] = {}
        self.fingerprint = _digest(self._value(thing))

    def _value(self, value: Any) -> str:
        if type(value) in _PLAIN or isinstance(value, range | slice | PurePath | np.dtype):
            return f"{type(value).__name__} {value!r}"
        if id(value) in self._open:
            return f"inside {self._open.index(id(value))}"
        if id(value) not in self._done:
            self._open.append(id(value))
            self._done[id(value)] = value, _digest(*self._parts(value))
            self._open.pop()
        return self._done[id(value)][1]

    def _parts(self, value: Any) -> Iterable[str]:
        kind = type(value)
        if isinstance(value, np.ndarray | np.generic):
            array = np.asarray(value)
            inside = self._value(array.tolist()) if array.dtype.hasobject else array.tobytes().hex()
            return [kind.__name__, repr(array.dtype), str(array.shape), inside]
        if isinstance(value, types.FunctionType):
            return self._function(value)
        if isinstance(value, types.CodeType):
            return self._code(value)
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, tuple | list | AbstractSet | Mapping) and kind.__module__ != "weakref":
            texts = [self._value(part) for part in (value.items() if isinstance(value, Mapping) else value)]
            return [self._value(kind), *(sorted(texts) if isinstance(value, AbstractSet) else texts)]
        if isinstance(value, _PLAIN):  # of a class that is derived from one of these
            return [self._value(kind), *(base.__repr__(value) for base in _PLAIN if isinstance(value, base))]
        if isinstance(value, functools.partial | types.MethodType):
            return [self._value(value.__reduce__())]
        if isinstance(value, types.ModuleType):
            return [self._read(value, ())]
        if isinstance(value, types.BuiltinFunctionType | np.ufunc):
            return [f"{getattr(value, '__module__', '')} {value.__name__}"]
        if getattr(kind, "plain", False) is True:  # it is not compiled: what it reads need not be known to the last bit
            self.plain = True
            strict, self._strict = self._strict, False
            meaning = self._value(value.identity())
            self._strict = strict
            return [meaning]
        if not self._strict and isinstance(whole := getattr(value, "whole", None), Identity):
            return [whole.fingerprint]  # a kernel: its constants and what it calls, of this package too
        if hasattr(value, "identity") or hasattr(value, "__wrapped__"):
            return [self._value(value.identity() if hasattr(value, "identity") else value.__wrapped__)]
        if not is_followed(kind.__module__) or kind.__module__ == "builtins":
            return [self._unknown(value)]
        held = [getattr(value, f.name) for f in fields(value)] if is_dataclass(value) else object.__getstate__(value)
        return [self._value(kind), self._value(held)]

    def _unknown(self, value: Any) -> str:
        """What stands for a value that cannot be inspected."""
        self.known = False
        kind = f"{type(value).__module__}.{type(value).__qualname__}"
        return f"{kind} {_PROCESS} {id(value)}" if self._strict else kind

    def _function(self, function: types.FunctionType) -> Iterable[str]:
        module = function.__module__
        if is_versioned(module) or not (self._strict or (is_followed(module) and not is_ours(module))):
            return [f"{module}.{function.__qualname__}"]
        self.functions.append(function)
        code = function.__code__
        parts = [module or "", *self._code(code, function.__doc__)]  # machine code refers to modules by name
        cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
        for name, paths in sorted(lookups_of(code).items()):
            value = function.__globals__.get(name, vars(builtins).get(name, self))
            with contextlib.suppress(ValueError):  # an empty cell
                value = cells[name].cell_contents if name in cells else value
            if value is not self:
                parts += [name, *(self._read(value, path) for path in sorted(paths))]
            elif self._strict:
                parts += [name, self._unknown(function)]  # it may still come
        return [*parts, self._value((function.__defaults__, function.__kwdefaults__))]

    def _code(self, code: types.CodeType, doc: str | None = None) -> Iterable[str]:
        yield f"{code.co_name} {code.co_code.hex()} {code.co_exceptiontable.hex()}"
        yield f"{code.co_names} {code.co_varnames} {code.co_freevars}"
        yield from (self._value(constant) for constant in code.co_consts if constant is None or constant != doc)

    def _read(self, value: Any, path: tuple[str, ...]) -> str:
        """What code reads by dots: from a module whose name does not say enough, through others."""
        if not isinstance(value, types.ModuleType):
            return self._value(value)
        if not is_followed(value.__name__) and (is_versioned(value.__name__) or not self._strict):
            return value.__name__
        if not path or not hasattr(value, path[0]):
            return self._unknown(value)  # it gets another name, or goes elsewhere
        return f"{path[0]} {self._read(getattr(value, path[0]), path[1:])}"

    def _class(self, kind: type) -> Iterable[str]:
        parts = [f"{kind.__module__}.{kind.__qualname__}"]
        parts += [*getattr(kind, "_fields", ()), *getattr(kind, "__dataclass_fields__", ())]
        parts += [f"{name} {self._value(member.value)}" for name, member in getattr(kind, "__members__", {}).items()]
        texts: dict[str, str] = {}
        for base in kind.__mro__:
            _add_sources(base.__module__, texts)
            if not (self._strict or is_ours(base.__module__)) and is_followed(base.__module__):  # maybe in no file
                for name, member in sorted(vars(base).items()):
                    inside = getattr(member, "fget", None) or getattr(member, "func", member)
                    parts += [] if name.startswith("__") else [name, self._value(inside)]
        return [*parts, *(text for _, text in sorted(texts.items()))]
