"""The commands of `rulebots`, one a module; a new module here is a new command."""

from __future__ import annotations

from typing import Annotated

import typer

from rulebots.cli.console import DebugOption, examples, new_app, version_option

app = new_app()
#: Commands of rooms beside the core, which a user may leave out.
BESIDE = ("rulebots.servers.commands.connect", "rulebots.servers.commands.host", "rulebots.web.commands.web")


@app.callback(
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
    debug: DebugOption = False,
) -> None:
    """Play matches between players of turn-based games, and look at the rules that they are made of.

    A player is a built-in name, path.yaml (the first player of the file) or path.yaml#player.
    """
