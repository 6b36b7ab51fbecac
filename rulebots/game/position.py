"""A position of a game: its legal moves, what each seat may know, and the positions that follow.

    position = Position(load_game("kalah"), seed=7)
    position.legal_moves           # array([0, 1, 2, 3, 4, 5])
    position.push(position.read("2"))
    print(position)

Everything outside the match loop uses this class; kernels work on state records.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, MutableSequence, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from rulebots.errors import PositionError, UsageError, demand, is_whole, whole_number
from rulebots.game.chance import draw_kernel, probability_kernel
from rulebots.game.checks import CHANCE
from rulebots.game.compiled import CompiledLaw, law_of, step_kernel
from rulebots.game.contract import Game, Moves, State, View, failure_of
from rulebots.game.deal import checked_deal, course_text, pack_of, read_course
from rulebots.game.dtypes import Floats, Ints
from rulebots.game.random_numbers import CARDS, LUCK, check_seed, luck_of, next_luck, rng_of
from rulebots.game.text import PERSON, spoken

_NOTHING: Ints = np.zeros(0, np.int64)


class Ply(NamedTuple):
    """A move of a game's history: the seat that made it, and the move, or what is known of it (see `Game.told`)."""

    seat: int
    move: int


#: The moves so far, each with what each seat was told of it.
Past: TypeAlias = tuple[tuple[Ply, tuple[int, ...]], ...]


