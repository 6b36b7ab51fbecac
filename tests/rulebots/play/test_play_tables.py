"""Tables of any size: every player has every seat of a deal, and figures are by deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import goofspiel
import numpy as np
import pytest

from rulebots import (
    Needs,
    Observed,
    Player,
    RandomPlayer,
    RulePlayer,
    Sprt,
    UsageError,
    play_match,
    play_sprt,
    play_table,
)
from rulebots.game import UNKNOWN, Game, Moves
from rulebots.game.position import Position
from rulebots.play.deals import draw_deals, mirrored, one_among, ordered, sides_of_deal
from rulebots.play.loop import Terms
from rulebots.play.match import play_games
from rulebots.play.results import contests_of, match_result, no_games, places_of, shares_of

GAME = goofspiel.game


def games_of(points: list[tuple[int, ...]]):
    games = no_games(GAME, len(points), seats=len(points[0]))
    games.points[:] = points
    games.courses[:] = range(len(points))
    return games


def test_two_seats_are_a_mirrored_pair() -> None:
    assert mirrored(2, 3, 5).tolist() == [[0, 3, 5], [0, 5, 3], [1, 3, 5], [1, 5, 3]]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_each_is_alone_in_every_seat_among_the_others(seats: int) -> None:
    schedule = mirrored(2, seats=seats)
    assert schedule.shape == (4 * seats, 1 + seats)
    for deal in (0, 1):
        tables = schedule[schedule[:, 0] == deal, 1:]
        for seat in range(seats):
            alone = [seat if s == seat else -1 for s in range(seats)]
            assert [0 if s >= 0 else 1 for s in alone] in tables.tolist()
            assert [1 if s >= 0 else 0 for s in alone] in tables.tolist()
        assert tables.mean() == 0.5


def test_together_each_plays_with_copies_of_itself() -> None:
    assert mirrored(1, 4, 7, seats=3, together=True).tolist() == [[0, 4, 4, 4], [0, 7, 7, 7]]
    assert mirrored(1, seats=1, together=True).tolist() == [[0, 0], [0, 1]]
    assert not sides_of_deal(3, together=True).flags.writeable


@pytest.mark.parametrize(("players", "games"), [(2, 2), (3, 6), (4, 24), (5, 5), (6, 6)])
def test_several_players_have_every_seat_equally_often(players: int, games: int) -> None:
    deals = {5: 24, 6: 120}.get(players, 3)
    schedule = ordered(deals, players)
    assert len(schedule) == deals * games
    for seat in range(players):
        assert set(Counter(schedule[:, 1 + seat].tolist()).values()) == {deals * games // players}
    after = Counter((table[i], table[(i + 1) % players]) for table in schedule[:, 1:].tolist() for i in range(players))
    assert len(set(after.values())) == 1


def test_a_side_scores_its_part_of_the_win() -> None:
    games = games_of([(9, 1, 1), (1, 9, 1), (1, 1, 9), (5, 5, 1), (4, 4, 4), (0, 0, 7)])
    assert np.allclose(shares_of(games)[3:], [[0.5, 0.5, 0], [1 / 3] * 3, [0, 0, 1]])
    assert places_of(games.points)[3:].tolist() == [[1.5, 1.5, 3], [2, 2, 2], [2.5, 2.5, 1]]
    # Alone it has won each of its tables; of the second player's it got a half, two thirds and nothing.
    assert match_result(games).scores[0] == pytest.approx((3 + 0.5 + 2 / 3 + 1 - 1) / 6)
    result = match_result(games)
    assert result.table is not None
    assert result.table.shares == (1.0, pytest.approx((0.5 + 1 / 3 + 1) / 3))
    assert (result.table.seats, result.deals, result.games, result.table.even) == (3, 1, 6, 1 / 3)
    assert contests_of(games).of_player(games.points, 0).tolist()[:3] == [9, 9, 9]


@pytest.mark.slow
def test_equal_players_share_a_table_evenly() -> None:
    result = play_match(goofspiel.matching(), goofspiel.matching("other"), deals=50, seed=3)
    assert (result.win_rate, result.games) == (pytest.approx(0.5, abs=0.05), 300)
    assert result.table is not None
    assert sum(result.table.shares) == pytest.approx(2 / 3, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_better_player_wins_more_than_its_part(seats: int) -> None:
    result = play_match(RandomPlayer(GAME), goofspiel.contrary(), deals=100, seed=3, options={"seats": seats})
    assert result.win_rate_95[0] > 0.5
    assert result.points > result.opponent_points
    if seats > 2:
        assert result.table is not None
        assert result.table.shares[0] > 1 / seats > result.table.shares[1]
        assert result.table.places[0] < (seats + 1) / 2 < result.table.places[1]


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_points_of_the_loop_are_those_of_positions(seats: int) -> None:
    deals = draw_deals(GAME, 4, 9, options={"seats": seats})
    assert deals.luck.shape == (4, seats)
    players = [goofspiel.matching(), RandomPlayer(GAME)]
    games = play_games(players, deals, mirrored(4, seats=seats), keep_moves=True)
    for number, deal in enumerate(mirrored(4, seats=seats)[:, 0].tolist()):
        position = Position(GAME, {"seats": seats}, deals.cards[deal])
        for move in games.moves[number, : games.plies[number]].tolist():
            position.push(move)
        assert position.over
        assert position.points == tuple(games.points[number].tolist())
        assert len(position.history(seats - 1)) == games.plies[number]


@pytest.mark.slow
def test_several_players_at_one_table() -> None:
    players = [goofspiel.matching(), goofspiel.contrary(), RandomPlayer(GAME), RandomPlayer(GAME, "other")]
    result = play_table(players, deals=60, seed=2)
    table = result.table
    assert table is not None
    assert (table.seats, result.games, table.even) == (4, 60 * 24, 0.25)
    assert sum(table.shares) == pytest.approx(1.0)
    assert sum(table.places) == pytest.approx(1 + 2 + 3 + 4)
    assert table.shares[0] > table.shares[1]
    assert all(low <= share <= high for share, (low, high) in zip(table.shares, table.share_95, strict=True))
    assert result.table_summary()["points"] == table.points
    assert (result.points, result.deals) == (pytest.approx(table.points[0]), 60)
    assert result.opponent_points == pytest.approx(sum(table.points[1:]) / 3)
    one, two = (play_table([players[0], players[2], players[0]], deals=10, jobs=jobs) for jobs in (1, 2))
    assert one == two
    assert one.table is not None
    assert one.table.seats == 3


def test_a_table_that_cannot_be_set_is_one_line() -> None:
    three = [RandomPlayer(GAME, f"r{n}") for n in range(3)]
    with pytest.raises(
        UsageError, match="4 seats here: expected two players, each among copies of the other, or 4, not 3"
    ):
        play_table(three, options={"seats": 4})
    with pytest.raises(UsageError, match="option 'seats' of goofspiel takes a whole number from 2 to 5, not 6"):
        play_table([RandomPlayer(GAME, f"r{n}") for n in range(6)])
    for count in (3, 6):
        team = [RandomPlayer(goofspiel.together, f"r{n}") for n in range(count)]
        with pytest.raises(UsageError, match=f"played by teams of copies: expected two players, not {count}"):
            play_table(team)


def test_teams_are_compared_deal_by_deal() -> None:
    rules = goofspiel.as_a_team
    apart = RulePlayer(rules, {"bid": {"whim": 1.0}}, "apart")
    alike = RulePlayer(rules, {"bid": {"high": 1.0}}, "alike")  # all bid alike, and nobody takes anything
    result = play_match(apart, alike, deals=40, options={"seats": 3})
    assert (result.games, result.deals, result.wins) == (80, 40, 40)
    assert result.opponent_points == 0
    assert result.points > 5
    assert result.together
    assert result.table is not None
    assert result.table.perfect is not None
    assert 0.0 < result.table.perfect[0] < 0.6
    assert result.table.perfect[1] == 0.0


@pytest.mark.slow
def test_a_test_of_two_players_ends_at_a_table_too() -> None:
    verdict = play_sprt(RandomPlayer(GAME), goofspiel.contrary(), Sprt(0, 30), options={"seats": 4}, most_deals=2000)
    assert verdict.accepted == "H1"


def test_every_player_follows_its_own_game_at_a_table() -> None:
    told: list[tuple[int, tuple[int, ...]]] = []

    class Following(Player):
        needs = Needs.HISTORY

        def begin_game(self, seat: int, options: Mapping[str, int]) -> None:
            self.seat = seat
            assert options["seats"] == 3

        def choose(self, seen: Observed, moves: Moves) -> int:
            assert seen.seat == self.seat
            assert all(ply.move == UNKNOWN for ply in seen.history if ply.seat != self.seat)
            return int(moves[0])

        def end_game(self, points: tuple[int, ...]) -> None:
            told.append((self.seat, points))

    result = play_match(Following(GAME, "one"), RandomPlayer(GAME), deals=2, options={"seats": 3})
    assert result.games == 12
    assert Counter(seat for seat, _ in told) == dict.fromkeys(range(3), 6)
    assert all(len(points) == 3 for _, points in told)


class Failing(Player):
    def choose(self, seen: Any, moves: Moves) -> int:
        raise ValueError("no")


@pytest.mark.parametrize("game", [GAME, goofspiel.together])
def test_a_fault_loses_at_any_table(game: Game) -> None:
    deals = draw_deals(game, 1, 1)
    together = game.together(deals.seats)
    schedule = mirrored(1, seats=deals.seats, together=together)
    games = play_games([Failing(game, "failing"), RandomPlayer(game)], deals, schedule, terms=Terms(faults_lose=True))
    for number, (_, *players) in enumerate(schedule.tolist()):
        at_fault = [seat for seat, player in enumerate(players) if player == 0]
        if at_fault and not together:
            assert games.points[number].argmin() in at_fault
        assert (games.faults[number] is not None) == bool(at_fault)


class Leading(Player):
    """Bids its highest card for the first two prizes, and then fails."""

    def choose(self, seen: Any, moves: Moves) -> int:
        if seen.turn == 2:
            raise ValueError("no")
        return int(moves[-1])


class Losing(Player):
    """Bids its lowest card, and fails at the last prize."""

    def choose(self, seen: Any, moves: Moves) -> int:
        if seen.turn == seen.cards - 1:
            raise ValueError("no")
        return int(moves[0])


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("kind", [Leading, Losing])
def test_a_forfeit_costs_what_it_takes_to_be_last_and_no_more(seats: int, kind: type[Player]) -> None:
    """The points at the fault are those of the game so far; only the player at fault loses any of them."""
    deals = draw_deals(GAME, 6, 4, options={"seats": seats})
    schedule = one_among(6, seats=seats)
    players = [RandomPlayer(GAME), kind(GAME, "failing")]
    kept = 0
    games = play_games(players, deals, schedule, terms=Terms(faults_lose=True), keep_moves=True)
    for number, (deal, *seated) in enumerate(schedule.tolist()):
        position = Position(GAME, {"seats": seats}, deals.cards[deal])
        for move in games.moves[number, : games.plies[number]].tolist():
            position.push(move)
        assert not position.over
        at_fault = seated.index(1)
        so_far = np.array(position.points)
        others = np.delete(so_far, at_fault)
        points = games.points[number]
        assert np.delete(points, at_fault).tolist() == others.tolist()
        assert points[at_fault] == min(so_far[at_fault], others.min() - 1)
        assert games.faults[number].seat == at_fault
        assert not games.stalled[number]
        kept += points[at_fault] == so_far[at_fault]
    assert (kept > 0) == (kind is Losing)
