"""Rounds of rollouts: in a world drawn at random, each candidate move is made and the game played to its end.

The mover plays as its guide, the opponent as one of its models; at a larger table all others play alike. All candidates
of a round share the world, the players' random states and the outcomes of chance: common random numbers, which reduce
the variance of the differences between them. None of these are the game's own.
"""

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rulebots.game import Floats, Game, Ints
from rulebots.game.compiled import view_kernel
from rulebots.game.dtypes import records
from rulebots.game.random_numbers import apart, next_luck, shuffle, unchanged
from rulebots.game.seats import seats_kernel, worth_kernel
from rulebots.kernel import Kernel, kernel
from rulebots.play.loop import finish_kernel
from rulebots.players import Style, compiled_for
from rulebots.players.compiled import calling_back
from rulebots.search.rollout.replaying import (
    KnownPast,
    PlayerArrays,
    advance_kernel,
    no_past,
    player_arrays,
)

#: Rows of `RolloutTally.sums`: rollouts, returns, games won (or points, see `judge_kernel`), and how much more than the
#: guide's move they returned.
COUNT, RETURN, WON, GAIN = range(4)
#: Rows of `RoundsWorkspace.states`: the game that is played, the world of the round, a blank one, and the
#: determinization.
GAME, WORLD, BLANK, ROOT = range(4)


class RolloutTally(NamedTuple):
    """The returns of rollouts, by candidate and group of worlds."""

    #: float64[4, candidates, groups].
    sums: Floats
    #: float64[2]: the sums of the margins, or points, of the guide's move and of their squares.
    margins: Floats


class Worlds(NamedTuple):
    """Where rounds begin: int64[n, numbers] of deals, the first `read` of them read; none: the determinization.

    `groups`, int64[n], says to which group of a tally each belongs: worlds of one origin are in one group. Without
    deals it has an entry for each group, and rounds take them in turn. `players`, int64[n], says which of the players
    that the opponent may be plays there.
    """

    deals: Ints
    groups: Ints
    players: Ints
    read: int


def redealt_worlds(groups: int) -> Worlds:
    """Worlds that are the determinization, dealt again in each round, in `groups` groups; the first player is there."""
    return Worlds(np.zeros((0, 0), np.int64), np.arange(groups), np.zeros(groups, np.int64), 0)


class RoundsWorkspace(NamedTuple):
    """What the kernel of rounds writes to, besides the style's workspace."""

    #: State records[4].
    states: Any
    #: int64[move_count], and int64[numbers] for a deal.
    moves: Ints
    deal: Ints
    #: int64[1] and int64[seats]: scratch, the random states of chance and of the seats.
    outcomes: Ints
    lucks: Ints
    #: int64[seats]: scratch, the points of the seats; float64[seats]: what a result is worth.
    points: Ints
    worth: Floats
    #: float64[1]: the points that return one half, where it is points that are returned.
    middle: Floats
    #: Whether it is how far ahead of the best other a seat is, where points count at a larger table.
    ahead: bool


def new_rounds_workspace(game: Game, numbers: int, *, ahead: bool = True) -> RoundsWorkspace:
    """Zeroed arrays."""
    seats = game.most_seats
    return RoundsWorkspace(
        states=records(game.state, 4),
        moves=np.zeros(game.move_count, np.int64),
        deal=np.zeros(numbers, np.int64),
        outcomes=np.zeros(1, np.int64),
        lucks=np.zeros(seats, np.int64),
        points=np.zeros(seats, np.int64),
        worth=np.zeros(seats),
        middle=np.zeros(1),
        ahead=ahead,
    )


def new_tally(candidates: int, groups: int) -> RolloutTally:
    """A tally without rollouts."""
    return RolloutTally(np.zeros((4, candidates, groups)), np.zeros(2))


