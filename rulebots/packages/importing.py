"""Imports the user's modules and packages from where they are, and says in one line what is wrong with them."""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.machinery
import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from rulebots.errors import UsageError
from rulebots.files import is_file, is_folder
from rulebots.kernel.user_code import CodeError, in_users_terms, is_versioned, last_line

#: A message that says where.
_PLACED = re.compile(r"\S+:[0-9]+: ")
_HERE = Path(__file__).resolve().parents[1]
_modules: dict[Path, ModuleType] = {}


def module_at(path: Path) -> ModuleType:
    """The module that a file holds, imported once. Raises CodeError for no such file, or one that fails."""
    if not is_file(path):
        raise CodeError(f"{path}: expected a Python file; there is {'a folder' if is_folder(path) else 'none'}")
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
    make_importable(path.parent)
    _check_neighbours(path)
    return _modules.setdefault(path, _executed(_free_name(path), path))


def package_at(folder: Path) -> str:
    """The name of the package that a folder holds, which can be imported from then on.

    Raises:
        CodeError: a name that no module can have, or that another package has.
    """
    folder = folder.resolve()
    name = folder.name.replace("-", "_")
    if not name.isidentifier():
        raise CodeError(f"{folder}: expected a folder whose name can be a package's: letters, digits and _")
    known = _home_of(name)
    if known == folder:
        return name
    if known == folder.parent and not (known / "__init__.py").is_file():
        known = None  # the project's own folder, which Python takes for a package where a script stands beside it
    if known is not None or is_versioned(name):
        other = "that is the name of a module of Python's own" if is_versioned(name) else f"there is {known} already"
        raise CodeError(f"{folder}: a second package named '{name}': {other}; rename the folder")
    init = folder / "__init__.py"
    _executed(name, init if init.is_file() else None, folder)
    return name


def imported(path: str) -> ModuleType | None:
    """The module of that name; None if there is none. Raises CodeError for one that fails."""
    with import_mistakes(path):
        try:
            return importlib.import_module(path)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{path}.".startswith(f"{error.name}."):
                raise  # it is there, and imports what is not
            return None


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
        told = in_users_terms(error) or f"{last_line(error, _HERE) or what}: raised {type(error).__name__}: {error}"
        raise CodeError(" ".join(told.split()).removesuffix(": ")) from error


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
    name = re.sub(r"\W", "_", path.stem)
    number = 1
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


def make_importable(folder: Path) -> None:
    """Let code import the modules beside it, as Python does for a script; what is installed comes first."""
    text = str(folder.resolve())
    if text not in sys.path:
        sys.path.append(text)
        importlib.invalidate_caches()
