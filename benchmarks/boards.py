"""Tic-tac-toe and gomoku: random playouts and games of rule players a second on one core."""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from machine import Figures

from rulebots.game import Game, load_game, records
from rulebots.kernel import Kernel, kernel
from rulebots.play.deals import draw_deals
from rulebots.play.match import mirrored, play_games
from rulebots.players.names import make_player
from rulebots.random_numbers import next_luck

#: A search with random playouts is asked for twice the 14,000 simulations a second of another engine's.
PLAYOUTS = {"tictactoe": None, "gomoku": 28_000}
PLAYERS = {"tictactoe": ("standard", "newell-simon"), "gomoku": ("champion", "patterns")}


def playing(game: Game) -> Kernel[..., int]:
    """A kernel that plays random games from a position, and returns the number of their moves."""
    moves_of, play, over = game.moves, game.play, game.over

    @kernel
    def play_out(states: Any, moves: Any, luck: int, games: int) -> int:
        plies = 0
        for _ in range(games):
            states[1] = states[0]
            while not over(states[1]):
                luck = next_luck(luck)
                play(states[1], moves[luck % moves_of(states[1], moves)])
                plies += 1
        return plies

    return play_out


def playouts(game: Game, games: int, rounds: int) -> tuple[float, float]:
    """Random playouts a second from the start, the best of several rounds, and moves in a playout."""
    states, moves = records(game.state, 2), np.zeros(game.move_count, np.int64)
    game.setup(states[0], np.zeros(0, np.int64), game.option_values())
    play_out = playing(game).compiled
    plies, taken = play_out(states, moves, 1, games), []
    for _ in range(rounds):
        began = time.perf_counter()
        play_out(states, moves, 1, games)
        taken.append(time.perf_counter() - began)
    return games / min(taken), plies / games


def rule_games(game: Game, names: tuple[str, str], deals: int, rounds: int) -> float:
    """Games of two rule players a second, the best of several rounds."""
    players, drawn = [make_player(name, game) for name in names], draw_deals(game, deals, 1)
    taken = []
    for _ in range(rounds + 1):
        began = time.perf_counter()
        play_games(players, drawn, mirrored(deals))
        taken.append(time.perf_counter() - began)
    return 2 * deals / min(taken)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few games: rough figures in seconds")
    quick = parser.parse_args().quick
    rounds = 2 if quick else 7
    speed = Figures("games a second on one core")
    for name, pair in PLAYERS.items():
        game = load_game(name)
        rate, plies = playouts(game, {"gomoku": 1_000, "tictactoe": 50_000}[name] // (5 if quick else 1), rounds)
        target = PLAYOUTS[name]
        met = None if target is None else rate >= target
        speed.add(
            f"{name}: random playouts of {plies:.1f} moves", f"{rate:,.0f}", f"{target:,}" if target else "", met=met
        )
        rate = rule_games(game, pair, 20 if quick else 500, rounds)
        speed.add(f"{name}: {pair[0]} against {pair[1]}", f"{rate:,.0f}")
    speed.show()


if __name__ == "__main__":
    main()
