"""`rulebots new`: writes a small package with a game that can be played and bred at once, for its author to change.

The files of the package stand in the folder `templates`. In them the game is called `new-game`, its package `new_game`,
its title `New game`. The lines below `#@ dice hidden` are for these variants only, those below a bare `#@` for all.
Beside its variant a game is `two` or `many`, `against` or `together`, and with many seats `fixed` or `range`: below
`#@ dice+many plain+together` are lines for games of dice with many seats, and for plain ones played together. Its
usual table is one of `company`, or one is `alone` there; a game against others is `solo` where one may play
it as well, else `usual`.
"""

from __future__ import annotations

import importlib.util
import keyword
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from rulebots.errors import UsageError
from rulebots.files import OutputError, unwritable, write_new
from rulebots.game.contract import MOST_SEATS
from rulebots.packages import packages

TEMPLATES = Path(__file__).with_name("templates")
#: What a new game may begin as: nothing hidden and no chance, a square board, dice, hidden cards.
PLAIN, BOARD, DICE, HIDDEN = "plain", "board", "dice", "hidden"
VARIANTS = (PLAIN, BOARD, DICE, HIDDEN)
#: Rows and columns that a new board may have: a column is a letter.
SMALLEST, LARGEST = 3, 26
#: How the template says the size of a board, and of a table.
_SIZE = re.compile(r"^SIZE = \d+", re.MULTILINE)
_SEATS = re.compile(r"^SEATS = \d+", re.MULTILINE)
#: The ending of a template's name.
_TEMPLATE = ".template"


def new_game(
    name: str,
    variant: str = PLAIN,
    size: int | None = None,
    where: Path = Path(),
    *,
    seats: int | tuple[int, int] = 2,
    together: bool = False,
) -> Path:
    """Write the package of a new game into the new folder `where`/`name`, and return that folder.

    `variant` is one of `VARIANTS`, `size` the rows and columns of a board, `seats` how many play, or (fewest, most),
    `together` whether they do so for points that all of them share.

    Raises:
        UsageError: a name that cannot be a game's, or is taken; a size out of range; seats that the variant has not.
        OutputError: the folder exists, or cannot be written.
    """
    check_name(name)
    if size is not None and not SMALLEST <= size <= LARGEST:
        raise UsageError(f"board: expected {SMALLEST} to {LARGEST} rows and columns, not {size}")
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
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise unwritable(folder, error) from None
    except OutputError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def _check_seats(variant: str, seats: int | tuple[int, int], *, together: bool) -> None:
    """Raise UsageError for seats with which the game of a variant cannot begin."""
    low, high = seats if isinstance(seats, tuple) and len(seats) == 2 else (seats, seats)
    if not isinstance(low, int) or not isinstance(high, int) or not 1 <= low <= high <= MOST_SEATS:
        raise UsageError(f"seats: expected 1 to {MOST_SEATS}, or (fewest, most), not {seats!r}")
    if together and variant != PLAIN:
        raise UsageError(f"together: the game to begin with is the plain one: leave out --{variant}")
    if variant == BOARD and (low, high) != (2, 2):
        raise UsageError("seats: the game to begin with on a board is for two: leave out --board, or the number")
    if low == 1 and not together and variant != DICE:
        what = "alone, nobody can win the game to begin with: say 2, or begin with"
        raise UsageError(f"seats: {what} {'--dice' if variant == HIDDEN else '--dice or --together'}")


def files_of(
    name: str, variant: str, size: int | None = None, seats: int | tuple[int, int] = 2, *, together: bool = False
) -> Mapping[str, str]:
    """The files of a new package: path in its folder -> text. Raises UsageError for an unknown variant."""
    if variant not in VARIANTS:
        raise UsageError(f"expected one of {', '.join(VARIANTS)}, not '{variant}'")
    words = {"new-game": name, "new_game": module_of_name(name), "New game": title_of(name), "NewGame": _camel(name)}
    low, high = (seats, seats) if isinstance(seats, int) else seats
    tags = {variant, "together" if together else "against"}
    tags |= {"alone"} if low == 1 and (together or high == 1) else {"company"}
    tags |= {"solo"} if low == 1 and "company" in tags else {"usual"}
    tags |= {"two"} if (low, high, together) == (2, 2, False) else {"many", "fixed" if low == high else "range"}
    said = (
        {"(2, SEATS)": f"({low}, SEATS)"}
        if low < high
        else {"[: state.seats]": "[:SEATS]", "state.seats": "SEATS", "view.seats": "SEATS"}
    )
    found = {}
    for template in sorted(TEMPLATES.rglob(f"*{_TEMPLATE}")):
        path = template.relative_to(TEMPLATES).as_posix().removesuffix(_TEMPLATE)
        text = "".join(_lines_for(tags, template.read_text("utf-8")))
        sized = text if size is None else _SIZE.sub(f"SIZE = {size}", text)
        seated = _with(said, _SEATS.sub(f"SEATS = {high}", sized))
        found[_with(words, path)] = _with(words, seated)
    return found


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


def _with(words: Mapping[str, str], text: str) -> str:
    for word, meant in words.items():
        text = text.replace(word, meant)
    return text


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))


def _is_installed(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def _lines_for(tags: set[str], text: str) -> Iterator[str]:
    """The lines of a template that a game with these tags has."""
    wanted = True
    for line in text.splitlines(keepends=True):
        if line.startswith("#@"):
            words = line[2:].split()
            wanted = not words or any(tags.issuperset(word.split("+")) for word in words)
        elif wanted:
            yield line
