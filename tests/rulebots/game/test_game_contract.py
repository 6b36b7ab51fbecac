"""What a game says of itself: its options, its name, its rule sets."""

from __future__ import annotations

import pytest
from option_extremes import option_extremes

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.registry import game_names, load_game

GAMES = [load_game(name) for name in game_names()]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)


@every_game
def test_options_are_whole_numbers_in_their_range(game: Game) -> None:
    for chosen in option_extremes(game):
        values = game.option_values(chosen)
        assert {name: int(values[name]) for name in chosen} == chosen
    for name, option in game.options.items():
        assert option.low <= option.default <= option.high
        for wrong in (option.low - 1, option.high + 1, 1.5, "5", True, None):
            with pytest.raises(UsageError, match=rf"option '{name}' of {game.name} takes a whole number from"):
                game.option_values({name: wrong})  # type: ignore[dict-item]
    with pytest.raises(UsageError, match=f"no option 'nonsense' of {game.name}; there are:"):
        game.option_values({"nonsense": 1})


def test_an_option_that_is_nearly_right_is_suggested(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match=r"no option 'suit' of lost-cities; did you mean 'suits'\?"):
        lost_cities.option_values({"suit": 5})
