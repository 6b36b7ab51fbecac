"""What a game is: records, a handful of plain functions, options, and its text form.

A game is one folder, `rulebots/games/<name>/`, whose `game.py` ends in `game = Game(...)`, whose
`rules.py` lists its rule sets and whose `players.py` its own opponents. Nothing else has to be
edited: `load_game` finds the folder, or an entry point of the group `rulebots.games` that names a
package built the same way.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError, unknown
from rulebots.kernel import Kernel
from rulebots.registry import module_of, optional_module_of

if TYPE_CHECKING:
    from rulebots.rules import RuleSet

#: One record of a game's `state` dtype: all that the referee knows.
State = Any
#: One record of a game's `view` dtype: what the player to move may know, its own side first.
View = Any
#: Bytes that records are filled up to.
WORD = 8
#: An array of move numbers (int64) that `moves` fills from the front.
Moves = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Option:
    """A whole number that the rules of a game leave open, such as the size of its board."""

    default: int
    low: int
    high: int
    meaning: str
    #: Of an option that is on (1) or off (0): what to say for off, where there is a better word than `no_<name>`.
    off: str = ""
    #: A short flag of the command line, such as "-s"; of an option that is on or off: for what is not the default.
    flag: str = ""


@dataclass(frozen=True)
class Kind:
    """A kind of move, and how it mixes the sums of the rule groups into one score.

    score(move) = sum over groups of mix[group] * (weighted sum of the group's rules)
    """

    name: str
    mix: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Game:
    """The whole contract between a game and everything else. Two seats, 0 and 1; seat 0 begins.

    `state` and `view` are NumPy dtypes. `state` has the int field `mover` (whose decision it is);
    `view` has the int field `luck` (a fresh random number in 1..2**32-1 at every decision, the only
    source of chance that a player has). The view is the observation and nothing else: what a rule set works out
    of it stands in fields of its own (see rulebots/rules). The functions are kernels over single records:

    - `setup(state, deal, options)` fills a zeroed state; `deal` is one row of `deals`, `options` a
      record with a field per option (an option that is named like an attribute of NumPy's own, such
      as `size`, is read as `options["size"]`)
    - `moves(state, out) -> n` writes the legal moves, at least one until the game is over; a move is
      an int in 0..move_count-1
    - `play(state, move)` makes a legal move and sets `state.mover`
    - `over(state) -> bool`, `points(state, seat) -> int`
    - `observe(state, view)` writes what the mover may know into a zeroed view
    - `kind(move) -> int` is an index into `kinds`; `item(view, move) -> int` is what the rules of
      that kind look at (a card, a square); moves that share an item should follow each other

    The rest is for people: `show(state, seat) -> str` draws what a seat may see (seat None: all),
    `write(move) -> str`, and `read(text, state) -> move`, which raises `UsageError`.
    """

    name: str
    title: str
    state: np.dtype[Any]
    view: np.dtype[Any]
    move_count: int
    ply_cap: int
    kinds: tuple[Kind, ...]
    setup: Kernel[..., None]
    moves: Kernel[..., int]
    play: Kernel[..., None]
    over: Kernel[..., bool]
    points: Kernel[..., int]
    observe: Kernel[..., None]
    kind: Kernel[..., int]
    item: Kernel[..., int]
    show: Callable[[State, int | None], str]
    write: Callable[[int], str]
    read: Callable[[str, State], int]
    #: `draw_deals(rng, count, options) -> int64[count, length]`: everything that chance decides.
    draw_deals: Callable[[np.random.Generator, int, Any], npt.NDArray[np.int64]]
    #: Whether anything is hidden from a player (then no search may read the state).
    hidden: bool
    #: Where something is hidden: `redeal(state, luck) -> luck` deals anew all that the mover cannot know, each
    #: possibility as likely as another. Without it nobody can learn this game from lessons (see lessons.py).
    redeal: Kernel[..., int] | None = None
    options: Mapping[str, Option] = field(default_factory=dict)
    #: `check(options)` raises UsageError where values that are each in range do not go together.
    check: Callable[[Any], None] | None = None
    #: Random moves with which a game begins unless somebody says otherwise: where chance deals nothing, players
    #: that do not throw dice would play one game only.
    opening_plies: int = 0
    #: Settings of a breeding run (see `evolve.Settings`) that suit this game better than the general defaults.
    breeding: Mapping[str, Any] = field(default_factory=dict)
    #: Settings of `mcts:...` (see docs/reference/search-settings.md) that suit this game better than the defaults.
    search: Mapping[str, Any] = field(default_factory=dict)
    #: What a match tells of how each side played, besides points: name -> kernel `(state, seat) -> number`, read
    #: from the last state of a game.
    behaviour: Mapping[str, Kernel[..., Any]] = field(default_factory=dict)
    #: `refusal(state, move) -> str` tells a person why a move that can be read is not legal there; it shows nothing
    #: that the mover may not know.
    refusal: Callable[[State, int], str] | None = None

    def __post_init__(self) -> None:
        for record, name in ((self.state, "mover"), (self.view, "luck")):
            if name not in (record.names or ()):
                raise UsageError(f"{self.name}: expected a field '{name}' among {record.names}")
            try:
                check_names(record.names or ())
            except UsageError as error:
                raise UsageError(f"{self.name}: {error}") from None

    def option_values(self, chosen: Mapping[str, int] | None = None) -> Any:
        """A record of this game's options, defaults where nothing is chosen.

        Raises:
            UsageError: an unknown option, a value outside its range, or values that do not go together.
        """
        chosen = chosen or {}
        for name in chosen:
            if name not in self.options:
                raise UsageError(unknown("option", name, self.options, self.name))
        values = {name: chosen.get(name, option.default) for name, option in self.options.items()}
        for name, value in values.items():
            option = self.options[name]
            if isinstance(value, bool) or not isinstance(value, int) or not option.low <= value <= option.high:
                raise UsageError(
                    f"option '{name}' of {self.name} takes a whole number from {option.low} to {option.high}, "
                    f"not {value!r}"
                )
        record = np.dtype([(name, np.int64) for name in self.options] or [("none", np.int64)])
        options = records(record, 1, [tuple(values.values()) or (0,)])[0]
        if self.check is not None:
            self.check(options)
        return options

    def new_state(self) -> State:
        """A zeroed state record, for `setup`."""
        return records(self.state, 1)[0]

    def new_view(self) -> View:
        """A zeroed view record, for `observe`."""
        return records(self.view, 1)[0]

    def identity(self) -> object:
        """What decides how a game goes: its law and its deals. How it is shown and read takes no part."""
        records, limits = (self.state, self.view), (self.move_count, self.ply_cap, self.hidden)
        law = (self.setup, self.moves, self.play, self.over, self.points, self.observe, self.redeal)
        options = [(name, option.low, option.high) for name, option in self.options.items()]
        return self.name, records, limits, law, options, self.draw_deals

    @functools.cached_property
    def rule_sets(self) -> dict[str, RuleSet]:
        """The game's rule sets by name; the first is the one players are bred from by default."""
        return {rules.name: rules for rules in module_of(self.name, "rules", "RULE_SETS").RULE_SETS}

    def rule_set(self, name: str | None = None) -> RuleSet:
        """The rule set of that name, or the default one. Raises UsageError when there is none."""
        if name is None:
            return next(iter(self.rule_sets.values()))
        if name not in self.rule_sets:
            raise UsageError(unknown("rule set", name, self.rule_sets, self.name))
        return self.rule_sets[name]

    @functools.cached_property
    def own_players(self) -> dict[str, Callable[[], Any]]:
        """The game's built-in players: name -> function that makes one."""
        return dict(self._players.PLAYERS)

    @property
    def references(self) -> tuple[str, ...]:
        """Built-in players that strength is measured against, the hand-tuned one first."""
        return tuple(self._players.REFERENCES)

    @property
    def baselines(self) -> tuple[str, ...]:
        """Built-in players that do not try to win, `random` among them: who loses to one has collapsed."""
        return tuple(dict.fromkeys((*getattr(self._players, "BASELINES", ()), "random")))

    @functools.cached_property
    def solver(self) -> Any:
        """The game's own module `solver`, which works out exact values (see solving.py); None without one."""
        return optional_module_of(self.name, "solver")

    @property
    def _players(self) -> Any:
        return module_of(self.name, "players", "PLAYERS", "REFERENCES")


def records(dtype: np.dtype[Any], count: int, values: Any = None) -> Any:
    """`count` zeroed records (or `values`) whose elements give their fields as attributes."""
    # Not a recarray: looking up its attributes runs Python code, inside which Numba loses a Ctrl-C.
    record = np.dtype((np.record, dtype))
    return np.zeros(count, record) if values is None else np.array(values, record)


def check_names(names: Iterable[str]) -> None:
    """Raises UsageError where a field would be hidden by an attribute of NumPy's own, such as `size`."""
    for taken in sorted(set(names) & set(dir(np.void))):
        raise UsageError(f"NumPy's own '{taken}' hides a field of that name: choose another one")


def extended(record: np.dtype[Any], fields: npt.DTypeLike) -> np.dtype[Any]:
    """A record that begins as `record` does, byte for byte, and goes on with `fields`.

    Raises:
        UsageError: a name that is there already or cannot be a field's, or fields that NumPy does not take.
    """
    more = fields_of(fields)
    names = [*(record.names or ()), *(name for name, _ in more)]
    check_names(names)
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"there is a field '{name}' already: choose another name")
    if not more:
        return record
    known: Mapping[str, Any] = record.fields or {}
    formats, offsets = [known[name][0] for name in record.names or ()], [known[name][1] for name in record.names or ()]
    end = record.itemsize
    for _, kind in more:
        end = -(-end // kind.alignment) * kind.alignment
        formats.append(kind)
        offsets.append(end)
        end += kind.itemsize
    layout = {"names": names, "formats": formats, "offsets": offsets, "itemsize": -(-end // WORD) * WORD}
    return np.dtype(layout, align=record.isalignedstruct)  # type: ignore[call-overload]  # NumPy takes it


def widened(view: View, record: np.dtype[Any]) -> Any:
    """A record of an `extended` dtype that begins with this view; the other fields are 0."""
    wide = records(record, 1)
    wide.view(np.uint8)[: view.dtype.itemsize] = np.frombuffer(view.tobytes(), np.uint8)
    return wide[0]


def fields_of(fields: npt.DTypeLike) -> list[tuple[str, np.dtype[Any]]]:
    """Fields as (name, dtype), from a dtype or from what makes one, such as [("near", np.int32)]; [] for none.

    Raises:
        UsageError: NumPy does not take them.
    """
    if isinstance(fields, Sequence) and not fields:
        return []
    try:
        layout = np.dtype(fields)
    except (TypeError, ValueError) as error:
        raise UsageError(f'expected fields such as [("near", np.int32)], not {fields!r}: {error}') from None
    if layout.names is None or layout.fields is None:
        raise UsageError(f'expected fields such as [("near", np.int32)], not {fields!r}')
    return [(name, layout.fields[name][0]) for name in layout.names]


def load_game(name: str) -> Game:
    """The game of that name. Raises UsageError with the nearest name when there is none."""
    module = module_of(name, "game", "game")
    game = module.game
    if not isinstance(game, Game) or game.name != name:
        raise UsageError(f"{module.__file__}: expected a Game named '{name}' as its `game`")
    return game
