"""Records of one to five seats: each game says who has each seat, reads back and plays again as it was."""

from __future__ import annotations

import dataclasses

import pytest

from rulebots import RandomPlayer
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.packages import load_game
from rulebots.play.deals import draw_deals, ordered
from rulebots.play.match import play_games, play_match
from rulebots.records import (
    Ongoing,
    RecordError,
    check,
    new_game,
    parse_record,
    play_recorded,
    record_of,
    record_text,
    replay,
)

STANDING, TOWER, GOOFSPIEL = "standing:game", "tower:game", "goofspiel:game"
TABLES = [
    (TOWER, 1),
    (TOWER, 2),
    (TOWER, 4),
    (STANDING, 2),
    (STANDING, 3),
    (STANDING, 4),
    (GOOFSPIEL, 3),
    ("cant-stop", 3),
]


def players(game: Game) -> tuple[RandomPlayer, RandomPlayer]:
    return RandomPlayer(game, "one"), RandomPlayer(game, "other")


@pytest.mark.slow
@pytest.mark.parametrize(("place", "seats"), TABLES)
def test_a_match_at_a_table_reads_back_and_plays_again_as_it_was(place: str, seats: int) -> None:
    game = load_game(place)
    result, record = play_recorded(*players(game), 2, 5, options={"seats": seats})
    assert result == play_match(*players(game), 2, 5, options={"seats": seats})
    assert len(record.games) == result.games
    text = record_text(record)
    again = parse_record(text)
    assert record_text(again) == text
    assert [one.players for one in check(again)] == [one.players for one in record.games]
    assert all(len(one.luck or ()) == len(one.result.points or ()) == len(one.seats) == seats for one in again.games)


def test_the_head_of_a_game_says_who_has_each_seat() -> None:
    text = record_text(play_recorded(*players(load_game(STANDING)), 1, 5, options={"seats": 3})[1])
    heads = [line for line in text.splitlines() if line.startswith("game ")]
    tables = ["1 2 2", "2 1 2", "2 2 1", "2 1 1", "1 2 1", "1 1 2"]
    assert heads == [f"game {number}: players {table}" for number, table in enumerate(tables, 1)]
    assert "player 1: one\nplayer 2: other\noptions: seats=3\n" in text
    alone = record_text(play_recorded(*players(load_game(TOWER)), 1, 5, options={"seats": 1})[1])
    assert "game 1: players 1\n" in alone
    assert "game 2: players 2\n" in alone
    two = record_text(play_recorded(*players(load_game(STANDING)), 1, 5, options={"seats": 2})[1])
    assert "game 1: player 1 begins\n" in two
    assert "game 2: player 2 begins\n" in two


def test_as_many_players_as_seats_are_recorded() -> None:
    game, names = load_game(STANDING), ("a", "b", "c", "d")
    deals = draw_deals(game, 1, 3, options={"seats": 4})
    schedule = ordered(1, 4)
    games = play_games([RandomPlayer(game, name) for name in names], deals, schedule, keep_moves=True)
    record = parse_record(record_text(record_of(names, deals, schedule, games, 3)))
    assert record.names == names
    assert [list(one.players) for one in check(record)] == (schedule[:, 1:] + 1).tolist()
    assert record.games[1].seats == ("a", "b", "d", "c")


SHORT = """format: rulebots-record/1
game: standing:game
player 1: a
player 2: b
player 3: c
options: seats=3
games: 1

game 1: players 3 1 2
luck: 1 2 3
ply 1: 1 1 1 = 1 1 1
ply 4: 1 1
result: 0 0 1
"""

