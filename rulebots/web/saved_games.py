"""Games of the page on disk: records, with sides, links and people in lines that readers of records skip."""

import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rulebots import files
from rulebots.errors import FileError, demand
from rulebots.records import Ongoing, Record, load_record, record_text
from rulebots.web.served_folder import NotFound

#: Lines of a game's file that readers of records skip: how sides are chosen, links, and the names of people.
_SIDE = re.compile(r"^# side: (first|second|random)$", re.MULTILINE)
_LINK = re.compile(r"^# link: (\d) ([A-Za-z0-9_-]{22}) (invitation|taken)$", re.MULTILINE)
_PEOPLE = re.compile(r"^# people: (.*)$", re.MULTILINE)
_ID = re.compile(r"[A-Za-z0-9_-]{12}")


@dataclass(frozen=True)
class Link:
    """The secret link of a person who plays from another browser.

    It begins as an invitation. Taking the seat gives another key, which nobody else has seen.
    """

    key: str
    taken: bool

    @classmethod
    def new(cls, *, taken: bool) -> "Link":
        """A link that cannot be guessed."""
        return cls(secrets.token_urlsafe(16), taken)


def read_game(folder: Path, name: str) -> tuple[Ongoing, str, dict[int, Link], str]:
    """The game of that id, how its sides are chosen, its links by seat, and its people. Raises NotFound."""
    demand(_ID.fullmatch(name), f"there is no game '{name[:20]}' here", NotFound)
    file = folder / f"{name}.txt"
    try:
        ongoing = ongoing_of(load_record(file))
        text = file.read_text("utf-8")
    except (FileError, OSError) as error:
        raise NotFound(f"there is no game '{name[:20]}' here: {error}") from None
    side = _SIDE.search(text)
    people = _PEOPLE.search(text)
    links = {int(seat): Link(key, state == "taken") for seat, key, state in _LINK.findall(text)}
    return ongoing, side[1] if side else "first", links, people[1] if people else ""


def write_game(file: Path, ongoing: Ongoing, side: str, links: Mapping[int, Link], people: str = "") -> None:
    """Write a game if it has changed. Raises FileError or OSError."""
    told = (f"# link: {seat} {one.key} {'taken' if one.taken else 'invitation'}\n" for seat, one in links.items())
    text = "".join([f"# side: {side}\n", f"# people: {people}\n" * bool(people), *told, record_text(ongoing.record())])
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.is_file() or file.read_bytes() != text.encode():  # its date is that of its last move
        files.replace(file, text)


def recent_games(folder: Path, most: int) -> list[tuple[str, float]]:
    """The ids of the latest games, latest first, and when each changed, in seconds since the epoch."""
    games = [entry for entry in game_files(folder) if _ID.fullmatch(Path(entry.name).stem)]
    dated = sorted(((entry.stat().st_mtime, Path(entry.path).stem) for entry in games), reverse=True)
    return [(name, changed) for changed, name in dated[:most]]


def game_files(folder: Path) -> list[os.DirEntry[str]]:
    """The files of all games in a folder."""
    try:
        with os.scandir(folder) as found:
            return [one for one in found if one.name.endswith(".txt") and one.is_file(follow_symlinks=False)]
    except OSError:
        return []


def ongoing_of(record: Record, number: int = 1) -> Ongoing:
    """A game of a record, to be played on."""
    # Another deal of the seed than the first cannot be found again by it.
    return Ongoing(replace(record.numbered(number), number=1), record.seed if len(record.games) == 1 else None)
