"""Runs as processes of their own: they are started, stopped and resumed from the page, and survive it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from evolve.storage.folder import RUNS, process_of
from rulebots.errors import UsageError

#: Runs of a folder that go on at the same time, whoever started them.
MOST_RUNNING = 2
#: Where what a run prints is kept, below the folder of runs.
PRINTED = ".printed"
_PROGRAM = "import sys; from evolve.cli.main import main; sys.exit(main())"


class Processes:
    """The processes of the runs below a folder's `runs/`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._started: dict[str, subprocess.Popen[bytes]] = {}
        self._stopped: dict[str, int] = {}
        self._lock = threading.Lock()

    def start(self, name: str, command: Sequence[str]) -> None:
        """Start `evolve COMMAND...` for the run of that name.

        Raises:
            UsageError: so many runs go on already, or what it prints cannot be kept.
        """
        with self._lock:
            running = self.running()
            if name in running:
                raise UsageError(f"the run '{name}' goes on already")
            if len(running) >= MOST_RUNNING:
                raise UsageError(f"{len(running)} runs go on, and this page starts no more: stop one, or wait")
            try:
                (self.folder / RUNS / PRINTED).mkdir(parents=True, exist_ok=True)
                with self._printed(name).open("wb") as printed:
                    # A session of its own: Ctrl-C in the terminal of the page does not reach it. With -P nothing is
                    # imported from the served folder only because it stands there.
                    self._started[name] = subprocess.Popen(  # noqa: S603 - our own program, its words checked
                        [sys.executable, "-P", "-c", _PROGRAM, *command],
                        cwd=self.folder,
                        stdin=subprocess.DEVNULL,
                        stdout=printed,
                        stderr=subprocess.STDOUT,
                        start_new_session=True,
                    )
            except OSError as error:
                raise UsageError(f"the run cannot be started: {error.strerror or error}") from None
            self._stopped.pop(name, None)

    def stop(self, name: str) -> None:
        """What Ctrl-C once does: the run ends its step, is run off and saved. Raises UsageError where none goes on."""
        process = self.running().get(name)
        if process is None:
            raise UsageError(f"no process that can be stopped runs '{name}'")
        self._stopped[name] = process
        # Not SIGINT: what a shell starts in the background ignores it, and so does what that starts.
        os.kill(process, signal.SIGTERM)

    def stopping(self, name: str) -> bool:
        """Whether the process that runs it now was stopped from this page."""
        return name in self._stopped and self.running().get(name) == self._stopped[name]

    def running(self) -> dict[str, int]:
        """The processes of the runs that go on, by the run's name."""
        found = {name: child.pid for name, child in list(self._started.items()) if child.poll() is None}
        root = self.folder / RUNS
        for path in root.iterdir() if root.is_dir() else ():
            try:
                process = process_of(path) if path.name not in found and not path.is_symlink() else None
            except NotImplementedError:
                break
            if process is not None:
                found[path.name] = process
        return found

    def failure(self, name: str) -> str:
        """What a run printed last that was started here and failed; "" where none did."""
        child = self._started.get(name)
        if child is None or not child.poll() or name in self._stopped:
            return ""
        try:
            lines = self._printed(name).read_text("utf-8", "replace").splitlines()
        except OSError:
            lines = []
        return next((line for line in reversed(lines) if line.strip()), f"it ended with code {child.returncode}")[:2000]

    def beginning(self, name: str) -> bool:
        """Whether a run was started here of which there is nothing to show yet."""
        child = self._started.get(name)
        return child is not None and child.poll() is None

    def _printed(self, name: str) -> Path:
        return self.folder / RUNS / PRINTED / f"{name}.txt"
