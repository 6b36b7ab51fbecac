"""The user's code by name: `module:name` or `path.py:name`, imported when a person names it.

A name that stands in a data file never makes code run: inside `names_from_data` only what a person has named before
in this process is found.
"""

from __future__ import annotations

import ast
import contextlib
import contextvars
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from rulebots.errors import nearest
from rulebots.kernel.user_code import CodeError
from rulebots.packages.importing import imported, make_importable, module_at

_WORD = r"[A-Za-z_][A-Za-z0-9_]*"
_NAME = re.compile(
    rf"(?P<place>(?P<file>(?:[A-Za-z]:)?[^:]*\.py)|{_WORD}(?:\.{_WORD})*)(?::(?P<name>{_WORD})?(?::(?P<rest>.*))?)?",
    re.DOTALL,
)
#: What a name can stand for, in words.
KINDS = {"game": "game", "rules": "rule set", "player": "player", "code": "rule set or player"}
#: Kinds of players that are a program of the person's: `program:./mybot --flag`.
PROGRAM_KINDS = frozenset({"program", "piskvork"})
#: How a command lets a person name what a data file names: by kind of thing, with {} for the name.
_from_data: contextvars.ContextVar[Mapping[str, str] | None] = contextvars.ContextVar("_from_data", default=None)


@dataclass(frozen=True)
class CodeName:
    """`keep.py:mine` or `heuristics.keep:mine`; `rest` is what follows a second colon, such as settings."""

    place: str
    name: str
    rest: str = ""

    @property
    def text(self) -> str:
        """The name without settings, as the person wrote it."""
        return f"{self.place}:{self.name}" if self.name else self.place

    @property
    def is_file(self) -> bool:
        """Whether it names a file, not a module."""
        return self.place.endswith(".py")

    @property
    def absolute(self) -> str:
        """The name that means the same in every folder."""
        return f"{Path(self.place).resolve()}:{self.name}" if self.is_file else self.text

    @property
    def tail(self) -> str:
        """The name without folders."""
        return f"{Path(self.place).name}:{self.name}" if self.is_file else self.text


@dataclass(frozen=True)
class Brought:
    """A thing that a person has named; `kind` is one of `KINDS`."""

    kind: str
    named: CodeName
    thing: Any


_brought: dict[str, Brought] = {}


def code_name(text: str) -> CodeName | None:
    """What a text names, if it has the form of such a name: a `.py` file, or `module:name`; None otherwise."""
    found = _NAME.fullmatch(text)
    if found is None or (found["file"] is None and not found["name"]):
        return None
    return CodeName(found["place"], found["name"] or "", found["rest"] or "")


def load(text: str, kind: str, fits: Callable[[Any], bool]) -> Any:
    """The thing of a kind that a person names, one of `KINDS`; `fits` tells whether it is one.

    Raises:
        CodeError: no such file, module or name, code that fails when it is imported, or a thing that does not fit.
    """
    named = code_name(str(text))
    what = f"a {KINDS[kind]}"
    if named is None:
        raise CodeError(f"expected {what} as module:name or path.py:name, not '{text}'")
    if inside_data():
        return _known(named, kind, fits)
    module = _module(named)
    if not named.name:
        there = _fitting(module, fits)
        hint = f"; there is {', '.join(f'{named.place}:{name}' for name in there)}" if there else ""
        raise CodeError(f"{named.place}: expected {what} by name, {named.place}:NAME{hint}")
    if not hasattr(module, named.name):
        raise CodeError(_no_name(named, module, KINDS[kind], fits))
    thing = getattr(module, named.name)
    if not fits(thing):
        came = _lacking(thing) if isinstance(thing, type) else f"of type {type(thing).__name__}"
        raise CodeError(f"{_line_of(named, module)}: expected {what} as '{named.name}'; it is {came}")
    _brought.setdefault(named.absolute, Brought(kind, named, thing))
    return thing


def is_program(text: str) -> bool:
    """Whether a player's name is that of a program, which would be started: `program:./mybot`."""
    return text.partition(":")[0] in PROGRAM_KINDS


def runs_code(text: str) -> bool:
    """Whether a player's name makes the user's code run, here or in another process."""
    return is_program(text) or code_name(text) is not None


