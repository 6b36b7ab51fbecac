"""Rule sets and players: what rules give in random positions, legal answers, and the same games compiled."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np

from rulebots.checking.findings import GAMES, Findings, all_of
from rulebots.checking.law import check_source, legal_moves, sample_states, tables_of, view_of
from rulebots.game.contract import State, checked_game
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
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
    found = all_of(
        check_source(rules.kernels), _check_values(rules, games), _check_weights(rules), _check_groups(rules)
    )
    return found if found.mistakes else all_of(found, check_compiled(style_of(rules)))


class _Values:
    """What the rules of a set give, and how often each was asked."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.checked = checked_rules(rules)
        self.law = checked_game(rules.game)
        self.given: dict[str, set[float]] = {r.key: set() for r in rules.rules}
        self.asked = dict.fromkeys(self.given, 0)
        self.luck = 1

    def ask(self, state: State, found: Findings) -> None:
        """Ask every rule about every legal move of a position."""
        checked = self.checked
        law = self.law
        view = self.rules.seeing(view_of(law, state))
        view["luck"] = self.luck = next_luck(self.luck)
        with found.collecting():
            if checked.facts is not None:
                checked.facts(view)
            if checked.progress is not None:
                checked.progress(view)
            for move in legal_moves(law, state):
                mix = self.rules.mixes[law.kind(move)].mix
                item = law.item(view, move)
                if checked.consider is not None:
                    checked.consider(view, item)
                for rule in checked.rules:
                    if rule.group in mix:
                        with found.collecting():
                            self._ask_twice(rule, view, item, found)

    def _ask_twice(self, rule: Rule, view: object, item: int, found: Findings) -> None:
        value = rule(view, item)
        if rule(view, item) != value:
            what = "gives something else for the same view and item"
            found.add_of(rule, f"{what}: it may keep no memory and draw no random numbers")
        self.asked[rule.key] += 1
        self.given[rule.key].add(value)


def _check_values(rules: RuleSet, games: int) -> Findings:
    """The value of every rule for every legal move of random positions."""
    found = Findings()
    values = _Values(rules)
    with found.collecting():
        for state in sample_states(rules.game, games, POSITIONS * games):
            values.ask(state, found)
    for rule in rules.rules:
        asked = values.asked[rule.key]
        given = values.given[rule.key]
        if asked >= ENOUGH and len(given) == 1 and not found:
            what = f"gives {next(iter(given)):g} in all of {asked:,} cases from {games} random games"
            found.add_of(rule, f"{what}: it decides nothing", note=True)
    largest = {key: max(map(abs, given), default=0.0) for key, given in values.given.items()}
    for rule in rules.rules:
        others = [most for key, most in largest.items() if key != rule.key and most > 0]
        middle = float(np.median(others)) if others else largest[rule.key]
        if largest[rule.key] > MOST_SCALE * middle:
            what = f"gives up to {largest[rule.key]:g}, but the middle rule of '{rules.name}' up to {middle:g}"
            found.add_of(rule, f"{what}; no weight of theirs counts beside it: divide what it gives", note=True)
    return found


def _check_weights(rules: RuleSet) -> Findings:
    """Hand-tuned weights, which are mutated by steps of one size."""
    sizes = np.abs(rules.hand_tuned()).max(0)
    middle = float(np.median(sizes[sizes > 0])) if (sizes > 0).any() else 0.0
    found = Findings()
    for rule, size in zip(rules.rules, sizes.tolist(), strict=True):
        if middle and size > MOST_RATIO * middle:
            what = f"weighs {size:g}, but the middle weight of '{rules.name}' is {middle:g}"
            remedy = "breeding mutates all weights by steps of one size: rather let the rule give larger values"
            found.add_of(rule, f"{what}; {remedy}", note=True)
    return found


def _check_groups(rules: RuleSet) -> Findings:
    """A group without rules leaves its kind of move to the lowest number."""
    found = Findings()
    with_rules = {r.group for r in rules.rules}
    for kind in rules.mixes:
        if not with_rules & set(kind.mix):
            what = f"has no rule in the groups of the kind '{kind.name}' ({', '.join(kind.mix)}): all its moves score 0"
            found.add(f"{place_of(rules.rules[0])}: rule set '{rules.name}' {what}")
    return found


def check_player(player: Player) -> Findings:
    """Everything that is wrong with a player; its game is taken to be right."""
    found = Findings()
    if is_compiled(player):
        with found.collecting():
            trial_games(player.style, openings=False)
        return found or check_compiled(player.style)
    if not hasattr(player, "game"):
        what = f"`{type(player).__name__}`: its `__init__` has to call super().__init__(game, name)"
        found.add(f"{place_of(type(player).__init__)}: {what}")
        return found
    with found.collecting():
        tables = tables_of(player.game)
        for seed in range(1, ASKED_GAMES + 1):
            _play(player, seed, tables[(seed - 1) % len(tables)], found)
    return found


def _play(player: Player, seed: int, table: Any, found: Findings) -> None:
    """A random game, from its deal, in which the player is asked for every move, as one that follows the game."""
    options = {name: int(table[name]) for name in player.game.options}
    game = Stepper(Position(player.game, options, seed=seed), chance=seed)
    seats = [copy.copy(player).beginning_a_game(seat, options) for seat in range(game.position.seats)]
    for seat in game.decisions():
        if game.position.plies >= ASKED_PLIES:
            break
        _ask(seats[seat], game.position, found)
        game.chance = next_luck(game.chance)
        moves = game.position.legal_moves
        game.play(int(moves[game.chance % len(moves)]))
    game.players = seats
    for fault in game.tell_end():
        raise fault


def _ask(player: Player, position: Position, found: Findings) -> None:
    """Ask a player, and one that may not remember the game twice."""
    first = player.decide(position.copy(), PATIENCE)
    if not player.follows_games and player.decide(position.copy(), PATIENCE) != first:
        what = "gives another move when it is asked twice for the same view and moves"
        found.add_of(type(player).choose, f"{what}: it may keep no memory, and takes chance from `view.luck`")


def check_compiled(style: Style) -> Findings:
    """Play the first games of a style interpreted and compiled; what Numba cannot compile is a mistake."""
    found = Findings()
    openings = opening_plies_of(style.game, style.game.option_values()) > 0
    with warnings.catch_warnings(record=True) as caught, found.collecting():
        warnings.simplefilter("always")
        trial_games(style, openings=openings)
        if compiling():
            prepare(style.game, (style,), openings=openings)
            if difference := difference_of(style, openings=openings):
                found.add(difference)
    found.add(*(_place_first(str(w.message)) for w in caught if issubclass(w.category, RuntimeWarning)))
    return found


def _place_first(warning: str) -> str:
    """`four runs interpreted: ... (file:line: why)` with its place at the beginning, as all other lines."""
    name, _, why = warning.removesuffix(")").partition(" runs interpreted, which is slow: Numba cannot compile it (")
    return f"{why}; so {name} runs interpreted, which is slow" if why else warning
