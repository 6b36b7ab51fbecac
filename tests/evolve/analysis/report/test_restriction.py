"""Players that never make some moves."""

from __future__ import annotations

import numpy as np

from evolve.analysis.report import RestrictedPlayer
from rulebots.game.position import Position
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_deals
from rulebots.players import RulePlayer

TICTACTOE = load_game("tictactoe")
HAND = make_player("standard", TICTACTOE)
CENTRE = next(move for move in range(TICTACTOE.move_count) if TICTACTOE.text.write(move) == "b2")


def test_a_forbidden_move_is_made_only_where_there_is_no_other() -> None:
    assert isinstance(HAND, RulePlayer)
    never = RestrictedPlayer(HAND.rules, HAND.weights, [CENTRE], "never")
    deals = draw_deals(TICTACTOE, 10, 3)
    games = play_deals(never, HAND, deals, keep_moves=True)
    made = 0
    for g in range(len(games.plies)):
        position = Position(TICTACTOE, None, deals.cards[g // 2])
        for ply, move in enumerate(games.moves[g, : games.plies[g]].tolist()):
            # The first player has seat 0 in every other game.
            if position.mover == g % 2 and ply >= games.openings[g]:
                assert move != CENTRE or len(position.legal_moves) == 1
                made += 1
            position.play(move)
    assert made


def test_with_nothing_forbidden_it_is_the_player_itself() -> None:
    assert isinstance(HAND, RulePlayer)
    free = RestrictedPlayer(HAND.rules, HAND.weights, [], "free")
    deals = draw_deals(TICTACTOE, 6, 3)
    rival = make_player("random", TICTACTOE)
    found, expected = play_deals(free, rival, deals), play_deals(HAND, rival, deals)
    assert np.array_equal(found.courses, expected.courses)
