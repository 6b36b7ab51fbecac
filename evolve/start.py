"""How a run begins: from hand-tuned weights, from a file, or from the state of an earlier run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from evolve.settings import Settings
from evolve.state import StateError, check_run, check_shape, shape_of
from evolve.strategies import make_breeder
from evolve.strategies.base import Breeder
from rulebots.errors import UsageError, demand, listed
from rulebots.game import Game
from rulebots.kernel.fingerprint import fingerprint, toolchain
from rulebots.packages.players import file_of
from rulebots.packages.population import Population, PopulationError, find_player, load_population, rounded
from rulebots.packages.rule_sets import load_rules
from rulebots.players import Player
from rulebots.rules import Rule, RuleSet, Weights

#: The most players of a file that take part in the run-off and the report: all pairs play.
MOST_STARTERS = 20
_DROP = "--drop-missing leaves them out"


@dataclass(frozen=True)
class Beginning:
    """The rule set and the breeder of a run.

    `starters` are the first players of the file that the run began from, by name, rounded as a file holds them. `hall`
    are members of a hall of fame as `HallOfFame.state` gives them, `notes` sentences for the user.
    """

    rules: RuleSet
    breeder: Breeder
    starters: Mapping[str, Weights] = field(default_factory=dict)
    hall: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()


def beginning(settings: Settings, game: Game, rules: RuleSet | None, *, drop_missing: bool) -> Beginning:
    """A run from its first generation. Raises UsageError for players of other rules, PopulationError for a bad file."""
    if not settings.start:
        rules = rules or load_rules(game=game)
        return Beginning(rules, make_breeder(settings, rules, [rules.hand_tuned()]))
    path, player = file_of(settings.start, game.name, game.seats_with(settings.options))
    population = _population(path, player, rules, drop_missing=drop_missing)
    bred = rules or (population.rules if population.game is game else load_rules(game=game))
    of_file, expected = ((one.game.name, one.name) for one in (population.rules, bred))
    demand(
        of_file == expected,
        f"{settings.start}: expected players of {expected[0]} with the rule set '{expected[1]}', "
        f"not of {of_file[0]} with '{of_file[1]}'",
    )
    entries = population.players
    notes = _changes([bred.rules[column].key for column in population.new_rules], population.dropped)
    starters = {
        settings.start if player or not number else f"{name.replace('_', ' ')} of {settings.start}": rounded(
            entry.weights
        )
        for number, (name, entry) in enumerate(list(entries.items())[:MOST_STARTERS])
    }
    if len(starters) < len(entries):
        notes.append(
            f"the first {len(starters)} of the {len(entries)} players of {settings.start} take part in the run-off"
        )
    breeder = make_breeder(settings, bred, [entry.weights for entry in entries.values()], population.new_rules)
    return Beginning(bred, breeder, starters, notes=notes)


def restored(
    settings: Settings,
    game: Game,
    rules: RuleSet | None,
    opponents: Sequence[Player],
    state: Mapping[str, Any],
    *,
    drop_missing: bool,
) -> Beginning:
    """A run from where `Run.state` left it.

    Where the rules have changed since, its players keep playing as before, and immigrants introduce new rules.

    Raises:
        UsageError: another rule set, other opponents, or, without `drop_missing`, a rule that no longer exists.
        StateError: no run of these settings can have had the state.
    """
    check_run(state)
    before = state["rules"]
    rules = rules or load_rules(before["set"], game)
    demand(rules.name == before["set"], f"the run breeds the rule set '{before['set']}', not '{rules.name}'")
    for player in opponents:
        demand(
            state["opponents"].get(player.name) == fingerprint(player),
            f"the opponent '{player.name}' is not the player that it was when the run began: "
            "its weights, settings, rules or code have changed",
        )
    now = identity_of(rules)
    if (before["keys"], before["flat"]) != (now["keys"], now["flat"]):
        return _rebound(settings, rules, state, drop_missing=drop_missing)
    breeder = make_breeder(settings, rules, [rules.hand_tuned()])
    _restore(breeder, state["breeder"])
    starters = {name: np.array(weights) for name, weights in state["starters"].items()}
    notes = []
    if before != now:
        notes.append(
            "the rules, or the versions of Python, NumPy or Numba, have changed since: "
            "the result will not be that of an uninterrupted run"
        )
    return Beginning(rules, breeder, starters, state["hall"]["members"], notes)


def identity_of(rules: RuleSet) -> dict[str, Any]:
    """What a state says of its rule set: the names of its rules, what its players compute, and what compiles them."""
    return {
        "set": rules.name,
        "flat": rules.flat,
        "keys": [rule.key for rule in rules.rules],
        "code": fingerprint(rules),
        "toolchain": toolchain(),
    }


def _restore(breeder: Breeder, state: Mapping[str, Any]) -> None:
    """Let a new breeder go on from a state. Raises StateError where it cannot, or has no sound players from then on."""
    check_shape(state, shape_of(breeder.state()), "run.breeder")
    settings = breeder.settings
    try:
        with np.errstate(all="ignore"):
            breeder.restore(dict(state))
            population = breeder.ask()
            players = [*population, *breeder.finalists()]
            if breeder.learner:
                players += [request.weights for request in breeder.learner.wanted(breeder.generation)]
        shape = (len(players), 2, len(breeder.rules.rules))
        sound = np.isfinite(np.array(players)).all() and np.shape(players) == shape
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise StateError(f"run.breeder: '{breeder.name}' cannot go on from it: {error}") from None
    demand(
        sound and len(population) == settings.population and breeder.generation <= settings.generations,
        f"run.breeder: expected at most {settings.generations} generations, and {settings.population} players "
        f"with {shape[2]} finite weights",
        StateError,
    )


def _rebound(settings: Settings, rules: RuleSet, state: Mapping[str, Any], *, drop_missing: bool) -> Beginning:
    """A run with a changed rule set: each weight stays with the rule of the same name."""
    keys = state["rules"]["keys"]
    gone = [key for key in keys if key not in rules.columns]
    demand(
        drop_missing or not gone,
        f"the rule set '{rules.name}' of {rules.game.name} has no {' and no '.join(gone)} any more, "
        f"which the run has bred; {_DROP}",
    )
    before = [i for i, key in enumerate(keys) if key in rules.columns]
    after = [rules.columns[keys[i]] for i in before]

    def bound(old: Weights) -> Weights:
        weights = np.zeros((2, len(rules.rules)))
        weights[:, after] = np.asarray(old)[:, before]
        return weights

    # Only the number of its rules, and whether it is flat, matter to a breeder.
    kernel = rules.rules[0].kernel
    blank = [Rule(rules.groups[0], f"rule_{i}", "-", 0.0, 0.0, kernel) for i in range(len(keys))]
    progress = None if state["rules"]["flat"] else rules.progress or kernel
    old = make_breeder(settings, replace(rules, rules=tuple(blank), progress=progress), [np.zeros((2, len(keys)))])
    _restore(old, state["breeder"])
    new = [column for key, column in rules.columns.items() if key not in keys]
    breeder = make_breeder(settings, rules, [bound(weights) for weights in [*old.finalists()[:1], *old.ask()]], new)
    breeder.generation = old.generation
    hall = {generation: bound(weights).tolist() for generation, weights in state["hall"]["members"].items()}
    starters = {name: bound(weights) for name, weights in state["starters"].items()}
    return Beginning(rules, breeder, starters, hall, _changes([rules.rules[column].key for column in new], gone))


def _changes(new: Sequence[str], gone: Sequence[str]) -> list[str]:
    come = [f"new rules: {', '.join(new)}; immigrants introduce them"] if new else []
    return [*come, *([f"left out, because they no longer exist: {listed(gone)}"] if gone else [])]


def _population(path: str, player: str | None, rules: RuleSet | None, *, drop_missing: bool) -> Population:
    """The players to start from: those of the file, or the one that is named."""
    known = [rules] if rules else []
    try:
        population = load_population(path, known, drop_missing=drop_missing, wanted=player)
    except PopulationError as error:
        if drop_missing:
            raise
        try:
            gone = load_population(path, known, drop_missing=True, wanted=player).dropped
        except PopulationError:
            raise error from None
        raise UsageError(f"{error}. No longer there: {listed(gone)}; {_DROP}") from None
    if player is None:
        return population
    name, entry = find_player(population, player, path)
    return replace(population, players={name: entry})
