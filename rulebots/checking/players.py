"""Rule sets and players: what rules give in random positions, legal answers, and the same games compiled."""

import copy
import itertools
import math
import warnings
from collections import defaultdict
from functools import partial
from typing import Any

import numpy as np

from rulebots.checking.findings import GAMES, Findings, all_of, check, in_turn
from rulebots.checking.law import check_source, legal_moves, sample_states, tables_of, view_of
from rulebots.checking.live import check_live_rules
from rulebots.errors import demand
from rulebots.game.contract import State
from rulebots.game.position import Position
from rulebots.game.random_numbers import luck_of, next_luck, rng_of
from rulebots.kernel import compiling
from rulebots.kernel.user_code import place_of
from rulebots.play.deals import opening_plies_of
from rulebots.play.loop import prepare
from rulebots.play.stepper import Stepper
from rulebots.play.trial_games import difference_of, trial_games
from rulebots.players import Player, Style, style_of
from rulebots.players.compiled import is_compiled
from rulebots.rules import Rule, RuleSet
from rulebots.rules.rule_set import checked_rules

#: A weight that is this many times as large as the middle one of its set, or as small, hides others or is hidden.
MOST_RATIO = 20.0
#: Values that are this many times as large as those of the middle rule of the others hide them.
MOST_SCALE = 1000.0
#: The positions of each random game in which rules are asked.
POSITIONS = 4
#: Cases in which a rule that always gives the same is called constant.
ENOUGH = 100
#: Random games whose positions a player is asked about, and the most positions of each.
ASKED_GAMES = 5
ASKED_PLIES = 20
#: Seconds after which a player that has not answered is taken for one that never does.
PATIENCE = 60.0


def check_rules(rules: RuleSet, games: int = GAMES) -> Findings:
    """Everything that is wrong with a rule set; its game is taken to be right."""
    asked = Asked(rules)
    live = rules.game.live is not None
    return in_turn(
        partial(check_live_rules, rules) if live else partial(check_source, rules.kernels),
        lambda: all_of(_check_values(rules, games, asked), _check_sizes(rules, asked), _check_groups(rules)),
        Findings if live else lambda: check_compiled(style_of(rules)),
    )


class Asked:
    """What the rules of a set gave in random positions, and what that decided there."""

    def __init__(self, rules: RuleSet) -> None:
        #: By rule, its values.
        self.values: dict[str, list[float]] = {rule.key: [] for rule in rules.rules}
        #: Rules whose part of the score was not the same for all moves of a position.
        self.deciding = set[str]()
        #: Pairs of groups that judged moves of one position.
        self.met = set[tuple[str, str]]()

    def largest(self, rule: Rule) -> float:
        """The largest value of a rule, without its sign."""
        return max(map(abs, self.values[rule.key]), default=0.0)


@check
def _check_values(findings: Findings, rules: RuleSet, games: int, asked: Asked) -> None:
    """Every rule for every legal move of random positions."""
    checked = checked_rules(rules)
    luck = 1
    for state in sample_states(rules.game, games, POSITIONS * games):
        luck = next_luck(luck)
        with findings.collecting():
            _ask_rules(findings, checked, state, luck, asked)
    for rule in rules.rules if rules.decide is None else ():
        answers = asked.values[rule.key]
        constant = len(set(answers)) == 1 and rule.key not in asked.deciding
        if len(answers) >= ENOUGH and constant and not findings:
            findings.add_of(
                rule,
                f"gives {answers[0]:g} in all of {len(answers):,} cases from {games} random games: it decides nothing",
                note=True,
            )


def _ask_rules(findings: Findings, rules: RuleSet, state: State, luck: int, asked: Asked) -> None:
    """Ask every rule twice about every legal move of a position."""
    law = rules.game
    view = rules.seeing(view_of(law, state))
    view["luck"] = luck
    if rules.facts:
        rules.facts(view)
    if rules.progress:
        rules.progress(view)
    moves = legal_moves(law, state)
    mixes = [rules.mixes[law.kind(move)].mix for move in moves]
    groups = {group for mix in mixes for group in mix}
    asked.met.update(itertools.product(groups, groups))
    parts = defaultdict[str, set[float]](set)
    for move, mix in zip(moves, mixes, strict=True):
        item = law.item(view, move)
        if rules.consider:
            rules.consider(view, item)
        for rule in rules.rules:
            part = 0.0  # of a kind that does not mix the rule's group: a constant may be the threshold between kinds
            if rule.group in mix:
                with findings.collecting():
                    value = rule(view, item)
                    if rule(view, item) != value:
                        findings.add_of(
                            rule,
                            "gives something else for the same view and item: "
                            "it may keep no memory and draw no random numbers",
                        )
                    asked.values[rule.key].append(value)
                    part = mix[rule.group] * value
            parts[rule.key].add(part)
    asked.deciding |= {key for key, of_moves in parts.items() if len(of_moves) > 1}