def name_program(text: str) -> None:
    """Note that a person names a program, which data files may name from then on. Nothing is started.

    Raises:
        CodeError: inside `names_from_data`, for one that no person has named in this process.
    """
    if text in _brought:
        return
    refuse_in_data(text, "player")
    _brought[text] = Brought("player", CodeName(text, ""), text)


def _lacking(kind: type) -> str:
    """A class, in words; one that could be what was expected with the methods that it lacks."""
    missing = sorted(getattr(kind, "__abstractmethods__", ()))
    words = [f"a method `{name}`{_meant(nearest(name, vars(kind)))}" for name in missing]
    return f"the class {kind.__name__}" + (f", which lacks {' and '.join(words)}" if words else "")


def _meant(close: str | None) -> str:
    return f" (did you mean that by `{close}`?)" if close else ""


def brought() -> list[Brought]:
    """What persons have named in this process, in their order."""
    return list(_brought.values())


def origin_of(thing: Any) -> CodeName | None:
    """The name by which a person brought a thing; None for what came in another way."""
    return next((known.named for known in _brought.values() if known.thing is thing), None)


@contextlib.contextmanager
def names_from_data(**remedies: str) -> Iterator[None]:
    """Inside, names stand in a data file: nothing is imported, only what a person has named before is found.

    `remedies` say how the person names it, by kind, with {} for the name: `rules="--import {}"`. Those of a block
    around it come first, as a command knows its flags better than a file.
    """
    token = _from_data.set({**remedies, **(_from_data.get() or {})})
    try:
        yield
    finally:
        _from_data.reset(token)


def inside_data() -> bool:
    """Whether names are those of a data file, so that nothing is imported."""
    return _from_data.get() is not None


def refuse_in_data(text: str, kind: str) -> None:
    """Raise CodeError inside `names_from_data`, for a name that no person has given."""
    remedies = _from_data.get()
    if remedies is not None:
        remedy = remedies.get(kind, "").replace("{}", shlex.quote(text))
        how = f": {remedy} brings it" if remedy else ""
        raise CodeError(f"the {KINDS[kind]} '{text}' is not here, and code is never loaded from a file{how}")


def _known(named: CodeName, kind: str, fits: Callable[[Any], bool]) -> Any:
    """What a person has named so before, from this folder or another."""
    fitting = [known for known in _brought.values() if fits(known.thing)]
    exact = [known.thing for known in fitting if known.named.absolute == named.absolute]
    found = exact or [known.thing for known in fitting if known.named.tail == named.tail]
    if len(found) != 1:
        refuse_in_data(named.text, kind)
    return found[0]


def _module(named: CodeName) -> ModuleType:
    """The module of a name, imported. Raises CodeError."""
    if named.is_file:
        return module_at(Path(named.place))
    make_importable(Path())
    module = imported(named.place)
    if module is None:
        raise CodeError(f"no module '{named.place}' for '{named.text}': not installed, and not in this folder")
    return module


def _no_name(named: CodeName, module: ModuleType, what: str, fits: Callable[[Any], bool]) -> str:
    names = _fitting(module, fits)
    close = nearest(named.name, names)
    place = _line_of(CodeName(named.place, close), module) if close else named.place
    hint = f"did you mean '{close}'?" if close else f"it has {', '.join(names) or 'none'}"
    return f"{place}: no {what} '{named.name}'; {hint}"


def _fitting(module: ModuleType, fits: Callable[[Any], bool]) -> list[str]:
    """The names in a module that a person may have meant: of classes and functions those that it defines."""
    own = module.__name__
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and fits(value)
        and getattr(value, "__module__", own) in (own, type(value).__module__)
    ]


def _line_of(named: CodeName, module: ModuleType) -> str:
    """Where a module defines a name, or imports it, `keep.py:12`; the place itself where that cannot be told."""
    file = named.place if named.is_file else getattr(module, "__file__", None) or named.place
    try:
        tree = ast.parse(Path(file).read_text("utf-8"))
    except (OSError, SyntaxError, ValueError):
        return file
    line = max((node.lineno for node in tree.body if named.name in _bound(node)), default=None)
    return file if line is None else f"{file}:{line}"


def _bound(node: ast.stmt) -> set[str]:
    """The names that a statement binds."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name for alias in node.names}
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
