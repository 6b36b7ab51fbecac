"""A game in progress: moves are taken back, dice come again, and it is a record at any time."""

from __future__ import annotations

import pytest

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.records import Ongoing, new_game, parse_record, record_text
from rulebots.registry import load_game

TICTACTOE = load_game("tictactoe")


def begun(*moves: str) -> Ongoing:
    game = Ongoing(new_game(TICTACTOE, ("you", "careful"), {}, 3, 1), 3)
    for move in moves:
        game.play(game.position.read(move))
    return game


def test_taking_back_goes_to_the_latest_decision_of_a_seat() -> None:
    game = begun("0,0", "1,1", "2,2")
    assert game.take_back(0)
    assert [TICTACTOE.write(move) for move in game.moves] == ["0,0", "1,1"]
    assert game.take_back(0)
    assert (game.moves, len(game.positions)) == ([], 1)
    assert not game.take_back(0), "there is no decision before"
    assert not begun("0,0").take_back(1)


def test_a_game_is_a_record_at_any_time_and_goes_on_from_it() -> None:
    game = begun("0,0", "1,1")
    (read,) = parse_record(record_text(game.record())).games
    again = Ongoing(read)
    assert again.moves == game.moves
    for move in ("0,1", "2,2", "0,2"):
        again.play(again.position.read(move))
    assert again.ended
    assert again.outcome(("you", "careful")) == "You win. you 1, careful 0"
    (finished,) = parse_record(record_text(again.record())).games
    assert finished.result.points == (1, 0)


def test_dice_come_again_after_moves_were_taken_back(pig: Game) -> None:
    game = Ongoing(new_game(pig, ("you", "timid"), {}, 5, 1), 5)
    thrown = []
    for _ in range(2):
        while len(game.moves) < 6 and not game.ended:
            game.play(game.draw() if game.position.chance_to_move else int(game.position.legal_moves[0]))
        thrown.append(list(game.moves))
        while game.take_back(0):
            pass
        assert len(game.moves) < 6
    assert thrown[0] == thrown[1]


def test_a_game_does_not_begin_where_it_is_over() -> None:
    with pytest.raises(UsageError, match="the game is over there"):
        new_game(TICTACTOE, ("you", "careful"), {}, 1, 1, "XXX/OO1/3 O 0,2")
