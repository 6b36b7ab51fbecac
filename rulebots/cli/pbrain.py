"""`pbrain-rulebots`: a gomoku engine under the name that managers of Piskvork's protocol look for."""

import sys

from rulebots.cli.main import start


def main() -> int:
    """Run `rulebots engine champion --game gomoku --protocol piskvork`; an argument names another player."""
    sys.argv[1:] = ["engine", *(sys.argv[1:] or ["champion"]), "--game", "gomoku", "--protocol", "piskvork"]
    return start("pbrain-rulebots", "rulebots.cli.commands")
