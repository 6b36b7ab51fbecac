"""Players: games against random, in which every answer is legal, and the same when it is asked for again."""

from __future__ import annotations

import copy
from typing import Any

from rulebots.checking.comparison import check_compiled
from rulebots.checking.problem import Problem, Problems, add, collecting
from rulebots.contract import checked_game
from rulebots.play.trial_games import trial_games
from rulebots.players import CompiledPlayer, Needs, Player
from rulebots.position import Position
from rulebots.trial_games import random_game

#: Random games whose positions a player is asked about, and at most so many positions of each.
GAMES, PLIES = 5, 20


def check_player(player: Player) -> Problems:
    """Everything that is wrong with a player; its game is taken to be right."""
    found: Problems = []
    if isinstance(player, CompiledPlayer):
        with collecting(found):
            trial_games(player.style, openings=False)
        return found or check_compiled(player.style)
    with collecting(found):
        for number in range(GAMES):
            for ply, state in enumerate(random_game(checked_game(player.game), number)):
                if ply == PLIES or player.game.over(state):
                    break
                if state.mover in (0, 1):
                    _ask(player, Position.of(player.game, state.copy(), [number + 1, number + 1], ply), found)
    return found


def _ask(player: Player, position: Position, found: Problems) -> None:
    """Ask a player twice; one that may remember the game is asked once."""
    once = copy.copy(player).beginning_a_game()
    first: Any = once.decide(position.copy())
    if player.needs is Needs.OBSERVATION and (second := player.decide(position.copy())) != first:
        moves = f"{position.write(first)} and then {position.write(second)}"
        what = "asked twice for the same view and moves: it may keep no memory, and takes chance from `view.luck`"
        add(found, Problem(f"player '{player.name}' chooses {moves}, {what}"))
