"""The size of a run: what nobody chose fits the time that the run may take, or shrinks where a game is far too slow.

A machine's speed must not decide what a run breeds, so without a time limit only a game whose package has no `breeding`
is measured, in powers of SPEED_STEP, and its run shrinks only where it would take more than TOLERATED seconds.
"""

import math
import time
from collections.abc import Collection, Sequence
from dataclasses import replace

from evolve.evaluation.arena import Arena
from evolve.run import Run
from evolve.schedules import SIZING
from evolve.settings import MOST_GENERATIONS, Settings
from evolve.workers import Workers
from rulebots.game import Game
from rulebots.packages import package_of
from rulebots.players import RulePlayer

#: Without a time limit: seconds beyond which a run shrinks, and seconds that it takes at most once it does.
TOLERATED = 3600.0
MOST_SECONDS = 600.0
#: Without a time limit a speed is rounded to a power of this, so that small differences of speed rarely count.
SPEED_STEP = 4.0
#: The share of a run's time that its generations take. The run-off, the polish, the tests and the table may each play a
#: tenth as many games, and where luck counts for much they do: 0.5 to 0.9 of the time of the generations was measured.
BRED_SHARE = 0.6
#: Seconds of play that measure the speed of a game.
MEASURED_SECONDS = 0.2
#: The sizes of a run, and what each is halved down to. Smaller populations have so few winners that their mean drifts.
LEAST = {"deals": 1, "opponent_deals": 2, "lessons": 200, "population": 24, "generations": 20}
#: With a time limit: fewer generations than these are of a smaller population, down to the smallest.
FEWEST_GENERATIONS = 4
SMALLEST = 8


def free_sizes(chosen: Collection[str], game: Game, seconds: float | None = None) -> list[str]:
    """The sizes that may change, given the settings that the user chose.

    Without a time limit in seconds, a size of a generation that the user chose fixes all, and so does `breeding` in the
    game's package.
    """
    fixed = set(LEAST) & set(chosen)
    if seconds is None and (fixed - {"generations"} or package_of(game).breeding):
        return []
    return [name for name in LEAST if name not in fixed]


def fitted(run: Run, games_a_second: float, free: Sequence[str], seconds: float | None = None) -> Settings:
    """Settings whose generations fit these seconds; where they are None, MOST_SECONDS if those of the run are too many.

    The size that is farthest above its least is halved in turn; then there are as many generations as fit the seconds.
    """
    settings = run.settings
    if seconds is None and seconds_of(run, settings, games_a_second) <= TOLERATED:
        return settings
    budget = MOST_SECONDS if seconds is None else BRED_SHARE * seconds
    while seconds_of(run, settings, games_a_second) > budget:
        above = {name: getattr(settings, name) / LEAST[name] for name in free}
        name = max(above, key=lambda one: above[one], default="")
        if above.get(name, 0) <= 1:
            break
        settings = replace(settings, **{name: max(LEAST[name], getattr(settings, name) // 2)})
    if seconds is None or "generations" not in free:
        return settings
    while True:
        fit = int(budget * settings.generations / seconds_of(run, settings, games_a_second))
        if fit >= FEWEST_GENERATIONS or settings.population <= SMALLEST or "population" not in free:
            return replace(settings, generations=min(MOST_GENERATIONS, max(1, fit)))
        settings = replace(settings, population=max(SMALLEST, settings.population // 2))


def still_fitting(done: int, taken: float, seconds: float) -> int:
    """How many generations fit a run of these seconds, of which the first ones have taken some."""
    return min(MOST_GENERATIONS, done + max(0, int((BRED_SHARE * seconds - taken) * done / max(taken, 0.001))))


def seconds_of(run: Run, settings: Settings, games_a_second: float) -> float:
    """About how long the generations of a run with these settings take; a lesson is worth a few rollouts."""
    games = settings.games_a_generation(run.arena.seats, together=run.arena.together)
    lessons = settings.lessons * (1 + settings.rollouts) if run.learner else 0
    return settings.generations * (games + lessons) / games_a_second


def coarse(games_a_second: float) -> float:
    """The nearest power of SPEED_STEP."""
    return SPEED_STEP ** round(math.log(games_a_second, SPEED_STEP))


def games_a_second(run: Run) -> float:
    """The speed of the hand-tuned weights among themselves, with all workers of the run.

    Processes take a while to start: one core is measured, and all count as much.
    """
    player = RulePlayer(run.rules, run.rules.hand_tuned())
    alone = run.game.live is not None
    arena = Arena(run.game, run.settings, Workers()) if alone else run.arena
    deals = 1
    while True:
        began = time.perf_counter()
        games = arena.match(player, player, arena.deals(deals, SIZING)).games
        seconds = time.perf_counter() - began
        if seconds >= MEASURED_SECONDS:
            return games / seconds * (run.arena.workers.jobs if alone else 1)
        deals *= 4
