"""The seed's own files are read as plain data: Sheppard's list of two, Shelly's rules in Ruby's YAML."""

import re

import numpy as np
import pytest

from rulebots.games.lost_cities.ruby_files import SHELLY_KEEP, SHELLY_PLAY, SHEPPARD_RULES
from rulebots.packages import load_game
from rulebots.packages.players import entry_of, make_player
from rulebots.packages.population import PopulationError, check_population, load_population
from rulebots.packages.rule_sets import load_rules

GAME = load_game("lost-cities")
SHELLY = load_rules("shelly", GAME)
SHEPPARD = load_rules("sheppard", GAME)

#: As the quiz's summary shows it.
SHEPPARD_FILE = """\
---
  -
    -
      - 1
      - 1
      - 0
      - 0
      - 0
      - 0
      - 0
  # ...
  -
    - Rules::PlayLowestFirst
    - Rules::MaximumScoreEndGame
    - Rules::IgnoreUnusable
    - Rules::DiscardUnusable
    - Rules::DepriveOpponent
    - Rules::AvoidLateInvestment
    - Rules::ExpectedInvestmentValue
"""

#: His hashes, as the quiz's summary shows them.
SHELLY_RULES = """\
  @prules = {:rule_inSequence=>[0.6,0.8],
             :rule_lowCard=>[0.1,0.0],
             :rule_lowCards=>[0.2,0.0],
             :rule_highCard=>[-0.3,0.1],
             :rule_highCards=>[-0.2,0.2],
             :rule_investments=>[0.1,-0.2],
             :rule_onInvestments=>[0.5,0.7],
             :rule_holdingInvestments=>[-0.2,0.0],
             :rule_investmentWithHope=>[0.5,0.3],
             :rule_investmentWithoutHope=>[-0.6,-1.0],
             :rule_group10=>[0.5,-0.4],
             :rule_group15=>[0.6,-0.3],
             :rule_group20=>[0.7,-0.2],
             :rule_group25=>[0.9,-0.1],
             :rule_total20 =>[0.35,1.0],
             :rule_total25 =>[0.6,1.0],
             :rule_suitStarted=>[0.7,0.9],
             :rule_closeToPrevious=>[0.4,0.5],
             :rule_multiplier2=>[0.4,0.8],
             :rule_multiplier3=>[0.5,0.9],
             :rule_onUnplayed=>[-0.5,-1.0],
             :rule_heHasPlayed=>[-0.1,0.0],
             :rule_heHasPlayed10=>[-0.2,0.0],
             :rule_heHasPlayed20=>[-0.3,0.0],
             :rule_handNegative=>[0.5,0.9],
             :rule_mustPlays=>[-0.3,1.0],
             :rule_lowerInHand=>[-0.5,-0.4],
             :rule_highestInHand=>[-0.1,-0.01],
             :rule_2followsInvest=>[0.3,0.5],
             :rule_finishGame=>[0.0,2.0],
             :rule_possibleBelow=>[-0.2,-0.05],
             :rule_possibleManyBelow=>[-0.4,-0.1]}
  @drules = {:rule_useless2me=>[-0.5, 0.1],
             :rule_useless2him=>[-0.2,0.1],
             :rule_useful2him=>[0.4,0.5],
             :rule_useful2me=>[0.3,0.3],
             :rule_heHasPlayed=>[0.1,0.3],
             :rule_singleton=>[-0.2,-0.1],
             :rule_noPartners=>[-0.3,-0.3],
             :rule_wantFromDiscard=>[0.3,0.5],
             :rule_belowLowestPlayable=>[-0.2,0.0],
             :rule_dontDiscardForever=>[0.5,1]}
"""


