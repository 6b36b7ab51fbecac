"""Reasons in sentences: what rules and searches say of moves, in words that a person would use."""

from __future__ import annotations

import dataclasses
import math
import random
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from terms import CORNER, a_term

from rulebots.game.position import Position
from rulebots.game.text import gerund, spoken
from rulebots.packages import game_names, load_game, package_of
from rulebots.packages.players import make_player
from rulebots.players import RulePlayer
from rulebots.players.explaining import Explanation, Term, explain
from rulebots.players.findings import Findings, findings_of
from rulebots.players.sentences import (
    ending_of,
    leading,
    line_after,
    main_reason,
    naming,
    payoff,
    sentence_of,
    slip,
    strongest,
    told_once,
    words_of,
)

STONES = "win(s) [more|fewer|] stones with my move"
HIGH = "play(s) a [higher|lower|high] card"
MARGIN = "stand(s) [better|worse|better] then"
GAINS = "[gain(s)|lose(s)|gain(s)] <5 points> net, at best play"
CAPTURES = "capture(s) <5 stones>"
PAYS = "begin(s) what my hand [pays|does not pay] for"
#: Kalah's rules for what one turn brings, two turns and so on.
LOOKING = ("win.best_turn_won", "win.exchange", "win.next_turn_won", "win.next_exchange")


@pytest.mark.parametrize(
    ("says", "shares", "values", "brief", "sentence"),
    [
        (STONES, (1, 1), (0.6, 0.2), "Ann wins more stones with its move", " than by stopping"),
        (STONES, (1, 1), (0.2, 0.6), "Ann wins fewer stones with its move", " than by stopping"),
        (STONES, (1, 1), (0.6, 0), "Ann wins stones with its move", "; stopping would not"),
        (STONES, (1, 1), (0, 0.6), "stopping would win stones with its move", ""),
        (STONES, (1, 0), (0.6, 0.6), "Ann wins stones with its move", ""),
        (STONES, (0, 1), (0.6, 0.6), "stopping would win stones with its move", ""),
        (STONES, (1, 1), (0.6, 0.6), "Ann wins stones with its move", ", as stopping would"),
        (HIGH, (1, 1), (0.6, 0), "Ann plays a high card", "; stopping would not"),
        (MARGIN, (1, 1), (0, -0.2), "Ann stands better then", " than by stopping"),
        (MARGIN, (1, 0), (-0.2, 0), "Ann stands worse then", ""),
        (MARGIN, (1, 1), (0.2, 0.2), "Ann stands better then", ", as stopping would"),
        (CORNER, (1, 1), (1, 0), "Ann takes a corner and threatens", "; stopping would not"),
        (CORNER, (1, 1), (2, 1), "Ann takes a corner and threatens", ", more so than by stopping"),
        (CORNER, (1, 1), (0, 1), "stopping would take a corner and threaten", ""),
        ("stop(s)", (1, 1), (0, 1), "Ann avoids stopping", ""),
        (PAYS, (1, 1), (0.1, -0.9), "stopping would begin what its hand does not pay for", ""),
        (PAYS, (1, 0), (0.1, 0), "Ann begins what its hand pays for", ""),
        (GAINS, (1, 1), (0.6, -0.2), "Ann gains 3 points net, at best play; by stopping it would lose 1", ""),
        (GAINS, (1, 1), (0.2, 0), "Ann gains 1 point net, at best play; by stopping it would gain none", ""),
        (GAINS, (1, 1), (0, -0.4), "Ann gains no points net, at best play; by stopping it would lose 2", ""),
        (GAINS, (1, 1), (-0.4, -0.4), "Ann loses 2 points net, at best play", ", as stopping would"),
        (CAPTURES, (1, 1), (1.8, 1), "Ann captures 9 stones; by stopping it would capture 5", ""),
        (CAPTURES, (1, 1), (0.2, 0), "Ann captures 1 stone", "; stopping would not"),
        (CAPTURES, (1, 1), (0, 0.2), "stopping would capture 1 stone", ""),
        ("", (1, 0), (1, 1), "it is a corner, as I say", ""),
        ("", (0, 1), (1, 1), "stopping: it is a corner, as I say", ""),
    ],
)
def test_a_rule_speaks_as_a_person_does(
    says: str, shares: tuple[float, ...], values: tuple[float, ...], brief: str, sentence: str
) -> None:
    term = a_term(says, shares, values)
    assert words_of(term, "Ann", "stopping: Ann wins 4") == brief
    if says:
        whole = words_of(term, "Ann", "stopping, which means: it", whole=True, asked=True)
        assert whole == brief + sentence


