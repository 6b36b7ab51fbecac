"""Alpha-beta: nodes a second, MTD(f), time limits, exact values of Kalah and their cost, and a match."""

from __future__ import annotations

import argparse
import time

import numpy as np
from machine import Figures

from rulebots import Game, Position, load_game, make_player, play_match
from rulebots.game.random_numbers import rng_of
from rulebots.search.exact.solving import solve
from rulebots.search.minimax.player import MinimaxPlayer
from rulebots.search.minimax.search import DRIVERS, Limits, Minimax

NODES_A_SECOND = 10_000_000
DEPTH = 13
#: (pits, stones): the first player's margin as published, under the rule that an empty capture counts.
PUBLISHED = {(6, 1): 2, (6, 2): 10, (6, 3): 2}
SECONDS = {(6, 2): 10.0, (6, 3): 300.0}
SMALL, SMALL_SECONDS = 4, 60.0
#: How deep each game is searched by either driver, with points alone, and after how many random plies.
DRIVER_DEPTHS = {"kalah": (8, 10, 12), "circles": (6, 8), "tictactoe": (9,)}
DRIVER_PLIES = 2
#: What plays against the opponent; with much more time, to see how much of the result the openings decide.
PLAYER = "minimax:seconds=0.05"
CEILING = "minimax:seconds=0.5"
OPPONENT = "minimax:depth=8"
#: Players whose decisions are timed, and by how much one may take longer than it was told.
TIMED = (PLAYER, "minimax:seconds=0.05,rules=standard")
OVERTIME = 0.020


def measure_speed(depth: int, rounds: int) -> Figures:
    """Alpha-beta without a table from the start position, the best of several rounds."""
    game = load_game("kalah")
    position, speeds = Position(game), []
    for _ in range(rounds):
        found = Minimax(game, megabytes=0).best(position, Limits(depth=depth))
        speeds.append(found.nodes / found.seconds)
    figures = Figures(f"alpha-beta without a table, Kalah's start position to depth {depth}, one core")
    best = max(speeds)
    figures.add("nodes", f"{found.nodes:,}")
    figures.add("nodes a second", f"{best:,.0f}", f"at least {NODES_A_SECOND:,}", met=best >= NODES_A_SECOND)
    tabled = Minimax(game).best(position, Limits(depth=depth))
    figures.add("nodes with a table", f"{tabled.nodes:,}")
    figures.add("seconds without and with a table", f"{found.seconds:.2f} and {tabled.seconds:.2f}")
    return figures


def measure_drivers(openings: int, depths: dict[str, tuple[int, ...]]) -> Figures:
    """Nodes of MTD(f) for each node of principal variation search, at equal depth, value and table."""
    figures = Figures(
        f"nodes of MTD(f) for each of principal variation search, {openings} openings, a fresh table each"
    )
    for name, plies in depths.items():
        game = load_game(name)
        positions = [random_position(game, number) for number in range(openings)]
        for depth in plies:
            found = [
                [Minimax(game, driver=driver).best(position, Limits(depth=depth)) for driver in DRIVERS]
                for position in positions
            ]
            nodes = np.array([[result.nodes for result in results] for results in found])
            ratios = np.log(nodes[:, 1] / nodes[:, 0])
            error = 1.96 * ratios.std(ddof=1) / np.sqrt(openings)
            low, mean, high = np.exp(ratios.mean() + error * np.array([-1, 0, 1]))
            agree = sum(first.value == second.value for first, second in found)
            figures.add(
                f"{game.title}, depth {depth}",
                f"{mean:.3f} ({low:.3f} to {high:.3f}) of {nodes[:, 0].sum():,} nodes, {agree} values the same",
            )
    return figures


def random_position(game: Game, number: int) -> Position:
    """The position after a few random moves, the same for the same number."""
    position, rng = Position(game), rng_of(number)
    for _ in range(DRIVER_PLIES):
        position.play(int(rng.choice(position.legal_moves)))
    return position


