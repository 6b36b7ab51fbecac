"""Reports for designers: how long `evolve report` takes for each game that ships, with what it compiles compiled."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import Figures

from rulebots import game_names, load_game

#: Seconds that a report may take on two cores.
MOST_SECONDS = 120.0


def seconds_of(game: str, deals: int) -> tuple[float, float]:
    """Seconds of the wall's clock and of the processors that a report takes, in an empty folder."""
    evolve = Path(sys.executable).with_name("evolve")
    with tempfile.TemporaryDirectory() as folder:
        began, before = time.monotonic(), os.times()
        words = [str(evolve), "report", game, "--deals", str(deals)]
        subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        took, after = time.monotonic() - began, os.times()
    return took, after.children_user - before.children_user


def main() -> None:
    """Each game, after a small report that compiles what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=game_names(), nargs="+", default=game_names(), help="only these")
    parser.add_argument("--deals", type=int, default=1000, help="as `evolve report --deals` (1000)")
    parser.add_argument("--quick", action="store_true", help="one game, few deals, to see that it works")
    chosen = parser.parse_args()
    games, deals = (["tictactoe"], 40) if chosen.quick else (chosen.game, chosen.deals)
    figures = Figures(f"seconds of evolve report, {deals:,} deals: the wall's clock, and the processors'")
    for name in games:
        seconds_of(name, 40)
        wall, processors = seconds_of(name, deals)
        at_most = f"at most {MOST_SECONDS:.0f} s"
        shown = f"{wall:.1f} s, {processors:.1f} s"
        figures.add(load_game(name).title, shown, at_most, met=wall <= MOST_SECONDS)
    figures.show()


if __name__ == "__main__":
    main()
