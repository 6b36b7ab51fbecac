"""Records are read: an edited one says what and where, and what is free to write."""

from __future__ import annotations

import tracemalloc

import pytest

from rulebots.records import RecordError, check, parse_record

SHORT = """format: rulebots-record/1
game: tictactoe
player 1: me
player 2: you
games: 1

game 1: player 1 begins
ply 1: 1,1 0,0 0,2 = 0 0
ply 4: 2,0 1,0 1,2
ply 7: 0,1 2,1 2,2
result: 0 0
"""

EDITED = {
    "a move that is illegal": ("2,0 1,0", "2,0 1,1", "record:9: game 1: ply 5: "),
    "an unreadable move": ("2,0 1,0", "2,0 x", "record:9: game 1: ply 5: expected"),
    "points on the way": ("= 0 0", "= 0 1", "record:8: game 1: after ply 3 the points are 0 0, not 0 1"),
    "a row that is missing": ("ply 4: 2,0 1,0 1,2\n", "", "record:9: expected the moves from ply 4, not from ply 7"),
    "a move that is missing": (
        "0,1 2,1 2,2",
        "0,1 2,1",
        "record:11: game 1: after ply 8 the result is unfinished,",
    ),
    "a move after the end": ("2,1 2,2", "2,1 2,2 2,2", "record:10: game 1: ply 10: the game is over before '2,2'"),
    "the result": ("result: 0 0", "result: 1 0", "record:11: game 1: after ply 9 the result is 0 0, not 1 0"),
    "an unreadable result": ("result: 0 0", "result: 0", "as the result after ply 9, not '0'"),
    "a game that stalled": ("result: 0 0", "result: 0 0 stalled", "after ply 9 the result is 0 0, not 0 0 stalled"),
    "a game that is not over": ("result: 0 0", "result: unfinished", "after ply 9 the result is 0 0, not unfinished"),
    "the end": ("result: 0 0\n", "", "record:10: game 1 is cut short after ply 9"),
    "the number of games": ("games: 1", "games: 2", "there are 1 games, but the header says 2: the record is cut"),
    "the number of a game": ("game 1:", "game 2:", "record:7: expected game 1, not game 2: games are missing"),
    "who begins": ("player 1 begins", "player 3 begins", "expected 'player 1 begins' or 'player 2 begins'"),
    "the format": ("record/1", "record/2", "record:1: expected 'format: rulebots-record/1', not 'rulebots-record/2'"),
    "no format": ("format: rulebots-record/1\n", "", "record:1: expected 'format: rulebots-record/1' as the first"),
    "the game": ("tictactoe", "tictacto", "record:2: no game 'tictacto'; did you mean 'tictactoe'?"),
    "no player": (
        "player 2: you\n",
        "",
        "record:6: expected 'players ' and a player from 1 to 1 for",
    ),
    "a line that is unknown": ("games: 1", "gams: 1", "no line 'gams' of the head of a record; did you mean 'games'?"),
    "an unreadable line": ("games: 1", "one game", "record:5: expected 'word: ...' as lines of a record are"),
    "an option": ("games: 1", "games: 1\noptions: size=99", "record:6: option 'size' of tictactoe takes"),
    "options that are none": ("games: 1", "games: 1\noptions: size", "expected options as NAME=NUMBER, each once"),
    "a deal": ("begins\n", "begins\ndeal: 3\n", "record:8: expected 'deal: ' and 0 whole numbers"),
    "luck": (
        "begins\n",
        "begins\nluck: 0 1\n",
        "record:8: expected a number from 1 to 4294967295 for each of the seats (2)",
    ),
    "a number that no line has": ("begins\n", "begins\nluck 2: 1 1\n", "record:8: expected moves or the result"),
    "a line twice": ("games: 1", "games: 1\ngames: 1", "record:6: 'games' is there twice, first on line 5"),
}


@pytest.mark.parametrize("what", EDITED)
def test_an_edited_record_says_what_and_where(what: str) -> None:
    old, new, message = EDITED[what]
    assert old in SHORT
    with pytest.raises(RecordError) as raised:
        list(check(parse_record(SHORT.replace(old, new, 1))))
    assert message in str(raised.value)


def test_comments_empty_lines_and_running_points_are_free() -> None:
    spaced = SHORT.replace("\n", "\n\n# a remark\n").replace(" = 0 0\n", "\n")
    assert len(list(check(parse_record(spaced)))) == 1


@pytest.mark.slow
def test_a_record_takes_less_than_ten_times_its_text() -> None:
    head, game = SHORT.split("\n\n")
    number = 1_000
    games = "\n".join(game.replace("game 1", f"game {i}") for i in range(1, number + 1))
    text = head.replace("games: 1", f"games: {number}") + "\n\n" + games
    parse_record(text)
    tracemalloc.start()
    try:
        assert len(parse_record(text).games) == number
        assert tracemalloc.get_traced_memory()[1] < 10 * len(text)
    finally:
        tracemalloc.stop()
