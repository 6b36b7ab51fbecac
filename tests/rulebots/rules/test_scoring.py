"""Features: what a weight of 1 of each rule adds to the score of a move."""

from __future__ import annotations

import numpy as np
import pytest
from recorded import recorded

from rulebots.game import Game
from rulebots.packages import game_names, load_game
from rulebots.packages.rule_sets import load_rules
from rulebots.play.deals import draw_deals
from rulebots.rules import RuleSet
from rulebots.rules.scoring import chooser, features_of, scorer

every_game = pytest.mark.parametrize("game", [load_game(name) for name in game_names()], ids=lambda game: game.name)


@pytest.mark.slow
@every_game
def test_features_are_what_scores_are_made_of(game: Game) -> None:
    record = recorded(draw_deals(game, 2, 5), 1)
    rules = load_rules(game=game)
    look, score, weights = features_of(rules), scorer(rules), rules.hand_tuned()
    for ply in record.decisions[::7]:
        view, moves = rules.seeing(record.views[ply]), np.array(record.legal[ply])
        n = len(moves)
        found, scores = np.zeros((n, len(rules.rules))), np.zeros(n)
        late = look(view, moves, n, found)
        score(view, moves, n, weights, np.zeros(len(rules.rules)), scores)
        assert 0.0 <= late <= 1.0
        assert found @ ((1 - late) * weights[0] + late * weights[1]) == pytest.approx(scores)


def test_a_kind_of_move_without_rules_has_no_features(lost_cities: Game) -> None:
    some = [r for r in load_rules("shelly", lost_cities).rules if r.group == "keep"]
    record, look = recorded(draw_deals(lost_cities, 2, 5), 1), features_of(RuleSet("few", lost_cities, tuple(some)))
    draw = np.array(record.legal[1])
    found = np.zeros((len(draw), len(some)))
    look(record.views[1], draw, len(draw), found)
    assert not found.any()


@every_game
def test_what_chooses_a_move_is_announced_by_rule_set_and_game(game: Game) -> None:
    rules = load_rules(game=game)
    assert chooser(rules).title == f"the rule set '{rules.name}' of {game.title}"
