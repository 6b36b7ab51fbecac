"""`evolve`: breed players, and look at what was bred."""

from rulebots.start import start


def main() -> int:
    """The entry point `evolve`."""
    return start("evolve", "evolve.commands")
