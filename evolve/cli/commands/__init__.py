"""The commands of `evolve`, one a module; a new module here is a new command."""

from __future__ import annotations

from typing import Annotated

import typer

from rulebots.cli.console import DebugOption, examples, new_app, version_option

app = new_app()


@app.callback(
    epilog=examples(
        "evolve run --generations 50 --seed 1",
        "evolve resume runs/strong",
        "evolve show lost_cities-seed1.yaml",
        "evolve check lost_cities-seed1.yaml",
        "rulebots match lost_cities-seed1.yaml shelly",
    )
)
def program(
    version: Annotated[
        bool, typer.Option("--version", callback=version_option("evolve"), is_eager=True, help="Show the version.")
    ] = False,
    debug: DebugOption = False,
) -> None:
    """Breed players of turn-based games out of named rules, as YAML that a person can read and change."""
