"""The run that a new user makes, `evolve run --generations 50`, as a real process: time, memory, games.

First with nothing compiled (an empty RULEBOTS_CACHE), then again with what the first run left there.
Both files must be the same bytes; `--also-one-job` breeds a third on one thread and compares that as well.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import yaml
from machine import Figures

COLD, WARM, MEGABYTES = 90, 60, 700
QUICK = ["--generations", "2", "--population", "10", "--deals", "1", "--rules", "sheppard"]


@dataclass(frozen=True)
class Process:
    """What a finished process took: seconds, and the most memory it held, in MB."""

    seconds: float
    megabytes: float


def evolve(arguments: list[str], cache: Path) -> Process:
    """Run `evolve run` with compiled code kept in `cache`."""
    command = [str(Path(sys.executable).parent / "evolve"), "run", *arguments]
    began = time.perf_counter()
    process = subprocess.Popen(command, env={**os.environ, "RULEBOTS_CACHE": str(cache)}, stdout=subprocess.DEVNULL)
    # Like resource.getrusage(RUSAGE_CHILDREN), but of this one child.
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit code {process.returncode}")
    return Process(seconds, usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3))


def main() -> None:
    """Cold, warm, and on request on one thread."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="of the run (default 1)")
    parser.add_argument("--also-one-job", action="store_true", help="breed once more with --jobs 1, and compare")
    parser.add_argument("--quick", action="store_true", help="a tiny run of few rules, to see that it works")
    wanted = parser.parse_args()
    arguments = QUICK if wanted.quick else ["--generations", "50"]
    arguments = [*arguments, "--seed", str(wanted.seed)]
    figures = Figures(f"evolve run {' '.join(arguments)}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ways = {"cold": [], "warm": [], **({"jobs1": ["--jobs", "1"]} if wanted.also_one_job else {})}
        files = {way: folder / f"{way}.yaml" for way in ways}
        runs = {
            way: evolve([*arguments, *more, "--out", str(files[way])], folder / "cache") for way, more in ways.items()
        }
        texts = {way: path.read_bytes() for way, path in files.items()}
    cold, warm = runs["cold"], runs["warm"]
    figures.add("nothing compiled yet", f"{cold.seconds:.1f} s", f"under {COLD} s", met=cold.seconds < COLD)
    figures.add("compiled before", f"{warm.seconds:.1f} s", f"under {WARM} s", met=warm.seconds < WARM)
    for way, word in (("cold", "nothing compiled yet"), ("warm", "compiled before")):
        megabytes = runs[way].megabytes
        figures.add(f"peak memory, {word}", f"{megabytes:.0f} MB", f"under {MEGABYTES} MB", met=megabytes < MEGABYTES)
    figures.add("games bred on", f"{yaml.safe_load(texts['warm'])['bred']['games']:,}")
    figures.add(
        "both files",
        "same bytes" if texts["cold"] == texts["warm"] else "different",
        "same bytes",
        met=texts["cold"] == texts["warm"],
    )
    if wanted.also_one_job:
        same = texts["jobs1"] == texts["warm"]
        figures.add("on one thread", f"{runs['jobs1'].seconds:.1f} s")
        figures.add("its file", "same bytes" if same else "different", "same bytes", met=same)
    figures.show()


if __name__ == "__main__":
    main()
