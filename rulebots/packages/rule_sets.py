"""The rule sets of a game by name: its own, those of installed packages, and those that a user brings."""

from __future__ import annotations

import contextlib
import copyreg
import functools
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeGuard

from rulebots.errors import UsageError, demand, unknown
from rulebots.kernel.user_code import CodeError
from rulebots.packages.games import (
    RULES,
    broken_entry_points,
    entry_points,
    game_names,
    is_sourced,
    load_game,
    loaded_entry_point,
    package_of,
)
from rulebots.packages.named_code import brought, code_name, load, module_of, origin_of

if TYPE_CHECKING:
    from rulebots.game import Game
    from rulebots.rules import RuleSet


def load_rules(name: str | None = None, game: Game | None = None) -> RuleSet:
    """A rule set of a game by its name, by default the one that it breeds; or a user's, of any game.

    A user's is named by `module:name` or `path.py:name`, without a game. From then on its game knows it by its name, in
    this process, so that population files find it.

    Raises:
        UsageError: the game has no rule set of that name (with the nearest one), or it is for another game.
        CodeError: no such file, module or name, code that fails when it is imported, or a rule set's name twice.
    """
    if game is None or code_name(str(name)) is not None:
        return _bring(str(name), game)
    sets = rule_sets_of(game)
    known = {**brought_rule_sets(game), **sets}
    if name is None:
        demand(
            sets,
            f"{game.name} has no rule sets: name one, --rules FILE.py:NAME, or list it in its package, rule_sets=...",
        )
        return next(iter(sets.values()))
    if name in known:
        return known[name]
    if name in (offered := entry_points(RULES, game.name)):
        loaded_entry_point(offered[name], "a rule set", _fits(game))
    raise UsageError(unknown("rule set", name, known, game.name))


def game_of_rules(text: str) -> Game:
    """The game of a rule set of the user's, also one that stands in the same file, which is known from then on.

    Raises:
        CodeError: no such thing, or its code has a mistake.
    """
    game: Game = load(text, "rules", _is_rule_set).game
    named = code_name(text)
    if named and not is_sourced(game.name) and game.name not in game_names():
        kind = type(game.live.source) if game.live else None
        names = (name for name, value in vars(module_of(named)).items() if value is game or (kind and value is kind))
        for name in itertools.islice(names, 1):
            load_game(f"{named.place}:{name}")
    return game


@functools.cache
def rule_sets_of(game: Game) -> dict[str, RuleSet]:
    """The game's rule sets by name, then those of installed packages that can be imported.

    Raises:
        UsageError: the package lists something else.
    """
    own = package_of(game).rule_sets
    demand(
        isinstance(own, tuple) and all(map(_is_rule_set, own)),
        f"{package_of(game).place}: expected a tuple of rule sets, such as RULE_SETS = (mine,) with the comma, "
        f"not {own!r}",
    )
    for rules in own[:1]:
        copyreg.pickle(type(rules), _pickled)
    sets = {rules.name: rules for rules in own}
    for name, point in entry_points(RULES, game.name).items():
        with contextlib.suppress(CodeError):
            sets.setdefault(name, loaded_entry_point(point, "a rule set", _fits(game)))
    return sets


def brought_rule_sets(game: Game) -> dict[str, RuleSet]:
    """The rule sets for the game that were named by their code in this process, by their own names."""
    return {known.thing.name: known.thing for known in brought() if _fits(game)(known.thing)}


def broken_rule_sets(game: Game) -> list[str]:
    """A line for each rule set of an installed package that cannot be used."""
    return broken_entry_points(RULES, game.name, "a rule set", _fits(game))


def _is_rule_set(thing: Any) -> TypeGuard[RuleSet]:
    from rulebots.rules import RuleSet  # not at the top: a command that only names rule sets does without NumPy

    return isinstance(thing, RuleSet)


def _fits(game: Game) -> Callable[[Any], bool]:
    return lambda thing: _is_rule_set(thing) and thing.game is game


def _bring(text: str, game: Game | None) -> RuleSet:
    rules: RuleSet = load(text, "rules", _is_rule_set)
    if game is None:
        game_of_rules(text)
    elif rules.game is not game:
        other = rules.game.name
        raise UsageError(f"{text}: expected a rule set of {game.name}, not of {other}; say --game {other}")
    for same in (*rule_sets_of(rules.game).values(), *(one.thing for one in brought() if _fits(rules.game)(one.thing))):
        if same is not rules and same.name == rules.name:
            named = origin_of(same)
            where = named.text if named else rules.game.name
            raise CodeError(f"{text}: a second rule set named '{rules.name}': {where} has one; rename this one")
    return rules


def _pickled(rules: RuleSet) -> tuple[Any, ...]:
    """By its name, where the game's folder has it: kernels made inside functions cannot be pickled."""
    if rules in rule_sets_of(rules.game).values():
        return load_rules, (rules.name, rules.game)
    return tuple(object.__reduce_ex__(rules, 4))
