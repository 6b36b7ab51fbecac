"""The inside of the match loop: a game's law and players' styles as compiled calls over a batch of games.

Each function closes over one game's law (and one style's way of choosing), so that the same few lines serve every
game, compiled or interpreted.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game import CHANCE, Game
from rulebots.game.chance import draw_kernel
from rulebots.game.checks import without_checks
from rulebots.game.compiled import view_kernel
from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.kernel.precompile import Compilation, precompile
from rulebots.play.deals import Deals, course_after
from rulebots.players import PlayerFault, Style, compiled_for

#: In a table of seats: the decision belongs to another side.
NOBODY = -1
#: How often an opening that ends the game is drawn again before the game begins without one.
OPENING_TRIES = 100


class Batch:
    """Games that advance together, and the arrays that this needs.

    `states` are records[games], `luck` int64[games, seats], `plies` int64[games]. `active`, bool[games], says which
    games are still going on; a game that reaches its ply cap without being over is stalled. `courses`, int64[games],
    tell the games apart by their moves (see deals.py). `chosen`, int[games, plies] (see `room_for_moves`), keeps each
    game's moves as far as there is room. `outcomes`, int64[games], are the random states that outcomes of chance come
    from, which no player sees. `faults` are those that ended a game, by game.
    """

    def __init__(
        self, game: Game, luck: npt.NDArray[np.int64], chosen: npt.NDArray[np.signedinteger[Any]] | None = None
    ) -> None:
        size = len(luck)
        self.game = game
        self.states = records(game.state, size)
        self.blank = records(game.state, 1)
        self.moves = np.zeros(game.move_count, np.int64)
        self.luck = luck
        self.plies = np.zeros(size, np.int64)
        self.courses = np.zeros(size, np.int64)
        self.active = np.ones(size, np.bool_)
        self.chosen = room_for_moves(game, size, 0) if chosen is None else chosen
        self.outcomes = np.ones(size, np.int64)
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

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The first arguments of every style's `advance`."""
        return (
            self.states, self.moves, self.luck, self.outcomes, self.plies, self.courses, self.active, self.chosen
        )  # fmt: skip


def room_for_moves(game: Game, games: int, plies: int) -> npt.NDArray[np.signedinteger[Any]]:
    """Zeros of shape [games, plies], in the smallest integers that hold the game's moves."""
    return np.zeros((games, plies), np.min_scalar_type(-game.move_count))


def begin(batch: Batch, deals: Deals, which: npt.NDArray[np.int64]) -> None:
    """Set up the games of a batch, each from the deal that `which` (int64[games]) names, and play their openings."""
    batch.dealt = deals, which
    dealt = (deals.cards, which, deals.options)
    batch.courses[:], batch.outcomes[:] = deals.courses[which], deals.outcomes[which]
    if deals.opening_plies == 0:
        compiled_setup(deals.game)(batch.states, batch.blank, *dealt)
        return
    course = (batch.moves, batch.outcomes, batch.plies, batch.courses, batch.chosen)
    openings = (*course, deals.openings, deals.opening_plies)
    compiled_opening(deals.game)(batch.states, batch.blank, *dealt, *openings)


@functools.cache
def setup_kernel(game: Game) -> Kernel[..., None]:
    """A kernel that sets up games.

    `begin(states, blank, cards, which, options)` sets up a game from each row of `cards` that `which` names.
    """
    setup = game.setup

    @kernel
    def begin(states: Any, blank: Any, cards: Any, which: Any, options: Any) -> None:
        for g in range(which.shape[0]):
            states[g] = blank[0]
            setup(states[g], cards[which[g]], options)

    return begin


@functools.cache
def compiled_setup(game: Game) -> Callable[..., None]:
    """`setup_kernel(game)`, compiled or loaded from the cache, once."""
    batch, which = Batch(game, np.ones((0, 2), np.int64)), np.zeros(0, np.int64)
    dealt = (np.zeros((1, 1), np.int64), which, game.option_values())
    return runnable(setup_kernel(game), batch.states, batch.blank, *dealt)


@functools.cache
def opening_kernel(game: Game) -> Kernel[..., None]:
    """A kernel that sets up games and plays their opening moves.

    `open_games(states, blank, cards, which, options, moves, outcomes, plies, courses, chosen, openings, opening_plies)`
    does what `begin` does, and then draws opening moves from the random states `openings`, and outcomes of chance from
    `outcomes`, from where the game goes on.
    """
    setup, over, moves_of, play = game.setup, game.over, game.moves, game.play
    chance, draw = game.chance, draw_kernel(game)

    @kernel
    def open_games(
        states: Any,
        blank: Any,
        cards: Any,
        which: Any,
        options: Any,
        moves: Any,
        outcomes: Any,
        plies: Any,
        courses: Any,
        chosen: Any,
        openings: Any,
        opening_plies: int,
    ) -> None:
        for g in range(which.shape[0]):
            luck, dealt = openings[which[g]], courses[g]
            tries, going = OPENING_TRIES, False
            while not going:
                states[g] = blank[0]
                setup(states[g], cards[which[g]], options)
                plies[g], courses[g], going = 0, dealt, True
                while going and tries > 0 and plies[g] < opening_plies:
                    n = moves_of(states[g], moves)
                    if chance and states[g].mover == CHANCE:
                        outcomes[g] = next_luck(outcomes[g])
                        move = draw(states[g], moves, n, outcomes[g])
                    else:
                        luck = next_luck(luck)
                        move = moves[luck % n]
                    play(states[g], move)
                    if plies[g] < chosen.shape[1]:
                        chosen[g, plies[g]] = move
                    courses[g] = course_after(courses[g], move)
                    plies[g] += 1
                    going = not over(states[g])
                tries -= 1

    return open_games


