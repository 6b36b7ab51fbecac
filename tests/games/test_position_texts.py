"""The text form of positions: what is written is read back as the same position, and each mistake has its place."""

from __future__ import annotations

import dataclasses

import goofspiel
import numpy as np
import pytest
from game_copies import with_text
from hypothesis import given, settings, strategies as st

from rulebots.errors import PositionError, UsageError
from rulebots.game.position import Position
from rulebots.games.hearts.cards import card_text
from rulebots.kernel import compiling
from rulebots.kernel.user_code import CodeError
from rulebots.packages import load_game

SMALL = {"sides": 2, "shortest": 1, "needed": 2}
THREE = {"sides": 3, "shortest": 1, "needed": 2, "seats": 3}
ALONE = SMALL | {"seats": 1}
OPTIONS = {
    "kalah": [{}, {"pits": 1, "stones": 1}, {"pits": 3, "stones": 5, "empty_capture": 0}, {"pits": 8, "stones": 12}],
    "gomoku": [{}, {"size": 5}, {"size": 9, "exactly": 1}, {"size": 22}],
    "tictactoe": [{}, {"size": 4, "win": 3}, {"size": 10, "win": 5}],
    "circles": [{}, {"size": 2}, {"size": 12, "eliminate": 2, "last_wins": 1}],
    "cant-stop": [{}, SMALL, {"both": 0, "needed": 1}, {"seats": 1}, THREE, {"seats": 4, "needed": 2}],
}
BOARDS = [(name, options) for name, all_of in OPTIONS.items() for options in all_of]


def assert_same(one: Position, other: Position) -> None:
    """Whatever decides how the game goes on; the order in which a law lists its moves may follow its past."""
    assert one.to_text() == other.to_text()
    assert (one.mover, one.over, one.points) == (other.mover, other.over, other.points)
    assert sorted(one.legal_moves.tolist()) == sorted(other.legal_moves.tolist())
    for name in one.state.dtype.names:
        if name not in ("free", "index"):  # lists of empty points, in the order of the moves
            assert np.array_equal(one.state[name], other.state[name]), name


@pytest.mark.parametrize(("name", "options"), BOARDS, ids=str)
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(0, 60))
@settings(max_examples=8, deadline=None)
def test_a_position_of_a_random_game_is_read_back(name, options, seed, plies):
    game, rng = load_game(name), np.random.default_rng(seed)
    position = Position(game, options)
    while not position.over and position.plies < plies:
        position.play(int(rng.choice(position.legal_moves)))
    found = Position.from_text(game, position.to_text(), options)
    assert_same(found, position)
    for _ in range(6):  # and it goes on as the other does
        if position.over:
            break
        move = int(rng.choice(position.legal_moves))
        position.push(move)
        found.push(move)
        assert_same(found, position)


@pytest.mark.parametrize(
    ("name", "options", "text"),
    [
        ("tictactoe", {}, "3/3/3 X -"),
        ("tictactoe", {}, "XO1/1X1/2O X c1"),
        ("gomoku", {"size": 5}, "5/5/2X2/5/5 O c3"),
        ("gomoku", {}, "15/15/15/15/15/15/15/7X7/15/15/15/15/15/15/15 O h8"),
        ("kalah", {}, "4,4,4,4,4,4,0/4,4,4,4,4,4,0 0"),
        ("kalah", {"pits": 2, "stones": 2}, "0,3,1/2,2,0 0"),
        ("circles", {"size": 3}, "o/oo/ooo 0"),
        ("circles", {"size": 3}, "./o./..o 1"),
        ("cant-stop", {}, "0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0/- X dice"),
        ("cant-stop", {}, "3,0,0,0,0,4,0,0,0,0,0/0,0,0,0,0,6,0,0,0,0,1/0,0,0,0,1,5,0,0,0,0,0 X decide"),
        ("cant-stop", SMALL, "1,0,0/0,2,0/0,0,1 O 1-1-1-2"),
        ("cant-stop", SMALL, "1,3,0/0,0,0/- X -"),
        ("cant-stop", SMALL, "1,3,1/0,0,0/- X -"),  # two columns at once
        ("cant-stop", THREE, "0,1,0,2,0/0,1,5,0,0/0,2,0,1,1/0,0,0,2,0 T decide"),
        ("cant-stop", ALONE, "0,1,1/0,2,0 X 1-1-1-2 7"),
        ("cant-stop", ALONE, "1,3,0/- X - 4"),
    ],
)
def test_texts_that_people_write(name, options, text):
    assert Position.from_text(load_game(name), f"  {text} ".strip(), options).to_text() == text


