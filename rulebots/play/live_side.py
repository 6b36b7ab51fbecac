"""The players of a live game (rulebots/game/live.py) that are asked together: they move objects, not records.

A game goes on as in loop.py, from the same random states to the same moves and results. Records are written where the
side hands over to another one, and where the game ends.
"""

import copy
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from rulebots.game import CHANCE, Game, Ints
from rulebots.game.courses import course_after
from rulebots.game.live import LiveLaw
from rulebots.game.live_objects import Node
from rulebots.game.random_numbers import next_luck
from rulebots.kernel.user_code import placed_errors
from rulebots.play.live_games import LiveGameInPlay
from rulebots.play.loop import NOBODY, Batch, Side
from rulebots.players import Player
from rulebots.players.compiled import CompiledPlayer, is_compiled
from rulebots.rules.live_rules import LiveRules, blended


class LiveSide(Side):
    """All players of a live game whose decision is a kernel, or rules."""

    #: int64[games, seats]: the player that decides for each seat, or NOBODY.
    seats: Ints

    def __init__(self, players: Sequence[Player]) -> None:
        alike = [player for player in players if is_compiled(player)]
        row = {id(player): number for number, player in enumerate(alike)}
        self.row = np.array([row.get(id(player), NOBODY) for player in players], np.int64)
        self.game: Game = alike[0].game
        assert self.game.live is not None
        self.law: LiveLaw = self.game.live
        self.deciders = [_decider(player) for player in alike]

    def for_batch(self, batch: Batch, players: Ints) -> Self:
        """With the seats of this batch."""
        side = copy.copy(self)
        side.seats = self.row[players]
        return side

    def take_turns(self, batch: Batch) -> None:
        """Game by game. Raises CodeError for what the user's code raises."""
        with placed_errors(), self.law.own_random():
            for g in np.flatnonzero(batch.arrays.active).tolist():
                self._play_on(batch, g)

    def _play_on(self, batch: Batch, g: int) -> None:
        arrays = batch.arrays
        state = arrays.states[g]
        seats = self.seats[g].tolist()
        if state.mover != CHANCE and seats[state.mover] < 0:
            return
        game = LiveGameInPlay(batch, g, Node(self.law.taken(state)))
        luck = arrays.luck[g].tolist()
        while not game.over and game.plies < self.game.ply_cap:
            mover = self.law.mover(game.node.g)
            if mover == CHANCE:
                game.play(game.drawn())
            elif seats[mover] < 0:
                break
            else:
                luck[mover] = next_luck.function(luck[mover])
                game.play(*self.deciders[seats[mover]](game.node, mover, game.course, luck[mover]))
        game.write()
        arrays.luck[g] = luck


#: `decide(node, mover, course, luck)` gives a move's number, and the position after it where that was made.
Decider = Callable[[Node, int, int, int], tuple[int, Any]]


def _decider(player: CompiledPlayer) -> Decider:
    rules = player.style.rules
    if rules is None or rules.decide is not None:
        return _by_kernel(player)
    return _by_rules(player, LiveRules(rules.game.live, rules.rules, rules.progress))


def _by_rules(player: CompiledPlayer, plain: LiveRules) -> Decider:
    law = plain.law
    flat = blended(player.weights, 0.0) if plain.progress is None else None

    def decide(node: Node, mover: int, course: int, luck: int) -> tuple[int, Any]:
        legal = law.legal(node)
        numbers = law.numbers(node)
        if len(numbers) == 1:
            return numbers[0], None
        seen = law.seen(node, mover)
        made = dict[int, Any]()

        def after(i: int) -> Any:
            if i not in made:
                made[i] = law.after(node.g, legal[i], course_after.function(course, numbers[i]))
            return made[i]

        weights = flat if flat is not None else blended(player.weights, plain.late(seen))
        best = plain.chosen(seen, legal, numbers, weights, after)
        # What was made to look ahead is the position that follows, unless chance within the move was another.
        return numbers[best], None if law.source.global_random else made.get(best)

    return decide


def _by_kernel(player: CompiledPlayer) -> Decider:
    law = player.game.live
    assert law is not None
    choose = player.style.choose
    workspace = player.style.workspace()
    room = np.zeros(player.game.move_count, np.int64)

    def decide(node: Node, mover: int, course: int, luck: int) -> tuple[int, Any]:
        view = workspace.views[0]
        view.luck = luck
        law.note_view(view, node, course, mover)
        numbers = law.numbers(node)
        room[: len(numbers)] = numbers
        number = choose(view, room, len(numbers), player.weights, workspace.blended, workspace.scores)
        law.forget(course)
        return int(number), None

    return decide
