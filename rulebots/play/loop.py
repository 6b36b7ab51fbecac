"""The compiled match loop: kernels that set up, advance and count a batch of games.

Each kernel closes over one game's law (and one style's way of choosing), so that the same few lines serve every game,
compiled or interpreted.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.game import CHANCE, Game
from rulebots.game.checks import without_checks
from rulebots.game.compiled import view_kernel
from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.kernel.precompile import Compilation, precompile
from rulebots.play.deals import Deals, course_after
from rulebots.play.stepper import Stepper, ply_kernel
from rulebots.players import PlayerFault, Style, compiled_for

#: In a table of seats: the decision belongs to another side.
NOBODY = -1
#: How often an opening that ends the game is drawn again before the game begins without one.
OPENING_TRIES = 100


class BatchArrays(NamedTuple):
    """What kernels read and write of a batch of games."""

    #: State records[games].
    states: Any
    #: int64[move_count]: scratch, the legal moves.
    moves: npt.NDArray[np.int64]
    #: int64[games, seats]: the random states of the seats' players.
    luck: npt.NDArray[np.int64]
    #: int64[games]: the random states that outcomes of chance come from, which no player sees.
    outcomes: npt.NDArray[np.int64]
    #: int64[games]: the moves so far, those of chance and of the opening included.
    plies: npt.NDArray[np.int64]
    #: int64[games]: tell the games apart by their moves (see deals.py).
    courses: npt.NDArray[np.int64]
    #: bool[games]: which games are still going on. A game that reaches its ply cap without being over is stalled.
    active: npt.NDArray[np.bool_]
    #: int[games, plies] (see `room_for_moves`): the moves of each game, as far as there is room.
    chosen: npt.NDArray[np.signedinteger[Any]]


class Batch:
    """Games that advance together: their `arrays`, and what comes of them.

    `points` are int64[games, seats], `stalled` bool[games], `behaviour` float64[games, seats, statistics] (see
    `Game.behaviour`). `faults` are those that ended a game, by game.
    """

    def __init__(
        self, game: Game, luck: npt.NDArray[np.int64], chosen: npt.NDArray[np.signedinteger[Any]] | None = None
    ) -> None:
        size = len(luck)
        self.game = game
        self.arrays = BatchArrays(
            states=records(game.state, size),
            moves=np.zeros(game.move_count, np.int64),
            luck=luck,
            outcomes=np.ones(size, np.int64),
            plies=np.zeros(size, np.int64),
            courses=np.zeros(size, np.int64),
            active=np.ones(size, np.bool_),
            chosen=room_for_moves(game, size, 0) if chosen is None else chosen,
        )
        self.points = np.zeros(luck.shape, np.int64)
        self.stalled = np.zeros(size, np.bool_)
        self.behaviour = np.zeros((*luck.shape, len(game.behaviour)))
        self.faults = dict[int, PlayerFault]()
        #: The deals that the games began with, and which of them each has; None for games that began elsewhere.
        self.dealt: tuple[Deals, npt.NDArray[np.int64]] | None = None

    @property
    def options(self) -> dict[str, int]:
        """The options that the games are played with; empty where these began elsewhere than with a deal."""
        return {} if self.dealt is None else self.dealt[0].named_options


def room_for_moves(game: Game, games: int, plies: int) -> npt.NDArray[np.signedinteger[Any]]:
    """Zeros of shape [games, plies], in the smallest integers that hold the game's moves."""
    return np.zeros((games, plies), np.min_scalar_type(-game.move_count))


class DealtArrays(NamedTuple):
    """What games begin with: `which`, int64[games], are rows of `cards` and `openings`, for which see `Deals`."""

    cards: npt.NDArray[np.int64]
    which: npt.NDArray[np.int64]
    options: Any
    openings: npt.NDArray[np.int64]
    opening_plies: int
    #: State records[1], a blank one, and int64[1], the random state of an opening: scratch.
    blank: Any
    luck: npt.NDArray[np.int64]


def dealt_arrays(deals: Deals, which: npt.NDArray[np.int64]) -> DealtArrays:
    """Arrays for games that begin with these deals."""
    blank = records(deals.game.state, 1)
    luck = np.zeros(1, np.int64)
    return DealtArrays(deals.cards, which, deals.options, deals.openings, deals.opening_plies, blank, luck)


