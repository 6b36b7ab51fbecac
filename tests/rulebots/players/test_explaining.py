"""Explanations are exact: what the rules add up to is the difference that the player acts on."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from contenders import contender
from hypothesis import given, settings, strategies as st
from recorded import recorded

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages import game_names, load_game
from rulebots.packages.players import champion_of, make_player
from rulebots.packages.rule_sets import load_rules, rule_sets_of
from rulebots.play.deals import draw_deals
from rulebots.players import RulePlayer
from rulebots.players.explaining import explain
from rulebots.players.sentences import deeds_to_mover
from rulebots.rules import RuleSet
from rulebots.rules.scoring import ROUNDING

RULE_SETS = [rules for name in game_names() for rules in rule_sets_of(load_game(name)).values()]
every_rule_set = pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: f"{rules.game.name}-{rules.name}")

every_game = pytest.mark.parametrize("game", [load_game(name) for name in game_names()], ids=lambda game: game.name)


def positions(game: Game, seed: int) -> list[tuple[object, object, list[int]]]:
    """States, views and legal moves of a random game; the views' luck differs from decision to decision."""
    record = recorded(draw_deals(game, 1, seed), 0)
    for ply, view in enumerate(record.views):
        view.luck = ply + 1
    return [(record.states[ply], record.views[ply], record.legal[ply]) for ply in record.decisions]


@pytest.mark.slow
@every_rule_set
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 3), place=st.floats(0, 1, exclude_max=True), draw=st.integers(0, 2**32 - 1))
def test_what_rules_add_is_the_difference_of_the_scores(rules: RuleSet, seed: int, place: float, draw: int) -> None:
    weights = np.random.default_rng(draw).uniform(-3, 3, (2, len(rules.rules)))
    player = RulePlayer(rules, weights)
    found = [position for position in positions(rules.game, seed) if len(position[2]) > 1]
    _, view, legal = found[int(place * len(found))]
    before = view.tobytes()
    explained = explain(player, view, legal)
    assert view.tobytes() == before
    assert sorted(explained.moves) == sorted(legal)
    assert 0 <= explained.progress <= 1
    scores = dict(zip(explained.moves, explained.scores, strict=True))
    for move in explained.moves[1:4]:
        terms = explained.between(explained.chosen, move)
        assert sum(t.amount for t in terms) == pytest.approx(scores[explained.chosen] - scores[move], abs=1e-9)
        for term in terms:
            assert term.weight == pytest.approx(
                (1 - explained.progress) * term.early + explained.progress * term.late, abs=1e-12
            )
            (a, b), (x, y) = term.shares, term.values
            assert term.amount == term.weight * (a * x - b * y)
        assert [abs(t.amount) for t in terms] == sorted((abs(t.amount) for t in terms), reverse=True)
    assert explained.chosen == player.choose(view.copy(), np.array(legal))
    assert list(explained.scores[1:]) == sorted(explained.scores[1:], reverse=True)


@pytest.mark.slow
@every_game
def test_the_chosen_move_has_the_best_score_where_a_set_decides_by_scores(game: Game) -> None:
    others = []
    for rules in rule_sets_of(game).values():
        for seed in range(3 if rules.decide is None else 0):
            player = RulePlayer(rules, np.random.default_rng(seed).uniform(-3, 3, (2, len(rules.rules))))
            found = positions(game, seed)
            for _, view, legal in found[:: max(1, len(found) // 5)]:
                explained = explain(player, view, legal)
                if explained.scores[0] < max(explained.scores) - ROUNDING:
                    others.append(f"{rules.name}, seed {seed}: {explained.chosen}")
    assert others == []


@pytest.mark.slow
@every_rule_set
def test_a_position_is_explained_like_its_view(rules: RuleSet) -> None:
    player = RulePlayer(rules, rules.hand_tuned())
    state, view, legal = positions(rules.game, 5)[4]
    view.luck = 1
    one, other = explain(player, Position.of(rules.game, state)), explain(player, view, legal)
    assert (one.moves, one.scores, one.reasons) == (other.moves, other.scores, other.reasons)
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.progress = 0.5  # type: ignore[misc]


class OfItsOwn(RulePlayer):
    """Chooses by something else than its rules."""

    def choose(self, seen: Any, moves: Any) -> int:
        return int(moves[0])


def test_what_cannot_be_explained_is_said_in_one_line(lost_cities: Game) -> None:
    rules = load_rules("shelly", lost_cities)
    player = RulePlayer(rules, rules.hand_tuned(), "me")
    state, view, _ = positions(lost_cities, 5)[0]
    with pytest.raises(UsageError, match="'random' is not made of rules"):
        explain(contender(lost_cities, "random"), Position.of(lost_cities, state))
    with pytest.raises(UsageError, match="'mine' is not made of rules"):
        explain(OfItsOwn(rules, rules.hand_tuned(), "mine"), Position.of(lost_cities, state))
    with pytest.raises(UsageError, match="a view has no moves"):
        explain(player, view)
    with pytest.raises(UsageError, match="expected a position or a view of Lost Cities"):
        explain(player, Position(load_game("circles")))
    with pytest.raises(UsageError, match="the game is over"):
        explain(player, view, [])


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=game.name, marks=[pytest.mark.slow] if game.name in ("circles", "hanabi") else [])
        for game in map(load_game, game_names())
    ],
)
def test_what_the_mover_is_told_of_its_moves_does_not_tell_what_is_hidden_from_it(game: Game) -> None:
    player = make_player(champion_of(game), game)
    position = Position(game, seed=7)
    for number in range(3 if game.hidden else 1):
        while position.chance_to_move:
            position.play(int(position.legal_moves[0]))
        moves = explain(player, position).moves
        told = deeds_to_mover(position, moves)
        if game.hidden:
            assert told == deeds_to_mover(position.redealt(1000 + number), moves)
        else:
            assert told == tuple(map(position.deed, moves))
        position.play(moves[0])


def test_of_a_card_that_the_mover_cannot_see_its_place_is_told() -> None:
    position = Position(load_game("hanabi"), seed=7)
    position.play(int(position.legal_moves[0]))
    move = position.read("p2")
    assert position.deed(move).startswith("play card 2, the ")
    assert deeds_to_mover(position, [move]) == ("play card 2",)
