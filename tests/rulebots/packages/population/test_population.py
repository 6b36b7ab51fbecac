"""Writing population files: readable text that is read back as it was, and never over another file."""

import itertools
import warnings
from pathlib import Path

import numpy as np
import pytest
from checkout import POPULATIONS
from hypothesis import given, settings, strategies as st
from population_texts import GOOD

from rulebots.errors import UsageError
from rulebots.files import MOST_BYTES
from rulebots.game.trial import law_digest
from rulebots.packages import load_game
from rulebots.packages.population import (
    Entry,
    Population,
    find_player,
    load_population,
    population_text,
    rounded,
)
from rulebots.packages.rule_sets import load_rules
from rulebots.rules import MOST_WEIGHT

GAME = load_game("lost-cities")
SHELLY = load_rules("shelly", GAME)
SHEPPARD = load_rules("sheppard", GAME)

weight = st.floats(-MOST_WEIGHT, MOST_WEIGHT)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
data = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | names | st.floats(-1e6, 1e6).map(lambda x: round(x, 3)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=4,
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_is_written_is_read_back(tmp_path_factory, draw):
    rules = draw.draw(st.sampled_from([SHELLY, SHEPPARD]))
    count = len(rules.rules)
    players = {}
    for name in draw.draw(st.lists(names, min_size=1, max_size=3, unique=True)):
        rows = draw.draw(st.lists(weight, min_size=2 * count, max_size=2 * count))
        matrix = np.array(rows).reshape(2, count)
        if rules.flat:
            matrix[1] = matrix[0]
        notes = draw.draw(st.none() | st.dictionaries(names, data, max_size=2))
        players[name] = Entry(rounded(matrix), notes, draw.draw(st.just("") | names.filter(str.strip)))
    comment = draw.draw(st.sampled_from(["", "one line", "two\n\n  lines #", "\nblank first"]))
    population = Population(GAME, rules, players, draw.draw(st.none() | st.just({"seed": 1, "by": "a b"})), comment)
    text = population_text(population)
    path = tmp_path_factory.getbasetemp() / "written.yaml"
    path.write_text(text, encoding="utf-8", newline="")
    again = load_population(path)
    assert again == population
    assert list(again.players) == list(players)
    assert population_text(again) == text


def test_the_text_is_what_the_design_shows():
    weights = SHEPPARD.weights({"play": {"play_lowest_first": 0.123456}, "discard": {"deprive_opponent": -1e-7}})
    population = Population(
        GAME,
        SHEPPARD,
        {"champion": Entry(weights, {"elo": 214, "plus_minus": 9.25}, "a: b"), "no": Entry(np.zeros((2, 7)))},
        {"generations": 50, "by": "rulebots 0.1.0"},
        "evolve run\n\n--seed 1",
    )
    lines = population_text(population).split("\n")
    assert lines[:16] == [
        "# evolve run",
        "#",
        "# --seed 1",
        "format: rulebots-population/1",
        "game: lost-cities",
        "rules: sheppard",
        'bred: {generations: 50, by: "rulebots 0.1.0"}',
        "players:",
        "  champion:",
        "    rating: {elo: 214, plus_minus: 9.25}",
        '    note: "a: b"',
        "    weights:",
        "      play:",
        f"        play_lowest_first: 0.1235     # {SHEPPARD.rules[0].meaning}",
        f"        maximum_score_end_game: 0     # {SHEPPARD.rules[1].meaning}",
        f"        avoid_late_investment: 0      # {SHEPPARD.rules[5].meaning}",
    ]
    assert any(line.startswith("        deprive_opponent: -1.0e-07 ") for line in lines)
    assert '  "no":' in lines


def test_any_text_may_stand_in_notes_and_comments(tmp_path):
    entry = Entry(np.zeros((2, 7)), {"nan": float("nan"), "numpy": np.float64(1.5), "flag": np.True_, "n": np.int64(3)})
    population = Population(GAME, SHEPPARD, {"a#b: 'c'": entry}, {"paths": ("a\\b", "\x07")}, "bell \x07\x0btail \t")
    path = tmp_path / "a.yaml"
    path.write_text(population_text(population))
    again = load_population(path)
    assert again.players["a#b: 'c'"].rating == {"nan": "nan", "numpy": 1.5, "flag": True, "n": 3}
    assert again.bred == {"paths": ["a\\b", "\x07"]}
    assert again.comment == "bell\ntail"  # a vertical tab ends a line; control characters are blanks


LONG = "n" * 1025


NAMES = (LONG, "\udcff.yaml", "\u2028\x85\r", "<<", "~", "é" * 500, "\ufeff")
COMMENTS = ("a\n", "\n", " ", "a\x0bb\x1c\x85\u2028c\r\nd\r", "\t\n#")


def test_written_read_and_written_again_are_the_same_bytes(tmp_path):
    path, others = tmp_path / "a.yaml", []
    for name, comment in itertools.product(NAMES, COMMENTS):
        notes = {name * 2: {name: [name, 10**99, -(10**100), 10**5000, 1e300]}}
        entry = Entry(np.zeros((2, 7)), notes, name)
        text = population_text(Population(GAME, SHEPPARD, {name: entry}, {"a": notes}, comment))
        path.write_bytes(text.encode())
        if population_text(load_population(path)) != text:
            others.append((name, comment))
    assert others == []


@pytest.mark.slow
def test_a_large_population_can_be_read_back(tmp_path):
    text = population_text(Population(GAME, SHELLY, {f"p{i}": Entry(SHELLY.hand_tuned()) for i in range(500)}))
    assert len(text) < MOST_BYTES
    path = tmp_path / "a.yaml"
    path.write_text(text)
    assert len(load_population(path).players) == 500


def test_rounded_is_to_four_significant_decimals():
    rough = np.array([[0.123456, -0.0, 12345.6], [1e-7, -2 / 3, 1.0]])
    np.testing.assert_array_equal(rounded(rough), [[0.1235, 0.0, 12350.0], [1e-7, -0.6667, 1.0]])
    np.testing.assert_array_equal(rounded(rounded(rough)), rounded(rough))


@pytest.mark.parametrize("path", sorted(POPULATIONS.glob("*/*.yaml")), ids=lambda p: p.stem)
def test_shipped_files_are_as_the_writer_writes_them(path: Path) -> None:
    """Meanings beside the weights are those of the rules today."""
    assert population_text(load_population(path)) == path.read_text(encoding="utf-8")


def test_find_player(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(GOOD + "  second: {weights: {}}\n")
    population = load_population(path)
    assert find_player(population)[0] == "champion"
    assert find_player(population, "second") == ("second", population.players["second"])
    with pytest.raises(UsageError, match=r"^no player 'secnd'; did you mean 'second'\?$"):
        find_player(population, "secnd")


def test_a_file_says_for_which_law_it_was_bred_and_a_line_says_that_it_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    law = law_digest(GAME)
    players = {"a": Entry(np.zeros((2, 7)))}
    path.write_text(population_text(Population(GAME, SHEPPARD, players, law=law)))
    assert path.read_text().count(law) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load_population(path).law == law
    path.write_text(path.read_text().replace(law, "of_old"))
    with pytest.warns(UserWarning, match="a.yaml: the law of lost-cities has changed since its players were bred"):
        assert load_population(path).law == "of_old"
    path.write_text(population_text(Population(GAME, SHEPPARD, players)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load_population(path).law == ""