def test_the_last_move_may_be_left_out_and_the_winner_is_found():
    game = load_game("tictactoe")
    assert Position.from_text(game, "3/1X1/3 O").to_text() == "3/1X1/3 O -"
    won = Position.from_text(game, "XXX/OO1/3 O")
    assert won.over
    assert won.points == (1, 0)
    six = "9/9/9/9/OOOOO1OO1/9/XXXXXX1X1/9/9 X"  # six are no five where exactly five win
    with pytest.raises(PositionError, match="X is to move and has won already"):
        Position.from_text(load_game("gomoku"), six, {"size": 9})
    assert Position.from_text(load_game("gomoku"), six, {"size": 9, "exactly": 1}).points == (0, 1)


@pytest.mark.parametrize(
    ("name", "options", "text", "character", "message"),
    [
        ("tictactoe", {}, "", 1, "expected rows, who is to move, and the last move, such as '3/1X1/O2 X a1'"),
        ("tictactoe", {}, "3/3/3", 1, "expected rows"),
        ("tictactoe", {}, "3/3 X", 1, "expected 3 rows with '/' between them, not 2"),
        ("tictactoe", {}, "3/2Z/3 X", 4, "expected X, O or a number, not 'Z'"),
        ("tictactoe", {}, "3/3/4 X", 5, "expected a row of 3 points, not of 4"),
        ("tictactoe", {}, "3/XXXX/3 X", 3, "expected a row of 3 points, not of 4"),
        ("tictactoe", {}, "3/XX1/3 X", 1, "expected as many X as O, or one more, not 2 X and 0 O"),
        ("tictactoe", {}, "3/X2/3 X", 8, "expected O to move after 1 X and 0 O, not 'X'"),
        ("tictactoe", {}, "3/X2/3 O 0,0", 10, "expected the last move, a stone of X"),
        ("tictactoe", {}, "3/X2/3 O 9,0", 10, "expected a point from a1 to c3"),
        ("tictactoe", {}, "XXX/OOO/3 X", 1, "X is to move and has won already"),
        ("gomoku", {"size": 5}, "5/5/5/5/5 X k9", 13, "expected a point from a1 to e5"),
        ("kalah", {}, "4,4", 1, "expected both sides and the seat to move"),
        (
            "kalah",
            {"pits": 2, "stones": 2},
            "2,2,0/2,2 0",
            7,
            "expected 3 numbers, the stones of 2 pits and of the store",
        ),
        ("kalah", {"pits": 2, "stones": 2}, "2,2,0/2,2,1 0", 1, "expected 8 stones in all, not 9"),
        ("kalah", {"pits": 2, "stones": 2}, "0,0,4/2,2,0 1", 7, "seat 0 has no stones, so the game is over"),
        ("circles", {"size": 3}, "o/oo 0", 1, "expected 3 rows with '/' between them, not 2"),
        ("circles", {"size": 3}, "o/oo/oo 0", 6, "expected 3 stones in row 2, not 2"),
        ("circles", {"size": 3}, "o/ox/ooo 0", 4, "expected 'o', a stone, or '.', none, not 'x'"),
        ("circles", {"size": 3}, "o/oo/ooo 2", 1, "expected the rows and the seat to move"),
        ("cant-stop", {}, "", 1, "expected three lists of 11 spaces, a seat, what is next, such as '0,0,0,"),
        ("cant-stop", SMALL, "0,0/0,0,0/- X dice", 1, "expected three lists of 3 spaces"),
        ("cant-stop", SMALL, "0,0,0/0,4,0/- X dice", 7, "column 3 has 3 spaces, not 4"),
        ("cant-stop", SMALL, "1,0,0/1,0,0/- X dice", 7, "X has won column 2: expected 0 there for O"),
        ("cant-stop", SMALL | {"needed": 1}, "1,0,0/0,3,0/- X -", 17, "expected '-' where the seat alone has won"),
        ("cant-stop", {"sides": 3}, "0,0,0,0,0/0,0,0,0,0/1,1,1,1,0 X dice", 21, "expected 3 runners at most, not 4"),
        ("cant-stop", SMALL, "1,0,0/0,0,0/1,0,0 X dice", 13, "column 2: expected no runner there"),
        ("cant-stop", SMALL, "0,2,0/0,0,0/0,2,0 X dice", 13, "column 3: expected a runner above space 2, not 2"),
        ("cant-stop", SMALL, "1,0,0/0,0,0/0,3,0 X decide", 13, "the runners win the game for X"),
        ("cant-stop", SMALL, "0,0,0/0,0,0/- Y dice", 1, "expected three lists of 3 spaces"),
        ("cant-stop", SMALL, "0,0,0/0,0,0/- T dice", 1, "expected three lists of 3 spaces"),
        ("cant-stop", SMALL, "0,0,0/0,0,0/0,0,0/- X dice", 1, "expected three lists of 3 spaces"),
        ("cant-stop", SMALL, "0,0,0/0,0,0/- X dice 3", 1, "expected three lists of 3 spaces"),
        (
            "cant-stop",
            THREE,
            "0,0,0,0,0/0,0,0,0,0/- X dice",
            1,
            "expected four lists of 5 spaces, a seat, what is next, such as",
        ),
        (
            "cant-stop",
            THREE,
            "0,0,0,0,0/0,0,0,0,1/0,0,0,0,1/- X dice",
            21,
            "O has won column 6: expected 0 there for T",
        ),
        (
            "cant-stop",
            ALONE,
            "0,2,0/- X dice",
            1,
            "expected two lists of 3 spaces, a seat, what is next, the turns so far",
        ),
        ("cant-stop", SMALL, "0,0,0/0,0,0/- X -", 17, "expected '-' where the seat alone has"),
        ("cant-stop", SMALL, "1,3,0/0,0,0/- O -", 17, "expected '-' where the seat alone has won"),
        ("cant-stop", SMALL, "1,3,0/0,0,0/- X dice", 17, "expected '-' where the seat alone has won"),
        ("cant-stop", SMALL, "0,0,0/0,0,0/- X decide", 17, "nothing has been climbed yet"),
        ("cant-stop", SMALL, "0,0,0/0,0,0/- X 1-1-1-3", 17, "expected 'dice', 'decide' or a roll of dice from 1 to 2"),
        ("cant-stop", SMALL, "0,0,0/0,0,0/- X roll", 17, "expected 'dice', 'decide' or a roll"),
        ("cant-stop", SMALL, "1,0,0/0,0,0/- X 1-1-1-1", 17, "1-1-1-1 cannot be used here, which ends the turn"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(name, options, text, character, message):
    with pytest.raises(PositionError) as caught:
        Position.from_text(load_game(name), text, options)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"position '{text}', character {character}: {message}")


@given(text=st.text(max_size=30), name=st.sampled_from(sorted(OPTIONS)))
@settings(max_examples=60 if compiling() else 20)
def test_any_text_is_a_position_or_one_line(text, name):
    problem = ""
    try:
        Position.from_text(load_game(name), text)
    except PositionError as error:
        problem = str(error)
    assert "\n" not in problem


#: A stranger's game with hidden moves, the others with hidden cards; all without a form of their own.
HIDDEN = [
    ("hanabi", {}),
    ("hanabi", {"seats": 5, "bombs": 1}),
    ("hearts", {}),
    ("hearts", {"passing": 0, "any_club": 1}),
    ("lost-cities", {"suits": 6}),
    ("goofspiel", {"seats": 3}),
]


def hidden_game(name):
    return goofspiel.game if name == "goofspiel" else load_game(name)


def text_of(deal, moves):
    """The text of a deal and moves, both as words."""
    return " ".join([*deal, "/", *moves])


@pytest.mark.parametrize(("name", "options"), HIDDEN, ids=str)
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(0, 40))
@settings(max_examples=6, deadline=None)
def test_where_cards_are_hidden_the_deal_and_the_moves_are_the_position(name, options, seed, plies):
    game, rng = hidden_game(name), np.random.default_rng(seed)
    position = Position(game, options, seed=seed)
    while not position.over and position.plies < plies:
        position.play(int(rng.choice(position.legal_moves)))
    found = Position.from_text(game, f"  {position.to_text().lower()} ", options, seed=seed, compiled=True)
    assert found.state.tobytes() == position.state.tobytes()
    assert (found.past, found.plies, found.to_text()) == (position.past, position.plies, position.to_text())
    assert found.luck == Position.from_text(game, position.to_text(), options, seed=seed).luck


def test_cards_have_the_names_that_people_write():
    red_first = "R1 R1 R1 R2 R2 R3 R3 R4 R4 R5 Y1 Y1 Y1 Y2 Y2 Y3 Y3 Y4 Y4 Y5 G1 G1 G1 G2 G2 G3 G3 G4 G4 G5"
    deal = f"{red_first} W1 W1 W1 W2 W2 W3 W3 W4 W4 W5 B1 B1 B1 B2 B2 B3 B3 B4 B4 B5"
    position = Position.from_text(load_game("hanabi"), f"{deal} / h13 p1")
    assert position.view(0).hands[1, :5].tolist() == [2, 3, 3, 4, 5]  # R3, R4, R4, R5: their first one is played; Y1
    deal = ["across", *map(card_text, range(52)), "left", "right", "hold"]
    position = Position.from_text(load_game("hearts"), text_of(deal, []))
    assert "three cards are passed across" in position.text(0)
    assert "♣ A K Q J 10 9 8 7 6 5 4 3 2" in position.text(0)


HANDS = [
    "left",
    *map(card_text, range(52)),
    "across",
    "right",
    "hold",
]


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("", "", "expected the deal, 56 words such as '"),
        ("2C 3C", "", "expected the deal, 56 words such as '"),
        (text_of(HANDS, []).replace(" /", "/"), "", "expected the deal, 56 words such as '"),
        (
            text_of(["leftt", *HANDS[1:]], []),
            "leftt",
            "expected a word of the deal, such as 'QH', not 'leftt'; did you mean 'left'?",
        ),
        (text_of([*HANDS[:2], "1C", *HANDS[3:]], []), "1C", "expected a word of the deal, such as 'QH', not '1C'"),
        (text_of([*HANDS[:-1], "2c"], []), "2c", "too many '2c': a deal of Hearts has 1"),
        (text_of([*HANDS, "2C"], []), None, "too many '2C': a deal of Hearts has 1"),
        (text_of(HANDS[:-1], []), "/", "expected 56 words of the deal before '/', not 55"),
        (text_of(HANDS[5:], []), "/", "expected 56 words of the deal before '/', not 51"),
        (text_of(HANDS, ["pass:2C", "pass:2C"]), None, "ply 2, 'pass:2C': the 2 of clubs is not in your hand"),
        (text_of(HANDS, ["pass:2C", "ZZ"]), "ZZ", "ply 2, 'ZZ': expected a card, such as 'QS'"),
    ],
)
def test_a_mistake_in_a_deal_is_one_line_with_its_place(text, at, message):
    with pytest.raises(PositionError) as caught:
        Position.from_text(load_game("hearts"), text)
    character = text.rindex(text.split()[-1]) if at is None else text.index(at)
    if at is None and "too many" in message:
        character = text.index("2C /")
    assert "\n" not in str(caught.value)
    assert f", character {character + 1}: {message}" in str(caught.value)