def measure_limits(plies: int) -> Figures:
    """How much longer than its limit a decision takes, over the first moves of a game."""
    game = load_game("kalah")
    figures = Figures(f"time limits: the first {plies} decisions of a game of Kalah, by the clock")
    for name in TIMED:
        player = make_player(name, game)
        assert isinstance(player, MinimaxPlayer)
        player.for_one_game().decide(Position(game))  # compiled before the clock starts
        playing, position, over = player.for_one_game(), Position(game), []
        for _ in range(plies):
            if position.over:
                break
            position.push(playing.decide(position))
            assert playing.result is not None
            over.append(playing.result.seconds - 0.05)
        worst = max(over)
        figures.add(
            name,
            f"{1000 * float(np.median(over)):.1f} ms over at the median, {1000 * worst:.1f} ms at most",
            f"at most {1000 * OVERTIME:g} ms",
            met=worst <= OVERTIME,
        )
    return figures


def measure_solving(largest: int, sizes: list[tuple[int, int]]) -> Figures:
    """All sizes up to largest x largest under both rules, then single ones."""
    game = load_game("kalah")
    solve(game, {"pits": 1, "stones": 1})  # compiled before the clock starts
    figures = Figures("exact values of Kalah, one core")
    began = time.perf_counter()
    for empty_capture in (1, 0):
        for pits in range(1, largest + 1):
            values = []
            for stones in range(1, largest + 1):
                options = {"pits": pits, "stones": stones, "empty_capture": empty_capture}
                values.append(f"{solve(game, options).value:+d}")
            rule = "empty capture" if empty_capture else "no empty capture"
            figures.add(f"{pits} pits, 1 to {largest} stones, {rule}", " ".join(values))
    taken = time.perf_counter() - began
    what = f"all sizes up to {largest} x {largest} under both rules"
    figures.add(what, f"{taken:.1f} s", f"under {SMALL_SECONDS:g} s", met=taken < SMALL_SECONDS)
    for pits, stones in sizes:
        solution = solve(game, {"pits": pits, "stones": stones})
        published = PUBLISHED[pits, stones]
        figures.add(f"({pits}, {stones})", f"{solution.value:+d}", f"{published:+d}", met=solution.value == published)
        limit = SECONDS.get((pits, stones))
        what = f"({pits}, {stones}), {solution.nodes:,} nodes"
        if limit is None:
            figures.add(what, f"{solution.seconds:.1f} s")
        else:
            figures.add(what, f"{solution.seconds:.1f} s", f"under {limit:g} s", met=solution.seconds < limit)
    return figures


def measure_match(players: tuple[str, ...], deals: int) -> Figures:
    """Searches limited by time against one limited to eight plies; one game at a time."""
    game = load_game("kalah")
    figures = Figures(
        f"against {OPPONENT}: {2 * deals} games of Kalah over mirrored openings of {game.opening_plies} plies"
    )
    for name in players:
        result = play_match(make_player(name, game), make_player(OPPONENT, game), deals, 1)
        low, high = (100 * end for end in result.win_rate_95)
        figures.add(
            name, f"{100 * result.win_rate:.1f} % ({low:.1f} to {high:.1f}), margin {result.margin:+.1f} a game"
        )
    return figures


def main() -> None:
    """Measure speed, drivers, time limits, solving and a match."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tiny run, to see that it works")
    parser.add_argument("--drivers", action="store_true", help="compare principal variation search and MTD(f), only")
    parser.add_argument("--three-stones", action="store_true", help="solve (6, 3), too: minutes, and 2 GB")
    parser.add_argument(
        "--deals",
        type=int,
        default=100,
        help="openings of the match, each played twice, or to compare drivers on (100)",
    )
    parser.add_argument("--ceiling", action="store_true", help="play the match with ten times the time, too")
    chosen = parser.parse_args()
    if chosen.quick:
        measure_speed(4, 1).show()
        measure_drivers(2, {"tictactoe": (2,)}).show()
        measure_limits(2).show()
        measure_solving(2, [(6, 1)]).show()
        measure_match((PLAYER,), 1).show()
        return
    if chosen.drivers:
        measure_drivers(chosen.deals, DRIVER_DEPTHS).show()
        return
    measure_speed(DEPTH, 5).show()
    print()
    measure_limits(40).show()
    print()
    measure_solving(SMALL, [(6, 1), (6, 2)] + [(6, 3)] * chosen.three_stones).show()
    print()
    measure_match((PLAYER, CEILING) if chosen.ceiling else (PLAYER,), chosen.deals).show()


if __name__ == "__main__":
    main()
