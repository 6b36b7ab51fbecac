"""What a score is, number by number, and what a rule, a weight and a rule set may be."""

from __future__ import annotations

import runpy
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numbers_game import base, consider, facts, game, moderation, namers, number, progress, rest, size, takers, view_at

from rulebots.errors import UsageError
from rulebots.game import Kind
from rulebots.game.checks import CheckedKernel
from rulebots.kernel import kernel
from rulebots.players import RulePlayer
from rulebots.rules import MOST_WEIGHT, Rule, RuleSet, rule, rules_of, weight_pair
from rulebots.rules.rule_set import checked_rules
from rulebots.rules.scoring import best_move, chooser, features_of, group_sum, scorer

MOVES = np.arange(6)


def scores_of(rules: RuleSet, view: Any, moves: Any = MOVES) -> list[float]:
    scores = np.zeros(len(moves))
    scorer(rules)(rules.seeing(view), moves, len(moves), rules.hand_tuned(), np.zeros(len(rules.rules)), scores)
    return scores.tolist()


@pytest.mark.parametrize(
    ("deal", "scores"),
    [
        # Weights 1, 1/2, -2: taking n brings n + 5 + (10 - n), leaving it -4 (10 - n).
        (0, [15, -40, 15, -36, 15, -32]),
        # Weights 3/2, 1/2, -3/2.
        (1, [12.5, -30, 13.25, -27, 14, -24]),
        # Weights 3, 1/2, 0.
        (4, [5, 0, 8, 0, 11, 0]),
    ],
)
def test_a_score_is_the_sum_of_the_groups_in_the_mix_of_the_kind_with_weights_of_the_moment(
    deal: int, scores: list[float]
) -> None:
    assert scores_of(takers, view_at(deal)) == scores


def test_a_flat_set_takes_the_early_weights_alone() -> None:
    assert scores_of(replace(takers, progress=None), view_at(4)) == [15, -40, 15, -36, 15, -32]


@pytest.mark.parametrize("deal", [0, 1, 4])
def test_features_times_weights_are_the_scores(deal: int) -> None:
    features = np.zeros((6, 3))
    late = features_of(takers)(takers.seeing(view_at(deal)), MOVES, 6, features)
    assert late == deal / 4
    assert features[:2].tolist() == [[0, 10, -5], [0, 0, 20]]
    early, end = takers.hand_tuned()
    assert (features @ ((1 - late) * early + late * end)).tolist() == scores_of(takers, view_at(deal))
    flat = replace(takers, progress=None)
    assert features_of(flat)(flat.seeing(view_at(deal)), MOVES, 6, features) == 0.0


def test_what_moves_in_a_row_share_is_looked_at_once() -> None:
    items: list[int] = []

    def looked_at(view: Any, item: int) -> None:
        items.append(item)

    looking = replace(takers, consider=kernel(looked_at))
    scores_of(looking, view_at(1))
    assert items == [0, 0, 1, 1, 2, 2], "taking and leaving weigh other groups"
    items.clear()
    alike = (Kind("take", {"gain": 1.0, "cost": 1.0}), Kind("leave", {"gain": 0.0, "cost": 1.0}))
    scores_of(replace(looking, kinds=alike), view_at(1))
    assert items == [0, 1, 2]
    items.clear()
    scores_of(replace(looking, kinds=alike), view_at(1), np.array([0, 2, 1]))
    assert items == [0, 1, 0]


@pytest.mark.parametrize("count", [1, 2, 3, 31, 32, 33, 65])
def test_a_sum_has_every_rule_once(count: int) -> None:
    of_group = [Rule("gain", f"r{k}", "", 2.0**k, 2.0**k, kernel(lambda view, item: item)) for k in range(count)]
    rules = RuleSet("many", takers.game, (rest, *of_group), fields=takers.fields)
    weights = rules.hand_tuned()[0]
    assert group_sum(rules, "gain")(None, 3, weights) == 3 * (2.0**count - 1)
    assert group_sum(RuleSet("none", takers.game, (rest,), fields=takers.fields), "gain")(None, 3, weights) == 0.0


