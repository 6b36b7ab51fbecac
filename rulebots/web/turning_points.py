"""What decided a game: the largest changes of points and of what its players may expect, and the mistakes in them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulebots.game.text import in_words
from rulebots.web.chart import Chart, Series
from rulebots.web.review import ERRORS, LEAST, Loss, Review, losses_of

#: Changes that are told.
MOST_CHANGES = 6


@dataclass(frozen=True)
class Change:
    """A part of a game that changed what a seat, or all for None, may expect, from `one` to `other`, or its points.

    `before` and `after` are plies. `loss` is the mistake in it, and `reply` the ply of the move that followed from it.
    `forced` says that the seat that lost points had no other move, `blameless` that no move in it was a mistake.
    """

    before: int
    after: int
    seat: int | None
    one: float
    other: float
    loss: Loss | None = None
    reply: int | None = None
    scored: bool = False
    forced: bool = False
    blameless: bool = False


def changes_of(review: Review, chart: Chart | None, own: int) -> list[Change]:
    """The largest changes, in their order: at a table that counts points the moves that scored, else swings of a curve.

    A mistake that is part of one is told there.
    """
    blamed = {loss.ply: loss for loss in losses_of(review)}
    changes = list[Change]()
    if review.in_points and not review.together:
        for change in scores_of(review):
            theirs = change.before in blamed and blamed[change.before].seat == change.seat
            changes.append(replace(change, loss=blamed.pop(change.before) if theirs else None))
    elif chart:
        curve = curve_of(chart, own)
        for before, after, one, other in swings_of(review, curve):
            # The swing's own mistake, not one that it made up for.
            wrong = (ply for ply in range(before, after) if ply in blamed)
            loss = next((ply for ply in wrong if (curve.seat in (None, blamed[ply].seat)) == (other < one)), None)
            changes.append(Change(before, after, curve.seat, one, other, None if loss is None else blamed.pop(loss)))
    changes += [Change(one.ply, one.ply + 1, one.seat, one.before, one.after, one) for one in blamed.values()]
    # What could have been done better is worth more than luck.
    largest = sorted(changes, key=lambda change: -abs(change.other - change.one) * (2 if change.loss else 1))[
        :MOST_CHANGES
    ]
    largest.sort(key=lambda change: (change.before, change.after))
    told = {ply for change in largest for ply in range(change.before, change.after)}
    replies = [_reply_to(review, change.loss) if change.loss else None for change in largest]
    return [
        replace(change, blameless=_blameless(review, change), reply=None if reply in told else reply)
        for change, reply in zip(largest, replies, strict=True)
    ]


def _blameless(review: Review, change: Change) -> bool:
    """Whether nothing that was done in a change was a mistake: at a table of points by the seat that it befell."""
    after = change.before + 1 if change.scored else change.after
    return all(review.cost(ply) == 0 for ply in review.decisions if change.before <= ply < after)


def curve_of(chart: Chart, own: int) -> Series:
    """The curve of a seat, or that of all."""
    return next((one for one in chart.series if one.seat == own), chart.series[0])


def summary_of(review: Review, chart: Chart, names: Sequence[str], own: int) -> str:
    """What each seat lost by mistakes, in words, and once the game is over what luck gave to `own`.

    Points add up. Chances to win do not: the same chance can be lost many times.
    """
    curve = curve_of(chart, own)
    lost = dict[int | None, list[float]]()
    for loss in losses_of(review):
        lost.setdefault(None if curve.seat is None else loss.seat, []).append(loss.before - loss.after)
    called = {seat: "the team" if seat is None else names[seat] for seat in (*lost, curve.seat)}
    unit, each = (" points", "") if review.in_points else ("", " each on average")
    costs = [
        f"{called[seat]} made {len(some)} mistake{'s' * (len(some) > 1)} "
        f"({review.write(sum(some) / (1 if unit else len(some)))}{unit}{each * (len(some) > 1)})"
        for seat, some in sorted(lost.items(), key=lambda item: -sum(item[1]))
    ]
    said = [in_words(costs)] * bool(costs)
    if review.positions[-1].over and (review.game.hidden or review.game.chance):
        theirs = sum(sum(some) for seat, some in lost.items() if seat != curve.seat) * review.duel
        luck = curve.values[-1] - curve.values[0] + sum(lost.get(curve.seat, [])) - theirs
        rest = "luck" if review.duel or curve.seat is None else "luck and the others"
        gave = ("cost", "gave") if unit else ("hurt", "helped")
        amount = f" {review.write(abs(luck))}{unit}" * review.in_points
        said += [f"{rest} {gave[luck >= 0]} {called[curve.seat]}{amount}"] * bool(unit or abs(luck) >= LEAST)
    return f"{'Added up' if review.in_points else 'In chances to win'}: {'; '.join(said)}." * bool(said)


def _reply_to(review: Review, loss: Loss) -> int | None:
    """The ply of the move by which the seat paid for its mistake: in the same round, or as the opponent's answer."""
    positions = review.positions
    following = range(loss.ply + 1, min(loss.ply + positions[0].seats, len(review.moves)))
    scoring = (ply for ply in following if positions[ply].points[loss.seat] > positions[ply + 1].points[loss.seat])
    replying = (ply for ply in following if review.looks_on and positions[ply].mover != loss.seat)
    return next(scoring if review.in_points else (ply for ply in replying if review.cost(ply) == 0), None)


def swings_of(review: Review, one: Series) -> list[tuple[int, int, float, float]]:
    """A curve's changes that searches tell from chance: the plies before and after each, and the values."""
    steps = zip(one.xs, one.xs[1:], one.values, one.values[1:], strict=False)
    errors = (ERRORS * math.hypot(*(review.estimate(ply).error for ply in two)) for two in itertools.pairwise(one.xs))
    return [
        step for step, error in zip(steps, errors, strict=False) if abs(step[3] - step[2]) >= max(review.least, error)
    ]


def scores_of(review: Review) -> list[Change]:
    """The moves that changed a seat's points, each from that seat's own last move in the same round of the table on."""
    points = [position.points for position in review.positions]
    found = list[Change]()
    for last, (former, latter) in enumerate(itertools.pairwise(points)):
        seat = max(range(len(former)), key=lambda one: abs(latter[one] - former[one]))
        one, other = float(former[seat]), float(latter[seat])
        if abs(other - one) < review.least:
            continue
        own = [ply for ply in range(max(0, last + 1 - len(former)), last + 1) if review.positions[ply].mover == seat]
        first = own[-1] if own else last
        forced = other < one and bool(own) and len(review.positions[first].legal_moves) == 1
        found.append(Change(first, last + 1, seat, one, other, scored=True, forced=forced))
    return found
