"""The compiled match loop: kernels that set up, advance and count a batch of games, and the sides that take turns.

Each kernel closes over one game's law (and one style's way of choosing), so that the same few lines serve every game,
compiled or interpreted. Players of one compiled style are one side, whose turn is one compiled call over the whole
batch. stepper.py has the loop in Python.
"""

import copy
import functools
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from rulebots.game import CHANCE, Bools, Floats, Game, Ints
from rulebots.game.chance import draw_kernel
from rulebots.game.compiled import view_kernel
from rulebots.game.courses import course_after
from rulebots.game.dtypes import records
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.kernel.precompile import Compilation, precompile
from rulebots.kernel.user_code import check_seconds
from rulebots.play.deals import OPENING_TRIES, Deals
from rulebots.play.live_games import begin_live
from rulebots.players import Player, PlayerFault, Style, compiled_for
from rulebots.players.compiled import is_compiled

#: In a table of seats: the decision belongs to another side.
NOBODY = -1


class BatchArrays(NamedTuple):
    """What kernels read and write of a batch of games."""

    #: State records[games].
    states: Any
    #: int64[move_count]: scratch, the legal moves.
    moves: Ints
    #: int64[games, seats]: the random states of the seats' players.
    luck: Ints
    #: int64[games]: the random states that outcomes of chance come from, which no player sees.
    outcomes: Ints
    #: int64[games]: the moves so far, those of chance and of the opening included.
    plies: Ints
    #: int64[games]: tell the games apart by their moves (see deals.py).
    courses: Ints
    #: bool[games]: which games are still going on. A game that reaches its ply cap without being over is stalled.
    active: Bools
    #: int[games, plies] (see `room_for_moves`): the moves of each game, as far as there is room.
    chosen: npt.NDArray[np.signedinteger[Any]]


class Batch:
    """Games that advance together: their `arrays`, and what comes of them.

    `points` are int64[games, seats], `stalled` bool[games], `behaviour` float64[games, seats, statistics] (see
    `Game.behaviour`). `faults` are those that ended a game, by game.
    """

    def __init__(self, game: Game, luck: Ints, chosen: npt.NDArray[np.signedinteger[Any]] | None = None) -> None:
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
        self.dealt: tuple[Deals, Ints] | None = None

    @property
    def options(self) -> dict[str, int]:
        """The options that the games are played with; empty where these began elsewhere than with a deal."""
        return {} if self.dealt is None else self.dealt[0].named_options


def room_for_moves(game: Game, games: int, plies: int) -> npt.NDArray[np.signedinteger[Any]]:
    """Zeros of shape [games, plies], in the smallest integers that hold the game's moves."""
    return np.zeros((games, plies), np.min_scalar_type(-game.move_count))


class DealtArrays(NamedTuple):
    """What games begin with: `which`, int64[games], are rows of `cards` and `openings`, for which see `Deals`."""

    cards: Ints
    which: Ints
    options: Any
    openings: Ints
    opening_plies: int
    #: State records[1], a blank one, and int64[1], the random state of an opening: scratch.
    blank: Any
    luck: Ints


def _dealt_arrays(
    game: Game, cards: Ints, which: Ints, options: Any, openings: Ints, opening_plies: int
) -> DealtArrays:
    return DealtArrays(
        cards, which, options, openings, opening_plies, records(game.state, 1), luck=np.zeros(1, np.int64)
    )


def begin(batch: Batch, deals: Deals, which: Ints) -> None:
    """Set up the games of a batch, each from the deal that `which` (int64[games]) names, and play their openings."""
    batch.dealt = deals, which
    batch.arrays.courses[:] = deals.courses[which]
    batch.arrays.outcomes[:] = deals.outcomes[which]
    if deals.game.live is not None:
        begin_live(batch, deals, which)
        return
    dealt = _dealt_arrays(deals.game, deals.cards, which, deals.options, deals.openings, deals.opening_plies)
    compiled_begin(deals.game, openings=deals.opening_plies > 0)(batch.arrays, dealt)


