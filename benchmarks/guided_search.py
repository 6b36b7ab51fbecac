"""Searches against the players that guide them: a guided search should be stronger than its guide, at every budget.

Over every game with a champion in which nothing is hidden: `mcts:iterations=N,guide=champion` against `champion`, from
openings that no training uses, each from both sides. Intervals are over distinct openings (see
docs/background/statistics.md). Figures are printed as they are found.
"""

from __future__ import annotations

import argparse
import time

import joblib
from machine import machine, percent

from rulebots import Game, game_names, load_game, make_player, play_match
from rulebots.packages.players import shipped_files

SEED = 67_000_001
BUDGETS = (100, 300, 1000, 3000)
#: A search is never to be weaker than its guide, beyond what chance does to so many games; with the largest budget it
#: is to be stronger, where the game leaves room.
NEVER_BELOW, STRONGER = 0.48, 0.55


def games_with_champions() -> list[Game]:
    """The games in which a search can be guided by a shipped champion."""
    games = map(load_game, game_names())
    return [game for game in games if not game.hidden and "champion" in shipped_files(game)]


def measure(game: Game, budgets: list[int], deals: int, settings: str, seed: int, jobs: int) -> None:
    """A line for each budget."""
    guide = make_player("champion", game)
    for budget in budgets:
        search = make_player(f"mcts:iterations={budget},guide=champion{settings}", game)
        began = time.perf_counter()
        result = play_match(search, guide, deals, seed, jobs=jobs)
        seconds = (time.perf_counter() - began) / result.games
        least = STRONGER if budget >= BUDGETS[-1] else NEVER_BELOW
        verdict = "" if result.win_rate >= least else f"BELOW {least:.0%}"
        print(
            f"{game.name:10}  {budget:6,} simulations  {percent(result.win_rate, result.win_rate_95):>26}  "
            f"{result.distinct_deals} distinct of {deals} openings, {result.draws} draws, "
            f"{seconds:.2f} s a game  {verdict}".rstrip(),
            flush=True,
        )


def main() -> None:
    """Measure and print, game by game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [game.name for game in games_with_champions()]
    parser.add_argument("--game", choices=names, nargs="+", default=names, help="only these")
    parser.add_argument("--deals", type=int, default=100, help="openings, each played from both sides (100)")
    parser.add_argument("--budgets", type=int, nargs="+", default=list(BUDGETS), help="simulations a move")
    parser.add_argument("--settings", default="", help="further settings of the search, such as softness=0.5")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the openings ({SEED})")
    parser.add_argument("--jobs", type=int, default=joblib.cpu_count(), help="games at a time")
    parser.add_argument("--quick", action="store_true", help="one game, few simulations, to see that it works")
    chosen = parser.parse_args()
    budgets, deals = chosen.budgets, chosen.deals
    if chosen.quick:
        chosen.game, budgets, deals = ["tictactoe"], [10], 1
    settings = f",{chosen.settings}" if chosen.settings else ""
    print("share of points of mcts:iterations=N,guide=champion against champion, 95 % interval over openings")
    for name in chosen.game:
        measure(load_game(name), budgets, deals, settings, chosen.seed, chosen.jobs)
    print(machine())


if __name__ == "__main__":
    main()