def begin(batch: Batch, deals: Deals, which: npt.NDArray[np.int64]) -> None:
    """Set up the games of a batch, each from the deal that `which` (int64[games]) names, and play their openings."""
    batch.dealt = deals, which
    batch.arrays.courses[:] = deals.courses[which]
    batch.arrays.outcomes[:] = deals.outcomes[which]
    set_up = compiled_opening if deals.opening_plies else compiled_setup
    set_up(deals.game)(batch.arrays, dealt_arrays(deals, which))


@functools.cache
def setup_kernel(game: Game) -> Kernel[..., None]:
    """A kernel `(batch, dealt)` that sets up games, of `BatchArrays` and `DealtArrays`."""
    setup = game.setup

    @kernel
    def set_up(batch: Any, dealt: Any) -> None:
        for g in range(dealt.which.shape[0]):
            batch.states[g] = dealt.blank[0]
            setup(batch.states[g], dealt.cards[dealt.which[g]], dealt.options)

    return set_up


@functools.cache
def opening_kernel(game: Game) -> Kernel[..., None]:
    """A kernel `(batch, dealt)` that sets up games and plays their opening moves, drawn from `openings`.

    Players' random states do not advance; outcomes of chance are drawn as later in the game. An opening that ends the
    game is drawn again, from where the random states are then.
    """
    setup = game.setup
    over = game.over

    @kernel
    def draw_move(state: Any, moves: Any, n: int, g: int, luck: Any) -> int:
        luck[0] = next_luck(luck[0])
        return moves[luck[0] % n]

    ply = ply_kernel(game, draw_move)

    @kernel
    def open_games(batch: Any, dealt: Any) -> None:
        for g in range(dealt.which.shape[0]):
            which = dealt.which[g]
            state = batch.states[g]
            course = batch.courses[g]
            dealt.luck[0] = dealt.openings[which]
            tries = OPENING_TRIES
            going = False
            while not going:
                batch.states[g] = dealt.blank[0]
                setup(state, dealt.cards[which], dealt.options)
                batch.plies[g] = 0
                batch.courses[g] = course
                going = True
                while going and tries > 0 and batch.plies[g] < dealt.opening_plies:
                    note_ply(batch, g, ply(state, batch.moves, batch.outcomes, g, dealt.luck))
                    going = not over(state)
                tries -= 1

    return open_games


@kernel
def note_ply(batch: Any, g: int, move: int) -> None:
    """Note a move that was made in game g of the `BatchArrays`."""
    if batch.plies[g] < batch.chosen.shape[1]:
        batch.chosen[g, batch.plies[g]] = move
    batch.courses[g] = course_after(batch.courses[g], move)
    batch.plies[g] += 1


@functools.cache
def result_kernel(game: Game) -> Kernel[..., None]:
    """A kernel `count(states, points, stalled, behaviour)` that reads the results of games."""
    points = game.points
    over = game.over
    behave = _in_columns(tuple(game.behaviour.values()))

    @kernel
    def count(states: Any, result: Any, stalled: Any, behaviour: Any) -> None:
        for g in range(result.shape[0]):
            for seat in range(result.shape[1]):
                result[g, seat] = points(states[g], seat)
                behave(states[g], seat, behaviour[g, seat], 0)
            stalled[g] = not over(states[g])

    return count


def _in_columns(statistics: tuple[Kernel[..., Any], ...]) -> Kernel[..., None]:
    """A kernel `behave(state, seat, out, column)` that writes each statistic into a column of out, from that on."""
    if not statistics:

        @kernel
        def nothing(state: Any, seat: int, out: Any, column: int) -> None:
            pass

        return nothing
    # Nested calls, because Numba cannot loop over different functions.
    first = statistics[0]
    others = _in_columns(statistics[1:])

    @kernel
    def behave(state: Any, seat: int, out: Any, column: int) -> None:
        out[column] = first(state, seat)
        others(state, seat, out, column + 1)

    return behave


class SideArrays(NamedTuple):
    """What a compiled side decides with."""

    #: int64[games, seats]: the row of `weights` that decides for each seat, or NOBODY.
    seats: npt.NDArray[np.int64]
    #: float64[rows, 2, columns].
    weights: npt.NDArray[np.float64]
    #: The style's `Workspace`.
    views: Any
    blended: npt.NDArray[np.float64]
    scores: npt.NDArray[np.float64]


def side_arrays(style: Style, seats: npt.NDArray[np.int64], weights: npt.NDArray[np.float64]) -> SideArrays:
    """Those arrays, with a new workspace: batches may be played in several threads."""
    return SideArrays(seats, weights, *style.workspace())


