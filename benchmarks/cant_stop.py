"""Can't Stop: games a second of rule players on one core, against plain Python, and how strong the champion is.

Plain Python is the tests' own board and their own Rule of 28 and Glenn and Aloi's weights. It is given the rolls of the
compiled games, and has to play the same games to the last move, which is checked first. Compiled and plain games take
turns in every round, so that a busy moment of the machine falls on both.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable

import joblib
from machine import CHECKOUT, Figures, percent
from match_loop import rounds_of

from rulebots.game import load_game
from rulebots.games.cant_stop.dice import ROLLS
from rulebots.games.cant_stop.moves import FIRST_ROLL
from rulebots.play.deals import draw_deals
from rulebots.play.match import mirrored, play_games, play_match
from rulebots.play.results import Games
from rulebots.players.names import make_player

sys.path.append(str(CHECKOUT / "tests" / "oracles"))
from naive_cant_stop import Dice
from naive_cant_stop_players import played

GAME = load_game("cant-stop")
PAIR = ("glenn_aloi", "rule_of_28")
TIMES_PYTHON = 200
LEAST = 0.60
#: Deals that no training uses.
SEED = 53_000_001


def compiled_games(deals: int, *, keep_moves: bool = False) -> Games:
    """The two published players on mirrored deals, on one thread."""
    players = [make_player(name, GAME) for name in PAIR]
    return play_games(players, draw_deals(GAME, deals, SEED), mirrored(deals), keep_moves=keep_moves)


def rolls_of(games: Games) -> list[list[Dice]]:
    """The rolls of each game, in order."""
    return [
        [ROLLS[move - FIRST_ROLL] for move in moves[:plies].tolist() if move >= FIRST_ROLL]
        for moves, plies in zip(games.moves, games.plies.tolist(), strict=True)
    ]


def plain_games(rolls: list[list[Dice]]) -> list[tuple[int, int, int]]:
    """Points and plies of the same mirrored games in plain Python: as dealt, then with the seats exchanged."""
    return [played(PAIR if number % 2 == 0 else PAIR[::-1], of_game) for number, of_game in enumerate(rolls)]


def differences(deals: int) -> list[str]:
    """A line for each game that plain Python plays differently; none if all is well."""
    games = compiled_games(deals, keep_moves=True)
    here = [(*points, plies) for points, plies in zip(games.points.tolist(), games.plies.tolist(), strict=True)]
    there = plain_games(rolls_of(games))
    return [
        f"game {number}: points and plies {two} in plain Python, {one} compiled"
        for number, (one, two) in enumerate(zip(here, there, strict=True))
        if one != two
    ]


def measure_games(deals: int, plain_deals: int, rounds: int) -> Figures:
    """Games a second of the published players and the standard rules, and in plain Python."""
    rolls = rolls_of(compiled_games(plain_deals, keep_moves=True))
    standard = make_player("standard", GAME)
    drawn, schedule = draw_deals(GAME, deals, SEED), mirrored(deals, 0, 0)
    jobs: dict[str, Callable[[], object]] = {
        "published": lambda: compiled_games(deals),
        "standard": lambda: play_games([standard], drawn, schedule),
        "plain": lambda: plain_games(rolls),
    }
    taken = rounds_of(jobs, rounds)
    best = {name: min(of_rounds) for name, of_rounds in taken.items()}
    figures = Figures(
        f"games a second on one core, best of {rounds} rounds of {2 * deals:,} games ({2 * plain_deals} in plain Python)"
    )
    figures.add(f"{PAIR[0]} v {PAIR[1]}", f"{2 * deals / best['published']:,.0f}")
    figures.add("standard v standard", f"{2 * deals / best['standard']:,.0f}")
    figures.add("the first in plain Python", f"{2 * plain_deals / best['plain']:,.0f}")
    times = best["plain"] / plain_deals / (best["published"] / deals)
    middle = statistics.median(
        plain / plain_deals / (compiled / deals)
        for plain, compiled in zip(taken["plain"], taken["published"], strict=True)
    )
    figure = f"{times:,.0f} times (median of the rounds {middle:,.0f})"
    figures.add("compiled to that, the same games", figure, f"at least {TIMES_PYTHON} times", met=times >= TIMES_PYTHON)
    return figures


def measure_strength(deals: int) -> Figures:
    """The champion against every built-in player, on deals that no training uses."""
    figures = Figures(f"the champion, {deals:,} mirrored deals")
    champion, jobs = make_player("champion", GAME), int(joblib.cpu_count())
    for name in GAME.references:
        result = play_match(champion, make_player(name, GAME), deals, SEED, jobs=jobs)
        target, met = (f"at least {LEAST:.0%}", result.win_rate >= LEAST) if name == "rule_of_28" else ("", None)
        figures.add(f"against {name}", percent(result.win_rate, result.win_rate_95), target, met=met)
    return figures


def main() -> None:
    """Check that the games are the same, then measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few games, to see that it works")
    quick = parser.parse_args().quick
    checked = 2 if quick else 100
    if found := differences(checked):
        raise SystemExit("\n".join(found))
    figures = measure_games(50, 2, 1) if quick else measure_games(5_000, 50, 5)
    figures.add("games equal to those in plain Python", f"{2 * checked} of {2 * checked}", "all", met=True)
    figures.show()
    print()
    measure_strength(20 if quick else 10_000).show()


if __name__ == "__main__":
    main()
