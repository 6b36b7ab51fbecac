"""What `rulebots match` costs above the bare match loop: 10,000 mirrored deals of two rule players.

Both are whole processes, started in turn on one thread: the command, and a script that draws the same deals
and plays the same games, and counts nothing. The time of the fastest round counts.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from machine import Figures

DEALS = 10_000
MOST_TIMES = 1.3
PLAYERS = ("shelly", "champion")
BARE = """
import sys
from rulebots.game import load_game
from rulebots.play.deals import draw_deals
from rulebots.play.match import mirrored, play_games
from rulebots.players.names import make_player
game, deals = load_game("lost-cities"), int(sys.argv[1])
play_games([make_player(name, game) for name in sys.argv[2:]], draw_deals(game, deals, 1), mirrored(deals))
"""


def seconds(*command: str) -> float:
    """How long a command takes."""
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


def measure(deals: int, rounds: int) -> Figures:
    """The command against the bare loop."""
    program = str(Path(sys.executable).parent / "rulebots")
    command, bare = [], []
    for _ in range(rounds):
        bare.append(seconds(sys.executable, "-c", BARE, str(deals), *PLAYERS))
        command.append(seconds(program, "match", *PLAYERS, "--deals", str(deals), "--jobs", "1"))
    figures = Figures(f"{' against '.join(PLAYERS)}, {deals:,} mirrored deals, best of {rounds} rounds")
    figures.add("the bare match loop, in a fresh process", f"{min(bare):.2f} s")
    figures.add("`rulebots match`", f"{min(command):.2f} s")
    times = min(command) / min(bare)
    figures.add("the command to the loop", f"{times:.2f} times", f"at most {MOST_TIMES} times", met=times <= MOST_TIMES)
    return figures


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=DEALS, help=f"default {DEALS:,}")
    measure(parser.parse_args().deals, 5).show()


if __name__ == "__main__":
    main()
