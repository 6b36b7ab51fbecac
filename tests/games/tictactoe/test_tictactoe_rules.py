"""Tic-tac-toe: every rule on written positions, and Newell and Simon's order against everything."""

from __future__ import annotations

import pytest
from played_positions import after
from row_positions import reached, seen, value_at
from written_positions import Case, on_written_positions

from rulebots.game.position import Position
from rulebots.games.tictactoe.rules import newell_simon, standard
from rulebots.kernel import compiling
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.match import play_match
from rulebots.players import Player

GAME = load_game("tictactoe")
FIVE = {"size": 5, "win": 4}

#: Rule, point, value; my stones, the opponent's; options.
WRITTEN: list[tuple[str, str, float, str, str, dict[str, int]]] = [
    ("win", "0,2", 1, "0,0 0,1", "1,0 1,1", {}),
    ("win", "1,2", 0, "0,0 0,1", "1,0 1,1", {}),
    ("win", "0,2", 0, "0,0 0,1", "1,0 1,1", {"size": 4}),
    ("win", "2,2", 1, "1,1 3,3", "0,1 0,2", {"size": 4, "win": 3}),
    ("block", "1,2", 1, "0,0 0,1", "1,0 1,1", {}),
    ("block", "0,2", 0, "0,0 0,1", "1,0 1,1", {}),
    ("block", "2,0", 1, "0,0", "1,1 0,2", {}),
    ("fork", "2,0", 1, "0,0 2,2", "1,1 0,2", {}),
    ("fork", "2,1", 0, "0,0 2,2", "1,1 0,2", {}),
    ("fork", "2,2", 1, "2,1 2,3", "0,0 4,4", FIVE),  # an open three: both ends complete four
    ("fork", "2,2", 0, "2,1 2,3", "0,0 2,0", FIVE),  # a closed one
    ("block_fork", "1,0", 0, "1,1", "0,0 2,2", {}),  # a threat, and he forks nowhere near
    ("block_fork", "2,0", 0, "1,1", "0,0 2,2", {}),  # his other fork answers it
    ("block_fork", "0,0", 1, "1,1", "0,1 1,0", {}),  # the only one
    ("forestall", "1,0", 1, "1,1", "0,0 2,2", {}),
    ("forestall", "0,2", 0, "1,1", "0,0 2,2", {}),
    ("centre", "1,1", 1, "", "0,0", {}),
    ("centre", "0,1", 0, "", "0,0", {}),
    ("centre", "2,1", 1, "", "0,0", {"size": 4}),
    ("opposite_corner", "2,2", 1, "1,1", "0,0", {}),
    ("opposite_corner", "0,2", 0, "1,1", "0,0", {}),
    ("opposite_corner", "0,4", 1, "", "4,0", FIVE),
    ("opposite_corner", "2,2", 0, "0,0", "1,1", {}),
    ("corner", "2,0", 1, "", "1,1", {}),
    ("corner", "2,1", 0, "", "1,1", {}),
    ("side", "2,1", 1, "", "1,1", {}),
    ("side", "2,0", 0, "", "1,1", {}),
    ("side", "1,1", 0, "", "", {}),
    ("threat", "0,1", 1, "0,0", "2,2", {}),
    ("threat", "0,1", 0, "", "2,2", {}),
    ("threat", "2,0", 0, "0,0 2,2", "1,1 0,2", {}),  # a fork is more than a threat
    ("prevents_threat", "0,1", 1, "2,2", "0,0", {}),
    ("prevents_threat", "0,1", 0, "0,2", "0,0", {}),
    ("invites_fork", "2,0", 1, "1,1", "0,0 2,2", {}),
    ("invites_fork", "1,0", 0, "1,1", "0,0 2,2", {}),
    ("open_lines", "1,1", 1, "", "", {}),
    ("open_lines", "1,1", 0.75, "", "0,0", {}),
    ("open_lines", "0,1", 0.25, "", "0,0", {}),
    ("open_lines", "0,1", 0, "", "0,0 1,1", {}),
    ("closes_lines", "1,1", 0.75, "0,0", "", {}),
    ("closes_lines", "0,1", 0, "0,0 1,1", "", {}),
    ("builds", "0,2", 1, "0,0 0,1", "", {}),
    ("builds", "0,2", 0.5, "0,0", "2,2", {}),
    ("builds", "0,2", 0, "", "2,2", {}),
    ("hinders", "0,2", 1, "2,2", "0,0 0,1", {}),
    ("hinders", "0,2", 0, "0,1 1,2 1,1", "0,0", {}),
    ("strengthens", "0,2", 4 / 16, "0,0 0,1", "", {}),
    ("strengthens", "0,2", 2 / 16, "0,0 2,0", "", {}),
    ("strengthens", "0,2", 0, "1,0", "", {}),
    ("weakens", "0,2", 4 / 16, "", "0,0 0,1", {}),
    ("weakens", "0,2", 0, "", "1,0", {}),
    ("central", "1,1", 1, "", "", {}),
    ("central", "0,1", 0, "", "", {}),
    ("central", "1,2", 0.5, "", "", {"size": 5}),
]
CASES = [
    Case(
        f"put.{rule}",
        f"at {at}, {mine or 'nothing'} against {theirs or 'nothing'} {options or ''}".rstrip(),
        {"mine": mine, "theirs": theirs, **options},
        at,
        value,
    )
    for rule, at, value, mine, theirs, options in WRITTEN
]


@on_written_positions(standard, CASES)
def test_a_standard_rule_of_tictactoe(case: Case) -> None:
    assert value_at(standard, case.rule, seen(GAME, **case.position), case.about) == pytest.approx(case.value)


@on_written_positions(newell_simon, [case for case in CASES if case.rule in newell_simon.columns])
def test_a_rule_of_newell_and_simons_order(case: Case) -> None:
    assert value_at(newell_simon, case.rule, seen(GAME, **case.position), case.about) == case.value


def lost_games(player: Player, seat: int, position: Position, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every sequence of the opponent's moves, all of them tried, by which the player in that seat loses."""
    if position.over:
        return [path] * position.points[1 - seat]
    moves = [player.decide(position)] if position.mover == seat else position.legal_moves.tolist()
    found = []
    for move in moves:
        found += lost_games(player, seat, after(position, move), (*path, position.write(move)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["newell-simon", "standard", "champion"] if compiling() else ["champion"])
@pytest.mark.parametrize("seat", [0, 1])
def test_newell_and_simons_order_and_its_bred_heir_never_lose_on_3_x_3(name: str, seat: int) -> None:
    assert lost_games(make_player(name, GAME), seat, Position(GAME, compiled=True)) == []


@pytest.mark.slow
def test_to_win_and_block_alone_does_lose() -> None:
    assert lost_games(make_player("careful", GAME), 1, Position(GAME, compiled=True))


def test_each_weight_of_the_order_is_more_than_all_that_follow() -> None:
    weights = newell_simon.hand_tuned()[0].tolist()
    assert all(weight > sum(weights[i + 1 :]) for i, weight in enumerate(weights))


def test_on_a_larger_board_facts_of_lines_beat_the_order_alone() -> None:
    deals = 100 if compiling() else 2
    players = (make_player(name, GAME) for name in ("standard", "newell-simon"))
    assert play_match(*players, deals=deals, options={"size": 6, "win": 4}).win_rate > 0.5


def test_progress_is_the_share_of_points_taken() -> None:
    view = reached(GAME, "0,0 1,1 2,2").view()
    assert standard.progress is not None
    assert standard.progress(view) == pytest.approx(3 / 9)
