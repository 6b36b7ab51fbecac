"""What a game is: two records, ten functions, and a few numbers.

`Game` is the law alone. How people read and write it is its `text` (text.py); what else belongs to a game, such as rule
sets and players, is listed by its package (rulebots/packages/game_package.py).
"""

import functools
import operator
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from rulebots.errors import UsageError, check_known, demand, unknown, whole_number
from rulebots.game.checks import (
    CHANCE,
    PARTS,
    check_kernel,
    check_parameters,
    checked_law,
    contract_error,
    described,
    is_number,
)
from rulebots.game.dtypes import Ints, fields_of, records
from rulebots.game.live_game import game_again
from rulebots.game.text import GameText
from rulebots.kernel import Kernel, debugging, kernel
from rulebots.kernel.user_code import last_line, place_of_caller, placed_errors

#: One record of a game's `state` dtype: everything that the referee knows.
State = Any
#: One record of a game's `view` dtype: the observation, what the mover may know, its own side first.
View = Any
#: An array of move numbers, int64, that `moves` fills from the front.
Moves = Ints
#: What `Game.told` gives for a move of which a seat learns nothing but that it was made.
UNKNOWN = -1
#: The most moves that a game has to choose from, and the most plies that it lasts.
MOST_MOVES = 1_000_000
#: The largest random state.
MOST_LUCK = 2**32 - 1
#: The most seats of a game.
MOST_SEATS = 10
#: What the seats play for (`Game.aim`), and by what the result counts (`Game.counts`).
AIMS = ("against", "together")
COUNTS = ("wins", "places", "points")


@kernel
def begin_with_zeros(state: Any, deal: Any, options: Any) -> None:
    """The game begins with the state of zeros that it is given."""


@kernel
def only_kind(move: int) -> int:
    """There is one kind of move."""
    return 0


@kernel
def move_itself(view: Any, move: int) -> int:
    """What the rules look at: the move's own number."""
    return move


def deal_nothing(rng: np.random.Generator, count: int, options: Any) -> Ints:
    """Nothing is drawn before the game: int64[count, 0]."""
    return np.zeros((count, 0), np.int64)


@dataclass(frozen=True)
class Option:
    """A whole number that the law of a game leaves open, such as the size of its board.

    Attributes:
        default: Its value where nothing is chosen.
        low: The smallest value.
        high: The largest value.
        meaning: What it says, in words for `rulebots games`.
        off: For an option that is on (1) or off (0): the name of off, where there is a better word than `no_<name>`.
        flag: A short flag for the command line, such as "-s". With an option that is on or off, it selects the value
            that is not the default.

    Raises:
        UsageError: its default is out of its range.
    """

    default: int
    low: int
    high: int
    meaning: str
    off: str = ""
    flag: str = ""

    def __post_init__(self) -> None:
        numbers = (self.low, self.default, self.high)
        if not all(type(number) is int for number in numbers) or not self.low <= self.default <= self.high:
            raise UsageError(
                f"{place_of_caller()}: expected whole numbers as default, low and high of an Option, "
                f"the default between the others, not {(self.default, self.low, self.high)}"
            )