@functools.cache
def advance_kernel(style: Style) -> Kernel[..., None]:
    """A kernel `(batch, side)` that plays each game on for as long as the decisions belong to the side, or to chance.

    `batch` are `BatchArrays`, `side` are `SideArrays`.
    """
    game = style.game
    choose = style.choose
    look = view_kernel(style.game)
    over = game.over
    cap = game.ply_cap
    chance = game.chance

    @kernel
    def decide(state: Any, moves: Any, n: int, g: int, arrays: Any) -> int:
        luck, side = arrays
        seat = state.mover
        luck[g, seat] = next_luck(luck[g, seat])
        look(state, side.views, luck[g, seat])
        return choose(side.views[0], moves, n, side.weights[side.seats[g, seat]], side.blended, side.scores)

    ply = ply_kernel(game, decide)

    @kernel
    def advance(batch: Any, side: Any) -> None:
        for g in range(batch.plies.shape[0]):
            state = batch.states[g]
            while batch.active[g]:
                if not (chance and state.mover == CHANCE) and side.seats[g, state.mover] < 0:
                    break
                note_ply(batch, g, ply(state, batch.moves, batch.outcomes, g, (batch.luck, side)))
                batch.active[g] = not over(state) and batch.plies[g] < cap

    chosen_by = without_checks(style.choose).function.__name__.removeprefix("choose_")
    who = f"'{chosen_by}'" if style.rules is None else f"the rule set '{style.rules.name}'"
    advance.title = f"{game.title} for {who}"
    return advance


@functools.cache
def compiled_setup(game: Game) -> Callable[..., None]:
    """`setup_kernel(game)`, compiled or loaded from the cache, once."""
    return runnable(setup_kernel(game), *_no_games(game))


@functools.cache
def compiled_opening(game: Game) -> Callable[..., None]:
    """`opening_kernel(game)`, compiled likewise."""
    return runnable(opening_kernel(game), *_no_games(game))


@functools.cache
def compiled_results(game: Game) -> Callable[..., None]:
    """`result_kernel(game)`, compiled likewise."""
    batch = _no_batch(game)
    return runnable(result_kernel(game), batch.arrays.states, batch.points, batch.stalled, batch.behaviour)


@functools.cache
def compiled_advance(style: Style) -> Callable[..., None]:
    """`advance_kernel(style)`, compiled; rules that Numba cannot compile are called back in Python."""
    side = side_arrays(style, np.zeros((0, 2), np.int64), np.zeros((1, 2, style.columns)))
    return compiled_for(style, advance_kernel, _no_batch(style.game).arrays, side)


def _no_batch(game: Game) -> Batch:
    return Batch(game, np.ones((0, 2), np.int64))


def _no_games(game: Game) -> tuple[BatchArrays, DealtArrays]:
    none = np.zeros(0, np.int64)
    blank = records(game.state, 1)
    dealt = DealtArrays(np.zeros((1, 1), np.int64), none, game.option_values(), none, 0, blank, np.zeros(1, np.int64))
    return _no_batch(game).arrays, dealt


def compilations(game: Game, styles: Iterable[Style], *, openings: bool) -> list[Compilation]:
    """What matches between players of these styles call; `openings` says whether games begin with opening moves."""
    kernel_of, ready = (opening_kernel, compiled_opening) if openings else (setup_kernel, compiled_setup)
    return [
        Compilation(kernel_of(game), functools.partial(ready, game)),
        Compilation(result_kernel(game), functools.partial(compiled_results, game)),
        *(Compilation(advance_kernel(style), functools.partial(compiled_advance, style)) for style in styles),
    ]


def prepare(game: Game, styles: tuple[Style, ...], *, openings: bool) -> None:
    """Compile that, or load it, on all cores; once."""
    precompile(compilations(game, styles, openings=openings))


def after_opening(deals: Deals, which: int = 0) -> Stepper:
    """The game of that deal, as matches play it, after its opening."""
    game = deals.game
    batch = Batch(game, deals.luck[which : which + 1].copy(), room_for_moves(game, 1, deals.opening_plies))
    begin(batch, deals, np.array([which]))
    arrays = batch.arrays
    position = Position(game, batch.options, deals.cards[which], luck=arrays.luck[0], compiled=True)
    for move in arrays.chosen[0, : arrays.plies[0]].tolist():
        position.play(move, chosen=False)
    return Stepper(position, int(arrays.outcomes[0]))
