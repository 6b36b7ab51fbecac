"""How strong the levels of each game are: a tournament between them, kept as `levels.yaml`, which the page reads.

Everybody meets everybody on the same deals, in a game for all together with copies of each. A game of your own is
measured by `rulebots tournament level:beginner ... --game ./nim --ladder ./nim/levels.yaml`; `--rerun` of that file
plays it again.
"""

from __future__ import annotations

import argparse
import time

from machine import CHECKOUT, Figures

from rulebots import load_game, make_player
from rulebots.packages.levels import LEVEL, level_players
from rulebots.tournaments.ladder import Ladder, ladder_text, play_ladder

#: The folders of the games, by name.
FOLDERS = {
    path.parent.name.replace("_", "-"): path.parent
    for path in sorted((CHECKOUT / "rulebots" / "games").glob("*/game.py"))
}
#: Mirrored deals of each pair.
DEALS, SEED = 100, 33


def measure(name: str, deals: int) -> Ladder:
    """The ladder of a game's levels."""
    game = load_game(name)
    specs = [f"{LEVEL}:{level}" for level in level_players(game)]
    players = [make_player(spec, game) for spec in specs]
    settings = {"system": "round-robin", "rounds": None, "deals": deals, "seed": SEED}
    settings |= {"options": {}, "opening_plies": None}
    return play_ladder(players, specs, settings)[1]


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--game", action="append", choices=FOLDERS, help="one game only; may be repeated (default: all)"
    )
    parser.add_argument("--deals", type=int, default=DEALS, help=f"of each pair (default {DEALS:,})")
    parser.add_argument("--quick", action="store_true", help="tic-tac-toe on few deals, written nowhere")
    wanted = parser.parse_args()
    games = ["tictactoe"] if wanted.quick else wanted.game or list(FOLDERS)
    figures = Figures("levels of the games, in Elo or points")
    for name in games:
        began = time.perf_counter()
        ladder = measure(name, 4 if wanted.quick else wanted.deals)
        key = "points" if ladder.together else "elo"
        scores = [ladder.ratings[spec][key] for spec in ladder.players]
        shown = ", ".join(
            f"{spec.partition(':')[2]} {score:+g}" for spec, score in zip(ladder.players, scores, strict=True)
        )
        rising = scores == sorted(set(scores))
        figures.add(
            f"{name}, {ladder.settings['deals']} deals a pair, {time.perf_counter() - began:.0f} s",
            shown,
            "rising",
            met=rising,
        )
        if not wanted.quick:
            (FOLDERS[name] / "levels.yaml").write_text(ladder_text(ladder), encoding="utf-8")
    figures.show()


if __name__ == "__main__":
    main()
