"""A ladder file: a tournament's players and results, and all that is needed to play it again.

`rulebots tournament --ladder FILE` writes one, and the page keeps its ladders in such files. The layout is declared in
`LAYOUT`; docs/reference/ladder-file.md explains it.
"""

import math
import platform
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any, TypeAlias

from rulebots.errors import MOST_SEED, FileError, demand, shown, version_of
from rulebots.files import InputError
from rulebots.files.layout import (
    Key,
    Keys,
    Problems,
    ValueKind,
    any_text,
    choice,
    exactly,
    flag,
    in_range,
    listed,
    named,
    read_file,
    read_yaml,
    row,
)
from rulebots.files.plain_yaml import Node, flow, is_long_key, word
from rulebots.files.ranges import Range
from rulebots.game.contract import MOST_SEATS
from rulebots.packages import load_game
from rulebots.packages.named_code import names_from_data
from rulebots.packages.players import content_hash, make_player
from rulebots.play import MOST_DEALS
from rulebots.play.deals import opening_plies_of
from rulebots.players import Player
from rulebots.tournaments.cross_play import CrossPlay, Partners, play_settings
from rulebots.tournaments.pairing import SYSTEMS, Tables, uneven
from rulebots.tournaments.tournament import Meeting, Tournament

FORMAT = "rulebots-ladder/1"
#: What the line of a meeting counts; all other figures follow from the games.
COUNTS = ("wins", "draws", "losses", "stalled")
#: The same of a cooperative game: the points of all games, the number of games, and the number that stalled.
TOTALS = ("total", "games", "stalled")
#: The most lines of meetings of a file, and how long one may be on average: all pairs of 447 players.
MOST_MEETINGS = 100_000
MOST_LINE = 200
#: What such a file takes: the line of a meeting has seven keys and values, a player of a Swiss tournament thirty.
MOST_BYTES = MOST_LINE * MOST_MEETINGS
MOST_NODES = 12 * MOST_MEETINGS
REMEDY = "expected a file that `rulebots tournament --ladder FILE` wrote"
#: Called after each meeting, in a cooperative game after each two players.
AnyWatch: TypeAlias = Callable[[int, int, Meeting | Partners], object]


class LadderError(FileError):
    """A file is not a ladder, or its tournament gives other results when it is played again."""


@dataclass(frozen=True)
class Ladder:
    """All that decides a tournament, and its results.

    `players` has a unique name for each player: `{"player": what make_player takes, "content": hash}`.
    `settings` are arguments of `play_tournament`: system, rounds, deals, seed, options, opening_plies.
    `meetings` are lines of (first, second, wins, draws, losses, stalled), at tables of more than two a line for every
    two of each table; of a cooperative game (host, guest, points of all games, games, stalled). `ratings` are for
    the reader, best first. `page` is what the page keeps of a ladder that it played (see `_PAGE`), else empty.
    """

    game: str
    law: str
    versions: Mapping[str, str]
    settings: Mapping[str, Any]
    players: Mapping[str, Mapping[str, str]]
    meetings: Sequence[Sequence[Any]]
    ratings: Mapping[str, Any] = field(default_factory=dict)
    page: Mapping[str, Any] = field(default_factory=dict)
    #: The number of seats at a table.
    seats: int = 2
    #: The mean length of a game; 0 where a file does not say.
    plies: int = 0

    @property
    def together(self) -> bool:
        """Whether its game is cooperative."""
        return bool(self.meetings) and len(self.meetings[0]) == 2 + len(TOTALS)

    @property
    def uneven(self) -> str:
        """In one line how far a round robin at tables is from every two meeting equally often; "" where it is not."""
        drawn = self.seats > 2 and not self.together and self.settings["system"] == "round-robin"
        return uneven(row[:2] for row in self.meetings) if drawn else ""


@dataclass(frozen=True)
class Rerun:
    """A tournament that was played again: the ladder of the file, and the one of now."""

    tournament: Tournament | CrossPlay
    former: Ladder
    now: Ladder

    @property
    def differences(self) -> list[str]:
        """What differs, a line each; empty for the same result."""
        return differences(self.former, self.now)


