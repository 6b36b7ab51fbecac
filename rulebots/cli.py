"""`rulebots`: play matches, and look at games, rules and players."""

from __future__ import annotations

from typing import Annotated

import typer

from rulebots import commands
from rulebots.console import examples, load_commands, run_app, version_option

load_commands(commands)


def main() -> int:
    """The entry point `rulebots`."""
    return run_app(commands.app, "rulebots")


@commands.app.callback(
    epilog=examples(
        "rulebots match shelly risk",
        "rulebots match champion.yaml shelly --deals 5000",
        "rulebots rules lost-cities --rules standard",
    )
)
def program(
    version: Annotated[
        bool, typer.Option("--version", callback=version_option("rulebots"), is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Let players of turn-based games meet, and look at what they are made of.

    A player is a built-in name, or path.yaml (its first player), or path.yaml#player.
    """
