"""Compile a run's kernels in a process of its own, whose end frees the memory that compiling takes: some 300 MB.

python -m evolve.precompile DIR [KIND=NAME ...]

It ends when its standard input does: a run that is killed leaves nothing that goes on compiling.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from evolve.run import Run
from evolve.storage.folder import load_run, settings_of
from rulebots.kernel import cache_folder
from rulebots.kernel.precompile import end_with_parent
from rulebots.packages.named_code import brought, names_from_data
from rulebots.packages.players import bring_code


def compile_apart(folder: Path) -> None:
    """Compile the kernels of the run in a folder. If that fails, the run compiles them itself."""
    # -P: modules in the current folder must not replace the package's.
    own = [f"{one.kind}={one.named.absolute}" for one in brought()]
    command = [sys.executable, "-P", "-m", "evolve.precompile", str(folder), *own]
    nowhere = subprocess.DEVNULL
    here = {**os.environ, "RULEBOTS_CACHE": str(cache_folder())}
    with subprocess.Popen(command, env=here, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere) as child:  # noqa: S603 - ourselves
        child.wait()


def compile_players(folder: Path, own: Sequence[str] = ()) -> None:
    """What that process does; `own` names the user's code of the run: `rules=/home/me/keep.py:mine`."""
    for text in own:
        kind, _, name = text.partition("=")
        bring_code(kind, name)
    content = load_run(folder).content
    with names_from_data():
        Run(settings_of(folder, content), state=content["run"]).compile()


if __name__ == "__main__":
    end_with_parent(lambda: os.read(0, 1))
    compile_players(Path(sys.argv[1]), sys.argv[2:])
