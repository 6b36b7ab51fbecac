"""What it costs to play games of others as they are: processor time beside a plain loop over the same five rules.

Two players of the same rules with other weights play OpenSpiel's connect four and backgammon, each game once in a loop
as one would write it oneself, and once as a match; both play as many games. The ratio is the median of pairs.

    pip install -e ".[open-spiel]"
    python benchmarks/live_games.py
    python benchmarks/live_games.py --pairs 9 --seconds 4
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyspiel
from machine import machine

from rulebots import Rule, RulePlayer, RuleSet, rule
from rulebots.live import openspiel
from rulebots.play.match import play_match

WEIGHTS = ((1.0, 0.5, -0.3, 2.0, 0.1), (0.2, 1.5, 0.4, 1.0, -0.2))


def five_rules() -> list[Callable[[Any, int], float]]:
    """Five rules as one writes them, on a state and an action of any open game of OpenSpiel."""

    def middle(state: Any, action: int) -> float:
        """It is near the middle of all actions."""
        return -abs(state.get_game().num_distinct_actions() / 2 - action)

    def ends(state: Any, action: int) -> float:
        """It ends the game."""
        return state.child(action).is_terminal()

    def freedom(state: Any, action: int) -> float:
        """How many moves there are after it."""
        return len(state.child(action).legal_actions())

    def threat(state: Any, action: int) -> float:
        """The game can end after it."""
        after = state.child(action)
        return any(after.child(reply).is_terminal() for reply in after.legal_actions()[:8])

    def repeats(state: Any, action: int) -> float:
        """It was played before."""
        return action in state.history()

    return [middle, ends, freedom, threat, repeats]


def plain_loop(game: Any, functions: Sequence[Callable[[Any, int], float]], games: int) -> None:
    """Games as one would write the loop oneself."""
    rng = np.random.default_rng(1)
    for number in range(games):
        state = game.new_initial_state()
        for _ in range(4 if not game.max_chance_outcomes() else 0):
            state.apply_action(int(rng.choice(state.legal_actions())))
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(outcomes, p=odds)))
                continue
            weights = WEIGHTS[(state.current_player() + number) % 2]
            best = None
            best_score = -np.inf
            for action in state.legal_actions():
                score = 0.0
                for weight, function in zip(weights, functions, strict=True):
                    score += weight * function(state, action)
                if score > best_score:
                    best = action
                    best_score = score
            state.apply_action(best)


def processor_time(call: Callable[[], object]) -> float:
    """Seconds of one thread."""
    began = time.thread_time()
    call()
    return time.thread_time() - began


def main() -> None:
    """Print games a second, and the ratio, for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement, about")
    parser.add_argument("--quick", action="store_true", help="one pair of a tenth of a second")
    chosen = parser.parse_args()
    if chosen.quick:
        chosen.pairs = 1
        chosen.seconds = 0.1
    print("game           plain loop   match   time of the match, as a multiple of the loop's")
    for name in ("connect_four", "backgammon"):
        print(compared(name, chosen.pairs, chosen.seconds))
    print(machine())


def compared(name: str, pairs: int, seconds: float) -> str:
    """The line of a game."""
    functions = five_rules()
    theirs = pyspiel.load_game(name)
    rules: list[Rule] = [rule("move", early=1.0)(function) for function in functions]
    mine = RuleSet("mine", openspiel(name), tuple(rules))
    first, second = (RulePlayer(mine, np.array([weights, weights]), "player") for weights in WEIGHTS)
    play_match(first, second, 1)
    deals = max(1, round(seconds * 2 / processor_time(lambda: plain_loop(theirs, functions, 4))))
    loops = list[float]()
    matches = list[float]()
    for _ in range(pairs):
        loops.append(processor_time(lambda: plain_loop(theirs, functions, 2 * deals)))
        matches.append(processor_time(lambda: play_match(first, second, deals)))
    ratios = [match / loop for match, loop in zip(matches, loops, strict=True)]
    speeds = [2 * deals / statistics.median(times) for times in (loops, matches)]
    spread = f"({min(ratios):.2f} to {max(ratios):.2f})"
    return f"{name:<14}{speeds[0]:8.0f}   {speeds[1]:8.0f}   {statistics.median(ratios):.2f} {spread}"


if __name__ == "__main__":
    main()
