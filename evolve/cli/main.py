"""The command line `evolve`: breed players, and inspect them."""

from rulebots.cli.main import start


def main() -> int:
    """The entry point `evolve`."""
    return start("evolve", "evolve.cli.commands")