@pytest.mark.parametrize(
    ("says", "shares", "values", "sentence"),
    [
        (PAYS, (1, 0), (-0.9, 0), "Ann begins what its hand does not pay for, which this player likes"),
        (PAYS, (1, 1), (0.5, 0), "Ann begins what its hand pays for, which this player avoids; stopping would not"),
        (CORNER, (1, 1), (0, 1), "stopping would take a corner and threaten, which this player avoids"),
        (
            STONES,
            (1, 1),
            (0.2, 0.6),
            "Ann wins fewer stones with its move than by stopping, which this player likes",
        ),
        (
            "play(s) beside [more|fewer] of my stones, to build on them",
            (1, 1),
            (0.2, 0.6),
            "stopping would play beside more of its stones, which this player avoids",
        ),
        (CORNER, (1, 1), (1, 1), "Ann takes a corner and threatens, as stopping would, which this player avoids"),
        ("", (0, 1), (0, 1), "Ann avoids stopping: it is a corner, as I say"),
    ],
)
def test_a_rule_that_is_weighed_against_its_meaning_is_called_a_taste(
    says: str, shares: tuple[float, ...], values: tuple[float, ...], sentence: str
) -> None:
    """“It begins what its hand does not pay for” sounds like a fault, not like a reason."""
    term = a_term(says, shares, values)
    disliked = dataclasses.replace(term, weight=-1.0, amount=-term.amount)
    assert disliked.unusual
    assert not term.unusual
    assert words_of(disliked, "Ann", "stopping", whole=True, asked=True) == sentence


@pytest.mark.parametrize(
    ("weight", "values", "amount", "leads"),
    [
        (1.0, (5, 0), 5.0, True),
        (-1.0, (0, 3.5), 3.5, False),  # what the other move does counts a quarter
        (-1.0, (0, 4.5), 4.5, True),
        (0.5, (3, 0), 1.5, True),
        (4.0, (0.4, 0), 1.6, False),  # so does a high card that is not so high
        (4.0, (0.6, 0), 2.4, True),
    ],
)
@pytest.mark.parametrize("against", [False, True])
def test_a_reason_speaks_for_its_move_unless_another_says_far_more(
    weight: float, values: tuple[float, float], amount: float, leads: bool, against: bool
) -> None:
    """A rule that is weighed against its author's intention is the last reason."""
    usual, other = a_term(CORNER, (1, 1), (1, 0)), a_term(HIGH, (1, 1), values, weight)
    meant = dataclasses.replace(other.rule, early=-weight if against else weight, late=0.0)
    other = dataclasses.replace(other, rule=meant, amount=amount)
    rules = SimpleNamespace(rules=[usual.rule, other.rule])
    explained: Any = SimpleNamespace(values=np.eye(2), shares=np.ones((2, 2)), rules=rules, scale=1.0, against=None)
    assert strongest(explained, [other, usual]) is (other if leads and not against else usual)
    assert strongest(explained, [other]) is other


def test_rules_that_say_the_same_are_told_as_one() -> None:
    """Two rules that know that a card can be played are one reason, which outweighs a larger third one."""
    one, more = a_term(STONES, (1, 1), (0.6, 0)), a_term(STONES, (1, 1), (0.7, 0))
    third = a_term(CORNER, (1, 1), (1, 0))
    said = told_once([third, more, one])
    assert [(term.rule.says, round(term.amount, 9)) for term in said] == [(STONES, 1.3), (CORNER, 1.0)]


@pytest.mark.parametrize(
    ("author", "small", "sentence"),
    [
        (1.0, 0.0, "It takes a corner and threatens."),
        (
            -1.0,
            0.0,
            "A habit of this player, against the common rule: it takes a corner and threatens.",
        ),
        (-1.0, 0.1, "It wins stones with its move."),
    ],
)
def test_a_taste_of_the_player_is_told_as_no_reason(author: float, small: float, sentence: str) -> None:
    """“It leads a heart, which this player likes” gives no reason, and may be bad advice."""
    terms = [a_term(CORNER, (1, 1), (1, 0)), a_term(STONES, (1, 1), (small, 0))]
    rules: Any = SimpleNamespace(
        rules=[
            dataclasses.replace(term.rule, name=name, early=weight, late=weight)
            for term, name, weight in zip(terms, "ab", (author, 1.0), strict=True)
        ],
        game=load_game("kalah"),
        decide=None,
    )
    values = np.array([[1.0, small], [0.0, 0.0]])
    explained = Explanation(rules, np.ones((2, 2)), 0.0, (1, 2), (1 + small, 0.0), values, np.ones((2, 2)))
    assert sentence_of(explained, "it", "taking it", "taking it") == sentence


