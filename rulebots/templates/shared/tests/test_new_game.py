"""New game keeps what every game has to keep."""

from rulebots import Position, load_game, make_player, play_match

GAME = load_game("new-game")


def test_the_first_moves():
    """How many moves, and sequences of two: count them by hand in your game."""
    start = Position(GAME)
    assert len(start.legal_moves) > 0


def test_every_move_reads_back():
    position = Position(GAME)
    while not position.over:
        moves = [int(move) for move in position.legal_moves]
        assert [position.read(position.write(move)) for move in moves] == moves
        assert position.text(0) and position.text(1)
        position.push(moves[-1])


def test_the_hand_tuned_player_beats_a_random_one():
    hand, other = make_player("hand", GAME), make_player("random", GAME)
    result = play_match(hand, other, deals=200)
    assert result.stalled == 0
    assert result.win_rate > 0.6
