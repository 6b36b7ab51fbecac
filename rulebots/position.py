"""A position of a game: its legal moves, what each seat may know, and the positions that follow.

    position = Position(load_game("kalah"), seed=7)
    position.legal_moves           # array([0, 1, 2, 3, 4, 5])
    position.push(position.read("2"))
    print(position)

Everything outside the match loop uses this class; kernels work on state records.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, MutableSequence, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.chance import drawing, probabilities
from rulebots.errors import UsageError
from rulebots.game import CHANCE, Game, Moves, State, View
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.random_numbers import CARDS, LUCK, check_seed, luck_of, next_luck, rng_of


class CompiledLaw:
    """A game's law as machine code, function by function as `Game` has it.

    Each is compiled, or loaded from the cache, when it is first needed.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._state, self._view = game.new_state(), game.new_view()

    @functools.cached_property
    def moves(self) -> Callable[..., int]:
        """`moves(state, out) -> n`."""
        return runnable(self._game.moves, self._state, np.zeros(0, np.int64))

    @functools.cached_property
    def play(self) -> Callable[..., None]:
        """`play(state, move)`."""
        return runnable(self._game.play, self._state, 0)

    @functools.cached_property
    def over(self) -> Callable[..., bool]:
        """`over(state) -> bool`."""
        return runnable(self._game.over, self._state)

    @functools.cached_property
    def points(self) -> Callable[..., int]:
        """`points(state, seat) -> int`."""
        return runnable(self._game.points, self._state, 0)

    @functools.cached_property
    def observe(self) -> Callable[..., None]:
        """`observe(state, view)`."""
        return runnable(self._game.observe, self._state, self._view)

    @functools.cached_property
    def draw(self) -> Callable[..., int]:
        """`draw(state, outcomes, n, luck) -> outcome` of a game with chance: see rulebots/chance.py."""
        return runnable(drawing(self._game), self._state, np.zeros(0, np.int64), 0, 1)


@functools.cache
def law_of(game: Game) -> CompiledLaw:
    """The game's compiled law, one per process."""
    return CompiledLaw(game)


@functools.cache
def looking(game: Game) -> Kernel[..., None]:
    """A kernel `look(state, views, luck)` that fills views[0] with what the mover knows, its random state being `luck`.

    `views` holds two records that begin as the game's view does. The second one is blank and overwrites the first, so
    that nothing that a player or rule derived at one decision is left at the next, which may be the opponent's.
    """
    observe = game.observe

    @kernel
    def look(state: Any, views: Any, luck: int) -> None:
        views[0] = views[1]
        view = views[0]
        observe(state, view)
        view.luck = luck

    return look


