"""`rulebots`: play matches, and look at games, rules and players."""

from rulebots.start import start


def main() -> int:
    """The entry point `rulebots`."""
    return start("rulebots", "rulebots.commands")
