"""Reasons in rows for the page."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from page_client import Site

from rulebots.packages import load_game
from rulebots.players.explaining import Term
from rulebots.web.reasons import _sentence


def test_reasons_of_rollouts() -> None:
    import numpy as np

    from rulebots.game.position import Position
    from rulebots.search.rollout.search import RolloutResult
    from rulebots.web.reasons import of_search

    counts, wins, none = np.array([30, 0]), np.array([0.625, np.nan]), np.zeros((0, 0))
    result = RolloutResult(2, 2, np.array([2, 1]), counts, wins, wins, wins, wins, 30, 0.1, 0, none, ("it",))
    reasons = of_search(result, Position(load_game("kalah")), "it")
    assert reasons is not None
    assert reasons.columns == ("move", "rollouts", "chance to win")
    assert reasons.moves == (("2", "30", "62.5%"), ("1", "0", "-"))
    assert reasons.sentence == "Chance to win after 2 62.5%, after 1 -."


def test_reasons_have_what_each_move_does() -> None:
    from rulebots.game.position import Position
    from rulebots.packages.players import make_player
    from rulebots.players.explaining import explain
    from rulebots.web.reasons import of_rules

    game = load_game("kalah")
    position = Position(game, seed=1)
    reasons = of_rules(explain(make_player("hand_tuned", game), position), "it")
    assert reasons.columns == ("move", "score", "")
    assert {move: said for move, _, said in reasons.moves} == {
        game.text.write(move): position.deed(move) for move in position.legal_moves.tolist()
    }
    assert "sows pit 2 and moves again" in {said for *_, said in reasons.moves}
    assert reasons.title == f"it {reasons.moves[0][2]}"


def test_what_would_have_changed_its_mind_is_true(site: Site) -> None:
    """With the weight that the page names, the runner-up is as good as the move."""
    from rulebots.game.position import Position
    from rulebots.packages.players import make_player
    from rulebots.players import RulePlayer
    from rulebots.players.explaining import explain

    game = load_game("kalah")
    player = make_player("hand_tuned", game)
    assert isinstance(player, RulePlayer)
    position = Position(game, seed=1)
    explained = explain(player, position)
    term = explained.reasons[0]
    gap = explained.scores[0] - explained.scores[1]
    weights = player.weights.copy()
    weights[:, list(player.rules.rules).index(term.rule)] += -gap * term.weight / term.amount
    equal = explain(RulePlayer(player.rules, weights), position)
    scores = dict(zip(equal.moves, equal.scores, strict=True))
    assert scores[explained.moves[0]] == pytest.approx(scores[explained.moves[1]])


@pytest.mark.parametrize(
    ("weight", "values", "sentence"),
    [
        (1.0, (1.0, 0.0), "it prefers a: “It is a corner, as I say.” b does not."),
        (-1.0, (0.0, 1.0), "it avoids b: “It is a corner, as I say.”"),
        (1.0, (0.6, 0.2), "it prefers a, which has more of this than b: “It is a corner, as I say.”"),
        (-1.0, (0.2, 0.6), "it prefers a, which has less of this than b: “It is a corner, as I say.”"),
    ],
)
def test_the_reason_is_one_sentence_out_of_what_its_rule_means(
    weight: float, values: tuple[float, ...], sentence: str
) -> None:
    """The scale of a rule's values and further sentences of its meaning do not belong to it."""
    rule = SimpleNamespace(key="put.corner", meaning="It is a corner, as I say, in fives. More of it.")
    term = Term(rule, weight, weight, weight, (1.0, 1.0), values, 0.4)  # type: ignore[arg-type]  # what is read of a rule
    assert _sentence(term, "it", "a", "b") == sentence
