"""The user's code by name: `module:name`, `path.py:name` or a folder, imported when a person names it.

A name that stands in a data file never makes code run: inside `names_from_data` only what a person has named before
in this process is found. Code that fails while it is imported is reported in one line, with file and line.
"""

import ast
import contextlib
import contextvars
import importlib
import importlib.machinery
import importlib.util
import itertools
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from rulebots.errors import UsageError, demand, nearest, unknown
from rulebots.files import is_file, is_folder
from rulebots.kernel.user_code import CodeError, in_users_terms, is_versioned, last_line

_WORD = r"[A-Za-z_][A-Za-z0-9_]*"
_NAME = re.compile(
    rf"(?P<place>(?P<file>(?:[A-Za-z]:)?[^:]*\.py)|{_WORD}(?:\.{_WORD})*)(?::(?P<name>{_WORD})?(?::(?P<rest>.*))?)?",
    re.DOTALL,
)
#: What a name can stand for, in words.
KINDS = {"game": "game", "rules": "rule set", "player": "player", "code": "rule set or player", "function": "function"}
#: How a command lets a person name what a data file names: by kind of thing, with {} for the name.
_from_data: contextvars.ContextVar[Mapping[str, str] | None] = contextvars.ContextVar("_from_data", default=None)
#: A message that begins with a place.
_PLACED = re.compile(r"\S+:[0-9]+: ")
_HERE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class CodeName:
    """`keep.py:mine` or `heuristics.keep:mine`; a folder has no `name`. `rest` follows a second colon: settings."""

    place: str
    name: str = ""
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
        return self._from(str(Path(self.place).resolve()))

    @property
    def tail(self) -> str:
        """The name without the folders around it."""
        return self._from(Path(self.place).resolve().name)

    def _from(self, path: str) -> str:
        if self.name and not self.is_file:
            return self.text
        return f"{path}:{self.name}" if self.name else path


@dataclass(frozen=True)
class Brought:
    """A thing that a person has named; `kind` is one of `KINDS`. A game comes as its package."""

    kind: str
    named: CodeName
    thing: Any


_brought: dict[str, Brought] = {}


def code_name(text: str) -> CodeName | None:
    """What a text names, if it has the form of such a name: a `.py` file, or `module:name`; None otherwise."""
    match = _NAME.fullmatch(text)
    if match is None or (match["file"] is None and not match["name"]):
        return None
    return CodeName(match["place"], match["name"] or "", match["rest"] or "")


def load(text: str, kind: str, fits: Callable[[Any], bool]) -> Any:
    """The thing of a kind that a person names, one of `KINDS`; `fits` tells whether it is one.

    Raises:
        CodeError: no such file, module or name, code that fails when it is imported, or a thing that does not fit.
    """
    named = code_name(str(text))
    if named is None:
        raise CodeError(f"expected a {KINDS[kind]} as module:name or path.py:name, not '{text}'")
    if inside_data():
        return known_thing(named, kind, fits)
    thing = import_thing(named, kind, fits)
    note_brought(kind, named, thing)
    return thing


def import_thing(named: CodeName, kind: str, fits: Callable[[Any], bool]) -> Any:
    """The thing of a name, imported. Raises as `load` does."""
    module = module_of(named)
    if not named.name:
        names = _names_in(module, fits)
        hint = f"; there is {', '.join(f'{named.place}:{name}' for name in names)}" if names else ""
        raise CodeError(f"{named.place}: expected a {KINDS[kind]} by name, {named.place}:NAME{hint}")
    if not hasattr(module, named.name):
        names = _names_in(module, fits)
        close = nearest(named.name, names)
        place = _line_of(CodeName(named.place, close), module) if close else named.place
        raise CodeError(f"{place}: {unknown(KINDS[kind], named.name, names)}")
    thing = getattr(module, named.name)
    if not fits(thing):
        came = _lacking(thing) if isinstance(thing, type) else f"of type {type(thing).__name__}"
        flag = {"Game": "--game", "GamePackage": "--game", "RuleSet": "GAME --rules"}.get(type(thing).__name__)
        how = f": name it by {flag} {named.text}" if flag else ""
        raise CodeError(f"{_line_of(named, module)}: expected a {KINDS[kind]} as '{named.name}'; it is {came}{how}")
    return thing