@pytest.mark.parametrize(
    ("shares", "values", "sentence"),
    [
        ((1, 0), (1, 0), "Ann likes this: it is a corner, as I say"),
        ((0, 1), (0, 1), "Ann avoids stopping: it is a corner, as I say"),
        ((1, 1), (1, 0), "Ann likes this: it is a corner, as I say; not so with stopping"),
        ((1, 1), (0.6, 0.2), "Ann likes this: it is a corner, as I say, more so than with stopping"),
    ],
)
def test_a_rule_without_words_says_what_it_means(
    shares: tuple[float, ...], values: tuple[float, ...], sentence: str
) -> None:
    """The scale of a rule's values and further sentences of its meaning do not belong to it."""
    assert words_of(a_term("", shares, values), "Ann", "stopping", whole=True, asked=True) == sentence


def test_brackets_in_a_docstring_are_no_choice() -> None:
    term = a_term("", (1, 0), (1, 0))
    rule = dataclasses.replace(term.rule, meaning="It is board[0] | board[1].")
    assert words_of(dataclasses.replace(term, rule=rule), "Ann", "stopping") == "it is board[0] | board[1]"


def test_a_hint_speaks_to_the_person() -> None:
    assert words_of(a_term(STONES, (1, 1), (0.6, 0.2)), "you", "stopping") == "you win more stones with your move"


@pytest.mark.parametrize("name", game_names())
def test_each_shipped_rule_has_words_that_begin_with_a_verb(name: str) -> None:
    for rules in package_of(load_game(name)).rule_sets:
        for rule in rules.rules:
            verb = re.match(r"\[?\w+\((s|es)\)[ |]", rule.says)
            assert verb, f"{rules.name}: {rule.key} says '{rule.says}'"
            for values in ((2, 1), (1, 0), (0, 1)):
                says = words_of(a_term(rule.says, (1, 1), values), "Ann", "stopping")
                assert not set("[]|()") & set(says)
                assert says == " ".join(says.split())


def test_what_is_true_of_every_such_move_is_the_last_reason() -> None:
    """Discards may be liked as such: why this card is discarded says more."""
    rules = [SimpleNamespace(key=key, says="", early=1, late=1) for key in ("keep.anything", "keep.dead")]
    explained: Any = SimpleNamespace(
        values=np.array([[1.0, 1.0], [0.0, 0.0], [1.0, 0.0]]),
        shares=np.array([[-1.0, -1.0], [0.0, 0.0], [-1.0, -1.0]]),
        rules=SimpleNamespace(rules=rules),
        scale=1.0,
    )
    terms = [Term(rule, 1, 1, 1, (-1, 0), (1, 0), 5 - i) for i, rule in enumerate(rules)]  # type: ignore[arg-type]
    best = strongest(explained, terms)
    assert best is not None
    assert best.rule.key == "keep.dead"


def test_what_a_search_has_proven_is_told_as_a_result() -> None:
    """A drawn position is a draw, not an even chance."""

    def said(*expected: float, proven: list[bool]) -> str:
        return Findings([1, 2], expected, points=False, proven=proven).compared(["one", "two"])

    assert said(0.5, 0.5, proven=[True, True]) == "The search sees a draw after one, a draw after two: equal."
    assert said(0.5, 0.0, proven=[True, True]) == "The search sees a draw after one, a loss after two."
    assert said(0.6, 0.0, proven=[False, True]) == "The search sees 60 % to win after one, a loss after two."
    assert said(0.6, 0.5, proven=[False, False]) == "The search sees 60 % to win after one, 50 % after two."


