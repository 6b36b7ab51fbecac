"""Tree search as a player.

----

Names of tree search players, with settings.
"""

from __future__ import annotations

from typing import Any

import pytest
from game_copies import with_parts
from search_positions import GAME

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.kernel import compiling
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.deals import draw_deals, mirrored
from rulebots.play.match import play_games
from rulebots.players import RandomPlayer
from rulebots.search.mcts.player import MctsPlayer
from rulebots.search.mcts.settings import SearchSettings


def test_power_is_200_simulations() -> None:
    player = make_player("mcts:power=2", GAME)
    move = player.decide(Position(GAME, {"size": 3}, luck=[5, 5]))
    assert player.name == "mcts:power=2"
    assert player.result.simulations == 400  # type: ignore[attr-defined]
    assert move == player.result.move  # type: ignore[attr-defined]
    assert player.for_one_game().result is None  # type: ignore[attr-defined]
    assert not isinstance(player, RandomPlayer)


class Quick(MctsPlayer):
    """A search as a user names one, `mine.py:Quick`."""

    def __init__(self, game: Game, name: str) -> None:
        super().__init__(game, SearchSettings(iterations=20), name=name)
        self.label = "mine"


def test_a_class_made_from_a_search_may_take_other_arguments() -> None:
    player = Quick(GAME, "quick")
    player.decide(Position(GAME, {"size": 3}, luck=[5, 5]))
    copy = player.for_one_game()
    assert (type(copy), copy.name, copy.label, copy.result) == (Quick, "quick", "mine", None)
    assert copy.search is not player.search


@pytest.mark.slow
def test_mcts_never_loses_tic_tac_toe_to_random() -> None:
    game = load_game("tictactoe")
    deals = 40 if compiling() else 2
    players = [make_player("mcts:iterations=500", game), make_player("random", game)]
    games = play_games(players, draw_deals(game, deals, 1, opening_plies=0), mirrored(deals))
    lost = games.points[:, 0] < games.points[:, 1]
    lost[1::2] = games.points[1::2, 0] > games.points[1::2, 1]
    assert not lost.any()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts", "expected a limit, such as mcts:iterations=2000"),
        ("mcts:iterations=0", "mcts: iterations: expected a whole number from 1 to 1,000,000,000,000, not 0"),
        ("mcts:iterations=5,power=2", "expected 'iterations' or 'power', not both"),
        ("mcts:power=0", "mcts: power: expected a whole number from 1 to"),
        ("mcts:seconds=0", "mcts: seconds: expected a number from 0.001 to 1,000,000"),
        ("mcts:iteration=5", "no setting 'iteration' of mcts; did you mean 'iterations'"),
        ("mcts:iterations=5,select=best", "mcts: select: expected uct or puct, not 'best'"),
        ("mcts:iterations=5,select=uct,noise=0.25", "noise changes priors, which UCT does not use"),
        ("mcts:iterations=5,rollout=nobody", "no player 'nobody'"),
        ("mcts:iterations=5,prior=random", "expected the name of a rule player, such as hand_tuned, not 'random'"),
    ],
)
def test_a_wrong_name_is_answered_in_one_line(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as raised:
        make_player(spec, GAME)
    assert "\n" not in str(raised.value)


def named(spec: str, game: Any) -> tuple[SearchSettings, str | None, str | None]:
    """What a search of that name does: its settings, and who guides its rollouts and priors."""
    _, settings, rollout, prior, _ = make_player(spec, game)._arguments  # type: ignore[attr-defined]  # that of an MctsPlayer
    return settings, rollout and rollout.name, prior and prior.name


@pytest.mark.compiled
def test_a_game_says_how_it_is_searched_unless_the_name_does() -> None:
    circles, settings = load_game("circles"), SearchSettings(iterations=600)
    assert named("mcts:power=3", circles) == (settings, "hand_tuned", "hand_tuned")
    assert named("mcts:power=3,guide=champion", circles) == (settings, "champion", "champion")
    assert named("mcts:power=3,prior=champion,rollout=random", circles) == (settings, None, "champion")
    assert named("mcts:power=3,guide=none", circles) == (settings, None, None)
    assert named("mcts:power=3", GAME) == (settings, None, None)


def test_a_wrong_setting_of_a_game_is_told() -> None:
    with pytest.raises(UsageError, match="no setting 'roll' of `mcts` of tictactoe; did you mean 'rollout'"):
        make_player("mcts:power=3", with_parts(GAME, mcts={"roll": "champion"}))
