"""Kalah, gomoku, tic-tac-toe and circle elimination: games a second on one core, and how strong the champions are.

The deals are of seeds that no training uses. A draw counts as half; the 95 % intervals are over deals. The time
of a move is that of a match, shared out over its moves. (Lost Cities: match_loop.py and strength.py.)
"""

from __future__ import annotations

import argparse
import copy
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np
from machine import Figures, percent

from rulebots import Game, Player, load_game, make_player, play_match
from rulebots.game.dtypes import records
from rulebots.game.random_numbers import next_luck
from rulebots.games.circles.solver import CirclesTablebase
from rulebots.games.kalah.players import choose_unpruned
from rulebots.kernel import Kernel, kernel
from rulebots.play.deals import draw_deals, mirrored
from rulebots.play.match import play_games
from rulebots.players import KernelPlayer
from rulebots.search.exact.accuracy import accuracy

#: A search with random rollouts is asked for twice the 14,000 simulations a second of another engine's.
GOMOKU_ROLLOUTS = 28_000
#: Kalah, without search: the champion's least win rates, and the most time of its move beside that of the quiz's
#: APessimistic. `apessimistic` leaves out what cannot change his decision; the time to beat is that of his look-ahead
#: without that, which decides alike and works out all that the quiz's code works out, if not as often.
KALAH_LEAST = {"apessimistic": 0.75, "deep-score": 0.85, "standard": None}
MOST_TIME = 0.1
#: Games of Kalah of each player against itself, by how fast it is.
KALAH_GAMES = {
    "leftmost": 20_000,
    "score": 20_000,
    "deep-score": 4_000,
    "standard": 2_000,
    "champion": 2_000,
    "apessimistic": 1_000,
}
UNPRUNED_GAMES = 20
KALAH_SEED, CIRCLES_SEED, ROWS_SEED = 58_000_001, 51_000_001, 59_000_001
#: Of the won positions of circles with 6 rows, where the last stone wins, the least share that the champion keeps.
LEAST_ACCURACY = 0.70
MOST_BYTES = 2e9


@dataclass(frozen=True)
class Speed:
    """Games a second of a match on one core, and seconds a move."""

    games: float
    move: float

    def __str__(self) -> str:
        return f"{self.games:,.0f} games/s, {1e6 * self.move:,.2f} us a move"


def speed(first: Player, second: Player, deals: int, options: Mapping[str, int] | None = None) -> Speed:
    """A match over mirrored deals; a short one before it compiles."""
    game, pair = first.game, [first, copy.copy(second)]
    play_games(pair, draw_deals(game, 1, KALAH_SEED, options=options), mirrored(1))
    drawn = draw_deals(game, deals, KALAH_SEED, options=options)
    began = time.perf_counter()
    played = play_games(pair, drawn, mirrored(deals))
    taken = time.perf_counter() - began
    return Speed(len(played.plies) / taken, taken / int((played.plies - drawn.opening_plies).sum()))


def random_games(game: Game) -> Kernel[..., int]:
    """A kernel that plays random games from a position, and returns the number of their moves."""
    moves_of, play, over = game.moves, game.play, game.over

    @kernel
    def roll_out(states: Any, moves: Any, luck: int, games: int) -> int:
        plies = 0
        for _ in range(games):
            states[1] = states[0]
            while not over(states[1]):
                luck = next_luck(luck)
                play(states[1], moves[luck % moves_of(states[1], moves)])
                plies += 1
        return plies

    return roll_out


def rollouts(game: Game, games: int, rounds: int) -> tuple[float, float]:
    """Random rollouts a second from the start, the best of several rounds, and moves in a rollout."""
    states, moves = records(game.state, 2), np.zeros(game.move_count, np.int64)
    game.setup(states[0], np.zeros(0, np.int64), game.option_values())
    roll_out = random_games(game).compiled
    plies, taken = roll_out(states, moves, 1, games), []
    for _ in range(rounds):
        began = time.perf_counter()
        roll_out(states, moves, 1, games)
        taken.append(time.perf_counter() - began)
    return games / min(taken), plies / games


def add_win_rates(
    figures: Figures,
    game: Game,
    least: Mapping[str, float | None],
    deals: int,
    seed: int,
    opening_plies: int | None = None,
) -> None:
    """The champion against other players, with the least win rate that it should have."""
    champion, jobs = make_player("champion", game), int(joblib.cpu_count())
    for name, aim in least.items():
        result = play_match(champion, make_player(name, game), deals, seed, jobs=jobs, opening_plies=opening_plies)
        rate = percent(result.win_rate, result.win_rate_95)
        target, met = ("", None) if aim is None else (f"at least {100 * aim:.0f} %", result.win_rate >= aim)
        figures.add(f"champion against {name}, {deals:,} deals", rate, target, met=met)


