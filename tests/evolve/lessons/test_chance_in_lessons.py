"""Lessons and runs at a game with chance in play: rollouts throw dice of their own."""

from __future__ import annotations

import numpy as np
import pytest

from evolve.lessons.rollouts import LessonSettings, _compiled_unfold, lessons_of, new_decisions
from evolve.run import Run
from evolve.settings import Settings
from rulebots.game import Game
from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.kernel import compiling
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import load_rules
from rulebots.play.deals import draw_deals
from rulebots.play.loop import Batch
from rulebots.players import RulePlayer

ROLLOUTS = 40 if compiling() else 8


def test_rollouts_do_not_repeat_the_dice_of_the_game(pig: Game) -> None:
    """Both players always choose alike: with the game's own dice every rollout of a move would end as the last did."""
    rules = load_rules(game=pig)
    learner = RulePlayer(rules, rules.hand_tuned(), "learner")
    deals = draw_deals(pig, 12, 4, options={"goal": 30, "turns": 20})
    schedule = np.array([(i, i % 2, 1 - i % 2) for i in range(12)])
    settings = LessonSettings(np.inf, ROLLOUTS, 0.0, 100)
    lessons = lessons_of([learner, make_player("hand", pig)], deals, schedule, settings)
    assert (lessons.counts == 2).all()
    assert ((lessons.returns > 0) & (lessons.returns < 1)).sum() > len(lessons.returns) / 2


def test_the_candidates_of_a_round_share_their_dice_and_rounds_do_not(pig: Game) -> None:
    position = Position(pig)
    for text in ("roll", "die:3"):
        position.push(position.read(text))
    decisions = new_decisions(pig, np.array([7]), 0)
    decisions.states[0], decisions.plies[0], decisions.counts[0] = position.state, position.plies, 2
    decisions.candidates[0, :2] = position.legal_moves
    out = Batch(pig, np.ones((6, 2), np.int64)).arrays
    _compiled_unfold(pig)(decisions, 3, out, records(pig.state, 2))
    assert out.outcomes[::2].tolist() == out.outcomes[1::2].tolist()
    assert len(set(out.outcomes.tolist())) == 3
    assert not {*out.outcomes.tolist()} & {*out.luck.ravel().tolist()}
    assert out.states["mover"].tolist() == [-1, 1] * 3


@pytest.mark.compiled
@pytest.mark.parametrize("strategy", ["ga", "memetic"])
def test_a_run_breeds_players_of_a_game_of_chance(pig: Game, strategy: str) -> None:
    settings = Settings.of(
        strategy,
        game="pig",
        options={"goal": 30},
        generations=2,
        population=6,
        deals=2,
        opponent_deals=2,
        held_out_deals=20,
        verdict_deals=20,
    )
    run, again = Run(settings), Run(settings)
    for one in (run, again):
        list(one.generations())
    assert [c.tolist() for c in run.candidates()] == [c.tolist() for c in again.candidates()]
    assert run.measure(run.candidates()[0]).held_out