def rerun(
    path: str | Path, jobs: int = 1, *, move_seconds: float | None = None, watch: AnyWatch | None = None
) -> Rerun:
    """Play the tournament of a ladder file again, with the players and settings that it names.

    A name in the file never makes code run: games, rules and players of a user have to be loaded before, by
    `load_game`, `load_rules` or `bring_player`.

    Raises:
        LadderError: the file is not a ladder. UsageError: a player does not exist. CodeError: a user's player was not
            loaded.
    """
    former = load_ladder(path)
    players, specs = contestants(former, path)
    result, now = play_ladder(players, specs, former.settings, jobs, move_seconds=move_seconds, watch=watch)
    return Rerun(result, former, now)


def contestants(ladder: Ladder, path: str | Path) -> tuple[list[Player], list[str]]:
    """The players of a ladder file, and the names that make them. Raises UsageError, CodeError as `rerun` does."""
    specs = [entry["player"] for entry in ladder.players.values()]
    with names_from_data(game="--game {}", player=f"rulebots tournament {{}} --rerun {shlex.quote(str(path))}"):
        game = load_game(ladder.game)
        seats = game.seats_with(ladder.settings["options"])
        return [make_player(spec, game, seats) for spec in specs], specs


def play_ladder(
    players: Sequence[Player],
    specs: Sequence[str],
    settings: Mapping[str, Any],
    jobs: int = 1,
    *,
    move_seconds: float | None = None,
    watch: AnyWatch | None = None,
) -> tuple[Tournament | CrossPlay, Ladder]:
    """The tournament of some settings, as `play_settings` plays it, and its ladder; `specs` name the players."""
    hashes = contents(players)
    result = play_settings(players, settings, jobs, move_seconds=move_seconds, watch=watch)
    return result, ladder_of(result, specs, hashes, settings)


def check_room(players: Sequence[Player], specs: Sequence[str], settings: Mapping[str, Any]) -> None:
    """Raise UsageError where the ladder of a tournament would be larger than what `load_ladder` reads."""
    game = players[0].game
    seats = game.seats_with(game.option_values(settings["options"]))
    count = len(players)
    meetings = count**2
    if not game.together(seats):
        tables = Tables(settings["system"], seats, count, settings["rounds"], settings["seed"])
        meetings = tables.turns * len(tables.next_round([0.0] * count, ())) * math.comb(seats, 2)
    demand(
        meetings * (2 * max(map(len, specs)) + 40) <= MOST_BYTES and max(meetings, count) <= MOST_MEETINGS,
        f"a ladder file holds {MOST_MEETINGS:,} meetings, fewer if names are long: these would be {meetings:,}; "
        "play fewer players, or a Swiss tournament",
    )


def contents(players: Sequence[Player]) -> list[str]:
    """The players' hashes. Ask before they have played."""
    return [content_hash(player) for player in players]


def ladder_of(
    tournament: Tournament | CrossPlay, specs: Sequence[str], hashes: Sequence[str], settings: Mapping[str, Any]
) -> Ladder:
    """The ladder of a tournament whose players were made from `specs`."""
    game = tournament.game
    names = tournament.names
    meetings: list[list[Any]]
    if isinstance(tournament, CrossPlay):
        meetings = [[names[p.host], names[p.guest], p.total, p.games, p.stalled] for p in tournament.partners]
        ratings = {row["player"]: _points(row) | _faults(row) for row in tournament.rows()}
        lengths = [p.plies for p in tournament.partners]
    else:
        meetings = [
            [names[m.first], names[m.second], *(getattr(m.result, count) for count in COUNTS)]
            for m in tournament.meetings
        ]
        ratings = {row["player"]: _rating(row, tournament.games_a_deal) | _faults(row) for row in tournament.rows()}
        lengths = [m.result.plies for m in tournament.meetings]
    # Options and opening plies are written out, because the defaults may change.
    values = game.option_values(settings["options"])
    chosen = {
        "options": game.named_options(values),
        "opening_plies": opening_plies_of(game, values, settings["opening_plies"]),
    }
    made_from = zip(names, specs, hashes, strict=True)
    return Ladder(
        game=game.name,
        law=content_hash(game),
        versions={"python": platform.python_version()}
        | {name: version_of(name) for name in ("rulebots", "numpy", "numba")},
        settings={**settings, **chosen},
        players={name: {"player": spec, "content": content} for name, spec, content in made_from},
        meetings=meetings,
        ratings=ratings,
        seats=tournament.seats,
        plies=round(fmean(lengths)) if lengths else 0,
    )


