"""The transposition table: what is stored is found again, what is deep stays."""

from __future__ import annotations

import numpy as np
import pytest
from played_positions import after
from search_positions import GAME, every_game, start

from rulebots.game import Game
from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.search.transposition import (
    EXACT,
    LOWER_BOUND,
    MISS,
    NO_BOUND,
    UNLIMITED_DEPTH,
    UPPER_BOUND,
    bound_of,
    depth_of,
    entry_of,
    key_of,
    move_of,
    new_table,
    position_words,
    probe,
    same_position,
    store,
    value_of,
)

#: Three positions of two words.
WORDS = np.array([[1, 2], [1, 3], [4, 2]], np.int64)
#: All of both words.
ALL = np.array([[0, 1], [-1, -1]], np.int64)


@pytest.mark.parametrize("value", [0, 48 * 1024, -48 * 1024, (1 << 34) - 1, -(1 << 34)])
@pytest.mark.parametrize("bound", [LOWER_BOUND, UPPER_BOUND, EXACT])
def test_an_entry_holds_value_move_depth_and_bound(value: int, bound: int) -> None:
    entry = entry_of(value, 65_535, UNLIMITED_DEPTH, bound)
    assert (value_of(entry), move_of(entry), depth_of(entry), bound_of(entry)) == (
        value,
        65_535,
        UNLIMITED_DEPTH,
        bound,
    )


def test_a_miss_has_no_bound() -> None:
    assert bound_of(MISS) == NO_BOUND


def test_positions_have_different_keys_of_63_bits() -> None:
    keys = {key_of(np.array([[a, b]], np.int64), 0, ALL) for a in range(-5, 60) for b in range(-5, 60)}
    assert len(keys) == 65**2
    assert min(keys) >= 0
    assert max(keys) < 1 << 63
    assert max(keys) > 1 << 62


@pytest.mark.parametrize("words", [0, 2])
def test_a_stored_entry_is_found_for_its_position_only(words: int) -> None:
    table = new_table(0.01, words)
    for row in range(3):
        key = key_of(WORDS, row, ALL)
        assert probe(table, key, WORDS, row, ALL) == MISS
        store(table, key, WORDS, row, ALL, entry_of(row, row, 1, EXACT))
    assert [value_of(probe(table, key_of(WORDS, row, ALL), WORDS, row, ALL)) for row in range(3)] == [0, 1, 2]


def test_only_a_table_that_verifies_positions_tells_equal_keys_apart() -> None:
    entry = entry_of(5, 1, 1, EXACT)
    for words, found in ((0, entry), (2, MISS)):
        table = new_table(0.01, words)
        store(table, 77, WORDS, 0, ALL, entry)
        assert probe(table, 77, WORDS, 0, ALL) == entry
        assert probe(table, 77, WORDS, 1, ALL) == found


def test_a_bucket_keeps_the_deepest_search_and_the_latest() -> None:
    table = new_table(32 / 2**20)  # one bucket
    deep, shallow, latest = (entry_of(0, move, depth, EXACT) for move, depth in ((1, 9), (2, 3), (3, 4)))
    store(table, 1, WORDS, 0, ALL, deep)
    store(table, 2, WORDS, 0, ALL, shallow)
    assert (probe(table, 1, WORDS, 0, ALL), probe(table, 2, WORDS, 0, ALL)) == (deep, shallow)
    store(table, 3, WORDS, 0, ALL, latest)
    assert [probe(table, key, WORDS, 0, ALL) for key in (1, 2, 3)] == [deep, MISS, latest]
    store(table, 1, WORDS, 0, ALL, shallow)
    assert probe(table, 1, WORDS, 0, ALL) == shallow, "a position's own entry is replaced"
    store(table, 4, WORDS, 0, ALL, latest)
    assert probe(table, 1, WORDS, 0, ALL) == MISS, "the deeper search takes the first row"


@pytest.mark.parametrize(
    ("megabytes", "rows"), [(0, 0), (31 / 2**20, 0), (32 / 2**20, 2), (100 / 2**20, 4), (1, 2**16)]
)
def test_a_table_is_never_larger_than_asked_for(megabytes: float, rows: int) -> None:
    assert len(new_table(megabytes)) == rows
    assert new_table(megabytes).nbytes <= megabytes * 2**20


def test_a_position_is_the_same_whatever_its_last_move_was() -> None:
    one, other = after(start(GAME), "0,0", "1,1", "2,2"), after(start(GAME), "2,2", "1,1", "0,0")
    further = after(one, "0,1")
    assert one.state.last != other.state.last
    words = in_words([one, other, further])
    kept = position_words(GAME)
    assert key_of(words, 0, kept) == key_of(words, 1, kept) != key_of(words, 2, kept)
    assert same_position(words, 0, 1, kept)
    assert not same_position(words, 0, 2, kept)
    table = new_table(0.01, kept.shape[1])
    store(table, 5, words, 0, kept, entry_of(3, 1, 1, EXACT))
    assert value_of(probe(table, 5, words, 1, kept)) == 3
    assert probe(table, 5, words, 2, kept) == MISS


@every_game
def test_every_field_of_the_position_tells_positions_apart_and_nothing_else_does(game: Game) -> None:
    kept = position_words(game)
    for name in game.state.names or ():
        plain, changed = Position(game), Position(game)
        field = changed.state[name]
        if np.ndim(field):
            field.flat[-1] += 1
        else:
            changed.state[name] = field + 1
        words = in_words([plain, changed])
        counts = name in (game.position_fields or game.state.names)
        assert same_position(words, 0, 1, kept) != counts, name
        assert (key_of(words, 0, kept) == key_of(words, 1, kept)) != counts, name


def in_words(positions: list[Position]) -> np.ndarray:
    """The states of positions of one game as words, a row for each."""
    game = positions[0].game
    words = np.zeros((len(positions), -(-game.state.itemsize // 8)), np.int64)
    for row, position in zip(words, positions, strict=True):
        state = records(game.state, 1)
        state[0] = position.state
        row.view(np.uint8)[: game.state.itemsize] = np.frombuffer(state.tobytes(), np.uint8)
    return words
