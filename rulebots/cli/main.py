"""`rulebots`: play games, and look at games, rules and players. And how a command line starts and ends."""

import gc
import importlib
import signal
import sys
import threading

from rulebots.cli.console import complain
from rulebots.cli.interrupts import INTERRUPTED, Interrupts, end_process, watch
from rulebots.errors import FileError
from rulebots.packages import in_users_terms

#: The thread that prepares the players of `rulebots play` has this name.
COMPILING = "Preparation"


def main() -> int:
    """Run the command `rulebots`."""
    return start("rulebots", "rulebots.cli.commands")


def start(program: str, commands: str) -> int:
    """Run the command line whose commands are the modules of the package `commands`; return its exit code.

    If players are still being compiled then, the process ends here: LLVM crashes where Python ends under it.
    """
    code = _run(program, commands)
    if any(thread.name == COMPILING for thread in threading.enumerate()):
        end_process(code)
    return code


def _run(program: str, commands: str) -> int:
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
            if sys.stderr and sys.stderr.isatty():
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
