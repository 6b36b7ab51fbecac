"""What a player cannot know never changes its move, at any of many positions.

For every game that hides something and every player that it has by name: a position of a game between players drawn
at random is asked twice, once with all that the mover cannot know dealt again (by the tests' own code, not by the
game's `redeal`).
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
from machine import CHECKOUT, Figures

from rulebots import Game, Player, Position, game_names, load_game, make_player
from rulebots.packages.players import player_names

sys.path.append(str(CHECKOUT / "tests" / "positions"))
from hidden_cards import REDEALT

SEED = 63_000_001


def changed_moves(game: Game, asked: Player, others: list[Player], positions: int) -> int:
    """At how many positions of games between random pairs of `others` hidden cards change the move."""
    rng, changed, seed = np.random.default_rng(SEED), 0, SEED
    while positions > 0:
        position = Position(game, seed=seed, compiled=True)
        seats = [others[i] for i in rng.integers(len(others), size=2)]
        while not position.over and not position.stalled and positions > 0:
            twin = Position.of(game, REDEALT[game.name](position.state, rng), position.luck, compiled=True)
            changed += asked.decide(position) != asked.decide(twin)
            position.push(seats[position.mover].decide(position))
            positions -= 1
        seed += 1
    return changed


def main() -> int:
    """Ask them all; 1 if a move changed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=20_000, help="in all (default 20,000)")
    parser.add_argument("--quick", action="store_true", help="100 positions, to see that it works")
    wanted = parser.parse_args()
    games = [game for game in map(load_game, game_names()) if game.hidden]
    players = [(game, name) for game in games for name in player_names(game)]
    each = -(-(100 if wanted.quick else wanted.positions) // len(players))
    figures, total = Figures(f"positions in which what is hidden was dealt again: {each * len(players):,}"), 0
    for game, name in players:
        others = [make_player(other, game) for other in player_names(game)]
        changed = changed_moves(game, make_player(name, game), others, each)
        figures.add(f"{game.name}, {name}: changed moves", f"{changed}", "0", met=changed == 0)
        total += changed
    figures.show()
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
