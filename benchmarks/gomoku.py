"""Gomoku's solver of forced wins: the puzzles of the tests that it solves, and how many positions and how much time.

Figures are printed as they are found. Times depend on the machine and on what else it does: its load is stated.
"""

from __future__ import annotations

import argparse
import sys
import time

from machine import CHECKOUT, machine

from rulebots.games.gomoku.forced_wins import ThreatSolver

sys.path.append(str(CHECKOUT / "tests" / "positions"))
from gomoku_puzzles import LONG, SHORT


def main() -> None:
    """Print a line for each puzzle: how many threes and plies the solver's win has, and what it cost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=1_000_000, help="positions a puzzle (1,000,000)")
    parser.add_argument("--quick", action="store_true", help="two puzzles, to see that it works")
    chosen = parser.parse_args()
    puzzles = SHORT[:2] if chosen.quick else SHORT + LONG
    solved = 0
    for puzzle in puzzles:
        began = time.perf_counter()
        win = ThreatSolver().win(puzzle.position, nodes=chosen.nodes)
        seconds = time.perf_counter() - began
        solved += win is not None
        found = f"{win.threes} threes, {len(win.line)} plies, {win.nodes:,} positions" if win else "not solved"
        print(f"{found}, {1000 * seconds:.0f} ms  {puzzle.text}", flush=True)
    print(f"{solved} of {len(puzzles)} puzzles solved within {chosen.nodes:,} positions each")
    print(machine())


if __name__ == "__main__":
    main()
