"""Players: games against random, in which every answer is legal, and the same when it is asked for again."""

from __future__ import annotations

import copy

from rulebots.checking.comparison import check_compiled
from rulebots.checking.problem import Problem, Problems, add, at, collecting
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.kernel.user_code import place_of
from rulebots.play.trial_games import trial_games
from rulebots.players import CompiledPlayer, Player

#: Random games whose positions a player is asked about, and at most so many positions of each.
GAMES, PLIES = 5, 20
#: Seconds after which a player that has not answered is taken for one that never does.
PATIENCE = 60.0


def check_player(player: Player) -> Problems:
    """Everything that is wrong with a player; its game is taken to be right."""
    found: Problems = []
    if isinstance(player, CompiledPlayer):
        with collecting(found):
            trial_games(player.style, openings=False)
        return found or check_compiled(player.style)
    if not hasattr(player, "game"):
        what = f"`{type(player).__name__}`: its `__init__` has to call super().__init__(game, name)"
        return [Problem(f"{place_of(type(player).__init__)}: {what}")]
    with collecting(found):
        for seed in range(1, GAMES + 1):
            _play(player, seed, found)
    return found


def _play(player: Player, seed: int, found: Problems) -> None:
    """A random game, from its deal, in which the player is asked for every move, as one that follows the game."""
    game, luck = player.game, seed
    position, options = Position(game, seed=seed), {name: option.default for name, option in game.options.items()}
    seats = [copy.copy(player).beginning_a_game(seat, options) for seat in (0, 1)]
    while not position.over and position.plies < min(PLIES, game.ply_cap):
        luck = next_luck(luck)
        if position.chance_to_move:
            position.push(position.drawn(luck))
        else:
            _ask(seats[position.mover], position, found)
            position.push(int(position.legal_moves[luck % len(position.legal_moves)]))
    for seat, own in enumerate(seats):
        first, second = (int(game.points(position.state, side)) for side in (0, 1))
        if (fault := own.ending_a_game(seat, (first, second))) is not None:
            raise fault


def _ask(player: Player, position: Position, found: Problems) -> None:
    """Ask a player, and one that may not remember the game twice."""
    first = player.decide(position.copy(), PATIENCE)
    if not player.follows_games and player.decide(position.copy(), PATIENCE) != first:
        what = "gives another move when it is asked twice for the same view and moves"
        add(found, at(type(player).choose, f"{what}: it may keep no memory, and takes chance from `view.luck`"))
