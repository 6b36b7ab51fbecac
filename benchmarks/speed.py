"""How long a person waits, and games a second, all through the command line: of this checkout, or beside another one.

start: `--help`, the first match with nothing compiled, the same loaded from the cache, and what that takes beyond
importing its modules. Each is a whole process.

run: the run that a new user makes, `evolve run --generations 50`: first with nothing compiled, then with what the
first run left in the cache. Time, peak memory, and both files must be the same bytes.

games: games a second on one thread. A long match less a short one, so that starting and loading do not count.

With --against every measurement is made in both checkouts in turn, each with the programs of its own environment
(`.venv`) and a cache of its own, and the ratio is shown: before and after in one run. The best round counts.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from machine import CHECKOUT, Figures, program

#: What starts with compiled code in the cache, if any is needed -> most seconds.
COMMANDS = {
    "rulebots --help": 0.5,
    "evolve --help": 0.5,
    "evolve check populations/lost_cities/shelly.yaml": None,
    "rulebots match shelly dumb --deals 100": 1.5,
}
#: Matches whose first game is waited for.
FIRST = ("shelly dumb", "champion shelly", "champion standard --game kalah", "champion patterns --game gomoku")
MOST_BEYOND_IMPORTS = 0.35
DEFAULT_RUN, QUICK_RUN = "--generations 50", "--generations 2 --population 10 --deals 1 --rules sheppard --lessons 0"
COLD, WARM, MEGABYTES = 90, 60, 700
#: A match -> the deals of the short and of the long one.
MATCHES = {
    "shelly shelly": (500, 40_000),
    "champion champion": (500, 40_000),
    "champion standard --game kalah": (10, 2_000),
    "champion patterns --game gomoku": (10, 2_000),
    "champion newell-simon --game tictactoe": (500, 1_000_000),
    "mcts:iterations=1000,guide=none,solver=0 random --game gomoku": (1, 4),
    "minimax:depth=8 random --game kalah": (2, 500),
}
#: Beside another checkout: what is slower than that is more than noise.
NOISE = 0.05
#: Writes down which modules a command imports, and imports these and nothing else.
LIST = """
import atexit, pathlib, runpy, sys
file, sys.argv = pathlib.Path(sys.argv[1]), sys.argv[2:]
atexit.register(lambda: file.write_text("\\n".join(sys.modules)))
runpy.run_path(sys.argv[0], run_name="__main__")
"""
IMPORT = """
import contextlib, importlib, pathlib, sys
for name in pathlib.Path(sys.argv[1]).read_text().split("\\n"):
    with contextlib.suppress(Exception):
        importlib.import_module(name)
