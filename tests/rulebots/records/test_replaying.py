"""A recorded game plays again as it was, and says where it differs from what was played.

In a game in progress moves are taken back, dice come again, and it is a record at any time.
"""

from __future__ import annotations

import functools
import random
import re
from dataclasses import replace
from typing import Any

import pytest
from contenders import contender
from hypothesis import given, settings, strategies as st
from random_records import random_games

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.kernel import compiling
from rulebots.packages import game_names, load_game, package_of
from rulebots.records import Ongoing, RecordError, check, new_game, parse_record, play_recorded, record_text, replay

every_game = pytest.mark.parametrize("game", [load_game(name) for name in game_names()], ids=lambda g: g.name)


@pytest.mark.slow
@every_game
def test_a_replayed_view_is_the_one_that_the_player_had(game: Game) -> None:
    """Asked again on each view, luck and all, the players choose the very moves of the record."""
    first, second = contender(game, "random"), package_of(game).players[next(iter(package_of(game).players))]()
    record = play_recorded(first, second, 1, 3, opening_plies=2)[1]
    assert {recorded.plies > 3 for recorded in record.games} == {True}
    for recorded in record.games:
        replayed = replay(recorded)
        seats = [(first, second)[player - 1] for player in recorded.players]
        for ply in range(3, recorded.plies + 1):
            position = replayed.positions[ply - 1]
            if position.chance_to_move:
                continue
            assert seats[position.mover].decide(position) == replayed.moves[ply - 1]


@functools.cache
def lines_of_a_record() -> list[str]:
    return record_text(random_games(load_game("lost-cities"), 1)).splitlines()


@pytest.mark.slow
@settings(max_examples=60 if compiling() else 10, deadline=None)
@given(st.randoms(use_true_random=False))
def test_a_changed_record_is_never_taken_for_the_game_that_was_played(rng: random.Random) -> None:
    """A line left out, doubled, cut or with another character: an error that names a line, or the same games."""
    lines = list(lines_of_a_record())
    place = rng.randrange(len(lines))
    what = rng.choice(["leave out", "double", "cut", "write over", "end"])
    if what == "leave out":
        del lines[place]
    elif what == "double":
        lines.insert(place, lines[place])
    elif what == "end":
        lines = lines[:place]
    elif lines[place]:
        cut = rng.randrange(len(lines[place]))
        over = rng.choice("0123456789 abdijmnov=:-#\t") if what == "write over" else ""
        lines[place] = lines[place][:cut] + over + lines[place][cut + 1 if over else len(lines[place]) :]
    same = [game.result.points for game in parse_record("\n".join(lines_of_a_record())).games]
    try:
        found: Any = [game.result.points for game in check(parse_record("\n".join(lines)))]
    except RecordError as error:
        found = str(error)
    assert found == same or re.fullmatch(r"record:\d+: .+", str(found))


@pytest.mark.slow
def test_numbers_that_are_not_a_deal_harm_nothing(lost_cities: Game) -> None:
    """The law reads and writes arrays by what the deal says; a wrong one ends in a message, compiled or not."""
    text = record_text(random_games(lost_cities, 1))
    for card in ("99", "-9999", "9" * 18, "0"):
        wrong = re.sub(r"deal: .*", "deal: " + " ".join([card] * 60), text, count=1)
        with pytest.raises(RecordError, match=r"record:1[0-9]: game 1: "):
            list(check(parse_record(wrong)))


TICTACTOE = load_game("tictactoe")


@functools.cache
def recorded_match(name: str) -> str:
    game = load_game(name)
    return record_text(play_recorded(contender(game, "random"), contender(game, "random"), 3, 5, opening_plies=2)[1])


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("tictactoe", "seed: 5", "seed: 6", "game 1: its deal, luck or chance is not of seed 6"),
        ("tictactoe", r"luck: \d+", "luck: 77", "game 1: its deal, luck or chance is not of seed 5"),
        ("lost-cities", "seed: 5", "seed: 6", "game 1: its deal, luck or chance is not of seed 6"),
        ("cant-stop", r"chance: \d+", "chance: 77", "game 1: its deal, luck or chance is not of seed 5"),
        (
            "tictactoe",
            "opening plies: 2",
            "opening plies: 3",
            "game 1: its opening has 2 plies, not 3 as the head says",
        ),
    ],
)
def test_what_the_head_of_a_record_says_is_checked(name: str, old: str, new: str, message: str) -> None:
    text = recorded_match(name)
    assert len(list(check(parse_record(text)))) == 6
    with pytest.raises(RecordError, match=message):
        list(check(parse_record(re.sub(old, new, text, count=1))))


