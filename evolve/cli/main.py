"""`evolve`: breed players, and look at what was bred."""

from rulebots.cli.interrupts import start


def main() -> int:
    """The entry point `evolve`."""
    return start("evolve", "evolve.cli.commands")
