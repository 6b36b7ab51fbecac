"""Does a league close holes? Champions bred with and without one at equal games, then exploited with equal budgets.

For each seed a run with a league goes on until its games, those of its exploiters among them, reach the budget, and one
without until it has had at least as many as the first; a run-off chooses the champion of each. `Exploitation`, which is
`evolve exploit`, then breeds an exploiter of each champion. What these win, and what the champions win against the
hand-tuned player, is measured on fresh deals, the same for both runs.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from machine import Figures
from scipy import stats

from evolve import Run, Settings
from evolve.analysis.exploitation import Exploitation
from rulebots.play.match import play_match
from rulebots.players import RulePlayer
from rulebots.players.population import Entry, Population, population_text
from rulebots.registry import load_game, parts_of

SEEDS = (1, 2, 3, 4, 5)
GAMES, EXPLOITER_GAMES, EVERY, DEALS = 500_000, 200_000, 3, 2_000
#: Of each generation, of both runs and of the exploiters: a quarter of the usual, for more generations in few games.
LESSONS = 500
#: Of the exploiters bred afterwards, and of the deals against the hand-tuned player: no run has it.
FRESH_SEED = 53_000_001


class Measured(NamedTuple):
    """A champion: what its exploiter and it itself win, 0 to 1 with half the interval, and the games that bred them."""

    exploiter: float
    exploiter_half: float
    tuned: float
    games: int
    exploiter_games: int


def measured(settings: Settings, budget: int, exploiter_games: int, deals: int, jobs: int) -> Measured:
    """Breed until the budget is spent, choose the champion, exploit it and measure both."""
    run = Run(settings, jobs)
    for progress in run.generations():
        if progress.games >= budget:
            break
    champion = run.run_off()[0]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "champion.yaml"
        file.write_text(population_text(Population(run.game, run.rules, {"champion": Entry(champion)})), "utf-8")
        search = Exploitation(str(file), run.game, jobs=jobs, seed=FRESH_SEED, lessons=settings.lessons)
        list(search.generations(games=exploiter_games))
        found = search.measured(search.chosen(), deals)
    tuned = play_match(RulePlayer(run.rules, champion, "champion"), run.hand_tuned, deals, seed=FRESH_SEED, jobs=jobs)
    low, high = found.result.win_rate_95
    return Measured(found.result.win_rate, (high - low) / 2, tuned.win_rate, run.games, found.trained)


def difference(before: list[float], after: list[float]) -> tuple[float, float]:
    """The mean of the paired differences in points, and half of its 95 % Student interval."""
    points = 100 * (np.array(after) - np.array(before))
    if len(points) < 2:
        return float(points.mean()), float("inf")
    half = float(stats.t.ppf(0.975, len(points) - 1)) * points.std(ddof=1) / np.sqrt(len(points))
    return float(points.mean()), float(half)


def main() -> None:
    """Breed, exploit, and show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="lost-cities", metavar="GAME", help="default: lost-cities")
    parser.add_argument("--strategy", default="memetic", metavar="NAME", help="default: memetic")
    parser.add_argument("--games", type=int, default=GAMES, help=f"of each run (default {GAMES:,})")
    parser.add_argument(
        "--exploiter-games", type=int, default=EXPLOITER_GAMES, help=f"of each exploiter (default {EXPLOITER_GAMES:,})"
    )
    parser.add_argument("--every", type=int, default=EVERY, help=f"generations between exploiters (default {EVERY})")
    parser.add_argument("--lessons", type=int, default=LESSONS, help=f"of each generation (default {LESSONS})")
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS), metavar="N")
    parser.add_argument("--deals", type=int, default=DEALS, help=f"of each measurement (default {DEALS:,})")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="one seed of few games, to see that it works")
    wanted = parser.parse_args()
    if wanted.quick:
        wanted.game, wanted.strategy, wanted.games, wanted.exploiter_games = "tictactoe", "ga", 130_000, 5_000
        wanted.seeds, wanted.deals, wanted.every, wanted.lessons = [1], 20, 1, 0
    tuned = parts_of(load_game(wanted.game)).references[0]
    figures = Figures(f"{wanted.game}: champions of {wanted.games:,} games with and without a league")
    alone, league = list[Measured](), list[Measured]()
    for seed in wanted.seeds:
        for found, every in ((league, wanted.every), (alone, 0)):
            given = {"seed": seed, "lessons": wanted.lessons, "generations": 1_000_000, "exploiter_every": every}
            settings = Settings.of(wanted.strategy, game=wanted.game, **given)
            budget = wanted.games if every else league[-1].games
            found.append(measured(settings, budget, wanted.exploiter_games, wanted.deals, wanted.jobs))
            print(f"seed {seed}, {'league' if every else 'alone'}: {found[-1]}", file=sys.stderr, flush=True)
        rates = " and ".join(
            f"{100 * f[-1].exploiter:.1f} ± {100 * f[-1].exploiter_half:.1f} %" for f in (alone, league)
        )
        own = " and ".join(f"{100 * f[-1].tuned:.1f} %" for f in (alone, league))
        games = " and ".join(f"{f[-1].games:,}" for f in (alone, league))
        figures.add(f"seed {seed}: exploiters win against alone and league", rates)
        figures.add(f"seed {seed}: alone and league win against {tuned}", own)
        figures.add(f"seed {seed}: games of alone and league", games)
    mean, half = difference([m.exploiter for m in alone], [m.exploiter for m in league])
    figures.add("exploiters win less against the league's", f"{-mean:.1f} ± {half:.1f} points", "5", met=mean <= -5)
    mean, half = difference([m.tuned for m in alone], [m.tuned for m in league])
    figures.add(f"the league's wins more against {tuned}", f"{mean:+.1f} ± {half:.1f} points", "0", met=mean >= 0)
    figures.show()


if __name__ == "__main__":
    main()