def test_where_all_ends_are_known_the_other_move_is_one_that_leads_to_less() -> None:
    proven, three = [True] * 3, [1, 2, 3]
    assert Findings(three, [1.0, 1.0, 0.5], points=False, proven=proven).rival == 3
    assert Findings(three, [1.0, 1.0, 1.0], points=False, proven=proven).rival is None
    assert Findings(three, [1.0, 1.0, 0.5], points=False, proven=[True, True, False]).rival == 2


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ([0.5, 0.5, 0.5], "The search sees 50 % to win after one, 50 % after two: equal."),
        ([0.6, 0.59, 0.2], "The search sees 60 % to win after one, 59 % after two: almost equal."),
        ([0.6, 0.5, math.nan], "The search sees 60 % to win after one, 50 % after two."),
    ],
)
def test_a_search_says_which_moves_are_equal(expected: list[float], said: str) -> None:
    assert Findings([1, 2, 3], expected, points=False, proven=[False] * 3).compared(["one", "two", "three"]) == said


@pytest.mark.parametrize(
    ("worse", "answer", "said"),
    [
        (0.3, 5, ", which Ben may answer by sowing pit 5."),
        (0.3, -1, "."),
        (0.59, 5, ": almost equal."),
    ],
)
def test_a_search_names_the_answer_to_a_move_that_is_worse(worse: float, answer: int, said: str) -> None:
    position = Position(load_game("kalah"))
    [own, other] = [position.read(text) for text in ("3", "1")]
    found = findings_of(
        SimpleNamespace(
            move=own, moves=[own, other], visits=np.array([90, 80]), values=2 * np.array([0.6, worse]) - 1,
            answers=(0, answer),
        ),
        position,
    )  # fmt: skip
    assert found is not None
    assert found.sentence(position, ("you", "Ben")) == (
        f"The search sees 60 % to win after sowing pit 3, {100 * worse:.0f} % after sowing pit 1{said}"
    )


@pytest.mark.parametrize(
    ("early", "near", "begins", "ends"),
    [
        (1.0, "sowing pit 2", "It is close with sowing pit 2: it ", "another turn."),
        (0.0, "sowing pit 2", "A toss-up: it ", "bring none."),
        (1.0, "sowing pit 3", "It gets another turn", ". Sowing pit 3 is almost as good."),
        (9.0, "sowing pit 2", "It gets another turn", "another turn."),
    ],
)
def test_a_small_lead_is_called_almost_equal(early: float, near: str, begins: str, ends: str) -> None:
    """Small beside the weights of the player: their unit means nothing."""
    rules = package_of(load_game("kalah")).rule_sets[0]
    weights = np.zeros((2, len(rules.rules)))
    weights[:, :3] = (early, 5.0, 9.0)
    values = np.zeros((2, len(rules.rules)))
    values[0, 0] = 0.3
    values[:, 1] = (0.2, 0.1) if early == 0 else (0.1, 0.1)
    values[:, 2] = (0.1, 0.1 + 0.5 / 9.0) if early == 0 else (0.1, 0.1)
    scores = tuple((values * weights[0]).sum(axis=1).tolist())
    explained = Explanation(rules, weights, 0.0, (1, 2), scores, values, np.ones_like(values))
    said = sentence_of(explained, "it", "sowing pit 2", near)
    assert said.startswith(begins)
    assert said.endswith(ends)


@pytest.mark.parametrize(("against", "tie"), [(8.5, "almost as good"), (0.0, "")])
def test_a_lead_that_is_little_beside_its_reasons_is_a_toss_up(against: float, tie: str) -> None:
    """Nine for a move and eight and a half against it are no clear choice, whatever a typical weight is."""
    rules = package_of(load_game("kalah")).rule_sets[0]
    weights, values = np.zeros((2, len(rules.rules))), np.zeros((2, len(rules.rules)))
    weights[:, :5] = (1.0, 1.0, 1.0, 9.0, 9.0)
    values[0, 3], values[1, 4] = 1.0, against / 9.0
    explained = Explanation(rules, weights, 0.0, (1, 2), (9.0, against), values, np.ones_like(values))
    assert explained.tie == tie


