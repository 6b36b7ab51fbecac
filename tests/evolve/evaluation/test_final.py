"""Verdicts: what distinct deals say of a champion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evolve.evaluation.arena import Arena
from evolve.evaluation.final import SAME, Verdict, is_behind, verdict
from evolve.settings import Settings
from evolve.workers.base import Threads
from rulebots.kernel import kernel
from rulebots.packages import load_game
from rulebots.play.results import Games, match_result
from rulebots.players import KernelPlayer
from rulebots.search.minimax.player import MinimaxPlayer
from rulebots.search.minimax.search import Limits

VERDICT = Verdict("shelly", "better", 400, 0.625, 200, deals=200)


@kernel
def choose_first(view, moves, n, weights, blended, scores):
    return moves[0]


@pytest.mark.slow
def test_a_game_that_is_won_again_and_again_proves_nothing() -> None:
    game = load_game("tictactoe")
    arena = Arena(game, Settings("tictactoe", opening_plies=0), Threads(1))
    champion, former = MinimaxPlayer(game, Limits(depth=4)), KernelPlayer(game, choose_first, "first")
    found = verdict(arena, champion, former, 60)
    assert found.win_rate > 0.5
    assert (found.says, found.games, found.distinct_deals) == ("undecided", 120, 1)
    assert found.sentence.endswith(f"'first' ({found.win_rate:.1%} of 120 games; distinct deals: 1 of 60)")


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (VERDICT, "the champion is better than the shipped player 'shelly' (62.5% of 400 games)"),
        (
            replace(VERDICT, says="not better"),
            "the champion is NOT better than the shipped player 'shelly' (62.5% of 400",
        ),
        (
            replace(VERDICT, says="undecided", distinct_deals=9, who="the player"),
            "undecided whether the champion is better than the player 'shelly' (62.5% of 400 games; distinct",
        ),
        (replace(VERDICT, says=SAME, who="the player"), "the champion is the player 'shelly'"),
    ],
)
def test_the_sentence_says_what_was_found(found: Verdict, sentence: str) -> None:
    assert found.sentence.startswith(sentence)


def test_at_a_table_where_places_count_they_say_who_is_behind() -> None:
    """Only the second player has won a game alone, and it is behind."""
    won = [
        [1, 1, 0, 2],
        [2, 2, 0, 1],
        [2, 1, 2, 1],
        [2, 0, 1, 0],
        [3, 0, 0, 0],
        [2, 0, 3, 0],
        [3, 0, 0, 1],
        [3, 0, 2, 0],
    ]
    none = np.zeros(8, np.int64)
    games = Games(np.array(won), none, none > 0, np.zeros(8, []), none, none, none[:, None], np.full(8, None, object))
    result = match_result(games, load_game("hearts"))
    assert (result.wins, result.losses) == (0, 1)
    assert result.win_rate > 0.6
    assert not is_behind(result)