EDITED = {
    "a seat too few": (
        "players 3 1 2",
        "players 3 1",
        "record:9: expected 'players ' and a player from 1 to 3 for",
    ),
    "who begins": ("players 3 1 2", "player 3 begins", "for each of the seats (3), not 'player 3 begins'"),
    "no such player": ("players 3 1 2", "players 4 1 2", "for each of the seats (3), not 'players 4 1 2'"),
    "luck": (
        "luck: 1 2 3",
        "luck: 1 2",
        "record:10: expected a number from 1 to 4294967295 for each",
    ),
    "points of a row": ("= 1 1 1", "= 1 1", "record:11: expected '= POINTS POINTS POINTS' after the moves"),
    "other points of a row": ("= 1 1 1", "= 1 1 2", "after ply 3 the points are 1 1 1, not 1 1 2"),
    "a result for two": ("result: 0 0 1", "result: 0 1", "expected the points of each seat (3), or 'unfinished'"),
    "another result": ("result: 0 0 1", "result: 0 1 0", "after ply 5 the result is 0 0 1, not 0 1 0"),
    "a player that is missing": ("player 2: b\n", "", "record:1: expected a line 'player 2: ...' in the head"),
    "a table of another size": (
        "seats=3",
        "seats=4",
        "and a player from 1 to 3 for each of the seats (4)",
    ),
    "a seat that is out": ("ply 4: 1 1", "ply 4: 1 2 1", "game 1: ply 5: '2' is not legal; legal moves are 1"),
    "a name of nobody": ("luck:", "player 4: d\nluck:", "record:10: expected moves or the result"),
}


@pytest.mark.parametrize("what", EDITED)
def test_what_is_wrong_with_a_record_is_one_line_with_its_place(what: str) -> None:
    load_game(STANDING)
    assert len(list(check(parse_record(SHORT)))) == 1
    old, new, message = EDITED[what]
    assert old in SHORT
    with pytest.raises(RecordError, match=r"^record:") as raised:
        list(check(parse_record(SHORT.replace(old, new))))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_record_of_very_many_players_is_refused_at_once() -> None:
    load_game(STANDING)
    names = "".join(f"player {number}: p\n" for number in range(4, 2000))
    with pytest.raises(RecordError, match="record:1: expected at most 1,000 players, not 1,999"):
        parse_record(SHORT.replace("options", f"{names}options"))
    with pytest.raises(RecordError, match=r"record:1: expected a line 'player 4: \.\.\.' in the head"):
        parse_record(SHORT.replace("options", "player 999999999: p\noptions"))


def test_a_game_can_name_its_own_players() -> None:
    load_game(STANDING)
    record = parse_record(SHORT.replace("luck:", "player 3: d\nluck:"))
    assert record.games[0].seats == ("d", "a", "b")


def ended(place: str, names: tuple[str, ...], moves: str) -> str:
    game = Ongoing(new_game(load_game(place), names, {"seats": len(names)}, 1, 1))
    for move in moves.split():
        game.play(int(move))
    assert game.ended
    recorded = game.record().games[0]
    assert replay(parse_record(record_text(game.record())).games[0]).positions[-1].over
    return game.outcome(recorded.seats)


def test_the_outcome_names_all_seats() -> None:
    assert ended(STANDING, ("a", "you", "c"), "1 1 1 1 1") == "You lost: c won"
    assert ended(TOWER, ("you",), "2 2 1") == "The game is over. You 5"
    assert ended(TOWER, ("you", "b", "c"), "2 2 1 0 0 0 1 1 1") == "The game is over. Together: 8 points"
    game = dataclasses.replace(load_game(TOWER), aim="against", points=load_game(STANDING).points)
    tied = Ongoing(new_game(game, ("a", "b", "you"), {"seats": 3}, 1, 1))
    for move in [2, 2, 0] * 3:
        tied.play(move)
    assert tied.outcome(("a", "b", "you")) == "a and b share the first place. a 6, b 6, you 0"


def test_a_seat_takes_its_own_move_back() -> None:
    game = Ongoing(new_game(load_game(STANDING), ("a", "b", "you"), {"seats": 3}, 1, 1))
    for move in (1, 1, 1, 1):
        game.play(move)
    game.take_back(2)
    assert game.moves == [1, 1]
    with pytest.raises(UsageError, match="no move to take back"):
        game.take_back(2)
