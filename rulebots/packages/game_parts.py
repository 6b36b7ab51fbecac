"""What belongs to a game besides its law: rule sets, players, a picture, solvers, and its settings.

They stand in files of the game's folder, each found when it is first asked for:

- `rules.py`: `RULE_SETS`, and `BREEDING`, settings of a breeding run (see `evolve.Settings`) that suit this game;
- `players.py`: `PLAYERS`, `REFERENCES`, `BASELINES`, `SEARCHES`, `LEVELS`, opponents by strength (see
  rulebots/packages/levels.py), and `MCTS`, settings of `mcts:...` that suit this game;
- `diagram.py`: `draw(position, seat)`, a picture whose places can be clicked (see rulebots/output/diagram.py),
  `look_on(position)`, that of who has no seat, and `EXAMPLE`, the moves that lead to the position that stands for the
  game;
- `levels.yaml`: how strong its levels are, the ladder file of a tournament between them;
- `solver.py`: exact values (see rulebots/search/exact);
- `forced_wins.py`: `FORCED_WINS`, for tree searches (see rulebots/search/forced_wins.py).

What the game is and how it is played stands in the docstring of its package. A game in a single file has them all in
that file. Installed packages and the user's files add rule sets. Rule sets
and players stand above this module, so they are known here by what they have, and not by their class.
"""

from __future__ import annotations

import contextlib
import copyreg
import functools
import importlib
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rulebots.errors import UsageError, unknown
from rulebots.kernel.user_code import CodeError, place_of_module
from rulebots.packages.games import (
    RULES,
    broken_entry_points,
    entry_points,
    homes,
    loaded_entry_point,
    module_of,
    optional_module_of,
)
from rulebots.packages.named_code import brought, code_name, load

if TYPE_CHECKING:
    from rulebots.game import Game


