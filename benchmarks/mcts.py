"""Monte Carlo tree search: simulations a second beside OpenSpiel's, memory, how budgets of time are kept, and strength.

OpenSpiel (the extra `benchmark`) searches with its own C++ MCTSBot and RandomRolloutEvaluator, in the same run,
from the same start positions, one thread each, with as many simulations and the same exploration constant. The two take
turns; every figure is the best of several rounds, each of which begins with an empty tree. Ours stops where the outcome
is proven; what counts is simulations a second.

Strength is measured where it can be known: at tic-tac-toe against perfect play, at circles by the exact tables, at
gomoku with and without rules that guide the search.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import joblib
from machine import Figures, percent

from rulebots import Game, MatchResult, Position, load_game, make_player, play_match
from rulebots.search.exact.accuracy import accuracy
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.settings import SearchSettings
from rulebots.search.mcts.tree import NODE_BYTES

SEED = 61_000_001
#: A search of random rollouts and nothing else: by default gomoku's solver of forced wins takes part.
RANDOM = "guide=none,solver=0"

#: The exploration constant of both.
EXPLORATION = 1.0
#: Our game, our options, OpenSpiel's name, simulations a search, and how many times as fast it has to be.
PAIRS: tuple[tuple[str, dict[str, int], str, int, float], ...] = (
    ("tictactoe", {"size": 3}, "tic_tac_toe", 50, 1.0),
    ("tictactoe", {"size": 3}, "tic_tac_toe", 100_000, 1.5),
    ("gomoku", {"size": 15}, "gomoku(size=15,connect=5)", 20_000, 2.0),
    ("kalah", {"pits": 6, "stones": 4, "empty_capture": 0}, "mancala", 100_000, 2.0),
)
NODE_TARGET = 40
MEMORY_TARGET = 2.0
OVERSHOOT_TARGET = 20.0
#: Least shares: of won positions of circles kept, by a search and by the champion's rules; of points at gomoku.
KEPT_BY_SEARCH, KEPT_BY_RULES, POINTS = 0.95, 0.70, 0.80
#: Ways in which the champion of gomoku may guide a search.
GUIDES = ("prior=champion,rollout=random", "rollout=champion,prior=none", "guide=champion")
#: A million random rollouts of Gomoku, without its solver, in a fresh process; prints the most memory it had, in bytes.
MILLION = """
import sys
from machine import peak_memory
from rulebots import load_game
from rulebots import Position
from rulebots.search.mcts import Search
from rulebots.search.mcts.settings import SearchSettings
game = load_game("gomoku")
result = Search(game, SearchSettings(iterations=int(sys.argv[1]), solver=0)).run(Position(game, {"size": 15}), 1)
print(result.nodes, peak_memory())
"""


def open_spiel_search(name: str, simulations: int) -> Callable[[], float]:
    """A function that searches once with OpenSpiel's MCTS and returns its simulations a second."""
    import pyspiel

    game = pyspiel.load_game(name)
    state, seeds = game.new_initial_state(), iter(range(1, 1000))

    def search() -> float:
        seed = next(seeds)
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        # 2000 MB at most, no solver, nothing printed.
        bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, 2000, False, seed, False)
        began = time.perf_counter()
        bot.mcts_search(state)
        return simulations / (time.perf_counter() - began)

    return search


def own_search(game: Game, options: dict[str, int], simulations: int) -> Callable[[], float]:
    """The same for ours."""
    position, seeds = Position(game, options), iter(range(1, 1000))
    searching = Search(game, SearchSettings(iterations=simulations, c=EXPLORATION, reuse=False, solver=0))

    def search() -> float:
        result = searching.run(position, next(seeds))
        return result.simulations / result.seconds

    return search


def measure_speed(rounds: int, share: float) -> Figures:
    """Simulations a second of both, game by game."""
    figures = Figures(f"simulations a second from the start position, random rollouts, best of {rounds} rounds")
    for name, options, theirs, simulations, target in PAIRS:
        count = max(100, int(simulations * share))
        game = load_game(name)
        searches = own_search(game, options, count), open_spiel_search(theirs, count)
        taken = [[search() for search in searches] for _ in range(rounds + 1)][1:]
        ours, others = map(max, zip(*taken, strict=True))
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
    found = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parent)
    nodes, memory = (int(word) for word in found.stdout.split())
    gigabytes = memory / 1e9
    what = f"the whole process, {simulations:,} simulations of Gomoku 15 x 15"
    figures.add(what, f"{gigabytes:.2f} GB", f"under {MEMORY_TARGET:g} GB", met=gigabytes < MEMORY_TARGET)
    figures.add("nodes of that tree", f"{nodes:,}")
    return figures


def measure_budgets(searches: int) -> Figures:
    """How late a search ends at most, over a game's growing tree; it ends early where the outcome is proven."""
    figures = Figures(f"budgets of seconds, the worst of {searches} searches of Gomoku 15 x 15")
    game = load_game("gomoku")
    Search(game, SearchSettings(iterations=1)).run(Position(game, {"size": 15}), 1)  # compiled before the clock starts
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


