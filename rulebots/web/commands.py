"""`rulebots web`."""

import contextlib
import functools
import webbrowser
from pathlib import Path
from typing import Annotated

from rulebots.cli.commands import app
from rulebots.cli.console import say
from rulebots.cli.interrupts import end_process
from rulebots.cli.lookup import bring
from rulebots.cli.options import Imports, option, shared, switch
from rulebots.errors import FileError, demand, optional_module
from rulebots.packages.named_code import code_name

PORT = 8021


def _served(opened: bool, address: str) -> None:
    say(f"the page is at {address}   (Ctrl-C ends it)")
    if opened and not webbrowser.open(address):
        say("--open: there is no browser here")


@app.with_examples(
    "rulebots web --open",
    "rulebots web --folder players --port 9000",
    "rulebots web --game ./nim --offer h4.py:H4:depth=3",
    group="Play",
)
def web(
    folder: Annotated[
        Path,
        option(
            "The folder that is served: its population files can be played and tuned, and games are kept below "
            "it, in games/.",
            "DIR",
            default="the current one",
        ),
    ] = Path(),
    port: Annotated[int, shared("--port")] = PORT,
    bind: Annotated[str, shared("--bind", "Any but this machine's own needs the token that is shown.")] = "127.0.0.1",
    game: Annotated[
        list[str] | None, shared("--game", "The page has it besides those that are installed; repeatable.")
    ] = None,
    imports: Imports = None,
    player: Annotated[
        list[str] | None,
        option(
            "A player that the page offers besides the game's own, such as FILE.py:NAME; repeatable.",
            "PLAYER",
            "--offer",
        ),
    ] = None,
    allow_programs: Annotated[
        bool,
        switch("--allow-programs", "A browser with the token may name any player, even one that starts a program."),
    ] = False,
    opened: Annotated[bool, switch("--open", "Open the page in a browser.")] = False,
) -> None:
    """Play and tune players in a browser, on a page of this machine.

    Play any game against any player, see why it moves, and tune weights by hand.

    It needs the extra `web`. Ctrl-C ends it; games go on where they were when it is started again.
    """
    for module in ("starlette", "jinja2", "uvicorn"):
        optional_module(module, "web", "rulebots web")
    from rulebots.web.served_folder import ServedFolder
    from rulebots.web.server import serve

    demand(folder.is_dir(), f"--folder: expected a folder, not '{folder}'", FileError)
    for name in game or ():
        bring(name)
    bring(None, imports, [name for name in player or () if code_name(name)])
    with contextlib.suppress(KeyboardInterrupt):  # by which it ends
        serve(
            ServedFolder(folder.resolve(), tuple(player or ()), allow_programs),
            bind,
            port,
            functools.partial(_served, opened),
        )
    end_process()