class Position:
    """A position of a game; at first the one that the game begins with, then the one that `push` leads to.

    `deal` is one row of the game's deals, by default the first one of `seed`, as `play_match` deals it.
    `luck` holds the random states of the seats' players; a deal without `luck` leaves them unknown.
    The law runs interpreted, with bounds checked, unless it is `compiled`.

    Raises:
        UsageError: a wrong option or seed, or a deal that is not one of the game's.
    """

    #: How many moves have been made.
    plies: int
    #: The random states of the seats' players after their latest decisions; None if they are not known.
    luck: MutableSequence[int] | None
    #: Each move with what each seat was told of it; None where a state alone is known.
    past: Past | None
    #: A record of the options' values, and the deal, int64[n]; None where a state alone is known.
    options: Any
    deal: Ints | None

    def __init__(
        self,
        game: Game,
        options: Mapping[str, int] | None = None,
        deal: Sequence[int] | Ints | None = None,
        *,
        seed: int = 1,
        luck: MutableSequence[int] | None = None,
        compiled: bool = False,
    ) -> None:
        seed = check_seed(seed)
        demand(isinstance(game, Game), f"expected a game, such as load_game('kalah'), not {game!r}")
        values = _options_of(game) if options is None else game.option_values(options)
        cards = (
            game.deal(rng_of(seed, CARDS), 1, values)[0]
            if deal is None
            else checked_deal(game, deal, pack_of(game, values.tolist()))
        )
        law = law_of(game, values) if compiled else game
        # Interpreted, so that a deal that the game cannot have is out of bounds here and not in machine code.
        try:
            self._begin(game, law, _copied(_set_up(game, cards.tobytes(), values.tobytes())))
            sound = deal is None or all(0 <= move < game.move_count for move in self.legal_moves)
        except (IndexError, OverflowError) as error:
            if deal is None:
                raise UsageError(failure_of(game, "setup", error)) from error
            sound = False
        demand(sound, f"deal: {game.title} cannot be dealt like that")
        self._look()
        self._shared = False
        if luck is None and deal is None:
            luck = luck_of(rng_of(seed, LUCK), (1, self.seats))[0].tolist()
        self.luck = luck
        self.past = ()
        self.options = values
        self.deal = cards

    def _begin(self, game: Game, law: Game | CompiledLaw, states: Any, plies: int = 0) -> None:
        """Begin with the state in an array of one, of which the law has said nothing so far."""
        self.game = game
        self.law = law
        self.plies = plies
        self.luck = self.past = self.options = self.deal = None
        self._states = states if states.flags.writeable else _copied(states)  # machine code takes what can be changed
        self._room = np.zeros(game.move_count, np.int64)
        #: Whether others have the state, who may change it, and what it was when the law was last asked.
        self._shared = True
        self._content = b""
        self._over = False
        self._moves = _NOTHING
        self._mover = 0

    @classmethod
    def of(cls, game: Game, state: State, luck: Any = None, plies: int = 0, *, compiled: bool = False) -> Position:
        """The position of a state record, after that many moves; `push` changes this record, and `luck`.

        It has to stand in an array: of a record that `copy()` has made, a copy is changed.
        """
        position = cls.__new__(cls)
        law = law_of(game) if compiled else game
        position._begin(game, law, np.asarray(state).reshape(1), plies)  # noqa: SLF001 - of the same class
        position.luck = luck
        return position

    @property
    def state(self) -> State:
        """All that the referee knows, a record of `game.state`. It belongs to the position: `push` changes it."""
        if not self._shared:
            self._content = self._states.tobytes()
            self._shared = True
        return self._states[0]

    def _look(self) -> None:
        """Ask the law of the state as it is, if others may have changed it since it was last asked."""
        if self._shared and self._states.tobytes() != self._content:
            self._step(-1)

    def _step(self, move: int) -> None:
        """Make a move, none if it is -1, and ask the law what comes next."""
        run = self.law.step if isinstance(self.law, CompiledLaw) else step_kernel(self.game).function
        states = self._states
        n = run(states, move, self._room)
        self._over = n < 0
        self._moves = self._room[:n] if n > 0 else _NOTHING
        self._mover = states["mover"].item()
        if self._shared:
            self._content = states.tobytes()

    @classmethod
    def from_text(
        cls, game: Game, text: str, options: Mapping[str, int] | None = None, *, seed: int = 1, compiled: bool = False
    ) -> Position:
        """The position that a text means (see `to_text`).

        In a game's own form, what was played before is not known, and plies are counted from there. The random states
        of the players come from the seed.

        Raises:
            UsageError: a wrong option.
            PositionError: not a position of the game with these options; it says at which character.
        """
        position = cls(game, options, seed=seed, compiled=compiled and game.text.read_position is not None)
        try:
            if game.text.read_position is None:
                return position._after_course(text, compiled=compiled)
            game.text.read_position(text, position.state)
        except UsageError:
            raise
        except Exception as error:
            name = "play" if game.text.read_position is None else "read_position"
            raise PositionError(text, 0, failure_of(game, name, error)) from error
        position.past = position.deal = None
        return position

    def _after_course(self, text: str, *, compiled: bool) -> Position:
        """The position after a deal and moves. They are played interpreted: the deal may be one that no game has."""
        game = self.game
        deal, words = read_course(game, text, pack_of(game, self.options.tolist()))
        try:
            position = Position(game, game.named_options(self.options), deal, luck=self.luck)
        except UsageError as error:
            raise PositionError(text, 0, str(error)) from None
        for ply, word in enumerate(words, 1):
            try:
                move = game.text.read(word.text, position.state)
                demand(move in position.legal_moves, position.refusal(move, word.text))
                position.play(move)
            except UsageError as error:
                raise PositionError(text, word.at, f"ply {ply}, '{word.text}': {error}") from None
        position.law = law_of(game, self.options) if compiled else game
        return position

    def to_text(self) -> str:
        """The position on one line, which `from_text` reads: in the game's own form, or its deal and the moves so far.

        Raises:
            UsageError: the game has no form of its own, and a state alone is known.
        """
        if self.game.text.write_position is not None:
            return self.game.text.write_position(self.state)
        if self.deal is None or self.past is None:
            raise UsageError("the deal and the moves of this position are not known: its text is made of them")
        return course_text(self.game, self.deal, [ply.move for ply in self.history()])

    @property
    def mover(self) -> int:
        """The seat whose decision it is, from 0 on; CHANCE where chance is to move."""
        self._look()
        return self._mover

    @property
    def over(self) -> bool:
        """Whether the game is over by its law."""
        self._look()
        return self._over

    @property
    def stalled(self) -> bool:
        """Whether the game has reached its limit of plies without being over."""
        return self.plies >= self.game.ply_cap and not self.over

    @property
    def seats(self) -> int:
        """How many play."""
        return self.game.seats_of(self._states[0])

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each seat, that of seat 0 first."""
        state = self._states[0]
        return tuple(int(self.law.points(state, seat)) for seat in range(self.seats))

    @property
    def legal_moves(self) -> Moves:
        """The legal moves, int64[n], in the game's order; where chance is to move, its outcomes; none if it is over."""
        self._look()
        return self._moves.copy()

    @property
    def chance_to_move(self) -> bool:
        """Whether chance is to move: the next ply is an outcome, such as a throw of dice, and no player's decision."""
        return self.game.chance and self.mover == CHANCE and not self.over

    @property
    def outcomes(self) -> tuple[Moves, Floats]:
        """What chance may bring where it is to move: the outcomes, int64[n], and their probabilities, float64[n].

        Raises:
            UsageError: chance is not to move.
        """
        outcomes = self._outcomes()
        odds = np.zeros(len(outcomes))
        probability_kernel(self.game)(self._states[0], outcomes, len(outcomes), odds)
        return outcomes, odds

    def _outcomes(self) -> Moves:
        if not self.chance_to_move:
            raise UsageError(f"chance is not to move: {'the game is over' if self.over else f'seat {self.mover} is'}")
        return self._moves.copy()

    def drawn(self, random_state: int) -> int:
        """The outcome that a random state, in 1..2**32-1, brings where chance is to move; it is not made.

        Raises:
            UsageError: chance is not to move.
        """
        outcomes = self._outcomes()
        draw = self.law.draw if isinstance(self.law, CompiledLaw) else draw_kernel(self.game)
        return int(draw(self._states[0], outcomes, len(outcomes), random_state))

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
        state = self._states[0]
        mover = self.mover
        demand(seat is not None or mover != CHANCE, "chance is to move and observes nothing: name a seat")
        self._check_seat(seat)
        if seat is None:
            seat = mover
        elif seat != mover:
            state = state.copy()
            state.mover = seat
        view = self.game.new_view()
        self.law.observe(state, view)
        view["luck"] = self._random_state(seat)
        return view

    def push(self, move: int | str, *, chosen: bool = True) -> None:
        """Make a move: its number, or its text.

        The mover's random state advances, unless nobody has chosen the move: at an outcome of chance, and with
        `chosen=False`, as in a random opening.

        Raises:
            UsageError: the move is not legal; the message says why.
        """
        self.play(self.legal_move(move), chosen=chosen)

    def legal_move(self, move: int | str) -> int:
        """A legal move by its number or its text. Raises UsageError: it is not legal; the message says why."""
        number = self.read(move) if isinstance(move, str) else move
        self._look()
        if whole_number(number) not in self._moves.tolist():
            raise UsageError(self.refusal(number, move if isinstance(move, str) else None))
        return int(number)

    def play(self, move: int, *, chosen: bool = True) -> None:
        """Make a move that is known to be legal; see `push`."""
        self._look()
        move = int(move)
        mover = self._mover
        if chosen and mover != CHANCE and self.luck is not None:
            self.luck[mover] = self._random_state(mover)
        if self.past is not None:
            self.past += ((Ply(mover, move), self.game.heard(self._states[0], move)),)
        self._step(move)
        self.plies += 1

    def history(self, seat: int | None = None) -> tuple[Ply, ...]:
        """The moves so far, oldest first, as far as that seat was told of them; without a seat as they were made.

        Raises:
            UsageError: no such seat, or a position that was made from a state or a text, whose past is unknown.
        """
        self._check_seat(seat)
        if self.past is None:
            raise UsageError("the history of this position is not known: only that of one played from its deal is")
        return tuple(ply if seat is None else Ply(ply.seat, heard[seat]) for ply, heard in self.past)

    def known(self, seat: int) -> tuple[Ply, ...]:
        """The moves so far, as far as that seat knows them by now (see `GameText.learned`): for people.

        Raises:
            UsageError: as `history` does.
        """
        learned = self.game.text.learned
        return tuple(
            made if learned and told != made and learned(self.state, *made, seat) else told
            for made, told in zip(self.history(), self.history(seat), strict=True)
        )

    def last_ply(self, seat: int | None) -> Ply | None:
        """The last decision of a player, as far as that seat was told of it; None where it is not known."""
        if self.past is None:
            return None
        made = [ply for ply in self.history(seat) if ply.seat != CHANCE]
        return made[-1] if made and made[-1].move >= 0 else None

    def copy(self) -> Position:
        """A copy, whose moves do not change this position."""
        luck = None if self.luck is None else [*map(int, self.luck)]
        twin = Position.of(self.game, _copied(self._states)[0], luck, self.plies)
        twin.law = self.law
        twin.past = self.past
        twin.options = self.options
        twin.deal = self.deal
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Position:
        return self.copy()

    def after(self, move: int) -> Position:
        """A copy in which a legal move has been made."""
        copy = self.copy()
        copy.play(move)
        return copy

    def redealt(self, random_state: int) -> Position:
        """A determinization: a copy in which everything that the mover cannot know is dealt again.

        The copy does not know the other seats' random states either: it holds the mover's in their places.

        Raises:
            UsageError: the game hides something and cannot redeal it, or chance is to move.
        """
        demand(not self.chance_to_move, "chance is to move: there is no mover from whom something is hidden")
        demand(
            not self.game.hidden or self.game.redeal,
            f"{self.game.name} hides something but has no `redeal` to deal it again",
        )
        twin = self.copy()
        twin.deal = None
        if self.past is not None:
            twin.past = tuple((ply, (ply.move,) * self.seats) for ply in self.history(self.mover))
        if self.luck is not None:
            twin.luck = [int(self.luck[self.mover])] * self.seats
        if self.game.hidden:
            redeal = self.law.redeal
            assert redeal is not None
            redeal(twin.state, random_state)
        return twin

    def refusal(self, move: int, text: str | None = None) -> str:
        """Why an illegal move is refused, in a sentence for the person who typed it as `text`."""
        if self.over:
            return "the game is over"
        if self.game.text.refusal is not None and is_whole(move) and 0 <= move < self.game.move_count:
            return self.game.text.refusal(self.state, int(move))
        return f"'{move if text is None else text}' is not a legal move here"

    @property
    def task(self) -> str:
        """What the mover is to do, such as `lead a card`; "" if the game does not say."""
        return "" if self.game.text.task is None else self.game.text.task(self.state)

    def deed(self, move: int, names: Sequence[str] = (), *, doing: bool = False) -> str:
        """What a legal move does, such as `sow pit 2`, or `doing` so, `sowing pit 2`; "" if the game has no sentences.

        `names` are those of the seats, by default their numbers.
        """
        sentence = self.game.text.sentence
        names = names or [f"seat {seat}" for seat in range(self.seats)]
        # The mover is not named: its verbs are without an ending, as those of `you` are.
        return (
            ""
            if sentence is None
            else spoken(sentence(self.state, int(move)), [*names, PERSON], len(names), doing=doing)
        )

    def sentence(self, move: int, names: Sequence[str], heard: int | None = None, *, plain: bool = False) -> str:
        """Who does what with a move, or what an outcome is, for people: `You sow pit 2`.

        `names` are those of the seats. `heard` is what the reader was told of the move (see `Game.told`), by default
        all. A `plain` sentence does not ask the game for one.
        """
        text = self.game.text
        mover = self.mover
        known = move if heard is None else heard
        names = [*names, "Chance"]  # CHANCE is -1
        if known == move and text.sentence is not None and not plain:
            return spoken(f"{{{mover}}} " * (mover != CHANCE) + text.sentence(self.state, int(move)), names, mover)
        named = 0 <= known < self.game.move_count
        verb = ("bring(s)" if mover == CHANCE else "play(s)") if named else text.unseen
        return spoken(f"{{{mover}}} {verb}", names, mover) + f" {self.write(known)}" * named

    def read(self, text: str) -> int:
        """The move that a person means, legal or not: first what `write` calls so. Raises UsageError if it is none."""
        named = [move for move in self.legal_moves.tolist() if self.write(move) == text.strip()]
        return named[0] if len(named) == 1 else (self.game.text.read_in or self.game.text.read)(text, self.state)

    def write(self, move: int) -> str:
        """What people call a move in this position, which may be known from here only."""
        text = self.game.text
        return text.write(int(move)) if text.write_in is None else text.write_in(self.state, int(move))

    def text(self, seat: int | None = None) -> str:
        """The position as that seat may see it, or all of it without a seat. Raises UsageError: no such seat."""
        self._check_seat(seat)
        return self.game.text.show(self.state, seat)

    def _check_seat(self, seat: object) -> None:
        if seat is not None and seat not in range(self.seats):
            raise UsageError(f"seat: expected 0 to {self.seats - 1} or None, not {seat!r}")

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        mover = "chance" if self.chance_to_move else f"seat {self.mover}"
        return f"<Position of {self.game.name} after {self.plies} plies, {mover} to move>"


@functools.cache
def _options_of(game: Game) -> Any:
    """The options' defaults, which nobody can change."""
    record = np.asarray(game.option_values()).reshape(1)
    record.setflags(write=False)
    return record[0]


def _copied(states: Any) -> Any:
    """A copy of an array of records, byte for byte: NumPy's own leaves out what lies between the fields."""
    return states.view(np.uint8).copy().view(states.dtype)


@functools.lru_cache(maxsize=256)
def _set_up(game: Game, cards: bytes, values: bytes) -> Any:
    """A state as `setup` makes it of a deal, in an array of its own."""
    options = np.frombuffer(values, _options_of(game).dtype)[0]
    state = game.new_state()
    game.setup(state, np.frombuffer(cards, np.int64).copy(), options)
    return np.asarray(state).reshape(1)
