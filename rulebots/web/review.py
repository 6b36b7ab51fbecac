"""Reviews of games: what a search expects move by move, and the largest mistakes."""

from __future__ import annotations

import contextlib
import itertools
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages.levels import worked_out
from rulebots.packages.players import champion_of
from rulebots.play.background import BackgroundWork
from rulebots.players import Player
from rulebots.players.compiled import decides_by_rules
from rulebots.players.sentences import RESULTS
from rulebots.web.chart import Chart, Series

#: Simulations of a tree search of a decision, and rollouts where something is hidden or up to chance: the same game
#: gets the same review, on any machine. What seems to have decided it is searched by so many times as many.
SIMULATIONS = 300
ROLLOUTS = 1200
LONGER = 8
#: Decisions that are searched longer, at most: fewer where what follows two moves of each is searched as well.
MOST_CHECKED = 24
MOST_FOLLOWED = 8
#: Seconds for all of them, and for one: for games whose law is slow.
MOST_SECONDS = 180.0
MOST_OF_ONE = 3.0
#: Seconds without a look after which the search stops.
LEFT = 6.0
#: Simulations of a move that tell its value: rollouts soon drop a poor one. And the smallest loss that is reported: of
#: a share, and in points.
FEWEST = 10
LEAST = 0.1
LEAST_POINTS = 0.5
LEAST_LEAD = 3.0
#: The search after each move of a decision where points are only gained.
AHEAD = "minimax:depth=13,nodes=300000"
#: Such losses of a move that is a blunder rather than a mistake.
BLUNDER = 3
#: Standard errors of two estimates that a change has to exceed.
ERRORS = 2.0
#: Moves of a line that shows why a move was better; and of one that shows how a move wins or loses for certain.
LINE = 5
FORCED = 16
#: The lowest and the highest chance to win of a move whose end is not certain: all games tried may have been won.
UNPROVEN = 0.001, 0.999
#: Moves of a game that is reviewed, or drawn.
MOST_MOVES = 600


class Estimate(NamedTuple):
    """What a seat may expect, a chance to win, points or a lead, NaN if it is unknown; and the standard error of it."""

    value: float = math.nan
    error: float = 0.0


