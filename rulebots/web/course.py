"""The course of a game: what a search thinks of its positions one after the other, and where each seat lost most."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.players import Player
from rulebots.records import best_of
from rulebots.web.background import BackgroundWork

#: What is asked about a decision: a tree search, or rollouts where something is hidden; and the seconds for all.
SIMULATIONS, ROLLOUTS, MOST_SECONDS = 2000, 400, 60.0
#: Seconds without a look after which the search goes no further.
LEFT = 6.0
#: Simulations of a move that say what it is worth, and the smallest loss that is told: of a share, and in points.
FEWEST, LEAST, LEAST_POINTS = 20, 0.05, 0.5
#: Standard errors of two rollouts that a loss has to exceed.
ERRORS = 2.0
#: Losses that are told of each seat.
MOST_LOSSES = 3


@dataclass
class Course(BackgroundWork):
    """A search of each decision of a game; `results` are what it has found so far, by the ply before the move."""

    positions: Sequence[Position]
    moves: Sequence[int]
    make: Callable[[str], Player]
    gate: threading.Semaphore
    results: dict[int, Any] = field(default_factory=dict)
    seen: float = field(default_factory=time.monotonic)

    @property
    def game(self) -> Game:
        """The game that was played."""
        return self.positions[0].game

    @property
    def decisions(self) -> list[int]:
        """The plies before which somebody had a choice."""
        before = enumerate(self.positions[:-1])
        return [ply for ply, position in before if not position.chance_to_move and len(position.legal_moves) > 1]

    @property
    def complete(self) -> bool:
        """Whether every decision has been searched."""
        return len(self.results) >= len(self.decisions)

    @property
    def in_points(self) -> bool:
        """Whether a search says points, and not chances to win."""
        return self.game.counts == "points" or self.game.together(self.positions[0].seats)

    def work(self) -> None:
        """Search positions that have not been searched, as long as somebody looks and time is left."""
        left = [ply for ply in in_halves(self.decisions) if ply not in self.results]
        seconds = max(0.01, min(1.0, MOST_SECONDS / max(len(left), 1)))
        player = self.make(searcher(self.game, seconds)).beginning_a_game()
        end = time.monotonic() + MOST_SECONDS
        for ply in left:
            with self.gate:
                if self.stopped or time.monotonic() - self.seen > LEFT or time.monotonic() > end:
                    return
                player.decide(self.positions[ply].copy())
            found = getattr(player, "result", None)
            if found is None:
                raise UsageError(f"'{player.name}' does not say what it thinks")
            self.results[ply] = found
            self.version += 1

    def estimate(self, ply: int) -> float | None:
        """What who moves then may expect: the chance to win, or points. None where it is not known."""
        found = self.results.get(ply)
        return None if found is None else self.value(found, found.move)

    def value(self, found: Any, move: int) -> float | None:
        """What a search says of a move, if it has looked at it often enough."""
        rollouts = hasattr(found, "rollouts")
        values, counts = (found.wins, found.rollouts) if rollouts else (found.values, found.visits)
        at = found.moves.tolist().index(move) if move in found.moves.tolist() else None
        if at is None or math.isnan(values[at]) or (move != found.move and counts[at] < FEWEST):
            return None
        return float(values[at] if rollouts or self.in_points else (values[at] + 1) / 2)

    def outcome(self, seat: int) -> float:
        """What a seat had of the game in the end: its points, or its share of the first place."""
        points = self.positions[-1].points
        if self.in_points:
            return float(points[seat])
        best = best_of([str(one) for one in range(len(points))], points)
        return 1 / len(best) if str(seat) in best else 0.0

    def turned(self, ply: int, seat: int) -> float | None:
        """What a seat of two may expect where nobody else wins; None where it is not known."""
        position = self.positions[ply]
        if position.over:
            return self.outcome(seat)
        value = self.estimate(ply)
        return value if value is None or position.mover == seat else 1 - value

    @property
    def duel(self) -> bool:
        """Whether what one seat wins the other one loses."""
        return self.positions[0].seats == 2 and not self.in_points


@dataclass(frozen=True)
class Loss:
    """A move that was worse than another one: what its seat could expect before it and after it."""

    ply: int
    seat: int
    move: int
    better: int
    before: float
    after: float

    @property
    def size(self) -> float:
        """How much worse."""
        return self.before - self.after


def losses_of(course: Course) -> list[Loss]:
    """The moves that lost something, the largest losses first.

    In an open game of two without chance the search after the move says what it was worth, else that before it.
    """
    found, sure = list[Loss](), course.duel and not course.game.hidden and not course.game.chance
    least = LEAST_POINTS if course.in_points else LEAST
    for ply, result in sorted(course.results.items()):
        move, seat, before = course.moves[ply], course.positions[ply].mover, course.estimate(ply)
        if move == result.move or before is None:
            continue
        after = course.turned(ply + 1, seat) if sure else course.value(result, move)
        if after is not None and before - after >= max(least, _doubt(result, move)):
            found.append(Loss(ply, seat, move, int(result.move), before, after))
    return sorted(found, key=lambda loss: (-loss.size, loss.ply))


def _doubt(result: Any, move: int) -> float:
    """How large a difference between two moves comes by chance, as far as the search says so."""
    if not hasattr(result, "wins_errors"):
        return 0.0
    moves, errors = result.moves.tolist(), result.wins_errors.tolist()
    return ERRORS * math.hypot(errors[moves.index(int(result.move))], errors[moves.index(move)])


def in_halves(plies: Sequence[int]) -> list[int]:
    """The plies in an order that soon has some of every part of the game: the middle, then that of each half, ..."""
    found, parts = list[int](), [plies] if plies else []
    while parts:
        found += [part[len(part) // 2] for part in parts]
        parts = [half for part in parts for half in (part[: len(part) // 2], part[len(part) // 2 + 1 :]) if half]
    return found


def searcher(game: Game, seconds: float) -> str:
    """The name of the search that is asked, with its limits."""
    if game.hidden:
        return f"rollout:simulations={ROLLOUTS},candidates=12,belief=no,seconds={seconds:.3g}"
    return f"mcts:iterations={SIMULATIONS},seconds={seconds:.3g}"


@dataclass(frozen=True)
class Chart:
    """What each seat could expect over the plies: for each curve its name and points, from 0 to 100, the best 0."""

    curves: tuple[tuple[str, str], ...]
    top: str
    bottom: str


def chart_of(course: Course, names: Sequence[str], own: int) -> Chart:
    """The chart of a course: of two only what `own` could expect, of all together what all could, else each seat's."""
    series = dict[str, list[tuple[int, float]]]()
    last = len(course.moves)
    for ply in [*course.decisions, *([last] if course.positions[-1].over else [])]:
        position = course.positions[ply]
        if course.duel:
            told = {names[own]: course.turned(ply, own)}
        elif position.over:
            told = {name: course.outcome(seat) for seat, name in enumerate(names)}
        else:
            told = {names[position.mover]: course.estimate(ply)}
        if course.game.together(len(names)):
            told = {"all" if len(names) > 1 else names[0]: next(iter(told.values()))}
        for name, value in told.items():
            if value is not None:
                series.setdefault(name, []).append((ply, value))
    values = [value for points in series.values() for _, value in points]
    low, high = (math.floor(min(values, default=0)), math.ceil(max(values, default=1))) if course.in_points else (0, 1)
    reach = max(high - low, 1)
    curves = tuple(
        (name, " ".join(f"{ply},{100 * (high - value) / reach:.1f}" for ply, value in points))
        for name, points in series.items()
    )
    return Chart(curves, *(amount(course, end) for end in (low + reach, low)))


def amount(course: Course, value: float) -> str:
    """A chance in percent, or points."""
    return f"{value:.1f}".removesuffix(".0") if course.in_points else f"{100 * value:.0f} %"


def largest(losses: Sequence[Loss], names: Sequence[str]) -> Mapping[str, list[Loss]]:
    """The largest losses of each seat that has one, by its name."""
    found = {name: [loss for loss in losses if loss.seat == seat][:MOST_LOSSES] for seat, name in enumerate(names)}
    return {name: some for name, some in found.items() if some}
