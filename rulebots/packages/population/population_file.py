"""Population files, declared once: what is read, what is said of mistakes, and the JSON Schema.

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

Reading `code` imports nothing. Weights bind by name; a rule that a player does not name weighs 0.

A game that knows files in other layouts lists readers in its `rules.py`: `READERS = (Reader(is_theirs, read_theirs),)`.
"""

import contextlib
import itertools
import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rulebots.errors import UsageError, did_you_mean, nearest, shown, unknown
from rulebots.files import InputError, read_text
from rulebots.files.layout import (
    WRONG,
    Key,
    Keys,
    Problems,
    ValueKind,
    any_text,
    exactly,
    named,
    notes,
    read_yaml,
)
from rulebots.files.plain_yaml import Items, Map, Node, Scalar
from rulebots.game import Game
from rulebots.game.trial import law_digest
from rulebots.packages import DEFAULT_GAME, game_names, is_sourced, load_game
from rulebots.packages.game_package import Reader
from rulebots.packages.games import load_package
from rulebots.packages.named_code import names_from_data, remedy_for
from rulebots.packages.population.population import FORMAT, Entry, Population
from rulebots.packages.rule_sets import brought_rule_sets, rule_sets_of
from rulebots.rules import MOST_WEIGHT, RuleSet, Weights

#: The names by which a person brought a game or rule set that is not installed.
_CODE = any_text("where code is, such as keep.py:mine")
CODE = Keys(
    "'code'",
    {"game": Key(_CODE, "where the game is"), "rules": Key(_CODE, "where the rule set is")},
    "a map with the places of 'game' or 'rules'",
)
#: Tags with this beginning are text to the readers of Ruby Quiz files; all other readers refuse them.
RUBY = "!ruby/"
#: Keys that no foreign layout has: a file with one of them is meant to have our own layout.
OWN_KEYS = ("format", "players")


class PopulationError(InputError):
    """A file that is not a population: the first thing wrong with it."""


class PopulationProblems(Problems):
    """What is wrong with one population file, and how it was read.

    `wanted` is the part after the `#`, None without one: it names a player, or how to read a file that can be read in
    several ways. `notes` are sentences about how the file was read.
    """

    def __init__(self, file: str, wanted: str | None = None) -> None:
        super().__init__(file)
        self.wanted = wanted
        self.notes: list[str] = []


def load_population(
    path: str | Path, rule_sets: Iterable[RuleSet] = (), *, drop_missing: bool = False, wanted: str | None = None
) -> Population:
    """The population in a file: in our own layout, or in one that a game has a reader for.

    `rule_sets` are known as well as those of the installed games, for rules written in a script.
    With `drop_missing`, rules that the rule set lacks are left out, and named in the population's `dropped`. `wanted`
    is what stands after the `#` of `path#player`: Adam Shelly's files of Ruby Quiz 51 can be read with the rule set
    that it names. A warning says how such a file was read.

    Raises:
        PopulationError: the first problem, as `file:line:column: what was expected, what came`.
    """
    problems = PopulationProblems(str(path), wanted)
    population, faults = _read(path, rule_sets, problems, drop_missing=drop_missing)
    if faults or population is None:
        first = faults[0]
        raise PopulationError(first.path, first.message, first.line, first.column)
    if population.law not in ("", law_digest(population.game)):
        problems.notes.append(f"the law of {population.game.name} has changed since its players were bred")
    for note in problems.notes:
        warnings.warn(f"{path}: {note}", stacklevel=1)  # of this line: said once, however often a file is loaded
    return population


def check_population(path: str | Path, rule_sets: Iterable[RuleSet] = ()) -> list[InputError]:
    """Every problem of a file, in the order of the file; an empty list for a good one."""
    return _read(path, rule_sets, PopulationProblems(str(path)))[1]


