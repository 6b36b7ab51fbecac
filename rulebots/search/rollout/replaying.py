"""A game replayed from another deal: whether it is possible, and how likely a model makes its moves.

All others are one opponent: at a table of more than two, one model makes the moves of all of them. A *model* of the
opponent draws its moves by a softmax of a player's scores, and any legal move once in a while. Its temperature says how
far it strays from that player's own choice.

Moves that are hidden from the seat, such as a passed card, follow the numbers of each deal.

Some numbers of a deal the game has not read yet, such as the cards of a deck: no player knows their order. Of those
that it has read, some are unknown to the mover: they can change places with the unread ones.
"""

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.game import CHANCE, Floats, Game, Ints
from rulebots.game.compiled import view_kernel
from rulebots.game.dtypes import records
from rulebots.game.random_numbers import below, next_luck
from rulebots.game.seats import seats_kernel
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.players import Style
from rulebots.rules.scoring import scorer
from rulebots.search.transposition import records_in_words

#: How often a model plays any legal move, all equally likely.
BLUNDERS = 0.02
#: Rows of `ReplayWorkspace.states` and of `ReplayWorkspace.seen`.
WORK = 0
BLANK = 1
ROOT = 2


class KnownPast(NamedTuple):
    """A game so far, as one seat has seen it."""

    #: int64[plies]: the movers, seats or CHANCE, and the moves; UNKNOWN where hidden from the seat.
    seats: Ints
    moves: Ints
    #: The number of unknown moves: each deal has them, in order, after its own numbers.
    hidden: int
    #: A record of the options' values.
    options: Any


class ReplayWorkspace(NamedTuple):
    """What the kernels of a belief write to, besides the style's workspace."""

    #: State records[3]: one to work in, a blank one, and the determinization that the search was given; and uint8[3,
    #: bytes], their memory.
    states: Any
    bytes: npt.NDArray[np.uint8]
    #: View records[3]: one to work in, a blank one, and what the mover sees; and int64[3, words], their memory.
    seen: Any
    words: Ints
    #: int64[move_count]: legal moves.
    moves: Ints


def new_replay_workspace(game: Game) -> ReplayWorkspace:
    """Zeroed arrays."""
    seen, words = records_in_words(game.view, 3)
    states = records(game.state, 3)
    return ReplayWorkspace(
        states=states,
        bytes=states.view(np.uint8).reshape(3, -1),
        seen=seen,
        words=words,
        moves=np.zeros(game.move_count, np.int64),
    )


class PlayerArrays(NamedTuple):
    """A player's weights, float64[2, columns], and its style's `Workspace`."""

    weights: Floats
    views: Any
    blended: Floats
    scores: Floats


def player_arrays(style: Style, weights: Floats | None = None) -> PlayerArrays:
    """Arrays with a new workspace; by default with weights of 0."""
    return PlayerArrays(np.zeros((2, style.columns)) if weights is None else weights, *style.workspace())


class ReplayArrays(NamedTuple):
    """The arguments of a replay: the past, the seat that knows it, and the player that models all others."""

    past: KnownPast
    seat: int
    #: float64[models]: one over the temperature of each model.
    inverses: Floats
    workspace: ReplayWorkspace
    player: PlayerArrays


def walk_kernel(game: Game, fits: Kernel[..., bool]) -> Kernel[..., bool]:
    """A kernel `(state, deal, past, moves, arguments) -> possible` that plays the past on a blank state.

    A move that the past does not know is the deal's next one after its own numbers. `fits(state, moves, n, place,
    arguments)` is asked before each move, moves[place] of the legal ones moves[:n]; where it is false, the walk ends.
    """
    setup = game.setup
    play = game.play
    moves_of = game.moves
    over = game.over

    @kernel
    def walk(state: Any, deal: Any, past: Any, moves: Any, arguments: Any) -> bool:
        unknown = deal.shape[0] - past.hidden
        setup(state, deal, past.options)
        for ply in range(past.moves.shape[0]):
            if over(state) or state.mover != past.seats[ply]:
                return False
            n = moves_of(state, moves)
            move = past.moves[ply]
            if move < 0:
                move = deal[unknown]
                unknown += 1
            place = -1
            for i in range(n):
                if moves[i] == move:
                    place = i
            if place < 0 or not fits(state, moves, n, place, arguments):
                return False
            play(state, move)
        return True

    return walk


