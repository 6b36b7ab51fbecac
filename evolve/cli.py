"""`evolve`: breed players, and look at what was bred."""

from __future__ import annotations

from typing import Annotated

import typer

from evolve import commands
from rulebots.console import examples, load_commands, run_app, version_option

load_commands(commands)


def main() -> int:
    """The entry point `evolve`."""
    return run_app(commands.app, "evolve")


@commands.app.callback(
    epilog=examples(
        "evolve run --generations 50 --seed 1",
        "evolve show lost_cities-seed1.yaml",
        "evolve check lost_cities-seed1.yaml",
        "rulebots match lost_cities-seed1.yaml shelly",
    )
)
def program(
    version: Annotated[
        bool, typer.Option("--version", callback=version_option("evolve"), is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Breed players of turn-based games out of named rules, as YAML that a person can read and change."""
