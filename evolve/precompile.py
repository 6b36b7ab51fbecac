"""Compile a run's kernels in a process of its own, whose end frees the memory that compiling takes: some 300 MB.

python -m evolve.precompile DIR
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from evolve.run import Run
from evolve.storage.folder import load_run, settings_of
from rulebots.code_cache import cache_folder


def compile_apart(folder: Path) -> None:
    """Compile the kernels of the run in a folder. If that fails, the run compiles them itself."""
    # -P: modules in the current folder must not replace ours.
    command = [sys.executable, "-P", "-m", "evolve.precompile", str(folder)]
    nowhere, here = subprocess.DEVNULL, {**os.environ, "RULEBOTS_CACHE": str(cache_folder())}
    subprocess.run(command, env=here, stdin=nowhere, stdout=nowhere, stderr=nowhere, check=False)  # noqa: S603 - ourselves


def compile_players(folder: Path) -> None:
    """What that process does."""
    content = load_run(folder).content
    Run(settings_of(folder, content), state=content["run"]).compile()


if __name__ == "__main__":
    compile_players(Path(sys.argv[1]))