def match(
    game: str, first: str, second: str, deals: int, opening_plies: int | None = None, jobs: int = 1
) -> MatchResult:
    """A match by names, every deal from both seats."""
    played = load_game(game)
    players = make_player(first, played), make_player(second, played)
    return play_match(*players, deals, SEED, jobs=jobs, opening_plies=opening_plies)


def measure_tictactoe(quick: bool) -> Figures:
    """A search loses no game on 3 x 3: from the empty board, so that only the search's random state differs."""
    deals, search = (2, "mcts:iterations=200") if quick else (500, "mcts:iterations=2000")
    figures = Figures(f"Tic-tac-toe 3 x 3, {search}, {2 * deals:,} games from the empty board, half from either side")
    for other in ("perfect", "random"):
        result = match("tictactoe", search, other, deals, opening_plies=0, jobs=joblib.cpu_count())
        figures.add(f"lost to {other}", f"{result.losses} (won {result.wins:,})", "none", met=result.losses == 0)
    return figures


def measure_circles(quick: bool) -> Figures:
    """Won positions, drawn from all of a board, in which the win is kept."""
    size, positions = (3, 10) if quick else (6, 500)
    game, figures = load_game("circles"), Figures(f"Circles of {size} rows, {positions:,} won positions")
    power = 1 if quick else 20
    for name, least in (
        (f"mcts:power={power}", KEPT_BY_SEARCH),
        (f"mcts:power={power},rollout=random", None),
        (f"mcts:power={power},guide=none", None),
        ("champion", KEPT_BY_RULES),
    ):
        found = accuracy(make_player(name, game), {"size": size}, positions, SEED)
        target, met = ("", None) if least is None else (f"at least {least:.0%}", found.share >= least)
        figures.add(f"{name} keeps the win", percent(found.share, found.share_95), target, met=met)
    return figures


def measure_gomoku(quick: bool) -> Figures:
    """The champion without search against a search with random rollouts."""
    deals, plain = (1, f"mcts:iterations=20,{RANDOM}") if quick else (50, f"mcts:iterations=5000,{RANDOM}")
    figures = Figures(f"Gomoku, champion, share of points over {deals} openings from both sides")
    result = match("gomoku", "champion", plain, deals, jobs=joblib.cpu_count())
    share = percent(result.win_rate, result.win_rate_95)
    figures.add(f"without search against {plain}", share, f"at least {POINTS:.0%}", met=result.win_rate >= POINTS)
    return figures


def measure_guides(quick: bool) -> Figures:
    """The champion as the guide of a search without the solver, against random rollouts with as much time."""
    deals, plain = (1, "mcts:seconds=0.001,solver=0") if quick else (20, "mcts:seconds=0.1,solver=0")
    figures = Figures(f"Gomoku, {plain},... against {plain}: share of points over {deals} openings from both sides")
    found = {}
    for guide in GUIDES:
        # One game at a time: a search by the clock wants a core of its own.
        result = match("gomoku", f"{plain},{guide}", f"{plain},guide=none", deals)
        found[guide] = result.win_rate
        print(f"  {guide}: {percent(result.win_rate, result.win_rate_95)}", flush=True)
        figures.add(guide, percent(result.win_rate, result.win_rate_95))
    best = max(found, key=lambda guide: found[guide])
    figures.add(f"best: {best}", f"{100 * found[best]:.1f} %", f"at least {POINTS:.0%}", met=found[best] >= POINTS)
    return figures


def beside_open_spiel(quick: bool) -> Iterator[Figures]:
    """Speed, if OpenSpiel is installed."""
    if importlib.util.find_spec("pyspiel") is None:
        print("OpenSpiel is not installed (pip install -e '.[benchmark]'): speed is not measured")
        return
    yield measure_speed(1 if quick else 5, 0.02 if quick else 1.0)


def limits(quick: bool) -> Iterator[Figures]:
    """Memory and budgets of time."""
    yield measure_memory(2_000 if quick else 1_000_000)
    yield measure_budgets(2 if quick else 10)


def strength(quick: bool) -> Iterator[Figures]:
    """Every game in which strength can be known."""
    for measure in (measure_tictactoe, measure_circles, measure_gomoku, measure_guides):
        yield measure(quick)


PARTS: dict[str, Callable[[bool], Iterator[Figures]]] = {
    "speed": beside_open_spiel,
    "limits": limits,
    "strength": strength,
}


def main() -> None:
    """Measure and print, part by part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few simulations and games, to see that it works")
    parser.add_argument("--part", choices=PARTS, help="only this one")
    chosen = parser.parse_args()
    for name in [chosen.part] if chosen.part else PARTS:
        for figures in PARTS[name](chosen.quick):
            figures.show()
            print()


if __name__ == "__main__":
    main()
