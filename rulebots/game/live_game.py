"""What a class has to say for its objects to be games; live.py makes the law of a `Game` of it."""

import functools
import importlib
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self


class LiveGame(ABC):
    """A game that is an object of Python's: subclass it, and tell what the object does.

        class Pig(LiveGame):
            seats = 2
            def new(self, seed): return PigGame(random.Random(seed))
            def mover(self, g): return g.turn
            def moves(self, g): return ["roll", "hold"]
            def play(self, g, move): g.do(move)
            def over(self, g): return g.winner is not None
            def points(self, g, seat): return int(g.winner == seat)

    `g` is the object. Moves may be any objects; a person sees their `str`. Where chance within a move comes from
    Python's or NumPy's global random numbers, they are seeded before each move.

    Further methods, where the engine has what they need; without one the game lacks what it is for:

        copy(g): another object, whose moves do not change `g`; for searches, lessons and rules that look ahead.
        sees(g, seat): what a seat knows, an object that does not change; with `hidden` rules get it in place of `g`.
        odds(g): where chance is to move, how likely each of `moves(g)` is; default: all alike.
        resample(g, seat, seed): another object, in which what the seat cannot know is dealt again.
        write(g, move): the text of a move.
        sentence(g, move): what a move does, `draw(s) a card`: see `GameText`.
        show(g, seat): the game as a seat sees it, None for all of it.

    Attributes:
        name: What commands call it; by default the class's name, as in `four-in-a-row`.
        title: What people call it.
        seats: How many play.
        hidden: Whether anything is hidden from a player.
        chance: Whether `mover` is ever CHANCE, where the engine leaves an outcome to its caller.
        seeded: Whether the seed of `new` changes anything; None: some games are played to find out.
        together: Whether it is a cooperative game.
        counts: What counts against others, "wins", "places" or "points".
        ply_cap: A game that is not over after this many plies is stalled.
        move_count: The most moves in one position.
        numbered: Whether moves are whole numbers below `move_count` that mean the same in every position.
        global_random: Whether chance may come from global random numbers.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    seats: int = 2
    hidden: bool = False
    chance: bool = False
    seeded: bool | None = None
    together: bool = False
    counts: str = "wins"
    ply_cap: int = 1000
    move_count: int = 1000
    numbered: bool = False
    global_random: bool = True

    copy: Any = None
    sees: Any = None
    odds: Any = None
    resample: Any = None
    write: Any = None
    sentence: Any = None
    show: Any = None
    _made_with: tuple[tuple[Any, ...], dict[str, Any]] = (), {}

    @abstractmethod
    def new(self, seed: int) -> Any:
        """The object of a game that begins; all its chance follows from the seed, as far as the engine draws it."""

    @abstractmethod
    def mover(self, g: Any) -> int:
        """The seat to decide, from 0 on, or CHANCE; asked until the game is over."""

    @abstractmethod
    def moves(self, g: Any) -> Sequence[Any]:
        """The legal moves, at least one and each once, always in the same order; or the outcomes of chance."""

    @abstractmethod
    def play(self, g: Any, move: Any) -> Any:
        """Make a move. An engine that makes another object of it returns that."""

    @abstractmethod
    def over(self, g: Any) -> bool:
        """Whether the game is over."""

    @abstractmethod
    def points(self, g: Any, seat: int) -> float:
        """The result of a seat in whole points, and the score so far."""

    def identity(self) -> object:
        """What decides how its games go: by default its class, with the user's files that this imports."""
        return type(self), *map(repr, self._made_with)

    def __new__(cls, *arguments: Any, **named: Any) -> Self:
        """Note the arguments, which make the game what it is."""
        made = super().__new__(cls)
        vars(made)["_made_with"] = arguments, named
        return made

    # Two objects of a class with the same arguments are one game, here and in other processes.

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._made_with == other._made_with

    def __hash__(self) -> int:
        return hash(type(self))

    def __reduce__(self) -> Any:
        arguments, named = self._made_with
        return functools.partial(type(self), *arguments, **named), ()


def game_again(source: LiveGame) -> Any:
    """The `Game` of a pickled source: made again, or found."""
    return importlib.import_module("rulebots.game.live_loading").game_of(source)


def words(thing: Any) -> str:
    """An object as text; of one that has none of its own, what it holds. Where it is in memory says nothing."""
    kind: Any = type(thing)
    own = kind.__str__ is not object.__str__ or kind.__repr__ is not object.__repr__ or not hasattr(thing, "__dict__")
    text = str(thing) if own else "\n".join(f"{name}: {value}" for name, value in vars(thing).items())
    return re.sub(r" at 0x[0-9a-fA-F]+", "", text)
