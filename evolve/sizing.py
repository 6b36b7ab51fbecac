"""The size of a run of a slow game: what nobody chose shrinks until the run takes minutes instead of hours."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace

from evolve.run import Run
from evolve.schedules import SIZING
from evolve.settings import Settings
from rulebots.players import RulePlayer

#: Seconds that a run should take at most.
MOST_SECONDS = 600.0
#: Seconds of play that measure the speed of a game.
MEASURED_SECONDS = 0.2
#: The sizes of a run, and what each is halved down to.
LEAST = {"deals": 1, "opponent_deals": 2, "lessons": 200, "population": 16, "generations": 20}


def free_sizes(chosen: Collection[str]) -> list[str]:
    """The sizes that may shrink, given the settings that the user chose: a size of a generation fixes them all."""
    fixed = set(LEAST) & set(chosen)
    return [] if fixed - {"generations"} else [name for name in LEAST if name not in fixed]


def fitted(run: Run, games_a_second: float, free: Sequence[str]) -> Settings:
    """Settings whose run takes at most MOST_SECONDS; the size that is farthest above its least is halved in turn."""
    settings = run.settings
    while seconds_of(run, settings, games_a_second) > MOST_SECONDS:
        above = {name: getattr(settings, name) / LEAST[name] for name in free}
        name = max(above, key=lambda one: above[one], default="")
        if above.get(name, 0) <= 1:
            break
        settings = replace(settings, **{name: max(LEAST[name], getattr(settings, name) // 2)})
    return settings


def seconds_of(run: Run, settings: Settings, games_a_second: float) -> float:
    """About how long the generations of a run with these settings take; a lesson is worth a few rollouts."""
    games = settings.games_a_generation(run.arena.seats, together=run.arena.together)
    lessons = settings.lessons * (1 + settings.rollouts) if run.learner else 0
    return settings.generations * (games + lessons) / games_a_second


def games_a_second(run: Run) -> float:
    """The speed of the hand-tuned weights among themselves, with all workers of the run."""
    player = RulePlayer(run.rules, run.rules.hand_tuned())
    deals = 1
    while True:
        began = time.perf_counter()
        games = run.arena.match(player, player, run.arena.deals(deals, SIZING)).games
        seconds = time.perf_counter() - began
        if seconds >= MEASURED_SECONDS:
            return games / seconds
        deals *= 4
