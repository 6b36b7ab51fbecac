"""Games that are Python objects already: the law of a `Game` around them.

The state record is the course of a game: its deal, and every move and outcome since. The object that a state stands for
is kept beside it (live_objects.py). So records are copied, compared and sent as those of every other game, and nothing
is asked of an object but to play.
"""

import functools
import inspect
from typing import Any

import numpy as np

from rulebots.errors import demand
from rulebots.game.checks import CHANCE, require
from rulebots.game.contract import Game, deal_nothing
from rulebots.game.courses import course_after, courses_of
from rulebots.game.dtypes import Ints
from rulebots.game.live_objects import LiveObjects, redealt, store
from rulebots.game.live_text import live_text
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import PlainKernel

#: Redeals of redeals that a state has room for.
MOST_REDEALS = 8


class LiveLaw(LiveObjects):
    """The parts of the law of a game of objects."""

    def _setup(self, state: Any, deal: Any, options: Any) -> None:
        with self.own_random():
            self.begin(state, deal)

    def begin(self, state: Any, deal: Any) -> None:
        """Begin with a deal, whatever the state was, where global random numbers are the game's."""
        state.over = False
        state.plies = state.redeals = 0
        state.deal = deal[0] if len(deal) else 0
        state.course = courses_of(deal.reshape(1, -1))[0]
        self.note(state, self.begun(int(state.deal)))

    def _moves(self, state: Any, out: Any) -> int:
        if state.over:
            return 0
        numbers = self.numbers(self.at(state))
        out[: len(numbers)] = numbers
        return len(numbers)

    def _play(self, state: Any, move: int) -> None:
        require(
            self.source.play,
            not state.over,
            "leads to another game with the same moves: a rule changes the position, or chance is not from the seed",
        )
        number = int(move)
        course = course_after.function(int(state.course), number)
        with self.own_random():
            g = self.taken(state)
            g = self.played(g, self._object(g, number), course)
        state.moves[state.plies] = number
        state.plies += 1
        state.course = course
        self.note(state, g)

    def _over(self, state: Any) -> bool:
        return bool(state.over)

    def _points(self, state: Any, seat: int) -> int:
        return int(state.points[seat]) if state.over else self.points(self.at(state).g, seat)

    def _observe(self, state: Any, view: Any) -> None:
        view.course = state.course
        view.plies = state.plies
        if not self.source.hidden:
            view.deal = state.deal
            view.moves = state.moves
            return
        node = self.at(state)
        seat = int(state.mover)
        view.seat = seat
        legal = () if seat == CHANCE or state.over or seat != self.source.mover(node.g) else self.legal(node)
        store(self._kept.seen, (int(state.course), seat), (self.source.sees(node.g, seat), legal))

    def _redeal(self, state: Any, luck: int) -> int:
        count = int(state.redeals)
        demand(
            count < MOST_REDEALS,
            f"{self.source.title}: a position can be dealt again {MOST_REDEALS} times, one after the other",
        )
        course = redealt(int(state.course), int(luck))
        node = self.at(state)
        with self.own_random():
            g = self._resampled(node.g, int(state.mover), int(luck), course)
        state.redealt_at[count] = state.plies
        state.redealt[count] = luck
        state.redeals = count + 1
        state.course = course
        self.keep(course, g)
        return next_luck.function(int(luck))

    def _odds(self, state: Any, outcome: int) -> float:
        course = int(state.course)
        if self._kept.odds[0] != course:
            self._kept.odds = course, self._shares(self.at(state))
        return self._kept.odds[1][int(outcome)]

    def note(self, state: Any, g: Any) -> None:
        """Write what a record says of its object, and keep the object."""
        self.keep(int(state.course), g)
        state.over = self.over(g)
        state.mover = 0 if state.over else self.mover(g)
        # Once it is over, its object is not needed any more.
        for seat in range(self.source.seats if state.over else 0):
            state.points[seat] = self.points(g, seat)

    def made(self) -> Game:
        """The game whose parts these are."""
        state = [
            ("mover", np.int32), ("plies", np.int32), ("over", np.bool_), ("deal", np.int64), ("course", np.int64),
            ("points", np.int64, (self.source.seats,)), ("moves", np.int32, (self.source.ply_cap,)),
            ("redeals", np.int32), ("redealt_at", np.int32, (MOST_REDEALS,)), ("redealt", np.int64, (MOST_REDEALS,)),
        ]  # fmt: skip
        seen = [("course", np.int64), ("plies", np.int32), ("seat", np.int32)] if self.source.hidden else state
        meaning = ("live", self.source.identity())
        parts = {
            "setup": self._setup,
            "moves": self._moves,
            "play": self._play,
            "over": self._over,
            "points": self._points,
            "observe": self._observe,
            "redeal": self._redeal if self.source.hidden and self.source.resample is not None else None,
            "odds": self._odds if self.source.chance and self.source.odds is not None else None,
        }
        methods = {"setup": "new", "observe": "sees" if self.source.hidden else "mover", "redeal": "resample"}
        kernels: dict[str, Any] = {
            name: PlainKernel(_in_place_of(getattr(self.source, methods.get(name, name)), part), meaning)
            for name, part in parts.items()
            if part
        }
        return Game(
            **kernels,
            name=self.source.name,
            title=self.source.title,
            text=live_text(self),
            state=np.dtype(state, align=True),
            view=np.dtype([("luck", np.int64), *seen], align=True),
            move_count=self.source.move_count,
            ply_cap=self.source.ply_cap,
            hidden=self.source.hidden,
            draw_deals=draw_seeds if self.source.seeded else deal_nothing,
            seats=self.source.seats,
            aim="together" if self.source.together else "against",
            counts=self.source.counts,
            chance=self.source.chance,
            live=self,
        )


def _in_place_of(method: Any, part: Any) -> Any:
    """A part of a law with the name and the place of the method that it asks."""

    @functools.wraps(method)
    def asked(*arguments: Any) -> Any:
        return part(*arguments)

    vars(asked)["__signature__"] = inspect.signature(part)
    return asked


def draw_seeds(rng: np.random.Generator, count: int, options: Any) -> Ints:
    """What is dealt where a game follows from its seed: that, int64[count, 1]."""
    return rng.integers(2**31, size=(count, 1))
