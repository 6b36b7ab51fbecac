"""Players by name."""

import pytest
from population_texts import GOOD

from rulebots.errors import UsageError
from rulebots.players.population import (
    find_player,
    load_population,
)


def test_find_player(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(GOOD + "  second: {weights: {}}\n")
    population = load_population(path)
    assert find_player(population)[0] == "champion"
    assert find_player(population, "second") == ("second", population.players["second"])
    with pytest.raises(UsageError, match=r"^no player 'secnd'; did you mean 'second'\?$"):
        find_player(population, "secnd")
