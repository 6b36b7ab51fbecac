"""Kalah: sow stones, capture, move again; the player with more stones in the store wins.

Each player has six pits with four stones in each, and a store to the right of them. The lower row is yours.

- Take all stones of one of your pits and sow them one by one to the right: into your next pits, your store, the pits of
  your opponent, and round again. Skip your opponent's store.
- If the last stone falls into your store, move again.
- If the last stone falls into an empty pit of yours, you capture it and all stones in the pit across the board. They go
  into your store.
- The game ends when one side has no stones in its pits. The stones left belong to the player on whose side they lie.

The player with more stones wins. Look for pits that hold just as many stones as it takes to reach your store.
"""

from rulebots.games.kalah.game import game
from rulebots.packages import GamePackage

package = GamePackage(
    __name__,
    game=game,
    rule_sets="rules:RULE_SETS",
    players="players:PLAYERS",
    references=("standard", "apessimistic", "deep-score", "score", "remove-high", "leftmost", "random"),
    # It does not look at the board.
    baselines=("leftmost", "random"),
    # Its games are slow, and margins smaller than in games of hundreds of points. Few games serve `spsa` best, without
    # former champions to meet (benchmarks/generality.py).
    breeding={
        "strategy": "spsa",
        "deals": 1,
        "hall_of_fame": 0,
        "margin": 0.01,
        "runoff_deals": 60,
        "held_out_deals": 300,
    },
    mcts={"guide": "champion"},
    # The hand-tuned player is as strong as the champion but for 30 Elo: it is no level between the two.
    levels=(
        "careless:player=champion,share=0.6",
        "careless:player=champion,share=0.3",
        "careless:player=champion,share=0.15",
        "champion",
        "mcts:power=1",
    ),
    draw="diagram:draw",
    example="3 1 2 4 0 1 1 3 4",
    solve="solver:solve",
)
