"""Messages of rulebots-player/1."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from player_protocol import random_positions, referee_of

from rulebots.packages import game_names, load_game
from rulebots.players import Needs
from rulebots.players.player import _seen
from rulebots.protocols import Clock
from rulebots.protocols.rulebots_player import schema


@pytest.mark.parametrize("name", game_names())
def test_every_message_keeps_the_schema(name):
    game, valid = load_game(name), jsonschema.Draft202012Validator(schema())
    referee = referee_of(game)
    lines = [*referee.greet(), *referee.begin(0, {"a": 1}, Clock(1.0, 60.0))]
    for position in random_positions(game, 1, 20):
        lines += referee.ask(_seen(Needs.SHOWN, position), position.legal_moves, Clock())
    lines += [*referee.end((3, -1)), *referee.refuse("no"), *referee.leave()]
    for line in lines:
        assert "\n" not in line
        valid.validate(json.loads(line))


def test_the_documentation_names_every_field_of_every_message():
    page = Path(__file__).parents[3] / "docs" / "protocols" / "programs.md"
    protocol = page.read_text("utf-8").partition("## The protocol")[2].partition("## Limits")[0]
    about = dict(re.findall(r"^\| `(\w+)` (.*)$", protocol, re.MULTILINE))
    about["choose"] += protocol.partition("`choose` holds")[2]
    about["clock"] = about["choose"]
    definitions = schema()["$defs"]
    assert set(about) == set(definitions)
    for name, definition in definitions.items():
        for field, what in definition["properties"].items():
            inner = what.get("items", {}).get("properties", {})
            for one in {field, *inner} - {"type"}:
                assert f"`{one}`" in about[name], f"{one} of {name}"
