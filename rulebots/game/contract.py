"""What a game is: records, a few plain functions, options, and a text form.

A game is one folder, `rulebots/games/<name>/`. Its `game.py` ends in `game = Game(...)`, its `rules.py` lists its
rule sets and its `players.py` its opponents. Nothing else needs to be edited: `load_game` finds the folder, or
an entry point of the group `rulebots.games` that names a package with the same layout.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError, unknown
from rulebots.game.checks import CHANCE, check_parts, checked_law, contract_error, described, is_number
from rulebots.game.defaults import begin_with_zeros, deal_nothing, move_itself, only_kind, read_number, write_number
from rulebots.game.dtypes import check_names, check_numbers, records
from rulebots.kernel import Kernel, debugging
from rulebots.kernel.user_code import CodeError, in_users_terms, place_of_caller

#: One record of a game's `state` dtype: everything that the referee knows.
State = Any
#: One record of a game's `view` dtype: the observation, what the mover may know, its own side first.
View = Any
#: An array of move numbers, int64, that `moves` fills from the front.
Moves = npt.NDArray[np.int64]
#: What `Game.told` gives for a move of which a seat learns nothing but that it was made.
UNKNOWN = -1
#: The most moves that a game has to choose from, and the most plies that it lasts.
MOST_MOVES = 1_000_000
#: The largest random state.
MOST_LUCK = 2**32 - 1
#: The most seats of a game.
MOST_SEATS = 6
#: What the seats play for (`Game.aim`), and by what the result counts (`Game.counts`).
AIMS, COUNTS = ("against", "together"), ("wins", "places", "points")
_USUAL = (AIMS[0], COUNTS[0])


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True)
class Option:
    """A whole number that the law of a game leaves open, such as the size of its board.

    Raises:
        UsageError: its default is out of its range, or one of the three is not a whole number.
    """

    default: int
    low: int
    high: int
    meaning: str
    #: For an option that is on (1) or off (0): the name of off, where there is a better word than `no_<name>`.
    off: str = ""
    #: A short flag for the command line, such as "-s". With an option that is on or off, it selects the value that is
    #: not the default.
    flag: str = ""

    def __post_init__(self) -> None:
        for name in ("default", "low", "high"):
            if not _is_whole(value := getattr(self, name)):
                what = f"expected a whole number as `{name}` of an Option, not {value!r}"
                raise UsageError(f"{place_of_caller()}: {what}")
        if not self.low <= self.default <= self.high:
            what = f"expected the default of an Option from {self.low} to {self.high}, its low and high"
            raise UsageError(f"{place_of_caller()}: {what}, not {self.default}")


@dataclass(frozen=True)
class Kind:
    """A kind of move, and how it mixes the sums of the rule groups into one score.

    score(move) = sum over groups of mix[group] * (weighted sum of the group's rules)

    Raises:
        UsageError: the name is not a text, or the mix does not give a finite share for each group.
    """

    name: str
    mix: Mapping[str, float]

    def __post_init__(self) -> None:
        name: Any = self.name
        mix: Any = self.mix
        if not isinstance(name, str) or not name:
            raise UsageError(f"{place_of_caller()}: expected a text as the name of a Kind, not {name!r}")
        if not isinstance(mix, Mapping) or not all(isinstance(group, str) and is_number(mix[group]) for group in mix):
            example = f'{{"{name}": 1.0}}'
            what = f"expected {{group: share}} as the mix of the Kind '{name}', such as {example}"
            raise UsageError(f"{place_of_caller()}: {what}, not {mix!r}")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Game:
    """The contract between a game's law and everything else.

    The seats are 0, 1 and so on, two of them unless `seats` says otherwise; seat 0 begins, or whom `setup` says.

    What belongs to a game besides its law and its text (rule sets, players, a picture, solvers) stands in other files
    of its folder, where `parts_of(game)` finds it: see rulebots/packages/game_parts.py.

    `state` and `view` are NumPy dtypes. `state` has the int field `mover`: the seat whose decision it is. `view` has
    the int field `luck`: the random state of this decision, in 1..2**32-1, the only source of chance that a player
    has. The view is the observation and nothing else; what a rule set derives from it goes into fields of its own
    (see rulebots/rules). These functions are kernels over single records:

    - `setup(state, deal, options)` fills a zeroed state. `deal` is one row of `deals`, `options` a record with a field
      for each option. An option whose name is an attribute of NumPy's, such as `size`, is read as `options["size"]`.
    - `moves(state, out) -> n` writes the legal moves, at least one until the game is over. A move is an int in
      0..move_count-1.
    - `play(state, move)` makes a legal move and sets `state.mover`, never to a seat that is out of the game.
    - `over(state) -> bool`, `points(state, seat) -> int`.
    - `observe(state, view)` writes what the mover may know into a zeroed view: its own side first, then the others in
      the order of play, the next one first (`rulebots.game.seats.seat_after`).
    - `kind(move) -> int` is an index into `kinds`. `item(view, move) -> int` is what the rules of that kind look at,
      such as a card or a square. Moves that share an item should follow each other.

    A game with `chance` in play, such as dice, has chance decisions: `setup` and `play` set `state.mover = CHANCE`
    where chance is to move. There `moves` lists the outcomes, numbered as moves are, and `play` makes one. The match
    loop draws it, by `odds` where the game gives them. An outcome is a ply, and `write` and `read` write and read it;
    `observe`, `kind` and `item` are not asked about it.

    The rest is for people: `show(state, seat) -> str` draws what a seat may see (seat None: everything),
    `write(move) -> str` writes a move without blanks, `read(text, state) -> move` reads one or raises `UsageError`.
    """

    #: What commands and files call the game, such as "lost-cities": the name of its folder, or of its entry point.
    name: str
    #: What people call it, such as "Lost Cities".
    title: str
    #: The record of everything that the referee knows.
    state: np.dtype[Any]
    #: The record of what the mover may know.
    view: np.dtype[Any]
    #: How many play: a number from 1 to `MOST_SEATS`, or (fewest, most). Then there is an option `seats`, its default
    #: the fewest unless `options` has it with another, and `setup` writes it into a field `seats` of the state.
    seats: int | tuple[int, int] = 2
    #: What they play for: "against", each for itself, or "together": then all seats have the same points. One seat
    #: alone plays for its points in either case.
    aim: str = "against"
    #: What counts against others: "wins", the share of the first place, "places", or the mean "points".
    counts: str = "wins"
    #: The most points that all together can reach, where the game has such a number: tables say how often they did.
    most_points: int | None = None
    #: `team(state, seat) -> int`: who belong together, for tables and text; seats of one team have equal points.
    team: Callable[[State, int], int] | None = None
    #: `out(state, seat) -> bool`: whether a seat takes no more part in the game; it keeps its points, and stays out.
    #: Without it every seat takes part to the end, as far as others know.
    out: Callable[[State, int], bool] | None = None
    #: Moves are whole numbers from 0 to `move_count` - 1.
    move_count: int
    #: A game that is not over after this many plies is stalled: nobody wins it.
    ply_cap: int
    #: The kinds of moves, by the number that `kind` gives.
    kinds: tuple[Kind, ...]
    #: Without it, the state begins as zeros.
    setup: Kernel[..., None] = begin_with_zeros
    moves: Kernel[..., int]
    play: Kernel[..., None]
    over: Kernel[..., bool]
    points: Kernel[..., int]
    observe: Kernel[..., None]
    #: Without it, all moves are of the first kind.
    kind: Kernel[..., int] = only_kind
    #: Without it, the move itself.
    item: Kernel[..., int] = move_itself
    show: Callable[[State, int | None], str]
    #: Without it, the move's number.
    write: Callable[[int], str] = write_number
    #: Without it, a move is read by its number.
    read: Callable[[str, State], int] = read_number
    #: `draw_deals(rng, count, options) -> int64[count, length]`: what chance decides before play, a row per deal.
    #: Deal k must not depend on `count`. Without it, nothing is dealt.
    draw_deals: Callable[[np.random.Generator, int, Any], npt.NDArray[np.int64]] = deal_nothing
    #: Whether anything is hidden from a player (then no search may read the state).
    hidden: bool
    #: For a game that hides something: `redeal(state, luck) -> luck` deals again what the mover cannot know, all
    #: possibilities equally likely (a determinization), and returns the next random state. Rollouts need it. What it
    #: makes of a state depends on what the mover knows and on `luck`, and on nothing else.
    redeal: Kernel[..., int] | None = None
    #: For a game that hides something: `undeal(state, seats, moves, options, deal, luck) -> luck` writes into `deal` a
    #: deal from which these moves, int64[plies], made by these seats, lead to this state: no seat can tell the state
    #: that they lead to from this one. After the numbers of the deal it writes, in order, moves that stand for those
    #: that are UNKNOWN, which the mover was not told. All games that can have led to the state are equally likely.
    #: Every order of the numbers of a deal has to be as likely a deal as any other, as with a shuffled pack. By it a
    #: search asks how well the moves of others go with a redeal (see rulebots/search/rollout); without it all count
    #: alike.
    undeal: Kernel[..., int] | None = None
    #: Whether chance has decisions of its own (see above).
    chance: bool = False
    #: `odds(state, outcome) -> number`: how likely an outcome is, relative to the other ones: finite, at least 0, and
    #: not 0 for all of them. None: all outcomes are equally likely.
    odds: Kernel[..., float] | None = None
    #: For a game that hides something: `told(state, move, seat) -> int` is what that seat learns of a move made in that
    #: state: the move itself where it is public, another number that stands for what is known of it, or `UNKNOWN`.
    #: Without it a seat is told its own moves only. Players that need the history get this one; it runs interpreted.
    told: Callable[[State, int, int], int] | None = None
    #: Whole numbers that the law leaves open, by name.
    options: Mapping[str, Option] = field(default_factory=dict)
    #: `check(options)` raises UsageError if values that are each in range do not go together.
    check: Callable[[Any], None] | None = None
    #: How many random moves a game begins with by default. None: 0 with `chance` or where deals differ; where they are
    #: all alike, deterministic players would play the same game every time, and it is `OPENING_PLIES` of
    #: rulebots/play/deals.py.
    opening_plies: int | None = None
    #: Statistics of how each side played, in addition to points: name -> kernel `(state, seat) -> number`, computed
    #: from the last state of a game.
    behaviour: Mapping[str, Kernel[..., Any]] = field(default_factory=dict)
    #: The fields of `state` that decide how the game goes on, `mover` among them. The others, such as the last move for
    #: the picture, do not tell positions apart: searches share what they find between states that agree in these.
    #: Without it, all fields do.
    position_fields: tuple[str, ...] = ()
    #: `refusal(state, move) -> str` tells a person why a move that could be read is not legal. It shows nothing that
    #: the mover may not know.
    refusal: Callable[[State, int], str] | None = None
    #: `remark(state, move) -> str` tells a person what a legal move does beside what its name says, such as that it
    #: captures, in words that follow the move; "" for nothing. All who are told of the move are told it when the move
    #: has been made.
    remark: Callable[[State, int], str] | None = None
    #: What the numbers of a deal are called in the text of a position, number k as `dealt[k]`: cards as people write
    #: them, each a word. Without it they are written as numbers.
    dealt: tuple[str, ...] = ()
    #: A text form of positions, as FEN is for chess, in a game that hides nothing: `write_position(state) -> str`, on
    #: one line, and `read_position(text, state)`, which turns a state that was just set up into that of the text, or
    #: raises `PositionError(text, index, message)`. Without it, a position is its deal and the moves so far.
    write_position: Callable[[State], str] | None = None
    read_position: Callable[[str, State], None] | None = None

    def __post_init__(self) -> None:
        for part in ("name", "title"):
            text: Any = getattr(self, part)
            if not isinstance(text, str) or not text:
                raise UsageError(f"{place_of_caller()}: expected a text as `{part}` of a Game, not {text!r}")
        try:
            self._check_tables()
            self._check_seats()
            self._check_records()
        except UsageError as error:
            raise UsageError(f"{place_of_caller()}: {self.name}: {error}") from None
        check_parts(self)
        if debugging():
            for name, checked in checked_law(self).items():
                object.__setattr__(self, name, checked)

    def _check_records(self) -> None:
        """Raise UsageError for records that cannot hold what is written into them."""
        for part, name in (("state", "mover"), ("view", "luck")):
            record = getattr(self, part)
            if not isinstance(record, np.dtype) or record.names is None:
                raise UsageError(f"expected a dtype with fields as `{part}`, not {record!r}")
            if name not in record.names:
                raise UsageError(f"`{part}` needs a field '{name}'; its fields are {', '.join(record.names)}")
            try:
                check_names(record.names)
                check_numbers(record)
            except UsageError as error:
                raise UsageError(f"`{part}`: {error}") from None
        if isinstance(self.seats, tuple):
            if "seats" not in (self.state.names or ()):
                raise UsageError(f"`state` needs a field 'seats': how many of {self.seats[0]} to {self.seats[1]} play")
            if self.state["seats"].kind not in "iu":
                what = "expected a whole number as 'seats', such as np.int32"
                raise UsageError(f"`state`: {what}, not {self.state['seats']}")
        mover, luck, known, given = self.state["mover"], self.view["luck"], self.state.names or (), self.position_fields
        if mover.kind not in "iu":
            raise UsageError(f"`state`: expected whole numbers as 'mover', such as np.int32, not {mover}")
        if self.chance and mover.kind != "i":
            raise UsageError(f"with chance, 'mover' also holds {CHANCE}: expected a signed int, not {mover}")
        if luck.kind not in "iu" or np.iinfo(luck).max < MOST_LUCK:
            raise UsageError(f"`view`: expected np.int64 as 'luck', which is up to {MOST_LUCK}, not {luck}")
        if not isinstance(given, tuple | list):
            raise UsageError(f"expected a tuple of names as `position_fields`, not {given!r}")
        for name in given:
            if name not in known:
                raise UsageError(unknown("field", name, known, "`state`"))
        if given and "mover" not in given:
            raise UsageError("`position_fields` has to name 'mover': who is to move is part of a position")

    def _check_tables(self) -> None:
        """Raise UsageError for numbers, kinds, options and flags that are something else."""
        for part in ("hidden", "chance"):
            if not isinstance(said := getattr(self, part), bool):
                raise UsageError(f"expected True or False as `{part}`, not {said!r}")
        if self.odds is not None and not self.chance:
            raise UsageError("`odds` are those of chance decisions: add `chance=True`, or leave them out")
        for part in ("move_count", "ply_cap"):
            if not _is_whole(value := getattr(self, part)):
                raise UsageError(f"expected a whole number as `{part}`, not {value!r}")
            if not 1 <= value <= MOST_MOVES:
                raise UsageError(f"expected 1 to {MOST_MOVES:,} as `{part}`, not {value!r}")
        kinds: Any = self.kinds
        if isinstance(kinds, Kind):
            raise UsageError("expected a tuple of kinds: (Kind(...),) with the comma")
        if not isinstance(kinds, tuple | list) or not kinds or not all(isinstance(kind, Kind) for kind in kinds):
            raise UsageError(f"expected a tuple of kinds, (Kind(name, {{group: share}}),), not {kinds!r}")
        dealt: Any = self.dealt
        words = list(dealt) if isinstance(dealt, tuple | list) else [""]
        if "/" in words or not all(isinstance(word, str) and len(word.split()) == 1 for word in words):
            raise UsageError(f"expected a tuple of words without blanks, and not '/', as `dealt`, not {dealt!r}")
        lower = [word.casefold() for word in words]
        if twice := next((word for word, low in zip(words, lower, strict=True) if lower.count(low) > 1), ""):
            raise UsageError(f"`dealt` has the word '{twice}' twice, apart from case: each has to name one number")
        options: Any = self.options
        if not isinstance(options, Mapping) or not all(isinstance(option, Option) for option in options.values()):
            raise UsageError(f"expected options, {{name: Option(default, low, high, meaning)}}, not {options!r}")

    def _check_seats(self) -> None:
        """Raise UsageError for seats that nobody can sit in, and add the option of a game that has a choice of them."""
        given: Any = self.seats
        low, high = given if isinstance(given, tuple) and len(given) == 2 else (given, given)
        for number in (low, high):
            if not _is_whole(number) or not 1 <= number <= MOST_SEATS:
                raise UsageError(f"expected 1 to {MOST_SEATS} as `seats`, or (fewest, most), not {given!r}")
        if isinstance(given, tuple) and not low < high:
            raise UsageError(f"expected (fewest, most) as `seats`, such as (2, 4), not {given!r}")
        for part, known in (("aim", AIMS), ("counts", COUNTS)):
            if (said := getattr(self, part)) not in known:
                raise UsageError(f"expected one of {', '.join(map(repr, known))} as `{part}`, not {said!r}")
        if self.most_points is not None and not _is_whole(self.most_points):
            raise UsageError(f"expected a whole number or None as `most_points`, not {self.most_points!r}")
        if not isinstance(given, tuple):
            return
        option = self.options.get("seats", Option(low, low, high, "how many play"))
        if (option.low, option.high) != (low, high):
            what = f"expected an option `seats` from {low} to {high}, as `seats` says"
            raise UsageError(f"{what}, not from {option.low} to {option.high}")
        object.__setattr__(self, "options", {**self.options, "seats": option})

    @property
    def fewest_seats(self) -> int:
        """The seats of the smallest table."""
        return self.seats if isinstance(self.seats, int) else self.seats[0]

    @property
    def most_seats(self) -> int:
        """The seats of the largest table."""
        return self.seats if isinstance(self.seats, int) else self.seats[1]

    def seats_with(self, options: Any) -> int:
        """How many play with these options: a record of all of them, or a map of those that were chosen."""
        if isinstance(self.seats, int):
            return self.seats
        chosen = {"seats": self.options["seats"].default} | dict(options) if isinstance(options, Mapping) else options
        return int(chosen["seats"])

    def named_options(self, values: Any) -> dict[str, int]:
        """A record of options by name."""
        return {name: int(values[name]) for name in self.options}

    def written_options(self, values: Any) -> dict[str, int]:
        """A record or a map of options as files have them: without the usual number of seats.

        Files that are older than tables do not have it either.
        """
        usual = self.options["seats"].default if isinstance(self.seats, tuple) else None
        return {name: n for name, n in self.named_options(values).items() if (name, n) != ("seats", usual)}

    def together(self, seats: int) -> bool:
        """Whether a table of so many seats plays for points that all of them share: also who is alone."""
        return seats == 1 or self.aim == "together"

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    def option_values(self, chosen: Mapping[str, int] | None = None) -> Any:
        """A record with an int64 field for each option of this game; the default where nothing is chosen.

        Raises:
            UsageError: an unknown option, a value out of its range, or values that do not go together.
        """
        chosen = {} if chosen is None else chosen
        if not isinstance(chosen, Mapping):
            raise UsageError(f"options: expected a map such as {{'size': 4}}, not {chosen!r}")
        for name in chosen:
            if name not in self.options:
                raise UsageError(unknown("option", name, self.options, self.name))
        values = {name: chosen.get(name, option.default) for name, option in self.options.items()}
        for name, value in values.items():
            option = self.options[name]
            if not _is_whole(value) or not option.low <= value <= option.high:
                raise UsageError(
                    f"option '{name}' of {self.name} takes a whole number from {option.low} to {option.high}, "
                    f"not {value!r}"
                )
        record = np.dtype([(name, np.int64) for name in self.options] or [("none", np.int64)])
        options = records(record, 1, [tuple(values.values()) or (0,)])[0]
        if self.check is not None:
            self.check(options)
        return options

    def deal(self, rng: np.random.Generator, count: int, options: Any) -> npt.NDArray[np.int64]:
        """What `draw_deals` draws: int64[count, length], a row per deal.

        Raises:
            CodeError: it draws something else.
        """
        try:
            drawn: Any = self.draw_deals(rng, count, options)
        except Exception as error:
            told = in_users_terms(error)
            if told is None:
                raise
            raise CodeError(told) from None
        if not isinstance(drawn, np.ndarray):
            what = f"gives {described(drawn)}: expected an array int64[count, length], a row for each deal"
        elif drawn.ndim != 2 or len(drawn) != count:
            remedy = " (write np.zeros((count, 0), np.int64) where nothing is dealt)" if not drawn.size else ""
            what = f"gives an array of shape {drawn.shape} for count = {count}: expected (count, length){remedy}"
        elif not np.issubdtype(drawn.dtype, np.integer):
            what = f"gives numbers of type {drawn.dtype}: expected whole numbers, such as np.int64"
        elif self.dealt and drawn.size and not 0 <= drawn.min() <= drawn.max() < len(self.dealt):
            other = next(number for number in drawn.flat if not 0 <= number < len(self.dealt))
            what = f"gives the number {other}: `dealt` has words for 0 to {len(self.dealt) - 1}"
        else:
            return drawn.astype(np.int64, copy=False)
        raise contract_error(self.draw_deals, what)

    def __reduce__(self) -> Any:
        """By its module, where that has it as `game`: then the other process's own is meant."""
        module = getattr(self.setup, "__module__", "")
        if getattr(sys.modules.get(module), "game", None) is self:
            return _game_in, (module,)
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
        records, limits = (self.state, self.view), (self.move_count, self.ply_cap, self.hidden)
        law = (self.setup, self.moves, self.play, self.over, self.points, self.observe, self.redeal)
        options = [(name, option.low, option.high) for name, option in self.options.items()]
        # Only what differs from the default takes part, so that games without it keep their identity.
        chance = (self.odds,) if self.chance else ()
        seats = (self.seats, self.aim, self.counts) if (self.seats, self.aim, self.counts) != (2, *_USUAL) else ()
        return self.name, records, limits, law, options, self.draw_deals, *chance, *seats


@functools.cache
def checked_game(game: Game) -> Game:
    """The same game with every call checked (see checks.py); itself where it checks itself already."""
    checked = checked_law(game)
    return replace(game, **checked) if checked else game


def _game_in(module: str) -> Game:
    """Find a pickled game again."""
    found: Game = importlib.import_module(module).game
    return found