def test_a_near_twin_is_no_move_to_compare_with() -> None:
    """That a card is named by rank, not by suit, is not why a hint is given: that the card can be played is."""
    rules = package_of(load_game("hanabi")).rule_sets[0]
    index = {rule.key: column for column, rule in enumerate(rules.rules)}
    values, weights = np.zeros((4, len(rules.rules))), np.zeros((2, len(rules.rules)))
    weights[:, index["hint.rank_hint"]], weights[:, index["hint.any_good"]] = 0.1, 1.0
    weights[:, index["discard.discards"]] = 0.5
    values[:2, index["hint.any_good"]] = values[0, index["hint.rank_hint"]] = values[2, index["discard.discards"]] = 1
    hint, discard = (
        next(move for move in range(40) if rules.mixes[rules.game.kind(move)].name == kind)
        for kind in ("hint", "discard")
    )
    groups = ("hint", "hint", "discard", "hint")
    shares = np.array([[float(rule.group == group) for rule in rules.rules] for group in groups])
    scores = tuple((values * weights[0] * shares).sum(axis=1).tolist())
    explained = Explanation(rules, weights, 0.0, (hint, hint + 1, discard, hint + 2), scores, values, shares)
    assert explained.rival == 2
    said = sentence_of(explained, "it", "discarding card 3", "telling Ben that card 1 is yellow")
    assert said == "It shows a teammate a card to play. Telling Ben that card 1 is yellow is much the same."
    weights[:, index["hint.rank_hint"]] = 0.9
    assert explained.rival == 1, "a rule that counts sets them apart"


def test_a_move_that_wins_or_cannot_save_the_game_says_so() -> None:
    """Three in a row win, two threats cannot be stopped, and where cards are hidden nothing is told."""
    position = Position(load_game("tictactoe"))
    for text in ("a1", "a2", "b1", "b2"):
        position.push(position.read(text))
    win, block = position.read("c1"), position.read("c2")
    assert ending_of(position, win, ("you", "Ben")) == "You win the game with it."
    assert ending_of(position, position.read("c3"), ("you", "Ben")) == ("Ben can still win at once by playing c2.")
    assert ending_of(position, block, ("you", "Ben")) == ""
    assert ending_of(Position(load_game("lost-cities")), 0, ("you", "Ben")) == ""


def test_a_double_threat_is_called_one() -> None:
    position = Position(load_game("tictactoe"))
    for text in ("b2", "b1", "a1", "c3"):
        position.push(position.read(text))
    said = main_reason(explain(make_player("champion", position.game), position), position, ["Ann", "Ben"], "Ann")
    assert said.startswith("Ann threatens to win in two places at once: only one can be blocked")


def test_rules_that_say_the_same_of_every_hint_count_as_one() -> None:
    """A rule that likes hints and one that dislikes them are no two reasons."""
    rules = package_of(load_game("hanabi")).rule_sets[0]
    index = {rule.key: column for column, rule in enumerate(rules.rules)}
    values, weights = np.zeros((3, len(rules.rules))), np.zeros((2, len(rules.rules)))
    for key, weight in {"hint.hints": -14.0, "hint.rich": 44.0, "hint.any_good": 3.0}.items():
        weights[:, index[key]] = weight
    values[:2, index["hint.hints"]], values[:2, index["hint.rich"]], values[0, index["hint.any_good"]] = 1, 0.5, 1
    shares = np.array([[float(rule.group == group) for rule in rules.rules] for group in ("hint", "hint", "discard")])
    kinds = {rules.mixes[rules.game.kind(move)].name: move for move in reversed(range(40))}
    moves = (kinds["hint"], kinds["hint"] + 1, kinds["discard"])
    scores = tuple((values * weights[0] * shares).sum(axis=1).tolist())
    explained = Explanation(rules, weights, 0.0, moves, scores, values, shares, against=kinds["discard"])
    assert [(term.rule.key, term.amount) for term in leading(explained)] == [
        ("hint.any_good", 3.0),
        ("hint.rich", 8.0),
    ]


def test_a_rule_that_looks_ahead_tells_what_is_expected_to_happen() -> None:
    """“Stands better two turns from now” says nothing that a person could check on the board."""
    game = load_game("kalah")
    rules = make_player("hand_tuned", game).rules
    weights = np.zeros((2, len(rules.rules)))

    def said(text: str, rule: str) -> str:
        only = weights.copy()
        only[:, [one.key for one in rules.rules].index(rule)] = -1.0 if rule == "danger.reply" else 1.0
        position = Position.from_text(game, text)
        return main_reason(explain(RulePlayer(rules, only), position), position, ("you", "Ben"), "you")

    # Ben's pit 0 would end in its empty pit 1, across from the nine stones of pit 4.
    exposed = "1,0,0,0,9,2,15/1,0,4,0,0,4,12 0"
    expected = ", Ben could sow pit 2 and move again, then sow pit 0 and capture 9: 11 points."
    assert expected in said(exposed, "win.exchange")
    assert expected in said(exposed, "danger.reply")
    assert "could" not in said(exposed, "win.stones_won"), "that rule looks at the move alone"
    # After pit 5 has moved again, pit 0 captures what lies across from pit 1; after pit 3 Ben saves it.
    own = "1,0,0,4,0,1,13/5,3,0,0,8,0,13 0"
    assert ". Then you could sow pit 0 and capture 8: 9 points." in said(own, "win.exchange")