@functools.cache
def compiled_opening(game: Game) -> Callable[..., None]:
    """`opening_kernel(game)`, compiled likewise."""
    batch, which = Batch(game, np.ones((0, 2), np.int64)), np.zeros(0, np.int64)
    dealt = (np.zeros((1, 1), np.int64), which, game.option_values())
    openings = (batch.moves, batch.outcomes, batch.plies, batch.courses, batch.chosen, which, 0)
    return runnable(opening_kernel(game), batch.states, batch.blank, *dealt, *openings)


@functools.cache
def result_kernel(game: Game) -> Kernel[..., None]:
    """A kernel `count(states, points, stalled, behaviour)` that reads the results of games."""
    points, over, behave = game.points, game.over, _in_columns(tuple(game.behaviour.values()))

    @kernel
    def count(states: Any, result: Any, stalled: Any, behaviour: Any) -> None:
        for g in range(result.shape[0]):
            for seat in range(result.shape[1]):
                result[g, seat] = points(states[g], seat)
                behave(states[g], seat, behaviour[g, seat], 0)
            stalled[g] = not over(states[g])

    return count


@functools.cache
def compiled_results(game: Game) -> Callable[..., None]:
    """`result_kernel(game)`, compiled likewise."""
    batch = Batch(game, np.ones((0, 2), np.int64))
    return runnable(result_kernel(game), batch.states, batch.points, batch.stalled, batch.behaviour)


def _in_columns(statistics: tuple[Kernel[..., Any], ...]) -> Kernel[..., None]:
    """A kernel `behave(state, seat, out, column)` that writes each statistic into a column of out, from that on."""
    if not statistics:

        @kernel
        def nothing(state: Any, seat: int, out: Any, column: int) -> None:
            pass

        return nothing
    # Nested calls, because Numba cannot loop over different functions.
    first, others = statistics[0], _in_columns(statistics[1:])

    @kernel
    def behave(state: Any, seat: int, out: Any, column: int) -> None:
        out[column] = first(state, seat)
        others(state, seat, out, column + 1)

    return behave


@functools.cache
def advance_kernel(style: Style) -> Kernel[..., None]:
    """A kernel that plays each game on for as long as the decisions belong to the style, or to chance.

    Its arguments are `Batch.arrays`; `seats`, int64[games, seats]: for each seat the row of `weights` that decides, or
    NOBODY; `weights`, float64[rows, 2, columns]; and the style's `Workspace`.
    """
    game, choose, look = style.game, style.choose, view_kernel(style.game)
    moves_of, play, over, cap = game.moves, game.play, game.over, game.ply_cap
    chance, draw = game.chance, draw_kernel(game)

    @kernel
    def advance(
        states: Any,
        moves: Any,
        luck: Any,
        outcomes: Any,
        plies: Any,
        courses: Any,
        active: Any,
        chosen: Any,
        seats: Any,
        weights: Any,
        views: Any,
        blended: Any,
        scores: Any,
    ) -> None:
        for g in range(plies.shape[0]):
            state = states[g]
            while active[g]:
                seat = state.mover
                if chance and seat == CHANCE:
                    outcomes[g] = next_luck(outcomes[g])
                    move = draw(state, moves, moves_of(state, moves), outcomes[g])
                else:
                    row = seats[g, seat]
                    if row < 0:
                        break
                    luck[g, seat] = next_luck(luck[g, seat])
                    look(state, views, luck[g, seat])
                    n = moves_of(state, moves)
                    move = choose(views[0], moves, n, weights[row], blended, scores)
                play(state, move)
                if plies[g] < chosen.shape[1]:
                    chosen[g, plies[g]] = move
                courses[g] = course_after(courses[g], move)
                plies[g] += 1
                active[g] = not over(state) and plies[g] < cap

    chosen_by = without_checks(style.choose).function.__name__.removeprefix("choose_")
    who = f"'{chosen_by}'" if style.rules is None else f"the rule set '{style.rules.name}'"
    advance.title = f"{game.title} for {who}"
    return advance


@functools.cache
def compiled_advance(style: Style) -> Callable[..., None]:
    """`advance_kernel(style)`, compiled; rules that Numba cannot compile are called back in Python."""
    batch = Batch(style.game, np.ones((0, 2), np.int64))
    weights = np.zeros((1, 2, style.columns))
    examples = (*batch.arrays, np.zeros((0, 2), np.int64), weights, *style.workspace())
    return compiled_for(style, advance_kernel, *examples)


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


def after_opening(deals: Deals, which: int = 0) -> tuple[Position, int]:
    """The position from which a match plays that deal, and the random state that outcomes of chance come from then."""
    game = deals.game
    batch = Batch(game, deals.luck[which : which + 1].copy(), room_for_moves(game, 1, deals.opening_plies))
    begin(batch, deals, np.array([which]))
    position = Position(game, batch.options, deals.cards[which], luck=batch.luck[0], compiled=True)
    for move in batch.chosen[0, : batch.plies[0]].tolist():
        position.play(move, chosen=False)
    return position, int(batch.outcomes[0])
