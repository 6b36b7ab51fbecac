"""`rulebots new`: copies one of the example games under a new name, for its author to change.

The examples (rulebots/packages/examples) are a board, hidden cards, and dice: laws and rules. The package around them
and its players are the same for all, and stand beside those of the board. What an author may choose stands in
constants, which the copy sets.
"""

import importlib.util
import keyword
import re
import shutil
import sys
from pathlib import Path

from rulebots.errors import demand
from rulebots.files import new_folder, unwritable, write_new
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
    near = re.sub(r"[^a-z0-9]+", "-", name.lower()).lstrip("-0123456789")[:40].strip("-")
    demand(
        re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) and len(name) <= 40,
        f"expected a name of small letters, digits and single hyphens, such as {near or 'connect-four'}, not {name!r}",
    )
    if variant is None:
        variant = BOARD if seats == 2 and not together else DICE
    module = name.replace("-", "_")
    known = module in sys.stdlib_module_names or module in ("test", "tests") or importlib.util.find_spec(module)
    low, high = (seats, seats) if isinstance(seats, int) else seats
    written = f"{low}-{high}" if low != high else f"{low}"
    problems = {
        f"there is a game '{name}' already: choose another name": name in packages(),
        f"'{name}' is a word of Python: choose another name": keyword.iskeyword(module)
        or keyword.issoftkeyword(module),
        f"Python has a module '{module}' already, which the game would hide: choose another name": known,
        f"board: expected {SMALLEST} to {LARGEST} rows and columns, not {size}": (
            size is not None and not SMALLEST <= size <= LARGEST
        ),
        f"seats: expected a number from 1 to {MOST_SEATS}, or a range of them such as 2-4, not {written}": (
            not 1 <= low <= high <= MOST_SEATS
        ),
        "together: the cooperative game to begin with is one of dice: say --dice, or nothing": (
            together and variant != DICE
        ),
        "seats: the game to begin with on a board is for two: leave out --board, or the number": (
            variant == BOARD and (low, high) != (2, 2)
        ),
        "seats: alone, nobody can win the game to begin with: say 2, or begin with --dice": (
            variant == HIDDEN and low == 1
        ),
    }
    for message, wrong in problems.items():
        demand(not wrong, message)
    folder = where / name
    new_folder(folder)
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


def files_of(
    name: str, variant: str, size: int | None = None, seats: int | tuple[int, int] = 2, *, together: bool = False
) -> dict[str, str]:
    """The files of a new package: path in its folder -> text."""
    constants: dict[str, object] = {"SEATS": (seats, seats) if isinstance(seats, int) else seats}
    if size is not None:
        constants["SIZE"] = size
    if together:
        constants["AIM"] = '"together"'
    own, shared = EXAMPLES / FOLDERS[variant], EXAMPLES / FOLDERS[BOARD]
    of_package = (shared / "__init__.py", own / "game.py", shared / "players.py", own / "rules.py")
    sources = {f"new_game/{path.name}": path for path in of_package}
    sources |= {path.name: path for path in sorted((EXAMPLES / "project").iterdir()) if path.is_file()}
    files = {}
    for target, path in sources.items():
        # To the author of a game, rulebots is a third party, as NumPy is: one block of imports.
        text = re.sub(r"(^import numpy.*\n)\n(?=from rulebots)", r"\1", path.read_text("utf-8"), flags=re.MULTILINE)
        for constant, value in constants.items():
            text = re.sub(rf"^{constant} = [^#\n]*?(?=  #|$)", f"{constant} = {value}", text, flags=re.MULTILINE)
        place = {"gitignore": ".gitignore", "test_new_game.py": "tests/test_new_game.py"}.get(target, target)
        for example in (own.name, shared.name, "new_game"):
            text = _renamed(text, name, example)
        files[_renamed(place, name, "new_game")] = text
    return files


def _renamed(text: str, name: str, example: str) -> str:
    """A text with the game's name for an example's: `new_game`, `new-game`, `New game` and `NewGame`."""
    for word, new in zip(_spellings(example.replace("_", "-")), _spellings(name), strict=True):
        text = text.replace(word, new)
    return text


def _spellings(name: str) -> tuple[str, str, str, str]:
    """A name as commands, modules, people and classes write it."""
    camel = "".join(word.capitalize() for word in name.split("-"))
    return name, name.replace("-", "_"), name.replace("-", " ").capitalize(), camel
