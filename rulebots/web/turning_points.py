"""What decided a game: the largest changes of points and of what its players may expect, and the mistakes in them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulebots.game.text import PERSON, in_words
from rulebots.web.chart import Chart, Series
from rulebots.web.review import LEAST, LEAST_POINTS, Loss, Review, losses_of

#: Changes that are told; and how much more those of one's own matter, and mistakes.
MOST_CHANGES = 8
OWN = LEARNT = 4
#: Changes among which a forced move is told as well.
LARGEST = 3
#: Moves after a mistake in an open duel, the costliest of which is told, and of a turn that is told in full.
PAID = 4


@dataclass(frozen=True)
class Change:
    """A part of a game that changed what a seat, or all for None, may expect, from `one` to `other`, or its points.

    `before` and `after` are plies. `loss` is the mistake in it, and `reply` the ply of the move that followed from it.
    `forced` says that its seat had no other move, and `chance` is the ply where it had last had a choice not to be left
    with it; `blameless` that no move in it was a mistake, and `lucky` that chance
    decided it, for good or bad.
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
    chance: int | None = None

    @property
    def size(self) -> float:
        """How much changed."""
        return abs(self.other - self.one)

    @property
    def plies(self) -> range:
        """Where a mistake would be its own."""
        return range(self.before, self.before + 1 if self.scored else self.after)


def changes_of(review: Review, chart: Chart | None, own: int) -> list[Change]:
    """The largest changes, in their order: at a table that counts points the moves that scored, else swings of a curve.

    A mistake that is part of one is told there.
    """
    blamed = {loss.ply: loss for loss in losses_of(review)}
    found, changes = list[Change](), list[Change]()
    if review.in_points and not review.together:
        found = scores_of(review, own)
    elif chart:
        curve = next((one for one in chart.series if one.seat == own), chart.series[0])
        found = [Change(*step[:2], curve.seat, *step[2:]) for step in swings_of(review, curve)]
    for one in found:
        # Its own mistake, not one that it made up for.
        wrong = [ply for ply in one.plies if ply in blamed]
        own_wrong = (ply for ply in wrong if (one.seat in (None, blamed[ply].seat)) == (one.other < one.one))
        loss = next((ply for ply in wrong if ply in review.harmful), next(own_wrong, -1))
        changes.append(replace(one, loss=blamed.pop(loss, None)))
    changes += [Change(one.ply, one.ply + 1, one.seat, one.before, one.after, one) for one in blamed.values()]
    # What could have been done better is worth more than luck, one's own more than others', and the last decides.
    changes.sort(
        key=lambda one: (
            one.before in review.harmful,
            one.size * (LEARNT if one.loss else 1) * OWN ** (one.seat == own),
        )
    )
    # Where nothing was better there is little to learn: two such falls and rises are enough, and a forced one if it is
    # large.
    changes = [one for one in changes if one.loss or _borne_out(review, one)]
    idle = [one for one in changes if not (one.loss or one.before in review.harmful)]
    falls = [one for one in idle if one.other < one.one][:-2]
    rises = [one for one in idle if one.other > one.one and not one.scored][:-2]
    changes = [one for one in changes if one not in falls + rises]
    changes = [one for one in changes if not one.forced or one in changes[-LARGEST:]]
    largest = sorted(changes[-MOST_CHANGES:], key=lambda one: (one.before, one.after))
    told = {ply for change in largest for ply in range(change.before, change.after)}
    return [_judged(review, change, told) for change in largest]


def _borne_out(review: Review, change: Change) -> bool:
    """Whether a change without a mistake is one, and not what a search, or a seat of a hidden duel, came to see.

    Where all is open only mistakes change anything; where it is not, hindsight tells, if it can.
    """
    ends = review.played_on(change.after)
    if not (review.duel and ends):
        return not review.looks_on
    seat = change.seat or 0
    return (ends[-1][seat] > ends[-1][1 - seat]) == (change.other > change.one)


def _judged(review: Review, change: Change, told: set[int]) -> Change:
    """A change with what is to be said of it besides the plies `told`; at a table of points, of whom it befell.

    Team-mates know more than the one who moves: what a card does that they told of is no luck. Nor is a trick at a
    table, which its taker may have chosen to take.
    """
    plies = [ply for ply in change.plies if ply in review.decisions]
    reply = _reply_to(review, change.loss) if change.loss else None
    return replace(
        change,
        reply=None if reply in told else reply,
        chance=next(
            (
                ply
                for ply in reversed(review.decisions)
                if change.forced and ply < change.before
                if (earlier := review.positions[ply]).mover == change.seat
                if review.positions[change.before].write(review.moves[change.before])
                in map(earlier.write, earlier.legal_moves.tolist())
            ),
            None,
        ),
        blameless=all(review.cost(ply) < review.reported(ply) for ply in plies),
        lucky=any(position.chance_to_move for position in review.positions[change.before + 1 : change.after + 1])
        # Others' cards and moves are not seen.
        or (review.game.hidden and review.duel and change.after - change.before > 1),
    )


