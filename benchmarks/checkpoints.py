"""What it costs a default run to live in a folder: checkpoint, log and champion after each generation."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import joblib
from machine import Figures

from evolve.run import Run
from evolve.settings import Settings
from evolve.storage.folder import new_folder

MOST = 2.0


def main() -> None:
    """Breed, and take the time of everything that is written."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--generations", type=int, default=20, help="of the default run (default 20)")
    wanted = parser.parse_args()
    settings = Settings(generations=wanted.generations)
    written = 0.0
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        run = Run(settings, jobs=int(joblib.cpu_count()))
        with new_folder(settings, Path(name) / "run", None) as folder:
            folder.begin(run)
            generations = run.generations()
            first = next(generations)  # may have waited for the compiler
            folder.keep(run, first)
            began = time.perf_counter()
            for progress in generations:
                before = time.perf_counter()
                folder.keep(run, progress)
                written += time.perf_counter() - before
            lasted = time.perf_counter() - began
    share = 100 * written / lasted
    figures = Figures(f"{settings.generations - 1} generations of the default run, {lasted:.1f} s")
    figures.add("a generation's writing", f"{1000 * written / (settings.generations - 1):.1f} ms")
    figures.add("share of the run", f"{share:.2f} %", f"under {MOST:g} %", met=share < MOST)
    figures.show()


if __name__ == "__main__":
    main()
