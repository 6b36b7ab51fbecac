"""Restricted play: players that never make some moves, and are bred again to do without them.

How much a kind of move matters is read from the win rate of a player without it against one with it: A. Jaffe and
others, "Evaluating Competitive Game Balance with Restricted Play" (AIIDE 2012). Where every legal move is forbidden,
the player is free, because a game has no pass that it could make instead.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evolve.evaluation.arena import Arena, play_generation
from evolve.settings import Settings
from evolve.strategies import make_breeder
from evolve.workers.base import Threads
from rulebots.kernel import Kernel, kernel
from rulebots.packages.population import rounded
from rulebots.players import CompiledPlayer, RulePlayer, Style
from rulebots.rules import RuleSet, Weights
from rulebots.rules.scoring import chooser

#: The players of a generation, the mirrored deals each plays against the unrestricted player, and the generations.
POPULATION = 16
DEALS = 20
GENERATIONS = 12


class RestrictedPlayer(CompiledPlayer):
    """A player of rules that makes none of the `forbidden` moves, by number, unless all legal ones are."""

    def __init__(self, rules: RuleSet, weights: Weights, forbidden: Sequence[int], name: str) -> None:
        mask = np.zeros((2, rules.game.move_count))
        mask[:, list(forbidden)] = 1.0
        super().__init__(restricted_style(rules), np.concatenate([weights, mask], axis=1), name)


@functools.cache
def restricted_style(rules: RuleSet) -> Style:
    """The style of restricted players of a rule set: after the weights stands a 1 for each forbidden move.

    So one compiled style serves all restrictions. The choice is the set's `decide`, so that every form of the set, such
    as one that is checked or called back in Python, chooses in the same way.
    """
    within = replace(rules, decide=functools.partial(_within, decide=rules.decide))
    return Style(rules.game, chooser(within), len(rules.rules) + rules.game.move_count, within)


def _within(rules: RuleSet, decide: Callable[[RuleSet], Kernel[..., int]] | None) -> Kernel[..., int]:
    """A kernel that chooses as `decide` does, among the moves that are allowed."""
    choose = chooser(replace(rules, decide=decide))
    first = len(rules.rules)

    @kernel
    def choose_within(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
        allowed = 0
        for i in range(n):
            if weights[0, first + moves[i]] == 0.0:
                moves[allowed] = moves[i]
                allowed += 1
        return choose(view, moves, allowed if allowed > 0 else n, weights, blended, scores)

    return choose_within


def breeding_settings(
    player: RulePlayer, seed: int, options: Mapping[str, int], opening_plies: int | None, generations: int
) -> Settings:
    """How restricted players are bred: against the unrestricted player only."""
    return Settings.of(
        "ga",
        game=player.game.name,
        population=POPULATION,
        generations=generations,
        opponent_deals=DEALS,
        schedule="gauntlet",
        seed=seed,
        options=dict(options),
        opening_plies=opening_plies,
    )


def bred_again(player: RulePlayer, forbidden: Sequence[int], settings: Settings, jobs: int) -> Weights:
    """The weights of a best response to the player that never makes these moves. Raises UsageError: wrong options."""
    arena = Arena(player.game, settings, Threads(jobs))
    breeder = make_breeder(settings, player.rules, [player.weights])
    for generation in range(settings.generations):
        bred = [
            RestrictedPlayer(player.rules, weights, forbidden, f"bred {i}") for i, weights in enumerate(breeder.ask())
        ]
        breeder.tell(play_generation(arena, bred, [player], generation).tally)
    return rounded(breeder.finalists()[0])