def _read(
    path: str | Path, rule_sets: Iterable[RuleSet], problems: PopulationProblems, *, drop_missing: bool = False
) -> tuple[Population | None, list[InputError]]:
    try:
        text = read_text(path)
    except InputError as error:
        return None, [error]

    # The lines at the top that begin with `#`, without it and the blank after it.
    lines = itertools.takewhile(lambda line: line.startswith("#"), text.split("\n"))
    comment = "\n".join(line.rstrip("\r")[1:].removeprefix(" ") for line in lines)

    def read(root: Node, _: Problems) -> Population | None:
        if reader := reader_of(root):
            return reader.read(root, problems, comment)
        return read_population(root, problems, rule_sets, comment, drop_missing=drop_missing)

    return read_yaml(text, "population", read, problems, tags=RUBY)


def reader_of(root: Node) -> Reader | None:
    """The first reader that recognizes a tree; None for our own layout, and where none does."""
    if isinstance(root, Map) and any(isinstance(key, Scalar) and key.text in OWN_KEYS for key, _ in root.entries):
        return None
    for game in game_names():
        with contextlib.suppress(UsageError):  # a game that cannot be imported says nothing about this file
            for reader in load_package(game).readers:
                if reader.recognizes(root):
                    return reader
    return None


def layout(rules: RuleSet | None = None, dropped: dict[str, None] | None = None) -> Keys:
    """A population file with the weights of a rule set; of an unknown one the numbers alone are checked.

    With `dropped`, a rule that the rule set lacks is not a problem: it is noted there, as `group.name`, and left out.
    """
    return Keys(
        "a population file",
        {
            "format": Key(exactly(FORMAT), f"`{FORMAT}`", f"format: {FORMAT}"),
            "game": Key(
                any_text("the name of a game"), "a game, as `rulebots games` names it", f"game: {DEFAULT_GAME}"
            ),
            "rules": Key(
                any_text("the name of a rule set"),
                "a rule set of the game: `rulebots rules GAME` shows them all",
                "rules: standard",
            ),
            "law": Key(
                any_text("the digits of a law"),
                "the law that the players were bred for, as random games show it; where it has changed, "
                "a line says so; optional",
            ),
            "code": Key(
                CODE,
                'where game and rules came from that are not installed: `{rules: "keep.py:mine"}`; nothing is '
                "imported by it, a flag brings them; optional",
            ),
            "bred": Key(notes(), "how the players were bred; for people, optional"),
            "players": Key(
                named(_player_layout(rules, dropped), "a map of players by name", least=1),
                "the players by name",
                "players: {mine: {weights: {}}}",
            ),
        },
        f"a population file, which begins with 'format: {FORMAT}'",
    )


def _player_layout(rules: RuleSet | None, dropped: dict[str, None] | None) -> Keys:
    return Keys(
        "a player",
        {
            "rating": Key(notes(), "How strong the player was measured to be."),
            "note": Key(any_text("a note"), "A note on the player."),
            "weights": Key(
                _rule_weights(rules, dropped),
                "Rules by group; a rule that is not named weighs 0.",
                "weights: {play: {some_rule: 0.5}}",
            ),
        },
        "a map with the 'weights' of player '{name}'",
    )