@check
def _check_sizes(findings: Findings, rules: RuleSet, asked: Asked) -> None:
    """Rules whose values hide those of others; and hand-tuned weights, which are mutated by steps of one size."""
    weights = np.abs(rules.hand_tuned()).max(0)
    middle_weight = float(np.median(weights[weights > 0])) if weights.any() else math.inf
    for rule, weight in zip(rules.rules, weights.tolist(), strict=True):
        beside = [other for other in rules.rules if other is not rule and (rule.group, other.group) in asked.met]
        others = [most for other in beside if (most := asked.largest(other)) > 0]
        middle = float(np.median(others)) if others else math.inf
        if asked.largest(rule) > MOST_SCALE * middle and rule.key in asked.deciding:
            findings.add_of(
                rule,
                f"gives up to {asked.largest(rule):g}, but the middle rule of '{rules.name}' up to {middle:g}; "
                "no weight of theirs counts beside it: divide what it gives",
                note=True,
            )
        if weight > MOST_RATIO * middle_weight:
            findings.add_of(
                rule,
                f"weighs {weight:g}, but the middle weight of '{rules.name}' is {middle_weight:g}; "
                "breeding mutates all weights by steps of one size: rather let the rule give larger values",
                note=True,
            )


@check
def _check_groups(findings: Findings, rules: RuleSet) -> None:
    """A group without rules leaves its kind of move to the lowest number."""
    with_rules = {r.group for r in rules.rules}
    for kind in rules.mixes:
        if not with_rules & set(kind.mix):
            findings.add(
                f"{place_of(rules.rules[0])}: rule set '{rules.name}' "
                f"has no rule in the groups of the kind '{kind.name}' ({', '.join(kind.mix)}): all its moves score 0"
            )


@check
def check_player(findings: Findings, player: Player) -> None:
    """Everything that is wrong with a player; its game is taken to be right."""
    if is_compiled(player) and player.game.live is None:
        trial_games(player.style, openings=False)
        findings.add(*check_compiled(player.style))
        return
    demand(
        hasattr(player, "game"),
        f"{place_of(type(player).__init__)}: "
        f"`{type(player).__name__}`: its `__init__` has to call super().__init__(game, name)",
    )
    tables = tables_of(player.game)
    for seed in range(1, ASKED_GAMES + 1):
        _play(player, seed, tables[(seed - 1) % len(tables)], findings)


def _play(player: Player, seed: int, table: Any, findings: Findings) -> None:
    """A random game, from its deal, in which the player is asked for every move, as one that follows the game."""
    options = {name: int(table[name]) for name in player.game.options}
    game = Stepper(Position(player.game, options, seed=seed), chance=int(luck_of(rng_of(seed), (1,))[0]))
    seats = [copy.copy(player).beginning_a_game(seat, options) for seat in range(game.position.seats)]
    for seat in game.decisions():
        if game.position.plies >= ASKED_PLIES:
            break
        _ask(seats[seat], game.position, findings)
        game.chance = next_luck(game.chance)
        moves = game.position.legal_moves
        game.play(int(moves[game.chance % len(moves)]))
    game.players = seats
    for fault in game.tell_end():
        raise fault


def _ask(player: Player, position: Position, findings: Findings) -> None:
    """Ask a player, and one that may not remember the game twice."""
    first = player.decide(position.copy(), PATIENCE)
    if not player.follows_games and player.decide(position.copy(), PATIENCE) != first:
        findings.add_of(
            type(player).choose,
            "gives another move when it is asked twice for the same view and moves: "
            "it may keep no memory, and takes chance from `view.luck`",
        )


@check
def check_compiled(findings: Findings, style: Style) -> None:
    """Play the first games of a style interpreted and compiled; what Numba cannot compile is a mistake."""
    openings = opening_plies_of(style.game, style.game.option_values()) > 0
    with warnings.catch_warnings(record=True) as caught, findings.collecting():
        warnings.simplefilter("always")
        trial_games(style, openings=openings)
        if compiling():
            prepare(style.game, (style,), openings=openings)
            findings.add(*filter(None, [difference_of(style, openings=openings)]))
    findings.add(*(_place_first(str(w.message)) for w in caught if issubclass(w.category, RuntimeWarning)))


def _place_first(warning: str) -> str:
    """`four runs interpreted: ... (file:line: why)` with its place at the beginning, as all other lines."""
    name, _, why = warning.removesuffix(")").partition(" runs interpreted, which is slow: Numba cannot compile it (")
    return f"{why}; so {name} runs interpreted, which is slow" if why else warning
