"""The standard rules of Kalah: on a written position the value each must give, and their facts by an oracle."""

from __future__ import annotations

from typing import Any

import pytest
from kalah_positions import case, position, value_in
from played_positions import after
from written_positions import Case, facts_of, on_written_positions

from rulebots.game.position import Position
from rulebots.games.kalah.rules import capture, standard

START = "4 4 4 4 4 4"
#: Pit 0 captures 7, pit 1 ends in my store.
CAPTURE = ("2 5 0 0 0 1", "1 1 1 7 1 1")
#: The opponent's pit 0 captures the 9 (of its pit 2, opposite), unless I move them.
THREAT = ("0 0 0 9 0 1", "2 0 0 4 0 0")
#: Few stones: three turns in my store, or the end.
LATE = ("0 0 0 0 2 1", "1 0 0 0 0 0")

CASES = [
    case("win.extra_turn", "four stones, four cells to the store", 2, 1, (START, START)),
    case("win.extra_turn", "one cell further", 3, 0, (START, START)),
    case("win.extra_turn", "the last stone ends the game", 5, 0, ("0 0 0 0 0 1", START)),
    case("win.stones_won", "a captor and seven", 0, 1.6, CAPTURE),
    case("win.stones_won", "one into the store", 5, 0.2, CAPTURE),
    case("win.captures", "seven", 0, 1, CAPTURE),
    case("win.captures", "none", 1, 0, CAPTURE),
    case("win.captures", "only the last stone itself", 0, 0, ("2 5 0 0 0 1", "1 1 1 0 1 1")),
    case("win.capture_size", "seven", 0, 1.4, CAPTURE),
    case("win.capture_size", "none", 1, 0, CAPTURE),
    case("win.best_turn_won", "3 into my store, 1 swept to the opponent", 5, 0.4, LATE),
    case("win.best_turn_won", "2 into my store, 2 swept to the opponent", 4, 0.0, LATE),
    case("win.exchange", "nothing more to come", 5, 0.4, LATE),
    case(
        "win.exchange",
        "8 won, and the opponent ends the game: 1 for it, 2 for me",
        0,
        1.8,
        ("2 0 0 0 0 1", "0 0 0 7 0 1"),
    ),
    case("win.next_turn_won", "8 won, 2 taken back, 2 won", 0, 1.6, CAPTURE),
    case("win.next_turn_won", "the game is over", 5, 0.4, LATE),
    case("win.next_exchange", "and 2 taken back", 0, 1.2, CAPTURE),
    case("win.next_exchange", "the game is over", 5, 0.4, LATE),
    case("win.next_capture", "the 7 opposite the empty pit", 5, 1.4, CAPTURE),
    case("win.next_capture", "it is captured already", 0, 0, CAPTURE),
    case("win.next_extra_turns", "pits 1 and 5", 0, 1 / 3, CAPTURE),
    case("win.next_extra_turns", "none is left", 5, 0, THREAT),
    case("danger.reply", "nine and its last stone", 5, 0, THREAT),
    case("danger.reply", "only the 4", 3, 0.4, THREAT),
    case("danger.answer", "I move again", 5, 0, THREAT),
    case("danger.answer", "after it", 3, 0.2, THREAT),
    case("danger.threatened", "I move again", 5, 0, THREAT),
    case("danger.threatened", "the first of my pits", 0, 1.8, ("1 0 0 9 0 1", "2 0 0 4 0 0")),
    case("danger.exposed", "nine", 0, 1.8, ("1 0 0 9 0 1", "2 0 0 4 0 0")),
    case("danger.exposed", "I move again", 5, 0, THREAT),
    case("danger.rescues", "the nine have gone", 3, 1.8, THREAT),
    case("danger.rescues", "they are still there", 0, 0, ("1 0 0 9 0 1", "2 0 0 4 0 0")),
    case("danger.largest_safe", "the nine are threatened", 5, 0, THREAT),
    case("danger.largest_safe", "nothing is", 0, 1, (START, START)),
    case("danger.opponents_extra_turns", "its pit 2", 5, 1 / 3, (START, START)),
    case("danger.opponents_extra_turns", "none", 5, 0, THREAT),
    case("shape.hoard", "9 against 6", 5, 0.3, THREAT),
    case("shape.hoard", "22 against 25", 3, -0.3, (START, START)),
    case("shape.given", "one", 3, 0.2, (START, START)),
    case("shape.given", "none", 2, 0, (START, START)),
    case("shape.to_the_right", "all in pit 5", 4, 1, ("0 0 0 0 1 1", START)),
    case("shape.to_the_right", "all in pit 2", 5, 0.5, ("0 0 8 0 0 1", START)),
    case("shape.from_the_right", "pit 5", 5, 1, (START, START)),
    case("shape.from_the_right", "pit 2", 2, 0.5, (START, START)),
    case("shape.pit_size", "nine", 3, 1.8, THREAT),
    case("shape.pit_size", "one", 5, 0.2, THREAT),
    case("shape.empty_pits", "five", 5, 5 / 6, THREAT),
    case("shape.empty_pits", "one", 2, 1 / 6, (START, START)),
    case("shape.far_pits", "pit 3", 5, 1 / 6, THREAT),
    case("shape.far_pits", "none", 5, 0, LATE),
    case("shape.fullest", "nine", 5, 1.8, THREAT),
    case("shape.fullest", "five", 2, 1, (START, START)),
    case("shape.tempo", "two stones in pit 5, of which one would go across", 4, 0, ("0 0 0 0 1 1", START)),
    case("shape.tempo", "a stone in pits 1, 3, 4 and 5", 0, (5 + 3 + 2 + 1) / 21, ("2 0 0 1 1 1", START)),
    case("end.ends_the_game", "I win it", 5, 1, ("0 0 0 0 0 1", "1 0 0 0 0 0"), (30, 16)),
    case("end.ends_the_game", "I lose it", 5, -1, ("0 0 0 0 0 1", "1 0 0 0 0 0"), (10, 36)),
    case("end.ends_the_game", "it goes on", 5, 0, THREAT),
    case("end.majority", "25 of 48", 5, 1, ("1 0 0 0 0 1", "1 0 0 0 0 0"), (24, 21)),
    case("end.majority", "24 of 48", 5, 0, ("1 0 0 0 0 1", "2 0 0 0 0 0"), (23, 21)),
    case("end.starving", "one stone left, and I am ahead", 5, 0.5, ("1 0 0 0 0 1", "1 0 0 0 0 0"), (24, 21)),
    case("end.starving", "I am behind", 5, 0, ("1 0 0 0 0 1", "1 0 0 0 0 0"), (10, 35)),
    case("end.starved", "one stone left, and I am behind", 5, 0.5, ("1 0 0 0 0 1", "1 0 0 0 0 0"), (10, 35)),
    case("end.starved", "I am ahead", 5, 0, ("1 0 0 0 0 1", "1 0 0 0 0 0"), (24, 21)),
]


