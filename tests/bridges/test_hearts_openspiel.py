"""The law of Hearts is OpenSpiel's: the same legal moves and movers ply by ply, and the same points.

The perft counts and the points of the golden games of Hearts are OpenSpiel's, too.

python tests/bridges/test_hearts_openspiel.py 20000    that many deals for each set of options
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
import pytest
from checkout import CHECKOUT, GOLDEN
from recorded import recorded

from rulebots.game.compiled import law_of
from rulebots.games.hearts.cards import ALL_POINTS, CARDS, RANKS
from rulebots.games.hearts.game import game
from rulebots.play.deals import draw_deals
from rulebots.records import load_record, replay

#: Our options by OpenSpiel's names.
PARAMETERS = {
    "passing": "pass_cards",
    "clean_start": "no_pts_on_first_trick",
    "breaking": "must_break_hearts",
    "queen_breaks": "qs_breaks_hearts",
    "any_club": "can_lead_any_club",
    "hearts_for_queen": "can_lead_hearts_instead_of_qs",
    "jack_bonus": "jd_bonus",
    "no_trick_bonus": "avoid_all_tricks_bonus",
}
#: The defaults, and each option turned round.
TURNED = [{}, *({name: 1 - option.default} for name, option in game.options.items())]


def theirs(card: int) -> int:
    """OpenSpiel's number of a card: by rank, then clubs, diamonds, hearts, spades."""
    return 4 * (card % RANKS) + (0, 1, 3, 2)[card // RANKS]


def opened(options: dict[str, int], cards: list[int]) -> Any:
    """OpenSpiel's game on one of our deals: it deals a card to each in turn."""
    lots, cards = [one - CARDS for one in cards if one >= CARDS], [one for one in cards if one < CARDS]
    values = game.option_values(options)
    there = pyspiel.load_game("hearts", {PARAMETERS[name]: bool(values[name]) for name in game.options})
    state = there.new_initial_state()
    state.apply_action(lots[0] if values.passing else 0)
    for i in range(CARDS):
        state.apply_action(theirs(cards[i % 4 * RANKS + i // 4]))
    return state


def compare(options: dict[str, int], deals: int, seed: int) -> int:
    """Play random deals on both sides, and return how many moves there were."""
    drawn, law, plies = draw_deals(game, deals, seed, options=options), law_of(game), 0
    for number in range(deals):
        record, there = recorded(drawn, number), opened(options, drawn.cards[number].tolist())
        for state, legal, move in zip(record.states[:-1], record.legal, record.chosen, strict=True):
            assert state.mover == there.current_player()
            assert sorted(theirs(one % CARDS) for one in legal) == there.legal_actions()
            there.apply_action(theirs(move % CARDS))
        assert there.is_terminal()
        assert [ALL_POINTS + law.points(record.states[-1], seat) for seat in range(4)] == there.returns()
        plies += record.plies
    return plies


def sequences(state: Any, depth: int) -> int:
    """How many sequences of so many moves OpenSpiel allows."""
    if depth == 0 or state.is_terminal():
        return int(depth == 0)
    if depth == 1:
        return len(state.legal_actions())
    return sum(sequences(state.child(action), depth - 1) for action in state.legal_actions())


@pytest.mark.slow
@pytest.mark.parametrize("options", TURNED, ids=lambda options: next(iter(options), "defaults"))
def test_random_deals(options: dict[str, int]) -> None:
    assert compare(options, 60, 1) >= 60 * CARDS


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
