"""`rulebots new`: copies one of the example packages under a new name, for its author to change.

The examples are real packages (rulebots/packages/examples): a board, hidden cards, and dice. What their author may
choose stands in constants, which the copy sets.
"""

from __future__ import annotations

import importlib.util
import keyword
import re
import shutil
import sys
from pathlib import Path

from rulebots.errors import UsageError
from rulebots.files import OutputError, unwritable, write_new
from rulebots.game.contract import MOST_SEATS
from rulebots.packages import packages

EXAMPLES = Path(__file__).with_name("examples")
#: What a new game may begin as.
BOARD = "board"
DICE = "dice"
HIDDEN = "hidden"
#: Their example packages.
FOLDERS = {BOARD: "new_board", DICE: "new_dice", HIDDEN: "new_cards"}
#: Rows and columns that a new board may have: a column is a letter.
SMALLEST = 3
LARGEST = 26


def new_game(
    name: str,
    variant: str | None = None,
    size: int | None = None,
    where: Path = Path(),
    *,
    seats: int | tuple[int, int] = 2,
    together: bool = False,
) -> Path:
    """Write the package of a new game into the new folder `where`/`name`, and return that folder.

    `variant` is `BOARD`, `DICE` or `HIDDEN`; by default a board where two play against each other, else dice. `size` is
    the rows and columns of a board, `seats` how many play, or (fewest, most); `together` makes a cooperative game.

    Raises:
        UsageError: a name that cannot be a game's, or is taken; a size out of range; seats that the variant has not.
        OutputError: the folder exists, or cannot be written.
    """
    check_name(name)
    if size is not None and not SMALLEST <= size <= LARGEST:
        raise UsageError(f"board: expected {SMALLEST} to {LARGEST} rows and columns, not {size}")
    if variant is None:
        variant = BOARD if seats == 2 and not together else DICE
    _check_seats(variant, seats, together=together)
    folder = where / name
    try:
        folder.mkdir()
    except FileExistsError:
        raise OutputError(f"'{folder}' exists already, and nothing is overwritten: choose another name") from None
    except OSError as error:
        raise unwritable(folder, error) from None
    try:
        for path, text in files_of(name, variant, size, seats, together=together).items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            write_new(target, text)
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, OSError):
            raise unwritable(folder, error) from None
        raise
    return folder


def _check_seats(variant: str, seats: int | tuple[int, int], *, together: bool) -> None:
    """Raise UsageError for seats with which the game of a variant cannot begin."""
    low, high = (seats, seats) if isinstance(seats, int) else seats
    if not 1 <= low <= high <= MOST_SEATS:
        raise UsageError(f"seats: expected 1 to {MOST_SEATS}, or (fewest, most), not {seats!r}")
    if together and variant != DICE:
        raise UsageError("together: the cooperative game to begin with is one of dice: say --dice, or nothing")
    if variant == BOARD and (low, high) != (2, 2):
        raise UsageError("seats: the game to begin with on a board is for two: leave out --board, or the number")
    if variant == HIDDEN and low == 1:
        raise UsageError("seats: alone, nobody can win the game to begin with: say 2, or begin with --dice")


def files_of(
    name: str, variant: str, size: int | None = None, seats: int | tuple[int, int] = 2, *, together: bool = False
) -> dict[str, str]:
    """The files of a new package: path in its folder -> text."""
    example = FOLDERS[variant]
    constants: dict[str, object] = {"SEATS": (seats, seats) if isinstance(seats, int) else seats}
    if size is not None:
        constants["SIZE"] = size
    if together:
        constants["AIM"] = '"together"'
    sources = {f"new_game/{path.name}": path for path in sorted((EXAMPLES / example).glob("*.py"))}
    sources |= {path.name: path for path in sorted((EXAMPLES / "project").iterdir()) if path.is_file()}
    files = {}
    for target, path in sources.items():
        # To the author of a game, rulebots is a third party, as NumPy is: one block of imports.
        text = re.sub(r"(^import numpy.*\n)\n(?=from rulebots)", r"\1", path.read_text("utf-8"), flags=re.MULTILINE)
        for constant, value in constants.items():
            text = re.sub(rf"^{constant} = [^#\n]*?(?=  #|$)", f"{constant} = {value}", text, flags=re.MULTILINE)
        place = {"gitignore": ".gitignore", "test_new_game.py": "tests/test_new_game.py"}.get(target, target)
        files[_renamed(place, name, "new_game")] = _renamed(_renamed(text, name, example), name, "new_game")
    return files


def _renamed(text: str, name: str, example: str) -> str:
    """A text with the game's name for an example's: `new_game`, `new-game`, `New game` and `NewGame`."""
    words = {example.replace("_", "-"): name, example: module_of_name(name)}
    words[title_of(example.replace("_", "-"))] = title_of(name)
    words[_camel(example.replace("_", "-"))] = _camel(name)
    for word, new in words.items():
        text = text.replace(word, new)
    return text


def check_name(name: str) -> None:
    """Raise UsageError where a name cannot be that of a new game: its form, or a game or module has it already."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > 40:
        raise UsageError(
            f"expected a name of small letters, digits and single hyphens, such as connect-four, not {name!r}"
        )
    module = module_of_name(name)
    if name in packages():
        raise UsageError(f"there is a game '{name}' already: choose another name")
    if keyword.iskeyword(module) or keyword.issoftkeyword(module):
        raise UsageError(f"'{name}' is a word of Python: choose another name")
    if module in sys.stdlib_module_names or module in ("test", "tests") or _is_installed(module):
        raise UsageError(f"Python has a module '{module}' already, which the game would hide: choose another name")


def module_of_name(name: str) -> str:
    """The package of a game of that name."""
    return name.replace("-", "_")


def title_of(name: str) -> str:
    """How people call a game of that name: `Connect four` for `connect-four`."""
    return name.replace("-", " ").capitalize()


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))


def _is_installed(module: str) -> bool:
    return importlib.util.find_spec(module) is not None
