"""The built-in players of circle elimination."""

from __future__ import annotations

from collections.abc import Callable

from rulebots.games.circles.rules import standard
from rulebots.players import Player, RulePlayer

PLAYERS: dict[str, Callable[[], Player]] = {
    "hand_tuned": lambda: RulePlayer(standard, standard.hand_tuned(), "hand_tuned")
}
<<<<<<< HEAD
REFERENCES = ("hand_tuned", "random")
#: Random rollouts say next to nothing about the last stone, and the rules know the end of every game.
MCTS = {"guide": "hand_tuned"}
=======
>>>>>>> 39a745c3 (Make a game's folder export one typed package)
