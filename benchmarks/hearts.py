"""Hearts: how strong the champion and a search are, the moons, deals a second, and the law beside OpenSpiel's.

The deals are of a seed that no training uses; each is played with the one player alone in every seat among three of the
other. A moon is tried by who has all of the first five cards with points, or more.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib.util
import random
import sys
import time
from typing import Any

import numpy as np
import numpy.typing as npt
from machine import CHECKOUT, Figures

from rulebots import load_game, make_player
from rulebots.game import Game
from rulebots.play.deals import draw_deals, one_among
from rulebots.play.match import play_games
from rulebots.play.results import Games, shares_of

GAME = load_game("hearts")
SEED = 54_000_001
SEATS = 4
#: Points of all cards, and those of the queen of spades beyond those of another card with points.
ALL_POINTS, QUEEN_MORE = 26, 12
#: Cards with points, all with one player, that make a try of the moon.
TRIED = 5
#: Who plays alone among three of whom; the most and the least points of it, and its least share of tables.
TARGETS: dict[tuple[str, str], tuple[float | None, float | None, float | None]] = {
    ("champion", "duck"): (4.5, None, 0.37),
    ("duck", "champion"): (None, 8.8, None),
    ("champion", "standard"): (None, None, 0.30),
    ("standard", "duck"): (None, None, None),
}
LEAST_SPEED = 20_000
#: How many times as fast as OpenSpiel from Python.
LEAST_RATIO = 4
#: The search that is measured among champions, and its least share of tables.
SEARCH, LEAST_SEARCH = "rollout:seconds=1", 0.30
PARTS = ("strength", "moons", "speed", "openspiel", "law", "search", "maxn")
#: Hearts with all cards face up and nothing passed, which tree search can play.
OPEN = dataclasses.replace(GAME, hidden=False, redeal=None, undeal=None, told=None)
MAXN, PARANOID = "mcts:iterations=300", "mcts:iterations=300,paranoid=1"


def among(alone: str, others: str, deals: int, *, keep_moves: bool = False, game: Game = GAME) -> Games:
    """One player alone among three of another, in each seat of each deal."""
    players = [make_player(name, game) for name in dict.fromkeys((others, alone))]
    schedule = one_among(deals, seats=SEATS)
    schedule[:, 1:] = np.minimum(schedule[:, 1:], len(players) - 1)
    options = {"passing": int(game.hidden)}
    return play_games(players, draw_deals(game, deals, SEED, options=options), schedule, keep_moves=keep_moves)


def of_one(by_seat: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """What is alone in its seat, game by game, as a mean of each deal: float64[deals]."""
    games = np.arange(len(by_seat))
    mean: npt.NDArray[np.float64] = by_seat[games, games % SEATS].reshape(-1, SEATS).mean(axis=1)
    return mean


def with_95(of_deals: npt.NDArray[np.float64], scale: float = 1.0, unit: str = "") -> str:
    """A mean with its 95 % interval over deals."""
    half = 1.96 * of_deals.std(ddof=1) / len(of_deals) ** 0.5
    return f"{scale * of_deals.mean():.2f}{unit} +- {scale * half:.2f}"


def measure_strength(deals: int) -> Figures:
    """Points and shares of tables."""
    figures = Figures(f"one among three, {deals:,} deals from every seat; even is 25 % of the tables")
    for (alone, others), (most, least, least_tables) in TARGETS.items():
        games = among(alone, others, deals)
        points, tables = -of_one(games.points), of_one(shares_of(games))
        aim = "" if most is None else f"at most {most}"
        aim = aim if least is None else f"at least {least}"
        met = None if not aim else bool(points.mean() <= (most or ALL_POINTS) and points.mean() >= (least or 0))
        figures.add(f"{alone} among {others}s: points a deal", with_95(points), aim, met=met)
        aim = "" if least_tables is None else f"at least {least_tables:.0%}"
        met = None if least_tables is None else bool(tables.mean() >= least_tables)
        figures.add("  tables won", with_95(tables, 100, " %"), aim, met=met)
    return figures


def moons(games: Games, deals: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Who tried to shoot the moon, and who did: bool[games, seats] each."""
    dealt = draw_deals(GAME, deals, SEED)
    tried, shot = np.zeros((2, len(games.points), SEATS), np.bool_)
    for number, moves in enumerate(games.moves):
        state = GAME.new_state()
        GAME.setup.function(state, dealt.cards[number // SEATS].tolist(), dealt.options)
        for move in moves[: games.plies[number]].tolist():
            GAME.play.function(state, move)
            taken = state.taken.tolist()
            most = max(taken)
            if most == sum(taken) and most - QUEEN_MORE * (most > QUEEN_MORE) >= TRIED:
                tried[number, taken.index(most)] = True
        shot[number] = state.taken == ALL_POINTS
    return tried, shot


def measure_moons(deals: int) -> Figures:
    """How often the moon is tried, and how often that works, by who is alone and by each of the three others."""
    figures = Figures(f"the moon, of {deals:,} deals from every seat: tried, and shot")
    for alone, others in (
        ("champion", "duck"),
        ("champion", "standard"),
        ("champion", "champion"),
        ("duck", "champion"),
    ):
        tried, shot = moons(among(alone, others, deals, keep_moves=True), deals)
        for who, of in ((f"{alone} among {others}s", of_one), ("  each of those", of_others)):
            a, b = of(tried.astype(float)), of(shot.astype(float))
            figures.add(
                who, f"{with_95(a, 100, ' %')}; {with_95(b, 100, ' %')}; works {b.mean() / max(a.mean(), 1e-9):.0%}"
            )
    return figures


def of_others(by_seat: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The mean of the three others, likewise."""
    mean: npt.NDArray[np.float64] = (by_seat.sum(axis=1).reshape(-1, SEATS).mean(axis=1) - of_one(by_seat)) / (
        SEATS - 1
    )
    return mean


def measure_speed(deals: int, rounds: int) -> Figures:
    """Deals a second of processor time, of four alike on one thread."""
    figures = Figures(f"deals a second of processor time, best of {rounds} rounds of {SEATS * deals:,}")
    for name in ("champion", "duck", "random"):
        among(name, name, 10)
        taken = []
        for _ in range(rounds):
            began = time.process_time()
            among(name, name, deals)
            taken.append(time.process_time() - began)
        speed = SEATS * deals / min(taken)
        target, met = (f"at least {LEAST_SPEED:,}", speed >= LEAST_SPEED) if name == "champion" else ("", None)
        figures.add(f"four {name}s", f"{speed:,.0f}", target, met=met)
    return figures


def play_openspiel(deals: int) -> None:
    """Random deals of OpenSpiel's `hearts` from Python."""
    import pyspiel

    game, rng = pyspiel.load_game("hearts"), random.Random(1)  # noqa: S311 - no secret
    for _ in range(deals):
        state = game.new_initial_state()
        while not state.is_terminal():
            # Its chance outcomes are all equally likely.
            state.apply_action(rng.choice(state.legal_actions()))


def measure_against_openspiel(deals: int, rounds: int) -> Figures:
    """Random deals a second, by turns with OpenSpiel's."""
    figures = Figures(f"random deals a second, processor time, by turns, median of {rounds} ratios")
    if importlib.util.find_spec("pyspiel") is None:
        figures.add("OpenSpiel", "not installed")
        return figures
    among("random", "random", 10)
    speeds = np.zeros((rounds, 2))
    for one in range(rounds):
        for number, (play, count) in enumerate(
            ((lambda n: among("random", "random", n), SEATS * deals), (play_openspiel, deals))
        ):
            began = time.process_time()
            play(deals)
            speeds[one, number] = count / (time.process_time() - began)
    ratio = float(np.median(speeds[:, 0] / speeds[:, 1]))
    for number, name in enumerate(("four randoms", "OpenSpiel's hearts, random moves from Python")):
        figures.add(name, f"{speeds[:, number].max():,.0f}")
    figures.add("ratio", f"{ratio:.0f}", f"at least {LEAST_RATIO}", met=ratio >= LEAST_RATIO)
    return figures


def measure_law(deals: int, of_players: int) -> Figures:
    """Deals of random players and of shipped ones beside OpenSpiel's law, for the defaults and each option turned."""
    figures = Figures(f"the law beside OpenSpiel's: {deals:,} random deals and {of_players:,} of shipped players")
    if importlib.util.find_spec("pyspiel") is None:
        figures.add("OpenSpiel", "not installed")
        return figures
    sys.path.append(str(CHECKOUT / "tests" / "oracles"))
    from openspiel_hearts import TURNED, differences

    for options in TURNED:
        found = list(differences(options, ["random"], deals, SEED))
        found += differences(options, ["champion", "standard", "duck"], of_players, SEED)
        title = " ".join(f"{name}={value}" for name, value in options.items()) or "the defaults"
        figures.add(title, f"{len(found)} differences", "none", met=not found)
        print(*figures.rows[-1], *found[:3], flush=True)
    return figures


def measure_search(spec: str, deals: int) -> Figures:
    """A search alone among three champions, in every seat; a line for each deal."""
    figures = Figures(f"{spec} among champions, {deals:,} deals from every seat; even is 25 % of the tables")
    players = [make_player(name, GAME) for name in ("champion", spec)]
    drawn, schedule = draw_deals(GAME, deals, SEED), one_among(deals, seats=SEATS)
    points, tables, began = np.zeros(deals), np.zeros(deals), time.process_time()
    usual = -of_one(among("champion", "champion", deals).points)
    for one in range(deals):
        games = play_games(players, drawn, schedule[SEATS * one : SEATS * (one + 1)])
        points[one], tables[one] = -of_one(games.points)[0], of_one(shares_of(games))[0]
        if one:
            less, share = with_95((usual - points)[: one + 1]), with_95(tables[: one + 1], 100, " %")
            print(f"  {one + 1} deals: {less} points less than a champion, {share} of the tables", flush=True)
    figures.add("points a deal", with_95(points))
    figures.add(
        "  less than a champion's there", with_95(usual - points), "more than 0", met=usual.mean() > points.mean()
    )
    figures.add(
        "  tables won", with_95(tables, 100, " %"), f"at least {LEAST_SEARCH:.0%}", met=tables.mean() >= LEAST_SEARCH
    )
    figures.add("  processor time for a deal", f"{(time.process_time() - began) / SEATS / deals:.2f} s")
    return figures


def measure_maxn(deals: int) -> Figures:
    """Tree search by max^n alone among three that are paranoid, and the other way round, with all cards face up."""
    figures = Figures(f"{MAXN}, all cards face up, {deals:,} deals from every seat; even is 25 % of the tables")
    for alone, others in ((MAXN, PARANOID), (PARANOID, MAXN)):
        games = among(alone, others, deals, game=OPEN)
        who, whom = ("paranoid" if "paranoid" in spec else "max^n" for spec in (alone, others))
        figures.add(f"{who} among three {whom}: points a deal", with_95(-of_one(games.points)))
        figures.add("  tables won", with_95(of_one(shares_of(games)), 100, " %"))
        print(*figures.rows[-2:], flush=True)
    return figures


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few deals, to see that it works")
    parser.add_argument("--part", choices=PARTS, help="by default all but law, search and maxn, which take long")
    parser.add_argument("--search", default=SEARCH, help=f"the player of the part search (default {SEARCH})")
    parser.add_argument("--deals", type=int, help="deals of the part law, search or maxn")
    wanted = parser.parse_args()
    quick = wanted.quick
    parts = {
        "strength": lambda: measure_strength(20 if quick else 20_000),
        "moons": lambda: measure_moons(2 if quick else 500),
        "speed": lambda: measure_speed(*((50, 1) if quick else (2_000, 5))),
        "openspiel": lambda: measure_against_openspiel(*((50, 1) if quick else (2_000, 5))),
        "law": lambda: measure_law(*((3, 3) if quick else (wanted.deals or 20_000, (wanted.deals or 20_000) // 10))),
        "search": lambda: measure_search("rollout:simulations=20" if quick else wanted.search, wanted.deals or 2),
        "maxn": lambda: measure_maxn(2 if quick else wanted.deals or 100),
    }
    for name in [wanted.part] if wanted.part else PARTS if quick else PARTS[:4]:
        parts[name]().show()
        print()


if __name__ == "__main__":
    main()
