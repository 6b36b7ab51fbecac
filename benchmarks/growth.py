"""How seconds and memory grow with the work: series of sizes, each in a process of its own, with the exponent.

An exponent of 1 is linear in the size, which is the games, players, meetings or moves that the part names. `exponent`
is the slope of a straight line through the logarithms. What is compiled is loaded before the clock starts.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from machine import machine, peak_memory

from evolve.evaluation.arena import Arena, play_generation
from evolve.run import Run
from evolve.schedules import draw_tables
from evolve.settings import Settings
from evolve.workers import Workers
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.packages.population import Entry, Population, population_text
from rulebots.packages.rule_sets import load_rules
from rulebots.players import RulePlayer
from rulebots.ratings import bradley_terry
from rulebots.records import check, parse_record, play_recorded, record_text
from rulebots.tournaments.ladder import contents, ladder_of, ladder_text, parse_ladder
from rulebots.tournaments.pairing import swiss_tables
from rulebots.tournaments.tournament import play_tournament

SEED = 44
GAME = "tictactoe"
#: Deals of each meeting of the simulated results, and of the tournaments that are played.
RATED, PLAYED = 200, 2
#: Rounds of a Swiss tournament of n players: this many times the logarithm of n.
ROUNDS = 1.5


def players_of(count: int, game: str = GAME) -> list[RulePlayer]:
    """Players with random weights."""
    rules = load_rules(None, load_game(game))
    rng = np.random.default_rng(SEED)
    return [RulePlayer(rules, rng.normal(size=(2, len(rules.rules))), f"p{number}") for number in range(count)]


def rate(players: int) -> Callable[[], object]:
    """Bradley-Terry ratings of a round robin."""
    pairs = np.repeat(np.array(list(itertools.combinations(range(players), 2))), RATED, axis=0)
    scores = np.random.default_rng(SEED).integers(0, 5, len(pairs)) / 4
    deals = np.tile(np.arange(RATED), len(pairs) // RATED)
    return lambda: bradley_terry(players, pairs, scores, deals)


def make(count: int) -> Callable[[], object]:
    """Every player of a population file, by its name."""
    game = load_game(GAME)
    entries = {player.name: Entry(player.weights) for player in players_of(count)}
    path = Path(tempfile.mkdtemp()) / "population.yaml"
    path.write_text(population_text(Population(game, load_rules(None, game), entries)), encoding="utf-8")
    return lambda: [make_player(f"{path}#{name}", game) for name in entries]


def play(players: int) -> Callable[[], object]:
    """A round robin of short meetings, its ratings and its table."""
    play_tournament(players_of(2), deals=PLAYED)
    some = players_of(players)
    return lambda: play_tournament(some, deals=PLAYED).rows()


def file(players: int) -> Callable[[], object]:
    """The ladder of such a tournament: written, and read again."""
    some = players_of(players)
    played = play_tournament(some, deals=PLAYED)
    settings = {"system": "round-robin", "rounds": None, "deals": PLAYED, "seed": 1, "options": {}, "opening_plies": 0}
    hashes = contents(some)
    return lambda: parse_ladder(ladder_text(ladder_of(played, [player.name for player in some], hashes, settings)))


def pair(players: int) -> Callable[[], object]:
    """The tables of a Swiss tournament with random results."""

    def rounds() -> None:
        rng = np.random.default_rng(SEED)
        scores = np.zeros(players)
        tables = []
        for _ in range(round(ROUNDS * np.log2(players))):
            tables.append(swiss_tables(2, scores.tolist(), tables))
            scores += rng.integers(0, 5, players)

    return rounds


def seat(players: int) -> Callable[[], object]:
    """The tables of four of a generation."""
    return lambda: draw_tables(players, 4, 9, np.random.default_rng(SEED))


def replay(deals: int) -> Callable[[], object]:
    """The record of a match: written, read and played again."""
    first, second = players_of(2)
    play_recorded(first, second, 1)

    def again() -> None:
        for _ in check(parse_record(record_text(play_recorded(first, second, deals)[1]))):
            pass

    return again


def breed(players: int, game: str, opponents: int) -> Callable[[], object]:
    """A generation: its games, and what each player scored."""
    terms = {"game": game, "deals": 1, "opponents": ("hand-tuned",), "opponent_deals": 12, "hall_of_fame": 0}
    some = players_of(players, game)

    def generation(count: int) -> None:
        arena = Arena(load_game(game), Settings(population=count, **terms), Workers())
        play_generation(arena, some[:count], some[:opponents], 0)

    generation(4)
    return lambda: generation(players)


def end(hall: int) -> Callable[[], object]:
    """The run-off and the measurement after a run of a million games, with that many former champions."""
    terms = {"game": GAME, "population": 8, "generations": 1, "deals": 1, "opponent_deals": 1, "hall_of_fame": hall}
    run = Run(Settings.of(**terms))
    list(run.generations())
    run.hall.members = {number: player.weights for number, player in enumerate(players_of(hall), 1)}
    run.measure(run.run_off()[0])
    run.games = 1_000_000
    return lambda: run.measure(run.run_off()[0])


@dataclass(frozen=True)
class Part:
    """A series: what its sizes are, these, what prepares a measurement, and the work of a size."""

    what: str
    sizes: tuple[int, ...]
    prepare: Callable[[int], Callable[[], object]]
    work: Callable[[int], int]


def _games(deals: int) -> Callable[[int], int]:
    return lambda players: players * (players - 1) * deals


PARTS = {
    "ratings": Part(f"players, {RATED} deals a meeting; by games", (10, 50, 100, 200), rate, _games(RATED)),
    "make": Part("players of a file; by players", (25, 100, 400), make, lambda players: players),
    "tournament": Part(f"players, {PLAYED} deals a meeting; by games", (10, 40, 120), play, _games(PLAYED)),
    "ladder": Part("players in a ladder file; by meetings", (20, 60, 180), file, _games(1)),
    "swiss": Part("players; by players x log players", (100, 1000, 5000), pair, lambda n: round(n * np.log2(n))),
    "seating": Part("players at tables of four; by players", (100, 1000, 5000), seat, lambda players: players),
    "breeding": Part(
        "players in a round robin; by games", (400, 800, 1600), lambda n: breed(n, GAME, 1), lambda n: n * (n + 23)
    ),
    "teams": Part(
        "players of a cooperative game; by players", (400, 800, 1600), lambda n: breed(n, "hanabi", 0), lambda n: n
    ),
    "end": Part("former champions; by champions", (50, 100, 200), end, lambda hall: hall),
    "replay": Part("deals of a record; by deals", (50, 200, 800), replay, lambda deals: deals),
}


def measured(name: str, size: int) -> tuple[float, float]:
    """Seconds and megabytes of one size."""
    work = PARTS[name].prepare(size)
    before = peak_memory()
    began = time.perf_counter()
    work()
    return time.perf_counter() - began, (peak_memory() - before) / 1e6


def main() -> None:
    """Measure, then show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, help="only this series")
    parser.add_argument("--quick", action="store_true", help="the two smallest sizes, to see that it works")
    wanted = parser.parse_args()
    spawn = multiprocessing.get_context("spawn")
    for name in [wanted.part] if wanted.part else PARTS:
        part = PARTS[name]
        sizes = part.sizes[:2] if wanted.quick else part.sizes
        seconds = []
        print(f"{name}: {part.what}")
        for size in sizes:
            with ProcessPoolExecutor(1, spawn) as process:
                took, memory = process.submit(measured, name, size).result()
            seconds.append(took)
            print(f"  {size:7,}  {took:8.3f} s  {memory:7.0f} MB", flush=True)
        slope = np.polyfit(np.log([part.work(size) for size in sizes]), np.log(seconds), 1)[0]
        print(f"  exponent {slope:.2f}", flush=True)
    print(machine())


if __name__ == "__main__":
    main()