@functools.cache
def play_out_kernel(style: Style, other: Style) -> Kernel[..., None]:
    """A kernel `(state, plies, luck, race, table)` that plays a game to its end after `plies` plies.

    `race` is a `Race`, `table` a `RoundsWorkspace`. The race's seat decides by the first style, all others by the other
    one. Their random states, and the outcomes of chance, come from `luck`.
    """
    seats_of = seats_kernel(style.game)
    finish = finish_kernel(style.game, decision_kernel(style, other))

    @kernel
    def play_out(state: Any, plies: int, luck: int, race: Any, table: Any) -> None:
        table.outcomes[0] = apart(luck)
        for one in range(seats_of(state)):
            table.lucks[one] = luck
            luck = next_luck(luck) if one == 0 else apart(luck)
        finish(state, plies, table.moves, table.outcomes, 0, (race.seat, table.lucks, race.mine, race.theirs))

    return play_out


def decision_kernel(style: Style, other: Style) -> Kernel[..., int]:
    """A kernel `(state, moves, n, row, arrays) -> move`: the race's seat by `style`, all others by `other`."""
    choose = style.choose
    answer = other.choose
    alike = other is style
    look = view_kernel(style.game)

    @kernel
    def decide(state: Any, moves: Any, n: int, row: int, arrays: Any) -> int:
        seat, lucks, mine, theirs = arrays
        mover = state.mover
        luck = next_luck(int(lucks[mover]))
        lucks[mover] = luck
        if alike:  # they differ in their weights only: one call makes the code half as large
            look(state, mine.views, luck)
            weights = mine.weights if mover == seat else theirs.weights
            return choose(mine.views[0], moves, n, weights, mine.blended, mine.scores)
        if mover == seat:
            look(state, mine.views, luck)
            return choose(mine.views[0], moves, n, mine.weights, mine.blended, mine.scores)
        look(state, theirs.views, luck)
        return answer(theirs.views[0], moves, n, theirs.weights, theirs.blended, theirs.scores)

    return decide


def rollouts_return_points(game: Game, seats: int) -> bool:
    """Whether rollouts return points at such a table.

    Where results are points (`Game.in_points`), they do, but at two seats against each other: see `judge_kernel`.
    """
    return game.in_points(seats) and (seats != 2 or game.together(seats))


@functools.cache
def judge_kernel(game: Game) -> Kernel[..., tuple[float, float, float]]:
    """A kernel `(state, seat, scale, table) -> (margin, returned, won)`: the value of a game's end for a seat.

    Two seats against each other: by how many points it is ahead; the logistic function of margin / scale, and 0 where
    the game stalls; and 1, 1/2 or 0. At other tables it is what `worth_kernel` says: its share of the win or of the
    places, 0 where the game stalls. Where points count, it is the logistic function of the lead over the best other,
    and the points; alone, in cooperative games, and unless `ahead`, the logistic function of the points above `middle`.
    """
    points = game.points
    over = game.over
    seats_of = seats_kernel(game)
    worth = worth_kernel(game)
    pairs = game.fewest_seats <= 2 <= game.most_seats and not game.together(2)
    counted = game.counts == "points"
    together = game.aim == "together"

    @kernel
    def of_pair(state: Any, seat: int, scale: float, table: Any) -> tuple[float, float, float]:
        margin = points(state, seat) - points(state, 1 - seat)
        returned = 0.0
        won = 0.0
        if over(state):
            returned = 1.0 / (1.0 + math.exp(min(max(-margin / scale, -500.0), 500.0)))
            won = (margin > 0) + (margin == 0) / 2.0
        return float(margin), returned, won

    @kernel
    def of_table(state: Any, seat: int, scale: float, table: Any) -> tuple[float, float, float]:
        seats = seats_of(state)
        if pairs and seats == 2:
            return of_pair(state, seat, scale, table)
        for one in range(seats):
            table.points[one] = points(state, one)
        worth(table.points, seats, table.worth)
        own = float(table.worth[seat])
        if counted or together or seats == 1:
            margin = own - table.middle[0]
            if table.ahead and not together and seats > 1:
                best = -np.inf
                for one in range(seats):
                    best = table.worth[one] if one != seat and table.worth[one] > best else best
                margin = own - best
            return margin, 1.0 / (1.0 + math.exp(min(max(-margin / scale, -500.0), 500.0))), own
        if not over(state):
            own = 0.0
        return own, own, own

    return of_table