@kernel
def anything_fits(state: Any, moves: Any, n: int, place: int, arguments: Any) -> bool:
    """Without a model of the opponent, every legal move fits."""
    return True


@functools.cache
def advance_kernel(game: Game) -> Kernel[..., bool]:
    """The walk of `walk_kernel` without any model; its `arguments` are not read."""
    return walk_kernel(game, anything_fits)


@functools.cache
def replay_kernel(style: Style) -> Kernel[..., bool]:
    """A kernel `(deal, logs, model, least, replayed) -> possible` that replays a game from a deal.

    `replayed` are `ReplayArrays`; the last state stays in the first one of the workspace. Of the moves of the other
    seats `logs`, float64[models + 2], gets the log likelihood by each model; then the sum of the differences between
    the best score and the mean of all legal moves, and the number of these decisions. It stops, and returns False, as
    soon as the log likelihood by `model` is below `least`.
    """
    assert style.rules is not None
    game = style.game
    score = scorer(style.rules)
    look = view_kernel(style.game)
    observe = game.observe

    @kernel
    def is_likely(state: Any, moves: Any, n: int, place: int, arguments: Any) -> bool:
        logs, model, least, replayed = arguments
        weights, views, blended, scores = replayed.player
        models = replayed.inverses.shape[0]
        if state.mover in (replayed.seat, CHANCE) or n == 1:
            return True
        look(state, views, 1)
        score(views[0], moves, n, weights, blended, scores)
        best = -np.inf
        mean = 0.0
        for i in range(n):
            best = scores[i] if scores[i] > best else best  # noqa: FURB136 - max() may let a NaN win
        if best > -np.inf:
            for i in range(n):
                mean += (scores[i] if scores[i] > -np.inf else best) / n
            logs[models] += best - mean
            logs[models + 1] += 1.0
            for k in range(models):
                total = 0.0
                for i in range(n):
                    if scores[i] > -np.inf:
                        total += math.exp((scores[i] - best) * replayed.inverses[k])
                share = math.exp((scores[place] - best) * replayed.inverses[k]) if scores[place] > -np.inf else 0.0
                logs[k] += math.log((1.0 - BLUNDERS) * share / total + BLUNDERS / n)
            return logs[model] >= least
        return True

    walk = walk_kernel(game, is_likely)

    @kernel
    def replay(deal: Any, logs: Any, model: int, least: float, replayed: Any) -> bool:
        scratch = replayed.workspace
        scratch.states[WORK] = scratch.states[BLANK]
        state = scratch.states[WORK]
        logs[:] = 0.0
        if not walk(state, deal, replayed.past, scratch.moves, (logs, model, least, replayed)):
            return False
        if state.mover != replayed.seat:
            return False
        scratch.seen[WORK] = scratch.seen[BLANK]
        observe(state, scratch.seen[WORK])
        return sees_the_same(scratch)

    return replay


@kernel
def sees_the_same(scratch: Any) -> bool:
    """Whether the views WORK and ROOT of a `ReplayWorkspace` are equal."""
    same = True
    for word in range(scratch.words.shape[1]):
        same &= scratch.words[WORK, word] == scratch.words[ROOT, word]
    return same


def no_past(game: Game) -> KnownPast:
    """An unknown past."""
    return KnownPast(np.zeros(0, np.int64), np.zeros(0, np.int64), 0, game.option_values())


