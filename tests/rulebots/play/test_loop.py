"""Chance in play, in the match loop: outcomes are drawn from the deal's own stream, and nobody sees it."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from contenders import Asked

from rulebots.errors import UsageError
from rulebots.game import CHANCE, Game, Moves
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.packages.players import make_player
from rulebots.play.deals import Deals, draw_deals, mirrored
from rulebots.play.loop import Batch, begin
from rulebots.play.match import play_deals, play_games
from rulebots.play.results import Games
from rulebots.players import Needs, Player, RandomPlayer
from rulebots.records import check, parse_record, play_recorded, record_of, record_text, replay

SHORT = {"goal": 30, "turns": 9}


class Guessing(Player):
    """Rolls as long as its own die, thrown in the position that it is given, would not show a 1."""

    needs = Needs.REDEALT

    def choose(self, seen: Any, moves: Moves) -> int:
        random_state = seen.random_state
        if len(moves) == 1:
            return int(moves[0])
        seen.push(int(moves[0]))
        return int(moves[0] if seen.drawn(random_state) else moves[1])


def pair(game: Game) -> list[Player]:
    return [make_player("hand", game), RandomPlayer(game)]


def played(players: list[Player], deals: Deals, **more: Any) -> Games:
    return play_games(players, deals, mirrored(len(deals)), keep_moves=True, **more)


def moves_of(games: Games, number: int) -> list[int]:
    return games.moves[number, : games.plies[number]].tolist()


def outcomes_of(game: Game, moves: list[int]) -> list[int]:
    """The outcomes among the moves of a game."""
    position, found = Position(game, SHORT), []
    for move in moves:
        if position.chance_to_move:
            found.append(move)
        position.push(move)
    return found


def assert_same(games: Games, others: Games) -> None:
    for field in ("points", "plies", "stalled", "courses", "moves"):
        assert np.array_equal(getattr(games, field), getattr(others, field)), field


@pytest.mark.slow
def test_the_compiled_loop_and_the_loop_around_a_python_player_draw_the_same_outcomes(pig: Game) -> None:
    deals, (hand, random) = draw_deals(pig, 30, 1, options=SHORT), pair(pig)
    games = played([hand, random], deals)
    assert not games.stalled.any()
    assert_same(games, played([Asked(hand), random], deals))
    assert_same(games, played([Asked(hand), Asked(random)], deals, jobs=2))


@pytest.mark.compiled
def test_interpreted_and_compiled_games_have_the_same_outcomes(pig: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    deals, players = draw_deals(pig, 10, 1, options={**SHORT, "loaded": 3}), pair(pig)
    games = played(players, deals)
    schedule, seats = mirrored(10), {0: players[0], 1: players[1]}
    for number, (deal, *who) in enumerate(schedule.tolist()):
        position = Position(pig, {**SHORT, "loaded": 3}, deals.cards[deal], luck=deals.luck[deal].tolist())
        stream = int(deals.outcomes[deal])
        for move in moves_of(games, number):
            if position.chance_to_move:
                stream = next_luck(stream)
                assert position.drawn(stream) == move
            else:
                assert seats[who[position.mover]].decide(position) == move
            position.push(move)
        assert position.points == tuple(games.points[number].tolist())


def test_mirrored_games_get_the_same_dice_and_other_deals_get_others(pig: Game) -> None:
    games = played(pair(pig), draw_deals(pig, 20, 1, options=SHORT))
    dice = [outcomes_of(pig, moves_of(games, number)) for number in range(40)]
    for one, other in zip(dice[::2], dice[1::2], strict=True):
        shorter = min(len(one), len(other))
        assert shorter > 3
        assert one[:shorter] == other[:shorter]
    assert len({tuple(line[:4]) for line in dice}) > 10
    assert {face for line in dice for face in line} == set(range(6))


def test_outcomes_are_plies_and_count_in_courses(pig: Game) -> None:
    deals = draw_deals(pig, 4, 1, options=SHORT)
    games = played([make_player("timid", pig), make_player("timid", pig)], deals)
    for number in range(8):
        assert set(moves_of(games, number)[1::2][:1]) <= set(range(6))
    # The two players do the same at every decision: only the dice tell the games of two deals apart.
    assert len(set(games.courses.tolist())) == 4


def test_the_outcomes_of_a_deal_do_not_depend_on_how_many_are_drawn(pig: Game) -> None:
    few, many = draw_deals(pig, 3, 1, 2), draw_deals(pig, 9, 1, 2)
    assert few.outcomes.tolist() == many.outcomes[:3].tolist()
    assert many.outcomes.tolist() != draw_deals(pig, 9, 1, 3).outcomes.tolist()
    assert not {*many.outcomes.tolist()} & {*many.luck.ravel().tolist(), *many.openings.tolist()}


def test_neither_workers_nor_batches_change_the_outcomes(pig: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    deals, players = draw_deals(pig, 20, 1, options=SHORT), pair(pig)
    games = played(players, deals)
    monkeypatch.setattr("rulebots.play.match.BATCH", 7)
    assert_same(games, played(players, deals, jobs=2))


def test_a_game_of_chance_begins_without_random_moves_and_can_begin_with_some(pig: Game) -> None:
    assert draw_deals(pig, 1, 1).opening_plies == 0
    deals = draw_deals(pig, 20, 1, options=SHORT, opening_plies=3)
    games = played(pair(pig), deals)
    assert games.openings.tolist() == [3] * 40
    first = [moves_of(games, number)[:3] for number in range(40)]
    assert first[::2] == first[1::2]
    for number in range(40):
        outcomes_of(pig, moves_of(games, number))  # every move is legal


def test_an_opening_that_the_dice_end_is_drawn_again_with_other_dice(pig: Game) -> None:
    deals = draw_deals(pig, 40, 1, options={"goal": 2, "turns": 2}, opening_plies=2)
    batch = Batch(pig, deals.luck.repeat(2, axis=0))
    begin(batch, deals, np.arange(40).repeat(2))
    assert batch.arrays.plies.tolist() == [2] * 80  # a roll and a 1: anything else would have won
    assert (batch.arrays.states["turns"] == 3).all()
    assert batch.arrays.outcomes[::2].tolist() == batch.arrays.outcomes[1::2].tolist()
    assert any(batch.arrays.outcomes[2 * g] != next_luck(int(deals.outcomes[g])) for g in range(40))


@pytest.mark.interpreted
@pytest.mark.slow
def test_a_player_decides_alike_whatever_the_stream_holds(pig: Game) -> None:
    """Where two games with other dice come to the same position, every kind of player makes the same move."""
    decisions: dict[tuple[str, bytes, int], int] = {}
    met = 0

    class Spy(Asked):
        def decide(self, position: Position, seconds: float | None = None) -> int:
            nonlocal met
            move = self.inner.decide(position, seconds)
            key = self.inner.name, position.state.tobytes(), position.random_state
            met += key in decisions
            assert decisions.setdefault(key, move) == move
            return move

    guided = "mcts:iterations=20,reuse=no,guide=hand"
    names = ("hand", guided, "minimax:depth=2,rules=hand")
    deals = draw_deals(pig, 3, 1, options={"goal": 12, "turns": 4})
    for seed in range(3):
        others = dataclasses.replace(deals, outcomes=draw_deals(pig, 3, seed).outcomes)
        for player in (*(make_player(name, pig) for name in names), Guessing(pig, "guessing")):
            play_deals(Spy(player), Spy(player.beginning_a_game()), others)
    assert met > 20


def test_a_record_holds_the_outcomes_and_replays(pig: Game) -> None:
    hand, random = pair(pig)
    result, record = play_recorded(hand, random, 4, options=SHORT)
    text = record_text(record)
    assert "die:" in text
    read = parse_record(text)
    assert record_text(read) == text
    assert len(list(check(read))) == 8
    assert result.games == 8
    for game in read.games:
        positions = replay(game).positions
        assert any(position.mover == CHANCE for position in positions)
        assert positions[-1].over


def test_an_outcome_that_cannot_be_is_refused_in_a_record(pig: Game) -> None:
    hand, random = pair(pig)
    deals = draw_deals(pig, 1, 1, options={**SHORT, "sides": 4})
    games = played([hand, random], deals)
    text = record_text(record_of(("hand", "random"), deals, mirrored(1), games))
    shown = next(word for word in text.split() if word.startswith("die:"))
    with pytest.raises(UsageError, match=r"ply 2: 'die:6' is not legal; legal moves are die:1, die:2, die:3, die:4"):
        list(check(parse_record(text.replace(shown, "die:6", 1))))