@functools.cache
def ply_kernel(game: Game, decide: Kernel[..., int]) -> Kernel[..., int]:
    """A kernel `(state, moves, outcomes, row, arrays) -> move` that plays one ply of a game that goes on.

    Chance draws with the random state outcomes[row], int64[rows], which advances first. Any other mover decides by
    `decide(state, moves, n, row, arrays) -> move`. `moves`, int64[move_count], gets the n legal moves.
    """
    moves_of = game.moves
    play = game.play
    chance = game.chance
    draw = draw_kernel(game)

    @kernel
    def ply(state: Any, moves: Any, outcomes: Any, row: int, arrays: Any) -> int:
        n = moves_of(state, moves)
        if chance and state.mover == CHANCE:
            outcomes[row] = next_luck(outcomes[row])
            move = draw(state, moves, n, outcomes[row])
        else:
            move = decide(state, moves, n, row, arrays)
        play(state, move)
        return move

    return ply


@functools.cache
def finish_kernel(game: Game, decide: Kernel[..., int]) -> Kernel[..., None]:
    """A kernel `(state, plies, moves, outcomes, row, arrays)` that plays a game to its end; see `ply_kernel`.

    `plies` were played before.
    """
    over = game.over
    cap = game.ply_cap
    ply = ply_kernel(game, decide)

    @kernel
    def finish(state: Any, plies: int, moves: Any, outcomes: Any, row: int, arrays: Any) -> None:
        while plies < cap and not over(state):
            ply(state, moves, outcomes, row, arrays)
            plies += 1

    return finish


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

    open_games.title = f"openings of {game.title}"
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
    seats: Ints
    #: float64[rows, 2, columns].
    weights: Floats
    #: The style's `Workspace`.
    views: Any
    blended: Floats
    scores: Floats


def side_arrays(style: Style, seats: Ints, weights: Floats) -> SideArrays:
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

    moves_of = game.moves
    play = game.play
    draw = draw_kernel(game)

    @kernel
    def advance(batch: Any, side: Any) -> None:
        for g in range(batch.plies.shape[0]):
            state = batch.states[g]
            while batch.active[g]:
                seat = state.mover
                if chance and seat == CHANCE:
                    batch.outcomes[g] = next_luck(batch.outcomes[g])
                    move = draw(state, batch.moves, moves_of(state, batch.moves), batch.outcomes[g])
                else:
                    row = side.seats[g, seat]
                    if row < 0:
                        break
                    batch.luck[g, seat] = next_luck(batch.luck[g, seat])
                    look(state, side.views, batch.luck[g, seat])
                    n = moves_of(state, batch.moves)
                    move = choose(side.views[0], batch.moves, n, side.weights[row], side.blended, side.scores)
                play(state, move)
                note_ply(batch, g, move)
                batch.active[g] = not over(state) and batch.plies[g] < cap

    advance.title = game.title if style.rules is None else f"{game.title} for the rule set '{style.rules.name}'"
    return advance


@functools.cache
def begin_kernel(game: Game, *, openings: bool) -> Kernel[..., None]:
    """The kernel that sets up games, which begin with opening moves or do not."""
    return opening_kernel(game) if openings else setup_kernel(game)


@functools.cache
def compiled_begin(game: Game, *, openings: bool) -> Callable[..., None]:
    """`begin_kernel`, compiled or loaded from the cache, once."""
    none = np.zeros(0, np.int64)
    dealt = _dealt_arrays(game, np.zeros((1, 1), np.int64), none, game.option_values(), none, 0)
    return runnable(begin_kernel(game, openings=openings), _no_batch(game).arrays, dealt)


@functools.cache
def compiled_results(game: Game) -> Callable[..., None]:
    """`result_kernel(game)`, compiled likewise."""
    batch = _no_batch(game)
    return runnable(result_kernel(game), batch.arrays.states, batch.points, batch.stalled, batch.behaviour)


@functools.cache
def compiled_advance(style: Style) -> Callable[..., None]:
    """`advance_kernel(style)`, compiled; rules that Numba cannot compile are called back in Python."""
    return compiled_for(
        style,
        advance_kernel,
        _no_batch(style.game).arrays,
        side_arrays(style, np.zeros((0, 2), np.int64), np.zeros((1, 2, style.columns))),
    )


def _no_batch(game: Game) -> Batch:
    return Batch(game, np.ones((0, 2), np.int64))


