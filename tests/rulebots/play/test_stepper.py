"""A player in the seat of a foreign game: decisions, time, stop, faults, the begin and the end of a game."""

from __future__ import annotations

import pytest

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.stepper import SeatedPlayer
from rulebots.players import Needs, Observed, Player, PlayerFault

KALAH = load_game("kalah")


class Noting(Player):
    """Notes what it is told of its games."""

    def __init__(self, said: list[object]) -> None:
        super().__init__(KALAH, "noting")
        self.said = said

    def begin_game(self, seat, options):
        self.said.append((id(self) != 0, seat, dict(options)))

    def choose(self, seen, moves):
        self.said.append(self.clock_seconds)
        return int(moves[-1])

    def stop(self):
        self.said.append("stop")

    def end_game(self, points):
        self.said.append(points)


def test_a_player_is_told_of_each_game_and_of_its_time():
    said: list[object] = []
    seated, position = SeatedPlayer(Noting(said), KALAH), Position(KALAH)
    seated.begin(1, {"pits": 6})
    assert seated.decide(position, seconds=2.5) == position.legal_moves[-1]
    seated.stop()
    assert seated.end((3, 4)) is None
    seated.begin(0, {})
    assert seated.end(None) is None
    assert said == [(True, 1, {"pits": 6}), 2.5, "stop", (3, 4), (True, 0, {})]


def test_a_fault_is_one_line_and_the_next_game_goes_on():
    class Failing(Player):
        def choose(self, seen, moves):
            return 99

        def end_game(self, points):
            raise ValueError("my own words")

    seated = SeatedPlayer(Failing(KALAH, "failing"), KALAH)
    for _ in range(2):
        seated.begin(0, {})
        with pytest.raises(PlayerFault, match="chose 99; legal moves are"):
            seated.decide(Position(KALAH))
        fault = seated.end((0, 1))
        assert fault is not None
        assert "ValueError: my own words" in str(fault)


def test_a_player_of_another_game_is_refused():
    with pytest.raises(UsageError, match="'dumb' plays lost-cities, not kalah: choose another player"):
        SeatedPlayer(make_player("dumb", load_game("lost-cities")), KALAH)


def test_what_a_seat_observes_is_enough_for_most_players_and_not_for_searches():
    position = Position(KALAH)
    seen = Observed(0, position.view(), position.history())
    assert SeatedPlayer(make_player("leftmost", KALAH), KALAH).decide(seen, position.legal_moves) == 0

    class Searching(Noting):
        needs = Needs.POSITION

    with pytest.raises(PlayerFault, match="needs more than its seat observes"):
        SeatedPlayer(Searching([]), KALAH).decide(seen, position.legal_moves)