@dataclass
class Review(BackgroundWork):
    """A search of each decision of a game, and a longer one of those that seem to matter.

    `results` are theirs so far, by the ply before the move, from which a review goes on.
    """

    positions: Sequence[Position]
    moves: Sequence[int]
    make: Callable[[str], Player]
    gate: threading.Semaphore

    def __post_init__(self) -> None:
        self.seen = time.monotonic()
        self.game: Game = self.positions[0].game
        #: The results that are shown.
        self.results: dict[int, Any] = {}
        #: The plies whose changes have been searched longer; those of mistakes that the champion's rules would have
        #: made too; of moves that go by hints, as these rules do; of moves that did harm; and of those of them that do
        #: not go by hints, with what misled a teammate into one.
        self.checked, self.tempting, self.trusting, self.harmful, self.careless = (set[int]() for _ in range(5))
        #: Where each hint that misled a teammate did its harm, by its ply.
        self.misled: dict[int, int] = {}
        #: The champion, if its rules can play on with what was hidden, in hindsight; and what that has come to.
        self.champion: Player | None = None
        self._played_on: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        self._playing_on = threading.Lock()
        #: Whether perfect play knows the result of every move, which is then no estimate; whether a search tells the
        #: lead in points that best play leads to; and whether all that seems to matter has been searched.
        self.exact = self.leads = self.finished = False
        #: The plies before which the mover had a choice.
        self.decisions = [
            ply
            for ply, position in enumerate(self.positions[:-1])
            if not position.chance_to_move and len(position.legal_moves) > 1
        ]
        #: Whether a search estimates points rather than chances to win: those of a seat; at `counts`, or a lead.
        self.counts = self.in_points = self.game.in_points(seats := self.positions[0].seats)
        #: Whether one seat wins what the other one loses.
        self.duel = seats == 2 and not self.in_points
        self.together = self.game.together(seats)
        #: The smallest change that is reported.
        points = self.positions[-1].points
        self.least = max(LEAST_POINTS, LEAST * (max(points) - min(points))) if self.in_points else LEAST
        if self.duel and self.game.chance:
            self.least /= 2  # a race by dice is lost in small steps
        #: Whether the search after a move tells its value.
        self.looks_on = self.duel and not self.game.hidden and not self.game.chance

    @property
    def complete(self) -> bool:
        """Whether every decision has been searched."""
        return len(self.results) >= len(self.decisions)

    @property
    def broken_off(self) -> bool:
        """Whether the search ended early: the page was closed, or time was up."""
        return self.done.is_set() and not self.fault and not self.finished

    def work(self) -> None:
        """Search all decisions, then those that seem to matter longer, while the page is open and time is left."""
        end = time.monotonic() + MOST_SECONDS
        perfect = worked_out(self.positions[self.decisions[0]]) if self.duel and self.decisions else None
        self.exact = perfect is not None
        self.leads = self.looks_on and not self.exact and self._gains()
        if self.leads:
            self.counts, self.least = True, max(LEAST_LEAD, LEAST * max(self.positions[-1].points))
        short, long = (perfect or self._searcher(times) for times in (1, LONGER))

        def search(player: Player, ply: int) -> Any:
            """The result for the position before a ply, whatever was searched before."""
            with self.gate:
                if self.stopped or time.monotonic() > min(self.seen + LEFT, end):
                    raise TimeoutError
                follows = self.leads or (self.looks_on and player is not short)
                return self._followed(player, ply) if follows else _found(player, self.positions[ply])

        known, checked = self.exact or self.leads, set[int]()
        with contextlib.suppress(TimeoutError):
            # What best play leads to after a move that was made is known from the decision after it.
            for ply in self.decisions[:: -1 if self.leads else 1]:
                if ply not in self.results:
                    self.results[ply] = search(short, ply)
                    self.version += 1
            # What was found of a move may make the next one doubtful.
            for ply in (ply for _ in range(0 if known else 2) for ply in self._doubtful()):
                if ply not in checked and not hasattr(self.results[ply], "errors"):
                    self.results[ply] = search(long, ply)
                checked.add(ply)
            self.finished = True
        self._judge_hints()
        # What somebody reads changes once, at the end.
        self.checked = set(self.results) if known else checked
        with contextlib.suppress(UsageError):
            champion = self.make(champion_of(self.game))
            losses = losses_of(self)
            self.tempting = {
                loss.ply
                for loss in losses
                if decides_by_rules(champion) and champion.decide(self.positions[loss.ply].copy()) == loss.move
            }
            told = self.in_points or (self.duel and self.game.hidden)
            if told and decides_by_rules(champion) and not (self.together or self.game.chance):
                self.champion = champion
            for loss in losses * self.exact:
                line = self._going_on(short, loss.ply, [loss.better], LINE)
                self.results[loss.ply] = replace(self.results[loss.ply], line=line)
            # How a win that was missed, or a loss that was certain, comes about.
            for loss in losses * (self.looks_on and not known):
                result = self.results[loss.ply]
                if loss.before == 1:
                    result.line = self._going_on(long, loss.ply, result.line, FORCED)
                if loss.after == 0:
                    result.instead = self._going_on(long, loss.ply, result.instead, FORCED)

    def _judge_hints(self) -> None:
        """Tell which moves of team-mates went by hints, which did harm, and who misled them."""
        if not (self.together and self.game.hidden):
            return
        ruled = {ply: found.guide for ply, found in self.results.items() if hasattr(found, "guide")}
        harm = self.game.text.harm
        lost = {ply for ply in ruled if harm and harm(self.positions[ply].state, self.moves[ply])}
        self.trusting = {ply for ply in ruled if ruled[ply] == self.moves[ply]}
        # Whoever misled a teammate has lost that life, where the rules would have made another move.
        told = {self._hint(ply): ply for ply in lost & self.trusting}
        for ply in ruled.keys() & told.keys() - self.trusting:
            before, after = self.estimate(ply), self.expected(told[ply] + 1, self.positions[ply].mover)
            if before.value - after.value >= self.telling(before, after):
                self.misled[ply] = told[ply]
        self.careless, self.harmful = {*lost - self.trusting, *self.misled}, lost
        # Rollouts do not know what a hint would mean: the rules' move stands, unless it is clearly worse.
        for ply in self.careless:
            best, other = (self.value(self.results[ply], move) for move in (self.results[ply].move, ruled[ply]))
            if best.value - other.value < self.telling(best, other):
                self.results[ply] = replace(self.results[ply], move=ruled[ply])

    def _going_on(self, player: Player, ply: int, line: Sequence[int], most: int) -> list[int]:
        """A line from a ply on, with what a player goes on to play for all: at most so many moves."""
        twin, told = self.positions[ply].copy(), list[int]()
        while len(told) < most and not twin.over:
            move = None if len(told) < len(line) else player.beginning_a_game().decide(twin.copy())
            told.append(line[len(told)] if move is None else int(move))
            twin.play(told[-1])
        return told

    def _gains(self) -> bool:
        """Whether the points of an open duel are only gained, move by move, and say more than who has won."""
        twin = self.positions[-1].copy()
        points = [position.points for position in self.positions]
        while not (twin.over or twin.stalled):
            twin.play(twin.legal_moves[0])
            points.append(twin.points)
        return bool(np.diff(points, axis=0).min() >= 0 and np.max(points) > 1)

    def _followed(self, player: Player, ply: int) -> Any:
        """What a search finds after each move of a decision; without leads after the one played and its own choice."""
        position, played = self.positions[ply], self.moves[ply]
        later = next((one for one in self.decisions if self.leads and one > ply and one in self.results), 0)
        found = dict[int, tuple[Estimate, Sequence[int]]]()
        for move in position.legal_moves.tolist() if self.leads else {_found(player, position).move, played}:
            twin = position.after(move)
            one, line = self.has(twin, position.mover), [move]
            if not twin.over:
                known = later and move == played
                result = self.results[later] if known else _found(player, twin)
                after = self.positions[later] if known else twin
                one = self._seen(self.value(result, result.move), after, position.mover)
                line += [*self.moves[ply + 1 : later], *result.line]
            found[move] = one, line
        moves = sorted(found, key=lambda move: (-found[move][0].value, move != played))
        values, errors = np.array([found[move][0] for move in moves]).T
        return SimpleNamespace(
            move=moves[0], moves=np.array(moves), visits=0 * errors, errors=errors, points=self.leads,
            values=values if self.leads else 2 * values - 1, proven=(errors == 0) & (not self.leads),
            line=found[moves[0]][1], effort=("a longer search after each of these moves",),
            instead=[] if moves[0] == played else found[played][1],
        )  # fmt: skip

    def _searcher(self, times: int) -> Player:
        """The search of a decision, so many times as long as at first.

        Where something is hidden or up to chance it plays on by rules, all moves alike: a tree hardly tries a move that
        it thinks worse. Without a player made of rules it has to be a tree.
        """
        if self.leads:
            return self.make(AHEAD)
        limit = f"seconds={times * MOST_OF_ONE:g}"
        if self.game.hidden or self.game.chance:
            # A lucky move of few is worth a look; of dice, all that are left are tried.
            drop = "no" if times > 1 or self.game.chance else "yes"
            with contextlib.suppress(UsageError):
                return self.make(
                    f"rollout:candidates={12 * min(times, 2)},belief=no,drop={drop},"
                    f"simulations={times * ROLLOUTS},{limit}"
                )
        return self.make(f"mcts:iterations={times * SIMULATIONS},rollout=random,{limit}")

    def _doubtful(self) -> list[int]:
        """The plies of the decisions that seem to have changed most."""
        # A poor move may not have been tried at all.
        sizes = {
            ply: math.inf
            if math.isnan(other)
            else abs(self.estimate(ply).value - other)
            if self.looks_on
            else self.cost(ply)
            for ply in self.decisions
            for other in self.after(ply)[:1]
        }
        doubtful = [ply for ply in sorted(sizes, key=sizes.__getitem__) if sizes[ply] >= self.least / 2]
        most = MOST_FOLLOWED if self.looks_on else MOST_CHECKED
        return sorted(doubtful[-most:])

    def estimate(self, ply: int) -> Estimate:
        """What the mover may expect then.

        What the search before has proven of the move counts more than the search after it.
        """
        result = self.results.get(ply)
        before = self.results.get(ply - 1)
        if self.duel and before is not None and self._proves(before, self.moves[ply - 1]):
            return self._seen(
                self.value(before, self.moves[ply - 1]), self.positions[ply - 1], self.positions[ply].mover
            )
        if result is None:
            forced = self.looks_on and ply not in self.decisions and ply < len(self.moves)
            return self.after(ply) if forced else Estimate()
        one = self.value(result, result.move)
        later = self.results.get(ply + 1)
        if not (self.looks_on and self.finished and one.error and later) or hasattr(result, "errors"):
            return one
        # A search overrates the side to move a little: by turns the curve would rise and fall.
        other = self._seen(self.value(later, later.move), self.positions[ply + 1], self.positions[ply].mover)
        return Estimate((one.value + other.value) / 2, one.error)

    def value(self, result: Any, move: int) -> Estimate:
        """A search's estimate of a move, if it has tried it often enough.

        The error of a chance to win is as of so many games won or lost (Agresti and Coull, American Statistician 1998).
        """
        if not hasattr(result, "moves"):
            return Estimate(result.value)
        rollouts = hasattr(result, "rollouts")
        at = next(iter(np.flatnonzero(result.moves == move)), -1)
        value = float((result.wins if rollouts else result.values)[at])
        count = (result.rollouts if rollouts else result.visits)[at]
        proven = self._proves(result, move)
        if at < 0 or math.isnan(value) or (move != result.move and count < FEWEST and not proven):
            return Estimate()
        if self.counts:
            return Estimate(value, float(result.wins_errors[at]) if rollouts else 0.0)
        value = value if rollouts else (value + 1) / 2
        if hasattr(result, "errors"):
            return Estimate(value, float(result.errors[at]))
        if proven:
            return Estimate(value)
        share = (value * count + 2) / (count + 4)
        return Estimate(float(np.clip(value, *UNPROVEN)), math.sqrt(share * (1 - share) / (count + 4)))

    def _seen(self, one: Estimate, position: Position, seat: int) -> Estimate:
        """What the mover of a position may expect, as a seat of a duel sees it."""
        return one if position.mover == seat or self.together else Estimate((not self.leads) - one.value, one.error)

    def _proves(self, result: Any, move: int) -> bool:
        """Whether a search knows for certain what a move leads to, or has followed each."""
        return hasattr(result, "errors") or bool(
            hasattr(result, "proven") and result.proven[result.moves == move].any()
        )

    def expected(self, ply: int, seat: int) -> Estimate:
        """What a seat of a duel or of a team may expect, whether or not it moves then; at the end what each one has."""
        position = self.positions[ply]
        return self.has(position, seat) if position.over else self._seen(self.estimate(ply), position, seat)

    def has(self, position: Position, seat: int) -> Estimate:
        """What a seat has, as at the end."""
        own, most = position.points[seat], max(position.points)
        if self.leads:
            return Estimate(own - position.points[1 - seat])
        return Estimate(own if self.in_points else (own == most) / position.points.count(most))

    def after(self, ply: int) -> Estimate:
        """What the mover may expect after its move.

        In an open duel without chance the search after the move tells its value, else the search before it.
        """
        if self.looks_on:
            return self.expected(ply + 1, self.positions[ply].mover)
        return self.value(self.results[ply], self.moves[ply]) if ply in self.results else Estimate()

    def cost(self, ply: int) -> float:
        """What the move lost against the best one, whatever the error of that; NaN if it is not known."""
        result = self.results.get(ply)
        if result is None:
            return math.nan
        if self.moves[ply] == result.move or ply in self.trusting or self._made_later(ply, result.move):
            return 0.0
        before = self.estimate(ply).value
        lost = before - self.after(ply).value
        mover = self.positions[ply].mover
        if self.together or (self.game.hidden and self.positions[ply + 1].mover == mover):
            # Rollouts do not know what a teammate's hint meant; the next decision sees what came of it, or of a turn.
            # Of a hint that misleads, once it has done its harm.
            seen = before - self.expected(self.misled.get(ply, ply) + 1, mover).value
            lost = seen if ply in self.careless else min(lost, seen)
        return max(lost, 0.0)

    def _hint(self, ply: int) -> int | None:
        """The ply of the hint that a move went by: the facts of that move name its teller, and the hint its hearer."""
        grounds, position = self.game.text.grounds, self.positions[ply]
        facts = grounds(position.state, self.moves[ply]) if grounds else ""
        names = [f"{{{seat}}}" for seat in range(position.seats)]
        made = reversed([*zip(range(ply), self.positions, self.moves, strict=False)])
        told = ((hint, one.sentence(move, names)) for hint, one, move in made if facts.startswith(names[one.mover]))
        return next((hint for hint, said in told if names[position.mover] in said), None)

    def _made_later(self, ply: int, move: int) -> bool:
        """Whether a player with hidden cards makes a move later in the same turn, such as another card to pass."""
        mover = self.positions[ply].mover
        turn = itertools.takewhile(lambda later: self.positions[later].mover == mover, range(ply + 1, len(self.moves)))
        return self.game.hidden and any(self.moves[later] == move for later in turn)

    def reported(self, ply: int) -> float:
        """The smallest loss by a move that is called a mistake."""
        return self.least if ply in self.careless else self.telling(self.estimate(ply), self.after(ply))

    def telling(self, *two: Estimate) -> float:
        """The smallest difference of two estimates that is reported."""
        return max(self.least, ERRORS * math.hypot(*(one.error for one in two)))

    def played_on(self, ply: int, *moves: int) -> list[tuple[int, ...]]:
        """All points at a ply, after each of the moves, and after those that the champion's rules then make for all.

        There are none where these do not tell: in an open duel, in a team, and where chance decides.
        """
        if self.champion is None:
            return []
        with self._playing_on:
            points = self._played_on.setdefault((ply, *moves), [])
            if not points:
                twin, first = self.positions[ply].copy(), list(moves)
                points.append(twin.points)
                while not (twin.over or twin.stalled):
                    twin.play(first.pop(0) if first else self.champion.decide(twin.copy()))
                    points.append(twin.points)
        return points

    def lines(self, loss: Loss) -> list[list[int]]:
        """How the champion's rules play on for all, after the better move and the mistake; see `played_on`."""
        if self.champion is None:
            return []
        with self._playing_on:
            return [self._going_on(self.champion, loss.ply, [move], FORCED) for move in (loss.better, loss.move)]

    def endings(self, loss: Loss) -> list[tuple[int, ...]]:
        """The points of all in the end, played on by the champion's rules: after the better move and the mistake."""
        return [points[-1] for move in (loss.better, loss.move) if (points := self.played_on(loss.ply, move))]

    def cost_something(self, loss: Loss) -> bool:
        """Whether a better move would have led to more in the end, as far as can be told.

        Nothing that the winner of a duel did cost it anything. Where hindsight does not tell, a mistake mattered unless
        the other side gave as much back, or the game was as good as lost.
        """
        end, seat = self.positions[-1], loss.seat
        if self.duel and end.over and end.points[seat] > end.points[1 - seat]:
            return False
        if ends := self.endings(loss):
            margins = [points[seat] - (points[1 - seat] if self.duel else 0) for points in ends]
            return margins[0] > margins[1]
        later = (self.expected(ply, seat).value for ply in self.decisions if ply > loss.ply and self.looks_on)
        lost = self.leads and loss.before <= -2 * self.least
        return not (lost or any(value > loss.before - self.least / 2 for value in later))

    def known(self, ply: int) -> dict[int, float]:
        """What is expected of the better move and of the one that was played, as far as it is known."""
        best = self.estimate(ply).value
        found = ((self.results[ply].move, best), (self.moves[ply], best - self.cost(ply)))
        return {move: value for move, value in found if not math.isnan(value)}

    def marks(self, position: Position) -> dict[str, int]:
        """The move made by mistake in one of the positions, and the better one, as `board_of` draws them."""
        return next(
            (
                {"advice": loss.better, "made": loss.move}
                for loss in losses_of(self)
                if self.positions[loss.ply] is position
            ),
            {},
        )

    def mistakes(self, positions: Sequence[Position]) -> dict[int, bool]:
        """Whether each move made by mistake in a game of these positions was a blunder; the first is move 1."""
        return {
            loss.ply + 1: loss.before - loss.after >= BLUNDER * self.least
            for loss in losses_of(self)
            if any(self.positions[loss.ply + 1] is one for one in positions)
        }

    def write(self, value: float, *, certain: bool = False) -> str:
        """A chance in percent, a result that is `certain` if it is no other chance, or points."""
        if self.leads:
            return f"{abs(value):g} {'behind' if value < 0 else 'ahead'}" if value else "even"
        if (
            self.exact
            or (certain and self.looks_on and value in (0, 1))
            or (value == 0.5 and self.expected(len(self.moves), 0) == (0.5, 0))
        ):
            return RESULTS[value]
        return f"{value:.1f}".removesuffix(".0") if self.in_points else f"{100 * value:.0f}\u00a0%"


