"""How both command lines start: an impatient Ctrl-C is answered by a line, whatever is still being imported."""

from __future__ import annotations

import atexit
import importlib
import signal
import sys


def start(program: str, commands: str) -> int:
    """Run the command line whose commands are the modules of a package, and return its exit code."""
    # Everything is said by then; what is left is the interpreter's own tidying up.
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    try:
        from rulebots.console import load_commands, run_app

        package = importlib.import_module(commands)
        load_commands(package)
        return run_app(package.app, program)
    except KeyboardInterrupt:
        sys.stderr.write(f"{program}: interrupted\n")
        return 1