def _rating(row: Mapping[str, Any], games_a_deal: int) -> dict[str, Any]:
    """A player's rating for the reader, with its distinct deals where some were played alike."""
    alike = row["distinct_deals"] < row["games"] // games_a_deal
    return {
        "elo": _rounded(row["elo"]),
        "elo_95": [_rounded(end) for end in row["elo_95"]],
        **({"distinct_deals": row["distinct_deals"]} if alike else {}),
        **{name: round(row[name], 3) for name in ("share", "place", "points") if name in row},
    }


def _points(row: Mapping[str, Any]) -> dict[str, Any]:
    """A player's points with copies of itself and with others, for the reader."""
    others = row["with_others"]
    return {
        "points": _rounded(row["points"], 3),
        "points_95": [_rounded(end, 3) for end in row["points_95"]],
        **({} if others is None else {"with_others": _rounded(others, 3)}),
    }


def _faults(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("faults", "first_fault")} if row["faults"] else {}


def _rounded(number: float, digits: int | None = None) -> float | None:
    return round(number, digits) if math.isfinite(number) else None


def ladder_text(ladder: Ladder) -> str:
    """The file."""
    return "".join(f"{line}\n" for line in _file_lines(ladder))


def _file_lines(ladder: Ladder) -> Iterator[str]:
    yield "# Play it again: rulebots tournament --rerun THIS_FILE"
    yield f"format: {FORMAT}"
    yield from (f"{name}: {flow(getattr(ladder, name))}" for name in ("game", "law", "versions", "settings"))
    if ladder.seats != 2:
        yield f"seats: {ladder.seats}"
    if ladder.plies:
        yield f"plies: {ladder.plies}"
    yield from _map_lines("players", ladder.players)
    yield from _map_lines("ratings", ladder.ratings)
    if ladder.together:
        yield "# whose copies, joined by whom, then points of all games, games, stalled"
    else:
        at_tables = "at each table for every two: " if ladder.seats > 2 else ""
        yield f"# {at_tables}first, second, then the first one's {', '.join(COUNTS)}"
    if ladder.uneven:
        yield f"# {ladder.uneven}"
    yield "meetings:"
    yield from (f"  - {flow(meeting)}" for meeting in ladder.meetings)
    if ladder.page:
        yield from _map_lines("page", ladder.page)


def _map_lines(key: str, entries: Mapping[str, Any]) -> Iterator[str]:
    yield f"{key}:"
    for name, value in entries.items():
        yield f"  ? {word(name)}\n  : {flow(value)}" if is_long_key(name) else f"  {word(name)}: {flow(value)}"


def load_ladder(path: str | Path) -> Ladder:
    """Read a ladder file. Raises LadderError, `file:line:column: message`, where it is not one."""
    return _sound(*read_file(path, "ladder", _ladder, most_bytes=MOST_BYTES, most_nodes=MOST_NODES))


def parse_ladder(text: str, source: str = "ladder") -> Ladder:
    """The ladder in a text. Raises LadderError, which names `source`, line and column."""
    return _sound(*read_yaml(text, "ladder", _ladder, Problems(source), most_nodes=MOST_NODES))


def _sound(ladder: Ladder | None, problems: Sequence[InputError]) -> Ladder:
    if problems or ladder is None:
        raise LadderError(f"{problems[0]}; {REMEDY}" if problems[0].line else str(problems[0]))
    return ladder


def _number(low: float, high: float, *, optional: bool = False) -> ValueKind:
    return in_range(Range(low, high, whole=True, optional=optional))


_COUNT = _number(0, 10**9)
_FIGURE = in_range(Range(-(10.0**12), 10.0**12, optional=True))
_ELO = _number(-(10**6), 10**6, optional=True)


