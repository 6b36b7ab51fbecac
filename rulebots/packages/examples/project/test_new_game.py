"""New game keeps what every game has to keep."""

from rulebots import load_game, make_player, play_match
from rulebots.checking.testing import GameTests


class TestNewGame(GameTests):
    """Its law, its rules and its players, as `rulebots check new-game` checks them.

    `perft`, a map {plies: number of sequences of moves} that you have counted by hand,
    holds the moves to your rule book.
    """

    game = "new-game"


def test_the_hand_tuned_player_beats_a_random_one() -> None:
    """On deals that it has not seen."""
    game = load_game("new-game")
    hand = make_player("hand", game)
    other = make_player("random", game)
    assert play_match(hand, other, deals=200).win_rate_95[0] > 0.5
