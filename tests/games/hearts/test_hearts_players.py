"""The built-in players of Hearts on written positions."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from checkout import CHECKOUT
from hearts_views import GAME, SUITS, card_of, view_of

from rulebots.games.hearts.cards import CARDS, FOLLOW, LEAD, PASS, RANKS, THROW
from rulebots.games.hearts.players import choose_duck
from rulebots.games.hearts.rules import standard
from rulebots.packages.players import make_player
from rulebots.packages.population import load_population
from rulebots.play.match import play_match

#: What `duck` does: its hand, and the decision as `view_of` takes it. The first of these moves that are legal.
WRITTEN: list[tuple[str, str, str, dict[str, Any]]] = [
    ("passes high spades first", "AS", "2C AC KS QS AS AH", {"passing": True}),
    ("then the queen", "QS", "2C AC QS AH", {"passing": True}),
    ("then hearts", "9H", "2C AC JS 9H", {"passing": True}),
    ("then aces", "AC", "2C AC JS KD", {"passing": True}),
    ("leads its lowest card", "3D", "4C 3D AS KH", {}),
    ("ducks as high as it can", "JC", "2C JC KC", {"trick": "QC 3C"}),
    ("ducks under the highest card", "JC", "2C JC QC AC", {"trick": "3C KH QC"}),
    ("else takes the trick with its lowest card", "JC", "JC KC", {"trick": "TC 3C 4C"}),
    ("a card off suit does not take the trick", "2C", "2C KC", {"trick": "3C AH"}),
    ("throws the queen of spades away first", "QS", "KS QS AH", {"trick": "3C"}),
    ("then hearts from the top", "TH", "KS AD 2H TH", {"trick": "3C"}),
    ("then the king and the ace of spades", "KS", "KS AD", {"trick": "3C"}),
    ("then what is high", "AD", "JS AD", {"trick": "3C"}),
]


@pytest.mark.parametrize(("what", "chosen", "hand", "where"), WRITTEN, ids=[row[0] for row in WRITTEN])
def test_a_duck(what: str, chosen: str, hand: str, where: dict[str, Any]) -> None:
    cards, kind = [card_of(word) for word in hand.split()], PASS if "passing" in where else LEAD
    if "trick" in where:
        following = [card for card in cards if SUITS[card // RANKS] == where["trick"][1]]
        cards, kind = following or cards, FOLLOW if following else THROW
    moves, none = np.array([CARDS * kind + card for card in cards]), np.zeros(0)
    move = choose_duck(view_of(hand, **where), moves, len(moves), none, none, none)
    assert move == CARDS * kind + card_of(chosen)


@pytest.mark.parametrize("name", ["standard", "champion"])
@pytest.mark.parametrize(
    ("hand", "trick", "taken", "tricks"),
    [
        ("4C AC 5D 8D 9D 3S 6H", "3C KC 5H", (0, 0, 15, 0), 6),
        ("4C AC 5D 8D", "3C KC 5H", (0, 0, 18, 0), 9),
        ("4D AD 5C 8C 9C 3S", "3D KD 5H", (0, 0, 6, 0), 7),
    ],
)
def test_who_takes_a_heart_stops_a_moon(
    name: str, hand: str, trick: str, taken: tuple[int, int, int, int], tricks: int
) -> None:
    """The opponent who has all points so far is about to take the heart, too; the ace costs a point instead of 26."""
    low, ace = (CARDS * FOLLOW + card_of(word) for word in hand.split()[:2])
    view = view_of(hand, trick=trick, taken=taken, tricks=tricks)
    assert make_player(name, GAME).choose(view, np.array([low, ace])) == ace


def test_the_shipped_file_holds_the_hand_tuned_weights() -> None:
    file = load_population(CHECKOUT / "populations" / "hearts" / "hand_tuned.yaml")
    assert file.comment
    np.testing.assert_array_equal(file.players["hand"].weights, standard.hand_tuned())


@pytest.mark.compiled
@pytest.mark.slow
def test_they_stand_in_this_order() -> None:
    players = [make_player(name, GAME) for name in ("standard", "duck", "random")]
    for better, worse in itertools.pairwise(players):
        result = play_match(better, worse, deals=300)
        assert result.win_rate_95[0] > 0.5
