"""Searches of a game with chance in play: against exact values, and never with the deal's own dice."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from naive_pig import expected_margin, winning

from rulebots.errors import UsageError
from rulebots.game import CHANCE, Game
from rulebots.game.dtypes import extended
from rulebots.game.position import Position
from rulebots.kernel import compiling, kernel
from rulebots.packages.players import make_player
from rulebots.play.match import play_match
from rulebots.players import KernelPlayer
from rulebots.search.exact import best_moves, solve, tablebase_finder, value_of_move
from rulebots.search.exact.accuracy import accuracy
from rulebots.search.mcts.player import MctsPlayer
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.settings import SearchSettings
from rulebots.search.minimax import Limits, Minimax, MinimaxPlayer

GOAL, SIDES = 10, 4
#: Dice in a deal of the twin whose dice are known.
DICE = 200
TINY = {"goal": 6, "turns": 2, "sides": 3}


@kernel
def hold_at_ten(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """A fair player of a short game."""
    return moves[n - 1] if view.total >= 10 else moves[0]


def pig_at(pig: Game, mine: int, theirs: int, total: int, **options: int) -> Position:
    """Seat 0 to move, with such scores."""
    position = Position(pig, {"goal": GOAL, "sides": SIDES, **options}, luck=[3, 4])
    position.state.scores, position.state.total = (mine, theirs), total
    return position


def all_reached(position: Position) -> list[Position]:
    """Every decision that can follow, each once."""
    known: dict[bytes, Position] = {}
    pending = [position]
    while pending:
        here = pending.pop()
        if here.over or here.state.tobytes() in known:
            continue
        known[here.state.tobytes()] = here
        for move in here.legal_moves.tolist():
            child = here.copy()
            child.push(move)
            pending.append(child)
    return [here for here in known.values() if not here.chance_to_move]


def expectimax(position: Position, depth: int) -> float:
    """The margin for the mover, or for seat 0 where chance moves, as the textbook has it; nothing is cut off."""
    side = max(position.mover, 0)
    if position.over or (depth == 0 and not position.chance_to_move):
        return position.points[side] - position.points[1 - side]
    values = []
    for move in position.legal_moves.tolist():
        child = position.copy()
        child.push(move)
        value = expectimax(child, max(depth - 1, 0))
        values.append(value if max(child.mover, 0) == side else -value)
    return float(np.dot(position.outcomes[1], values)) if position.chance_to_move else max(values)


@pytest.mark.slow
@pytest.mark.parametrize("loaded", [1, 4])
def test_exact_values_are_expectations(pig: Game, loaded: int) -> None:
    options = {**TINY, "loaded": loaded}
    expected = expected_margin(6, 2, 3, loaded)
    solution = solve(pig, options)
    assert solution.value == pytest.approx(expected, abs=1e-9)
    assert solution.line == ("roll",)
    base = tablebase_finder(pig)(Position(pig, options))
    assert base.value(Position(pig, options)) == solution.value
    for position in all_reached(Position(pig, options))[5::40]:
        assert base.value(position) == pytest.approx(expectimax(position, 99), abs=1e-9)


def test_minimax_to_the_end_gives_the_exact_value_with_and_without_a_table(pig: Game) -> None:
    base = tablebase_finder(pig)(Position(pig, TINY))
    plain, tabled = Minimax(pig, megabytes=0), Minimax(pig, megabytes=1, verify_positions=True)
    decisions = all_reached(Position(pig, TINY))
    for position in decisions[:: 1 if compiling() else 25]:
        for search in (tabled, plain) if int(position.state.turns) < 3 else (tabled,):
            result = search.best(position, Limits(depth=search.most_depth))
            assert result.exact
            # Values are rounded to 1/1024 of a point at each chance decision.
            assert result.value == pytest.approx(base.value(position), abs=0.01)
            assert value_of_move(base, position, result.move) == pytest.approx(base.value(position), abs=0.01)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_minimax_to_a_depth_is_expectimax_to_that_depth(pig: Game, depth: int) -> None:
    search = Minimax(pig, megabytes=0)
    for mine, theirs, total in ((0, 0, 0), (0, 0, 3), (6, 4, 3), (3, 8, 2), (9, 9, 0), (0, 0, 9)):
        position = pig_at(pig, mine, theirs, total, loaded=2)
        result = search.best(position, Limits(depth=depth))
        assert result.value == pytest.approx(expectimax(position, depth), abs=0.01)


@pytest.mark.interpreted
def test_the_line_of_a_search_ends_where_chance_moves(pig: Game) -> None:
    position = pig_at(pig, 0, 0, 0)
    for result in (
        Minimax(pig).best(position, Limits(depth=4)),
        Search(pig, SearchSettings(iterations=200)).run(position),
    ):
        assert [position.write(move) for move in result.line] == ["roll"]


def test_nothing_is_searched_where_chance_moves(pig: Game) -> None:
    position = Position(pig)
    position.push(position.read("roll"))
    for run in (
        lambda: Minimax(pig).best(position, Limits(depth=2)),
        lambda: Search(pig, SearchSettings(iterations=9)).run(position),
        lambda: make_player("perfect", pig).choose(position, position.legal_moves),
    ):
        with pytest.raises(UsageError, match="chance is to move: there is nothing to decide"):
            run()


def settings(name: str) -> SearchSettings:
    return {
        "plain": SearchSettings(iterations=4000),
        "batches": SearchSettings(iterations=4000, batch=8),
        "puct": SearchSettings(iterations=4000, select="puct"),
    }[name]


@pytest.mark.interpreted
@pytest.mark.slow
@pytest.mark.parametrize("name", ["plain", "batches", "puct"])
def test_tree_search_finds_the_chance_of_winning_and_the_better_move(pig: Game, name: str) -> None:
    exact = winning(GOAL, SIDES)
    search, checked = Search(pig, settings(name)), 0
    for (mine, theirs, total), (roll, hold) in list(exact.items())[:: 7 if compiling() else 90]:
        if not total:
            continue
        position = pig_at(pig, mine, theirs, total)
        result = search.run(position, seed=5)
        best = "roll" if roll > hold else "hold"
        assert result.value == pytest.approx(2 * max(roll, hold) - 1, abs=0.2)
        if abs(roll - hold) > 0.05:
            checked += 1
            assert position.write(result.move) == best, (mine, theirs, total, roll, hold)
            assert result.values[0] == pytest.approx(2 * max(roll, hold) - 1, abs=0.15)
    assert checked > (10 if compiling() else 1)


def test_every_simulation_below_a_chance_node_is_drawn_by_the_odds(pig: Game) -> None:
    search = Search(pig, SearchSettings(iterations=2000 if compiling() else 400))
    position = pig_at(pig, 0, 0, 0, loaded=5)
    search.run(position)
    tree = search._tree
    roll = int(tree.first_child[0])
    faces = slice(tree.first_child[roll], tree.first_child[roll] + tree.child_count[roll])
    assert tree.mover[roll] == -1
    assert tree.prior[faces].tolist() == [0.125, 0.125, 0.125, 0.625]
    visits = tree.visits[faces]
    shares, odds = visits / visits.sum(), tree.prior[faces]
    assert (np.abs(shares - odds) < 4 * np.sqrt(odds * (1 - odds) / visits.sum())).all()
    # A value stands for seat 0 everywhere, whoever moves before or after.
    assert tree.value_sum[faces].sum() == pytest.approx(tree.value_sum[roll], abs=1.01)


@pytest.mark.slow
def test_chance_proves_only_what_every_outcome_proves(pig: Game) -> None:
    searching = SearchSettings(iterations=600 if compiling() else 150)
    # A die of two sides, one of which never shows: what is left wins or loses for certain.
    certain = pig_at(pig, 8, 0, 0, goal=10, sides=2, loaded=100)
    result = Search(pig, searching).run(certain)
    assert not result.proven.any(), "a 1 may still show"
    impossible = pig_at(pig, 8, 9, 0, goal=10, sides=2, loaded=0)
    result = Search(pig, searching).run(impossible)
    assert result.value < 1, "a 2, which would win, never shows"
    won = pig_at(pig, 9, 0, 3, goal=10, sides=3)
    result = Search(pig, searching).run(won)
    assert won.write(result.move) == "hold"
    assert result.proven[0]
    assert result.value == 1


@pytest.mark.slow
def test_a_tree_follows_the_game_through_the_dice(pig: Game) -> None:
    search = Search(pig, SearchSettings(iterations=800))
    position = pig_at(pig, 0, 0, 0)
    assert search.run(position).kept == 0
    position.push(position.read("roll"))
    position.push(position.read("die:3"))
    assert search.run(position).kept > 10


def test_a_python_evaluator_is_asked_about_chance_for_seat_0(pig: Game) -> None:
    asked = []

    def half_won_by_seat_0(states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        asked.extend(states["mover"].tolist())
        priors = np.ones((len(states), pig.move_count))
        priors[:, 0] = 1000.0  # of outcomes these do not count
        return np.where(states["mover"] == 1, -0.5, 0.5), priors

    search = Search(pig, SearchSettings(iterations=300), evaluator=half_won_by_seat_0)
    search.run(pig_at(pig, 0, 0, 3, goal=1000))
    tree, used = search._tree, int(search._tree.size[0])
    assert set(asked) == {-1, 0, 1}
    assert tree.value_sum[:used] == pytest.approx(tree.visits[:used] / 2)
    for node in np.flatnonzero(tree.mover[:used] == CHANCE).tolist():
        first = tree.first_child[node]
        assert not first or tree.prior[first : first + SIDES].tolist() == [1 / SIDES] * SIDES


def with_known_dice(pig: Game) -> Game:
    """Pig as it was before chance was a mover: the dice lie in the deal, where every search of positions reads them."""
    state = extended(pig.state, [("dice", np.int32, (DICE,)), ("rolled", np.int32)])
    setup, play = pig.setup, pig.play

    @kernel
    def setup_dice(state: Any, deal: Any, options: Any) -> None:
        setup(state, deal, options)
        for i in range(DICE):
            state.dice[i] = deal[i]

    @kernel
    def play_known(state: Any, move: int) -> None:
        play(state, move)
        if state.mover == CHANCE:
            state.rolled += 1
            play(state, int(state.dice[state.rolled % DICE]))

    def draw_dice(rng: np.random.Generator, count: int, options: Any) -> np.ndarray:
        return rng.integers(0, 6, (count, DICE))

    law = {"setup": setup_dice, "play": play_known, "draw_deals": draw_dice}
    return dataclasses.replace(pig, state=state, chance=False, odds=None, **law)


@pytest.mark.slow
def test_no_search_knows_the_dice_that_will_roll(pig: Game) -> None:
    """A search of Pig with known dice wins nearly every game; of Pig itself, hardly more than a good player."""
    known, options = with_known_dice(pig), {"goal": 30, "turns": 30}
    deals = 100 if compiling() else 4
    for search in (
        lambda game: MctsPlayer(game, SearchSettings(iterations=300)),
        lambda game: MinimaxPlayer(game, Limits(depth=6)),
    ):
        won = [
            play_match(search(game), KernelPlayer(game, hold_at_ten, "ten"), deals, options=options).win_rate
            for game in (known, pig)
        ]
        assert won[0] > 0.85
        assert won[1] < 0.7


def test_perfect_play_takes_the_best_expectation(pig: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    player = make_player("perfect", pig)
    for position in all_reached(Position(pig, TINY))[::20]:
        position.luck = [1, 1]
        base = tablebase_finder(pig)(position)
        assert player.decide(position) in best_moves(base, position)
    monkeypatch.setattr("rulebots.search.exact.tablebase.MOST_POSITIONS", 1000)
    with pytest.raises(UsageError, match="perfect play looks at every position, but this board of Pig has more than"):
        player.choose(Position(pig), Position(pig).legal_moves)


def test_no_win_is_certain_where_chance_is_in_play(pig: Game) -> None:
    with pytest.raises(UsageError, match="no position of this board of Pig is won for certain"):
        accuracy(make_player("hand", pig), TINY, 10, 1)
