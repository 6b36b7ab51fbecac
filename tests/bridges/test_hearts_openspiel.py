"""The law of Hearts is OpenSpiel's: the same legal moves and movers ply by ply, and the same points.

The perft counts and the points of the golden games of Hearts are OpenSpiel's, too. `python benchmarks/hearts.py --part
law` plays as many deals as you like.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import openspiel_hearts
import pytest
from checkout import CHECKOUT, GOLDEN
from openspiel_hearts import PARAMETERS, TURNED, differences, opened, theirs

from rulebots.game.compiled import law_of
from rulebots.games.hearts.cards import ALL_POINTS, CARDS
from rulebots.games.hearts.game import game
from rulebots.kernel import compiling
from rulebots.play.deals import draw_deals
from rulebots.records import load_record, replay


def sequences(state: Any, depth: int) -> int:
    """How many sequences of so many moves OpenSpiel allows."""
    if depth == 0 or state.is_terminal():
        return int(depth == 0)
    if depth == 1:
        return len(state.legal_actions())
    return sum(sequences(state.child(action), depth - 1) for action in state.legal_actions())


@pytest.mark.slow
@pytest.mark.parametrize("names", [["random"], ["champion", "standard", "duck"]], ids=len)
@pytest.mark.parametrize("options", TURNED, ids=lambda options: next(iter(options), "defaults"))
def test_deals(options: dict[str, int], names: list[str]) -> None:
    assert list(differences(options, names, 60 if compiling() else 3, 1)) == []


@pytest.mark.slow
def test_a_difference_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    swapped = {"breaking": PARAMETERS["jack_bonus"], "jack_bonus": PARAMETERS["breaking"]}
    monkeypatch.setattr(openspiel_hearts, "PARAMETERS", PARAMETERS | swapped)
    found = list(differences({}, ["random"], 3, 1))
    assert len(found) == 3
    assert "there" in found[0]


@pytest.mark.slow
def test_perft_counts_are_those_of_openspiel() -> None:
    for line in (CHECKOUT / "tests" / "perft" / "hearts.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        (seed, opening, depth, leaves), words = map(int, line.split()[:4]), line.split()[4:]
        options = {name: int(value) for name, value in (word.split("=") for word in words)}
        deals = draw_deals(game, 1, seed, options=options)
        state, there = game.new_state(), opened(options, deals.cards[0].tolist())
        game.setup(state, deals.cards[0], deals.options)
        for _ in range(opening):
            out = np.zeros(game.move_count, np.int64)
            move = int(out[: law_of(game).moves(state, out)].min())
            law_of(game).play(state, move)
            there.apply_action(theirs(move % CARDS))
        assert sequences(there, depth) == leaves, line


def test_the_points_of_golden_games_are_those_of_openspiel() -> None:
    record = load_record(GOLDEN / "hearts.txt")
    for written in record.games:
        there = opened(dict(written.options), list(written.deal))
        for move in replay(written).moves:
            there.apply_action(theirs(move % CARDS))
        assert [ALL_POINTS + points for points in written.rows[-1].points] == there.returns()
