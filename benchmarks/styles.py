"""Maps of styles: how much of a map is filled, and whether its players hold on fresh deals what the search believed.

Lost Cities over expeditions and investments, 10 x 10 cells, against the champion, for five minutes on two cores.
"""

from __future__ import annotations

import argparse
import time

import joblib
import numpy as np
from machine import Figures

from evolve.analysis.styles import StyleSearch
from rulebots import load_game

#: What is aimed at: the share of filled cells, and the distance of the champion's cell from the champion's own 50 %.
FILLED, APART = 0.6, 0.02
#: Every elite is to win within so much of what was believed of it.
HELD = 0.05


def main() -> None:
    """Search, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="lost-cities", help="the game (lost-cities)")
    parser.add_argument("--seconds", type=float, default=300.0, help="seconds of the search (300)")
    parser.add_argument("--deals", type=int, default=1000, help="fresh deals of each elite (1000)")
    parser.add_argument("--seed", type=int, default=71_000_001, help="the seed of the search")
    parser.add_argument("--jobs", type=int, default=joblib.cpu_count(), help="threads")
    parser.add_argument("--quick", action="store_true", help="two seconds, to see that it works")
    chosen = parser.parse_args()
    seconds, deals = (2.0, 20) if chosen.quick else (chosen.seconds, chosen.deals)
    game = load_game(chosen.game)
    search = StyleSearch(game, seed=chosen.seed, jobs=chosen.jobs)
    began = time.monotonic()
    for _ in search.fill(seconds=seconds):
        pass
    took = time.monotonic() - began
    found = search.measured(deals)
    apart = np.array([style.believed - style.strength for style in found.styles])
    figures = Figures(f"styles of {game.title} by {' and '.join(found.by)}, against {found.opponent}")
    figures.add("seconds, and games", f"{took:.0f} s, {found.games:,}")
    figures.add("cells filled", f"{found.filled:.0%}", f"at least {FILLED:.0%}", met=found.filled >= FILLED)
    within = float((np.abs(apart) <= HELD).mean())
    figures.add("elites within 5 points of what was believed", f"{within:.0%}", "100%", met=within == 1)
    figures.add("the search flatters them, on the average, by", f"{100 * apart.mean():.1f} points")
    own = search.arena.match(search.opponent, search.opponent, search.arena.deals(deals, 1)).behaviour
    if set(found.by) <= set(own):
        cell = search.cell_of((own[found.by[0]][0], own[found.by[1]][0]))
        rate = float(np.nan_to_num(found.strengths[cell], nan=0.0))
        figures.add(
            f"the elite of the cell of {found.opponent}",
            f"{rate:.1%}",
            f"at least {0.5 - APART:.0%}",
            met=rate >= 0.5 - APART,
        )
    figures.show()


if __name__ == "__main__":
    main()
