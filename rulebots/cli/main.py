"""`rulebots`: play matches, and look at games, rules and players."""

from rulebots.cli.interrupts import start


def main() -> int:
    """The entry point `rulebots`."""
    return start("rulebots", "rulebots.cli.commands")