def decisive(review: Review, chart: Chart, changes: Sequence[Change]) -> Change:
    """The change that altered most what a seat, or all, may expect, with that in place of its points.

    Points that are taken may have been expected for long, and a mistake may have cost nothing.
    """

    def expected(change: Change) -> Change:
        loss = change.loss
        if loss and review.cost_something(loss):
            return Change(loss.ply, loss.ply + 1, loss.seat, loss.before, loss.after)
        curve = next((one for one in chart.series if one.seat == change.seat), chart.series[0])
        steps = list(zip(curve.xs, curve.values, strict=True))
        one = next((value for ply, value in reversed(steps) if ply <= change.before), steps[0][1])
        other = next((value for ply, value in steps if ply >= change.after), steps[-1][1])
        return replace(change, one=one, other=other, scored=False)

    return max(map(expected, changes), key=lambda one: one.size)


def turn_of(review: Review, curve: Series) -> tuple[int, int]:
    """The plies between which the winner of a duel that is over came to be ahead for good; (0, 0) if never behind.

    A chance to win that is hardly better than even is no lead. With hidden cards hindsight knows who was ahead.
    """
    points, seat = review.positions[-1].points, curve.seat or 0
    even, least = (0, 0) if review.leads else (0.5, LEAST)
    sign = 1 if points[seat] == max(points) else -1

    leads = [sign * (value - even) for value in curve.values]
    if review.champion is None and leads[0] > least and min(leads) >= -least:
        return 0, 0
    for x, later, lead in reversed([*zip(curve.xs, curve.xs[1:], leads, strict=False)]):
        ends = review.played_on(x)
        if (ends[-1][seat] - ends[-1][1 - seat]) * sign <= 0 if ends else lead <= least:
            return x, later
    return 0, 0


def summary_of(review: Review, names: Sequence[str]) -> str:
    """What each seat, or the team, lost by mistakes, and at which moves, in words; "" without one.

    Points add up. Chances to win do not: the same chance can be lost many times.
    """
    lost = dict[str, list[Loss]]()
    for loss in losses_of(review):
        lost.setdefault("the team" if review.together and names[1:] else names[loss.seat], []).append(loss)
    # As they are written: whoever adds them up comes to the same.
    total = {name: sum(round(loss.before, 1) - round(loss.after, 1) for loss in some) for name, some in lost.items()}
    costs = [
        f"{name} made {len(some)} mistake{'s' * (len(some) > 1)} (move{'s' * (len(some) > 1)} "
        + in_words([str(loss.ply + 1) for loss in some])
        + f"; {total[name]:.{review.in_points:d}f} points" * (review.counts and total[name] >= LEAST_POINTS)
        + ")"
        for name, some in sorted(lost.items(), key=lambda item: (item[0] != PERSON, -total[item[0]]))
    ]
    sort = (
        "By a search up to 14 moves deep"
        if review.leads
        else "Added up"
        if review.counts
        else "Worked out to the end"
        if review.exact
        else "By chances to win"
    )
    sort += f", of the {len(review.checked)} decisions that were searched longer" * review.limited
    return f"{sort}: {in_words(costs)}." * bool(costs)


def _reply_to(review: Review, loss: Loss) -> int | None:
    """The ply of the move by which the seat paid for its mistake: in the same round, or before the next mistake.

    In an open duel it is the answer where nothing is paid at once. At a table it is none that the better move would
    have cost as well.
    """
    first = loss.ply + 1
    end = min(
        first + (review.positions[0].seats - 1 if review.in_points else PAID * review.looks_on), len(review.moves)
    )
    wrong = (ply for ply in range(first, end) if review.looks_on and review.cost(ply) >= review.reported(ply))
    had = [review.has(position, loss.seat).value for position in review.positions[first : next(wrong, end) + 1]]
    paid = [one - other for one, other in itertools.pairwise(had)]
    most = max(paid, default=-1)
    worth = most >= review.least if review.leads else most > 0 or (review.looks_on and not most)
    reply = first + paid.index(most) if worth else None
    better = review.played_on(loss.ply, loss.better) if reply and review.in_points else []
    if reply and better:
        # The better move may have cost as much.
        had_better = better[: reply + 2 - loss.ply][-1][loss.seat]
        return reply if had_better > review.positions[reply + 1].points[loss.seat] else None
    return reply


def swings_of(review: Review, one: Series) -> list[tuple[int, int, float, float]]:
    """A curve's changes that searches tell from chance, or of a move that did harm: both plies, and both values.

    Team-mates who go by hints know more than a search: what it expects rises and falls with what the mover sees.
    """
    guided = review.together and review.game.hidden
    return [
        step
        for step in zip(one.xs, one.xs[1:], one.values, one.values[1:], strict=False)
        if step[0] in review.harmful
        or (not guided and abs(step[3] - step[2]) >= review.telling(*map(review.estimate, step[:2])))
    ]


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