def ruby_yaml(symbols=":", variables="", head="--- !ruby/object:ShellyPlayer"):
    """What Ruby's YAML makes of his player."""
    lines = [head]
    for variable, body in re.findall(r"@(\w+) = \{(.*?)\}", SHELLY_RULES, re.DOTALL):
        lines.append(f"{variables}{variable}:")
        for name, early, late in re.findall(r":(rule_\w+) ?=>\[(\S+?), ?(\S+?)\]", body):
            lines += [f"  {symbols}{name}:", f"  - {early}", f"  - {late}"]
    return "\n".join([*lines, "hand: !ruby/array:Hand []", ""])


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text):
        (tmp_path / "data2.yaml").write_text(text)
        return "data2.yaml"

    return write


def problems(path):
    found = [str(problem) for problem in check_population(path)]
    with pytest.raises(PopulationError) as error:
        load_population(path)
    assert str(error.value) == found[0]
    return found


# --- Sheppard


def test_sheppards_file_of_the_summary(file):
    population = load_population(file(SHEPPARD_FILE))
    assert population.rules is SHEPPARD
    assert list(population.players) == ["1"]
    np.testing.assert_array_equal(population.players["1"].weights, SHEPPARD.hand_tuned())


def test_entries_may_be_empty_and_lists_short(file):
    names = "[Rules::DepriveOpponent, Rules::PlayLowestFirst]"
    population = load_population(file(f"- - [0.5, -2e-1]\n  - [1]\n  - [~, 3]\n  -\n  - []\n- {names}\n"))
    deprive, lowest = SHEPPARD.columns["discard.deprive_opponent"], SHEPPARD.columns["play.play_lowest_first"]
    found = [tuple(entry.weights[0, [deprive, lowest]]) for entry in population.players.values()]
    assert list(population.players) == ["1", "2", "3", "4", "5"]
    assert found == [(0.5, -0.2), (1, 0), (0, 3), (0, 0), (0, 0)]
    assert all((entry.weights[0] == entry.weights[1]).all() for entry in population.players.values())


def test_sheppards_names_are_his_seven_rules():
    assert sorted(SHEPPARD_RULES.values()) == sorted(SHEPPARD.columns)
    for name, key in SHEPPARD_RULES.items():
        snake = re.sub("(?<!^)([A-Z])", r"_\1", name.removeprefix("Rules::")).lower()
        assert key.split(".")[1] == snake


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "- [[1]]\n- [Rules::PlayLowest]\n",
            ("2:4: no rule of Daniel Sheppard 'Rules::PlayLowest'; did you mean 'Rules::PlayLowestFirst'?"),
        ),
        (
            "- [[1]]\n- [xyz]\n",
            f"2:4: no rule of Daniel Sheppard 'xyz'; there are: {', '.join(SHEPPARD_RULES)}",
        ),
        ("- [[1, 2]]\n- [Rules::PlayLowestFirst]\n", "1:8: 2 weights, but only 1 rule names"),
        (
            "- [[x]]\n- [Rules::PlayLowestFirst]\n",
            "1:5: expected a finite number such as 0.5 or -1e-3 as weight of 'Rules::PlayLowestFirst', not 'x'",
        ),
        ("- [x]\n- [Rules::PlayLowestFirst]\n", "1:4: expected a list of weights, not 'x'"),
        ("- [{a: 1}]\n- [Rules::PlayLowestFirst]\n", "1:4: expected a list of weights, not a map"),
        ("- []\n- [Rules::PlayLowestFirst]\n", "1:3: expected a list of weight lists, best first, not an empty list"),
        ("-\n- [Rules::PlayLowestFirst]\n", "1:2: expected a list of weight lists, best first, not an empty value"),
        ("- [[1]]\n- []\n", "2:3: expected a list of rule names such as Rules::PlayLowestFirst, not an empty list"),
        ("- [[1]]\n- [~]\n", "2:4: expected the name of a rule of Daniel Sheppard, not an empty value"),
        (
            "- [[1]]\n- [Rules::PlayLowestFirst, Rules::PlayLowestFirst]\n",
            "2:28: 'Rules::PlayLowestFirst' is there twice; remove one of them",
        ),
        ("- [[1]]\n", "1:1: expected a list of two: the weight lists, then the rule names, not a list of 1"),
        (
            "- [[1]]\n- [!ruby/class Rules::PlayLowestFirst]\n",
            "2:4: '!ruby/class' is a Ruby object, which is not read here: remove it and write plain names and numbers",
        ),
    ],
)
def test_what_can_be_wrong_with_sheppards_file(file, text, found):
    assert problems(file(text)) == [f"data2.yaml:{found}"]