def compilations(game: Game, styles: Iterable[Style], *, openings: bool) -> list[Compilation]:
    """What matches between players of these styles call; `openings` says whether games begin with opening moves."""
    return [
        Compilation(begin_kernel(game, openings=openings), functools.partial(compiled_begin, game, openings=openings)),
        Compilation(result_kernel(game), functools.partial(compiled_results, game)),
        *(Compilation(advance_kernel(style), functools.partial(compiled_advance, style)) for style in styles),
    ]


def prepare(game: Game, styles: tuple[Style, ...], *, openings: bool) -> None:
    """Compile that, or load it, on all cores; once."""
    precompile(compilations(game, styles, openings=openings))


@dataclass(frozen=True)
class Terms:
    """What a match demands of the players that are asked in Python.

    A decision may take `move_seconds`, None for any time. A fault loses the game where `faults_lose`, and ends the
    match otherwise.
    """

    move_seconds: float | None = None
    faults_lose: bool = False

    def __post_init__(self) -> None:
        check_seconds(self.move_seconds)


#: Any time for a move; a fault ends the match.
NO_TERMS = Terms()


class Side:
    """Players that decide in the same way. `row` is int64[players]: the index of each player among them, or NOBODY."""

    row: Ints
    #: Whether a fault loses the game, and does not end the match.
    faults_lose: bool = False
    #: Whether the batch has to keep the moves of its games.
    needs_moves: bool = False

    def for_batch(self, batch: Batch, players: Ints) -> Self:
        """A copy of this side that plays one batch; `players` is int64[games, seats]."""
        raise NotImplementedError

    def take_turns(self, batch: Batch) -> None:
        """Advance every game of the batch until another side has to decide."""
        raise NotImplementedError

    def end(self, batch: Batch) -> list[PlayerFault]:
        """Tell the players how the games of the batch ended; gives the faults that they make of it."""
        return []


class CompiledSide(Side):
    """All players of one style, which differ only in their weights."""

    arrays: SideArrays

    def __init__(self, style: Style, players: Sequence[Player]) -> None:
        alike = [p for p in players if is_compiled(p) and p.style is style]
        row = {id(player): number for number, player in enumerate(alike)}
        self.row = np.array([row.get(id(player), NOBODY) for player in players], np.int64)
        self.weights = np.stack([p.weights for p in alike])
        self.style = style
        self.advance = compiled_advance(style)

    def for_batch(self, batch: Batch, players: Ints) -> Self:
        """With arrays for this batch."""
        side = copy.copy(self)
        side.arrays = side_arrays(self.style, self.row[players], self.weights)
        return side

    def take_turns(self, batch: Batch) -> None:
        """One compiled call."""
        self.advance(batch.arrays, self.arrays)


def play_on(batch: Batch, sides: Sequence[Side], players: Ints, ended: threading.Event | None = None) -> None:
    """Play the games of a batch to the end and read their results; `players` is int64[games, seats].

    A fault that ends the match sets `ended`, which ends the other batches too; without that event it is raised.
    """
    alone = ended is None
    ended = ended or threading.Event()
    active = batch.arrays.active
    sides = [side.for_batch(batch, players) for side in sides]
    try:
        while active.any() and not ended.is_set():
            for side in sides:
                side.take_turns(batch)
    except PlayerFault:
        ended.set()
    compiled_results(batch.game)(batch.arrays.states, batch.points, batch.stalled, batch.behaviour)
    for g, fault in batch.faults.items():
        _forfeit(batch, g, fault)
    if not active.any() and not ended.is_set():
        _tell_ends(batch, sides, ended)
    if alone and ended.is_set():
        raise next(iter(batch.faults.values()))


def _tell_ends(batch: Batch, sides: Sequence[Side], ended: threading.Event) -> None:
    """Tell the players how their games ended; a failure in that is a fault as well."""
    for side in sides:
        for fault in side.end(batch):
            batch.faults[0] = fault
            _forfeit(batch, 0, fault)
            if not side.faults_lose:
                ended.set()
                return


def _forfeit(batch: Batch, g: int, fault: PlayerFault) -> None:
    """A fault loses the game, by one point if not by more; together, all lose a point."""
    points = batch.points[g]
    seat = fault.seat
    if batch.game.together(len(points)):
        points -= 1
    else:
        points[seat] = min(points[seat], np.delete(points, seat).min() - 1)
    batch.stalled[g] = False
