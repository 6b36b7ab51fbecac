"""Games a second on one core, against plain Python, on two threads; and what compiling costs.

Every figure is the best of several rounds in which all pairings take their turns, so that a busy
moment of the machine falls on all of them; ratios are between rounds of one run.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np
import pure_python
from machine import Figures

from rulebots.game import load_game
from rulebots.play.deals import draw_deals
from rulebots.play.match import mirrored, play_games
from rulebots.players import Player, RulePlayer
from rulebots.players.names import make_player

FLOOR = 30_000
TIMES_PYTHON = 300
TIMES_ONE_THREAD = 1.8
#: The two programs of pure_python.py; the first is that of the target.
PLAIN = {"plain Python": "each rule looks for itself", "plain Python, noted": "facts noted once a turn"}
RULE_SETS = ("shelly", "standard")
#: What a fresh process has to do before its first game of a rule set; prints the seconds it took.
GET_READY = """
import sys, time
from rulebots.game import load_game
from rulebots.play.loop import advancer, law_of
from rulebots.players import style_of
game = load_game("lost-cities")
began = time.perf_counter()
law_of(game)
advancer(style_of(game.rule_set(sys.argv[1])))
print(time.perf_counter() - began)
"""


def seconds(job: Callable[[], object]) -> float:
    """How long a job takes."""
    began = time.perf_counter()
    job()
    return time.perf_counter() - began


def rounds_of(jobs: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Seconds of each job in each round; the jobs take turns, after one turn that does not count."""
    for job in jobs.values():
        job()
    taken: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            taken[name].append(seconds(job))
    return taken


def measure_games(count: int, python_count: int, rounds: int) -> Figures:
    """All pairings, `count` games each; plain Python plays `python_count`."""
    game = load_game("lost-cities")
    shelly, dumb, discard = (make_player(name, game) for name in ("shelly", "dumb", "discard"))
    rules = game.rule_set("standard")
    standard, twin = RulePlayer(rules, rules.hand_tuned()), pure_python.compiled_twin()
    deals, schedule = draw_deals(game, count // 2, 1), mirrored(count // 2)
    packs = pure_python.packs_of(draw_deals(game, python_count, 1))

    def match(a: Player, b: Player, threads: int = 1) -> Callable[[], object]:
        players = [a] if a is b else [a, b]
        seats = np.minimum(schedule, [count, len(players) - 1, len(players) - 1])
        return lambda: play_games(players, deals, seats, threads)

    taken = rounds_of(
        {
            "Shelly v Shelly, 42 rules": match(shelly, shelly),
            f"standard v standard, {len(rules.rules)} rules": match(standard, standard),
            "Shelly v Dumb": match(shelly, dumb),
            "Discard v Discard, the bare law": match(discard, discard),
            "two threads": match(shelly, shelly, 2),
            "in hundredths": match(twin, twin),
            "plain Python": lambda: [pure_python.play_game(pack) for pack in packs],
            "plain Python, noted": lambda: [pure_python.play_game(pack, pure_python.Noted) for pack in packs],
        },
        rounds,
    )
    best = {name: min(of_rounds) for name, of_rounds in taken.items()}
    figures = Figures(
        f"games a second on one core, best of {rounds} rounds of {count:,} games ({python_count} in plain Python)"
    )
    names = list(taken)
    for name in names[:4]:
        speed = count / best[name]
        if name == names[0]:
            figures.add(name, f"{speed:,.0f}", f"at least {FLOOR:,}", met=speed >= FLOOR)
        else:
            figures.add(name, f"{speed:,.0f}")
    figures.add("Shelly v Shelly on two threads", f"{count / best['two threads']:,.0f}")
    times = best[names[0]] / best["two threads"]
    target = f"at least {TIMES_ONE_THREAD} times"
    figures.add("two threads to one", f"{times:.2f} times", target, met=times >= TIMES_ONE_THREAD)
    for number, (job, how) in enumerate(PLAIN.items()):
        figures.add(f"Shelly v Shelly in plain Python, {how}", f"{python_count / best[job]:,.0f}")
        ratios = [
            python / python_count / (compiled / count)
            for python, compiled in zip(taken[job], taken["in hundredths"], strict=True)
        ]
        times = best[job] / python_count / (best["in hundredths"] / count)
        figure = f"{times:,.0f} times (median of the rounds {statistics.median(ratios):,.0f})"
        if number == 0:
            target = f"at least {TIMES_PYTHON} times"
            figures.add("compiled to that, the same games", figure, target, met=times >= TIMES_PYTHON)
        else:
            figures.add("compiled to that, the same games", figure)
    return figures


def measure_compiling(rule_sets: tuple[str, ...], loads: int) -> Figures:
    """Fresh processes: the first with an empty cache, the others with what it left there."""
    figures = Figures(f"until the first game can begin, in a fresh process (loaded: median of {loads})")
    for name in rule_sets:
        with tempfile.TemporaryDirectory() as cache:
            cold = get_ready(name, cache)
            warm = statistics.median(get_ready(name, cache) for _ in range(loads))
        figures.add(f"'{name}' compiled, nothing cached", f"{cold:.1f} s")
        figures.add(f"'{name}' loaded from the cache", f"{warm:.2f} s")
    return figures


def get_ready(rule_set: str, cache: str) -> float:
    """Seconds that a fresh process needs to have a rule set's compiled loop, importing numba included."""
    command = [sys.executable, "-c", GET_READY, rule_set]
    environment = {**os.environ, "RULEBOTS_CACHE": cache}
    return float(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    """Measure games, then compiling."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tiny run without compiling, to see that it works")
    quick = parser.parse_args().quick
    if quick:
        measure_games(512, 4, 1).show()
        return
    measure_games(20_000, 200, 5).show()
    print()
    measure_compiling(RULE_SETS, 3).show()


if __name__ == "__main__":
    main()
