"""The JSON Schema of each game says of a file what check says of it."""

import json

import pytest
import yaml
from checkout import POPULATIONS
from jsonschema import Draft202012Validator

from rulebots.packages import game_names, load_game
from rulebots.packages.population import Entry, Population, check_population, population_text, schema
from rulebots.packages.rule_sets import rule_sets_of

SHIPPED = sorted(POPULATIONS.glob("*/*.yaml"))

HEAD = {"format": "rulebots-population/1", "game": "lost-cities", "rules": "shelly"}


def player(weights, **more):
    return {**HEAD, "players": {"a": {"weights": weights, **more}}}


@pytest.fixture(scope="module")
def validator():
    return Draft202012Validator(schema(load_game("lost-cities")))


@pytest.mark.parametrize("name", game_names())
def test_every_games_schema_is_a_schema_and_accepts_what_is_written(name):
    game = load_game(name)
    described = schema(game)
    Draft202012Validator.check_schema(described)
    assert json.loads(json.dumps(described)) == described
    for rules in rule_sets_of(game).values():
        text = population_text(
            Population(game, rules, {"a": Entry(rules.hand_tuned(), {"elo": 1.5}, "note")}, {"n": 1})
        )
        Draft202012Validator(described).validate(yaml.safe_load(text))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_files_are_valid(path):
    content = yaml.safe_load(path.read_text())
    Draft202012Validator(schema(load_game(content["game"]))).validate(content)
    assert check_population(path) == []


def test_meanings_are_descriptions():
    shelly = schema(load_game("lost-cities"))["$defs"]["shelly"]["properties"]["weights"]["properties"]
    assert shelly["play"]["properties"]["low_cards"]["description"] == "It is lower than 5."


@pytest.mark.parametrize("name", game_names())
def test_whatever_has_a_meaning_is_described(name):
    game = load_game(name)
    described = schema(game)
    assert all(key.get("description") for key in (described["properties"]["code"], described["properties"]["bred"]))
    for rules in rule_sets_of(game).values():
        player_schema = described["$defs"][rules.name]
        assert player_schema["description"] == rules.meaning
        assert all(key["description"] for key in player_schema["properties"].values())
        weights = player_schema["properties"]["weights"]["properties"]
        for rule in rules.rules:
            assert weights[rule.group]["properties"][rule.name]["description"] == rule.meaning


@pytest.mark.parametrize(
    "good",
    [
        player({}),
        player({"play": {"in_sequence": 0.5, "low_card": [1, -2e-3]}, "keep": {}}),
        player({}, note="x", rating={"elo": 3}),
        {**player({"play": {"play_lowest_first": 1}}), "rules": "sheppard", "bred": {"seed": 1}},
    ],
)
def test_good_files(validator, tmp_path, good):
    assert _both(validator, tmp_path, good) == (True, True)


@pytest.mark.parametrize(
    "bad",
    [
        [],
        {},
        {**player({}), "format": "rulebots-population/2"},
        {**player({}), "game": "kalah"},
        {**player({}), "rules": "sheply"},
        {**player({}), "colour": "red"},
        {**player({}), "bred": 5},
        {**HEAD, "players": {}},
        {**HEAD, "players": []},
        {**HEAD, "players": {"": {"weights": {}}}},
        {**HEAD, "players": {"a": {}}},
        {**HEAD, "players": {"a": 1}},
        player({}, colour="red"),
        player({}, rating=5),
        player([]),
        player({"plya": {}}),
        player({"play": None}),
        player({"play": {"in_sequense": 1}}),
        player({"play": {"singleton": 1}}),
        player({"play": {"in_sequence": "1"}}),
        player({"play": {"in_sequence": True}}),
        player({"play": {"in_sequence": []}}),
        player({"play": {"in_sequence": [1, 2, 3]}}),
        player({"play": {"in_sequence": [1, None]}}),
        {**player({"play": {"in_sequence": 1}}), "rules": "sheppard"},
        {**player({"play": {"play_lowest_first": [1, 2]}}), "rules": "sheppard"},
    ],
)
def test_bad_files(validator, tmp_path, bad):
    assert _both(validator, tmp_path, bad) == (False, False)


def _both(validator, tmp_path, content):
    """Whether the schema and check accept a content (JSON is YAML)."""
    path = tmp_path / "a.yaml"
    path.write_text(json.dumps(content))
    return validator.is_valid(content), check_population(path) == []
