"""Players from population files."""

import numpy as np
import pytest
from checkout import POPULATIONS
from population_texts import GOOD, SHELLY, SHEPPARD, weights_of

from rulebots.errors import UsageError
from rulebots.players.bred import BredPlayer, split_spec
from rulebots.players.population import (
    load_population,
)


def test_bred_player_is_the_first_or_the_named_one(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(GOOD + "  se#cond: {weights: {play: {low_card: 3}}}\n")
    assert BredPlayer(path).name == "champion"
    second = BredPlayer(f"{path}#se#cond")
    assert second.name == "se#cond"
    assert second.weights[0, SHELLY.columns["play.low_card"]] == 3
    with pytest.raises(UsageError, match=r"a\.yaml: no player 'champ'; did you mean 'champion'\?$"):
        BredPlayer(f"{path}#champ")


def test_a_spec_is_a_path_and_perhaps_a_player(tmp_path):
    odd = tmp_path / "odd#name.yaml"
    odd.write_text(GOOD)
    assert split_spec(str(odd)) == (str(odd), None)
    assert split_spec(f"{odd}#b") == (str(odd), "b")
    assert split_spec("data2#x") == ("data2", "x")
    assert split_spec("a.yml#x.yaml") == ("a.yml", "x.yaml")


@pytest.mark.parametrize(("name", "rules"), [("shelly", SHELLY), ("sheppard", SHEPPARD)])
def test_the_shipped_files_hold_the_hand_tuned_weights(name, rules):
    path = POPULATIONS / "lost_cities" / f"{name}.yaml"
    population = load_population(path)
    assert population.comment
    assert list(population.players) == ["hand"]
    np.testing.assert_array_equal(weights_of(path, rules), rules.hand_tuned())
