"""`rulebots`: play games, and look at games, rules and players. And how a command line starts and ends."""

import gc
import importlib
import signal
import sys

from rulebots.cli.console import complain
from rulebots.cli.interrupts import INTERRUPTED, Interrupts, watch
from rulebots.errors import FileError
from rulebots.packages import in_users_terms


def main() -> int:
    """Run the command `rulebots`."""
    return start("rulebots", "rulebots.cli.commands")


def start(program: str, commands: str) -> int:
    """Run the command line whose commands are the modules of the package `commands`; return its exit code."""
    handler = Interrupts()
    # The shell makes background jobs ignore SIGINT. They should go on ignoring it.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, handler)
        watch(program)
    try:
        from rulebots.cli.app import load_commands, run_app

        code = run_app(load_commands(importlib.import_module(commands)), program)
        _leave()
    except (KeyboardInterrupt, Exception) as error:
        if handler.came or isinstance(error, KeyboardInterrupt):
            _leave()
            if sys.stderr is not None and sys.stderr.isatty():
                complain("")  # after the ^C that the terminal shows
            complain(f"{program}: interrupted")
            return INTERRUPTED
        message = in_users_terms(error, games=False)
        if message is None:  # a bug keeps its traceback
            raise
        complain(f"{program}: {message}")
        return FileError.exit_code
    return code


def _leave() -> None:
    """All output is written; only the interpreter's own shutdown is left.

    It looks through all objects that the garbage collector knows: of compiled code alone that takes most of a second.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
