"""`pbrain-rulebots`: a gomoku engine under the name that managers of Piskvork's protocol look for."""

import re
import sys

from rulebots.cli.main import start

#: Seconds of a move for a search that names no limit: what managers allow by default. Their clock may end it sooner.
SECONDS = 30


def main() -> int:
    """Run `rulebots engine champion --game gomoku --protocol piskvork`; an argument names another player."""
    player, *more = sys.argv[1:] or ["champion"]
    sys.argv[1:] = ["engine", limited(player), *more, "--game", "gomoku", "--protocol", "piskvork"]
    return start("pbrain-rulebots", "rulebots.cli.commands")


def limited(player: str) -> str:
    """The name of a player; a search without a limit gets SECONDS."""
    search = re.fullmatch(r"(mcts|minimax)(:.*)?", player)
    if search is None or re.search(r"[:,] *(iterations|seconds|power|depth|nodes)=", player):
        return player
    return f"{player}{',' if search[2] else ':'}seconds={SECONDS}"
