"""The games of OpenSpiel as a table in Markdown: which play, what they lack, and games a second of random players.

The table is that of docs/reference/openspiel-games.md. Each game plays for a second on one thread.
"""

from __future__ import annotations

import argparse
import importlib
import time

import pyspiel

from rulebots import Game, UsageError, make_player, play_match
from rulebots.live import openspiel
from rulebots.live.openspiel import THOUSANDTHS

#: Seconds of games of random players, and the most deals.
SECONDS = 1.0
MOST_DEALS = 1000
HEADER = "| game | seats | information | chance | counts | lacks | games a second |\n|---|---|---|---|---|---|---|"


def games_a_second(game: Game, seconds: float) -> float:
    """Of random players on one thread, in seconds of the processor."""
    player, deals, games, began = make_player("random", game), 1, 0, time.process_time()
    while time.process_time() - began < seconds and deals <= MOST_DEALS:
        games += play_match(player, player, deals).games
        deals *= 2
    return games / (time.process_time() - began)


def row_of(name: str, seconds: float) -> str:
    """The line of a game."""
    try:
        game = openspiel(name)
        speed = games_a_second(game, seconds)
    except UsageError as error:
        return f"| `{name}` | | | | | does not play: {str(error).partition(': ')[2].partition(';')[0]} | |"
    source = game.live.source
    lacks = [
        what
        for what, missing in {
            "copies": source.copy is None,
            "redeals": game.hidden and game.redeal is None,
            "a tensor": game.hidden and not _has_tensor(name),
        }.items()
        if missing
    ]
    counts = "together" if source.together else game.counts
    counts += ", in thousandths" if source.points_of_one == THOUSANDTHS else ""
    shown = f"{speed:,.0f}" if speed >= 10 else f"{speed:.1f}"
    information = "hidden" if game.hidden else "open"
    chance = "yes" if game.chance else "no"
    return f"| `{name}` | {source.seats} | {information} | {chance} | {counts} | {', '.join(lacks)} | {shown} |"


def _has_tensor(name: str) -> bool:
    kind = pyspiel.load_game(name).get_type()
    return bool(kind.provides_observation_tensor or kind.provides_information_state_tensor)


def main() -> None:
    """A line for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="three games, to see that it works")
    chosen = parser.parse_args()
    importlib.import_module("open_spiel.python.games")
    names = ("tic_tac_toe", "kuhn_poker", "tarok") if chosen.quick else pyspiel.registered_names()
    print(HEADER)
    for name in names:
        if not name.startswith("mfg_"):
            print(row_of(name, 0.1 if chosen.quick else SECONDS), flush=True)


if __name__ == "__main__":
    main()
