"""The layout of a population file: every problem with its place."""

import time

import numpy as np
import pytest
from population_texts import GAME, GOOD, HEAD, SHELLY, weights_of, with_rule

from rulebots.errors import UsageError
from rulebots.packages.players import BredPlayer
from rulebots.packages.population import (
    Entry,
    Population,
    PopulationError,
    load_population,
    population_text,
)
from rulebots.rules import rule


def test_a_file_as_a_person_writes_it(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(
        "# evolve run --seed 1\n#\n#  and more\n"
        + HEAD
        + "bred: {generations: 50, by: 'rulebots 0.1.0', opponents: [shelly, no], late: null, ok: true}\n"
        + GOOD[len(HEAD) :]
        + "    rating: {elo: 214, plus_minus: 9.5, against: shelly}\n    note: mine\n"
        + "  second: {weights: {}}\n"
    )
    population = load_population(path)
    assert population.comment == "evolve run --seed 1\n\n and more"
    assert population.bred == {
        "generations": 50,
        "by": "rulebots 0.1.0",
        "opponents": ["shelly", "no"],
        "late": None,
        "ok": True,
    }
    assert list(population.players) == ["champion", "second"]
    champion = population.players["champion"]
    assert champion.rating == {"elo": 214, "plus_minus": 9.5, "against": "shelly"}
    assert champion.note == "mine"
    expected = SHELLY.weights({"play": {"in_sequence": [0.61, 0.83], "low_card": 0.1}})
    np.testing.assert_array_equal(champion.weights, expected)
    assert not population.players["second"].weights.any()


def test_rule_sets_of_a_script_are_known_when_they_are_given(tmp_path):
    @rule("play", early=0.5)
    def lucky(view, card):
        """It is lucky."""
        return True

    with pytest.raises(UsageError, match="a rule set with more rules than 'shelly' needs another name"):
        SHELLY.extended("shelly", [lucky])
    mine = SHELLY.extended("mine", [lucky])
    path = tmp_path / "a.yaml"
    path.write_text(population_text(Population(GAME, mine, {"a": Entry(mine.hand_tuned())})))
    with pytest.raises(PopulationError, match="no rule set 'mine' of lost-cities"):
        load_population(path)
    assert load_population(path, [mine]).rules is mine
    assert BredPlayer(path, [mine]).rules is mine


def test_the_misspelt_rule_of_the_design(problems_of):
    assert problems_of(with_rule("in_sequense: 0.5")) == [
        "p.yaml:8:9: no rule 'in_sequense' in group 'play' of lost-cities; did you mean 'in_sequence'?"
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            "singleton: 1",
            "8:9: no rule 'singleton' in group 'play' of lost-cities; it is a rule of group 'keep': write it there",
        ),
        (
            "play_lowest_first: 1",
            (
                "8:9: no rule 'play_lowest_first' in group 'play' of lost-cities; the rule set 'sheppard' has it, "
                "but the file says 'rules: shelly'"
            ),
        ),
        (
            "xyzzy: 1",
            "8:9: no rule 'xyzzy' in group 'play' of lost-cities; `rulebots rules lost-cities` lists them all",
        ),
        ("low_card: 1\n        low_card: 2", "9:9: 'low_card' is there twice, first on line 8; remove one of them"),
        ("low_card: [1, 2, 3]", "8:19: expected one number or [early, late] as weight of 'low_card', not a list of 3"),
        ("low_card: []", "8:19: expected one number or [early, late] as weight of 'low_card', not an empty list"),
        ("[1]: 2", "8:9: expected a name, not a list of 1"),
        (
            "low_card: !!float 1",
            (
                "8:19: 'tag:yaml.org,2002:float' is a tag, which is not read here: remove it and write plain names "
                "and numbers"
            ),
        ),
        ("low_card: &a 1", "8:19: anchors and aliases (&a) are not read: write the values out"),
        ("low_card: *a", "8:19: anchors and aliases (*a) are not read: write the values out"),
        ("\tlow_card: 1", "8:9: a tab: YAML is indented with blanks only, write blanks instead"),
    ],
)
def test_a_rule_that_is_wrong(problems_of, line, problem):
    assert problems_of(with_rule(line)) == [f"p.yaml:{problem}"]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", ["1:1: the file is empty: expected a population"]),
        ("# only a comment\n", ["1:1: the file is empty: expected a population"]),
        (
            "hello\n",
            [("1:1: expected a population file, which begins with 'format: rulebots-population/1', not 'hello'")],
        ),
        (
            "{}",
            [
                "1:1: expected the key 'format', which is missing; write for example 'format: rulebots-population/1'",
                "1:1: expected the key 'game', which is missing; write for example 'game: lost-cities'",
                "1:1: expected the key 'rules', which is missing; write for example 'rules: standard'",
                (
                    "1:1: expected the key 'players', which is missing; write for example "
                    "'players: {mine: {weights: {}}}'"
                ),
            ],
        ),
        (GOOD.replace("/1", "/2"), ["1:9: expected the format 'rulebots-population/1', not 'rulebots-population/2'"]),
        (GOOD.replace("lost-cities", "lost-citys"), ["2:7: no game 'lost-citys'; did you mean 'lost-cities'?"]),
        (GOOD.replace("lost-cities", "[]"), ["2:7: expected the name of a game, not an empty list"]),
        (
            GOOD.replace("shelly", "shely"),
            ["3:8: no rule set 'shely' of lost-cities; did you mean 'shelly'?"],
        ),
        (GOOD.replace("shelly", "~"), ["3:8: expected the name of a rule set, not an empty value"]),
        (
            GOOD.replace("players", "plyers"),
            ["4:1: no key 'plyers' of a population file; did you mean 'players'?"],
        ),
        (
            GOOD.replace("players", "players:\nplayers"),
            [
                "5:1: 'players' is there twice, first on line 4; remove one of them",
            ],
        ),
        (GOOD + "game: kalah\n", ["10:1: 'game' is there twice, first on line 2; remove one of them"]),
        (
            GOOD.replace("play:", "plya:"),
            ["7:7: no group 'plya' of lost-cities, rule set 'shelly'; did you mean 'play'?"],
        ),
        (
            HEAD + "players: {mine: {weights: {low_card: 1}}}",
            [
                "4:28: no group 'low_card' of lost-cities; it is a rule of group 'play': write it below 'play:'",
            ],
        ),
        (HEAD + "players:\n", ["4:9: expected a map of players by name, not an empty value"]),
        (HEAD + "players: {}\n", ["4:10: expected a map of players by name, not an empty map"]),
        (HEAD + "players: [a]\n", ["4:10: expected a map of players by name, not a list of 1"]),
        (HEAD + "players: {a: 3}", ["4:14: expected a map with the 'weights' of player 'a', not '3'"]),
        (
            HEAD + "players: {a: {note: x}}",
            [
                (
                    "4:14: expected the key 'weights', which is missing; write for example "
                    "'weights: {play: {some_rule: 0.5}}'"
                )
            ],
        ),
        (
            HEAD + "players: {a: {wieghts: {}, weights: {}}}",
            ["4:15: no key 'wieghts' of a player; did you mean 'weights'?"],
        ),
        (HEAD + "players: {a: {weights: 1}}", ["4:24: expected a map of rule groups, not '1'"]),
        (HEAD + "players: {a: {weights: ~}}", ["4:24: expected a map of rule groups, not an empty value"]),
        (
            HEAD + "players: {a: {weights: {play: [1]}}}",
            ["4:31: expected a map of rules in group 'play', not a list of 1"],
        ),
        (
            HEAD + "players: {a: {weights: {}}, a: {}}",
            ["4:29: 'a' is there twice, first on line 4; remove one of them"],
        ),
        (HEAD + "players: {'': {weights: {}}}", ["4:11: expected a name, not the text ''"]),
        (
            HEAD + "players: {a: {weights: {}, rating: 5, note: [1]}}",
            ["4:36: expected a map of notes, not '5'", "4:45: expected a note, not a list of 1"],
        ),
        (GOOD + "bred: {a: {b: 1, b: 2}}\n", ["10:18: 'b' is there twice, first on line 10; remove one of them"]),
        (
            GOOD + "---\n" + GOOD,
            ["10:1: expected one document, not a second one: remove this line and what follows"],
        ),
        (GOOD + "bred: " + "[" * 40 + "]" * 40, ["10:23: nested deeper than 16 levels, which is the limit"]),
        (
            "!!python/object/apply:os.system ['echo']",
            [
                (
                    "1:1: 'tag:yaml.org,2002:python/object/apply:os.system' is a tag, which is not read here: "
                    "remove it and write plain names and numbers"
                ),
            ],
        ),
        (GOOD + "bred: \x07\n", ["10:7: the character U+0007 cannot stand in a YAML file: remove it"]),
        (
            GOOD.encode() + b"# gr\xfc\xdfe\n",
            ["10:5: expected text in UTF-8, not the byte 0xFC: save the file as UTF-8"],
        ),
    ],
)
def test_a_file_that_is_wrong(problems_of, text, problems):
    assert problems_of(text) == [f"p.yaml:{problem}" for problem in problems]


