"""A JSON Schema (draft 2020-12) of a game's population files, for editors that complete and check."""

from __future__ import annotations

from typing import Any

from rulebots.game import Game
from rulebots.players.population.own_layout import CODE_KEYS, FORMAT
from rulebots.registry import parts_of
from rulebots.rules import MOST_WEIGHT, RuleSet

#: A weight that differs between early and late.
_NUMBER = {"type": "number", "minimum": -MOST_WEIGHT, "maximum": MOST_WEIGHT}
_PAIR = {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2}


def schema(game: Game) -> dict[str, Any]:
    """The schema: every rule set with its groups, rules and their meanings.

    A flat rule set takes one number a rule; `[x, x]`, which loads as well, is not offered.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Players of {game.title} for rulebots",
        "type": "object",
        "required": ["format", "game", "rules", "players"],
        "additionalProperties": False,
        "properties": {
            "format": {"const": FORMAT},
            "game": {"const": game.name},
            "rules": {"enum": list(parts_of(game).rule_sets), "description": "The rule set that the weights are for."},
            "code": {
                "type": "object",
                "description": "Where a game or rule set came from that is not installed.",
                "additionalProperties": False,
                "properties": {key: {"type": "string", "minLength": 1} for key in CODE_KEYS},
            },
            "bred": {"type": "object", "description": "How the players came about."},
            "players": {"type": "object", "minProperties": 1, "propertyNames": {"minLength": 1}},
        },
        "allOf": [_when(name) for name in parts_of(game).rule_sets],
        "$defs": {name: _player(rules) for name, rules in parts_of(game).rule_sets.items()},
    }


def _when(rules: str) -> dict[str, Any]:
    players = {"additionalProperties": {"$ref": f"#/$defs/{rules}"}}
    return {
        "if": {"required": ["rules"], "properties": {"rules": {"const": rules}}},
        "then": {"properties": {"players": players}},
    }


def _player(rules: RuleSet) -> dict[str, Any]:
    """A player of one rule set."""
    return {
        "type": "object",
        "description": rules.meaning,
        "required": ["weights"],
        "additionalProperties": False,
        "properties": {
            "rating": {"type": "object", "description": "How strong the player was measured to be."},
            "note": {"type": "string", "minLength": 1},
            "weights": {
                "type": "object",
                "description": "Rules by group; a rule that is not named weighs 0.",
                "additionalProperties": False,
                "properties": {group: _group(rules, group) for group in rules.groups},
            },
        },
    }


def _group(rules: RuleSet, group: str) -> dict[str, Any]:
    weight = _NUMBER if rules.flat else {"anyOf": [_NUMBER, _PAIR]}
    members = (rule for rule in rules.rules if rule.group == group)
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {rule.name: {"description": rule.meaning, **weight} for rule in members},
    }