@pytest.mark.parametrize(("turns", "rule"), list(enumerate(LOOKING, start=1)))
@pytest.mark.parametrize("seed", range(1, 9))
def test_the_play_that_a_reason_tells_is_the_best_that_the_rule_has_found(turns: int, rule: str, seed: int) -> None:
    """The points of a reason come out in the moves that it goes on to tell, by both sides."""
    game = load_game("kalah")
    player = make_player("hand_tuned", game)
    position, luck = Position(game, seed=seed), random.Random(seed)  # noqa: S311 - no secret
    for _ in range(4 + 3 * seed):
        position.play(luck.choice(position.legal_moves.tolist()))
    mover, before = position.mover, position.points
    explained = explain(player, position)
    column = [one.key for one in player.rules.rules].index(rule)
    for move, values in zip(explained.moves, explained.values, strict=True):
        *_, (_, last, played) = line_after(explained, position, move, turns, best=True)
        after = last.copy()
        after.play(played)
        gained = after.points[mover] - before[mover] - (after.points[1 - mover] - before[1 - mover])
        assert gained == round(5 * values[column])


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("you", "Ben"), "counting Ben's best reply"),
        (("Ann", "you"), "counting your best reply"),
        (("Ann", "Ben"), "counting Ben's best reply"),
    ],
)
def test_a_reason_names_the_only_opponent(names: tuple[str, str], said: str) -> None:
    game = load_game("kalah")
    position = Position.from_text(game, "1,0,0,0,9,2,15/1,0,4,0,0,4,12 0")
    rules = make_player("hand_tuned", game).rules
    weights = np.tile([one.key == "win.exchange" for one in rules.rules], (2, 1)).astype(float)
    explained = explain(RulePlayer(rules, weights), position)
    assert said in main_reason(explained, position, names, names[0])
    other = names[1]
    spoken = naming("Leave an endgame that the opponent loses: the opponent has the opponent's pit.", position, names)
    ending = "you lose: you have your pit." if other == "you" else f"{other} loses: {other} has {other}'s pit."
    assert spoken == f"Leave an endgame that {ending}"


def test_verbs_of_deeds_are_nouns_in_sentences() -> None:
    verbs = {
        "sow": "sowing", "take": "taking", "put": "putting", "stop": "stopping", "bid": "bidding", "play": "playing",
        "roll": "rolling", "advance": "advancing", "lead": "leading", "tell": "telling", "agree": "agreeing",
        "pass": "passing", "pay": "paying", "draw": "drawing", "discard": "discarding", "see": "seeing",
    }  # fmt: skip
    assert {verb: gerund(verb) for verb in verbs} == verbs
    position = Position(load_game("kalah"), seed=1)
    assert position.deed(2, doing=True) == "sowing pit 2 and moving again"


def test_a_win_that_was_missed_is_told_as_one() -> None:
    told = slip("play c1", "Casual wins the game with it.")
    assert told.endswith("Its own choice was to play c1. Casual would have won the game with it.")


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        (
            "h8 g7 i9 i7 f6",
            "It is close: Club makes an open two, though playing h7 would make an open three",
        ),
        (
            "h8 g7 i9 i7 f6 h6 j10",
            "It is close: Club makes an open three, as playing g5 would, and it prevents more open twos.",
        ),
    ],
)
def test_what_decides_is_told_though_the_next_best_move_has_it(moves: str, sentence: str) -> None:
    game = load_game("gomoku")
    position = Position(game, seed=7)
    for move in moves.split():
        position.push(position.read(move))
    explained = explain(make_player("hand_tuned", game), position)
    assert main_reason(explained, position, ["you", "Club"], "Club").startswith(sentence)