def test_a_deal_of_numbers_and_one_that_no_game_has():
    game = goofspiel.game
    assert Position.from_text(game, "12 11 10 9 8 7 6 5 4 3 2 1 0 / 3 4").plies == 2
    with pytest.raises(PositionError, match="character 4: expected a whole number, not 'x'"):
        Position.from_text(game, "12 x / ")
    with pytest.raises(PositionError, match="character 4: too many '99': a deal of Goofspiel has 0"):
        Position.from_text(game, "12 99 / ")
    unnamed = with_text(load_game("lost-cities"), dealt=())
    loose = dataclasses.replace(unnamed, draw_deals=lambda rng, count, _: rng.integers(0, 50, (count, 60)))
    with pytest.raises(PositionError, match=r"position '999 999 .*Lost Cities cannot be dealt like that"):
        Position.from_text(loose, " ".join(["999"] * 60) + " /", compiled=True)


def test_a_redealt_position_does_not_tell_the_deal(lost_cities):
    position = Position(lost_cities, seed=1)
    assert "/" in position.copy().to_text()
    for unknown in (position.redealt(1), Position.of(lost_cities, position.state)):
        with pytest.raises(UsageError, match="the deal and the moves of this position are not known"):
            unknown.to_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("A", "a"), "expected different words without blanks, and not '/', as `dealt`"),
        (("A", "the B"), "expected different words without blanks"),
        (("A", "/"), "expected different words without blanks"),
    ],
)
def test_names_of_what_is_dealt_are_words_that_tell_numbers_apart(words, message):
    with pytest.raises(UsageError, match=message):
        with_text(load_game("hearts"), dealt=words)
    with pytest.raises(CodeError, match="gives the number 12: `dealt` has words for 0 to 11"):
        Position(with_text(goofspiel.game, dealt=tuple("ABCDEFGHIJKL")))


def test_a_game_whose_own_reader_fails_is_named():
    game = with_text(load_game("tictactoe"), read_position=lambda text, state: 1 // 0)
    with pytest.raises(PositionError, match=r"`read_position` of tictactoe: .*\(.*test_position_texts.py:\d+\)"):
        Position.from_text(game, "3/3/3 X")


@pytest.mark.parametrize(("former", "text"), [("O2/1X1/3 X 0,0", "3/1X1/O2 X a1"), ("3/1XO/3 X 1,2", "3/1XO/3 X c2")])
def test_positions_of_records_from_before_points_had_names_are_read(former: str, text: str) -> None:
    assert Position.from_text(load_game("tictactoe"), former).to_text() == text
