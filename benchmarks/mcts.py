"""Monte Carlo tree search: simulations a second beside OpenSpiel's, memory, and how well budgets of time are kept.

OpenSpiel (the extra `benchmark`) searches with its own C++ MCTSBot and RandomRolloutEvaluator, in the same run,
from the same start positions, one thread each, with as many simulations. The two take turns; every
figure is the best of several rounds, each of which begins with an empty tree.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable

from machine import Figures

from rulebots.game import Game, load_game
from rulebots.position import Position
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.settings import SearchSettings
from rulebots.search.mcts.tree import NODE_BYTES

#: Our game, our options, OpenSpiel's name, simulations a search, and how many times as fast it has to be.
PAIRS: tuple[tuple[str, dict[str, int], str, int, float], ...] = (
    ("tictactoe", {"size": 3}, "tic_tac_toe", 100_000, 1.5),
    ("gomoku", {"size": 15}, "gomoku(size=15,connect=5)", 20_000, 2.0),
    ("kalah", {"pits": 6, "stones": 4, "empty_capture": 0}, "mancala", 100_000, 2.0),
)
NODE_TARGET = 40
MEMORY_TARGET = 2.0
OVERSHOOT_TARGET = 20.0
#: A million simulations of Gomoku in a fresh process; prints the most memory that it had, in bytes.
MILLION = """
import resource, sys
from rulebots import Position, load_game
from rulebots.search.mcts import Search
from rulebots.search.mcts.settings import SearchSettings
game = load_game("gomoku")
result = Search(game, SearchSettings(iterations=int(sys.argv[1]))).run(Position(game, {"size": 15}), 1)
unit = 1 if sys.platform == "darwin" else 1024
print(result.nodes, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)
"""


def open_spiel_search(name: str, simulations: int) -> Callable[[], float]:
    """A function that searches once with OpenSpiel's MCTS and returns its seconds."""
    import pyspiel

    game = pyspiel.load_game(name)
    state, seeds = game.new_initial_state(), iter(range(1, 1000))

    def search() -> float:
        seed = next(seeds)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        # Its usual constant of exploration, 2; 2000 MB at most, no solver, nothing printed.
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 2000, False, seed, False)
        began = time.perf_counter()
        bot.mcts_search(state)
        return time.perf_counter() - began

    return search


def own_search(game: Game, options: dict[str, int], simulations: int) -> Callable[[], float]:
    """The same for ours; it makes exactly as many simulations."""
    position, seeds = Position(game, options), iter(range(1, 1000))

    def search() -> float:
        result = Search(game, SearchSettings(iterations=simulations)).run(position, next(seeds))
        if result.simulations != simulations:
            raise SystemExit(f"{game.name}: the outcome is proven after {result.simulations} simulations")
        return result.seconds

    return search


def measure_speed(rounds: int, share: float) -> Figures:
    """Simulations a second of both, game by game."""
    figures = Figures(f"simulations a second from the start position, random playouts, best of {rounds} rounds")
    for name, options, theirs, simulations, target in PAIRS:
        count = max(100, int(simulations * share))
        game = load_game(name)
        searches = own_search(game, options, count), open_spiel_search(theirs, count)
        taken = [[search() for search in searches] for _ in range(rounds + 1)][1:]
        ours, others = (count / min(column) for column in zip(*taken, strict=True))
        figures.add(f"{game.title}, {count:,} simulations a search", f"{ours:,.0f}")
        figures.add(f"OpenSpiel {theirs}", f"{others:,.0f}")
        ratio = ours / others
        figures.add("ours to OpenSpiel's", f"{ratio:.1f} times", f"at least {target:g} times", met=ratio >= target)
    return figures


def measure_memory(simulations: int) -> Figures:
    """Bytes a node, and all of a fresh process that makes a million simulations of Gomoku."""
    figures = Figures("memory")
    figures.add("a node", f"{NODE_BYTES} bytes", f"under {NODE_TARGET}", met=NODE_BYTES < NODE_TARGET)
    command = [sys.executable, "-c", MILLION, str(simulations)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    nodes, memory = (int(word) for word in text.split())
    gigabytes = memory / 1e9
    what = f"the whole process, {simulations:,} simulations of Gomoku 15 x 15"
    figures.add(what, f"{gigabytes:.2f} GB", f"under {MEMORY_TARGET:g} GB", met=gigabytes < MEMORY_TARGET)
    figures.add("nodes of that tree", f"{nodes:,}")
    return figures


def measure_budgets(searches: int) -> Figures:
    """How late a search ends at most, over a game's growing tree; it ends early where the outcome is proven."""
    figures = Figures(f"budgets of seconds, the worst of {searches} searches of Gomoku 15 x 15")
    game = load_game("gomoku")
    for seconds in (0.05, 0.25):
        search = Search(game, SearchSettings(seconds=seconds))
        position, worst = Position(game, {"size": 15}), 0.0
        for seed in range(searches):
            began = time.perf_counter()
            result = search.run(position, seed)
            worst = max(worst, (time.perf_counter() - began - seconds) * 1000)
            position.push(result.move)
        figures.add(
            f"a budget of {seconds:g} s is exceeded by",
            f"{worst:.1f} ms",
            f"at most {OVERSHOOT_TARGET:g} ms",
            met=worst <= OVERSHOOT_TARGET,
        )
    return figures


def main() -> None:
    """Measure speed, memory and budgets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few simulations, to see that it works")
    quick = parser.parse_args().quick
    measure_speed(1 if quick else 5, 0.02 if quick else 1.0).show()
    print()
    measure_memory(2_000 if quick else 1_000_000).show()
    print()
    measure_budgets(2 if quick else 10).show()


if __name__ == "__main__":
    main()
