"""Exact values of small boards: by the oracle's value iteration, by hand, and kept by perfect play."""

from __future__ import annotations

import naive_cant_stop as naive
import pytest
from cant_stop_positions import GAME, position
from recorded import recorded

from rulebots.errors import UsageError
from rulebots.game import CHANCE
from rulebots.game.position import Position
from rulebots.games.cant_stop.solver import tablebase_of
from rulebots.kernel import compiling
from rulebots.play.deals import draw_deals
from rulebots.players.names import make_player
from rulebots.search.exact.solving import solve

TINY = {"sides": 2, "shortest": 1, "needed": 2}
FIVE_COLUMNS = {"sides": 3, "shortest": 1, "needed": 2}
solved_compiled = pytest.mark.skipif(not compiling(), reason="interpreted, these boards take a quarter of an hour")


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"sides": 2, "shortest": 1, "needed": 1}, TINY], ids=str)
def test_every_turn_begins_with_the_value_of_the_oracle(options: dict[str, int]) -> None:
    oracle = naive.Values(**options)
    base = tablebase_of(Position(GAME, options))
    seen = 0
    for number in range(base.positions):
        here = base.position(number)
        marks = tuple(tuple(int(n) for n in row[: len(oracle.tops)]) for row in here.state.height[:2])
        if marks in oracle.win:  # the others cannot come about
            seen += 1
            assert base.value(here) == pytest.approx(2 * oracle.win[marks] - 1, abs=1e-9)
    assert seen == len(oracle.win)
    assert base.winning == sum(base.value(base.position(number)) > 1e-12 for number in range(base.positions))


def test_a_board_solved_by_hand() -> None:
    """With two sides and one column to win, columns 2, 3 and 4 have 1, 3 and 1 spaces.

    A roll of all 1s or all 2s (2 of 16) wins at once; so does 1-1-2-2 (6 of 16), as 2+4. 1-1-1-2 and 1-2-2-2 (8 of 16)
    make 2+3 and 3+4, which win as well.
    """
    assert solve(GAME, {"sides": 2, "shortest": 1, "needed": 1}).value == pytest.approx(1)


@solved_compiled
def test_the_value_of_a_board_of_five_columns() -> None:
    """What the first player has of the first roll, on the largest boards that are solved."""
    values = [solve(GAME, {"sides": 3, "shortest": 1, "needed": needed}).value for needed in (1, 2)]
    assert values[0] > values[1] > 0
    # Among equals a mirrored board has the same value: columns 2 and 6, 3 and 5 are alike.
    base = tablebase_of(Position(GAME, FIVE_COLUMNS))
    for one, other in (("2:1", "6:1"), ("3:2", "5:2"), ("3:1 6:1", "5:1 2:1")):
        here, there = (position(text, **FIVE_COLUMNS) for text in (one, other))
        assert base.value(here) == pytest.approx(base.value(there), abs=1e-9)


@pytest.mark.parametrize("options", [TINY, pytest.param(FIVE_COLUMNS, marks=solved_compiled)], ids=str)
def test_the_value_of_a_decision_is_that_of_its_best_move(options: dict[str, int]) -> None:
    """By the law itself, at every decision and every roll of random games."""
    base = tablebase_of(Position(GAME, options))
    for number in range(5 if compiling() else 1):
        record = recorded(draw_deals(GAME, 5, 2, options=options), number)
        for ply in range(record.plies):
            here = record.position(ply)
            found = []
            for move in here.legal_moves.tolist():
                child = here.copy()
                child.play(move)
                sign = 1 if max(child.mover, 0) == max(here.mover, 0) else -1
                found.append(sign * base.value(child))
            if here.mover == CHANCE:
                expected = sum(float(odds) * value for odds, value in zip(here.outcomes[1], found, strict=True))
            else:
                expected = max(found)
            assert base.value(here) == pytest.approx(expected, abs=1e-9)


def test_nobody_does_better_than_perfect_play() -> None:
    """`perfect` decides by these values: where stopping wins less often than rolling, it rolls."""
    perfect = make_player("perfect", GAME)
    here = position(runners="3:2", mine="", theirs="3:1", **TINY)
    base = tablebase_of(here)
    best = max(here.legal_moves.tolist(), key=lambda move: after(base, here, move))
    assert perfect.decide(here) == best


def after(base: object, here: Position, move: int) -> float:
    child = here.copy()
    child.play(move)
    return base.value(child)  # type: ignore[attr-defined]


def test_a_large_board_is_refused() -> None:
    with pytest.raises(
        UsageError, match=r"exact values of Can't Stop take a small board: .*choose sides=2, or sides=3"
    ):
        solve(GAME)
