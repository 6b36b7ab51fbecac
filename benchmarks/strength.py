"""How strong bred players are: each champion against every reference player on 10,000 fresh mirrored deals.

Without FILE, the default run of 50 generations is bred first for each of the seeds 1 to 5; with --long,
one run of about ten minutes on two cores. The deals are of a seed that no training uses. A stalled game
counts as no win; the 95 % intervals are over deals.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from machine import Figures

from rulebots.play.match import play_match
from rulebots.play.results import MatchResult
from rulebots.players.bred import BredPlayer
from rulebots.players.names import make_player

SHIPPED = Path(__file__).resolve().parent.parent / "populations" / "lost_cities" / "champion.yaml"
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


@contextlib.contextmanager
def bred(flags: list[str], seeds: tuple[int, ...]) -> Iterator[list[Path]]:
    """The files of a run for each seed, in a folder that is gone afterwards; says how long each took."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for seed in seeds:
            files.append(Path(folder) / f"seed{seed}.yaml")
            command = ["evolve", "run", "--game", "lost-cities", *flags, "--seed", str(seed)]
            program = str(Path(sys.executable).parent / command[0])
            began = time.perf_counter()
            subprocess.run([program, *command[1:], "--out", str(files[-1]), "--quiet"], check=True, cwd=folder)
            print(f"{' '.join(command)}: {time.perf_counter() - began:.0f} s", flush=True)
        yield files


def measure(file: Path, deals: int, least: dict[str, float], least_points: float | None = None) -> Figures:
    """One champion against the reference players, and against itself."""
    champion = BredPlayer(file)
    jobs = os.cpu_count() or 1
    results: dict[str, MatchResult] = {}
    figures = Figures(f"{file}: {champion.name} on {deals:,} fresh deals, each played from both seats")
    for name in champion.game.references:
        result = play_match(champion, make_player(name, champion.game), deals, FRESH_SEED, jobs=jobs)
        results[name] = result
        low, high = (100 * end for end in result.win_rate_95)
        rate = f"{100 * result.win_rate:.1f} % ({low:.1f} to {high:.1f}), {result.points:.1f} points"
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


def main() -> None:
    """Breed if need be, then measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", metavar="FILE", nargs="*", type=Path, help="populations; their first players play")
    parser.add_argument("--shipped", action="store_true", help=f"measure {SHIPPED.name}, by its own targets")
    parser.add_argument("--long", action="store_true", help="breed one long run, of seed 1, and measure that")
    parser.add_argument("--deals", type=int, default=DEALS, help=f"default {DEALS:,}")
    parser.add_argument("--generations", type=int, default=50, help="of the default runs bred here (default 50)")
    wanted = parser.parse_args()
    if wanted.shipped and not SHIPPED.exists():
        parser.error(f"there is no {SHIPPED} yet")
    if wanted.shipped:
        measure(SHIPPED, wanted.deals, SHIPPED_PLAYER, SHIPPED_POINTS).show()
    if wanted.long:
        began = time.perf_counter()
        with bred(LONG, SEEDS[:1]) as files:
            seconds = time.perf_counter() - began
            figures = measure(files[0], wanted.deals, BRED_LONG)
        figures.add("bred in", f"{seconds:.0f} s", f"under {LONG_SECONDS} s", met=seconds < LONG_SECONDS)
        figures.show()
    if wanted.files or wanted.shipped or wanted.long:
        given: contextlib.AbstractContextManager[list[Path]] = contextlib.nullcontext(wanted.files)
    else:
        given = bred(["--generations", str(wanted.generations)], SEEDS)
    with given as files:
        for file in files:
            measure(file, wanted.deals, BRED).show()


if __name__ == "__main__":
    main()
