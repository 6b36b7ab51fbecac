"""The ladders of the page: in memory the one that is played, on disk all of them, as far as the page shows them."""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rulebots.errors import FileError, UsageError
from rulebots.files import replace
from rulebots.game import Game
from rulebots.records import Record, parse_record, record_text
from rulebots.registry.named_code import names_from_data
from rulebots.web.ladder_lines import Line
from rulebots.web.rating import Rating
from rulebots.web.served_folder import NotFound

#: Where ladders are kept in the served folder, and the `format` of their files.
FOLDER, FORMAT = "ladders", 1
#: Ladders that the page lists, and files in the folder.
MOST_LISTED, MOST_FILES = 16, 1000
_NAME = re.compile(r"[A-Za-z0-9_-]{12}")


@dataclass(frozen=True)
class KeptLadder:
    """A ladder that a former server played, as `Rating` shows itself; nothing of it is played any more."""

    game: Game
    names: Sequence[str]
    deals: int
    played: int
    stopped: bool
    fault: str
    lines: Sequence[Line]
    one_sided: bool
    #: The first games of two players, by their numbers "0-1", as the text of a record.
    records: Mapping[str, str]
    progress: int = 0
    version: int = 0
    error: UsageError | None = None
    done: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.done.set()

    def stop(self) -> None:
        """Nothing: it is over."""

    def record(self, first: int, second: int) -> Record:
        """The first games of two players. Raises UsageError where there are none."""
        text = self.records.get(f"{first}-{second}")
        if text is None:
            raise UsageError("these players have not met yet")
        with names_from_data(game="--game {}"):
            return parse_record(text, "the ladder's record")


class Ladders:
    """The ladders of all tabs. One is played at a time; each is kept in the folder `ladders` when it is over.

    `game_of` gives the game of a name, or raises UsageError.
    """

    def __init__(self, served: Path, game_of: Callable[[str], Game]) -> None:
        self.folder = served / FOLDER
        self.game_of = game_of
        self._held: dict[str, Rating] = {}
        self._lock = threading.Lock()

    def add(self, rating: Rating) -> str:
        """Begin a ladder. Raises UsageError while another one is played, FileError where there are too many files."""
        with self._lock:
            if any(not held.done.is_set() for held in self._held.values()):
                raise UsageError("another ladder is being played: wait for it, or stop it")
            if len(self._files()) >= MOST_FILES:
                raise FileError(f"{self.folder}: there are {MOST_FILES:,} ladders: remove some to play further ones")
            while len(self._held) >= MOST_LISTED:  # the others are on disk
                del self._held[next(iter(self._held))]
            name = secrets.token_urlsafe(9)
            self._held[name] = rating
            rating.start(lambda: self._keep(name, rating))
        return name

    def forget(self, name: str) -> None:
        """Remove a ladder that could not begin."""
        with self._lock:
            self._held.pop(name, None)

    def get(self, name: str) -> Rating | KeptLadder:
        """The ladder of that name. Raises NotFound, and UsageError where its game or its file is not to be had."""
        with self._lock:
            held = self._held.get(name)
        if held is not None:
            return held
        if not _NAME.fullmatch(name):
            raise NotFound("there is no such ladder here")
        return self._read(self.folder / f"{name}.json")

    def latest(self) -> tuple[list[tuple[str, Rating | KeptLadder]], list[str]]:
        """The latest ladders by name, latest first, and a line where some of them cannot be shown."""
        with self._lock:
            found: dict[str, Rating | KeptLadder] = dict(reversed(self._held.items()))
        broken = list[str]()
        for file in self._files()[:MOST_LISTED]:
            if file.stem not in found:
                try:
                    found[file.stem] = self._read(file)
                except UsageError as error:
                    broken.append(str(error))
        if len(broken) > 1:  # most likely all for one reason
            broken = [f"{broken[0]}; {len(broken) - 1} more of the latest ladders cannot be shown"]
        return list(found.items())[:MOST_LISTED], broken

    def close(self) -> None:
        """Stop the ladder that is played, and keep it as far as it is played: the process may end at any time."""
        with self._lock:
            going_on = [(name, held) for name, held in self._held.items() if not held.done.is_set()]
        for name, rating in going_on:
            rating.stop()
            self._keep(name, rating)

    def _keep(self, name: str, rating: Rating) -> None:
        """Write a ladder to disk; what was never played is not worth a file. Where that fails the page says so."""
        if rating.tournament is None:
            return
        records = dict[str, str]()
        for first, second in list(rating.meetings):
            with contextlib.suppress(UsageError):  # they have not met
                records[f"{first}-{second}"] = record_text(rating.record(first, second))
        content = {
            "format": FORMAT, "game": rating.game.name, "names": list(rating.names), "deals": rating.deals,
            "played": rating.played, "stopped": rating.stopped, "fault": rating.fault,
            "one_sided": rating.one_sided, "lines": [asdict(line) for line in rating.lines], "records": records,
        }  # fmt: skip
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            replace(self.folder / f"{name}.json", json.dumps(content, indent=1) + "\n")
        except (FileError, OSError) as error:
            rating.fault = rating.fault or f"this ladder is not kept: {error}"

    def _read(self, file: Path) -> KeptLadder:
        """A ladder of the folder. Raises NotFound, UsageError."""
        if file.is_symlink() or not file.is_file():
            raise NotFound("this ladder is not here any more: play it again")
        try:
            content = json.loads(file.read_text("utf-8"))
            name, fields = str(content["game"]), _fields(content)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise UsageError(f"{FOLDER}/{file.name} is no ladder of this page: {error}") from None
        return KeptLadder(self.game_of(name), **fields)

    def _files(self) -> list[Path]:
        """The files of ladders, latest first."""
        try:
            found = [path for path in self.folder.iterdir() if _NAME.fullmatch(path.stem) and path.suffix == ".json"]
            return sorted(found, key=lambda path: -path.stat().st_mtime)
        except OSError:
            return []


def _fields(content: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a `KeptLadder` but its game. Raises KeyError, TypeError, ValueError, AttributeError."""
    if content["format"] != FORMAT:
        raise ValueError(f"expected format {FORMAT}, not {content['format']!r}")
    return {
        "names": [str(name) for name in content["names"]],
        "deals": int(content["deals"]),
        "played": int(content["played"]),
        "stopped": bool(content["stopped"]),
        "fault": str(content["fault"]),
        "one_sided": bool(content["one_sided"]),
        "lines": [_line(line) for line in content["lines"]],
        "records": {str(pair): str(text) for pair, text in content["records"].items()},
    }


def _line(content: Mapping[str, Any]) -> Line:
    """A line of the table. Raises KeyError, TypeError, ValueError."""
    cells = []
    for rate, pair in content["cells"]:
        cells.append((str(rate), None if pair is None else (int(pair[0]), int(pair[1]))))
    words = {key: str(content[key]) for key in ("name", "elo", "around", "rate", "remark")}
    return Line(rank=int(content["rank"]), cells=tuple(cells), **words)
