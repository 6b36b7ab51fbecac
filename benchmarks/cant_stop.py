"""Can't Stop: games a second of rule players on one core, against plain Python, and how strong the champion is.

Plain Python is the tests' own board with their own standard rules, Rule of 28, and Glenn and Aloi's numbers. It is
given the rolls of the compiled games, and has to play the same games to the last move, which is checked first. Compiled
and plain games take turns in every round, so that a busy moment of the machine falls on both.
"""

from __future__ import annotations

import argparse
import functools
import random
import statistics
import sys
from collections.abc import Callable, Iterator
from typing import Any

import joblib
from machine import CHECKOUT, Figures, percent
from match_loop import rounds_of

from rulebots import load_game, make_player, package_of, play_match
from rulebots.games.cant_stop.moves import FIRST_ROLL, ROLLS
from rulebots.packages.rule_sets import load_rules
from rulebots.play.deals import draw_deals, mirrored
from rulebots.play.match import play_games
from rulebots.play.results import Games

sys.path.append(str(CHECKOUT / "tests" / "oracles"))
from naive_cant_stop import Dice
from naive_cant_stop_players import PLAYERS, played, turns_alone
from naive_cant_stop_rules import Facts, Noted, with_weights

GAME = load_game("cant-stop")
TIMES_PYTHON = 200
LEAST = 0.60
#: Deals that no training uses.
SEED = 53_000_001
PUBLISHED = ("glenn_aloi", "rule_of_28")
RULES = load_rules(game=GAME)
#: Whose games are measured, and the same players in plain Python; the first is that of the target.
PAIRS: dict[str, tuple[tuple[str, str], list[Any]]] = {
    f"standard v standard, {len(RULES.rules)} rules, each looks for itself": (
        ("standard", "standard"),
        [with_weights(RULES, RULES.hand_tuned(), Facts)] * 2,
    ),
    "the same, facts noted once a choice": (
        ("standard", "standard"),
        [with_weights(RULES, RULES.hand_tuned(), Noted)] * 2,
    ),
    " v ".join(PUBLISHED): (PUBLISHED, [PLAYERS[name] for name in PUBLISHED]),
}


def compiled_games(pair: tuple[str, str], deals: int, *, keep_moves: bool = False) -> Games:
    """A pair of players on mirrored deals, on one thread."""
    players = [make_player(name, GAME) for name in dict.fromkeys(pair)]
    schedule = mirrored(deals, 0, len(players) - 1)
    return play_games(players, draw_deals(GAME, deals, SEED), schedule, keep_moves=keep_moves)


def rolls_of(games: Games) -> list[list[Dice]]:
    """The rolls of each game, in order."""
    return [
        [ROLLS[move - FIRST_ROLL] for move in moves[:plies].tolist() if move >= FIRST_ROLL]
        for moves, plies in zip(games.moves, games.plies.tolist(), strict=True)
    ]


def plain_games(players: list[Any], rolls: list[list[Dice]]) -> list[tuple[int, int, int]]:
    """Points and plies of the same mirrored games in plain Python: as dealt, then with the seats exchanged."""
    return [played(players if number % 2 == 0 else players[::-1], of_game) for number, of_game in enumerate(rolls)]


def differences(deals: int) -> list[str]:
    """A line for each game that plain Python plays differently; none if all is well."""
    found = []
    for what, (pair, players) in PAIRS.items():
        games = compiled_games(pair, deals, keep_moves=True)
        here = [(*points, plies) for points, plies in zip(games.points.tolist(), games.plies.tolist(), strict=True)]
        there = plain_games(players, rolls_of(games))
        found += [
            f"{what}, game {number}: points and plies {two} in plain Python, {one} compiled"
            for number, (one, two) in enumerate(zip(here, there, strict=True))
            if one != two
        ]
    return found


def measure_games(deals: int, plain_deals: int, rounds: int) -> Figures:
    """Games a second of each pair, and how much faster that is than in plain Python."""
    jobs: dict[str, Callable[[], object]] = {}
    for what, (pair, players) in PAIRS.items():
        rolls = rolls_of(compiled_games(pair, plain_deals, keep_moves=True))
        jobs[f"{what}, compiled"] = functools.partial(compiled_games, pair, deals)
        jobs[f"{what}, plain"] = functools.partial(plain_games, players, rolls)
    taken = rounds_of(jobs, rounds)
    figures = Figures(
        f"games a second on one core, best of {rounds} rounds of {2 * deals:,} games, {2 * plain_deals} in plain Python"
    )
    for what in PAIRS:
        compiled = [seconds / deals for seconds in taken[f"{what}, compiled"]]
        plain = [seconds / plain_deals for seconds in taken[f"{what}, plain"]]
        times = min(plain) / min(compiled)
        middle = statistics.median(one / two for one, two in zip(plain, compiled, strict=True))
        aimed = what == next(iter(PAIRS))
        target, met = (f"at least {TIMES_PYTHON} times", times >= TIMES_PYTHON) if aimed else ("", None)
        figures.add(what, f"{2 / min(compiled):,.0f}")
        figures.add("  in plain Python", f"{2 / min(plain):,.1f}")
        figures.add("  compiled to that, the same games", f"{times:,.0f} times (median {middle:,.0f})", target, met=met)
    return figures


def dice() -> Iterator[Dice]:
    """Rolls without end, always the same."""
    rng = random.Random(SEED)  # noqa: S311 - dice
    while True:
        yield tuple(sorted(rng.choices(range(1, 7), k=4)))


def measure_turns(games: int) -> Figures:
    """Turns that the published players need alone on the board, as Glenn and Aloi measured them, in plain Python."""
    figures, means = Figures(f"turns alone on the board, mean of {games:,} games"), {}
    for name in PUBLISHED:
        rolls = dice()
        turns = [turns_alone(PLAYERS[name], rolls) for _ in range(games)]
        means[name] = statistics.mean(turns)
        figures.add(name, f"{means[name]:.2f}, standard error {statistics.stdev(turns) / games**0.5:.2f}")
    figures.add("fewer by", f"{1 - means['glenn_aloi'] / means['rule_of_28']:.1%}")
    return figures


def measure_strength(deals: int) -> Figures:
    """The champion against every built-in player, on deals that no training uses."""
    figures = Figures(f"the champion, {deals:,} mirrored deals")
    champion, jobs = make_player("champion", GAME), int(joblib.cpu_count())
    for name in package_of(GAME).references:
        result = play_match(champion, make_player(name, GAME), deals, SEED, jobs=jobs)
        target, met = (f"at least {LEAST:.0%}", result.win_rate >= LEAST) if name == "rule_of_28" else ("", None)
        figures.add(f"against {name}", percent(result.win_rate, result.win_rate_95), target, met=met)
    return figures


def main() -> None:
    """Check that the games are the same, then measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few games, to see that it works")
    quick = parser.parse_args().quick
    checked = 1 if quick else 25
    if found := differences(checked):
        raise SystemExit("\n".join(found))
    figures = measure_games(50, 2, 1) if quick else measure_games(2_000, 10, 5)
    all_games = 2 * checked * len(PAIRS)
    figures.add("games equal to those in plain Python", f"{all_games} of {all_games}", "all", met=True)
    figures.show()
    print()
    measure_turns(10 if quick else 10_000).show()
    print()
    measure_strength(20 if quick else 10_000).show()


if __name__ == "__main__":
    main()