@rule("name", early=1.0)
def table(view: Any, item: int) -> float:
    """What a test writes there."""
    return float(view.table[item])


@pytest.mark.parametrize(
    ("scores", "moves", "best"),
    [
        ([1, 3, 2], [0, 1, 2], 1),
        ([3, 1, 3], [0, 1, 2], 0),
        ([3, 1, 3], [2, 1, 0], 0),
        ([1, 1 + 5e-10, 0], [0, 1, 2], 0),
        ([1, 1 + 2e-9, 0], [0, 1, 2], 1),
        ([-5, float("nan"), -6], [0, 1, 2], 0),
        ([float("nan"), -5, -6], [0, 1, 2], 1),
        ([float("nan")] * 3, [2, 1, 0], 2),
        ([0, 9, 0], [0, 2], 0),
    ],
)
def test_the_best_score_wins_and_the_lowest_number_among_equals(
    scores: list[float], moves: list[int], best: int
) -> None:
    rules = RuleSet("table", game, (table,), fields=[("table", np.float64, (3,))])
    view = rules.seeing(view_at(0, game))
    view.table[:] = scores
    chosen = best_move(rules)(view, np.array(moves), len(moves), np.ones((2, 1)), np.zeros(1), np.zeros(3))
    assert chosen == best
    assert chooser(rules) is best_move(rules)


def test_a_set_may_decide_in_its_own_way() -> None:
    decides = kernel(lambda view, moves, n, weights, blended, scores: moves[n - 1])
    assert chooser(replace(namers, decide=lambda rules: decides)) is decides


@pytest.mark.parametrize("value", [0, -2.5, 1e6, -1e6])
def test_one_number_is_early_and_late_and_two_are_each(value: float) -> None:
    assert weight_pair(value) == (value, value)
    assert weight_pair([value, 1]) == (value, 1.0)
    assert weight_pair((1, value)) == (1.0, value)
    assert MOST_WEIGHT == 1e6


@pytest.mark.parametrize("value", [True, "1", None, 1.0000001e6, -1.0000001e6, float("nan"), [1], [1, 2, 3], [1, True]])
def test_anything_else_is_no_weight(value: Any) -> None:
    with pytest.raises(UsageError, match="expected"):
        weight_pair(value)


def test_a_rule_has_the_name_the_meaning_and_the_weights_that_it_is_given() -> None:
    def doubled(view: Any, item: int) -> int:
        """Twice
        the number."""
        return 2 * item

    made = rule("name", 0.5, name="twice")(doubled)
    assert (made.key, made.meaning, made.early, made.late) == ("name.twice", "Twice the number.", 0.5, 0.5)
    assert made(None, 4) == 8.0
    assert isinstance(made(None, 4), float)
    last = rule("name", late=2)(doubled)
    assert (last.name, last.early, last.late) == ("doubled", 0.0, 2.0)
    assert rule("name", 1e6, -1e6)(doubled).late == -1e6
    assert rules_of({"one": made, "other": 3, "third": last}) == [made, last]


@pytest.mark.parametrize("weights", [("1",), (1.0000001e6,), (0.0, True), (0.0, float("inf"))])
def test_a_rule_with_another_weight_is_refused(weights: tuple[Any, ...]) -> None:
    with pytest.raises(UsageError, match="expected a number as the weight of a rule"):
        rule("name", *weights)


@pytest.mark.parametrize(
    "says",
    [
        3,
        "capture stones",
        "tell(s) {1}",
        "win(s) [more",
        "win(s) [a]",
        "[a|b] [c|d]",
        "[a|b|c|d]",
        "a\nb",
        "win(s) <2",
        "win(s) <few stones>",
    ],
)
def test_words_of_another_form_are_refused_where_they_stand(says: Any) -> None:
    with pytest.raises(UsageError, match=r"test_weights_and_scores\.py:\d+: says: expected words as in .*, not "):
        rule("name", says=says)


@pytest.mark.parametrize("ahead", [-1, 10, 2.5, "2", True])
def test_turns_ahead_are_counted(ahead: Any) -> None:
    with pytest.raises(UsageError, match=r"test_weights_and_scores\.py:\d+: ahead: expected 0 to 9 turns, not "):
        rule("name", ahead=ahead)


