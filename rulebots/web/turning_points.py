"""What decided a game: the largest changes of points and of what its players may expect, and the mistakes in them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulebots.game.text import PERSON, in_words
from rulebots.web.chart import Chart, Series
from rulebots.web.review import LEAST, LEAST_POINTS, Loss, Review, losses_of

#: Changes that are told; and how much more those of one's own matter.
MOST_CHANGES = 8
OWN = 4
#: Smallest changes that are reported that one has to exceed to be told without a mistake in it, or to be decisive.
LARGE = 3
#: Moves after a mistake in an open duel, the costliest of which is told, and of a turn that is told in full.
PAID = 4


@dataclass(frozen=True)
class Change:
    """A part of a game that changed what a seat, or all for None, may expect, from `one` to `other`, or its points.

    `before` and `after` are plies. `loss` is the mistake in it, `costless` if it changed nothing in the end, and
    `reply` the ply of the move that punished it. `lucky` says that chance decided it, for good or bad.
    """

    before: int
    after: int
    seat: int | None
    one: float
    other: float
    loss: Loss | None = None
    reply: int | None = None
    scored: bool = False
    costless: bool = False
    lucky: bool = False

    @property
    def size(self) -> float:
        """How much changed."""
        return abs(self.other - self.one)


def changes_of(review: Review, chart: Chart | None, own: int) -> list[Change]:
    """The largest changes, in their order: at a table that counts points the moves that scored, else swings of a curve.

    A mistake that is part of one is told there.
    """
    blamed = {loss.ply: loss for loss in losses_of(review)}
    found, changes = list[Change](), list[Change]()
    if review.in_points and not review.together:
        found = scores_of(review)
    elif chart:
        curve = next((one for one in chart.series if one.seat == own), chart.series[0])
        found = [Change(*step[:2], curve.seat, *step[2:]) for step in swings_of(review, curve)]
    for one in found:
        # Its own mistake, not one that it made up for.
        wrong = [ply for ply in range(one.before, one.before + 1 if one.scored else one.after) if ply in blamed]
        own_wrong = (ply for ply in wrong if (one.seat in (None, blamed[ply].seat)) == (one.other < one.one))
        loss = next((ply for ply in wrong if ply in review.harmful), next(own_wrong, -1))
        changes.append(replace(one, loss=blamed.pop(loss, None)))
    changes += [Change(one.ply, one.ply + 1, one.seat, one.before, one.after, one) for one in blamed.values()]
    changes = [
        replace(one, costless=not review.cost_something(one.loss), reply=_reply_to(review, one.loss))
        if one.loss
        else replace(one, lucky=_lucky(review, one))
        for one in changes
    ]
    # One's own matters more than others', and the last decides.
    changes.sort(key=lambda one: (one.before in review.harmful, one.size * OWN ** (one.seat == own)))
    taught = [
        one
        for one in changes
        if one.loss or one.before in review.harmful or (one.scored and one.size >= LARGE * review.least)
    ]
    # Of luck there is little to learn: two falls and rises are enough.
    luck = [one for one in changes if one.lucky and not one.scored and one not in taught]
    luck = [one for one in luck if one.other < one.one][-2:] + [one for one in luck if one.other > one.one][-2:]
    mattered = [*luck, *(one for one in taught if not one.costless)][-MOST_CHANGES:]
    largest = sorted(mattered + [one for one in taught if one.costless], key=lambda one: (one.before, one.after))
    # A punishment is told with its mistake.
    replies = {one.reply for one in largest}
    return [one for one in largest if one.loss or not replies & {*range(one.before, one.after)}]


def _lucky(review: Review, change: Change) -> bool:
    """Whether chance decided a change, or what was hidden, and not what a seat of a hidden duel came to see.

    That hindsight tells, if it can. Team-mates know more than the one who moves: what a card does that they told of is
    no luck. Nor is a trick at a table, which its taker may have chosen to take.
    """
    seat, ends = change.seat or 0, review.played_on(change.after) * review.duel
    if ends and (ends[-1][seat] > ends[-1][1 - seat]) != (change.other > change.one):
        return False
    return (
        any(position.chance_to_move for position in review.positions[change.before + 1 : change.after + 1])
        # Others' cards and moves are not seen.
        or (review.game.hidden and review.duel and change.after - change.before > 1)
    )


def decisive(review: Review, chart: Chart, changes: Sequence[Change], own: int) -> Change | None:
    """The change that mattered most, to one's `own` seat before others, and in a duel where it turned.

    It is None if none is large at a table or in a team. A mistake may have cost nothing, or, as the cards lay, more
    than could be expected.
    """

    def weight(change: Change) -> float:
        loss = change.loss
        if change.costless or not loss:
            return change.size * (not loss)
        better, worse = [points[loss.seat] for points in review.endings(loss) * review.in_points] or (0, 0)
        return max(loss.before - loss.after, better - worse)

    won = review.duel and len({*review.positions[-1].points}) > 1
    before, after = turn_of(review, chart.series[0]) if won else (0, 0)
    most = max(
        changes,
        key=lambda one: (
            one.before < after and before < one.after,
            # From luck nobody learns.
            won and one.loss is not None and not one.costless,
            weight(one) * (1 + (one.seat == own)),
        ),
    )
    return most if review.duel or weight(most) >= LARGE * review.least else None


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
    """How many mistakes each seat, or the team, made, and at which moves, in words; "" without one."""
    moves = dict[str, list[str]]()
    for loss in losses_of(review):
        moves.setdefault("the team" if review.together and names[1:] else names[loss.seat], []).append(
            f"{loss.ply + 1}"
        )
    counts = [
        f"{name} made {len(some)} mistake{'s' * (len(some) > 1)} (move{'s' * (len(some) > 1)} {in_words(some)})"
        for name, some in sorted(moves.items(), key=lambda item: (item[0] != PERSON, -len(item[1])))
    ]
    told = in_words(counts)
    return f"{told[:1].upper()}{told[1:]}." * bool(told)


def _reply_to(review: Review, loss: Loss) -> int | None:
    """The ply of the move that punished a mistake: in the same round, or before the next mistake.

    In an open duel it is the answer where nothing is paid at once; where all is worked out the reasons tell it. At a
    table it is none that the better move would have cost as well, and any later one of a game that went on as hindsight
    has it. In a team it is that of whom it misled.
    """
    first, ends = loss.ply + 1, review.endings(loss) if review.in_points else []
    foreseen = ends and ends[1][loss.seat] == review.positions[-1].points[loss.seat]
    rest = review.positions[0].seats - 1 if review.in_points else PAID * (review.looks_on and not review.exact)
    end = min(first + (len(review.moves) if foreseen else rest), len(review.moves))
    wrong = (ply for ply in range(first, end) if review.looks_on and review.cost(ply) >= review.reported(ply))
    had = [review.has(position, loss.seat).value for position in review.positions[first : next(wrong, end) + 1]]
    paid = [one - other for one, other in itertools.pairwise(had)]
    most = max(paid, default=-1)
    worth = most >= review.least if review.leads else most > 0 or (review.looks_on and not most)
    reply = first + paid.index(most) if worth else None
    if reply and ends:
        # The better move may have cost as much.
        better = review.played_on(loss.ply, loss.better)[: reply + 2 - loss.ply]
        reply = reply if better[-1][loss.seat] > review.positions[reply + 1].points[loss.seat] else None
    return review.misled.get(loss.ply, reply)


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


def scores_of(review: Review) -> list[Change]:
    """The moves that changed a seat's points, each from that seat's own last move in the same round of the table on."""
    found = list[Change]()
    for last, two in enumerate(itertools.pairwise(position.points for position in review.positions)):
        seat, (one, other) = max(enumerate(zip(*two, strict=True)), key=lambda of: abs(of[1][1] - of[1][0]))
        if abs(other - one) < LEAST_POINTS:
            continue
        plies = range(last, max(-1, last - review.positions[0].seats), -1)
        first = next((ply for ply in plies if review.positions[ply].mover == seat), last)
        found.append(Change(first, last + 1, seat, one, other, scored=True))
    return found
