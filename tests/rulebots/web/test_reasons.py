"""Reasons in rows for the page."""

from __future__ import annotations

import dataclasses
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from page_client import Site

from rulebots.packages import load_game
from rulebots.players.explaining import Term, _sentence
from rulebots.web.reasons import _rule_bars


def test_reasons_of_rollouts() -> None:
    from rulebots.game.position import Position
    from rulebots.search.rollout.search import RolloutResult
    from rulebots.web.reasons import of_search

    counts, wins, none = np.array([30, 0]), np.array([0.625, np.nan]), np.zeros((0, 0))
    result = RolloutResult(2, 2, np.array([2, 1]), counts, wins, wins, wins, wins, 30, 0.1, 0, none, ("it",))
    reasons = of_search(result, Position(load_game("kalah")), ("it", "other"))
    assert reasons is not None
    assert reasons.deed == "sow pit 2 and move again"
    assert reasons.columns == ("move", "tried", "chance to win")
    assert reasons.moves == (("sow pit 2 and move again", "30", "62 %"), ("sow pit 1", "0", "-"))
    assert reasons.sentence == "The search sees a chance to win of 62 % after “sow pit 2 and move again”."


def test_a_chance_to_win_is_no_points_where_points_count() -> None:
    from rulebots.game.position import Position
    from rulebots.web.reasons import of_search

    game = dataclasses.replace(load_game("kalah"), counts="points")
    wins = np.array([0.57])
    result = SimpleNamespace(move=2, moves=[2], rollouts=np.array([50]), wins=wins, points=False)
    reasons = of_search(result, Position(game), ("it", "other"))
    assert reasons is not None
    assert reasons.moves == (("sow pit 2 and move again", "50", "57 %"),)


@pytest.mark.parametrize(("played", "second"), [(None, 1), (0, 0), (3, 1)])
def test_a_search_compares_its_move_with_the_one_that_was_played(played: int | None, second: int) -> None:
    """Pit 3 looks better after a single try: that is no reason for pit 2."""
    from rulebots.game.position import Position
    from rulebots.web.reasons import of_search

    wins = np.array([0.6, 0.5, 0.4, 0.9])
    result = SimpleNamespace(move=2, moves=[2, 1, 0, 3], rollouts=np.array([30, 20, 10, 1]), wins=wins, points=False)
    reasons = of_search(result, Position(load_game("kalah")), ("it", "other"), played)
    assert reasons is not None
    share = {1: 50, 0: 40}[second]
    said = f"a chance to win of 60 % after “sow pit 2 and move again” and {share} % after “sow pit {second}”."
    assert reasons.sentence == f"The search sees {said}"


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
    assert reasons.columns == ("move", "score")
    assert {said for said, _ in reasons.moves} == {position.deed(move) for move in position.legal_moves.tolist()}
    assert reasons.deed == reasons.moves[0][0] == "sow pit 2 and move again"
    assert re.fullmatch(rf"Next best: {reasons.moves[1][0]}, \d\.\d\d less\.", reasons.remark)
    assert reasons.bars[-1].words == "All rules together"
    assert float(reasons.bars[-1].amount) > 0, "however the rules disagree, their sum is for the move"


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
    [((1.0, 0.0), f"It likes this: {SAID}"), ((0.0, 1.0), f"It avoids “stop”: {SAID}")],
)
def test_what_a_rule_says_of_one_move_alone_is_not_compared(shares: tuple[float, ...], sentence: str) -> None:
    weight = shares[0] - shares[1]
    rule = SimpleNamespace(key="stop.risk", meaning="It is a corner, as I say.")
    term = Term(rule, weight, weight, weight, shares, (1.0, 1.0), 0.4)  # type: ignore[arg-type]  # what is read of a rule
    assert _sentence(term, "It", "“stop”") == sentence