def _meetings(player: ValueKind, *, together: bool = False) -> ValueKind:
    """The lines of meetings; of a cooperative game their points."""
    against = row([player, player, *[_COUNT] * len(COUNTS)], f"[first, second, {', '.join(COUNTS)}]")
    points = row([player, player, _number(-(10**12), 10**12), _COUNT, _COUNT], f"[host, guest, {', '.join(TOTALS)}]")
    return listed(points if together else against, "a list of meetings")


_SETTINGS = Keys(
    "the settings",
    {
        "system": Key(choice("system", SYSTEMS), "who meets whom", "system: round-robin"),
        "rounds": Key(_number(1, 1000, optional=True), "rounds of the Swiss system", "rounds: null"),
        "deals": Key(_number(1, MOST_DEALS), "mirrored deals a meeting", "deals: 1000"),
        "seed": Key(_number(0, MOST_SEED), "what the deals were drawn from", "seed: 1"),
        "options": Key(named(_number(-(10**9), 10**9), "options by name"), "options of the game", "options: {}"),
        "opening_plies": Key(_number(0, 10**9, optional=True), "random moves that begin each game", "opening_plies: 0"),
    },
)
_PLAYER = Keys(
    "a player",
    {
        "player": Key(any_text("the name of a player"), "what the player was made from", "player: shelly"),
        "content": Key(any_text("a hash"), "a hash of weights, settings and code", "content: 0deb03c9758966eed19f02b7"),
    },
    "{player: NAME, content: HASH}",
)
_PAGE = Keys(
    "the page's part",
    {
        "deals": Key(_COUNT, "deals a meeting that were wanted", "deals: 200"),
        "stopped": Key(flag(), "whether somebody stopped it", "stopped: false"),
        "fault": Key(any_text("a message", empty=True), "what ended it", "fault: ''"),
        "one_sided": Key(flag(), "whether a drawn deal was added to each pair", "one_sided: false"),
        "records": Key(
            named(any_text("a record"), "records by the numbers of two players"), "first games", "records: {}"
        ),
    },
)
_RATING = Keys(
    "a rating",
    {
        "elo": Key(_ELO, ""),
        "elo_95": Key(row([_ELO, _ELO], "[low, high]"), ""),
        **{name: Key(_FIGURE, "") for name in ("points", "with_others", "share", "place")},
        "points_95": Key(row([_FIGURE, _FIGURE], "[low, high]"), ""),
        **{name: Key(_COUNT, "") for name in ("distinct_deals", "faults")},
        "first_fault": Key(any_text("a fault"), ""),
    },
)
LAYOUT = Keys(
    "a ladder",
    {
        "format": Key(exactly(FORMAT), f"`{FORMAT}`", f"format: {FORMAT}"),
        "game": Key(any_text("the name of a game"), "the game", "game: lost-cities"),
        "law": Key(any_text("a hash"), "a hash of the code of the game's law", "law: 0f907fa9500d57e1c4b2a630"),
        "versions": Key(
            named(any_text("a version"), "versions by name"), "of Python, rulebots, NumPy and Numba", "versions: {}"
        ),
        "settings": Key(
            _SETTINGS,
            f"system (`{'`, `'.join(SYSTEMS)}`), rounds, deals per meeting, seed, options of the game, opening plies",
            "settings: {system: round-robin, ...}",
        ),
        "seats": Key(_number(1, MOST_SEATS), "seats at a table; optional, default 2"),
        "plies": Key(_COUNT, "for the reader: the mean length of a game; optional"),
        "players": Key(
            named(_PLAYER, "at least 2 players by name", least=2),
            "a unique name for each player, its spec, and a hash of its content: weights, settings and the code of "
            "its rules",
            "players: {a: {player: shelly, content: ...}, ...}",
        ),
        "ratings": Key(
            named(_RATING, "ratings by player"),
            "for the reader, computed from the games: `elo` and `elo_95` (`[null, null]` if unknown), "
            "`distinct_deals` if some deals were played alike, `faults` if games were lost by fault, and at tables "
            "of more than two `share`, `place` and `points`",
        ),
        "meetings": Key(
            _meetings(any_text("a player")),
            "first player, second player, then the first one's wins, draws, losses and stalled games; at tables of "
            "more than two a line for every two of a table; in a cooperative game host, guest, the points of all "
            "games, games and stalled games",
            "meetings: []",
        ),
        "page": Key(_PAGE, "the page's own data on a ladder that it played; optional"),
    },
    f"a ladder, which begins with 'format: {FORMAT}'",
)