# --- Shelly


@pytest.mark.filterwarnings("ignore:.*read with the rule set")
@pytest.mark.parametrize(
    "text",
    [
        ruby_yaml(),
        ruby_yaml(symbols="", variables="@").replace("@prules", '"@prules"').replace("@drules", '"@drules"'),
        ruby_yaml(symbols="", head="---"),
        ruby_yaml(variables=":").replace(":prules:", ":prules: !ruby/hash:Rules"),
        ruby_yaml(symbols="!ruby/sym "),
    ],
)
def test_shellys_rules_in_rubys_yaml_are_his_42_weights(file, text):
    population = load_population(file(text))
    assert population.rules is SHELLY
    assert list(population.players) == ["data2"]
    np.testing.assert_array_equal(population.players["data2"].weights, SHELLY.hand_tuned())


def saved_by_his_later_player() -> str:
    return ruby_yaml().replace("prules:", "name: Gene 12\nparent: [a, b]\nprules:", 1)


@pytest.mark.parametrize(
    ("text", "part", "rules", "player", "said"),
    [
        (ruby_yaml(), None, "shelly", "data2", "with the rule set 'shelly', without 'hand'; FILE#shelly_mended reads"),
        (
            ruby_yaml(),
            "shelly_mended",
            "shelly_mended",
            "shelly_mended",
            "'shelly_mended', without 'hand'; FILE#shelly ",
        ),
        (ruby_yaml(), "data2", "shelly", "data2", "with the rule set 'shelly', without 'hand'; FILE#shelly_mended"),
        (
            saved_by_his_later_player(),
            None,
            "shelly_mended",
            "data2",
            "'shelly_mended', without 'name' and 'parent' and 'hand'; FILE#shelly reads it with 'shelly'",
        ),
        (saved_by_his_later_player(), "shelly", "shelly", "shelly", "with the rule set 'shelly', without 'name' and"),
    ],
)
def test_his_files_are_read_as_their_player_played_them_or_as_asked_and_say_so(file, text, part, rules, player, said):
    path = file(text)
    with pytest.warns(UserWarning, match=re.escape(said.replace("FILE", str(path)))):
        population = load_population(path, wanted=part)
    assert population.rules.name == rules
    assert list(population.players) == [player]
    np.testing.assert_array_equal(population.players[player].weights, SHELLY.hand_tuned())


def test_a_player_is_named_with_its_reading(file):
    spec = str(file(saved_by_his_later_player()))
    expected = {"": "shelly_mended", "#data2": "shelly_mended", "#shelly": "shelly", "#shelly_mended": "shelly_mended"}
    for part, rules in expected.items():
        with pytest.warns(UserWarning, match=f"read with the rule set '{rules}'"):
            assert make_player(spec + part, GAME).rules.name == rules
        with pytest.warns(UserWarning, match=f"read with the rule set '{rules}'"):
            assert entry_of(spec + part)[0].rules.name == rules


@pytest.mark.filterwarnings("ignore:.*read with the rule set")
def test_each_of_shellys_names_is_its_own_rule(file):
    ours = [f"play.{name}" for name in SHELLY_PLAY.values()] + [f"keep.{name}" for name in SHELLY_KEEP.values()]
    assert len(ours) == len(set(ours)) == 42
    assert [*ours, "draw.wanted"] == list(SHELLY.columns)
    for variable, names in (("prules", SHELLY_PLAY), ("drules", SHELLY_KEEP)):
        other = "drules" if variable == "prules" else "prules"
        for name, rule in names.items():
            population = load_population(file(f"{variable}: {{{name}: [5, 6]}}\n{other}: {{}}\n"))
            weights = population.players["data2"].weights
            column = SHELLY.columns[f"{'play' if variable == 'prules' else 'keep'}.{rule}"]
            assert weights[:, column].tolist() == [5, 6]
            assert weights.sum() == 13  # and 1 twice for the draw


