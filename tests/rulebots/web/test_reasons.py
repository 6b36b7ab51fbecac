"""Reasons in rows for the page."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import numpy as np
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
    reasons = of_search(result, Position(load_game("kalah")), ("it", "other"))
    assert reasons is not None
    assert reasons.title == "it would sow pit 2 and move again"
    assert reasons.columns == ("move", "rollouts", "chance to win", "")
    assert reasons.moves == (("2", "30", "62.5 %", "sow pit 2 and move again"), ("1", "0", "-", "sow pit 1"))
    assert (
        reasons.sentence
        == "Chance to win: 62.5 % if it chooses to sow pit 2 and move again, - if it chooses to sow pit 1."
    )


def test_a_chance_to_win_is_no_points_where_points_count() -> None:
    from rulebots.game.position import Position
    from rulebots.web.reasons import of_search

    game = dataclasses.replace(load_game("kalah"), counts="points")
    wins = np.array([0.57])
    result = SimpleNamespace(move=2, moves=[2], rollouts=np.array([50]), wins=wins, points=False)
    reasons = of_search(result, Position(game), ("it", "other"))
    assert reasons is not None
    assert reasons.moves == (("2", "50", "57.0 %", "sow pit 2 and move again"),)


def test_what_a_search_expects_is_told_in_sentences() -> None:
    from rulebots.game.position import Position
    from rulebots.web.reasons import of_search

    result = SimpleNamespace(move=2, value=0.5, line=(2, 1, 0))
    reasons = of_search(result, Position(load_game("kalah")), ("it", "other"))
    assert reasons is not None
    assert reasons.line == ["it sows pit 2 and moves again", "it sows pit 1", "other sows pit 0"]


def test_reasons_have_what_each_move_does() -> None:
    from rulebots.game.position import Position
    from rulebots.packages.players import make_player
    from rulebots.web.reasons import of_rules

    game = load_game("kalah")
    position = Position(game, seed=1)
    reasons = of_rules(make_player("hand_tuned", game), position, ("it", "other"))
    assert reasons.columns == ("move", "score", "")
    assert {move: said for move, _, said in reasons.moves} == {
        game.text.write(move): position.deed(move) for move in position.legal_moves.tolist()
    }
    assert "sow pit 2 and move again" in {said for *_, said in reasons.moves}
    assert reasons.title == f"it would {reasons.moves[0][2]}"
    assert reasons.remark.startswith(f"The next best move is to {reasons.moves[1][2]}. Together the rules add +")


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


#: X has four stones with both ends free.
FOUR_IN_A_ROW = "15/15/15/15/7X7/7X7/7X7/7X7/O14/15/O14/15/O14/15/O14 X a7"
SAID = "“It is a corner, as I say.”"


@pytest.mark.parametrize(
    ("shares", "sentence"),
    [((1.0, 0.0), f"What it likes about it: {SAID}"), ((0.0, 1.0), f"The case against “stop”: {SAID}")],
)
def test_what_a_rule_says_of_other_moves_alone_is_not_compared(shares: tuple[float, ...], sentence: str) -> None:
    rule = SimpleNamespace(key="stop.risk", meaning="It is a corner, as I say.")
    term = Term(rule, 1.0, 1.0, 1.0, shares, (1.0, 1.0), 0.4)  # type: ignore[arg-type]  # what is read of a rule
    assert _sentence(SimpleNamespace(), term, "it", "“stop”") == sentence  # type: ignore[arg-type]  # it reads nothing of an explanation


@pytest.mark.parametrize(
    ("weight", "values", "sentence"),
    [
        (1.0, (1, 0, 0), f"What it likes about it: {SAID} That is true of none of the 2 other moves."),
        (-1.0, (0, 1, 0), f"What it avoids, unlike other moves: {SAID} That is true of 1 of the 2 other moves."),
        (
            1.0,
            (0.6, 0.2, 0),
            f"What it likes about it: {SAID} Other moves have less of that on average.",
        ),
        (-1.0, (0, 0.6, 0), f"What it avoids, unlike other moves: {SAID} Other moves have more of that on average."),
    ],
)
def test_the_reason_is_one_sentence_out_of_what_its_rule_means(
    weight: float, values: tuple[float, ...], sentence: str
) -> None:
    """The scale of a rule's values and further sentences of its meaning do not belong to it."""
    rule = SimpleNamespace(key="put.corner", meaning="It is a corner, as I say, in fives. More of it.")
    term = Term(rule, weight, weight, weight, (1.0, 1.0), (values[0], 0.3), 0.4)  # type: ignore[arg-type]  # what is read of a rule
    explained = SimpleNamespace(values=np.array([values]).T, rules=SimpleNamespace(rules=(rule,)))
    assert _sentence(explained, term, "it", "") == sentence  # type: ignore[arg-type]  # what is read of an explanation


def test_the_reason_is_what_sets_a_move_apart_from_all_others() -> None:
    """Two moves that win differ in small things: those are not why one of them is made."""
    from rulebots.game.position import Position
    from rulebots.packages.players import make_player
    from rulebots.web.reasons import of_rules

    game = load_game("gomoku")
    position = Position.from_text(game, FOUR_IN_A_ROW)
    reasons = of_rules(make_player("champion", game), position, ("it", "other"))
    assert "“It makes a five, which wins.”" in reasons.sentence
    assert reasons.main_bars[0].words == "Likes: it makes a five, which wins."
