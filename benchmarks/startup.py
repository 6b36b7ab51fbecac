"""How long a person waits for a command: whole processes, the median of several.

Each command runs once before it is measured, so that what has to be compiled is compiled.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

from machine import Figures

CHECKOUT = Path(__file__).resolve().parent.parent
#: Command line -> most seconds it may take, where the issue says so.
COMMANDS: dict[str, float | None] = {
    "evolve --help": 0.5,
    "evolve check populations/lost_cities/shelly.yaml": None,
    "rulebots --help": None,
    "rulebots match shelly dumb --deals 100": 1.5,
}


def run(command: str) -> float:
    """Seconds of one process from start to end, in the checkout."""
    program, *arguments = command.split()
    installed = Path(sys.executable).parent / program
    began = time.perf_counter()
    subprocess.run([str(installed), *arguments], cwd=CHECKOUT, check=True, capture_output=True)
    return time.perf_counter() - began


def main() -> None:
    """Run every command in turn, several times over."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="each command once, to see that it works")
    times = 1 if parser.parse_args().quick else 5
    if times > 1:
        for command in COMMANDS:
            run(command)
    taken: dict[str, list[float]] = {command: [] for command in COMMANDS}
    for _ in range(times):
        for command, seconds in taken.items():
            seconds.append(run(command))
    figures = Figures(f"start-up: the whole process, median of {times}")
    for command, limit in COMMANDS.items():
        middle = statistics.median(taken[command])
        if limit is None:
            figures.add(command, f"{middle:.2f} s")
        else:
            figures.add(command, f"{middle:.2f} s", f"under {limit} s", met=middle < limit)
    figures.show()


if __name__ == "__main__":
    main()
