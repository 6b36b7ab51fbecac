"""The players of a live game (rulebots/game/live.py) that are asked together: they move objects, not records.

A game goes on as in loop.py, from the same random states to the same moves and results. Records are written where the
side hands over to another one, and where the game ends.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game import CHANCE, Game
from rulebots.game.courses import course_after
from rulebots.game.live import LiveLaw, Node
from rulebots.game.random_numbers import next_luck
from rulebots.kernel.user_code import CodeError, in_users_terms
from rulebots.play.loop import NOBODY, Batch, Side
from rulebots.players import Player
from rulebots.players.compiled import CompiledPlayer, is_compiled
from rulebots.rules.live_rules import LiveRules, blended


class LiveSide(Side):
    """All players of a live game whose decision is a kernel, or rules."""

    #: int64[games, seats]: the player that decides for each seat, or NOBODY.
    seats: npt.NDArray[np.int64]

    def __init__(self, players: Sequence[Player]) -> None:
        alike = [player for player in players if is_compiled(player)]
        row = {id(player): number for number, player in enumerate(alike)}
        self.row = np.array([row.get(id(player), NOBODY) for player in players], np.int64)
        self.game: Game = alike[0].game
        assert self.game.live is not None
        self.law: LiveLaw = self.game.live
        self.deciders = [_decider(player) for player in alike]

    def for_batch(self, batch: Batch, players: npt.NDArray[np.int64]) -> Side:
        """With the seats of this batch."""
        side = copy.copy(self)
        side.seats = self.row[players]
        return side

    def take_turns(self, batch: Batch) -> None:
        """Game by game. Raises CodeError for what the user's code raises."""
        try:
            with self.law.own_random():
                for g in np.flatnonzero(batch.arrays.active).tolist():
                    self._play_on(batch, g)
        except CodeError:
            raise
        except Exception as error:
            line = in_users_terms(error)
            if line is None:
                raise
            raise CodeError(line) from None

    def _play_on(self, batch: Batch, g: int) -> None:
        arrays = batch.arrays
        state = arrays.states[g]
        seats = self.seats[g].tolist()
        if state.mover != CHANCE and seats[state.mover] < 0:
            return
        law = self.law
        source = law.source
        node = Node(law.taken(state))
        luck = arrays.luck[g].tolist()
        outcomes = int(arrays.outcomes[g])
        course = int(state.course)
        plies = int(state.plies)
        cap = self.game.ply_cap
        moves = list[int]()
        over = False
        while not over and plies + len(moves) < cap:
            mover = law.mover(node.g)
            after = None
            if mover == CHANCE:
                outcomes = next_luck.function(outcomes)
                number = law.drawn(node, outcomes)
            else:
                if seats[mover] < 0:
                    break
                luck[mover] = next_luck.function(luck[mover])
                number, after = self.deciders[seats[mover]](node, mover, course, luck[mover])
            move = law.move_at(law.legal(node), number)
            course = course_after.function(course, number)
            node = Node(law.played(node.g, move, course) if after is None else after)
            moves.append(number)
            over = source.over(node.g)
        self._write(batch, g, node, moves, course, over=over)
        arrays.luck[g] = luck
        arrays.outcomes[g] = outcomes

    def _write(self, batch: Batch, g: int, node: Node, moves: list[int], course: int, *, over: bool) -> None:
        """Write the moves that were made into the records."""
        arrays = batch.arrays
        state = arrays.states[g]
        before = int(state.plies)
        plies = before + len(moves)
        state.moves[before:plies] = moves
        room = arrays.chosen.shape[1]
        first = int(arrays.plies[g])
        arrays.chosen[g, first : first + len(moves)] = moves[: max(0, room - first)]
        for number in moves:
            arrays.courses[g] = course_after.function(int(arrays.courses[g]), number)
        arrays.plies[g] += len(moves)
        state.plies = plies
        state.course = course
        arrays.active[g] = not over and arrays.plies[g] < self.game.ply_cap
        if over:
            self.law.note_end(state, node.g)
        else:
            state.mover = self.law.mover(node.g)
            self.law.keep(course, node.g)


#: `decide(node, mover, course, luck)` gives a move's number, and the position after it where that was made.
Decider = Callable[[Node, int, int, int], tuple[int, Any]]


def _decider(player: CompiledPlayer) -> Decider:
    rules = player.style.rules
    if rules is None:
        return _by_kernel(player)
    return _by_rules(player, LiveRules(rules.game.live, rules.rules, rules.progress))


def _by_rules(player: CompiledPlayer, plain: LiveRules) -> Decider:
    law = plain.law
    flat = blended(player.weights, 0.0) if plain.progress is None else None

    def decide(node: Node, mover: int, course: int, luck: int) -> tuple[int, Any]:
        seen = law.seen(node, mover)
        legal = law.legal(node)
        numbers = law.numbers(node)
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
