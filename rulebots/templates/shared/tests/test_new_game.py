"""New game keeps what every game has to keep."""

from rulebots import load_game, make_player, play_match
from rulebots.testing import GameTests


class TestNewGame(GameTests):
    """Its law, its rules and its players: each test is one concern of `rulebots check new-game`."""

    game = "new-game"
    # Sequences of moves from the beginning, by their length: count them by hand for your law.
    perft = {}


def test_the_hand_tuned_player_beats_a_random_one():
    game = load_game("new-game")
    hand, other = make_player("hand", game), make_player("random", game)
    assert play_match(hand, other, deals=200).win_rate_95[0] > 0.5
