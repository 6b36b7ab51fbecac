"""Games are written as records: what is written reads back and plays again alike, and recording changes nothing."""

from __future__ import annotations

import dataclasses

import pytest
from contenders import contender
from random_records import random_games

from rulebots.game import Game
from rulebots.packages import game_names, load_game, package_of
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_match
from rulebots.players import Needs, Player
from rulebots.records import check, parse_record, play_recorded, record_text, replay, rows_of
from rulebots.records.record import Result

every_game = pytest.mark.parametrize("game", [load_game(name) for name in game_names()], ids=lambda g: g.name)


@pytest.mark.slow
@every_game
def test_a_record_reads_back_and_plays_again_as_it_was(game: Game) -> None:
    record = random_games(game)
    text = record_text(record)
    again = parse_record(text)
    assert record_text(again) == text
    names, seats = record.names, range(game.seats_with({}))
    # Each alone in each seat; at two seats the other one is alone as well.
    alone = [tuple(name if one == k else other for one in seats) for name, other in (names, names[::-1]) for k in seats]
    alone = alone[: 2 if len(seats) == 2 else None]
    if game.aim == "together":
        alone = [tuple([name] * len(seats)) for name in names]
    assert [g.number for g in check(again)] == list(range(1, 2 * len(alone) + 1))
    assert [g.seats for g in again.games] == alone * 2
    assert [g.begins for g in again.games] == [1 + names.index(table[0]) for table in alone] * 2
    assert {g.opening for g in again.games} == {3}
    drawn = draw_deals(game, 2, 5)
    assert [list(g.deal) for g in again.games] == [cards.tolist() for cards in drawn.cards for _ in alone]


@pytest.mark.slow
@every_game
def test_recording_changes_no_result(game: Game) -> None:
    first, second = contender(game, "random"), package_of(game).players[next(iter(package_of(game).players))]()
    assert play_recorded(first, second, 1, 2)[0] == play_match(first, second, 1, 2)


class First(Player):
    needs = Needs.POSITION

    def choose(self, position, moves):
        return int(moves[0])


def test_a_player_that_reads_the_state_is_recorded_like_any_other() -> None:
    game = load_game("circles")
    record = play_recorded(First(game, "first"), contender(game, "random"), 2, 1)[1]
    assert len(list(check(parse_record(record_text(record))))) == 4


@pytest.mark.slow
def test_an_unfinished_game_is_a_record_as_well(lost_cities: Game) -> None:
    record = random_games(lost_cities, 1)
    game = record.games[0]
    moves = replay(game).moves[:7]
    left = dataclasses.replace(game, rows=rows_of(lost_cities, moves, 3), result=Result(None))
    text = record_text(dataclasses.replace(record, games=(left,)))
    assert text.endswith("result: unfinished\n")
    (read,) = check(parse_record(text))
    assert replay(read).moves == moves


def test_a_player_that_meets_itself_is_named_apart() -> None:
    game = load_game("tictactoe")
    record = play_recorded(contender(game, "careful"), contender(game, "careful"), 1)[1]
    assert [game.seats for game in record.games] == [("careful", "careful (2)"), ("careful (2)", "careful")]