def numbers_read_kernel(game: Game) -> Kernel[..., int]:
    """A kernel `(deal, other, past, scratch, positions) -> read`: how many numbers, from the first on, are read so far.

    By bisection: the numbers from `read` on can change places, and no seat sees it by the end of the past. `other` is
    int64[numbers] of scratch. `positions`, state records[2], get the ends of the past with these numbers in their
    places and in others: where both are the same, as with the cards of a hand, their order means nothing.
    """
    advance = advance_kernel(game)
    observe = game.observe
    seats_of = seats_kernel(game)

    @kernel
    def look_as(state: Any, seat: int, scratch: Any, row: int) -> None:
        mover = state.mover
        state.mover = seat
        scratch.seen[row] = scratch.seen[BLANK]
        observe(state, scratch.seen[row])
        state.mover = mover

    @kernel
    def numbers_read(deal: Any, other: Any, past: Any, scratch: Any, positions: Any) -> int:
        length = deal.shape[0] - past.hidden
        low = 0
        high = length
        last = False
        while not last:
            last = low == high
            middle = (low + high) // 2
            for i in range(deal.shape[0]):
                other[i] = deal[i]
            for i in range(middle, length):
                other[i] = deal[i + 1 if i + 1 < length else middle]
            positions[0] = scratch.states[BLANK]
            positions[1] = scratch.states[BLANK]
            same = advance(positions[0], deal, past, scratch.moves, 0) & advance(
                positions[1], other, past, scratch.moves, 0
            )
            if last:
                break
            if same:
                for seat in range(seats_of(positions[0])):
                    look_as(positions[0], seat, scratch, WORK)
                    look_as(positions[1], seat, scratch, ROOT)
                    same &= sees_the_same(scratch)
            if same:
                high = middle
            else:
                low = middle + 1
        return high

    numbers_read.title = f"deals of {game.title}"
    return numbers_read


@functools.cache
def swaps_kernel(game: Game) -> Kernel[..., int]:
    """A kernel `(deals, counts, past, scratch, before, luck) -> luck`: where numbers can change places.

    `counts`, int64[read], is for the numbers that the game has read. In each of the deals, int64[n, numbers], each of
    these changes places with an unread one, drawn at random; with any other where all are read. It counts in how many
    deals the past was possible then, with what the mover sees, and not all was as before: cards of one hand that change
    places change nothing.
    `before` is uint8[bytes] of scratch.
    """
    advance = advance_kernel(game)
    observe = game.observe

    @kernel
    def swaps(deals: Any, counts: Any, past: Any, scratch: Any, before: Any, luck: int) -> int:
        state = scratch.states[WORK]
        length = deals.shape[1] - past.hidden
        read = counts.shape[0]
        first = read if read < length else 0
        for one in range(deals.shape[0]):
            deal = deals[one]
            scratch.states[WORK] = scratch.states[BLANK]
            advance(state, deal, past, scratch.moves, 0)
            before[:] = scratch.bytes[WORK]
            for i in range(read):
                luck = next_luck(luck)
                j = first + below(luck, length - first)
                exchange(deal, i, j, length)
                scratch.states[WORK] = scratch.states[BLANK]
                if advance(state, deal, past, scratch.moves, 0):
                    scratch.seen[WORK] = scratch.seen[BLANK]
                    observe(state, scratch.seen[WORK])
                    changed = False
                    for byte in range(before.shape[0]):
                        changed |= scratch.bytes[WORK, byte] != before[byte]
                    counts[i] += sees_the_same(scratch) & changed
                exchange(deal, i, j, length)
        return luck

    swaps.title = f"hidden numbers of {game.title}"
    return swaps


@kernel
def exchange(deal: Any, i: int, j: int, length: int) -> None:
    """Let two numbers of a deal, int64, change places, also in the moves after the first `length`, which may name them.

    A seat that passed one of two cards then passes the other one. Doing it twice changes nothing.
    """
    one = deal[i]
    other = deal[j]
    deal[i] = other
    deal[j] = one
    for k in range(length, deal.shape[0]):
        if deal[k] == one:
            deal[k] = other
        elif deal[k] == other:
            deal[k] = one


@functools.cache
def compiled_numbers_read(game: Game) -> Callable[..., int]:
    """`numbers_read_kernel(game)`, compiled."""
    deal = np.zeros(0, np.int64)
    return runnable(
        numbers_read_kernel(game), deal, deal, no_past(game), new_replay_workspace(game), records(game.state, 2)
    )


@functools.cache
def compiled_swaps(game: Game) -> Callable[..., int]:
    """`swaps_kernel(game)`, compiled."""
    none = np.zeros(0, np.int64)
    scratch = new_replay_workspace(game)
    return runnable(
        swaps_kernel(game), np.zeros((0, 0), np.int64), none, no_past(game), scratch, scratch.bytes[WORK].copy(), 1
    )
