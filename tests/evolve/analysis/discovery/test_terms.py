"""Fields as terms: which of them, how they are read, and what lessons say that they were."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from evolve.analysis.discovery.terms import Term, field_rules, field_terms, field_values, rule_term
from rulebots.game.dtypes import records
from rulebots.registry import load_game, parts_of
from rulebots.rules import RuleSet, rule

LOST_CITIES, GOMOKU, KALAH = map(load_game, ("lost-cities", "gomoku", "kalah"))


def texts(rules: RuleSet) -> dict[str, str]:
    return {term.name: term.text for term in field_terms(rules)}


def test_a_table_is_read_where_the_item_has_a_place() -> None:
    assert texts(parts_of(KALAH).rule_set())["board_of_item"] == "view.board[item]"
    assert texts(parts_of(KALAH).rule_set())["ahead_3"] == "view.ahead[3]"
    assert texts(parts_of(GOMOKU).rule_set())["board_of_item"] == "float(view.board[item])"  # of few bits
    cards = texts(parts_of(LOST_CITIES).rule_set())
    assert cards["my_top_of_item"] == "view.my_top[item // 10] if 0 <= item < 60 else 0"  # a draw's card may be unknown
    assert cards["deck_left"] == "view.deck_left"
    assert "luck" not in cards


def test_every_field_can_be_read_for_every_item() -> None:
    for game in (LOST_CITIES, GOMOKU, KALAH):
        rules = parts_of(game).rule_set()
        view = records(rules.record, 1)[0]
        items = {int(game.item(view, move)) for move in (0, game.move_count // 2, game.move_count - 1)}
        for term in field_terms(rules):
            assert all(float(term.kernel(view, item)) in (0, item) for item in items), term.text


def test_the_number_of_a_square_has_a_row_and_a_column() -> None:
    def of(shape: tuple[int, ...]) -> dict[str, str]:
        record = np.dtype([("grid", np.int32, shape)])
        game = SimpleNamespace(item=KALAH.item, move_count=12)
        return texts(SimpleNamespace(record=record, game=game))  # type: ignore[arg-type]

    assert of((3, 4)) == {"item": "item", "grid_of_item": "view.grid[item // 4, item % 4]"}
    assert of((20,)) == {"item": "item", "grid_of_item": "view.grid[item]"}
    assert of((3, 5)) == {"item": "item"}  # too small for each item to have a place
    assert list(of((2,))) == ["item", "grid_0", "grid_1"]


def test_lessons_tell_what_fields_were_and_only_what_can_be_used_is_left() -> None:
    rules = parts_of(LOST_CITIES).rule_set()
    terms = [Term(name, name, text=name) for name in ("good", "alike", "endless", "bits")]
    # A card played, a card discarded, a card drawn, each a kind of move with a group of its own.
    of_play = np.array([[1, 7, np.inf, 5e8], [0, 0, 0, 0], [0, 0, 0, 0]], np.float32)
    of_keep = np.array([[0, 0, 0, 0], [-2, -7, -1, -1], [0, 0, 0, 0]], np.float32)
    of_draw = np.array([[0, 0, 0, 0], [0, 0, 0, 0], [3, 7, 1, 1]], np.float32)
    groups = ("play", "keep", "draw")
    shares = {group: np.where(np.arange(3) == i, (1, -1, 1), 0).astype(np.float32) for i, group in enumerate(groups)}
    found = field_values(rules, terms, np.concatenate([of_play, of_keep, of_draw], axis=1), shares)
    assert {key: value.tolist() for key, value in found.items()} == {"good": [1, 2, 3]}
    assert [r.group for r in field_rules(rules, terms)] == [group for group in groups for _ in terms]


@rule("win")
def wordy(view, item):
    """I am wordy. There is more to say."""
    return 1


def test_a_rule_is_told_by_its_first_sentence() -> None:
    assert rule_term(wordy).words == "I am wordy"
