"""`rulebots`: play games, and look at games, rules and players."""

from rulebots.cli.interrupts import start


def main() -> int:
    """Run the command `rulebots`."""
    return start("rulebots", "rulebots.cli.commands")
