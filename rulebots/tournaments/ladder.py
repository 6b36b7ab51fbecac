"""A ladder file: a tournament's players and results, and all that is needed to play it again."""

from __future__ import annotations

import math
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import yaml

from rulebots.files import InputError, read_text
from rulebots.fingerprint import fingerprint
from rulebots.play.deals import opening_plies_of
from rulebots.players import Player
from rulebots.tournaments.problems import LadderError
from rulebots.tournaments.standings import Tournament

FORMAT = "rulebots-ladder/1"
#: What the line of a meeting holds; its other figures follow from the games.
COUNTS = ("wins", "draws", "losses", "stalled")
#: Arguments of `play_tournament` that a ladder names.
SETTINGS: Mapping[str, Any] = {
    "system": str,
    "rounds": int | None,
    "deals": int,
    "seed": int,
    "options": dict,
    "opening_plies": int | None,
}
#: Programs whose versions may change results or hashes.
PROGRAMS = ("rulebots", "numpy", "numba")
#: More than a tournament of hundreds of players takes.
MOST_BYTES = 10_000_000


@dataclass(frozen=True)
class Ladder:
    """All that decides a tournament, and its results.

    `players` has a name of its own for each player: `{"player": what make_player takes, "content": hash}`.
    `settings` are arguments of `play_tournament`: system, rounds, deals, seed, options, opening_plies.
    `meetings` are lines of (first, second, wins, draws, losses, stalled).
    """

    game: str
    law: str
    versions: Mapping[str, str]
    settings: Mapping[str, Any]
    players: Mapping[str, Mapping[str, str]]
    meetings: Sequence[Sequence[Any]]


def versions() -> dict[str, str]:
    """The versions of what takes part."""
    return {"python": platform.python_version()} | {name: metadata.version(name) for name in PROGRAMS}


def contents(players: Sequence[Player]) -> list[str]:
    """The players' hashes; ask before they have played."""
    return [fingerprint(player) for player in players]


def ladder_of(
    tournament: Tournament, specs: Sequence[str], hashes: Sequence[str], settings: Mapping[str, Any]
) -> Ladder:
    """The ladder of a tournament whose players were made from `specs`."""
    game, named = tournament.game, zip(tournament.names, specs, hashes, strict=True)
    values = game.option_values(settings["options"])
    # Written out, in case the defaults change.
    plies = opening_plies_of(game, values, settings["opening_plies"])
    chosen = {"options": {name: int(values[name]) for name in game.options}, "opening_plies": plies}
    return Ladder(
        game=game.name,
        law=fingerprint(game),
        versions=versions(),
        settings={**settings, **chosen},
        players={name: {"player": spec, "content": content} for name, spec, content in named},
        meetings=[
            [tournament.names[m.first], tournament.names[m.second], *(getattr(m.result, name) for name in COUNTS)]
            for m in tournament.meetings
        ],
    )


def ladder_text(ladder: Ladder, tournament: Tournament) -> str:
    """The file, with the ratings for its reader."""
    rows = tournament.rows()
    ratings = {row["player"]: _rating(row) for row in rows}
    head: dict[str, Any] = {"format": FORMAT, "game": ladder.game, "law": ladder.law}
    head |= {"versions": dict(ladder.versions), "settings": dict(ladder.settings)}
    parts = [yaml.safe_dump(head, sort_keys=False, width=120)]
    parts.append(_lines("players", {name: dict(entry) for name, entry in ladder.players.items()}))
    parts.append(_lines("ratings", ratings))
    meetings = "".join(f"  - {_flow(list(row))}\n" for row in ladder.meetings)
    parts.append(f"# first, second, then the first one's {', '.join(COUNTS)}\nmeetings:\n{meetings}")
    return "# Play it again: rulebots tournament --rerun THIS_FILE\n" + "".join(parts)


def load_ladder(path: str | Path) -> Ladder:
    """Read a ladder file. Raises LadderError when it is not one."""
    remedy = "expected a file that `rulebots tournament --ladder FILE` wrote"
    try:
        found = yaml.safe_load(read_text(path, "ladder", MOST_BYTES))
    except InputError as error:
        raise LadderError(str(error)) from None
    except (yaml.YAMLError, RecursionError) as error:
        raise LadderError(f"{path}: {' '.join(str(error).split())}; {remedy}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise LadderError(f"{path}: no 'format: {FORMAT}'; {remedy}")
    try:
        ladder = Ladder(
            game=str(found["game"]),
            law=str(found["law"]),
            versions={str(name): str(version) for name, version in found["versions"].items()},
            settings={name: _setting(name, found["settings"][name]) for name in SETTINGS},
            players={
                str(name): {"player": str(entry["player"]), "content": str(entry["content"])}
                for name, entry in found["players"].items()
            },
            meetings=[[str(first), str(second), *map(int, counts)] for first, second, *counts in found["meetings"]],
        )
    except KeyError as error:
        raise LadderError(f"{path}: {error} is missing; {remedy}") from None
    except (TypeError, ValueError, AttributeError):
        raise LadderError(f"{path}: a part is not laid out as in a ladder; {remedy}") from None
    if len(ladder.players) < 2:
        raise LadderError(f"{path}: expected at least 2 players, not {len(ladder.players)}")
    return ladder


def _setting(name: str, value: Any) -> Any:
    """A setting of the type that `play_tournament` takes. Raises TypeError for another one."""
    if not isinstance(value, SETTINGS[name]):
        raise TypeError(name)
    return value


def differences(ladder: Ladder, again: Ladder) -> list[str]:
    """Why another run of a ladder's tournament differs, a line each, results first; empty for a true repeat."""
    found = []
    for old, new in zip(ladder.meetings, again.meetings, strict=False):
        if list(old) != list(new):
            was, now = (" ".join(map(str, row[2:])) for row in (old, new))
            found.append(f"{old[0]} against {old[1]}: was {was}, now {now} ({', '.join(COUNTS)})")
    if len(ladder.meetings) != len(again.meetings):
        found.append(f"meetings: were {len(ladder.meetings)}, now {len(again.meetings)}")
    changed = [
        f"{name}: was {ladder.versions.get(name, 'unknown')}, now {version}"
        for name, version in again.versions.items()
        if ladder.versions.get(name) != version
    ]
    if changed:
        # Hashes depend on what compiles the code: other versions change all of them, and say nothing of the players.
        return found + [f"version of {line}" for line in changed] if found else []
    if ladder.law != again.law:
        found.append(f"the law of {ladder.game}: its code is not the one of the file")
    for name, entry in ladder.players.items():
        now = again.players[name]["content"] if name in again.players else "not there"
        if entry["content"] != now:
            found.append(f"player '{name}': its content was {entry['content']}, now {now}")
    return found


def _rating(row: Mapping[str, Any]) -> dict[str, Any]:
    """A player's rating for the reader, with the number of its distinct deals where some were played alike."""
    rating = {"elo": _whole(row["elo"]), "elo_95": [*map(_whole, row["elo_95"])]}
    alike = row["distinct_deals"] < row["games"] // 2
    return rating | ({"distinct_deals": row["distinct_deals"]} if alike else {})


def _whole(number: float) -> int | None:
    return round(number) if math.isfinite(number) else None


def _flow(value: Any) -> str:
    return yaml.safe_dump(value, default_flow_style=True, width=10_000, sort_keys=False).strip()


def _lines(key: str, entries: Mapping[str, Any]) -> str:
    """A mapping with one entry a line."""
    return f"{key}:\n" + "".join(f"  {_flow({name: value})[1:-1]}\n" for name, value in entries.items())
