"""Rules: what they give in random positions, that they differ, and weights of a size."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.checking.comparison import check_compiled
from rulebots.checking.law import check_source, sample_states
from rulebots.checking.problem import GAMES, Problem, Problems, add, at, breaches, collecting, distinct
from rulebots.game import Game
from rulebots.game.checked import checked_game
from rulebots.kernel.user_code import place_of
from rulebots.players.compiled import style_of
from rulebots.rules import Rule, RuleSet
from rulebots.rules.contract import checked_rules

#: A weight that is so many times as large as the middle one of its set, or so many times as small, hides or is hidden.
MOST_RATIO = 20.0
#: Of each random game so many positions are looked at.
POSITIONS = 4
#: Cases in which a rule that always gives the same is called constant.
ENOUGH = 100


def check_rules(rules: RuleSet, games: int = GAMES) -> Problems:
    """Everything that is wrong with a rule set; its game is taken to be right."""
    found = distinct(
        lambda: check_source(rules.kernels),
        lambda: _check_values(rules, games),
        lambda: _check_weights(rules),
        lambda: _check_groups(rules),
    )
    return found if breaches(found) else [*found, *check_compiled(style_of(rules))]


def _check_values(rules: RuleSet, games: int) -> Problems:
    """The value of every rule for every legal move of random positions."""
    found: Problems = []
    game, law = rules.game, checked_game(rules.game)
    values: dict[str, set[float]] = {r.key: set() for r in rules.rules}
    asked = dict.fromkeys(values, 0)
    with collecting(found):
        for state in sample_states(game, games, POSITIONS * games):
            _ask(rules, law, state, values, asked, found)
    for rule in rules.rules:
        if asked[rule.key] >= ENOUGH and len(values[rule.key]) == 1 and not found:
            value = next(iter(values[rule.key]))
            what = f"gives {value:g} in all of {asked[rule.key]:,} cases from {games} random games: it decides nothing"
            add(found, at(rule, what, note=True))
    return found


def _ask(
    rules: RuleSet, law: Game, state: Any, values: dict[str, set[float]], asked: dict[str, int], found: Problems
) -> None:
    """Ask every rule about every legal move of a position."""
    checked, room = checked_rules(rules), np.zeros(law.move_count, np.int64)
    legal = room[: law.moves(state, room)].tolist()
    observed = law.new_view()
    law.observe(state, observed)
    view = rules.seeing(observed)
    with collecting(found):
        if checked.facts is not None:
            checked.facts(view)
        if checked.progress is not None:
            checked.progress(view)
        for move in legal:
            mix, item = rules.mixes[law.kind(move)].mix, law.item(view, move)
            if checked.consider is not None:
                checked.consider(view, item)
            for rule in checked.rules:
                if rule.group in mix:
                    with collecting(found):
                        value = _twice(rule, view, item, found)
                        asked[rule.key] += 1
                        values[rule.key].add(value)


def _twice(rule: Rule, view: Any, item: int, found: Problems) -> float:
    """What a rule gives; it has to give it again."""
    value = rule(view, item)
    if rule(view, item) != value:
        what = "gives something else for the same view and item: it may keep no memory and use no chance of its own"
        add(found, at(rule, what))
    return value


def _check_weights(rules: RuleSet) -> Problems:
    """Hand-tuned weights, which are mutated by steps of one size."""
    sizes = np.abs(rules.hand_tuned()).max(0)
    middle = float(np.median(sizes[sizes > 0])) if (sizes > 0).any() else 0.0
    found: Problems = []
    for rule, size in zip(rules.rules, sizes.tolist(), strict=True):
        if middle and size > MOST_RATIO * middle:
            what = f"weighs {size:g}, but the middle weight of '{rules.name}' is {middle:g}"
            remedy = "breeding mutates all weights by steps of one size: rather let the rule give larger values"
            add(found, at(rule, f"{what}; {remedy}", note=True))
    return found


def _check_groups(rules: RuleSet) -> Problems:
    """A group without rules leaves its kind of move to the lowest number."""
    found: Problems = []
    with_rules = {r.group for r in rules.rules}
    for kind in rules.mixes:
        if not with_rules & set(kind.mix):
            what = f"has no rule in the groups of the kind '{kind.name}' ({', '.join(kind.mix)}): all its moves score 0"
            add(found, Problem(f"{place_of(rules.rules[0])}: rule set '{rules.name}' {what}"))
    return found