def test_a_rule_takes_a_view_and_an_item() -> None:
    with pytest.raises(UsageError, match=r"expected the name of a group.*not `moves` itself"):

        @rule  # type: ignore[arg-type]
        def moves(view: Any, item: int) -> int:
            """Nothing."""
            return 0

    for wrong in (lambda view: 0, lambda view, item, more: 0):
        with pytest.raises(UsageError, match=r"expected \(view, item\)"):
            rule("name")(wrong)


TWICE = '''
from rulebots.rules import rule

@rule("name")
def one(view, item):
    """The first."""
    return 1
{between}
@rule("name")
def {name}(view, item):
    """The second."""
    return 2
'''


@pytest.mark.parametrize(
    ("between", "name", "twice"), [("", "other", False), ("", "one", True), ("\none = 3\n", "one", False)]
)
def test_two_rules_of_one_name_in_a_file_are_refused(tmp_path: Path, between: str, name: str, twice: bool) -> None:
    path = tmp_path / "twice.py"
    path.write_text(TWICE.format(between=between, name=name))
    if twice:
        with pytest.raises(UsageError, match=r"twice.py:1\d: rule 'one' is there twice in this file"):
            runpy.run_path(str(path))
    else:
        namespace: dict[str, Any] = {}
        for _ in range(2 if name == "other" else 1):  # a cell of a notebook is run again
            namespace = runpy.run_path(str(path), namespace)
        assert len(rules_of(namespace)) == (2 if name == "other" else 1)


def test_a_file_that_was_changed_may_define_its_rules_again(tmp_path: Path) -> None:
    path = tmp_path / "changed.py"
    namespace: dict[str, Any] = {}
    for value in (1, 22):
        path.write_text(TWICE.format(between="", name="other").replace("return 1", f"return {value}"))
        namespace = runpy.run_path(str(path), namespace)
    assert namespace["one"](None, 0) == 22.0


