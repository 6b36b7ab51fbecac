"""Kalah: games a second, and the bred champion against the seed's two best players and the hand-tuned one.

The deals are of a seed that no training uses. A draw counts as half; the 95 % intervals are over deals.
The time of a move is that of a game of the player against itself, shared out over its moves. `apessimistic`
leaves out what cannot change his decision; the time to beat is that of his look-ahead without that,
which decides alike and works out all that the quiz's code works out, if not as often.
"""

from __future__ import annotations

import argparse
import copy
import os
import time
from pathlib import Path

from machine import Figures

from rulebots.game import load_game
from rulebots.games.kalah.ruby_quiz import choose_unpruned
from rulebots.play.deals import draw_deals
from rulebots.play.match import mirrored, play_games, play_match
from rulebots.players import KernelPlayer, Player
from rulebots.players.bred import BredPlayer
from rulebots.players.names import make_player

CHAMPION = Path(__file__).resolve().parent.parent / "populations" / "kalah" / "champion.yaml"
FRESH_SEED = 58_000_001
#: Least win rates without search, and the most time a move, in those of APessimistic without pruning.
LEAST = {"apessimistic": 0.75, "deep-score": 0.85}
MOST_TIME = 0.1
#: Games of each player against itself for its speed, by how fast it is.
GAMES = {"leftmost": 20_000, "score": 20_000, "deep-score": 4_000, "standard": 2_000, "apessimistic": 1_000}
#: Of APessimistic without pruning: milliseconds a move.
UNPRUNED_GAMES = 20


def speed(player: Player, games: int) -> tuple[float, float]:
    """Games a second of a player against itself on one core, and seconds a move."""
    deals, pair = draw_deals(player.game, max(1, games // 2), FRESH_SEED), [player, copy.copy(player)]
    play_games(pair, draw_deals(player.game, 1, FRESH_SEED), mirrored(1))
    began = time.perf_counter()
    played = play_games(pair, deals, mirrored(len(deals)))
    taken = time.perf_counter() - began
    return len(played.plies) / taken, taken / int((played.plies - deals.opening_plies).sum())


def measure(count: int, share: float) -> Figures:
    """Everything, over `count` mirrored openings; speed over that share of the usual games."""
    champion, jobs = BredPlayer(CHAMPION), os.cpu_count() or 1
    figures = Figures(f"Kalah: games a second on one core; champion over {count:,} fresh mirrored openings of 4 plies")
    moves = {}
    for name, games in GAMES.items():
        a_second, moves[name] = speed(make_player(name, load_game("kalah")), int(games * share))
        figures.add(f"{name} against itself", f"{a_second:,.0f} games/s, {1e6 * moves[name]:,.2f} us a move")
    a_second, of_champion = speed(champion, int(GAMES["standard"] * share))
    figures.add("champion against itself", f"{a_second:,.0f} games/s, {1e6 * of_champion:,.2f} us a move")
    unpruned = KernelPlayer(champion.game, choose_unpruned, "apessimistic without pruning")
    a_second, of_unpruned = speed(unpruned, int(UNPRUNED_GAMES * share))
    figures.add(f"{unpruned.name} against itself", f"{a_second:,.2f} games/s, {1e6 * of_unpruned:,.0f} us a move")
    times = of_champion / of_unpruned
    target = f"at most {MOST_TIME:.2f} times"
    figures.add("champion's move to that", f"{times:.4f} times", target, met=times <= MOST_TIME)
    figures.add("champion's move to apessimistic's, pruned", f"{of_champion / moves['apessimistic']:.2f} times")
    for name in (*LEAST, "standard"):
        result = play_match(champion, make_player(name, champion.game), count, FRESH_SEED, jobs=jobs, opening_plies=4)
        low, high = (100 * end for end in result.win_rate_95)
        rate = f"{100 * result.win_rate:.1f} % ({low:.1f} to {high:.1f})"
        if least := LEAST.get(name):
            figures.add(f"champion against {name}", rate, f"at least {100 * least:.0f} %", met=result.win_rate >= least)
        else:
            figures.add(f"champion against {name}", rate)
    return figures


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tiny run, to see that it works")
    quick = parser.parse_args().quick
    measure(20 if quick else 1_000, 0.02 if quick else 1.0).show()


if __name__ == "__main__":
    main()
