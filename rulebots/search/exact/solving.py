"""Solving: the exact value of a game's first position under best play.

A game's package may have a faster `solve(options) -> Solution`, which may also take `watch` and `anyway` like `solve`
here. Any other game is searched to its end by alpha-beta, with a transposition table that compares whole positions.
With chance in play, the value is the expected one, and comes from a table of all positions.

`SolvedTable` is a file of solved games that grows with each one, so that solving can stop and continue.
"""

import inspect
import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from rulebots.errors import FileError, demand
from rulebots.files import MissingError, read_text, replace
from rulebots.files.plain_json import read_json
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.game.random_numbers import apart, next_luck
from rulebots.packages import package_of
from rulebots.play.stepper import Stepper
from rulebots.search.exact.tablebase import best_line, check_seats, side_of, tablebase_finder
from rulebots.search.minimax.search import Limits, Minimax

#: Size of the transposition table.
MEGABYTES = 512
#: Random games whose mean length estimates the depth of a search.
SAMPLE = 10
#: A search expected to take longer than this is hopeless; the estimate begins after some seconds.
HOPELESS_SECONDS = 365.25 * 24 * 3600
PATIENCE_SECONDS = 5.0
FORMAT = "rulebots-solved/1"
#: The largest file that is read; all sizes that can be solved take less.
MOST_BYTES = 100_000_000
_KEYS: Mapping[str, type | tuple[type, ...]] = {"value": (int, float), "line": list, "nodes": int, "seconds": float}


@dataclass(frozen=True)
class Solution:
    """`value` is the margin of points of seat 0, the first player, under best play; `line` is one line of it, as texts.

    Alone and in a cooperative game, `value` is points instead. With chance in play, it is the expected one, a float,
    and `line` ends at the first chance decision. `nodes` counts the positions searched.
    """

    value: float
    line: tuple[str, ...]
    nodes: int
    seconds: float


class SolvingProgress(NamedTuple):
    """Nodes visited and seconds so far, the plies of the last complete search, and bounds of the value.

    `expected` extrapolates the nodes of the whole search. Fields that do not apply are None.
    """

    nodes: int
    seconds: float
    depth: int | None = None
    bounds: tuple[int, int] | None = None
    expected: float | None = None

    def __str__(self) -> str:
        known = [f"{self.nodes:,} positions", f"{self.seconds:.0f} s"]
        if self.depth is not None:
            known.insert(0, f"{self.depth} plies deep")
        if self.bounds is not None:
            known.append("value {:+d} to {:+d}".format(*self.bounds))
        if self.expected is not None:
            known.append(f"of some {self.expected:.0e} positions")
        return ", ".join(known)


Watch: TypeAlias = Callable[[SolvingProgress], None]


def solve(
    game: Game, options: Mapping[str, int] | None = None, watch: Watch | None = None, *, anyway: bool = True
) -> Solution:
    """The exact value of a game with these options, however long it takes.

    `watch` gets the progress now and then. Without `anyway`, a hopelessly growing search is given up.

    Raises:
        UsageError: the game hides something or deals by chance, has more than two seats, a wrong option, or a hopeless
            search; with chance in play also, more positions than a table holds, or play that can return to a position.
    """
    values = game.option_values(options)
    check_seats(game, game.seats_with(values))
    demand(
        not game.hidden and not game.deal(np.random.default_rng(1), 1, values).size,
        f"{game.title} is dealt by chance or hides something: it has no exact value",
    )
    if (own := package_of(game).solve) is not None:
        takes = inspect.signature(own).parameters
        arguments = {name: value for name, value in (("watch", watch), ("anyway", anyway)) if name in takes}
        return own(values, **arguments)
    return solve_position(Position(game, options), watch, anyway=anyway)


def solve_by_search(game: Game, options: Mapping[str, int] | None = None) -> Solution:
    """The exact value of any game without chance, by alpha-beta.

    Raises:
        UsageError: a wrong option, or the game may last longer than the search can look ahead.
    """
    return _searched(Position(game, options))


def solve_position(position: Position, watch: Watch | None = None, *, anyway: bool = True) -> Solution:
    """The exact value of a position: by a table with chance in play, by alpha-beta without.

    `watch` and `anyway` are as for `solve`, and for alpha-beta only.

    Raises:
        UsageError: the game hides something, or more than two play; without chance, it is over, may last longer than
            the search can look ahead, or the search is hopeless; with chance, more positions than a table holds, or
            play that can return to a position.
    """
    if not position.game.chance:
        return _searched(position, watch, anyway=anyway)
    return solve_by_table(position)


def solve_by_table(position: Position) -> Solution:
    """The exact value of a position, from a table of all positions that can follow. Raises UsageError if too many."""
    began = time.perf_counter()
    base = tablebase_finder(position.game)(position)
    value = base.value(position) * (-1 if side_of(position) else 1)
    return Solution(
        value,
        tuple(position.write(move) for move in best_line(base, position)),
        base.positions,
        time.perf_counter() - began,
    )


