"""The players of Ruby Quiz 51: every decision of real games is one that the slow reference would make."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import naive_lost_cities_players as naive
import numpy as np
import pytest
from lost_cities_positions import seen
from naive_lost_cities import Card, NaiveGame
from naive_lost_cities_shelly import NaiveShelly

from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import compiling
from rulebots.packages import package_of
from rulebots.packages.rule_sets import load_rules
from rulebots.play.deals import draw_deals
from rulebots.players import Player, RandomPlayer, RulePlayer

Reference = Callable[[NaiveGame], set[str]]


def follow(
    game: Game, players: list[Player], references: list[Reference | None], seed: int, options: dict[str, int]
) -> int:
    """Play one game beside the oracle; every choice must be one of the reference's. Returns the decisions."""
    cards = draw_deals(game, 1, seed, options=options).cards[0].tolist()
    position = Position(game, options, seed=seed, compiled=True)
    oracle = NaiveGame([Card(c // 10, c % 10 + (c % 10 > 0)) for c in cards], **options)
    decisions = 0
    while not (oracle.over() or position.stalled):
        seat = oracle.mover
        move = players[seat].decide(position)
        reference, word = references[seat], position.write(move)
        if reference is not None:
            allowed = reference(oracle)
            assert word in allowed, f"chose {word}, not one of {allowed}, in\n{position}"
            decisions += 1
        oracle.play(word)
        position.play(move)
    return decisions


#: Interpreted, fewer games have to do.
SEEDS = 2 if compiling() else 1
ENOUGH = 500 if compiling() else 100

SIX_SUITS = {"suits": 6, "hand_size": 8}
TWELVE_CARDS = {"suits": 6, "hand_size": 12}
USUAL = {"suits": 5, "hand_size": 8}


@pytest.fixture(scope="module")
def opponents(lost_cities: Game) -> list[Player]:
    return [
        RandomPlayer(lost_cities),
        package_of(lost_cities).players["shelly"](),
        package_of(lost_cities).players["sheppard"](),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dumb", "discard", "risk", "risk_meant"])
def test_the_simple_players_do_as_their_sources_say(lost_cities: Game, opponents: list[Player], name: str) -> None:
    player, reference = package_of(lost_cities).players[name](), getattr(naive, name)
    decisions = 0
    for seed in range(4 * SEEDS):
        for opponent in [*opponents, player]:
            decisions += follow(lost_cities, [player, opponent], [reference, None], seed, USUAL)
            decisions += follow(lost_cities, [opponent, player], [None, reference], seed, SIX_SUITS)
    assert decisions > ENOUGH


@pytest.mark.parametrize(
    ("why", "hand", "his", "played", "meant"),
    [
        ("17 in hand risk too much, unless half of the 27 at large come", "8D 9D", "", "d8d", "8d"),
        ("a lone 2 costs little either way", "2D", "", "2d", "2d"),
        ("he has the cards at large himself", "8D 9D", "10D", "d8d", "d8d"),
        ("of two suits, the one with less in hand, or with more to come", "2D 8O", "", "2d", "2d"),
        ("Ruby rounds the half of -13 down to -7, which is one too many", "9D", "4D", "d9d", "9d"),
    ],
    ids=lambda text: text if len(text) > 20 else "",
)
def test_risk_is_the_program_that_ruby_ran_and_risk_meant_the_one_that_was_meant(
    lost_cities: Game, why: str, hand: str, his: str, played: str, meant: str
) -> None:
    view = seen(hand, his=his)
    for name, expected in (("risk", played), ("risk_meant", meant)):
        assert (
            lost_cities.text.write(package_of(lost_cities).players[name]().choose(view, np.zeros(1, np.int64)))
            == expected
        )


def shelly_weights(lost_cities: Game, seed: int | None) -> dict[str, tuple[Fraction, Fraction]]:
    """The hand-tuned weights, or random ones in 64ths, which sum without rounding."""
    rules = load_rules("shelly", lost_cities)
    if seed is None:
        return {r.key: (Fraction(str(r.early)), Fraction(str(r.late))) for r in rules.rules}
    numbers = np.random.default_rng(seed).integers(-64, 65, (len(rules.rules), 2)).tolist()
    drawn = {r.key: (Fraction(e, 64), Fraction(late, 64)) for r, (e, late) in zip(rules.rules, numbers, strict=True)}
    return drawn | {"draw.wanted": (Fraction(1), Fraction(1))}


@pytest.mark.slow
@pytest.mark.parametrize("weights", [None, 1, 2, 3], ids=lambda w: "hand-tuned" if w is None else f"random {w}")
def test_shelly_plays_the_best_card_and_draws_the_first_wanted_one(
    lost_cities: Game, opponents: list[Player], weights: int | None
) -> None:
    chosen = shelly_weights(lost_cities, weights)
    named: dict[str, dict[str, Any]] = {"play": {}, "keep": {}, "draw": {}}
    for key, (early, late) in chosen.items():
        group, name = key.split(".")
        named[group][name] = [float(early), float(late)]
    player = RulePlayer(load_rules("shelly", lost_cities), named)
    decisions = 0
    for seed in range(2 * SEEDS if weights is None else SEEDS):
        for opponent in [*opponents, player]:
            for options in (USUAL, SIX_SUITS) if compiling() else (USUAL,):
                references = NaiveShelly(chosen), NaiveShelly(chosen)
                both = references[1].options if opponent is player else None
                decisions += follow(lost_cities, [player, opponent], [references[0].options, both], seed, options)
                decisions += follow(lost_cities, [opponent, player], [both, references[0].options], seed, options)
    assert decisions > ENOUGH


@pytest.mark.slow
@pytest.mark.parametrize("weights", [None, 1, 2, 3], ids=lambda w: "his own" if w is None else f"random {w}")
def test_sheppard_plays_one_of_the_best_cards_and_weighs_the_deck(
    lost_cities: Game, opponents: list[Player], weights: int | None
) -> None:
    rules = load_rules("sheppard", lost_cities)
    matrix = rules.hand_tuned()
    if weights is not None:
        matrix[:] = np.random.default_rng(weights).integers(-4, 9, len(rules.rules)) / 8
    chosen = {r.key: Fraction(float(w)) for r, w in zip(rules.rules, matrix[0], strict=True)}
    player = RulePlayer(rules, matrix)

    def reference(oracle: NaiveGame) -> set[str]:
        return naive.sheppard(oracle, chosen)

    decisions = 0
    for seed in range(SEEDS):
        for opponent in [*opponents, player]:
            for options in (USUAL, SIX_SUITS, TWELVE_CARDS) if compiling() else (TWELVE_CARDS,):
                decisions += follow(lost_cities, [player, opponent], [reference, None], seed, options)
                decisions += follow(lost_cities, [opponent, player], [None, reference], seed, options)
    assert decisions > ENOUGH


@pytest.mark.slow
def test_sheppard_draws_lots_among_equals(lost_cities: Game) -> None:
    """With no weights at all every play is as good as every other, and better than a discard."""
    rules = load_rules("sheppard", lost_cities)
    player = RulePlayer(rules, np.zeros((2, 7)))
    position = Position(lost_cities, seed=3)
    view, legal = position.view(), position.legal_moves
    luck, counts = 99, dict.fromkeys((int(m) for m in legal if m < 60), 0)
    asked = 2000 if compiling() else 400
    for _ in range(asked):
        luck = next_luck(luck)
        view.luck = luck
        counts[player.choose(view, legal)] += 1
    even = asked / len(counts)
    assert all(0.5 * even < count < 1.5 * even for count in counts.values())