@dataclass(frozen=True)
class Kind:
    """A kind of move, and how it mixes the sums of the rule groups into one score.

    score(move) = sum over groups of mix[group] * (weighted sum of the group's rules)

    Raises:
        UsageError: the mix does not give a finite share for each group.
    """

    name: str
    mix: Mapping[str, float]

    def __post_init__(self) -> None:
        if not isinstance(self.mix, Mapping) or not all(map(is_number, self.mix.values())):
            raise UsageError(
                f"{place_of_caller()}: expected {{group: share}} as the mix of the Kind '{self.name}', "
                f"such as {{'play': 1.0}}, not {self.mix!r}"
            )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Game:
    """The law of a game: records of numbers, and functions on them.

    All functions are kernels over single records, except `draw_deals` and those that say so. Seats count from 0; seat 0
    begins unless `setup` says otherwise. A move is an int in 0..move_count-1.

    Attributes:
        setup: `setup(state, deal, options)` fills a zeroed state. `deal` is one row of `draw_deals`; `options`
            is a record with a field for each option (where NumPy has an attribute of that name, such as `size`,
            read `options["size"]`).
        moves: `moves(state, out) -> n` writes the legal moves, at least one until the game is over.
        play: `play(state, move)` makes a legal move and sets `state.mover`, never to a seat that is out of the
            game.
        over: `over(state) -> bool`: whether the game is over.
        points: `points(state, seat) -> int`: the result, and the score so far.
        observe: `observe(state, view)` writes what the mover may know into a view of zeros: its own side first,
            then the others in the order of play (`rulebots.game.seats.seat_after`).
        kind: `kind(move) -> int`, an index into `kinds`. Default: all moves are of the first kind.
        item: `item(view, move) -> int`: what the rules look at, such as a card or a square. Moves that share an
            item should follow each other. Default: the move itself.
        draw_deals: `draw_deals(rng, count, options) -> int64[count, length]`, plain Python: what chance decides
            before play, a row per deal. Deal k must not depend on `count`. Default: nothing is dealt.
        redeal: With hidden information: `redeal(state, luck) -> luck` deals again what the mover cannot know,
            all possibilities equally likely (a determinization), and returns the next random state. Rollouts
            need it. The result depends on what the mover knows and on `luck` alone.
        name: What commands and files call the game, such as "lost-cities".
        title: What people call it, such as "Lost Cities".
        text: How people read and write it.
        state: The record of everything that the referee knows. Its int field `mover` is the seat to decide.
        view: The record of what the mover may know. Its int field `luck` is the random state of this decision,
            in 1..2**32-1, the only source of chance that a player has. What a rule set derives from a view goes
            into fields of its own (rulebots/rules).
        move_count: Moves are whole numbers from 0 to `move_count` - 1.
        ply_cap: A game that is not over after this many plies is stalled: nobody wins it.
        kinds: The kinds of moves, by the number that `kind` gives. Default: one, scored by the rules of the group
            "move".
        hidden: Whether anything is hidden from a player; then no search may read the state.
        options: Whole numbers that the law leaves open, by name.
        check: `check(options)`, plain Python, raises UsageError for values that do not go together.
        seats: How many play: a number from 1 to `MOST_SEATS`, or (fewest, most). Then there is an option
            `seats`, its default the fewest unless `options` has it with another, and `setup` writes it into a
            field `seats` of the state.
        aim: "against": each for itself. "together": a cooperative game, in which all seats have the same
            points.
        counts: What counts against others: "wins", the share of the first place, "places", or the mean
            "points".
        most_points: The most points that a cooperative game can bring, where there is such a number; tables say
            how often it came.
        team: `team(state, seat) -> int`, plain Python: partners, for tables and text. Seats of one team have
            equal points.
        out: `out(state, seat) -> bool`, plain Python: whether a seat has left the game for good. It keeps its
            points.
        chance: Whether chance decides in play, such as dice. Then `setup` and `play` set `state.mover = CHANCE`
            where chance is to move, `moves` lists the outcomes, numbered as moves are, and `play` makes one. An
            outcome is a ply; `observe`, `kind` and `item` are not asked about it.
        odds: `odds(state, outcome) -> number`: the relative probability of an outcome, finite and at least 0,
            not 0 for all. Default: all outcomes are equally likely.
        undeal: With hidden information: `undeal(state, seats, moves, options, deal, luck) -> luck` writes into
            `deal` a deal from which these moves, int64[plies], made by these seats, lead to this state: no seat
            can tell the state that they lead to from this one. After the numbers of the deal it writes, in
            order, moves that stand for those that are UNKNOWN, which the mover was not told. All games that can
            have led to the state are equally likely. Every order of a deal's numbers has to be as likely a deal
            as any other, as with a shuffled pack. With it a search weights redeals by how well the moves of
            others fit (rulebots/search/rollout); without it all count alike.
        told: With hidden information: `told(state, move, seat) -> int`, plain Python, is what a seat learns of
            a move made in that state: the move where it is public, another number for what is known of it, or
            `UNKNOWN`. Default: a seat is told its own moves only. Players that need the history get this one.
        opening_plies: How many random moves a game begins with by default. None: 0 with `chance` or where deals
            differ; where all deals are alike, `OPENING_PLIES` (rulebots/play/deals.py), since deterministic
            players would repeat one game.
        behaviour: Statistics of how each side played, besides points: name -> kernel `(state, seat) -> number`
            of the last state.
        position_fields: The fields of `state` that decide how the game goes on, `mover` among them. Searches
            take states that agree in these for the same position. Default: all fields.
        live: For a game of Python objects the `LiveLaw` that holds them (live.py); its parts are then `PlainKernel`s.

    Raises:
        UsageError: a part has the wrong shape, such as a record without `mover` or a function without @kernel.
    """

    setup: Kernel[..., None] = begin_with_zeros
    moves: Kernel[..., int]
    play: Kernel[..., None]
    over: Kernel[..., bool]
    points: Kernel[..., int]
    observe: Kernel[..., None]
    kind: Kernel[..., int] = only_kind
    item: Kernel[..., int] = move_itself
    draw_deals: Callable[[np.random.Generator, int, Any], Ints] = deal_nothing
    redeal: Kernel[..., int] | None = None

    name: str
    title: str
    text: GameText
    state: np.dtype[Any]
    view: np.dtype[Any]
    move_count: int
    ply_cap: int
    kinds: tuple[Kind, ...] = (Kind("move", {"move": 1.0}),)
    hidden: bool
    options: Mapping[str, Option] = field(default_factory=dict)
    check: Callable[[Any], None] | None = None

    seats: int | tuple[int, int] = 2
    aim: str = "against"
    counts: str = "wins"
    most_points: int | None = None
    team: Callable[[State, int], int] | None = None
    out: Callable[[State, int], bool] | None = None

    chance: bool = False
    odds: Kernel[..., float] | None = None
    undeal: Kernel[..., int] | None = None
    told: Callable[[State, int, int], int] | None = None

    opening_plies: int | None = None
    behaviour: Mapping[str, Kernel[..., Any]] = field(default_factory=dict)
    position_fields: tuple[str, ...] = ()
    live: Any = None

    def __post_init__(self) -> None:
        if isinstance(self.seats, tuple) and "seats" not in self.options:
            option = Option(self.seats[0], *self.seats, "how many play")
            object.__setattr__(self, "options", {**self.options, "seats": option})
            if option.low == option.high:
                object.__setattr__(self, "seats", option.low)
        for problem in self._problems():
            raise UsageError(f"{place_of_caller()}: {self.name}: {problem}")
        for name, count in PARTS.items():
            check_kernel(self.name, name, getattr(self, name), count)
        for name, body in self.behaviour.items():
            check_kernel(self.name, name, body, 2)
        plain: dict[str, tuple[Any, int]] = {
            "draw_deals": (self.draw_deals, 3),
            "team": (self.team, 2),
            "out": (self.out, 2),
            "show": (self.text.show, 2),
            "write": (self.text.write, 1),
            "read": (self.text.read, 2),
        }
        for name, (function, count) in plain.items():
            if function is not None:
                check_parameters(name, function, count)
        if debugging():
            for name, checked in checked_law(self).items():
                object.__setattr__(self, name, checked)

    def _problems(self) -> Iterator[str]:
        """What is wrong with the shapes of the parts."""
        for part, number in (("move_count", self.move_count), ("ply_cap", self.ply_cap)):
            if type(number) is not int or not 1 <= number <= MOST_MOVES:
                yield f"expected 1 to {MOST_MOVES:,} as `{part}`, not {number!r}"
        for part, word, allowed in (("aim", self.aim, AIMS), ("counts", self.counts, COUNTS)):
            if word not in allowed:
                yield f"expected one of {', '.join(map(repr, allowed))} as `{part}`, not {word!r}"
        kinds: Any = self.kinds
        if not isinstance(kinds, tuple) or not kinds or not all(isinstance(kind, Kind) for kind in kinds):
            yield f"expected a tuple of kinds, (Kind(name, {{group: share}}),) with the comma, not {kinds!r}"
        if self.odds is not None and not self.chance:
            yield "`odds` are those of chance decisions: add `chance=True`, or leave them out"
        words = {word.casefold() for word in self.text.dealt if len(word.split()) == 1 and word != "/"}
        if len(words) < len(self.text.dealt):
            yield f"expected different words without blanks, and not '/', as `dealt`, not {self.text.dealt!r}"
        low = self.fewest_seats
        high = self.most_seats
        if not 1 <= low <= high <= MOST_SEATS:
            yield f"expected 1 to {MOST_SEATS} as `seats`, or (fewest, most), not {self.seats!r}"
        option = self.options.get("seats", Option(low, low, high, ""))
        if isinstance(self.seats, tuple) and (option.low, option.high) != self.seats:
            yield f"expected an option `seats` from {low} to {high}, not from {option.low} to {option.high}"
        yield from _problems_of_record("state", self.state, "mover")
        yield from _problems_of_record("view", self.view, "luck")
        fields = self.state.names or ()
        mover = self.state["mover"]
        luck = self.view["luck"]
        if mover.kind not in ("i" if self.chance else "iu"):
            what = f", which is {CHANCE} where chance is to move" if self.chance else ""
            yield f"`state`: expected whole numbers, such as np.int32, as 'mover'{what}, not {mover}"
        if luck.kind not in "iu" or np.iinfo(luck).max < MOST_LUCK:
            yield f"`view`: expected np.int64 as 'luck', which is up to {MOST_LUCK}, not {luck}"
        if isinstance(self.seats, tuple) and ("seats" not in fields or self.state["seats"].kind not in "iu"):
            yield f"`state` needs a whole number 'seats': how many of {low} to {high} play"
        yield from (unknown("field", name, fields, "`state`") for name in set(self.position_fields) - set(fields))

    @property
    def fewest_seats(self) -> int:
        """The seats of the smallest table."""
        return self.seats if isinstance(self.seats, int) else self.seats[0]

    @property
    def most_seats(self) -> int:
        """The seats of the largest table."""
        return self.seats if isinstance(self.seats, int) else self.seats[1]

    def seats_of(self, state: State) -> int:
        """How many play the game in this state."""
        return self.seats if isinstance(self.seats, int) else int(state.seats)

    def seats_with(self, options: Any) -> int:
        """How many play with these options: a record of all of them, or a map of those that were chosen."""
        if isinstance(self.seats, int):
            return self.seats
        chosen = {"seats": self.options["seats"].default} | dict(options) if isinstance(options, Mapping) else options
        return int(chosen["seats"])

    def named_options(self, values: Any) -> dict[str, int]:
        """A record of options by name."""
        return {name: int(values[name]) for name in self.options}

    def listed_options(self, values: Any) -> dict[str, int]:
        """Options as files list them: the number of seats only where it is not the default."""
        usual = ("seats", self.options["seats"].default) if isinstance(self.seats, tuple) else None
        return {name: value for name, value in self.named_options(values).items() if (name, value) != usual}

    def together(self, seats: int) -> bool:
        """Whether a table of that many seats shares its points: a cooperative game, or a single player."""
        return seats == 1 or self.aim == "together"

    def in_points(self, seats: int) -> bool:
        """Whether a result is worth its points at such a table, not a share of the win (see rulebots/game/seats.py)."""
        return self.counts == "points" or self.together(seats)

    def scores(self, points: Sequence[int]) -> bool:
        """Whether the points of the seats at the end say more than who has won."""
        return self.in_points(len(points)) or not {*points} <= {0, 1}

    def heard(self, state: State, move: int) -> tuple[int, ...]:
        """What each seat learns of a move that is about to be made in a state (see `told`).

        Raises:
            UsageError: the game's `told` fails.
        """
        seats = range(self.seats_of(state))
        if not self.hidden:
            return (move,) * len(seats)
        if self.told is None:
            return tuple(move if seat == state.mover else UNKNOWN for seat in seats)
        try:
            return tuple(operator.index(self.told(state, move, seat)) for seat in seats)
        except Exception as error:
            raise UsageError(failure_of(self, "told", error)) from error

    @property
    def file_name(self) -> str:
        """The game's name in names of files, which any system allows: `lost_cities`."""
        return re.sub(r"\W+", "_", self.name).strip("_")

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    def option_values(self, chosen: Mapping[str, int] | None = None) -> Any:
        """A record with an int64 field for each option of this game; the default where nothing is chosen.

        Raises:
            UsageError: an unknown option, a value out of its range, or values that do not go together.
        """
        chosen = {} if chosen is None else chosen
        demand(isinstance(chosen, Mapping), f"options: expected a map such as {{'size': 4}}, not {chosen!r}")
        for name in chosen:
            check_known("option", name, self.options, self.name)
        values = dict[str, int]()
        for name, option in self.options.items():
            value = chosen.get(name, option.default)
            number = whole_number(value)
            if number is None or not option.low <= number <= option.high:
                raise UsageError(
                    f"option '{name}' of {self.name} takes a whole number from {option.low} to {option.high}, "
                    f"not {value!r}"
                )
            values[name] = number
        record = np.dtype([(name, np.int64) for name in self.options] or [("none", np.int64)])
        options = records(record, 1, [tuple(values.values()) or (0,)])[0]
        if self.check is not None:
            self.check(options)
        return options

    def deal(self, rng: np.random.Generator, count: int, options: Any) -> Ints:
        """What `draw_deals` draws: int64[count, length], a row per deal.

        Raises:
            CodeError: it draws something else.
        """
        with placed_errors():
            drawn: Any = self.draw_deals(rng, count, options)
        if not isinstance(drawn, np.ndarray):
            what = f"gives {described(drawn)}: expected an array int64[count, length], a row for each deal"
        elif drawn.ndim != 2 or len(drawn) != count:
            remedy = " (write np.zeros((count, 0), np.int64) where nothing is dealt)" if not drawn.size else ""
            what = f"gives an array of shape {drawn.shape} for count = {count}: expected (count, length){remedy}"
        elif not np.issubdtype(drawn.dtype, np.integer):
            what = f"gives numbers of type {drawn.dtype}: expected whole numbers, such as np.int64"
        elif self.text.dealt and drawn.size and not 0 <= drawn.min() <= drawn.max() < len(self.text.dealt):
            other = next(number for number in drawn.flat if not 0 <= number < len(self.text.dealt))
            what = f"gives the number {other}: `dealt` has words for 0 to {len(self.text.dealt) - 1}"
        else:
            return drawn.astype(np.int64, copy=False)
        raise contract_error(self.draw_deals, what)

    def __reduce__(self) -> Any:
        """By its module, where that has it as `game`: then the other process's own is meant."""
        if self.live is not None:
            return game_again, (self.live.source,)
        module = getattr(self.setup, "__module__", "")
        if getattr(sys.modules.get(module), "game", None) is self:
            return pkgutil.resolve_name, (f"{module}:game",)
        return super().__reduce__()

    def new_state(self) -> State:
        """A zeroed state record, ready for `setup`."""
        return records(self.state, 1)[0]

    def new_view(self) -> View:
        """A zeroed view record, ready for `observe`."""
        return np.zeros(1, self._view_record)[0]

    @functools.cached_property
    def _view_record(self) -> np.dtype[Any]:
        # Made once: a Python player is given a new view at every decision.
        return records(self.view, 0).dtype

    def identity(self) -> object:
        """What decides how a game goes: its law and its deals. How it is shown and read takes no part."""
        if self.live is not None:
            return self.name, self.ply_cap, self.live.source.identity()
        limits = (self.move_count, self.ply_cap, self.hidden)
        law = (self.setup, self.moves, self.play, self.over, self.points, self.observe, self.redeal)
        options = [(name, option.low, option.high) for name, option in self.options.items()]
        # Only what differs from the default takes part, so that games without it keep their identity.
        chance = (self.odds,) if self.chance else ()
        table = (self.seats, self.aim, self.counts)
        seats = () if table == (2, "against", "wins") else table
        return self.name, (self.state, self.view), limits, law, options, self.draw_deals, *chance, *seats


def _problems_of_record(part: str, record: np.dtype[Any], needed: str) -> Iterator[str]:
    if not isinstance(record, np.dtype) or record.names is None:
        yield f"expected a dtype with fields as `{part}`, not {record!r}"
    elif needed not in record.names:
        yield f"`{part}` needs a field '{needed}'; its fields are {', '.join(record.names)}"
    else:
        try:
            fields_of(record)
        except UsageError as error:
            yield f"`{part}`: {error}"


def failure_of(game: Game, function: str, error: Exception) -> str:
    """The message for a function of a game that failed, with the last line of it."""
    place = last_line(error, Path(__file__).parents[1])
    return f"`{function}` of {game.name}: {error}{f' ({place})' if place else ''}"


@functools.cache
def checked_game(game: Game) -> Game:
    """The same game with every call checked (see checks.py); itself where it checks itself already."""
    checked = checked_law(game)
    return replace(game, **checked) if checked else game
