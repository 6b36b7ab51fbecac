"""A best response to one player, bred within a run: the exploiter of its champion."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from evolve.deals import EXPLOITERS
from evolve.evaluation.arena import Arena
from evolve.evaluation.generation import play_generation
from evolve.lessons.schedule import take_lessons, why_none
from evolve.settings import HAND_TUNED, MOST_GENERATIONS, Settings
from evolve.strategies import make_breeder
from rulebots.game.random_numbers import MOST_SEED, rng_of
from rulebots.players import RulePlayer
from rulebots.players.population import rounded
from rulebots.rules import RuleSet, Weights


class Response(NamedTuple):
    """The weights of a best response, float64[2, rules], and how many games bred it."""

    weights: Weights
    games: int


def best_response(arena: Arena, rules: RuleSet, player: Weights, generation: int, games: int) -> Response:
    """Breed by the run's own strategy against one player of these rules alone, beginning from its own weights.

    It ends with the generation that spends the budget of games, the rollouts of lessons among them. Its random numbers
    and deals are those of a seed of its own, which follows from the run's and the generation.
    """
    settings = _settings(arena.settings, generation)
    arena, breeder = Arena(arena.game, settings, arena.workers), make_breeder(settings, rules, [player])
    learner = None if settings.lessons == 0 or why_none(settings, breeder.learner, rules) else breeder.learner
    target, spent = RulePlayer(rules, player, "the champion"), 0
    while spent < games:
        now = breeder.generation
        bred = [RulePlayer(rules, weights, f"exploiter {i + 1}") for i, weights in enumerate(breeder.ask())]
        played = play_generation(arena, bred, [target], now)
        if learner:
            lessons = [take_lessons(arena, request, rules, [target]) for request in learner.wanted(now)]
            learner.learn(now, lessons)
            spent += settings.lessons + settings.rollouts * sum(len(taken.returns) for taken in lessons)
        breeder.tell(played.tally)
        spent += played.games
    return Response(rounded(breeder.finalists()[0]), spent)


def _settings(settings: Settings, generation: int) -> Settings:
    """Those of a run in which a population meets one opponent, and not itself."""
    return replace(
        settings,
        seed=int(rng_of(settings.seed, EXPLOITERS, generation).integers(MOST_SEED)),
        schedule="gauntlet",
        opponents=(HAND_TUNED,),  # one, whose place the player takes
        generations=MOST_GENERATIONS,
        hall_of_fame=0,
        exploiter_every=0,
    )
