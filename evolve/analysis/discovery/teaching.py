"""Lessons of a player in rounds, each from the games of the player that the lessons so far made of it."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evolve.analysis.discovery.terms import Floats, Term, field_rules, field_values
from evolve.deals import DISCOVERY
from evolve.evaluation.arena import Arena
from evolve.lessons.learner import LEAST_CHANCE, LessonRequest
from evolve.lessons.policy_gradient import BATCH, Adam, ascend
from evolve.lessons.rollouts import Lessons
from evolve.lessons.schedule import take_lessons
from evolve.workers.base import concatenated
from rulebots.game.random_numbers import rng_of
from rulebots.players import RulePlayer
from rulebots.players.names import make_player
from rulebots.players.population import rounded
from rulebots.registry import parts_of
from rulebots.rules import RuleSet, Weights

#: The share of lessons that are from games against itself: a new rule has to win against the player without it.
SELF_PLAY = 0.5
#: The step sizes of the learner, and the steps at each, at least: few lessons make few steps in a pass over them.
STEP_SIZES, STEPS = (0.02, 0.01, 0.005, 0.002), 150


@dataclass(frozen=True)
class Taught:
    """The lessons of all rounds, and what they teach.

    `values` are those of rules and of fields for each move, float32[moves] by key, and `shares` those of the groups in
    its score. `weights`, float64[2, rules], are those of the player of the last round's games.
    """

    lessons: Lessons
    values: Mapping[str, Floats]
    shares: Mapping[str, Floats]
    weights: Weights


def taught(
    arena: Arena,
    player: RulePlayer,
    fields: Sequence[Term],
    *,
    rounds: int,
    temperature: float,
    steps: Callable[[str, Callable[[], Lessons]], Lessons],
    shuffle: bool,
) -> Taught:
    """Take lessons of a player, as many a round as the arena's settings say. With `shuffle` they are made worthless."""
    rules, seed = player.rules, arena.settings.seed
    opponents = [make_player(name, player.game) for name in parts_of(player.game).references]
    more, own = field_rules(rules, fields), len(rules.rules)
    weights, taken = player.weights, list[Lessons]()
    for number in range(rounds):
        if taken:
            so_far = concatenated(taken)
            narrow = replace(so_far, features=so_far.features[:, :own])
            weights = rounded(learnt_from(narrow, weights, temperature, seed, flat=rules.flat))
        request = LessonRequest(number, weights, temperature * -math.log(LEAST_CHANCE), SELF_PLAY)
        take = functools.partial(take_lessons, arena, request, rules, opponents, more=more)
        lessons = steps(f"lessons of round {number}", take)
        taken.append(shuffled(lessons, rng_of(seed, DISCOVERY, 0, number)) if shuffle else lessons)
    lessons = concatenated(taken)
    values, shares = raw_values(rules, lessons)
    found = values | field_values(rules, fields, lessons.features[:, own:], shares)
    return Taught(replace(lessons, features=lessons.features[:, :own].copy()), found, shares, weights)


def learnt_from(lessons: Lessons, begun: Weights, temperature: float, seed: int, *, flat: bool) -> Weights:
    """What these weights, float64[2, rules], become by the lessons."""
    genes = begun[0] if flat else begun.ravel()
    adam, rng = Adam(len(genes)), rng_of(seed, DISCOVERY, 1)
    ours = replace(lessons, features=np.ascontiguousarray(lessons.features, np.float32))
    epochs = math.ceil(STEPS * BATCH / max(1, len(ours)))
    for step_size in STEP_SIZES:
        genes = ascend(genes, [ours], adam, epochs=epochs, step_size=step_size, temperature=temperature, rng=rng)
    return np.stack([genes, genes]) if flat else genes.reshape(2, -1)


def raw_values(rules: RuleSet, lessons: Lessons) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """The value of each rule for each move, float32[moves] by key, and the share of each group in its score.

    The features of the lessons begin with those of the rules. Where a kind of move does not count a group, both are 0.
    """
    kind = rules.game.kind
    kinds = {move: int(kind(move)) for move in np.unique(lessons.moves).tolist()}
    number_of = np.array([kinds[move] for move in lessons.moves.tolist()], np.int64)
    shares = {
        group: np.array([mix.mix.get(group, 0.0) for mix in rules.mixes], np.float32)[number_of]
        for group in rules.groups
    }
    values = {}
    for r, column in zip(rules.rules, lessons.features.T, strict=False):
        share = shares[r.group]
        values[r.key] = np.divide(column, share, out=np.zeros_like(column), where=share != 0)
    return values, shares


def shuffled(lessons: Lessons, rng: np.random.Generator) -> Lessons:
    """The lessons with the returns of each decision's moves in random order: nothing is left to be found in them."""
    decision = np.repeat(np.arange(len(lessons)), lessons.counts)
    order = np.lexsort((rng.random(len(decision)), decision))
    return replace(lessons, returns=lessons.returns[order])
