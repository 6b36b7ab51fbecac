"""Exact values of small boards: by the oracle's value iteration, by hand, and kept by perfect play."""

from __future__ import annotations

import json
from pathlib import Path

import naive_cant_stop as naive
import pytest
from cant_stop_positions import GAME, position
from recorded import recorded

from rulebots.errors import UsageError
from rulebots.game import CHANCE
from rulebots.game.position import Position
from rulebots.games.cant_stop.solver import tablebase_of
from rulebots.kernel import compiling
from rulebots.packages.players import make_player
from rulebots.play.deals import draw_deals
from rulebots.search.exact.solving import Solution, SolvedTable, solve

TINY = {"sides": 2, "shortest": 1, "needed": 2}
FIVE_COLUMNS = {"sides": 3, "shortest": 1, "needed": 2}
ALONE = {"sides": 2, "shortest": 1, "seats": 1}
SLOW = pytest.mark.slow
solved_compiled = pytest.mark.compiled


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


@solved_compiled
@pytest.mark.parametrize(
    ("sides", "shortest", "turns"),
    [(2, 1, 1.298), (2, 2, 1.347), (2, 3, 1.400), (3, 1, 1.480), (3, 2, 1.722), pytest.param(3, 3, 1.890, marks=SLOW)],
)
def test_who_is_alone_needs_as_few_turns_as_published(sides: int, shortest: int, turns: float) -> None:
    """By Glenn, Fang and Kruskal, to the decimals that are quoted; each turn costs a point."""
    options = {"sides": sides, "shortest": shortest, "seats": 1}
    assert solve(GAME, options).value == pytest.approx(-turns, abs=0.0006)
    base = tablebase_of(Position(GAME, options))
    assert (base.winning, base.positions) == (0, int(base.begins.sum()))
    assert base.value(base.position(0)) == pytest.approx(solve(GAME, options).value)


def test_turns_taken_and_the_end_count_alone() -> None:
    here = Position.from_text(GAME, "1,2,0/- X dice 4", ALONE)
    before = tablebase_of(here).value(here)
    assert before == pytest.approx(tablebase_of(here).value(Position.from_text(GAME, "1,2,0/- X dice 9", ALONE)) + 5)
    assert tablebase_of(here).value(Position.from_text(GAME, "1,3,1/- X - 4", ALONE)) == -4


@pytest.mark.parametrize(
    "options",
    [
        TINY,
        pytest.param(FIVE_COLUMNS, marks=solved_compiled),
        ALONE,
        pytest.param({"sides": 3, "shortest": 1, "both": 0, "seats": 1}, marks=solved_compiled),
    ],
    ids=str,
)
def test_the_value_of_a_decision_is_that_of_its_best_move(options: dict[str, int]) -> None:
    """By the law itself, at every decision and every roll of random games."""
    base = tablebase_of(Position(GAME, options))
    for number in range(5 if compiling() and "seats" not in options else 1):  # alone they are long
        record = recorded(draw_deals(GAME, 5, 2, options=options), number)
        for ply in range(min(record.plies, 40)):
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


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("0,0,0/0,1,0/0,2,0 X decide", TINY),
        ("0,0,0/0,2,0 X decide 3", ALONE),
        pytest.param("1,1,0/0,2,0 X 1-1-2-2 3", ALONE | {"shortest": 2}, marks=pytest.mark.slow),
    ],
)
def test_nobody_does_better_than_perfect_play(text: str, options: dict[str, int]) -> None:
    """`perfect` decides by these values: where stopping wins less often than rolling, it rolls."""
    perfect = make_player("perfect", GAME)
    here = Position.from_text(GAME, text, options)
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
    with pytest.raises(UsageError, match=r"in 18,432 ways, of at most 5000; choose sides=2 or sides=3$"):
        solve(GAME, {"sides": 4, "shortest": 1, "seats": 1})
    with pytest.raises(
        UsageError, match=r"^expected one or two seats for exact values, not the 3 of Can't Stop: choose fewer$"
    ):
        solve(GAME, {"sides": 3, "shortest": 1, "needed": 1, "seats": 3})


def test_a_file_of_solved_boards_names_the_seats_where_they_are_not_two(tmp_path: Path) -> None:
    table = SolvedTable(tmp_path / "solved.json", GAME)
    for options in (TINY, ALONE):
        table.add(options, Solution(0.5, (), 9, 0.1))
    entries = json.loads(table.path.read_text())["solved"]
    assert [entry["options"].get("seats") for entry in entries] == [None, 1]
    again = SolvedTable(table.path, GAME)
    assert TINY in again
    assert ALONE in again
    assert {**TINY, "seats": 1} not in again