def _ladder(root: Node, problems: Problems) -> Ladder | None:
    """The ladder in a tree; everything wrong goes to `problems`."""
    nodes = LAYOUT.nodes(root, problems)
    values = LAYOUT.values({name: node for name, node in nodes.items() if name != "meetings"}, problems)
    game = None
    if "game" in values:
        with names_from_data(game="--game {}"):
            game = problems.attempt(nodes["game"], lambda: load_game(values["game"]))
    together = False
    if game is not None and "options" in values.get("settings", {}):
        node = _SETTINGS.nodes(nodes["settings"], problems)["options"]
        options = problems.attempt(node, lambda: game.option_values(values["settings"]["options"]))
        if options is not None:
            seats = game.seats_with(options)
            in_file = values.get("seats", 2)
            together = game.together(seats)
            if seats != in_file:
                problems.add(
                    nodes.get("seats", nodes["game"]),
                    f"expected 'seats: {seats}', as the game and its options have it, not {in_file}",
                )
    if "players" in values and "meetings" in nodes:
        kind = _meetings(choice("player", values["players"]), together=together)
        values["meetings"] = kind.read(nodes["meetings"], problems, "meetings")
        if not problems.in_order():
            _check_sense(values, nodes, problems, together=together)
    if problems.in_order():
        return None
    del values["format"]
    return Ladder(**values)


def _check_sense(values: Mapping[str, Any], nodes: Mapping[str, Node], problems: Problems, *, together: bool) -> None:
    """Note ratings of nobody, intervals that end before they begin, and meetings that no tournament has."""
    for name, rating in values.get("ratings", {}).items():
        low, high = rating.get("elo_95") or rating.get("points_95") or (None, None)
        if name not in values["players"]:
            problems.add(nodes["ratings"], f"a rating of '{shown(name)}', which is not one of the players")
        elif low is not None and high is not None and low > high:
            problems.add(nodes["ratings"], f"the interval of '{shown(name)}': expected the lower end first")
    pairs = [(one, other) if together else tuple(sorted((one, other))) for one, other, *_ in values["meetings"]]
    if not together and any(one == other for one, other in pairs):
        problems.add(nodes["meetings"], "a player meets itself")
    once = together or (values.get("seats", 2) == 2 and values["settings"]["system"] != "swiss")
    if once and len(set(pairs)) < len(pairs):
        problems.add(nodes["meetings"], "two players meet twice")


def differences(ladder: Ladder, again: Ladder) -> list[str]:
    """What differs when a ladder's tournament was played again, a line each, results first; empty if nothing does."""
    lines = []
    how = "with" if ladder.together else "against"
    names = ", ".join(TOTALS if ladder.together else COUNTS)
    for old, new in zip(ladder.meetings, again.meetings, strict=False):
        if list(old) != list(new):
            was, now = (" ".join(map(str, row[2:])) for row in (old, new))
            lines.append(f"{old[0]} {how} {old[1]}: was {was}, now {now} ({names})")
    if len(ladder.meetings) != len(again.meetings):
        lines.append(f"meetings: were {len(ladder.meetings)}, now {len(again.meetings)}")
    changed = [
        f"version of {name}: was {ladder.versions.get(name, 'unknown')}, now {version}"
        for name, version in again.versions.items()
        if ladder.versions.get(name) != version
    ]
    if changed:
        # Hashes depend on what compiles the code: with other versions all of them differ, whatever the players are.
        return lines + changed if lines else []
    if ladder.law != again.law:
        lines.append(f"the law of {ladder.game}: its code is not the one of the file")
    for name, entry in ladder.players.items():
        now = again.players[name]["content"] if name in again.players else "not there"
        if entry["content"] != now:
            lines.append(f"player '{name}': its content was {entry['content']}, now {now}")
    return lines
