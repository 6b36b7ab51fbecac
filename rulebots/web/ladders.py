"""The ladders of the page: in memory the one that is played, on disk all of them, as files of `rulebots tournament`."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from pathlib import Path
from typing import Any

from rulebots.errors import FileError, UsageError
from rulebots.files import read_text, replace
from rulebots.game import Game
from rulebots.records import Record, parse_record, record_text
from rulebots.registry.named_code import names_from_data
from rulebots.tournaments.ladder import MOST_BYTES, Ladder, ladder_text, parse_ladder
from rulebots.web.rating import Line, Rating, lines_of, settings_of
from rulebots.web.served_folder import NotFound

#: Where ladders are kept in the served folder, and how their names end: now, and once.
FOLDER, ENDINGS = "ladders", (".yaml", ".json")
#: Ladders that the page lists, and files in the folder.
MOST_LISTED, MOST_FILES = 16, 1000
_NAME = re.compile(r"[A-Za-z0-9_-]{12}")


@dataclass
class KeptLadder:
    """A ladder that a former server played, as `Rating` shows itself; nothing of it is played any more."""

    game: Game
    ladder: Ladder
    lines: Sequence[Line]
    progress: int = 0
    version: int = 0
    error: UsageError | None = None
    done: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.done.set()
        page = self.ladder.page
        self.deals, self.stopped, self.fault = page["deals"], page["stopped"], page["fault"]
        self.names, self.played, self.one_sided = (
            [*self.ladder.players],
            self.ladder.settings["deals"],
            page["one_sided"],
        )

    def stop(self) -> None:
        """Nothing: it is over."""

    def record(self, first: int, second: int) -> Record:
        """The first games of two players. Raises UsageError where there are none."""
        text = self.ladder.page["records"].get(f"{first}-{second}")
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
        files = [self.folder / f"{name}{ending}" for ending in ENDINGS]
        return self._read(next((file for file in files if file.exists()), files[0]))

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
        """Write a ladder to disk, once it has results. Where that fails the page says so."""
        if rating.ladder is None:
            return
        records = dict[str, str]()
        for first, second in list(rating.meetings):
            with contextlib.suppress(UsageError):  # they have not met
                records[f"{first}-{second}"] = record_text(rating.record(first, second))
        page = {"deals": rating.deals, "stopped": rating.stopped, "fault": rating.fault}
        page |= {"one_sided": rating.one_sided, "records": records}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            replace(self.folder / f"{name}.yaml", ladder_text(replace_fields(rating.ladder, page=page)))
        except (FileError, OSError) as error:
            rating.fault = rating.fault or f"this ladder is not kept: {error}"

    def _read(self, file: Path) -> KeptLadder:
        """A ladder of the folder. Raises NotFound, UsageError."""
        if file.is_symlink() or not file.is_file():
            raise NotFound("this ladder is not here any more: play it again")
        name = f"{FOLDER}/{file.name}"
        text = read_text(file, "ladder", MOST_BYTES)
        try:
            ladder = _from_json(json.loads(text)) if file.suffix == ".json" else parse_ladder(text, name)
            lines = lines_of(ladder)
            return KeptLadder(self.game_of(ladder.game), ladder, lines)
        except UsageError:
            raise
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise UsageError(f"{name} is not a ladder of this page: {error}") from None

    def _files(self) -> list[Path]:
        """The files of ladders, latest first."""
        try:
            found = [path for path in self.folder.iterdir() if _NAME.fullmatch(path.stem) and path.suffix in ENDINGS]
            return sorted(found, key=lambda path: -path.stat().st_mtime)
        except OSError:
            return []


def _from_json(content: Mapping[str, Any]) -> Ladder:
    """A ladder as the page once kept it: with ratings and win rates as it showed them, from which the games follow.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: it is not one.
    """
    if content["format"] != 1:
        raise ValueError(f"expected format 1, not {content['format']!r}")
    names, deals = [str(name) for name in content["names"]], int(content["played"])
    ratings, rates = dict[str, Any](), dict[tuple[int, int], float]()
    for line in content["lines"]:
        player, (low, to, high) = names.index(line["name"]), line["around"].partition(" to ")
        ratings[line["name"]] = {"elo": int(line["elo"]), "elo_95": [int(low), int(high)] if to else [None, None]}
        if faults := re.fullmatch(r"lost ([\d,]+) by fault: (.*)", line["remark"], re.DOTALL):
            ratings[line["name"]] |= {"faults": int(faults[1].replace(",", "")), "first_fault": faults[2]}
        for rate, pair in line["cells"]:
            if pair is not None:
                rates[player, sum(pair) - player] = float(rate.removesuffix(" %")) / 100
    meetings = []
    for first, second in itertools.combinations(range(len(names)), 2):
        halves, of_second = (round(4 * deals * rates[pair]) for pair in ((first, second), (second, first)))
        wins, draws = divmod(halves, 2)
        losses = min(of_second // 2, 2 * deals - wins - draws)
        meetings.append([names[first], names[second], wins, draws, losses, 2 * deals - wins - draws - losses])
    page = {
        "deals": int(content["deals"]), "stopped": bool(content["stopped"]), "fault": str(content["fault"]),
        "one_sided": bool(content["one_sided"]),
        "records": {str(pair): str(text) for pair, text in content["records"].items()},
    }  # fmt: skip
    players = {name: {"player": name, "content": "unknown"} for name in names}
    return Ladder(str(content["game"]), "unknown", {}, settings_of(deals), players, meetings, ratings, page)