def test_all_problems_come_in_the_order_of_the_file(problems_of):
    text = """\
format: rulebots-population/1
game: lost-cities
rules: shelly
colour: red
players:
  a:
    weights:
      play: {low_card: x, low_crd: 1, low_card: 2}
      pley: {low_card: .nan}
  b: {}
  a: {}
"""
    assert [line.split(": ")[0] for line in problems_of(text)] == [
        "p.yaml:4:1",
        "p.yaml:8:24",
        "p.yaml:8:27",
        "p.yaml:8:39",
        "p.yaml:9:7",
        "p.yaml:9:24",
        "p.yaml:10:6",
        "p.yaml:11:3",
    ]


def test_numbers_are_checked_even_where_the_rules_are_not_known(problems_of):
    text = with_rule("low_card: x").replace("shelly", "unknown")
    assert [line.split(": ")[0] for line in problems_of(text)] == ["p.yaml:3:8", "p.yaml:8:19"]


@pytest.mark.slow
def test_of_many_problems_the_first_twenty_are_told(problems_of):
    found = problems_of(with_rule("\n        ".join(f"low_kard{i}: 1" for i in range(50_000))))
    assert len(found) == 21
    assert found[-1] == "p.yaml:27:9: 20 problems up to here; correct these first"


@pytest.mark.slow
def test_many_rules_that_are_gone_are_dropped_soon(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(with_rule("\n        ".join(f"low_kard{i}: 1" for i in range(50_000))))
    began = time.process_time()
    assert len(load_population(path, drop_missing=True).dropped) == 50_000
    assert time.process_time() - began < 2


@pytest.mark.parametrize("more", ["prules: {}\n", "prules: {}\ndrules: {}\n"])
@pytest.mark.parametrize("head", [HEAD, HEAD.partition("\n")[2]])
def test_a_key_of_another_layout_is_never_dropped_in_silence(problems_of, head, more):
    found = problems_of(head + GOOD[len(HEAD) :] + more)
    line = head.count("\n") + GOOD[len(HEAD) :].count("\n") + 1
    assert any(one.startswith(f"p.yaml:{line}:1: no key 'prules' of a population file") for one in found)


@pytest.mark.parametrize(
    ("written", "number"),
    [("1", 1), ("-0.5", -0.5), ("+.5", 0.5), ("2.", 2), ("1e-3", 0.001), ("1E3", 1000), ("-1.5e+2", -150), ("0", 0)],
)
def test_numbers_as_people_write_them(tmp_path, written, number):
    path = tmp_path / "a.yaml"
    path.write_text(with_rule(f"low_card: {written}"))
    assert weights_of(path)[0, SHELLY.columns["play.low_card"]] == number


def test_flat_rule_sets_take_one_number_or_two_that_are_the_same(problems_of):
    head = HEAD.replace("shelly", "sheppard")
    assert problems_of(with_rule("play_lowest_first: [2, 2.0]", head)) == []
    assert problems_of(with_rule("play_lowest_first: [1, 2]", head)) == [
        (
            "p.yaml:8:28: expected one number as weight of 'play_lowest_first', early and late alike in this rule set, "
            "not [1, 2]"
        )
    ]


#: What is no weight, and how it is described.
NO_WEIGHTS = [
    ("high", "'high'"),
    ("'0.5'", "the text '0.5'"),
    ("true", "'true'"),
    ("no", "'no'"),
    (".nan", "'.nan'"),
    ("nan", "'nan'"),
    (".inf", "'.inf'"),
    ("-.Inf", "'-.Inf'"),
    ("1e999", "'1e999'"),
    ("1_000", "'1_000'"),
    ("1:30", "'1:30'"),
    ("010", "'010'"),
    ("0x1F", "'0x1F'"),
    ("1,5", "'1,5'"),
    ("", "an empty value"),
    ("~", "an empty value"),
    ("{a: 1}", "a map"),
    ("x" * 100, "'" + "x" * 57 + "...'"),
]


@pytest.mark.parametrize(("written", "described"), NO_WEIGHTS)
def test_a_weight_that_is_no_finite_number(problems_of, written, described):
    column = 19 if written else 18
    expected = f"expected a finite number such as 0.5 or -1e-3 as weight of 'low_card', not {described}"
    assert problems_of(with_rule(f"low_card: {written}")) == [f"p.yaml:8:{column}: {expected}"]


@pytest.mark.parametrize(
    ("written", "described"),
    [
        (written, described) for written, described in NO_WEIGHTS if written != "1,5"
    ],  # in brackets these are two numbers
)
def test_a_late_weight_that_is_no_finite_number(problems_of, written, described):
    expected = f"expected a finite number such as 0.5 or -1e-3 as weight of 'low_card', not {described}"
    assert problems_of(with_rule(f"low_card: [0.5, {written or '~'}]")) == [f"p.yaml:8:25: {expected}"]
