"""How strong bred players of Lost Cities are, on 10,000 fresh mirrored deals against each opponent.

Without FILE, the default run of 50 generations is bred first for each of the seeds 1 to 5, and each champion meets
every reference player. --long breeds one run of about ten minutes on two cores instead; --shipped takes the champion
that ships. --hall-of-fame asks whether a population goes round in circles: 64 generations with `--hall-of-fame 4`,
then the champion against the former champions that the run kept.

The deals are of a seed that no training uses. A stalled game counts as no win; the 95 % intervals are over deals.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import joblib
from machine import CHECKOUT, Figures, percent, program

from evolve.run import Run
from evolve.settings import Settings
from rulebots import BredPlayer, MatchResult, make_player, package_of, play_match

SHIPPED = CHECKOUT / "populations" / "lost_cities" / "champion.yaml"
SEEDS = (1, 2, 3, 4, 5)
DEALS = 10_000
FRESH_SEED = 51_000_001
#: Least win rates of the default run's champions, of the long run's and of the shipped one, and its self-play points.
BRED = {"shelly": 0.74, "discard": 0.97, "dumb": 0.95, "risk": 0.95}
BRED_LONG = {"shelly": 0.79}
SHIPPED_PLAYER = {"shelly": 0.78}
SHIPPED_POINTS = 38.0
MOST_STALLED = 0.001
#: The long run, whose lessons are all from games against Shelly, and the seconds that it may take.
LONG = ["--generations", "100", "--strategy", "memetic:step_decay=0.977,self_play=0", "--lessons", "18000"]
LONG_SECONDS = 600
DEFAULT = ["--generations", "50"]
QUICK = ["--generations", "2", "--population", "10", "--deals", "1", "--rules", "sheppard", "--lessons", "0"]


@contextlib.contextmanager
def bred(flags: list[str], seeds: tuple[int, ...]) -> Iterator[list[Path]]:
    """The files of a run for each seed, in a folder that is gone afterwards; says how long each took."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for seed in seeds:
            files.append(Path(folder) / f"seed{seed}.yaml")
            command = ["evolve", "run", "--game", "lost-cities", *flags, "--seed", str(seed)]
            began = time.perf_counter()
            subprocess.run(
                [program("evolve"), *command[1:], "--out", str(files[-1]), "--quiet"], check=True, cwd=folder
            )
            print(f"{' '.join(command)}: {time.perf_counter() - began:.0f} s", flush=True)
        yield files


def measure(file: Path, deals: int, least: dict[str, float], least_points: float | None = None) -> Figures:
    """One champion against the reference players, and against itself."""
    champion = BredPlayer(file)
    jobs = int(joblib.cpu_count())
    results: dict[str, MatchResult] = {}
    figures = Figures(f"{file}: {champion.name} on {deals:,} fresh deals, each played from both seats")
    for name in package_of(champion.game).references:
        result = play_match(champion, make_player(name, champion.game), deals, FRESH_SEED, jobs=jobs)
        results[name] = result
        rate = f"{percent(result.win_rate, result.win_rate_95)}, {result.points:.1f} points"
        if name in least:
            target, met = f"at least {100 * least[name]:.0f} %", result.win_rate >= least[name]
            figures.add(f"against {name}", rate, target, met=met)
        else:
            figures.add(f"against {name}", rate)
    alone = play_match(champion, champion, deals, FRESH_SEED, jobs=jobs)
    points = (alone.points + alone.opponent_points) / 2
    if least_points is not None:
        target, met = f"at least {least_points:.0f} points", points >= least_points
        figures.add("against itself", f"{points:.1f} points", target, met=met)
    else:
        figures.add("against itself", f"{points:.1f} points")
    where, worst = max({**results, "itself": alone}.items(), key=lambda pair: pair[1].stalled)
    share, target = worst.stalled / worst.games, f"under {100 * MOST_STALLED:.1f} %"
    what = f"stalled games, most of them against {where}" if share else "stalled games"
    figures.add(what, f"{100 * share:.3f} %", target, met=share < MOST_STALLED)
    return figures


def measure_former_champions(settings: Settings) -> Figures:
    """The champion of a run against every former champion that its hall of fame kept."""
    run = Run(settings, jobs=int(joblib.cpu_count()))
    list(run.generations())
    measured = run.finish().measured
    held_out = measured.held_out if measured else {}
    former = {name: result for name, result in held_out.items() if name.startswith("generation ")}
    what = f"evolve run --generations {settings.generations} --hall-of-fame {settings.hall_of_fame}"
    figures = Figures(f"{what} --seed {settings.seed}, {settings.held_out_deals:,} fresh deals each")
    for name, result in former.items():
        rate = percent(result.win_rate, result.win_rate_95)
        met = result.win_rate_95[0] > 0.5
        figures.add(f"against the champion of {name}", rate, "above 50 %", met=met)
    return figures


def main() -> None:
    """Breed if need be, then measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", metavar="FILE", nargs="*", type=Path, help="populations; their first players play")
    parser.add_argument("--shipped", action="store_true", help=f"measure {SHIPPED.name}, by its own targets")
    parser.add_argument("--long", action="store_true", help="breed one long run, of seed 1, and measure that")
    parser.add_argument("--hall-of-fame", action="store_true", help="a run's champion against its former champions")
    parser.add_argument("--seed", type=int, default=1, help="with --hall-of-fame: of the run (default 1)")
    parser.add_argument("--deals", type=int, default=DEALS, help=f"default {DEALS:,}")
    parser.add_argument("--quick", action="store_true", help="tiny runs and few deals, to see that it works")
    wanted = parser.parse_args()
    deals = 20 if wanted.quick else wanted.deals
    if wanted.shipped:
        measure(SHIPPED, deals, SHIPPED_PLAYER, SHIPPED_POINTS).show()
    if wanted.long:
        began = time.perf_counter()
        with bred(QUICK if wanted.quick else LONG, SEEDS[:1]) as files:
            seconds = time.perf_counter() - began
            figures = measure(files[0], deals, BRED_LONG)
        figures.add("bred in", f"{seconds:.0f} s", f"under {LONG_SECONDS} s", met=seconds < LONG_SECONDS)
        figures.show()
    if wanted.hall_of_fame:
        settings = Settings(generations=64, hall_of_fame=4, held_out_deals=deals, seed=wanted.seed)
        if wanted.quick:
            settings = replace(settings, generations=5, population=10, rules="sheppard", lessons=0)
        measure_former_champions(settings).show()
    if wanted.files:
        given: contextlib.AbstractContextManager[list[Path]] = contextlib.nullcontext(wanted.files)
    elif wanted.shipped or wanted.long or wanted.hall_of_fame:
        return
    else:
        given = bred(QUICK, SEEDS[:1]) if wanted.quick else bred(DEFAULT, SEEDS)
    with given as files:
        for file in files:
            measure(file, deals, BRED).show()


if __name__ == "__main__":
    main()