def _names_in(module: ModuleType, fits: Callable[[Any], bool]) -> list[str]:
    """The names of what fits in a module."""
    names = []
    own = module.__name__
    for name, value in vars(module).items():
        try:
            # Of classes and functions those that the module defines itself.
            is_own = getattr(value, "__module__", own) in (own, type(value).__module__)
            if not name.startswith("_") and is_own and fits(value):
                names.append(name)
        except UsageError:  # it is one, with a mistake
            names.append(name)
    return names


def _line_of(named: CodeName, module: ModuleType) -> str:
    """Where a module defines or imports a name, `keep.py:12`; the file alone where no line is found."""
    file = named.place if named.is_file else getattr(module, "__file__", None) or named.place
    with contextlib.suppress(OSError, UnicodeError):
        text = Path(file).read_text("utf-8")
        defined = re.compile(rf"^(?:def |class |from .*|import .*|\w+, )?\b{named.name}\b", re.MULTILINE)
        for match in list(defined.finditer(text))[-1:]:
            return f"{file}:{text.count(chr(10), 0, match.start()) + 1}"
    return file


def _lacking(kind: type) -> str:
    """A class, in words; one that could be what was expected with the methods that it lacks."""
    words = []
    for name in sorted(getattr(kind, "__abstractmethods__", ())):
        close = nearest(name, vars(kind))
        words.append(f"a method `{name}`" + (f" (did you mean that by `{close}`?)" if close else ""))
    return f"the class {kind.__name__}" + (f", which lacks {' and '.join(words)}" if words else "")


def is_program(text: str) -> bool:
    """Whether a player's name is that of a program, which would be started: `program:./mybot`."""
    return text.partition(":")[0] in ("program", "piskvork")


def runs_code(text: str) -> bool:
    """Whether a player's name makes the user's code run, here or in another process."""
    return is_program(text) or code_name(text) is not None


def name_program(text: str) -> None:
    """Note that a person names a program, which data files may name from then on. Nothing is started.

    Raises:
        CodeError: inside `names_from_data`, for one that no person has named in this process.
    """
    kind, _, command = text.partition(":")
    named = CodeName(kind, command)
    if named.absolute not in _brought:
        refuse_in_data(text, "player")
        note_brought("player", named, text)


def note_brought(kind: str, named: CodeName, thing: Any) -> None:
    """Let data files name a thing from now on, in this process."""
    _brought.setdefault(named.absolute, Brought(kind, named, thing))


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


def remedy_for(kind: str, name: str, usual: str = "") -> str:
    """How a person names something inside `names_from_data`, else in the `usual` way, which has {} for the name."""
    return ((_from_data.get() or {}).get(kind) or usual).replace("{}", shlex.quote(name))


def refuse_in_data(text: str, kind: str) -> None:
    """Raise CodeError inside `names_from_data`, for a name that no person has given."""
    if inside_data():
        how = f": {remedy} brings it" if (remedy := remedy_for(kind, text)) else ""
        raise CodeError(f"the {KINDS[kind]} '{text}' is not here, and code is never loaded from a file{how}")


def known_thing(named: CodeName, kind: str, fits: Callable[[Any], bool]) -> Any:
    """What a person has named so before, from this folder or another. Raises CodeError inside `names_from_data`."""
    fitting = [known for known in _brought.values() if fits(known.thing)]
    exact = [known.thing for known in fitting if known.named.absolute == named.absolute]
    things = exact or [known.thing for known in fitting if known.named.tail == named.tail]
    if len(things) != 1:
        refuse_in_data(named.text, kind)
    return things[0]


def module_of(named: CodeName) -> ModuleType:
    """The module of a name, imported. Raises CodeError."""
    if named.is_file:
        return _module_at(Path(named.place))
    _make_importable(Path())
    missing = f"no module '{named.place}' for '{named.text}': not installed, and not in this folder"
    return imported(named.place, missing)