def test_a_reason_that_both_moves_have_does_not_hide_that_weights_tell_them_apart() -> None:
    game = load_game("gomoku")
    position = Position(game, seed=7)
    for move in ("h8", "g7", "g6"):
        position.push(position.read(move))
    said = main_reason(explain(make_player("champion", game), position), position, ["you", "Club"], "it")
    both = "It prevents an open two, as playing h7 would; only this player's own weights tell the two apart."
    assert said.startswith(both)


def test_a_reason_ends_with_what_its_player_knows() -> None:
    """What decides is the risk of a roll and what it may cost, what a hint has told of a card, or where a line is."""
    cant_stop, hanabi = load_game("cant-stop"), load_game("hanabi")
    decision = Position.from_text(
        cant_stop, "0,0,0,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0/0,0,2,0,1,2,0,0,0,0,0 X decide"
    )
    said = main_reason(explain(make_player("champion", cant_stop), decision), decision, ["you", "Ben"], "you")
    assert said.endswith("The next roll: 11 % bust; spaces at stake: 5.")
    hinted = Position(hanabi, {"seats": 3}, seed=1)
    names, champion = ["Ann", "Ben", "you"], make_player("champion", hanabi, 3)
    told = []
    for move in re.findall(r"\w+", "h11 p2 h15 h22 p4 p5 h2r d4 p3 d3 d4 h14 h24 d4 h2w d4 h13 h1b p5"):
        hinted.push(move)
        told.append(main_reason(explain(champion, hinted), hinted, names, "it"))
    assert told[7].endswith("Ann hinted red, which means: play card 3.")
    assert told[-1].endswith("As the hints are meant, with the cards in view, card 5 should be the white 1.")


def test_an_answer_speaks_of_the_move_that_is_asked_about() -> None:
    usual, other = a_term(CORNER, (1, 1), (1, 0)), a_term(STONES, (1, 1), (0, 1.5), -1.0)
    rules = SimpleNamespace(rules=[usual.rule, other.rule])
    explained: Any = SimpleNamespace(values=np.eye(2), shares=np.ones((2, 2)), rules=rules, scale=1.0, against=7)
    assert strongest(explained, [usual, other]) is other


def test_what_a_line_brings_after_its_first_move_is_told_if_it_is_enough() -> None:
    position = Position(load_game("kalah"))
    line = [0, 3, 1, 0, 0]
    told = "you could later sow pit 0 and capture 5"
    assert [payoff(position, line, 0, ["you", "Ben"], least) for least in (4, 6)] == [told, ""]
    assert payoff(position, line, 1, ["you", "Ben"], 4) == "", "it is the other's gain"
    assert payoff(position.after(0).after(3).after(1).after(0), [0], 0, ["you", "Ben"], 4) == "", "the move itself"


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        (
            [4, 0, 2, 0],
            "After sowing pit 4, you could sow pit 4 and move again, then sow pit 2 and capture 6: 8 points.",
        ),
        (
            [4, 5, 5],
            "then sow pit 5 and move again, then sow pit 4 and capture 6: 9 points.",
        ),
    ],
)
def test_a_turn_is_told_with_all_its_moves_and_what_they_bring(moves: list[int], told: str) -> None:
    position = Position(load_game("kalah"))
    for move in moves:
        position.push(move)
    explained = explain(make_player("champion", position.game), position)
    assert main_reason(explained, position, ["you", "Ben"], "Ben").endswith(told)


@pytest.mark.parametrize("name", ["Ann", "you"])
def test_a_reason_goes_on_with_what_its_player_knows_or_did(name: str) -> None:
    """“It shows a card to play: Ben holds the red 1” is one thought."""
    position = Position(load_game("lost-cities"), seed=3)
    names = [name if seat == position.mover else "Ben" for seat in range(2)]
    it = {"Ann": "it holds", "you": "you hold"}[name]
    explained = explain(make_player("sheppard", position.game), position)
    told = main_reason(explained, position, names, name)
    assert f", to keep higher ones playable: {it} " in told
    assert "would not" not in told, "nobody asked about the other move"
    other = explain(make_player("sheppard", position.game), position, against=explained.moves[1])
    assert "would not" in main_reason(other, position, names, name)


def test_a_name_begins_every_sentence_with_a_capital() -> None:
    assert spoken("{0} lead(s). {0} hold(s) h8, as {1} hold(s).", ["you", "Ben"], 0) == (
        "You lead. You hold h8, as Ben holds."
    )