class GameParts:
    """The parts of one game; `parts_of(game)` has them."""

    def __init__(self, game: Game) -> None:
        self._game = game

    @functools.cached_property
    def about(self) -> tuple[str, str]:
        """What the game is in a sentence, and how it is played: the first paragraph of its docstring, and the others.

        Each is "" where there is none. A line that begins with "- " begins an item of a list.
        """
        text = inspect.cleandoc(self._package.__doc__ or "")
        summary, _, rules = text.partition("\n\n")
        return " ".join(summary.split()), rules.strip()

    @property
    def folder(self) -> Path:
        """The folder of the game's files."""
        return Path(self._package.__file__ or "").parent

    @functools.cached_property
    def rule_sets(self) -> dict[str, Any]:
        """The game's rule sets by name, then those of installed packages that can be imported.

        Players are bred from the first one by default.

        Raises:
            UsageError: `RULE_SETS` is not a tuple of rule sets, or two of them have one name.
        """
        module = module_of(self._game.name, "rules", "RULE_SETS")
        listed: Any = module.RULE_SETS
        if not isinstance(listed, tuple | list) or not all(hasattr(rules, "rules") for rules in listed):
            hint = " with the comma" if hasattr(listed, "rules") else ""
            raise UsageError(f"{place_of_module(module)}: expected a tuple of rule sets, RULE_SETS = (mine,){hint}")
        own: dict[str, Any] = {}
        for rules in listed:
            if rules.name in own:
                raise UsageError(f"{place_of_module(module)}: RULE_SETS names two rule sets '{rules.name}'")
            own[rules.name] = rules
            copyreg.pickle(type(rules), _pickled)
        for name, point in entry_points(RULES, self._game.name).items():
            with contextlib.suppress(CodeError):
                own.setdefault(name, loaded_entry_point(point, "a rule set", self._fits))
        return own

    def rule_set(self, name: str | None = None) -> Any:
        """The rule set of that name, or the default one; one of your own by `module:name` or `path.py:name`.

        One of your own is known by its own name from then on, in this process.

        Raises:
            UsageError: there is none of that name (with the nearest one), or it is for another game.
            CodeError: your own has a mistake, or the name of another rule set.
        """
        if name is None:
            return next(iter(self.rule_sets.values()))
        if not isinstance(name, str):
            raise UsageError(f"expected the name of a rule set of {self._game.name}, not {name!r}")
        if name in self.rule_sets:
            return self.rule_sets[name]
        if code_name(name) is not None:
            return self._bring_rules(name)
        own = self.brought_rule_sets
        if name in own:
            return own[name]
        if name in (offered := entry_points(RULES, self._game.name)):
            loaded_entry_point(offered[name], "a rule set", self._fits)
        raise UsageError(unknown("rule set", name, {**self.rule_sets, **own}, self._game.name))

    @property
    def broken_rule_sets(self) -> list[str]:
        """A line for each rule set of an installed package that cannot be used."""
        return broken_entry_points(RULES, self._game.name, "a rule set", self._fits)

    @property
    def brought_rule_sets(self) -> dict[str, Any]:
        """The rule sets for the game that were named by their code in this process, by their own names."""
        return {known.thing.name: known.thing for known in brought() if self._fits(known.thing)}

    @functools.cached_property
    def players(self) -> dict[str, Callable[[], Any]]:
        """The game's built-in players: each name with a function that makes the player.

        Raises:
            UsageError: `PLAYERS` is not such a map, or a name in `REFERENCES` or `BASELINES` is not a player's.
        """
        makers = self._makers(
            "PLAYERS", "a text as the name of a player", "a function that makes the player (`lambda: ...`)"
        )
        module = self._players
        where = place_of_module(module)
        for part in ("REFERENCES", "BASELINES"):
            names = getattr(module, part, ())
            if isinstance(names, str):
                raise UsageError(f"{where}: expected a tuple, {part} = ({names!r},), not {names!r}")
            for name in names:
                if name != "random" and name not in makers:
                    what = unknown("player", name, [*makers, "random"], "PLAYERS")
                    raise UsageError(f"{where}: {part}: {what}")
        return makers

    @functools.cached_property
    def searches(self) -> dict[str, Callable[..., Any]]:
        """The game's players with settings, `name:setting=value,...`: each name with a class or function.

        Its parameters `game` and `name` are given to it, the others are the settings (see own_players.py).

        Raises:
            UsageError: `SEARCHES` is not such a map.
        """
        return self._makers(
            "SEARCHES",
            "the name of a search, letters and digits",
            "a class or function whose parameters are the settings",
        )

    @property
    def references(self) -> tuple[str, ...]:
        """Built-in players against which strength is measured, the hand-tuned one first."""
        return tuple(self._players.REFERENCES)

    @property
    def baselines(self) -> tuple[str, ...]:
        """Built-in players that do not try to win, `random` among them. A player that loses to one has collapsed."""
        return tuple(dict.fromkeys((*getattr(self._players, "BASELINES", ()), "random")))

    @functools.cached_property
    def levels(self) -> tuple[str, ...]:
        """Names of players, the weakest first, that are the game's levels; empty where it does not say.

        Raises:
            UsageError: `LEVELS` is not a tuple of texts.
        """
        levels: Any = getattr(self._players, "LEVELS", ())
        if not isinstance(levels, tuple | list) or not all(isinstance(name, str) and name for name in levels):
            where = place_of_module(self._players)
            raise UsageError(f"{where}: expected LEVELS, names of players, the weakest first, not {levels!r}")
        return tuple(levels)

    @functools.cached_property
    def breeding(self) -> Mapping[str, Any]:
        """Settings of a breeding run that suit the game better than the general defaults."""
        return self._settings("rules", "BREEDING")

    @functools.cached_property
    def mcts(self) -> Mapping[str, Any]:
        """Settings of `mcts:...` that suit the game better than the defaults."""
        return self._settings("players", "MCTS")

    @functools.cached_property
    def draw(self) -> Callable[[Any, int | None], Any] | None:
        """`draw(position, seat)`: what that seat may see as a `Diagram`; None where the text of `show` has to do.

        Raises:
            UsageError: it is not a function of two parameters.
        """
        return self._drawing("draw", 2)

    @functools.cached_property
    def look_on(self) -> Callable[[Any], Any] | None:
        """`look_on(position)`: what everybody may see of a game with something hidden, as a `Diagram`; None without.

        Raises:
            UsageError: it is not a function of one parameter.
        """
        return self._drawing("look_on", 1)

    def _drawing(self, name: str, parameters: int) -> Callable[..., Any] | None:
        """A function of `diagram.py`."""
        from rulebots.game.checks import check_parameters
        from rulebots.kernel import Kernel

        module, draw = self._optional("diagram", name)
        if draw is None or (isinstance(draw, Kernel) and not _stands_in(module, "diagram")):  # a law that draws a card
            return None
        if not callable(draw):
            raise UsageError(f"{place_of_module(module)}: expected a function as `{name}`, not {draw!r}")
        check_parameters(name, draw, parameters)
        return draw

    @property
    def example(self) -> tuple[str, ...]:
        """Moves as text that lead from deal 1 to the position that stands for the game; none for the first one.

        Raises:
            UsageError: `EXAMPLE` is not a text.
        """
        module = optional_module_of(self._game.name, "diagram")
        moves: Any = getattr(module, "EXAMPLE", "")
        if module is not None and not isinstance(moves, str):
            raise UsageError(f"{place_of_module(module)}: expected moves with blanks between as EXAMPLE, not {moves!r}")
        return tuple(moves.split())

    @functools.cached_property
    def forced_wins(self) -> Any:
        """The game's solver of forced wins, a `ForcedWins`; None without one.

        Raises:
            UsageError: it is something else, or the game hides something or has chance in play.
        """
        module, solver = self._optional("forced_wins", "FORCED_WINS")
        suits = hasattr(solver, "win") and hasattr(solver, "workspace")
        if solver is not None and (not suits or self._game.hidden or self._game.chance):
            what = "expected ForcedWins(win, workspace) as FORCED_WINS, in a game that hides nothing and has no chance"
            raise UsageError(f"{place_of_module(module)}: {what}, not {solver!r}")
        return solver

    @functools.cached_property
    def solver(self) -> ModuleType | None:
        """The game's own module `solver`, which computes exact values (see rulebots/search/exact); None without one."""
        module = optional_module_of(self._game.name, "solver")
        return module if hasattr(module, "solve") or hasattr(module, "tablebase_of") else None

    @property
    def misplaced(self) -> list[str]:
        """A line for each part that stands in `game.py`, where nothing looks for it."""
        module = module_of(self._game.name, "game", "game")
        own = {name for name in vars(module) if getattr(vars(module)[name], "__module__", "") in ("", module.__name__)}
        places = {
            "RULE_SETS": "rules",
            "BREEDING": "rules",
            "PLAYERS": "players",
            "MCTS": "players",
            "LEVELS": "players",
        }
        places |= {"FORCED_WINS": "forced_wins"}
        return [
            f"{place_of_module(module)}: expected `{name}` in {part}.py: nothing looks for it here"
            for name, part in places.items()
            if name in own and _stands_in(module, "game")
        ]

    @functools.cached_property
    def _package(self) -> ModuleType:
        """The game's package, or its only file."""
        return importlib.import_module(homes()[self._game.name].module)

    @property
    def _players(self) -> Any:
        return module_of(self._game.name, "players", "PLAYERS", "REFERENCES")

    def _makers(self, part: str, name_is: str, maker_is: str) -> dict[str, Callable[..., Any]]:
        """The map of that name in the game's module of players: what makes each player, by name."""
        where, makers = place_of_module(self._players), getattr(self._players, part, {})
        if not isinstance(makers, Mapping):
            raise UsageError(f"{where}: expected {part} = {{name: function}}, not {makers!r}")
        for name, make in makers.items():
            if not isinstance(name, str) or not (name.isidentifier() if part == "SEARCHES" else name):
                raise UsageError(f"{where}: {part}: expected {name_is}, not {name!r}")
            if not callable(make):
                raise UsageError(f"{where}: {part}['{name}']: expected {maker_is}, not {make!r}")
        return dict(makers)

    def _optional(self, part: str, name: str) -> tuple[Any, Any]:
        """The module of a part and what it calls `name`, each None where it is not there.

        Raises:
            UsageError: a file that is there for this one thing does not have it.
        """
        module = optional_module_of(self._game.name, part)
        found = getattr(module, name, None)
        if module is not None and found is None and name in ("draw", "FORCED_WINS") and _stands_in(module, part):
            raise UsageError(f"{place_of_module(module)}: {unknown('name', name, vars(module), 'this file')}")
        return module, found

    def _settings(self, part: str, name: str) -> Mapping[str, Any]:
        module, given = self._optional(part, name)
        if given is not None and not isinstance(given, Mapping):
            raise UsageError(f"{place_of_module(module)}: expected {name} = {{setting: value}}, not {given!r}")
        return given or {}

    def _bring_rules(self, text: str) -> Any:
        rules, name = load(text, "rules", _is_rule_set), self._game.name
        if not self._fits(rules):
            other = rules.game.name
            raise UsageError(f"{text}: expected a rule set of {name}, not of {other}; say --game {other}")
        known = [(name, other) for other in self.rule_sets.values()]
        known += [(one.named.text, one.thing) for one in brought() if self._fits(one.thing)]
        for where, other in known:
            if other is not rules and other.name == rules.name:
                raise CodeError(f"{text}: a second rule set named '{rules.name}': {where} has one; rename this one")
        return rules

    def _fits(self, thing: Any) -> bool:
        return _is_rule_set(thing) and thing.game is self._game


@functools.cache
def parts_of(game: Game) -> GameParts:
    """What belongs to a game besides its law."""
    return GameParts(game)


def _pickled(rules: Any) -> tuple[Any, ...]:
    """By its name, where the game's folder has it: kernels made inside functions cannot be pickled."""
    if rules in parts_of(rules.game).rule_sets.values():
        return _rules_of, (rules.game, rules.name)
    return tuple(object.__reduce_ex__(rules, 4))


def _rules_of(game: Game, name: str) -> Any:
    return parts_of(game).rule_set(name)


def game_of_rules(text: str) -> Game:
    """The game of a rule set of the user's. Raises CodeError: no such thing, or its code has a mistake."""
    game: Game = load(text, "rules", _is_rule_set).game
    return game


def _stands_in(module: ModuleType, part: str) -> bool:
    """Whether a module is the file of that part, and not a game's only file."""
    return module.__name__.rpartition(".")[2] == part and "." in module.__name__


def _is_rule_set(thing: Any) -> bool:
    return isinstance(getattr(thing, "rules", None), tuple) and hasattr(thing, "game") and hasattr(thing, "columns")