def _searched(position: Position, watch: Watch | None = None, *, anyway: bool = True) -> Solution:
    game = position.game
    check_seats(game, position.seats)
    search = Minimax(game, megabytes=MEGABYTES, verify_positions=True)
    began = time.perf_counter()
    outlook = Outlook(position)

    def look(depth: int, nodes: int) -> None:
        progress = SolvingProgress(nodes, time.perf_counter() - began, depth, None, outlook.after(depth, nodes))
        if not anyway and progress.expected is not None and progress.seconds >= PATIENCE_SECONDS:
            refuse_hopeless(progress.expected, nodes / progress.seconds, game.title)
        if watch is not None:
            watch(progress)

    result = search.best(position, Limits(depth=search.most_depth), look)
    demand(result.exact, f"{game.title}: the search met a line of more than {search.most_depth} moves")
    return Solution(
        value=-int(result.value) if side_of(position) else int(result.value),
        line=tuple(position.write(move) for move in result.line),
        nodes=result.nodes,
        seconds=result.seconds,
    )


class Outlook:
    """Extrapolates a search that deepens ply by ply: nodes grow by a factor a ply, up to a mean game's length."""

    def __init__(self, position: Position) -> None:
        self._length = mean_length(position)
        self._nodes: list[int] = []

    def after(self, depth: int, nodes: int) -> float | None:
        """The nodes of the whole search, from those of `depth` complete plies; None while these are too few."""
        while len(self._nodes) < depth:
            self._nodes.append(nodes)
        if depth < 4 or depth >= self._length:
            return None
        growth = math.sqrt(self._nodes[-1] / max(self._nodes[-3], 1))
        with_rest = math.log10(max(nodes, 1)) + (self._length - depth) * math.log10(max(growth, 1.0))
        return float(10.0 ** min(with_rest, 300.0))


def mean_length(position: Position) -> float:
    """The mean number of plies of random games from a position on."""
    plies = 0
    luck = 1
    for _ in range(SAMPLE):
        here = position.copy()
        for _ in Stepper(here, apart(luck)).decisions():
            luck = next_luck(luck)
            moves = here.legal_moves
            here.play(int(moves[luck % len(moves)]))
        plies += here.plies - position.plies
    return plies / SAMPLE


def refuse_hopeless(expected: float, pace: float, title: str) -> None:
    """Raise UsageError if `expected` positions take more than a year at `pace` a second."""
    seconds = expected / pace
    demand(
        seconds <= HOPELESS_SECONDS,
        f"{title}: this is hopeless: some {expected:.0e} positions at {pace:,.0f} a second take "
        f"{seconds / HOPELESS_SECONDS:.0e} years. Choose a smaller board, or a later --position; --anyway tries it",
    )


class SolvedTable:
    """The solutions of one game, by options, in a JSON file that need not exist yet.

    Raises:
        FileError: the file cannot be read, is something else, or is for another game.
    """

    def __init__(self, path: Path, game: Game) -> None:
        self.path = path
        self.game = game
        self.solved: dict[tuple[int, ...], Solution] = {}
        try:
            text = read_text(path, "file of solved games", MOST_BYTES)
        except MissingError:
            return
        try:
            self._read(read_json(text))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise FileError(
                f"{path}: expected values of {game.name} solved before ('{FORMAT}'), but {error}; name another file"
            ) from None

    def _read(self, content: Any) -> None:
        if content["format"] != FORMAT or content["game"] != self.game.name:
            raise ValueError(f"it is '{content['format']}' of '{content['game']}'")
        for entry in content["solved"]:
            for key, kind in _KEYS.items():
                if isinstance(entry[key], bool) or not isinstance(entry[key], kind):
                    raise TypeError(f"'{key}' is {entry[key]!r}")
            self.solved[self._key(entry["options"])] = Solution(
                entry["value"], tuple(entry["line"]), entry["nodes"], entry["seconds"]
            )

    def _key(self, options: Mapping[str, int]) -> tuple[int, ...]:
        return tuple(int(value) for value in self.game.option_values(options).tolist())

    def __contains__(self, options: Mapping[str, int]) -> bool:
        return self._key(options) in self.solved

    def __getitem__(self, options: Mapping[str, int]) -> Solution:
        return self.solved[self._key(options)]

    def entry(self, options: Mapping[str, int]) -> dict[str, Any]:
        """A solution with its options, as in the file."""
        return {"options": dict(options), **asdict(self[options])}

    def add(self, options: Mapping[str, int], solution: Solution) -> None:
        """Add a solution and replace the file, whole or not at all.

        Raises:
            OutputError: the file cannot be written.
        """
        self.solved[self._key(options)] = solution
        entries = [
            self.entry(self.game.listed_options(dict(zip(tuple(self.game.options), key, strict=True))))
            for key in sorted(self.solved)
        ]
        lines = ",\n  ".join(map(json.dumps, entries))
        replace(self.path, f'{{"format": "{FORMAT}", "game": "{self.game.name}", "solved": [\n  {lines}\n]}}\n')
