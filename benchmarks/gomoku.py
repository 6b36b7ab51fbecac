"""Gomoku's search for threats: puzzles solved, strength, and what bred weights are worth inside it.

Puzzles are those of the tests. Matches begin with random openings that no training uses, each played from both sides;
intervals are over distinct openings. Figures are printed as they are found. Searches with seconds depend on the machine
and on what else it does: its load is stated.
"""

from __future__ import annotations

import argparse
import os
import sys
import time

import joblib
from machine import CHECKOUT, machine, percent

from rulebots.games.gomoku.threats.solver import ThreatSolver
from rulebots.play.match import play_match
from rulebots.players.names import make_player
from rulebots.registry import load_game

sys.path.append(str(CHECKOUT / "tests" / "positions"))
from gomoku_puzzles import LONG, SHORT

SEED = 71_000_001
GAME = load_game("gomoku")
#: The search at some budget against players of before, and bred against hand-tuned weights inside it.
PAIRS = {
    "champion": ("threats:{limit}", "champion"),
    "mcts": ("threats:{limit}", "mcts:{limit}"),
    "mcts-random": ("threats:{limit}", "mcts:{limit},guide=none,solver=0"),
    "mcts-power-3": ("threats:{limit}", "mcts:power=3"),
    "bred-weights": ("threats:{limit},rules=champion", "threats:{limit},rules=hand_tuned"),
}


def solve_puzzles(nodes: int) -> None:
    """A line for each puzzle: how many threes and plies the solver's win has, and what it cost."""
    solved = 0
    for puzzle in SHORT + LONG:
        began = time.perf_counter()
        win = ThreatSolver().win(puzzle.position, nodes=nodes)
        seconds = time.perf_counter() - began
        solved += win is not None
        found = f"{win.threes} threes, {len(win.line)} plies, {win.nodes:,} positions" if win else "not solved"
        print(f"{found}, {1000 * seconds:.0f} ms  {puzzle.text}", flush=True)
    print(f"{solved} of {len(SHORT + LONG)} puzzles solved within {nodes:,} positions each")


def measure(names: tuple[str, str], limit: str, deals: int, options: dict[str, int], jobs: int) -> None:
    """A line for one match."""
    first, second = (make_player(name.format(limit=limit), GAME) for name in names)
    began = time.perf_counter()
    result = play_match(first, second, deals, SEED, options=options, jobs=jobs)
    print(
        f"{first.name} against {second.name}: {percent(result.win_rate, result.win_rate_95)}, {result.wins} won, "
        f"{result.losses} lost, {result.draws} drawn, {result.distinct_deals} distinct of {deals} openings, "
        f"{(time.perf_counter() - began) / result.games:.1f} s a game, load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100, help="openings, each played from both sides (100)")
    parser.add_argument("--limit", default="seconds=1", help="of each decision of the searches (seconds=1)")
    parser.add_argument("--pairs", nargs="*", choices=PAIRS, default=list(PAIRS), help="only these matches")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="positions a puzzle (1,000,000)")
    parser.add_argument("--size", type=int, default=15, help="rows and columns (15)")
    parser.add_argument("--exactly", action="store_true", help="six or more in a row do not win")
    parser.add_argument("--jobs", type=int, default=joblib.cpu_count(), help="games at a time")
    parser.add_argument("--quick", action="store_true", help="two puzzles, one opening, to see that it works")
    chosen = parser.parse_args()
    options = {"size": chosen.size, "exactly": int(chosen.exactly)}
    if chosen.quick:
        del SHORT[2:], LONG[:]
        options["size"], chosen.deals, chosen.limit, chosen.pairs = 5, 1, "nodes=1", ["champion"]
    solve_puzzles(chosen.nodes)
    for name in chosen.pairs:
        measure(PAIRS[name], chosen.limit, chosen.deals, options, chosen.jobs)
    print(machine())


if __name__ == "__main__":
    main()