def test_a_record_may_leave_out_its_luck_its_seed_and_some_of_its_games() -> None:
    text = recorded_match("tictactoe")
    for without in (r"luck: .*\n", r"seed: 5\n"):
        assert len(list(check(parse_record(re.sub(without, "", text))))) == 6
    last = text[: text.index("\ngame 1")] + text[text.index("\ngame 6") :].replace("game 6", "game 1")
    assert len(list(check(parse_record(last.replace("games: 6", "games: 1"))))) == 1


def test_an_opening_longer_than_a_game_is_refused() -> None:
    with pytest.raises(RecordError, match=r"expected a whole number from 0 to \d+, not '99999999'"):
        parse_record(recorded_match("tictactoe").replace("opening plies: 2", "opening plies: 99999999"))


def begun(*moves: str) -> Ongoing:
    game = Ongoing(new_game(TICTACTOE, ("you", "careful"), {}, 3, 1), 3)
    for move in moves:
        game.play(game.position.read(move))
    return game


def test_taking_back_goes_to_the_latest_decision_of_a_seat() -> None:
    game = begun("0,0", "1,1", "2,2")
    game.take_back(0)
    assert [TICTACTOE.text.write(move) for move in game.moves] == ["a1", "b2"]
    game.take_back(0)
    assert (game.moves, len(game.positions)) == ([], 1)
    for without, seat in ((game, 0), (begun("0,0"), 1)):
        with pytest.raises(UsageError, match="no move to take back"):
            without.take_back(seat)


def test_what_was_seen_is_not_taken_back() -> None:
    """Draw, look, undo, draw again gave the same card: a person could choose knowing the deck."""
    lost_cities = load_game("lost-cities")
    game = Ongoing(new_game(lost_cities, ("you", "you"), {}, 3, 1), 3)
    for text in ("d3d", "n"):
        game.play(game.position.read(text))
        if text == "d3d":
            game.take_back(0)  # nothing new was seen
            assert game.moves == []
            game.play(game.position.read(text))
    before = list(game.moves)
    for seats in ((0,), (0, 1)):
        with pytest.raises(UsageError, match="what was drawn or thrown since then has been seen"):
            game.take_back(*seats)
    assert game.moves == before
    game.play(int(game.position.legal_moves[0]))
    with pytest.raises(UsageError, match="has been seen"):
        game.take_back(0)


def test_a_game_is_a_record_at_any_time_and_goes_on_from_it() -> None:
    game = begun("0,0", "1,1")
    (read,) = parse_record(record_text(game.record())).games
    again = Ongoing(read)
    assert again.moves == game.moves
    for move in ("0,1", "2,2", "0,2"):
        again.play(again.position.read(move))
    assert again.ended
    assert again.outcome(("you", "careful")) == "You won"
    (finished,) = parse_record(record_text(again.record())).games
    assert finished.result.points == (1, 0)


def test_dice_that_were_thrown_are_not_taken_back_and_come_again(pig: Game) -> None:
    game = Ongoing(new_game(pig, ("you", "timid"), {}, 5, 1), 5)
    thrown = []
    for _ in range(2):
        while not game.position.chance_to_move:
            game.play(int(game.position.legal_moves[0]))
        thrown.append(game.draw())
        assert game.undo_refusal(0) == ""
        game.take_back(0)
    assert thrown[0] == thrown[1]
    game.play(int(game.position.legal_moves[0]))
    game.play(game.draw())
    before = list(game.moves)
    assert "what was drawn or thrown" in game.undo_refusal(0)
    with pytest.raises(UsageError, match="what was drawn or thrown since then has been seen"):
        game.take_back(0)
    assert game.moves == before


def test_a_game_does_not_begin_where_it_is_over() -> None:
    with pytest.raises(UsageError, match="the game is over there"):
        new_game(TICTACTOE, ("you", "careful"), {}, 1, 1, "XXX/OO1/3 O c3")


def test_a_check_asks_the_law_only(lost_cities: Game) -> None:
    """What seats hear, and the state that texts are read by, take most of the time; games of a seed need neither."""
    record = random_games(lost_cities, 2)

    def fail(*_: object) -> int:
        raise AssertionError

    deaf = replace(lost_cities, told=fail, text=replace(lost_cities.text, read=fail))
    assert len(list(check(replace(record, games=[replace(one, game=deaf) for one in record.games])))) == 4
