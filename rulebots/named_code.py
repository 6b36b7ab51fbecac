"""A person's own code by name: `module:name` or `path.py:name`, imported when a person names it.

A name that stands in a data file never makes code run: inside `names_from_data` only what a person has named before
in this process is found.
"""

from __future__ import annotations

import ast
import contextlib
import contextvars
import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from rulebots.code_origin import is_versioned, last_line
from rulebots.errors import UsageError, nearest

_WORD = r"[A-Za-z_][A-Za-z0-9_]*"
_NAME = re.compile(
    rf"(?P<place>(?P<file>(?:[A-Za-z]:)?[^:]*\.py)|{_WORD}(?:\.{_WORD})*)(?::(?P<name>{_WORD})?(?::(?P<rest>.*))?)?",
    re.DOTALL,
)
#: What a name can stand for, in words.
KINDS = {"game": "game", "rules": "rule set", "player": "player"}
_HERE = Path(__file__).resolve().parent
#: How a command lets a person name what a data file names: by kind of thing, with {} for the name.
_from_data: contextvars.ContextVar[Mapping[str, str] | None] = contextvars.ContextVar("_from_data", default=None)


class CodeError(UsageError):
    """What is wrong with a person's own code, with its place: `keep.py:12: ...`."""


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


_modules: dict[Path, ModuleType] = {}
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
    named, what = code_name(text), f"a {KINDS[kind]}"
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
        came = f"the class {thing.__name__}" if isinstance(thing, type) else f"of type {type(thing).__name__}"
        raise CodeError(f"{_line_of(named, module)}: expected {what} as '{named.name}'; it is {came}")
    _brought.setdefault(named.absolute, Brought(kind, named, thing))
    return thing


def brought() -> list[Brought]:
    """What persons have named in this process, in their order."""
    return list(_brought.values())


def origin_of(thing: Any) -> CodeName | None:
    """The name by which a person brought a thing; None for what came in another way."""
    return next((known.named for known in _brought.values() if known.thing is thing), None)


@contextlib.contextmanager
def names_from_data(**remedies: str) -> Iterator[None]:
    """Inside, names stand in a data file: nothing is imported, only what a person has named before is found.

    `remedies` say how the person names it, by kind, with {} for the name: `rules="--rules {}"`.
    """
    token = _from_data.set(remedies)
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
        remedy = remedies.get(kind, "").replace("{}", text)
        how = f": {remedy} brings it" if remedy else ""
        raise CodeError(f"the {KINDS[kind]} '{text}' is not here, and no file makes code run{how}")


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
    _importable(Path())
    module = imported(named.place)
    if module is None:
        raise CodeError(f"no module '{named.place}' for '{named.text}': not installed, and not in this folder")
    return module


def imported(path: str) -> ModuleType | None:
    """The module of that name; None if there is none. Raises CodeError for one that fails."""
    with import_mistakes(path):
        try:
            return importlib.import_module(path)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{path}.".startswith(f"{error.name}."):
                raise  # it is there, and imports what is not
            return None


def module_at(path: Path) -> ModuleType:
    """The module that a file holds, imported once. Raises CodeError for no such file, or one that fails."""
    if not path.is_file():
        raise CodeError(f"{path}: expected a Python file; there is {'a folder' if path.is_dir() else 'none'}")
    path = path.resolve()
    if path in _modules:
        return _modules[path]
    known = next((m for m in list(sys.modules.values()) if getattr(m, "__file__", None) == str(path)), None)
    if known is not None:
        return known
    if (package := _package_of(path)) is not None:
        parts = (package_at(package), *path.relative_to(package).with_suffix("").parts)
        with import_mistakes(str(path)):
            return importlib.import_module(".".join(parts))
    _importable(path.parent)
    _check_neighbours(path)
    return _modules.setdefault(path, _executed(_free_name(path), path))


def package_at(folder: Path) -> str:
    """The name of the package that a folder holds, which can be imported from then on.

    Raises:
        CodeError: a name that is no module's, or that another package has.
    """
    folder = folder.resolve()
    name = folder.name.replace("-", "_")
    if not name.isidentifier():
        raise CodeError(f"{folder}: expected a folder whose name can be a package's: letters, digits and _")
    known = _home_of(name)
    if known == folder:
        return name
    if known is not None or is_versioned(name):
        other = "that is the name of a module of Python's own" if is_versioned(name) else f"there is {known} already"
        raise CodeError(f"{folder}: a second package named '{name}': {other}; rename the folder")
    init = folder / "__init__.py"
    _executed(name, init if init.is_file() else None, folder)
    return name


@contextlib.contextmanager
def import_mistakes(what: str) -> Iterator[None]:
    """Raise CodeError, one line with file and line, for whatever code does wrong while it is imported."""
    try:
        yield
    except CodeError:
        raise
    except SyntaxError as error:
        raise CodeError(f"{error.filename or what}:{error.lineno}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        place = last_line(error, _HERE) or what
        text = " ".join(str(error).split())
        kind = "" if isinstance(error, UsageError) else f"{type(error).__name__}: "
        raise CodeError(f"{place}: {kind}{text}".removesuffix(": ")) from error


def _executed(name: str, file: Path | None, folder: Path | None = None) -> ModuleType:
    """A module, or with its folder a package, under that name."""
    places = None if folder is None else [str(folder)]
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=places) if file else None
    if spec is None:  # a package without an `__init__.py`
        spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = places
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if spec.loader is not None:
        try:
            with import_mistakes(str(file)):
                spec.loader.exec_module(module)
        except BaseException:
            sys.modules.pop(name, None)
            raise
    return module


def _check_neighbours(path: Path) -> None:
    """Raise CodeError where a file would import another module than the one beside it, of the same name."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):  # which its import will tell
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module] if node.module and not node.level else []
        else:
            continue
        for name in dict.fromkeys(name.partition(".")[0] for name in names):
            beside = path.with_name(f"{name}.py")
            if beside != path and beside.is_file() and (other := _home_of(name)) != beside:
                said = f"'{name}' would be {other}, not {beside}: rename that file"
                raise CodeError(f"{path}:{node.lineno}: {said}")


def _package_of(path: Path) -> Path | None:
    """The folder of the package, such as a game, that a module belongs to; None for one on its own."""
    folder = path.parent
    if not (folder / "__init__.py").is_file():
        return folder if (folder / "game.py").is_file() else None
    while (folder.parent / "__init__.py").is_file():
        folder = folder.parent
    return folder


def _free_name(path: Path) -> str:
    """A module's name for a file: its own, unless something else has that."""
    name, number = re.sub(r"\W", "_", path.stem), 1
    free = name
    while free in sys.modules or is_versioned(free) or _home_of(free) not in (None, path):
        number += 1
        free = f"{name}_{number}"
    return free


def _home_of(name: str) -> Path | None:
    """Where the package or module of that name is; None if nothing has it."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    places = list(spec.submodule_search_locations or [])
    if places:
        return Path(places[0]).resolve()
    return Path(spec.origin).resolve() if spec.origin else Path(name)


def _importable(folder: Path) -> None:
    """Let code import the modules beside it, as Python does for a script; what is installed comes first."""
    text = str(folder.resolve())
    if text not in sys.path:
        sys.path.append(text)
        importlib.invalidate_caches()


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
