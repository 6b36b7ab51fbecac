"""The compiled match loop: games a second on one core, against plain Python and on two threads; what a command adds.

Plain Python is the tests' own Lost Cities with Shelly's 42 rules, with the same weights in whole hundredths:
sums are exact in any order, so both play the same games to the last move, which is checked first.

All matches take turns in every round, so that a busy moment of the machine falls on all of them. Each figure
is that of the best round.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from machine import CHECKOUT, Figures, program

from rulebots import Player, RulePlayer, load_game, make_player
from rulebots.packages.rule_sets import load_rules
from rulebots.play.deals import Deals, draw_deals, mirrored
from rulebots.play.match import play_games

sys.path.append(str(CHECKOUT / "tests" / "oracles"))
from naive_lost_cities import Card
from naive_lost_cities_shelly import Facts, NaiveShelly, Noted, self_play

FLOOR = 30_000
TIMES_PYTHON = 300
TIMES_ONE_THREAD = 1.8
#: How the plain Python player sees the table; the first is that of the target.
PLAIN = {"each rule looks for itself": Facts, "facts noted once a turn": Noted}
#: A match by the command and by a script that draws the same deals and plays the same games, and counts nothing.
MATCH = ("shelly", "champion")
MOST_TIMES = 1.3
BARE = """
import sys
from rulebots import load_game
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_games
from rulebots.play.deals import mirrored
from rulebots import make_player
game, deals = load_game("lost-cities"), int(sys.argv[1])
play_games([make_player(name, game) for name in sys.argv[2:]], draw_deals(game, deals, 1), mirrored(deals))
"""


def packs_of(deals: Deals) -> list[list[Card]]:
    """The same deals as cards: an int card is 10 * suit + rank, rank 0 an investment, rank r the number r + 1."""
    return [[Card(c // 10, c % 10 + (c % 10 > 0)) for c in cards] for cards in deals.cards.tolist()]


def compiled_twin() -> RulePlayer:
    """The compiled Shelly with the weights of the plain one: her own, times a hundred."""
    rules = load_rules("shelly", load_game("lost-cities"))
    return RulePlayer(rules, (rules.hand_tuned() * 100).round(), "shelly, in hundredths")


def differences(count: int) -> list[str]:
    """A line for each of `count` games that the compiled player plays differently; none if all is well."""
    player = compiled_twin()
    deals = draw_deals(player.game, count, 51)
    schedule = np.array([(deal, 0, 0) for deal in range(count)], np.int64)
    games = play_games([player], deals, schedule)
    found = []
    for facts_of in PLAIN.values():
        shelly = NaiveShelly(facts_of=facts_of)
        for deal, pack in enumerate(packs_of(deals)):
            here = self_play(shelly, pack)
            there = (*games.points[deal].tolist(), int(games.plies[deal]))
            if here != there:
                found.append(f"deal {deal}: points and plies {here} in plain Python, {there} compiled")
    return found


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


def measure_games(count: int, plain_count: int, rounds: int) -> Figures:
    """All matches, `count` games each; plain Python plays `plain_count`."""
    game = load_game("lost-cities")
    shelly, dumb, discard = (make_player(name, game) for name in ("shelly", "dumb", "discard"))
    rules = load_rules("standard", game)
    standard, twin = RulePlayer(rules, rules.hand_tuned()), compiled_twin()
    deals, schedule = draw_deals(game, count // 2, 1), mirrored(count // 2)
    packs = packs_of(draw_deals(game, plain_count, 1))

    def match(a: Player, b: Player, threads: int = 1) -> Callable[[], object]:
        players = [a] if a is b else [a, b]
        seats = np.minimum(schedule, [count, len(players) - 1, len(players) - 1])
        return lambda: play_games(players, deals, seats, threads)

    def plain(facts_of: type[Facts]) -> Callable[[], object]:
        shelly = NaiveShelly(facts_of=facts_of)
        return lambda: [self_play(shelly, pack) for pack in packs]

    matches = {
        "Shelly v Shelly, 42 rules": match(shelly, shelly),
        f"standard v standard, {len(rules.rules)} rules": match(standard, standard),
        "Shelly v Dumb": match(shelly, dumb),
        "Discard v Discard, the bare law": match(discard, discard),
    }
    first = next(iter(matches))
    others = {"two threads": match(shelly, shelly, 2), "in hundredths": match(twin, twin)}
    taken = rounds_of(matches | others | {how: plain(facts_of) for how, facts_of in PLAIN.items()}, rounds)
    best = {name: min(of_rounds) for name, of_rounds in taken.items()}
    figures = Figures(
        f"games a second on one core, best of {rounds} rounds of {count:,} games ({plain_count} in plain Python)"
    )
    speed = count / best[first]
    figures.add(first, f"{speed:,.0f}", f"at least {FLOOR:,}", met=speed >= FLOOR)
    for name in list(matches)[1:]:
        figures.add(name, f"{count / best[name]:,.0f}")
    figures.add("Shelly v Shelly on two threads", f"{count / best['two threads']:,.0f}")
    times = best[first] / best["two threads"]
    figures.add(
        "two threads to one", f"{times:.2f} times", f"at least {TIMES_ONE_THREAD} times", met=times >= TIMES_ONE_THREAD
    )
    for number, how in enumerate(PLAIN):
        figures.add(f"Shelly v Shelly in plain Python, {how}", f"{plain_count / best[how]:,.0f}")
        middle = statistics.median(
            python / plain_count / (compiled / count)
            for python, compiled in zip(taken[how], taken["in hundredths"], strict=True)
        )
        times = best[how] / plain_count / (best["in hundredths"] / count)
        figure = f"{times:,.0f} times (median of the rounds {middle:,.0f})"
        target, met = (f"at least {TIMES_PYTHON} times", times >= TIMES_PYTHON) if number == 0 else ("", None)
        figures.add("compiled to that, the same games", figure, target, met=met)
    return figures


def measure_command(deals: int, rounds: int) -> Figures:
    """`rulebots match` against the bare loop: whole processes in turn, each on one thread."""

    def process(*command: str | Path) -> Callable[[], object]:
        return lambda: subprocess.run(command, check=True, capture_output=True)

    taken = rounds_of(
        {
            "bare": process(sys.executable, "-c", BARE, str(deals), *MATCH),
            "command": process(program("rulebots"), "match", *MATCH, "--deals", str(deals), "--jobs", "1"),
        },
        rounds,
    )
    bare, command = min(taken["bare"]), min(taken["command"])
    figures = Figures(f"{' against '.join(MATCH)}, {deals:,} mirrored deals, best of {rounds} rounds")
    figures.add("the bare match loop, in a fresh process", f"{bare:.2f} s")
    figures.add("`rulebots match`", f"{command:.2f} s")
    times = command / bare
    figures.add("the command to the loop", f"{times:.2f} times", f"at most {MOST_TIMES} times", met=times <= MOST_TIMES)
    return figures


def main() -> None:
    """Check that the games are the same, then measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few games, to see that it works")
    quick = parser.parse_args().quick
    checked = 4 if quick else 100
    if found := differences(checked):
        raise SystemExit("\n".join(found))
    figures = measure_games(512, 4, 1) if quick else measure_games(20_000, 200, 5)
    figures.add("games equal to those in plain Python, in points and plies", f"{checked} of {checked}", "all", met=True)
    figures.show()
    print()
    measure_command(20 if quick else 10_000, 1 if quick else 5).show()


if __name__ == "__main__":
    main()