"""


@dataclass(frozen=True)
class Process:
    """What a finished process took: seconds, and the most memory it held, in MB."""

    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Checkout:
    """A checkout, the folder of its programs, and a folder of its own for what is compiled and written."""

    path: Path
    programs: Path
    folder: Path

    def run(self, command: str | Sequence[str | Path], cache: Path | None = None) -> Process:
        """Run a command of the checkout to its end; compiled code is kept in `cache`, or in that of the checkout."""
        name, *arguments = shlex.split(command) if isinstance(command, str) else command
        environment = {**os.environ, "RULEBOTS_CACHE": str(cache or self.folder / "cache")}
        began = time.perf_counter()
        process = subprocess.Popen(
            [str(self.programs / name), *map(str, arguments)],
            cwd=self.path,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # Like resource.getrusage(RUSAGE_CHILDREN), but of this one child.
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{self.path}: {name} {' '.join(map(str, arguments))}: exit code {process.returncode}")
        return Process(seconds, usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3))

    def cold(self, command: str) -> float:
        """Seconds of a command with nothing compiled."""
        with tempfile.TemporaryDirectory(dir=self.folder) as cache:
            return self.run(command, Path(cache)).seconds

    def imports(self, command: str) -> float:
        """Seconds that a process needs to import what a command imports."""
        name, *arguments = shlex.split(command)
        file = self.folder / "modules.txt"
        if not file.exists():
            self.run(["python", "-c", LIST, file, self.programs / name, *arguments])
        return self.run(["python", "-c", IMPORT, file]).seconds


class Table:
    """Figures of one checkout, or of two and their ratios."""

    def __init__(self, title: str, checkouts: Sequence[Checkout]) -> None:
        self.figures, self.checkouts = Figures(title), checkouts

    def add(
        self, what: str, found: Sequence[float], shown: str, most: float | None = None, *, more: bool = False
    ) -> None:
        """A figure for each checkout. `more` is better; `shown` is its format, `most` what it may be."""
        target, met = ("", None) if most is None else (f"at most {shown.format(most)}", found[0] <= most)
        self.figures.add(what, shown.format(found[0]), target, met=met)
        for other in found[1:]:
            ratio = found[0] / other
            target, met = f"at most {1 + NOISE:g} times", ratio <= 1 + NOISE
            if more:
                target, met = f"at least {1 - NOISE:g} times", ratio >= 1 - NOISE
            self.figures.add(f"    beside {shown.format(other)} there", f"{ratio:.2f} times", target, met=met)

    def in_turn(self, measure: Callable[[Checkout], float], rounds: int) -> list[float]:
        """The least of several rounds in which the checkouts take their turns, for each of them."""
        taken = [[measure(checkout) for checkout in self.checkouts] for _ in range(rounds)]
        return [min(of_checkout) for of_checkout in zip(*taken, strict=True)]


def measure_start(checkouts: Sequence[Checkout], quick: bool) -> Table:
    """Whole processes."""
    rounds = 1 if quick else 5
    table = Table(f"start-up: whole processes, the best of {rounds} (of 2 where code is compiled)", checkouts)
    for command, most in COMMANDS.items():
        for checkout in checkouts:
            checkout.run(command)  # compiles
        table.add(command, table.in_turn(lambda checkout, c=command: checkout.run(c).seconds, rounds), "{:.2f} s", most)
    for match in FIRST[: 1 if quick else None]:
        command = f"rulebots match {match} --deals 1 --jobs 1"
        cold = table.in_turn(lambda checkout, c=command: checkout.cold(c), 1 if quick else 2)
        table.add(f"match {match}: nothing compiled", cold, "{:.1f} s")
        for checkout in checkouts:
            checkout.run(command)
            (checkout.folder / "modules.txt").unlink(missing_ok=True)
            checkout.imports(command)
        warm = table.in_turn(lambda checkout, c=command: checkout.run(c).seconds, rounds)
        table.add(f"match {match}: loaded from the cache", warm, "{:.2f} s")
        imports = table.in_turn(lambda checkout, c=command: checkout.imports(c), rounds)
        beyond = [max(0.01, whole - part) for whole, part in zip(warm, imports, strict=True)]
        table.add(f"match {match}: that, beyond imports", beyond, "{:.2f} s", MOST_BEYOND_IMPORTS)
    return table


def measure_run(checkouts: Sequence[Checkout], quick: bool) -> Table:
    """Cold, then warm, in each checkout."""
    command = f"evolve run {QUICK_RUN if quick else DEFAULT_RUN} --seed 1"
    table = Table(command, checkouts)
    found: dict[str, list[Process]] = {"nothing compiled yet": [], "compiled before": []}
    texts = []
    for way, runs in found.items():
        for checkout in checkouts:
            file, cache = checkout.folder / f"{way}.yaml", checkout.folder / "cache of the run"
            runs.append(checkout.run([*shlex.split(command), "--out", file], cache))
            texts.append(file.read_bytes())
    for (way, runs), most in zip(found.items(), (COLD, WARM), strict=True):
        table.add(way, [run.seconds for run in runs], "{:.1f} s", most)
        table.add(f"peak memory, {way}", [run.megabytes for run in runs], "{:.0f} MB", MEGABYTES)
    cold, warm = texts[0], texts[len(checkouts)]
    table.figures.add("both files", "same bytes" if cold == warm else "different", "same bytes", met=cold == warm)
    return table


def measure_games(checkouts: Sequence[Checkout], quick: bool) -> Table:
    """The difference of two lengths of each match."""
    rounds = 1 if quick else 5
    table = Table(
        f"games a second on one thread, by the difference of two matches, the best of {rounds} rounds", checkouts
    )
    for match, lengths in list(MATCHES.items())[: 1 if quick else None]:
        for checkout in checkouts:
            checkout.run(f"rulebots match {match} --deals 1 --jobs 1")  # compiles
        taken: dict[int, list[list[float]]] = {deals: [] for deals in lengths}
        for _ in range(rounds):
            for deals, of_rounds in taken.items():
                command = f"rulebots match {match} --deals {deals} --jobs 1"
                of_rounds.append([checkout.run(command).seconds for checkout in checkouts])
        short, long = ([min(times) for times in zip(*of_rounds, strict=True)] for of_rounds in taken.values())
        games = 2 * (lengths[1] - lengths[0])
        found = [games / max(1e-3, most - least) for least, most in zip(short, long, strict=True)]
        table.add(f"match {match}", found, "{:,.1f}" if min(found) < 100 else "{:,.0f}", more=True)
    return table


PARTS = {"start": measure_start, "run": measure_run, "games": measure_games}


def main() -> None:
    """Measure and print, part by part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="measure this checkout beside another one")
    parser.add_argument("--part", choices=PARTS, help="only this one")
    parser.add_argument("--quick", action="store_true", help="one round and few matches, to see that it works")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        places = [(CHECKOUT, program("rulebots").parent)]
        if wanted.against:
            other = wanted.against.resolve()
            places.append((other, program("rulebots", other).parent))
            if not places[1][1].exists():
                parser.error(f"--against: {other} has no environment .venv with the programs in it")
        checkouts = []
        for number, (path, programs) in enumerate(places):
            folder = Path(name) / str(number)
            folder.mkdir()
            checkouts.append(Checkout(path, programs, folder))
        for part in [wanted.part] if wanted.part else PARTS:
            PARTS[part](checkouts, wanted.quick).figures.show()
            print(flush=True)


if __name__ == "__main__":
    main()
