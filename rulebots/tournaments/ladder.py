"""A ladder file: a tournament's players and results, and all that is needed to play it again."""

from __future__ import annotations

import math
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any

import yaml

from rulebots.play.deals import opening_plies_of
from rulebots.players import Player
from rulebots.players.names import content_hash
from rulebots.tournaments.standings import Tournament

FORMAT = "rulebots-ladder/1"
#: What the line of a meeting holds; its other figures follow from the games.
COUNTS = ("wins", "draws", "losses", "stalled")
#: The keys of a file; ratings are for its reader.
KEYS = ("format", "game", "law", "versions", "settings", "players", "ratings", "meetings")
#: Arguments of `play_tournament` that a ladder names.
SETTINGS = ("system", "rounds", "deals", "seed", "options", "opening_plies")
#: Programs whose versions may change results or hashes.
PROGRAMS = ("rulebots", "numpy", "numba")
#: YAML finds the end of a key within 1,024 characters, or needs a `?` in front of it.
LONGEST_KEY = 1000


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
    return [content_hash(player) for player in players]


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
        law=content_hash(game),
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


class _Dumper(yaml.SafeDumper):
    """Writes every text so that it is read back from one line."""


def _represent(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    # PyYAML breaks a text at its own line ends, unless it stands in double quotes. Half of a surrogate pair, as for a
    # byte of a file's name that is not UTF-8, is no text.
    written = text.encode("utf-8", "backslashreplace").decode()
    return dumper.represent_scalar("tag:yaml.org,2002:str", written, '"' if len(text.splitlines()) > 1 else None)


_Dumper.add_representer(str, _represent)


def _flow(value: Any) -> str:
    """A value on one line, however long."""
    written: str = yaml.dump(value, Dumper=_Dumper, default_flow_style=True, width=math.inf, sort_keys=False)
    return written.strip()


def _lines(key: str, entries: Mapping[str, Any]) -> str:
    """A mapping with one entry a line."""
    named = {_flow([name])[1:-1]: _flow(value) for name, value in entries.items()}
    lines = (
        f"? {name}\n  : {value}" if len(name) > LONGEST_KEY else f"{name}: {value}" for name, value in named.items()
    )
    return f"{key}:\n" + "".join(f"  {line}\n" for line in lines)
