"""The size of a run: what nobody chose shrinks where a game is slow, or fits the time that the run may take."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace

from evolve.evaluation.arena import Arena
from evolve.run import Run
from evolve.schedules import SIZING
from evolve.settings import MOST_GENERATIONS, Settings
from evolve.workers import Workers
from rulebots.players import RulePlayer

#: Seconds that a run should take at most where nobody says how long.
MOST_SECONDS = 600.0
#: The share of a run's time that its generations take; the run-off, the polish and the table follow.
BRED_SHARE = 0.8
#: Seconds of play that measure the speed of a game.
MEASURED_SECONDS = 0.2
#: The sizes of a run, and what each is halved down to.
LEAST = {"deals": 1, "opponent_deals": 2, "lessons": 200, "population": 16, "generations": 20}


def free_sizes(chosen: Collection[str]) -> list[str]:
    """The sizes that may shrink, given the settings that the user chose: a size of a generation fixes them all."""
    fixed = set(LEAST) & set(chosen)
    return [] if fixed - {"generations"} else [name for name in LEAST if name not in fixed]


def fitted(run: Run, games_a_second: float, free: Sequence[str], seconds: float | None = None) -> Settings:
    """Settings whose generations fit these seconds, or at most MOST_SECONDS where they are None.

    The size that is farthest above its least is halved in turn; then there are as many generations as fit the seconds.
    """
    settings = run.settings
    budget = MOST_SECONDS if seconds is None else BRED_SHARE * seconds
    while seconds_of(run, settings, games_a_second) > budget:
        above = {name: getattr(settings, name) / LEAST[name] for name in free}
        name = max(above, key=lambda one: above[one], default="")
        if above.get(name, 0) <= 1:
            break
        settings = replace(settings, **{name: max(LEAST[name], getattr(settings, name) // 2)})
    if seconds is not None and "generations" in free:
        of_one = seconds_of(run, settings, games_a_second) / settings.generations
        settings = replace(settings, generations=min(MOST_GENERATIONS, max(1, int(budget / of_one))))
    return settings


def seconds_of(run: Run, settings: Settings, games_a_second: float) -> float:
    """About how long the generations of a run with these settings take; a lesson is worth a few rollouts."""
    games = settings.games_a_generation(run.arena.seats, together=run.arena.together)
    lessons = settings.lessons * (1 + settings.rollouts) if run.learner else 0
    return settings.generations * (games + lessons) / games_a_second


def games_a_second(run: Run) -> float:
    """The speed of the hand-tuned weights among themselves, with all workers of the run.

    Processes take a while to start: one core is measured, and all count as much.
    """
    player = RulePlayer(run.rules, run.rules.hand_tuned())
    workers = run.arena.workers
    alone = run.game.live is not None
    arena = Arena(run.game, run.settings, Workers()) if alone else run.arena
    deals = 1
    while True:
        began = time.perf_counter()
        games = arena.match(player, player, arena.deals(deals, SIZING)).games
        seconds = time.perf_counter() - began
        if seconds >= MEASURED_SECONDS:
            return games / seconds * (workers.jobs if alone else 1)
        deals *= 4
