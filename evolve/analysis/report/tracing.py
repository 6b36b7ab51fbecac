"""Games replayed move by move: what there was to choose from, what was chosen, and who was ahead."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evolve.analysis.measuring import Ints
from rulebots.game import CHANCE, Game
from rulebots.game.dtypes import records
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.play.deals import Deals
from rulebots.play.loop import room_for_moves
from rulebots.play.results import Games

#: The moves of a game with more of them are not counted one by one, only their kinds.
MOST_MOVES = 2048
#: A position is kept at each tenth of a game but the last.
MARKS = 9
#: Instead of a seat: nobody wins, or is ahead.
NOBODY = -1


class Courses(NamedTuple):
    """The games to replay: `cards` and `options` of the deals, and int64[games] but `moves` int64[games, plies].

    `marks` int64[games, MARKS] are the plies before which a position is kept.
    """

    cards: Any
    options: Any
    moves: Any
    openings: Ints
    plies: Ints
    marks: Ints


class Trace(NamedTuple):
    """What happened in games; random openings and outcomes of chance are not choices, and do not count.

    `choices` int64[games, plies] is the number of legal moves at each decision, 0 at other plies, and `leads`
    int64[games, plies] the seat with the most points after each ply, or NOBODY. `offered` and `taken`, int64[games,
    seats, moves], count by seat the decisions between at least two moves in which a move was legal, and those in which
    it was chosen; without moves if a game has more than MOST_MOVES. `kinds_offered` and `kinds_taken`, int64[games,
    seats, kinds], count in the same way the decisions between at least two kinds of moves. `states` are records[games *
    MARKS] of the positions at each tenth of a game.
    """

    choices: Ints
    leads: Ints
    offered: Ints
    taken: Ints
    kinds_offered: Ints
    kinds_taken: Ints
    states: npt.NDArray[np.void]


def trace(deals: Deals, games: Games) -> tuple[Trace, Ints]:
    """Replay games that play deal after deal once and have kept their moves; and the plies of the kept states."""
    going = games.plies - games.openings
    marks = games.openings[:, None] + going[:, None] * np.arange(1, MARKS + 1) // (MARKS + 1)
    courses = Courses(deals.cards, deals.options, games.moves, games.openings, games.plies, marks)
    found = _room(deals.game, len(games.plies), int(games.plies.max(initial=0)), deals.seats)
    _compiled(deals.game)(courses, found, *_scratch(deals.game))
    return found, marks


def _room(game: Game, games: int, plies: int, seats: int) -> Trace:
    """A trace of nothing yet."""
    moves = game.move_count if game.move_count <= MOST_MOVES else 0
    choices, leads = np.zeros((2, games, plies), np.int64)
    offered, taken = np.zeros((2, games, seats, moves), np.int64)
    kinds_offered, kinds_taken = np.zeros((2, games, seats, len(game.kinds)), np.int64)
    states = records(game.state, games * MARKS)
    return Trace(choices, leads, offered, taken, kinds_offered, kinds_taken, states)


def _scratch(game: Game) -> tuple[Any, Ints, Ints]:
    """Room for the state, a blank one, the legal moves, and the kinds among them."""
    return records(game.state, 2), np.zeros(game.move_count, np.int64), np.zeros(len(game.kinds), np.int64)


@functools.cache
def trace_kernel(game: Game) -> Kernel[..., None]:
    """A kernel that replays `Courses` and fills a `Trace`."""
    setup = game.setup
    moves_of = game.moves
    play = game.play
    points = game.points
    kind_of = game.kind
    kinds = len(game.kinds)

    @kernel
    def follow(courses: Any, found: Any, states: Any, moves: Any, present: Any) -> None:
        for g in range(courses.plies.shape[0]):
            states[0] = states[1]
            setup(states[0], courses.cards[g], courses.options)
            mark = 0
            for ply in range(courses.plies[g]):
                while mark < MARKS and courses.marks[g, mark] == ply:
                    found.states[g * MARKS + mark] = states[0]
                    mark += 1
                move = int(courses.moves[g, ply])
                mover = states[0].mover
                if ply >= courses.openings[g] and mover != CHANCE:
                    n = moves_of(states[0], moves)
                    found.choices[g, ply] = n
                    for k in range(kinds):
                        present[k] = 0
                    for i in range(n):
                        present[kind_of(moves[i])] = 1
                        if n > 1 and found.offered.shape[2] > 0:
                            found.offered[g, mover, moves[i]] += 1
                    if n > 1 and found.offered.shape[2] > 0:
                        found.taken[g, mover, move] += 1
                    several = 0
                    for k in range(kinds):
                        several += present[k]
                    if several > 1:
                        for k in range(kinds):
                            found.kinds_offered[g, mover, k] += present[k]
                        found.kinds_taken[g, mover, kind_of(move)] += 1
                play(states[0], move)
                most = points(states[0], 0)
                found.leads[g, ply] = 0
                for seat in range(1, found.offered.shape[1]):
                    have = points(states[0], seat)
                    if have > most:
                        found.leads[g, ply] = seat
                        most = have
                    elif have == most:
                        found.leads[g, ply] = NOBODY

    follow.title = f"{game.title}, its games move by move"
    return follow


@functools.cache
def _compiled(game: Game) -> Callable[..., None]:
    """`trace_kernel(game)`, compiled."""
    none = np.zeros(0, np.int64)
    cards = np.zeros((1, 1), np.int64)
    courses = Courses(cards, game.option_values(), room_for_moves(game, 0, 0), none, none, np.zeros((0, 0), np.int64))
    return runnable(trace_kernel(game), courses, _room(game, 0, 0, 2), *_scratch(game))
