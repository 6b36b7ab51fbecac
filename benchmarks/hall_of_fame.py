"""Whether a population runs in circles: the champion of a run against every former champion that it kept.

64 generations of the default run with `--hall-of-fame 4`, which keeps the champions of generations 1, 17,
33 and 49; 10,000 fresh deals each, from both seats.
"""

from __future__ import annotations

import argparse
import os

from machine import Figures

from evolve.cli.report import beaten
from evolve.run import Run
from evolve.settings import Settings

DEALS = 10_000


def main() -> None:
    """Breed and measure; exits 1 where a former champion is not beaten by the whole interval."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="of the run (default 1)")
    seed = parser.parse_args().seed
    run = Run(Settings(generations=64, hall_of_fame=4, held_out_deals=DEALS, seed=seed), jobs=os.cpu_count() or 1)
    list(run.generations())
    measured = run.finish().measured
    fame = measured.fame if measured else {}
    figures = Figures(f"evolve run --generations 64 --hall-of-fame 4 --seed {seed}, {DEALS:,} fresh deals each")
    for generation, result in fame.items():
        low, high = result.win_rate_95
        rate = f"{100 * result.win_rate:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        figures.add(f"against the champion of generation {generation}", rate, "above 50 %", met=low > 0.5)
    figures.show()
    print(beaten({f"generation {generation}": result.win_rate_95 for generation, result in fame.items()}))


if __name__ == "__main__":
    main()
