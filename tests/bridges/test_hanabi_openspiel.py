"""The law of Hanabi is OpenSpiel's."""

from __future__ import annotations

import openspiel_hanabi
import pytest
from openspiel_hanabi import any_move, careful, differences

from rulebots.kernel import compiling


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_it_is_openspiels_hanabi(seats: int) -> None:
    """Legal moves, what seats see, points and end at every ply: benchmarks/hanabi.py compares as many as wanted."""
    games = 60 if compiling() else 4
    assert list(differences(seats, games, seats, any_move)) == []
    assert list(differences(seats, games // 2, seats, careful)) == []


@pytest.mark.slow
def test_a_difference_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hint that says nothing of the cards that it does not touch."""

    def all_possible(view, observer_moves_in):
        view.colours[view.colours > 0] = 31
        return words(view, observer_moves_in)

    words = openspiel_hanabi.words
    monkeypatch.setattr(openspiel_hanabi, "words", all_possible)
    found = list(differences(2, 2, 1, careful))
    assert found
    assert "what seat" in found[0]
