"""The strategies at equal numbers of games, on Lost Cities or another game: three budgets, five seeds.

Each run goes on until its games, the rollouts of lessons among them, reach the largest budget. On the way, the player
that the strategy then thinks best is measured on deals that no training uses, against the hand-tuned player (Shelly's
at Lost Cities) and against a hall of fame: the players in the file of the shipped champion. Every strategy has its own
default settings, but for those that follow its name: 'memetic population=4' takes nearly all of its games as lessons. A
strategy that is not part of the package may come from a file of Python.
"""

from __future__ import annotations

import argparse
import runpy
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import joblib
import numpy as np
from machine import Figures

from evolve import Run, Settings
from evolve.strategies import strategies
from evolve.strategies.base import Breeder
from rulebots import Player, RulePlayer, load_game, load_population, package_of
from rulebots.packages.players import shipped_files
from rulebots.play.match import play_match

STRATEGIES = ("sheppard", "ga", "cma-es", "memetic")
BUDGETS = (150_000, 500_000, 1_500_000)
SEEDS = (1, 2, 3, 4, 5)
DEALS = 2_000
FRESH_SEED = 52_000_001


def add_strategies(file: Path) -> None:
    """Make the strategies of a file of Python known by their names."""
    for value in runpy.run_path(str(file)).values():
        if isinstance(value, type) and issubclass(value, Breeder) and "name" in vars(value):
            strategies()[value.name] = value


def candidates(
    game: str, strategy: str, seed: int, budgets: Sequence[int], jobs: int
) -> Iterator[tuple[int, Run, np.ndarray]]:
    """For each budget the run up to there and the player that it would send into the run-off first."""
    name, *own = strategy.split()
    changed = {setting: int(value) for setting, value in (one.split("=") for one in own)}
    run = Run(Settings.of(name, game=game, seed=seed, generations=1_000_000, **changed), jobs)
    left = list(budgets)
    for progress in run.generations():
        while left and progress.games >= left[0]:
            yield left.pop(0), run, run.candidates()[0]
        if not left:
            return


def win_rate(player: Player, others: Sequence[Player], deals: int, jobs: int) -> float:
    """The mean win rate against the others, on the same fresh deals."""
    return float(np.mean([play_match(player, other, deals, FRESH_SEED, jobs=jobs).win_rate for other in others]))


def picture(rates: dict[tuple[str, int], list[float]], budgets: Sequence[int], whom: str, file: Path) -> None:
    """Win rates against the hand-tuned player by budget, a line a strategy, the range over seeds as a band."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.fonttype"] = "none"
    import matplotlib.pyplot as plt

    plt.style.use("tableau-colorblind10")
    figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    for strategy in dict.fromkeys(name for name, _ in rates):
        of_budget = [100 * np.array(rates[strategy, budget]) for budget in budgets]
        (line,) = axes.plot(budgets, [r.mean() for r in of_budget], marker="o", label=strategy)
        lows, highs = [r.min() for r in of_budget], [r.max() for r in of_budget]
        axes.fill_between(budgets, lows, highs, alpha=0.15, color=line.get_color(), linewidth=0)
    axes.set_xscale("log")
    axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
    axes.minorticks_off()
    axes.set_xlabel("games of training")
    axes.set_ylabel(f"win rate against {whom} on fresh deals, %")
    axes.set_title("Strategies at equal numbers of games (mean and range over seeds)")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(file, dpi=130, metadata={"Date": None} if file.suffix == ".svg" else None)


def main() -> None:
    """Breed, measure, and draw if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="lost-cities", metavar="GAME", help="default: lost-cities")
    parser.add_argument("--strategies", nargs="+", default=list(STRATEGIES), metavar="NAME", help="default: all")
    parser.add_argument("--file", type=Path, metavar="FILE.py", help="a file with more subclasses of Breeder")
    parser.add_argument("--budgets", nargs="+", type=int, default=list(BUDGETS), metavar="GAMES")
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS), metavar="N")
    parser.add_argument("--deals", type=int, default=DEALS, help=f"of each measurement (default {DEALS:,})")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw win rates by budget")
    parser.add_argument("--quick", action="store_true", help="two strategies with 3,000 games, to see that it works")
    wanted = parser.parse_args()
    if wanted.quick:
        wanted.strategies, wanted.budgets, wanted.seeds, wanted.deals = ["ga", "cma-es"], [3_000], [1], 20
    jobs, budgets = int(joblib.cpu_count()), sorted(wanted.budgets)
    if wanted.file:
        add_strategies(wanted.file)
    tuned, usual = package_of(load_game(wanted.game)).references[0], Settings.of(game=wanted.game).strategy_name
    rates: dict[tuple[str, int], list[float]] = {}
    figures = Figures(
        f"{wanted.game}: win rates of {len(wanted.seeds)} seeds on {wanted.deals:,} fresh deals: mean (each seed)"
    )
    for strategy in wanted.strategies:
        famous: dict[int, list[float]] = {}
        for seed in wanted.seeds:
            for budget, run, weights in candidates(wanted.game, strategy, seed, budgets, jobs):
                player = RulePlayer(run.rules, weights, strategy)
                hall = load_population(shipped_files(run.game)["champion"])
                members = [RulePlayer(hall.rules, entry.weights, name) for name, entry in hall.players.items()]
                rates.setdefault((strategy, budget), []).append(win_rate(player, [run.hand_tuned], wanted.deals, jobs))
                famous.setdefault(budget, []).append(win_rate(player, members, wanted.deals, jobs))
                both = rates[strategy, budget][-1], famous[budget][-1]
                print(f"{strategy}, seed {seed}, {budget:,} games:", *both, file=sys.stderr, flush=True)
        for budget in budgets:
            for whom, found in ((tuned, rates[strategy, budget]), ("the hall of fame", famous[budget])):
                each = ", ".join(f"{100 * rate:.1f}" for rate in found)
                figures.add(f"{strategy}, {budget:,} games, against {whom}", f"{100 * np.mean(found):.1f} % ({each})")
    best = max(wanted.strategies, key=lambda strategy: float(np.mean(rates[strategy, budgets[-1]])))
    met = best == usual if usual in wanted.strategies else None
    figures.add(f"best against {tuned} after {budgets[-1]:,} games", best, usual if met is not None else "", met=met)
    figures.show()
    if wanted.picture:
        picture(rates, budgets, tuned, wanted.picture)


if __name__ == "__main__":
    main()
