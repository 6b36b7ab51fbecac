"""OpenSpiel's `hearts` beside ours, ply by ply: movers and legal moves, and the points at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyspiel

from rulebots.game.compiled import law_of
from rulebots.games.hearts.cards import ALL_POINTS, CARDS, RANKS, SEATS
from rulebots.games.hearts.game import game
from rulebots.packages.players import make_player
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_games

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
TURNED: list[dict[str, int]] = [{}, *({name: 1 - option.default} for name, option in game.options.items())]


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


def differences(options: dict[str, int], names: Sequence[str], deals: int, seed: int) -> Iterator[str]:
    """Play deals with players of these names, seated in turn, and make their moves on both sides.

    Gives a line for each deal on which the sides differ.
    """
    drawn = draw_deals(game, deals, seed, options=options)
    numbers = np.arange(deals)[:, None]
    schedule = np.hstack([numbers, (numbers + np.arange(SEATS)) % len(names)])
    games = play_games([make_player(name, game) for name in names], drawn, schedule, keep_moves=True)
    law, out = law_of(game), np.zeros(game.move_count, np.int64)
    for number in range(deals):
        state, there = game.new_state(), opened(options, drawn.cards[number].tolist())
        game.setup.function(state, drawn.cards[number], drawn.options)
        for ply, move in enumerate(games.moves[number, : games.plies[number]].tolist()):
            legal = sorted(theirs(one % CARDS) for one in out[: law.moves(state, out)].tolist())
            if (state.mover, legal) != (there.current_player(), there.legal_actions()):
                yield f"{options}, deal {number}, ply {ply}: {legal}, there {there.legal_actions()}"
                break
            law.play(state, move)
            there.apply_action(theirs(move % CARDS))
        else:
            points = [ALL_POINTS + law.points(state, seat) for seat in range(SEATS)]
            if not there.is_terminal() or points != there.returns():
                yield f"{options}, deal {number}: {points} points, there {there.returns()}"
