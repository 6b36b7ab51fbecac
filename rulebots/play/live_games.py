"""Games of Python objects (rulebots/game/live.py) in a batch: played as objects, written as records where they rest."""

from typing import Any

from rulebots.game import CHANCE, Ints
from rulebots.game.courses import course_after
from rulebots.game.live import LiveLaw
from rulebots.game.live_objects import Node
from rulebots.game.random_numbers import next_luck
from rulebots.kernel.user_code import placed_errors
from rulebots.play.deals import OPENING_TRIES, Deals


class LiveGameInPlay:
    """A game of a batch as an object, until `write`."""

    def __init__(self, batch: Any, g: int, node: Node) -> None:
        self._arrays = batch.arrays
        self._g = g
        self._game = batch.game
        self._law: LiveLaw = batch.game.live
        self.node = node
        self.course = int(self._arrays.states[g].course)
        self.before = int(self._arrays.plies[g])
        self.plies = self.before
        self.outcome = int(self._arrays.outcomes[g])
        self.moves = list[int]()
        self.over = False

    def drawn(self) -> int:
        """The outcome that chance brings."""
        self.outcome = next_luck.function(self.outcome)
        return self._law.drawn(self.node, self.outcome)

    def play(self, number: int, after: Any = None) -> None:
        """Make a move or an outcome; `after` is the position that it leads to, where that was made already."""
        law = self._law
        move = law.move_at(law.legal(self.node), number)
        self.course = course_after.function(self.course, number)
        self.node = Node(law.played(self.node.g, move, self.course) if after is None else after)
        self.moves.append(number)
        self.plies += 1
        self.over = law.over(self.node.g)

    def write(self) -> None:
        """Write the moves that were made into the records."""
        arrays = self._arrays
        state = arrays.states[self._g]
        law = self._law
        end = int(state.plies) + len(self.moves)
        state.moves[end - len(self.moves) : end] = self.moves
        room = max(0, arrays.chosen.shape[1] - self.before)
        arrays.chosen[self._g, self.before : self.plies] = self.moves[:room]
        course = int(arrays.courses[self._g])
        for number in self.moves:
            course = course_after.function(course, number)
        arrays.courses[self._g] = course
        arrays.plies[self._g] = self.plies
        arrays.outcomes[self._g] = self.outcome
        arrays.active[self._g] = not self.over and self.plies < self._game.ply_cap
        state.plies = end
        state.course = self.course
        law.note(state, self.node.g)


def begin_live(batch: Any, deals: Deals, which: Ints) -> None:
    """Set up the games of a batch and play their openings, as the kernels of loop.py do."""
    law = batch.game.live
    arrays = batch.arrays
    with placed_errors(), law.own_random():
        for g, row in enumerate(which.tolist()):
            luck = int(deals.openings[row])
            outcome = int(arrays.outcomes[g])
            for attempt in range(OPENING_TRIES + 1):
                law.begin(arrays.states[g], deals.cards[row])
                game = LiveGameInPlay(batch, g, Node(law.taken(arrays.states[g])))
                game.outcome = outcome
                while attempt < OPENING_TRIES and not game.over and game.plies < deals.opening_plies:
                    if law.mover(game.node.g) == CHANCE:
                        game.play(game.drawn())
                    else:
                        luck = next_luck.function(luck)
                        numbers = law.numbers(game.node)
                        game.play(numbers[luck % len(numbers)])
                outcome = game.outcome
                if not game.over:
                    break
            game.write()