class Position:
    """A position of a game; at first the one that the game begins with, then the one that `push` leads to.

    `deal` is one row of the game's deals, by default the first one of `seed`, as `play_match` deals it.
    `luck` holds the random states of the two seats' players; a deal without `luck` leaves them unknown.
    The law runs interpreted, with bounds checked, unless it is `compiled`.

    Raises:
        UsageError: a wrong option or seed, or a deal that is not one of the game's.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, int] | None = None,
        deal: Sequence[int] | npt.NDArray[np.int64] | None = None,
        *,
        seed: int = 1,
        luck: MutableSequence[int] | None = None,
        compiled: bool = False,
    ) -> None:
        check_seed(seed)
        values = game.option_values(options)
        drawn = game.draw_deals(rng_of(seed, CARDS), 1, values)[0]
        cards = drawn if deal is None else _deal_of(deal)
        if cards.shape != drawn.shape:
            raise UsageError(f"deal: expected {len(drawn)} whole numbers, not {cards.size}")
        self.game = game
        self.law: Game | CompiledLaw = law_of(game) if compiled else game
        #: All that the referee knows, a record of `game.state`. It belongs to the position: `push` changes it.
        self.state: State = game.new_state()
        # Interpreted, so that a deal that is none of the game's is out of bounds here and not in machine code.
        try:
            game.setup(self.state, cards, values)
            sound = deal is None or all(0 <= move < game.move_count for move in self.legal_moves)
        except (IndexError, OverflowError):
            sound = False
        if not sound:
            raise UsageError(f"deal: {game.title} cannot be dealt like that")
        self._check_mover()
        #: The random states of the seats' players after their latest decisions; None if they are not known.
        self.luck: MutableSequence[int] | None = luck
        if luck is None and deal is None:
            self.luck = luck_of(rng_of(seed, LUCK), (1, 2))[0].tolist()
        #: How many moves have been made.
        self.plies = 0

    @classmethod
    def of(
        cls,
        game: Game,
        state: State,
        luck: Any = None,
        plies: int = 0,
        *,
        compiled: bool = False,
    ) -> Position:
        """The position of a state record, after that many moves; `push` changes this very record, and `luck`."""
        position = cls.__new__(cls)
        position.game, position.law = game, law_of(game) if compiled else game
        position.state, position.luck, position.plies = state, luck, plies
        return position

    @property
    def mover(self) -> int:
        """The seat whose decision it is, 0 or 1; CHANCE where chance is to move."""
        return int(self.state.mover)

    @property
    def over(self) -> bool:
        """Whether the game is over by its law."""
        return bool(self.law.over(self.state))

    @property
    def stalled(self) -> bool:
        """Whether the game has reached its limit of plies without being over."""
        return self.plies >= self.game.ply_cap and not self.over

    @property
    def points(self) -> tuple[int, int]:
        """The points of seat 0 and seat 1."""
        return int(self.law.points(self.state, 0)), int(self.law.points(self.state, 1))

    @property
    def legal_moves(self) -> Moves:
        """The legal moves, int64[n], in the game's order; where chance is to move, its outcomes; none if it is over."""
        room = np.zeros(self.game.move_count, np.int64)
        return room[: 0 if self.over else self.law.moves(self.state, room)]

    @property
    def chance_to_move(self) -> bool:
        """Whether chance is to move: the next ply is an outcome, such as a throw of dice, and no player's decision."""
        return self.game.chance and self.mover == CHANCE and not self.over

    @property
    def outcomes(self) -> tuple[Moves, npt.NDArray[np.float64]]:
        """What chance may bring where it is to move: the outcomes, int64[n], and their probabilities, float64[n].

        Raises:
            UsageError: chance is not to move, or the game lists no outcome or no odds that are probabilities.
        """
        outcomes = self.legal_moves
        if not (self.chance_to_move and len(outcomes)):
            raise UsageError(self._no_outcome())
        return outcomes, probabilities(self.game, self.state, outcomes)

    def _no_outcome(self) -> str:
        if self.chance_to_move:
            return f"{self.game.name}: chance is to move, but `moves` lists no outcome"
        return f"chance is not to move: {'the game is over' if self.over else f'seat {self.mover} is'}"

    def drawn(self, random_state: int) -> int:
        """The outcome that a random state, in 1..2**32-1, brings where chance is to move; it is not made.

        Raises:
            UsageError: chance is not to move, or the game lists no outcome.
        """
        outcomes = self.legal_moves
        if not (self.chance_to_move and len(outcomes)):
            raise UsageError(self._no_outcome())
        draw = self.law.draw if isinstance(self.law, CompiledLaw) else drawing(self.game)
        return int(draw(self.state, outcomes, len(outcomes), random_state))

    @property
    def random_state(self) -> int:
        """The number that the mover's chance comes from at this decision; 1 where it is not known."""
        return self._random_state(self.mover)

    def _random_state(self, seat: int) -> int:
        return 1 if self.luck is None or seat == CHANCE else next_luck(int(self.luck[seat]))

    def view(self, seat: int | None = None) -> View:
        """What the mover may know, or what that seat would know if it were to move: a record of the game's view.

        Raises:
            UsageError: there is no such seat, or none is named and chance is to move.
        """
        if seat is None and self.mover == CHANCE:
            raise UsageError("chance is to move and observes nothing: say which seat's view, 0 or 1")
        state, seat = self.state, self.mover if seat is None else seat
        if seat not in (0, 1):
            raise UsageError(f"seat: expected 0 or 1, not {seat!r}")
        if seat != self.mover:
            state = state.copy()
            state.mover = seat
        view = self.game.new_view()
        self.law.observe(state, view)
        view.luck = self._random_state(seat)
        return view

    def push(self, move: int, *, chosen: bool = True) -> None:
        """Make a move.

        The mover's random state advances, unless nobody has chosen the move: at an outcome of chance, and with
        `chosen=False`, as in a random opening.

        Raises:
            UsageError: the move is not legal; the message says why.
        """
        if not isinstance(move, int | np.integer) or move not in self.legal_moves:
            raise UsageError(self.refusal(move))
        self.play(move, chosen=chosen)
        self._check_mover()

    def _check_mover(self) -> None:
        if self.mover == CHANCE and not self.game.chance:
            raise UsageError(f"{self.game.name}: chance is the mover here, which the game has to declare: chance=True")

    def play(self, move: int, *, chosen: bool = True) -> None:
        """Make a move that is known to be legal; see `push`."""
        if chosen and self.luck is not None and self.mover != CHANCE:
            self.luck[self.mover] = self.random_state
        self.law.play(self.state, int(move))
        self.plies += 1

    def copy(self) -> Position:
        """The same position, to go its own way."""
        luck = None if self.luck is None else [int(number) for number in self.luck]
        twin = Position.of(self.game, self.state.copy(), luck, self.plies)
        twin.law = self.law
        return twin

    def redealt(self, random_state: int) -> Position:
        """A determinization: a copy in which everything that the mover cannot know is dealt again.

        The copy does not know the other seat's random state either: it holds the mover's own in its place.

        Raises:
            UsageError: the game hides something and cannot redeal it, or chance is to move.
        """
        if self.chance_to_move:
            raise UsageError("chance is to move: there is no mover from whom something is hidden")
        if self.game.hidden and self.game.redeal is None:
            raise UsageError(f"{self.game.name} hides something but has no `redeal` to deal it again")
        twin = self.copy()
        if self.luck is not None:
            twin.luck = [int(self.luck[self.mover])] * 2
        if self.game.hidden and self.game.redeal is not None:
            self.game.redeal(twin.state, random_state)
        return twin

    def refusal(self, move: int, text: str | None = None) -> str:
        """Why an illegal move is refused, in a sentence for the person who typed it as `text`."""
        if self.over:
            return "the game is over"
        whole = isinstance(move, int | np.integer) and 0 <= move < self.game.move_count
        if whole and self.game.refusal is not None:
            return self.game.refusal(self.state, int(move))
        return f"'{move if text is None else text}' is not a legal move here"

    def read(self, text: str) -> int:
        """The move that a text means, legal or not. Raises UsageError if the text is not a move."""
        return self.game.read(text, self.state)

    def write(self, move: int) -> str:
        """A move as text."""
        return self.game.write(int(move))

    def text(self, seat: int | None = None) -> str:
        """The position as that seat may see it, or all of it without a seat. Raises UsageError: no such seat."""
        if seat not in (None, 0, 1):
            raise UsageError(f"seat: expected 0, 1 or None, not {seat!r}")
        return self.game.show(self.state, seat)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        mover = "chance" if self.chance_to_move else f"seat {self.mover}"
        return f"<Position of {self.game.name} after {self.plies} plies, {mover} to move>"


def _deal_of(numbers: Sequence[int] | npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    try:
        deal = np.array(numbers)
    except ValueError:  # lists of different lengths
        deal = np.array([], object)
    if deal.size and not np.issubdtype(deal.dtype, np.integer):
        raise UsageError(f"deal: expected whole numbers, not {numbers!r}")
    return deal.astype(np.int64)