def _rule_weights(rules: RuleSet | None, dropped: dict[str, None] | None) -> ValueKind:
    """The weights of a player by group and rule, float64[2, rules], NaN for rules that are not named; see `layout`."""
    of_rule = weight(flat=bool(rules and rules.flat))

    def read(node: Node, problems: Problems, _: str) -> Weights:
        matrix = np.full((2, len(rules.rules) if rules else 0), np.nan)
        for group, (group_key, of_group) in problems.entries(node, "a map of rule groups").items():
            known = rules if rules and group in rules.groups else None
            if rules and known is None:
                missing(shown(group), group_key, partial(unknown_group, group, rules), problems)
                if not isinstance(of_group, Map):
                    continue
            for rule, (key, value) in problems.entries(of_group, f"a map of rules in group '{shown(group)}'").items():
                column = known.columns.get(f"{group}.{rule}") if known else None
                if known and column is None:
                    missing(f"{group}.{shown(rule)}", key, partial(unknown_rule, group, rule, known), problems)
                pair = of_rule.read(value, problems, rule)
                if pair is not WRONG and column is not None:
                    matrix[:, column] = pair
        return matrix

    def missing(rule: str, node: Node, message: Callable[[], str], problems: Problems) -> None:
        """Note a rule that the rule set does not have. The message takes a while to find."""
        if dropped is None:
            problems.add(node, message())
        else:
            dropped[rule] = None

    groups: dict[str, dict[str, Any]] = {group: {} for group in rules.groups} if rules else {}
    for rule in rules.rules if rules else ():
        groups[rule.group][rule.name] = {"description": rule.meaning, **of_rule.schema}
    return ValueKind(read, _closed({group: _closed(members) for group, members in groups.items()}))


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a map with these keys and no others."""
    return {"type": "object", "additionalProperties": False, "properties": properties}


def weight(*, flat: bool = False) -> ValueKind:
    """The weight of a rule, (early, late): one number, or `[early, late]`; in a `flat` rule set the two are the same.

    The schema of a flat one does not offer `[x, x]`.
    """

    def read(node: Node, problems: Problems, name: str) -> Any:
        whose = f"as weight of '{shown(name)}'"
        if isinstance(node, Items) and len(node.items) != 2:
            return problems.expected(f"one number or [early, late] {whose}", node)
        parts = node.items if isinstance(node, Items) else [node]
        numbers = [read_weight_number(part, whose, problems) for part in parts]
        early = numbers[0]
        late = numbers[-1]
        if early is None or late is None:
            return WRONG
        if not flat or early == late:
            return early, late
        problems.add(
            node, f"expected one number {whose}, early and late alike in this rule set, not [{early:g}, {late:g}]"
        )
        return WRONG

    number = {"type": "number", "minimum": -MOST_WEIGHT, "maximum": MOST_WEIGHT}
    return ValueKind(
        read, number if flat else {"anyOf": [number, {"type": "array", "items": number, "minItems": 2, "maxItems": 2}]}
    )


def read_weight_number(node: Node, whose: str, problems: Problems) -> float | None:
    """A finite number of a sensible size; None, with a problem noted, for anything else."""
    number = node.number() if isinstance(node, Scalar) else None
    if number is not None and abs(number) <= MOST_WEIGHT:
        return number
    what = f"a number from {-MOST_WEIGHT:g} to {MOST_WEIGHT:g}"
    if number is None or not math.isfinite(number):
        what = "a finite number such as 0.5 or -1e-3"
    problems.expected(f"{what} {whose}", node)
    return None


def read_population(
    root: Node, problems: Problems, rule_sets: Iterable[RuleSet], comment: str, *, drop_missing: bool
) -> Population | None:
    """The population in a tree, None where too much is missing; everything wrong goes to `problems`.

    `rule_sets` are known as well as those of the installed games.
    """
    problems.refuse_tags(root)
    extra = list(rule_sets)
    dropped = dict[str, None]()
    nodes = layout().nodes(root, problems)
    head = layout().values({name: node for name, node in nodes.items() if name != "players"}, problems)
    code: Mapping[str, str] = head.get("code", {})
    game = rules = None
    if "game" in head:
        game = problems.attempt(nodes["game"], lambda: _game(head["game"], extra, code))
    if game and "rules" in head:
        rules = problems.attempt(nodes["rules"], lambda: _rules(head["rules"], game, extra, code))
    of_players = layout(rules, dropped if drop_missing else None).keys["players"].kind
    players = of_players.read(nodes["players"], problems, "players") if "players" in nodes else WRONG
    if game is None or rules is None or players is WRONG:
        return None
    entries = {
        name: Entry.read(player["weights"], player.get("rating"), player.get("note", ""))
        for name, player in players.items()
        if "weights" in player
    }
    return Population(game, rules, entries, head.get("bred"), comment, tuple(dropped), head.get("law", ""))


def schema(game: Game) -> dict[str, Any]:
    """A JSON Schema (draft 2020-12) of a game's population files, for editors that complete and check.

    It has every rule set with its groups, rules and their meanings.
    """
    sets = rule_sets_of(game)
    schema = {**layout().schema}
    schema["properties"] |= {
        "game": {"const": game.name},
        "rules": {"enum": list(sets), "description": "The rule set that the weights are for."},
        "players": {"type": "object", "minProperties": 1, "propertyNames": {"minLength": 1}},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Players of {game.title} for rulebots",
        **schema,
        "allOf": [
            {
                "if": {"required": ["rules"], "properties": {"rules": {"const": name}}},
                "then": {"properties": {"players": {"additionalProperties": {"$ref": f"#/$defs/{name}"}}}},
            }
            for name in sets
        ],
        "$defs": {
            name: {"description": rules.meaning, **_player_layout(rules, None).schema} for name, rules in sets.items()
        },
    }


def _game(name: str, extra: list[RuleSet], code: Mapping[str, str]) -> Game:
    """The game of that name. Raises UsageError."""
    games = {rules.game.name: rules.game for rules in extra}
    if name in games:
        return games[name]
    if name in game_names() or is_sourced(name):
        with names_from_data(game="--game {}"):
            return load_game(name)
    raise UsageError(_unknown("game", name, [*dict.fromkeys((*game_names(), *games))], code, "game"))


def _rules(name: str, game: Game, extra: list[RuleSet], code: Mapping[str, str]) -> RuleSet:
    """The rule set of that name. Raises UsageError."""
    known = {
        **rule_sets_of(game),
        **brought_rule_sets(game),
        **{rules.name: rules for rules in extra if rules.game is game},
    }
    if name not in known:
        raise UsageError(_unknown("rule set", name, known, code, "rules", game.name))
    return known[name]


def _unknown(what: str, name: str, known: Iterable[str], code: Mapping[str, str], kind: str, where: str = "") -> str:
    """What to say of a game or rule set that is not here: where it is, else the nearest name, else how to bring one."""
    flag = "--import" if kind == "rules" else "--game"
    if place := shown(code.get(kind, "")):
        of = f" of {where}" if where else ""
        remedy = remedy_for(kind, place, f"{flag} {{}}")
        return f"no {what} '{shown(name)}'{of}; it is in {place}: {remedy} brings it"
    if nearest(name, known):
        return unknown(what, name, known, where)
    whose = f"these are players of '{shown(name)}': " if kind == "game" else ""
    return f"{whose}{unknown(what, name, known, where)}; one of your own: {flag} PLACE"


def unknown_group(group: str, rules: RuleSet) -> str:
    """What to say of a group that the rule set lacks; perhaps it is a rule in the wrong place."""
    home = next((rule.group for rule in rules.rules if rule.name == group), None)
    if home:
        return f"no group '{group}' of {rules.game.name}; it is a rule of group '{home}': write it below '{home}:'"
    return unknown("group", group, rules.groups, f"{rules.game.name}, rule set '{rules.name}'")


def unknown_rule(group: str, name: str, rules: RuleSet) -> str:
    """What to say of a rule that the group lacks: where it is, or the nearest name."""
    others = [other for other in rule_sets_of(rules.game).values() if name in {rule.name for rule in other.rules}]
    close = did_you_mean(name, [rule.name for rule in rules.rules if rule.group == group])
    hints = [
        *(f"it is a rule of group '{rule.group}': write it there" for rule in rules.rules if rule.name == name),
        *(f"the rule set '{other.name}' has it, but the file says 'rules: {rules.name}'" for other in others),
        *filter(None, [close.removeprefix("; ")]),
        f"`rulebots rules {rules.game.name}` lists them all",
    ]
    return f"no rule '{shown(name)}' in group '{group}' of {rules.game.name}; {hints[0]}"