def looked_at(position: Position, pit: int) -> Any:
    """The view of a position with the facts of a pit."""
    return facts_of(standard, position.view(), pit)


@on_written_positions(standard, CASES)
def test_a_standard_rule_of_kalah(case: Case) -> None:
    found = value_in(standard, case.rule, position(**case.position), int(case.about))
    assert found == pytest.approx(case.value, abs=1e-12)


@pytest.mark.parametrize(
    ("mine", "pit", "captured"),
    [
        ("2 5 0 0 0 1", 0, 7),
        ("2 5 1 0 0 1", 0, 0),
        ("0 13 0 0 0 0", 1, 2),
        ("0 14 0 0 0 0", 1, 0),
        ("0 0 0 0 0 10", 5, 8),
        ("4 4 4 4 4 4", 3, 0),
    ],
)
def test_a_capture_to_come_is_the_one_that_sowing_makes(mine: str, pit: int, captured: int) -> None:
    before = position(mine, "1 1 1 7 1 1")
    assert capture(before.state.board, 6, 0, pit) == captured
    across = max(0, int(mine.split()[pit]) - (6 - pit)) > 0
    assert after(before, pit).points[0] == (captured + 1 if captured else 0) + across + (not across and pit == 1)


def test_progress_runs_from_0_to_1_with_the_stones_in_the_stores() -> None:
    assert standard.progress is not None
    assert standard.progress(looked_at(position(START, START), 0)) == 0
    assert standard.progress(looked_at(position("0 0 0 0 0 6", "6 0 0 0 0 0", (16, 20)), 5)) == 0.75