class Race(NamedTuple):
    """The terms that all rounds of a decision share."""

    #: int64[n]: the moves that are compared, the guide's first.
    candidates: Ints
    #: The mover's seat, and the plies before the decision.
    seat: int
    plies: int
    #: The scale of returns: see `judge_kernel`.
    scale: float
    worlds: Worlds
    past: KnownPast
    #: The mover's arrays, and those of all others.
    mine: PlayerArrays
    theirs: PlayerArrays


def rounds_kernel(style: Style, other: Style) -> Kernel[..., int]:
    """A kernel `(places, who, race, tally, table, luck) -> luck` that plays rounds and adds their returns.

    `places`, int64[rounds], are the worlds in which the rounds begin; `who`, int64[k], the candidates in play, the
    guide's, 0, first. The others are `Race`, `RolloutTally` and `RoundsWorkspace`.
    """
    game = style.game
    play_out = play_out_kernel(style, other)
    advance = advance_kernel(style.game)
    play = game.play
    judge = judge_kernel(game)
    redeal = game.redeal or unchanged

    @kernel
    def play_rounds(places: Any, who: Any, race: Any, tally: Any, table: Any, luck: int) -> int:
        states = table.states
        sums = tally.sums
        worlds = race.worlds
        state = states[GAME]
        for number in range(places.shape[0]):
            place = places[number]
            group = worlds.groups[place]
            luck = next_luck(luck)
            if worlds.deals.shape[0] > 0:
                states[WORLD] = states[BLANK]
                for i in range(table.deal.shape[0]):
                    table.deal[i] = worlds.deals[place, i]
                unread = table.deal.shape[0] - race.past.hidden - worlds.read
                luck = shuffle(table.deal[worlds.read :], unread, luck)
                advance(states[WORLD], table.deal, race.past, table.moves, 0)
            else:
                states[WORLD] = states[ROOT]
                luck = redeal(states[WORLD], luck)
            luck = next_luck(luck)
            guides = 0.0
            for k in range(who.shape[0]):
                one = who[k]
                states[GAME] = states[WORLD]
                play(state, race.candidates[one])
                play_out(state, race.plies + 1, luck, race, table)
                margin, returned, won = judge(state, race.seat, race.scale, table)
                if k == 0:
                    guides = returned
                    tally.margins[0] += margin
                    tally.margins[1] += margin * margin
                sums[COUNT, one, group] += 1.0
                sums[RETURN, one, group] += returned
                sums[WON, one, group] += won
                sums[GAIN, one, group] += returned - guides
        return luck

    play_rounds.title = f"rollouts of {game.title}"
    return play_rounds


@functools.cache
def compiled_rounds(style: Style, other: Style) -> Callable[..., int]:
    """`rounds_kernel(style, other)`, compiled."""
    game = style.game
    none = np.zeros(0, np.int64)
    worlds = Worlds(np.zeros((0, 0), np.int64), none, none, 0)
    race = Race(none, 0, 0, 1.0, worlds, no_past(game), player_arrays(style), player_arrays(other))
    examples = (none, none, race, new_tally(1, 1), new_rounds_workspace(game, 0), 1)
    if other is style:
        return compiled_for(style, lambda one: rounds_kernel(one, one), *examples)
    if rounds_kernel(style, other).obstacle(*examples) is not None:
        other = calling_back(other)
    return compiled_for(style, lambda one: rounds_kernel(one, other), *examples)