@pytest.mark.parametrize(
    ("weight", "values", "sentence"),
    [
        (1.0, (1, 0), f"It likes this: {SAID} That is not true of “stop”."),
        (-1.0, (0, 1), f"It avoids “stop”: {SAID} That is not true of this move."),
        (1.0, (0.6, 0.2), f"It likes this: {SAID} There is less of it in “stop”."),
        (-1.0, (0, 0.6), f"It avoids “stop”: {SAID} There is less of it in this move."),
    ],
)
def test_the_reason_is_one_sentence_out_of_what_its_rule_means(
    weight: float, values: tuple[float, ...], sentence: str
) -> None:
    """The scale of a rule's values and further sentences of its meaning do not belong to it."""
    rule = SimpleNamespace(key="put.corner", meaning="It is a corner, as I say, in fives. More of it.")
    term = Term(rule, weight, weight, weight, (1.0, 1.0), values, 0.4)  # type: ignore[arg-type]  # what is read of a rule
    assert _sentence(term, "It", "“stop”") == sentence


@pytest.mark.parametrize(
    ("weight", "shares", "values", "words"),
    [
        (7.0, (1.0, 1.0), (1, 0), "For it: it is a corner, as I say"),
        (7.0, (1.0, 1.0), (0, 1), "Against it: not “it is a corner, as I say”"),
        (-7.0, (1.0, 1.0), (0, 0.6), "For it: less of “it is a corner, as I say”"),
        (-7.0, (1.0, 1.0), (0.6, 0), "Against it: more of “it is a corner, as I say”"),
        (-7.0, (0.0, 1.0), (0, 0.6), "For it, of “stop”: it is a corner, as I say"),
        (-7.0, (1.0, 0.0), (0.6, 0), "Against it: it is a corner, as I say"),
    ],
)
def test_a_bar_says_on_which_side_it_is(
    weight: float, shares: tuple[float, ...], values: tuple[float, ...], words: str
) -> None:
    rule: Any = SimpleNamespace(key="put.corner", meaning="It is a corner, as I say, in fives. More of it.")
    amount = weight * (shares[0] * values[0] - shares[1] * values[1])
    term = Term(rule, weight, weight, weight, shares, values, amount)
    explained: Any = SimpleNamespace(values=np.array([values]).T, rules=SimpleNamespace(rules=(rule,)))
    other = dataclasses.replace(term, amount=0.5)
    bar, together = _rule_bars(explained, [term, other], [term], "“stop”")
    assert bar.words == words
    assert (together.words, together.amount) == ("All rules together", f"{amount + 0.5:+.2f}")
    assert max(bar.size, together.size) == 100


def test_what_two_moves_have_in_common_is_a_reason_for_both() -> None:
    """Two moves that win differ in small things: those are not why one of them is made."""
    from rulebots.game.position import Position
    from rulebots.packages.players import make_player
    from rulebots.web.reasons import of_rules

    game = load_game("gomoku")
    position = Position.from_text(game, FOUR_IN_A_ROW)
    reasons = of_rules(make_player("champion", game), position, ("it", "other"))
    said = f"it likes this, and “{reasons.moves[1][0]}” as much: “It makes a five, which wins.”"
    assert said in reasons.sentence


@pytest.mark.parametrize("name", ["kalah", "gomoku", "lost-cities", "cant-stop", "hearts"])
def test_what_is_shown_first_speaks_for_the_move_beside_the_next_best(name: str) -> None:
    """The sentence, the bars and their sum compare the same two moves."""
    from rulebots.game.position import Position
    from rulebots.packages.players import make_player
    from rulebots.web.reasons import of_rules

    game = load_game(name)
    player = make_player("champion", game)
    position = Position(game, seed=3)
    seen = 0
    while seen < 12 and not position.over:
        if not position.chance_to_move and len(position.legal_moves) > 1:
            reasons = of_rules(player, position, [f"seat {seat}" for seat in range(position.seats)])
            assert reasons.sentence
            if reasons.bars:
                assert reasons.bars[0].words.startswith("For it"), reasons
                lead = float(reasons.moves[0][1]) - float(reasons.moves[1][1])
                assert float(reasons.bars[-1].amount) == pytest.approx(lead, abs=0.01)
            seen += 1
        move = player.decide(position) if not position.chance_to_move else int(position.legal_moves[0])
        position.push(move)
    assert seen >= 5
