"""What every game of Python objects keeps, whoever wrote it: checks that tests of such games share."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np

from rulebots import Player, Position, RandomPlayer, RulePlayer, RuleSet
from rulebots.game import Game
from rulebots.play.deals import draw_deals, ordered
from rulebots.play.match import play_games
from rulebots.play.results import Games
from rulebots.players.explaining import explain
from rulebots.records.reading import parse_record
from rulebots.records.record import record_of, record_text
from rulebots.records.replaying import check


class AskedRandom(RandomPlayer):
    """The same moves as a random player's, asked move by move."""

    def choose(self, view: Any, moves: Any) -> int:
        return super().choose(view, moves)


class AskedRules(RulePlayer):
    """The same moves as a rule player's, asked move by move."""

    def choose(self, view: Any, moves: Any) -> int:
        return super().choose(view, moves)


def players_of(rules: RuleSet, *, asked: bool = False) -> list[Player]:
    """A player for each seat: one of rules, and random ones."""
    by_rules, by_chance = (AskedRules, AskedRandom) if asked else (RulePlayer, RandomPlayer)
    seats = rules.game.seats
    return [by_rules(rules, rules.hand_tuned(), "mine"), *(by_chance(rules.game, f"r{i}") for i in range(1, seats))]


def games_of(players: list[Player], deals: int = 2, seed: int = 1, jobs: int = 1) -> tuple[Games, str]:
    """Games in which the players change seats, and their record as text."""
    game = players[0].game
    drawn = draw_deals(game, deals, seed)
    schedule = ordered(deals, len(players))[: deals * len(players)]
    games = play_games(players, drawn, schedule, jobs, keep_moves=True)
    names = tuple(f"p{i}" for i in range(len(players)))
    return games, record_text(record_of(names, drawn, schedule, games, seed))


def assert_first_class(rules: RuleSet, deals: int = 2, *, differs: bool = True) -> None:
    """A game plays, by objects and by records alike; its records replay; its parts travel; nothing is drawn twice."""
    game = rules.game
    games, text = games_of(players_of(rules), deals)
    asked, text_asked = games_of(players_of(rules, asked=True), deals)
    assert text == text_asked
    assert games.moves.tolist() == asked.moves.tolist()
    assert games.points.tolist() == asked.points.tolist()
    record = parse_record(text)
    assert len([*check(record)]) == len(record.games)
    other, _ = games_of(players_of(rules), deals, seed=2)
    assert (other.moves.tolist() != games.moves.tolist()) == differs
    assert games_of(players_of(rules), deals, jobs=2)[1] == text
    assert pickle.loads(pickle.dumps(game)) is game  # noqa: S301 - it was made here
    for position in positions_of(game):
        assert_position_is_right(position)
    position = next(position for position in positions_of(game) if not position.chance_to_move)
    explained = explain(RulePlayer(rules, rules.hand_tuned(), "mine"), position)
    assert sorted(explained.moves) == sorted(position.legal_moves.tolist())


def positions_of(game: Game, seed: int = 3, plies: int = 12) -> Iterator[Position]:
    """The positions of a random game."""
    rng = np.random.default_rng(seed)
    position = Position(game, seed=seed)
    while not position.over and position.plies < plies:
        yield position
        position.play(int(rng.choice(_possible(position))))


def _possible(position: Position) -> list[int]:
    moves: list[int] = (position.outcomes[0] if position.chance_to_move else position.legal_moves).tolist()
    return moves


def assert_position_is_right(position: Position) -> None:
    """Moves read back; a copy on which a game goes on leaves the position alone."""
    before = _looks(position)
    for move in _possible(position):
        assert position.read(position.write(move)) == move
    twin = position.copy()
    rng = np.random.default_rng(5)
    for _ in range(4):
        if not twin.over:
            twin.play(int(rng.choice(_possible(twin))))
    assert _looks(position) == before


def _looks(position: Position) -> tuple[Any, ...]:
    return position.mover, position.text(), [position.write(move) for move in _possible(position)]
