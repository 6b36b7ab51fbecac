"""What decided a game: the largest changes of points and of what its players may expect, and the mistakes in them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulebots.game.text import in_words
from rulebots.web.chart import Chart, Series
from rulebots.web.review import LEAST_POINTS, Loss, Review, losses_of

#: Changes that are told; and how much more those of one's own matter at a table of several.
MOST_CHANGES = 6
OWN = 4
#: Changes among which a forced move is told as well.
LARGEST = 3


@dataclass(frozen=True)
class Change:
    """A part of a game that changed what a seat, or all for None, may expect, from `one` to `other`, or its points.

    `before` and `after` are plies. `loss` is the mistake in it, and `reply` the ply of the move that followed from it.
    `forced` says that its seat had no other move, `blameless` that no move in it was a mistake, and `lucky` that chance
    decided it, for good or bad. At the ply `close` another move looked better, but by little.
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
    lucky: bool = False
    close: int | None = None


def changes_of(review: Review, chart: Chart | None, own: int) -> list[Change]:
    """The largest changes, in their order: at a table that counts points the moves that scored, else swings of a curve.

    A mistake that is part of one is told there.
    """
    blamed = {loss.ply: loss for loss in losses_of(review)}
    changes = list[Change]()
    if review.in_points and not review.together:
        for change in scores_of(review, own):
            theirs = change.before in blamed and blamed[change.before].seat == change.seat
            changes.append(replace(change, loss=blamed.pop(change.before) if theirs else None))
    elif chart:
        curve = next((one for one in chart.series if one.seat == own), chart.series[0])
        for before, after, one, other in swings_of(review, curve):
            # The swing's own mistake, not one that it made up for.
            wrong = (ply for ply in range(before, after) if ply in blamed)
            loss = next((ply for ply in wrong if (curve.seat in (None, blamed[ply].seat)) == (other < one)), None)
            changes.append(Change(before, after, curve.seat, one, other, None if loss is None else blamed.pop(loss)))
    changes += [Change(one.ply, one.ply + 1, one.seat, one.before, one.after, one) for one in blamed.values()]
    # What could have been done better is worth more than luck, one's own more than others', and the last decides.
    changes.sort(key=lambda one: abs(one.other - one.one) * (2 if one.loss else 1) * (OWN if one.seat == own else 1))
    # Where nothing was better there is little to learn: two such falls are enough, and a forced one if it is large.
    for fall in [one for one in changes if one.other < one.one and not one.loss][:-2]:
        changes.remove(fall)
    changes = [one for one in changes if not one.forced or one in changes[-LARGEST:]]
    largest = sorted(changes[-MOST_CHANGES:], key=lambda one: (one.before, one.after))
    told = {ply for change in largest for ply in range(change.before, change.after)}
    return [_judged(review, change, told) for change in largest]


def _judged(review: Review, change: Change, told: set[int]) -> Change:
    """A change with what is to be said of it besides the plies `told`; at a table of points, of whom it befell.

    Team-mates know more than the one who moves: what a card does that they told of is no luck.
    """
    end = change.before + 1 if change.scored else change.after
    plies = [ply for ply in review.decisions if change.before <= ply < end]
    own = (ply for ply in plies if change.seat in (None, review.positions[ply].mover) and review.cost(ply) > 0)
    reply = _reply_to(review, change.loss) if change.loss else None
    return replace(
        change,
        reply=None if reply in told else reply,
        blameless=all(review.cost(ply) < review.reported(ply) for ply in plies),
        lucky=(review.game.hidden and not review.together)
        or any(position.chance_to_move for position in review.positions[change.before + 1 : change.after + 1]),
        close=max(own, key=review.cost, default=None),
    )


def summary_of(review: Review, names: Sequence[str]) -> str:
    """What each seat, or the team, lost by mistakes, in words; "" without one.

    Points add up. Chances to win do not: the same chance can be lost many times.
    """
    lost = dict[str, list[float]]()
    for loss in losses_of(review):
        name = "the team" if review.together and names[1:] else names[loss.seat]
        lost.setdefault(name, []).append(loss.before - loss.after)
    costs = [
        f"{name} made {len(some)} mistake{'s' * (len(some) > 1)}"
        + f" ({sum(some):.{review.in_points:d}f} points)" * review.counts
        for name, some in sorted(lost.items(), key=lambda item: -sum(item[1]))
    ]
    sort = "Added up" if review.counts else "Worked out to the end" if review.exact else "By chances to win"
    points, last = review.positions[-1].points, len(review.moves)
    loser = points.index(min(points))
    steps = range(last if review.looks_on and not review.leads else 0, 0, -1)
    since = next((ply for ply in steps if review.expected(ply - 1, loser) != (0, 0)), last)
    told = f" From move {since} on the game was lost for {names[loser]}." * (since < last - 1)
    return f"{sort}: {in_words(costs)}." * bool(costs) + told


def _reply_to(review: Review, loss: Loss) -> int | None:
    """The ply of the move by which the seat paid for its mistake: in the same round, or as the opponent's answer."""
    positions = review.positions
    following = range(loss.ply + 1, min(loss.ply + positions[0].seats, len(review.moves)))
    scoring = (ply for ply in following if positions[ply].points[loss.seat] > positions[ply + 1].points[loss.seat])
    replying = (ply for ply in following if review.looks_on and positions[ply].mover != loss.seat)
    return next(
        scoring if review.in_points else (ply for ply in replying if review.cost(ply) < review.reported(ply)), None
    )


def swings_of(review: Review, one: Series) -> list[tuple[int, int, float, float]]:
    """A curve's changes that searches tell from chance: the plies before and after each, and the values."""
    steps = zip(one.xs, one.xs[1:], one.values, one.values[1:], strict=False)
    return [step for step in steps if abs(step[3] - step[2]) >= review.telling(*map(review.estimate, step[:2]))]


def scores_of(review: Review, own: int) -> list[Change]:
    """The moves that changed a seat's points, each from that seat's own last move in the same round of the table on.

    Of another seat than one's `own` it is what matters at this table.
    """
    found = list[Change]()
    for last, two in enumerate(itertools.pairwise(position.points for position in review.positions)):
        seat, (one, other) = max(enumerate(zip(*two, strict=True)), key=lambda of: abs(of[1][1] - of[1][0]))
        if abs(other - one) < (LEAST_POINTS if seat == own else review.least):
            continue
        plies = range(last, max(-1, last - review.positions[0].seats), -1)
        first = next((ply for ply in plies if review.positions[ply].mover == seat), last)
        found.append(Change(first, last + 1, seat, one, other, scored=True, forced=first not in review.decisions))
    return found