@pytest.mark.parametrize("optimize", [0, 1, 2])
def test_a_rule_needs_a_docstring_unless_the_interpreter_drops_them(
    optimize: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(view: Any, item: int) -> int:
        return 0

    monkeypatch.setattr(sys, "flags", SimpleNamespace(optimize=optimize))
    if optimize == 2:
        assert rule("name")(silent).meaning == ""
    else:
        with pytest.raises(UsageError, match="needs a docstring"):
            rule("name")(silent)


@pytest.mark.parametrize(
    ("rules", "given", "message"),
    [
        (size, {}, r"needs a tuple of rules: \(size,\) with the comma"),
        ((), {}, "has no rules: name at least one"),
        ((size, 3), {}, "has '3', which is not a rule"),
        ((size, rest, size), {}, "names the rule 'gain.size' twice"),
        ((size, number), {}, "has the rule 'number' .*no group 'name'"),
        ((size,), {"point": ("gain.base", 1.0)}, "has a wrong point: no rule 'gain.base'"),
        ((size,), {"fields": [("deal", np.int32)]}, "a field 'deal' exists already"),
    ],
)
def test_what_is_wrong_with_a_rule_set_is_named(rules: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=f"rule set 'wrong'.*{message}"):
        RuleSet("wrong", takers.game, rules, **given)


@pytest.mark.parametrize(
    ("part", "body", "count"), [("progress", consider, 1), ("facts", consider, 1), ("consider", facts, 2)]
)
def test_a_function_of_a_set_takes_what_it_is_given(part: str, body: Any, count: int) -> None:
    with pytest.raises(UsageError, match=rf"expected {count} parameters?, as `{part}` has"):
        RuleSet("wrong", takers.game, (size,), **{part: body})


def test_a_rule_set_is_a_table_of_its_rules() -> None:
    assert repr(takers) == "<RuleSet 'takers' of taking: 3 rules>"
    assert takers.columns == {"gain.size": 0, "gain.base": 1, "cost.rest": 2}
    assert takers.groups == ("gain", "cost")
    assert takers.mixes is takers.game.kinds
    assert (takers.flat, namers.flat) == (False, True)
    tuned = takers.hand_tuned()
    assert tuned.tolist() == [[1.0, 0.5, -2.0], [3.0, 0.5, 0.0]]
    lines = takers.rows(tuned)
    assert lines[2] == {
        "group": "cost",
        "rule": "rest",
        "early": -2.0,
        "late": 0.0,
        "meaning": "What is missing from ten, worked out for each number.",
    }
    assert RuleSet("listed", takers.game, [size], point=("gain.size", 1.0)).rules == (size,)  # type: ignore[arg-type]
    own = (Kind("take", {"cost": 1.0}), Kind("leave", {"gain": 1.0}))
    assert RuleSet("own", takers.game, (size, rest), kinds=own).groups == ("cost", "gain")


def test_weights_have_names_and_names_have_weights() -> None:
    named = {"gain": {"size": [1.0, 2.0], "base": [0.0, 0.0]}, "cost": {"rest": [-1.0, -1.0]}}
    weights = takers.weights({"gain": {"size": [1, 2]}, "cost": {"rest": -1}})
    assert weights.tolist() == [[1.0, 0.0, -1.0], [2.0, 0.0, -1.0]]
    assert takers.named(weights) == named
    assert takers.weights({}).tolist() == [[0.0] * 3] * 2
    for wrong in ({"gains": {"size": 1}}, {"gain": {"rest": 1}}, {"cost": {"size": 1}}):
        with pytest.raises(UsageError):
            takers.weights(wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"expected \{rule: weight\} for the group 'gain' of .*, not 3"):
        RulePlayer(takers, {"gain": 3})  # type: ignore[dict-item]


def test_an_identity_is_what_a_set_computes_and_not_its_name() -> None:
    assert replace(takers, name="other").identity() == takers.identity()
    for change in ({"progress": None}, {"facts": None}, {"consider": None}, {"rules": (base, size, rest)}):
        assert replace(takers, **change).identity() != takers.identity()
    assert replace(takers, point=("gain.size", 1.0)).identity() != takers.identity()


def test_an_extended_set_has_its_rules_and_fields_first() -> None:
    more = RuleSet("few", takers.game, (size, base), fields=[("ten", np.int32)]).extended(
        "more", [rest], [("missing", np.int32)], facts, consider
    )
    assert [one.key for one in more.rules] == ["gain.size", "gain.base", "cost.rest"]
    assert more.record.names == (*takers.game.view.names, "ten", "missing")
    assert (more.facts, more.consider) == (facts, consider)
    kept = takers.extended("kept", [])
    assert (kept.facts, kept.consider, kept.rules) == (facts, consider, takers.rules)
    assert namers.extended("same", []).facts is None
    with pytest.raises(UsageError, match="with more rules than 'takers' needs another name"):
        takers.extended("takers", [])


def test_the_functions_of_a_set_are_those_of_its_rules_and_its_own() -> None:
    of_rules = [size.kernel, base.kernel, rest.kernel]
    assert takers.kernels == [*of_rules, progress, facts, consider]
    assert namers.kernels == [number.kernel, moderation.kernel]
    view = takers.seeing(view_at(2))
    assert takers.parts(view) == [(progress, (view,)), (facts, (view,)), (consider, (view, 0))]
    assert namers.parts(view) == []
    with pytest.warns(RuntimeWarning, match=r"base runs interpreted, .* \(a reason\)"):
        called_back = takers.interpreting({"gain.base": "a reason"})
    assert [one is other for one, other in zip(called_back.rules, takers.rules, strict=True)] == [True, False, True]


def test_what_the_rules_see_is_a_copy_with_the_sets_own_fields() -> None:
    view = view_at(3)
    seen = takers.seeing(view)
    assert (seen.deal, seen.ten, seen.missing) == (3, 0, 0)
    seen.deal = 4
    assert view.deal == 3


def test_a_checked_set_checks_each_of_its_functions() -> None:
    checked = checked_rules(takers)
    functions = [*(one.kernel for one in checked.rules), checked.progress, checked.facts, checked.consider]
    assert all(isinstance(one, CheckedKernel) for one in functions)
    assert checked_rules(checked) is checked
    assert scores_of(checked, view_at(1)) == scores_of(takers, view_at(1))