def _module_at(path: Path) -> ModuleType:
    """The module that a file holds, imported once. Raises CodeError for no such file, or one that fails."""
    demand(
        is_file(path),
        f"{path}: expected a Python file; there is {'a folder' if is_folder(path) else 'none'}",
        CodeError,
    )
    path = path.resolve()
    known = next((m for m in list(sys.modules.values()) if getattr(m, "__file__", None) == str(path)), None)
    if known:
        return known
    if package := _package_of(path):
        parts = (package_at(package), *path.relative_to(package).with_suffix("").parts)
        with import_mistakes(str(path)):
            return importlib.import_module(".".join(parts))
    _make_importable(path.parent)
    _check_neighbours(path)
    return _executed(_free_name(path), path)


def package_at(folder: Path) -> str:
    """The name of the package that a folder holds, which can be imported from then on.

    Raises:
        CodeError: a name that no module can have, or that another package has.
    """
    folder = folder.resolve()
    name = folder.name.replace("-", "_")
    demand(
        name.isidentifier(),
        f"{folder}: expected a folder whose name can be a package's: letters, digits and _",
        CodeError,
    )
    known = _home_of(name)
    if known == folder:
        return name
    if known == folder.parent and not (known / "__init__.py").is_file():
        known = None  # the project's own folder, which Python takes for a package where a script stands beside it
    if known or is_versioned(name):
        other = "that is the name of a module of Python's own" if is_versioned(name) else f"there is {known} already"
        raise CodeError(f"{folder}: a second package named '{name}': {other}; rename the folder")
    _executed(name, folder / "__init__.py", folder)
    return name


def imported(path: str, missing: str, error: type[UsageError] = CodeError) -> ModuleType:
    """The module of that name. Raises CodeError for one that fails, and `error`, which says `missing`, for none."""
    with import_mistakes(path):
        try:
            return importlib.import_module(path)
        except ModuleNotFoundError as gone:
            if gone.name is None or not f"{path}.".startswith(f"{gone.name}."):
                raise  # it is there, and imports what is not
    raise error(missing)


@contextlib.contextmanager
def import_mistakes(what: str) -> Iterator[None]:
    """Raise CodeError, one line with file and line, for whatever code does wrong while it is imported."""
    try:
        yield
    except CodeError:
        raise
    except UsageError as error:
        place = last_line(error, _HERE)
        text = str(error)
        raise CodeError(text if _PLACED.match(text) or not place else f"{place}: {text}") from error
    except (Exception, SystemExit) as error:
        line = in_users_terms(error) or f"{last_line(error, _HERE) or what}: raised {type(error).__name__}: {error}"
        raise CodeError(" ".join(line.split()).removesuffix(": ")) from error


def _executed(name: str, file: Path, folder: Path | None = None) -> ModuleType:
    """A module, or with its folder a package, under that name; a package may lack the file."""
    places = None if folder is None else [str(folder)]
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=places)
    if spec is None or not file.is_file():
        spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = places
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if spec.loader:
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
    except (SyntaxError, ValueError):  # reported when the file is imported
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        else:
            continue
        for name in {name.partition(".")[0] for name in names}:
            beside = path.with_name(f"{name}.py")
            if beside != path and beside.is_file() and (other := _home_of(name)) != beside:
                raise CodeError(f"{path}:{node.lineno}: '{name}' would be {other}, not {beside}: rename that file")


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
    name = re.sub(r"\W|^(?=\d)", "_", path.stem)
    names = itertools.chain([name], (f"{name}_{number}" for number in itertools.count(2)))
    return next(
        free for free in names if not (free in sys.modules or is_versioned(free) or _home_of(free) not in (None, path))
    )


def _home_of(name: str) -> Path | None:
    """Where the package or module of that name is; None if there is none."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    place = next(iter(spec.submodule_search_locations or ()), spec.origin)
    return Path(place).resolve() if place else Path(name)


def _make_importable(folder: Path) -> None:
    """Let code import the modules beside it, as Python does for a script; what is installed comes first."""
    text = str(folder.resolve())
    if text not in sys.path:
        sys.path.append(text)
        importlib.invalidate_caches()