def kalah(quick: bool) -> Figures:
    """Every player's speed, and the champion against the quiz's two best players and the hand-tuned one."""
    game, figures, part = load_game("kalah"), Figures("Kalah, openings of 4 plies"), 50 if quick else 1
    players = {name: make_player(name, game) for name in KALAH_GAMES}
    unpruned = KernelPlayer(game, choose_unpruned, "apessimistic without pruning")
    found = {}
    for name, player in (players | {unpruned.name: unpruned}).items():
        games = KALAH_GAMES.get(name, UNPRUNED_GAMES)
        found[name] = speed(player, player, max(1, games // 2 // part))
        figures.add(f"{name} against itself", f"{found[name]}")
    move = found["champion"].move
    times, target = move / found[unpruned.name].move, f"at most {MOST_TIME:.2f} times"
    figures.add(f"champion's move to that of {unpruned.name}", f"{times:.4f} times", target, met=times <= MOST_TIME)
    figures.add("champion's move to apessimistic's, pruned", f"{move / found['apessimistic'].move:.2f} times")
    add_win_rates(figures, game, KALAH_LEAST, 1_000 // part, KALAH_SEED, 4)
    return figures


def gomoku(quick: bool) -> Figures:
    """Random rollouts, rule players, and the champion's strength."""
    return rows("gomoku", ("champion", "patterns"), 200 if quick else 1_000, GOMOKU_ROLLOUTS, quick)


def tictactoe(quick: bool) -> Figures:
    """Random rollouts, rule players, and the champion's strength."""
    return rows("tictactoe", ("standard", "newell-simon"), 10_000 if quick else 50_000, None, quick)


def rows(name: str, pair: tuple[str, str], count: int, least: int | None, quick: bool) -> Figures:
    """The games of stones in a row."""
    game = load_game(name)
    figures = Figures(f"{game.title}: the best of several rounds on one core; strength without search")
    rate, plies = rollouts(game, count, 2 if quick else 7)
    target, met = ("", None) if least is None else (f"at least {least:,}", rate >= least)
    figures.add(f"random rollouts of {plies:.1f} moves, a second", f"{rate:,.0f}", target, met=met)
    first, second = (make_player(player, game) for player in pair)
    found = [speed(first, second, 20 if quick else 500) for _ in range(2 if quick else 7)]
    figures.add(f"{pair[0]} against {pair[1]}", f"{max(found, key=lambda one: one.games)}")
    add_win_rates(figures, game, {"hand_tuned": None}, 10 if quick else 1_000, ROWS_SEED)
    return figures


def circles(quick: bool) -> Figures:
    """Time and memory of the tables of all positions, and how often rule players keep a win."""
    game = load_game("circles")
    figures = Figures(f"{game.title}, up to 3 stones a move, the last stone wins")
    CirclesTablebase(2, 1, 1)  # compiles
    for size in (4, 5) if quick else (6, 7):
        began = time.perf_counter()
        base = CirclesTablebase(size, 3, 1)
        seconds, memory = time.perf_counter() - began, base.won.nbytes
        what, figure = f"table of {size} rows, {base.positions:,} positions", f"{seconds:.3f} s, {memory / 1e6:.2f} MB"
        figures.add(what, figure, "under 2 GB", met=memory < MOST_BYTES)
    options = {"size": 4} if quick else {}
    for name, least in (("champion", LEAST_ACCURACY), ("hand_tuned", None), ("random", None)):
        player = make_player(name, game)
        found = accuracy(player, options, 200 if quick else 20_000, CIRCLES_SEED)
        target, met = ("", None) if least is None else (f"at least {100 * least:.0f} %", found.share >= least)
        figures.add(f"{name} keeps the win", percent(found.share, found.share_95), target, met=met)
        deals = 20 if quick else 50_000 if name == "random" else 2_000
        figures.add(f"{name} against itself", f"{speed(player, player, deals, options)}")
    if not quick:
        add_win_rates(figures, game, {"hand_tuned": None}, 1_000, CIRCLES_SEED)
    return figures


GAMES: dict[str, Callable[[bool], Figures]] = {
    "kalah": kalah,
    "gomoku": gomoku,
    "tictactoe": tictactoe,
    "circles": circles,
}


def main() -> None:
    """Measure and print, game by game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few games and small boards, to see that it works")
    parser.add_argument("--game", choices=GAMES, help="only this one")
    chosen = parser.parse_args()
    for name in [chosen.game] if chosen.game else GAMES:
        GAMES[name](chosen.quick).show()
        print()


if __name__ == "__main__":
    main()
