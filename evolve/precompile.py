"""Compile a run's kernels in a process of its own, whose end frees the memory that compiling takes: some 300 MB.

python -m evolve.precompile DIR [KIND=NAME ...]

It ends when its standard input does: a run that is killed leaves nothing that goes on compiling. When it closes its
standard output, what the generations call is compiled; it goes on with what only the end of the run calls.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from evolve.run import Run
from evolve.storage.folder import load_run, settings_of
from rulebots.kernel import cache_folder
from rulebots.kernel.precompile import end_with_parent, precompile
from rulebots.packages.named_code import brought, names_from_data
from rulebots.packages.players import bring_code


@contextlib.contextmanager
def compiled_apart(folder: Path) -> Iterator[None]:
    """Compile the kernels of the run in a folder: those of its generations before the block, the others beside it.

    If that fails, the run compiles them itself.
    """
    # -P: modules in the current folder must not replace the package's.
    command = [
        sys.executable,
        "-P",
        "-m",
        "evolve.precompile",
        str(folder),
        *[f"{one.kind}={one.named.absolute}" for one in brought()],
    ]
    nowhere = subprocess.DEVNULL
    here = {**os.environ, "RULEBOTS_CACHE": str(cache_folder())}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=here, stdin=pipe, stdout=pipe, stderr=nowhere) as child:  # noqa: S603 - ourselves
        assert child.stdout is not None
        try:
            child.stdout.read()
            yield
            child.wait()
        finally:
            child.kill()


def compile_players(folder: Path, own: Sequence[str] = ()) -> None:
    """What that process does; `own` names the user's code of the run: `rules=/home/me/keep.py:mine`."""
    for text in own:
        kind, _, name = text.partition("=")
        bring_code(kind, name)
    content = load_run(folder).content
    with names_from_data():
        run = Run(settings_of(folder, content), state=content["run"])
        run.compile()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        precompile(run.compilations_of_the_end)


if __name__ == "__main__":
    end_with_parent(lambda: os.read(0, 1))
    compile_players(Path(sys.argv[1]), sys.argv[2:])
