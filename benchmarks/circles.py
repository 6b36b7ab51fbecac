"""Circle elimination: time and memory of the tables of all positions, accuracy of rule players, games a second."""

from __future__ import annotations

import argparse
import time

from machine import Figures

from rulebots.game import load_game
from rulebots.games.circles.solver import Tablebase
from rulebots.play.match import play_match
from rulebots.players.names import make_player, player_names
from rulebots.search.exact.accuracy import accuracy

#: Of the bred rule player on the board of 6 rows, where the last stone wins.
LEAST_ACCURACY = 0.70
MOST_BYTES = 2e9
SEED = 51_000_001


def main() -> None:
    """Tabulate, ask and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small boards and few positions, to see that it works")
    quick = parser.parse_args().quick
    game, figures = load_game("circles"), Figures("Circles, up to 3 stones a move, the last stone wins")
    Tablebase(2, 1, 1)  # compiles
    for rows in (4, 5) if quick else (6, 7):
        began = time.perf_counter()
        base = Tablebase(rows, 3, 1)
        seconds, size = time.perf_counter() - began, base.won.nbytes
        what = f"table of {rows} rows, {base.positions:,} positions"
        figures.add(what, f"{seconds:.3f} s, {size / 1e6:.2f} MB", "under 2 GB", met=size < MOST_BYTES)
    options = {"size": 4} if quick else {}
    for name in ("champion", "hand_tuned", "random"):
        if name not in player_names(game):
            continue
        player = make_player(name, game)
        found = accuracy(player, options, 200 if quick else 20_000, SEED)
        low, high = (100 * end for end in found.share_95)
        rate = f"{100 * found.share:.1f} % ({low:.1f} to {high:.1f})"
        if name == "champion":
            target = f"at least {100 * LEAST_ACCURACY:.0f} %"
            figures.add(f"{name} keeps the win", rate, target, met=found.share >= LEAST_ACCURACY)
        else:
            figures.add(f"{name} keeps the win", rate)
        play_match(player, player, 1, SEED, options)  # compiles
        deals = 20 if quick else 50_000 if name == "random" else 2_000
        began = time.perf_counter()
        play_match(player, player, deals, SEED, options)
        figures.add(
            f"{name} against itself, one core", f"{2 * deals / (time.perf_counter() - began):,.0f} games a second"
        )
    figures.show()


if __name__ == "__main__":
    main()
