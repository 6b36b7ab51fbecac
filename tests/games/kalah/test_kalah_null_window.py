"""The solver's table: what is stored is found again, and the entry with the most work stays."""

from __future__ import annotations

import numpy as np
import pytest
from kalah_positions import position
from naive_minimax import exhaustive

from rulebots.games.kalah.solver import Solver, bits_of, probe, slot_of, store


def entry(work: int, number: int = 0) -> int:
    return work << 20 | number


def test_an_entry_is_found_for_its_position_only() -> None:
    table = np.zeros((64, 2), np.int64)
    assert probe(table, 12345) == 0
    store(table, 12345, entry(3))
    assert probe(table, 12345) == entry(3)
    assert probe(table, 54321) == 0


def test_a_bucket_keeps_the_entry_with_the_most_work_and_the_latest() -> None:
    table = np.zeros((2, 2), np.int64)  # one bucket for all
    store(table, 1, entry(50))
    store(table, 2, entry(3))
    assert (probe(table, 1), probe(table, 2)) == (entry(50), entry(3))
    store(table, 3, entry(4))
    assert (probe(table, 1), probe(table, 2), probe(table, 3)) == (entry(50), 0, entry(4))
    store(table, 4, entry(90))
    assert (probe(table, 4), probe(table, 1), probe(table, 3)) == (entry(90), entry(50), 0)


def test_buckets_are_pairs_of_rows() -> None:
    table = np.zeros((1024, 2), np.int64)
    slots = [slot_of(table, word) for word in range(1, 3000)]
    assert {slot % 2 for slot in slots} == {0}
    assert len(set(slots)) > 400, "positions are spread over the table"


@pytest.mark.parametrize("empty_capture", [0, 1])
def test_a_bound_is_on_its_side_of_the_value(empty_capture: int) -> None:
    here = position("2 2", "2 2", alone=bool(empty_capture))
    value = exhaustive(here, {})
    solver = Solver(2, 2, empty_capture)
    word = sum(2 << bits_of(2) * cell for cell in range(4))
    for beta in range(-8, 9, 2):
        found = solver.bound(word, 4, 4, beta)
        assert value >= found >= beta if value >= beta else value <= found < beta
    assert solver.value(word, 4, 4) == value