def _found(player: Player, position: Position) -> Any:
    """The result of a search of a position, whatever was searched before."""
    player = player.beginning_a_game()
    player.decide(position.copy())
    return getattr(player, "result", None)


@dataclass(frozen=True)
class Loss:
    """A move that was worse than another one, with its seat's expectation before and after it."""

    ply: int
    seat: int
    move: int
    better: int
    before: float
    after: float


def losses_of(review: Review) -> list[Loss]:
    """The moves that lost more than the error of the search, or that carelessly did harm."""
    return [
        Loss(ply, review.positions[ply].mover, review.moves[ply], review.results[ply].move, before, before - lost)
        for ply in sorted(review.checked | review.careless)
        if (lost := review.cost(ply)) >= review.reported(ply)
        for before in [review.estimate(ply).value]
    ]


def review_chart(review: Review, names: Sequence[str], own: int) -> Chart | None:
    """Each seat's expectation over the plies: in a duel only that of `own`, in a cooperative game that of all."""
    curves = dict[int | None, dict[int, Estimate]]()
    last = len(review.moves)
    # Until all decisions have been searched the end is left out: a line would lead straight to it.
    for ply in [*review.decisions, *([last] if review.positions[-1].over and review.complete else [])]:
        position = review.positions[ply]
        seats = range(len(names)) if position.over else [position.mover]
        if review.duel:
            # By what one seat knows, not by turns by what the one and what the other does.
            seats = [own] if own in seats or not review.game.hidden else []
        for seat in seats:
            if not math.isnan((found := review.expected(ply, seat)).value):
                curves.setdefault(None if review.together and names[1:] else seat, {})[ply] = found
    if not curves:
        return None
    if curve := curves.get(None):
        # Rollouts underrate a hint until it is followed: by turns the curve would fall and rise.
        curve |= {
            ply: Estimate((one.value + other.value) / 2, one.error)
            for (ply, one), (later, other) in itertools.pairwise(curve.items())
            if later in review.decisions
        }
    reached = [value for curve in curves.values() for value, _ in curve.values()]
    low = math.floor(min(reached)) if review.counts else 0
    high = max(math.ceil(max(reached)), low + 1)
    marks = sorted({low, high, *(reached if review.exact else [(low + high) / 2 * (not review.leads)])})
    series = [
        Series(
            "all" if seat is None else names[seat],
            list(curve),
            [value for value, _ in curve.values()],
            [(max(low, value - ERRORS * error), min(high, value + ERRORS * error)) for value, error in curve.values()],
            seat,
        )
        for seat, curve in sorted(curves.items())
    ]
    # There is no room for `28 behind`, nor for `-2` beside `even`.
    signs = {
        mark: f"{mark:+g}" * (5 * abs(mark) > high - low)
        if review.leads and mark
        else review.write(mark).removesuffix(".0")
        for mark in marks
    }
    return Chart(series, signs, review.write, range(last + 1), MOST_MOVES + 1, height=140, top=24)