@pytest.mark.parametrize(
    "text",
    [
        "--- !ruby/object:Kernel\nsystem: rm -rf /\n",
        "--- !ruby/object:Gem::Installer\ni: x\n",
        "--- !ruby/array:Hand\n- 1\n",
        "--- !ruby/regexp /x/\n",
        "--- !ruby/object:A\nprules: {}\n",
        "--- !ruby/object:A\nprules: []\ndrules: {}\n",
    ],
)
def test_other_ruby_objects_are_refused_with_one_line(file, text):
    tag = text.split()[1]
    assert problems(file(text)) == [
        (
            "data2.yaml:1:5: expected a map with 'prules' and 'drules', each a map of names such as rule_inSequence to "
            f"[early, late] (Ruby objects are read as plain data, never executed), not '{tag}'"
        )
    ]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (":rule_inSequense: [1, 2]", "3:3: no rule 'rule_inSequense' of prules; did you mean 'rule_inSequence'?"),
        (
            "rule_lowCard: [1, 2, 3]",
            "3:17: expected one number or [early, late] as weight of 'rule_lowCard', not a list of 3",
        ),
        (
            "rule_lowCard: [1, !ruby/object:A {}]",
            "3:21: expected a finite number such as 0.5 or -1e-3 as weight of 'rule_lowCard', not an empty map",
        ),
        (
            "rule_lowCard: [1, 2]\n  rule_lowCard: [1, 2]",
            "4:3: 'rule_lowCard' is there twice, first on line 3; remove one of them",
        ),
    ],
)
def test_what_can_be_wrong_with_shellys_rules(file, line, found):
    text = f"--- !ruby/object:A\nprules:\n  {line}\ndrules: {{}}\n"
    assert problems(file(text)) == [f"data2.yaml:{found}"]


def test_a_second_map_of_rules_is_a_problem(file):
    text = "prules: {}\ndrules: {}\nprules: {}\n"
    assert problems(file(text)) == ["data2.yaml:3:1: 'prules' is there twice, first on line 1; remove one of them"]


@pytest.mark.parametrize("other", ["'@prules'", "':prules'", "'@@prules'"])
def test_two_spellings_of_one_map_are_a_problem(file, other):
    text = f"prules: {{}}\ndrules: {{}}\n{other}: {{rule_lowCard: [1, 2]}}\n"
    assert problems(file(text)) == ["data2.yaml:3:1: 'prules' is there twice, first on line 1; remove one of them"]


def test_two_spellings_of_one_rule_are_a_problem(file):
    text = "prules:\n  rule_lowCard: [1, 2]\n  :rule_lowCard: [3, 4]\ndrules: {}\n"
    assert problems(file(text)) == [
        "data2.yaml:3:3: 'rule_lowCard' is there twice, first on line 2; remove one of them"
    ]


def test_tags_that_are_not_rubys_are_refused_in_rubys_files(file):
    text = "--- !ruby/object:A\nprules: {}\ndrules: {}\nhand: !!python/name:os.system\n"
    (found,) = problems(file(text))
    assert found.startswith("data2.yaml:4:7: 'tag:yaml.org,2002:python/name:os.system' is a tag, which is not read")


def test_ruby_tags_in_our_own_layout_are_refused(file):
    text = (
        "format: rulebots-population/1\ngame: lost-cities\nrules: shelly\nplayers: !ruby/object:A {a: {weights: {}}}\n"
    )
    assert problems(file(text)) == [
        (
            "data2.yaml:4:10: '!ruby/object:A' is a Ruby object, which is not read here: remove it and write plain "
            "names and numbers"
        )
    ]
