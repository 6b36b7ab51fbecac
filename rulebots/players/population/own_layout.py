"""Our own layout of a population file: format, game, rules, code, bred, players.

    format: rulebots-population/1
    game: lost-cities
    rules: mine
    code: {rules: keep.py:mine}
    bred: {generations: 50, seed: 1}
    players:
      champion:
        rating: {elo: 214, plus_minus: 9}
        note: steady
        weights:
          play:
            in_sequence: [0.61, 0.83]
            low_card: 0.1

`code` says where a game or rule set came from that is not installed; reading it imports nothing. Weights bind by
name; a rule that a player does not name weighs 0.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

from rulebots.errors import nearest, shown, unknown
from rulebots.files.yaml_reading import Map, Node, Scalar
from rulebots.game import Game
from rulebots.players.population.model import Entry, Population
from rulebots.players.population.problems import Problems
from rulebots.players.population.weight_nodes import read_weight
from rulebots.registry import DEFAULT_GAME, game_names, load_game, parts_of
from rulebots.rules import RuleSet, Weights

#: The value of the first key of a file; a later layout would count on.
FORMAT = "rulebots-population/1"
KEYS = ("format", "game", "rules", "code", "bred", "players")
#: What `code` may say: by what name a person brought a game or rule set that is not installed.
CODE_KEYS = ("game", "rules")
PLAYER_KEYS = ("rating", "note", "weights")


def read_own(root: Node, problems: Problems, rule_sets: Iterable[RuleSet], comment: str) -> Population | None:
    """The population in a tree, None where too much is missing; everything wrong goes to `problems`.

    `rule_sets` are known as well as those of the installed games.
    """
    problems.refuse_tags(root)
    top = problems.entries(root, f"a population file, which begins with 'format: {FORMAT}'")
    problems.known(top, KEYS, "a population file")
    _check_format(problems.required(top, "format", root, f"format: {FORMAT}"), problems)
    extra = list(rule_sets)
    code = _code(top["code"][1], problems) if "code" in top else {}
    game = _game(problems.required(top, "game", root, f"game: {DEFAULT_GAME}"), extra, code, problems)
    default = next(iter(parts_of(game).rule_sets)) if game else "standard"
    rules = _rules(problems.required(top, "rules", root, f"rules: {default}"), game, extra, code, problems)
    bred = _notes(top["bred"][1], problems) if "bred" in top else None
    players = _players(problems.required(top, "players", root, "players: {mine: {weights: {}}}"), rules, problems)
    if game is None or rules is None:
        return None
    return Population(game, rules, players, bred, comment, tuple(problems.dropped))


def _word(node: Node, what: str, problems: Problems) -> str | None:
    if isinstance(node, Scalar) and not node.empty:
        return node.text
    problems.expected(what, node)
    return None


def _check_format(node: Node | None, problems: Problems) -> None:
    if node and not (isinstance(node, Scalar) and node.text == FORMAT):
        problems.expected(f"the format '{FORMAT}'", node)


def _code(node: Node, problems: Problems) -> dict[str, str]:
    """By what names a person brought game and rules; nothing is imported by them."""
    found = problems.entries(node, "a map with the places of 'game' or 'rules'")
    problems.known(found, CODE_KEYS, "'code'")
    words = {name: _word(value, "where code is, such as keep.py:mine", problems) for name, (_, value) in found.items()}
    return {name: word for name, word in words.items() if word is not None}


def _unknown(what: str, name: str, known: Iterable[str], flag: str, code: Mapping[str, str], where: str = "") -> str:
    """What to say of a game or rule set that is not here: where it is, else the nearest name, else how to bring one."""
    place, of = shown(code.get(flag, "")), f" of {where}" if where else ""
    if place:
        return f"no {what} '{shown(name)}'{of}; it is in {place}: --{flag} {shlex.quote(place)} brings it"
    own = "" if nearest(name, known) else f"; one of your own: --{flag} PLACE"
    return unknown(what, shown(name), known, where) + own


def _game(node: Node | None, extra: list[RuleSet], code: Mapping[str, str], problems: Problems) -> Game | None:
    name = _word(node, "the name of a game", problems) if node else None
    if node is None or name is None:
        return None
    games = {rules.game.name: rules.game for rules in extra}
    if name in games:
        return games[name]
    if name in game_names():
        return load_game(name)
    problems.add(node, _unknown("game", name, [*dict.fromkeys((*game_names(), *games))], "game", code))
    return None


def _rules(
    node: Node | None, game: Game | None, extra: list[RuleSet], code: Mapping[str, str], problems: Problems
) -> RuleSet | None:
    name = _word(node, "the name of a rule set", problems) if node else None
    if node is None or name is None or game is None:
        return None
    known = {
        **parts_of(game).rule_sets,
        **parts_of(game).brought_rule_sets,
        **{rules.name: rules for rules in extra if rules.game is game},
    }
    if name not in known:
        problems.add(node, _unknown("rule set", name, known, "rules", code, game.name))
    return known.get(name)


def _notes(node: Node, problems: Problems) -> dict[str, Any]:
    notes = problems.entries(node, "a map of notes")
    return {name: problems.data(value) for name, (_, value) in notes.items()}


def _players(node: Node | None, rules: RuleSet | None, problems: Problems) -> dict[str, Entry]:
    if node is None:
        return {}
    what = "a map of players by name"
    found = problems.entries(node, what)
    players = {name: _player(name, value, rules, problems) for name, (_, value) in found.items()}
    if not players and node.described() == "an empty map":
        problems.expected(what, node)
    return players


def _player(name: str, node: Node, rules: RuleSet | None, problems: Problems) -> Entry:
    """One player; a placeholder where something is wrong."""
    found = problems.entries(node, f"a map with the 'weights' of player '{shown(name)}'")
    problems.known(found, PLAYER_KEYS, "a player")
    rating = _notes(found["rating"][1], problems) if "rating" in found else None
    note = _word(found["note"][1], "a note", problems) if "note" in found else None
    weights = problems.required(found, "weights", node, "weights: {play: {some_rule: 0.5}}")
    found_weights = _weights(weights, rules, problems) if weights else np.zeros((2, 0))
    return Entry.read(found_weights, rating, note or "")


def _weights(node: Node, rules: RuleSet | None, problems: Problems) -> Weights:
    """float64[2, rules], NaN for rules that are not named; with an unknown rule set only the numbers are checked."""
    matrix = np.full((2, len(rules.rules) if rules else 0), np.nan)
    for group, (group_key, of_group) in problems.entries(node, "a map of rule groups").items():
        if rules and group not in rules.groups:
            problems.missing(shown(group), group_key, partial(unknown_group, group, rules))
            if not isinstance(of_group, Map):
                continue
        known = rules if rules and group in rules.groups else None
        for name, (key, value) in problems.entries(of_group, f"a map of rules in group '{shown(group)}'").items():
            column = known.columns.get(f"{group}.{name}") if known else None
            if known and column is None:
                problems.missing(f"{group}.{shown(name)}", key, partial(unknown_rule, group, name, known))
            pair = read_weight(value, name, problems, flat=bool(rules and rules.flat))
            if pair and column is not None:
                matrix[:, column] = pair
    return matrix


def unknown_group(group: str, rules: RuleSet) -> str:
    """What to say of a group that the rule set lacks; perhaps it is a rule in the wrong place."""
    home = next((rule.group for rule in rules.rules if rule.name == group), None)
    if home:
        return f"no group '{group}' of {rules.game.name}; it is a rule of group '{home}': write it below '{home}:'"
    return unknown("group", shown(group), rules.groups, f"{rules.game.name}, rule set '{rules.name}'")


def unknown_rule(group: str, name: str, rules: RuleSet) -> str:
    """What to say of a rule that the group lacks: where it is, or the nearest name."""
    start = f"no rule '{shown(name)}' in group '{group}' of {rules.game.name}"
    homes = [rule.group for rule in rules.rules if rule.name == name]
    if homes:
        return f"{start}; it is a rule of group '{homes[0]}': write it there"
    others = [
        other.name for other in parts_of(rules.game).rule_sets.values() if name in {rule.name for rule in other.rules}
    ]
    if others:
        return f"{start}; the rule set '{others[0]}' has it, but the file says 'rules: {rules.name}'"
    close = nearest(name, [rule.name for rule in rules.rules if rule.group == group])
    if close:
        return f"{start}; did you mean '{close}'?"
    return f"{start}; `rulebots rules {rules.game.name}` lists them all"
