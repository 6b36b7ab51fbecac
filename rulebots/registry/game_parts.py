"""The rule sets and players of a game: its own, those of installed packages, and those of a person's files.

`Game` offers these as its properties and methods. A game stands below its rule sets, so they are known here by what
they have, and not by their class.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from rulebots.errors import UsageError, unknown
from rulebots.registry.games import RULES, broken_points, loaded_point, module_of, points
from rulebots.registry.named_code import brought, code_name, load
from rulebots.user_code import CodeError, place_of_module


def rule_sets(game: Any) -> dict[str, Any]:
    """A game's rule sets by name, then those of installed packages that can be imported: see `Game.rule_sets`."""
    module = module_of(game.name, "rules", "RULE_SETS")
    listed: Any = module.RULE_SETS
    if not isinstance(listed, tuple | list) or not all(hasattr(rules, "rules") for rules in listed):
        hint = " with the comma" if hasattr(listed, "rules") else ""
        raise UsageError(f"{place_of_module(module)}: expected a tuple of rule sets, RULE_SETS = (mine,){hint}")
    own: dict[str, Any] = {}
    for rules in listed:
        if rules.name in own:
            raise UsageError(f"{place_of_module(module)}: RULE_SETS names two rule sets '{rules.name}'")
        own[rules.name] = rules
    for name, point in points(RULES, game.name).items():
        with contextlib.suppress(CodeError):
            own.setdefault(name, loaded_point(point, "a rule set", _is_for(game)))
    return own


def rule_set(game: Any, name: str) -> Any:
    """The rule set of that name, or a person's own by `module:name` or `path.py:name`: see `Game.rule_set`."""
    if name in game.rule_sets:
        return game.rule_sets[name]
    if code_name(name) is not None:
        return _bring_rules(game, name)
    own = brought_rule_sets(game)
    if name in own:
        return own[name]
    if name in (offered := points(RULES, game.name)):
        loaded_point(offered[name], "a rule set", _is_for(game))
    raise UsageError(unknown("rule set", name, {**game.rule_sets, **own}, game.name))


def broken_rule_sets(game: Any) -> list[str]:
    """A line for each rule set of an installed package that cannot be used."""
    return broken_points(RULES, game.name, "a rule set", _is_for(game))


def brought_rule_sets(game: Any) -> dict[str, Any]:
    """The rule sets for a game that were named by their code in this process, by their own names."""
    fits = _is_for(game)
    return {known.thing.name: known.thing for known in brought() if fits(known.thing)}


def _bring_rules(game: Any, text: str) -> Any:
    rules, fits = load(text, "rules", _is_rule_set), _is_for(game)
    if not fits(rules):
        raise UsageError(f"{text}: expected a rule set of {game.name}, not of {rules.game.name}")
    known = [(game.name, other) for other in game.rule_sets.values()]
    known += [(one.named.text, one.thing) for one in brought() if fits(one.thing)]
    for where, other in known:
        if other is not rules and other.name == rules.name:
            raise CodeError(f"{text}: a second rule set named '{rules.name}': {where} has one; rename this one")
    return rules


def _is_rule_set(thing: Any) -> bool:
    return isinstance(getattr(thing, "rules", None), tuple) and hasattr(thing, "game") and hasattr(thing, "columns")


def _is_for(game: Any) -> Callable[[Any], bool]:
    return lambda thing: _is_rule_set(thing) and thing.game is game


def own_players(module: ModuleType) -> dict[str, Callable[[], Any]]:
    """The players of a game's module, each name with a function that makes the player: see `Game.own_players`."""
    if not isinstance(module.PLAYERS, Mapping):
        raise UsageError(f"{place_of_module(module)}: expected PLAYERS = {{name: function}}, not {module.PLAYERS!r}")
    for name, make in module.PLAYERS.items():
        if not isinstance(name, str) or not name:
            raise UsageError(
                f"{place_of_module(module)}: PLAYERS: expected a text as the name of a player, not {name!r}"
            )
        if not callable(make):
            what = f"PLAYERS['{name}']: expected a function that makes the player (`lambda: ...`), not {make!r}"
            raise UsageError(f"{place_of_module(module)}: {what}")
    for part in ("REFERENCES", "BASELINES"):
        names = getattr(module, part, ())
        if isinstance(names, str):
            raise UsageError(f"{place_of_module(module)}: expected a tuple, {part} = ({names!r},), not {names!r}")
        for name in names:
            if name != "random" and name not in module.PLAYERS:
                what = unknown("player", name, [*module.PLAYERS, "random"], "PLAYERS")
                raise UsageError(f"{place_of_module(module)}: {part}: {what}")
    return dict(module.PLAYERS)


def own_searches(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The players with settings of a game's module, each name with what makes them: see `Game.own_searches`."""
    given: Any = getattr(module, "SEARCHES", {})
    if not isinstance(given, Mapping):
        raise UsageError(f"{place_of_module(module)}: expected SEARCHES = {{name: function}}, not {given!r}")
    for name, make in given.items():
        if not isinstance(name, str) or not name.isidentifier():
            what = f"SEARCHES: expected the name of a search, letters and digits, not {name!r}"
            raise UsageError(f"{place_of_module(module)}: {what}")
        if not callable(make):
            what = f"SEARCHES['{name}']: expected a class or function whose parameters are the settings, not {make!r}"
            raise UsageError(f"{place_of_module(module)}: {what}")
    return dict(given)
