"""Games that are Python objects already: the law of a `Game` around them.

The state record is the course of a game: its deal, and every move and outcome since. The object that a state stands for
is kept beside it, by its course; where it is not there any more, the course is played again. So records are copied,
compared and sent as those of every other game, and nothing is asked of an object but to play.
"""

import contextlib
import functools
import inspect
import operator
import random
import re
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rulebots.errors import UsageError, demand, whole_number
from rulebots.game.arrays import Ints
from rulebots.game.chance import draw_by
from rulebots.game.checks import CHANCE, contract_error, described, expect, require
from rulebots.game.contract import Game, deal_nothing
from rulebots.game.courses import course_after, courses_of
from rulebots.game.live_game import LiveGame, words
from rulebots.game.random_numbers import next_luck
from rulebots.game.text import GameText, read_number, write_number
from rulebots.kernel import PlainKernel

#: Live objects, and observations, that a thread keeps.
KEPT = 4096
#: Redeals of redeals that a state has room for.
MOST_REDEALS = 8
#: A random state that no player has: of the chance within a move that is only looked at.
LOOKING = 0x5DEECE66D


class Node:
    """A position as an object: `g`, and once they were asked for, its legal moves and their texts."""

    __slots__ = ("g", "legal", "texts")

    def __init__(self, g: Any) -> None:
        self.g = g
        self.legal: Sequence[Any] | None = None
        self.texts: Mapping[int, str] | None = None


class _Kept(threading.local):
    """What a thread keeps: nodes by course, and what seats saw by course and seat."""

    def __init__(self) -> None:
        self.nodes = dict[int, Node]()
        self.seen = dict[tuple[int, int], tuple[Any, Sequence[Any]]]()
        self.odds: tuple[int, Mapping[int, float]] = (-1, {})


#: Held while global random numbers are those of a game.
_GLOBAL_RANDOM = threading.RLock()


class LiveLaw:
    """The parts of a game of objects, and the objects of its states."""

    def __init__(self, source: LiveGame) -> None:
        self.source = source
        self.numbered = source.numbered
        self.copies = source.copy is not None
        self._draw = draw_by(None if source.odds is None else operator.getitem).function
        self._kept = _Kept()

    def identity(self) -> object:
        """What decides how games go."""
        return self.source.identity()

    # A state and its object

    def at(self, state: Any) -> Node:
        """The node of a state, or of an open game's view, which may only be read."""
        nodes = self._kept.nodes
        course = int(state.course)
        node = nodes.get(course)
        if node is None:
            node = Node(self._replayed(state))
            self.keep(course, node.g, node)
        return node

    def taken(self, state: Any) -> Any:
        """An object of a state that its caller may change."""
        if self.copies:
            return self.source.copy(self.at(state).g)
        node = self._kept.nodes.pop(int(state.course), None)
        return self._replayed(state) if node is None else node.g

    def keep(self, course: int, g: Any, node: Node | None = None) -> None:
        """Keep the object of a course; the oldest one goes where there are many."""
        _store(self._kept.nodes, course, node or Node(g))

    def _replayed(self, state: Any) -> Any:
        """The object of a state, played from its deal."""
        course = int(courses_of(np.array([[state.deal]] if self.source.seeded else [[]], np.int64))[0])
        with self.own_random():
            g = self.begun(int(state.deal))
            redeals = [(int(state.redealt_at[k]), int(state.redealt[k])) for k in range(state.redeals)]
            for ply, number in enumerate([*state.moves[: state.plies].tolist(), None]):
                for luck in (luck for at, luck in redeals if at == ply):
                    course = _redealt(course, luck)
                    g = self._resampled(g, self.source.mover(g), luck, course)
                if number is not None:
                    course = course_after.function(course, number)
                    g = self.played(g, self._object(g, number), course)
        return g

    def _object(self, g: Any, number: int) -> Any:
        if self.numbered:
            return number
        legal = self.source.moves(g)
        if number >= len(legal):
            raise contract_error(
                self.source.moves,
                f"gives {len(legal)} moves where it gave more: the same moves lead to another game; "
                "is there chance that the seed does not decide?",
            )
        return legal[number]

    def begun(self, seed: int) -> Any:
        """A new game."""
        self._seed(seed)
        return self.source.new(seed)

    def played(self, g: Any, move: Any, course: int) -> Any:
        """The object after a move, which leads to that course; `g` may have become it."""
        self._seed(course)
        after = self.source.play(g, move)
        return g if after is None else after

    def after(self, g: Any, move: Any, course: int) -> Any:
        """Another object after a move that is only looked at: chance within it is not that of the game."""
        return self.played(self.source.copy(g), move, course ^ LOOKING)

    def _resampled(self, g: Any, seat: int, luck: int, course: int) -> Any:
        self._seed(course)
        return self.source.resample(g, seat, luck)

    def _seed(self, number: int) -> None:
        if self.source.global_random:
            random.seed(number)
            np.random.seed(number & 0xFFFFFFFF)  # noqa: NPY002 - an engine may use these

    @contextlib.contextmanager
    def own_random(self) -> Iterator[None]:
        """A block in which global random numbers are the game's; afterwards they go on as they were."""
        if not self.source.global_random:
            yield
            return
        with _GLOBAL_RANDOM:
            former = random.getstate(), np.random.get_state()  # noqa: NPY002
            try:
                yield
            finally:
                random.setstate(former[0])
                np.random.set_state(former[1])  # noqa: NPY002

    # Checked answers

    def legal(self, node: Node) -> Sequence[Any]:
        """The legal moves of a position, or the outcomes of chance."""
        if node.legal is None:
            legal = self.source.moves(node.g)
            if type(legal) is not list and (not isinstance(legal, Sequence) or isinstance(legal, str)):
                legal = self._listed(legal)
            if not 0 < len(legal) <= self.source.move_count:
                self._refuse_count(len(legal))
            node.legal = legal
        return node.legal

    def _listed(self, legal: Any) -> Sequence[Any]:
        if isinstance(legal, np.ndarray):
            return legal.tolist()
        expect(
            self.source.moves,
            hasattr(legal, "__iter__") and not isinstance(legal, str),
            legal,
            "expected a list of moves",
        )
        require(
            self.source.moves,
            not isinstance(legal, set | frozenset),
            "gives a set, which has no order: expected a list, such as sorted(...)",
        )
        return list(legal)

    def _refuse_count(self, count: int) -> None:
        raise contract_error(
            self.source.moves,
            f"gives {count} moves: the class says move_count = {self.source.move_count}"
            if count
            else "gives no moves while the game is not over: end it in `over`, or add a pass",
        )

    def mover(self, g: Any) -> int:
        """The seat to decide, or CHANCE."""
        mover = self.source.mover(g)
        if type(mover) is int and 0 <= mover < self.source.seats:  # nearly always
            return mover
        number = whole_number(mover)
        if number is None or not (0 <= number < self.source.seats or (number == CHANCE and self.source.chance)):
            remedy = "; a game that leaves chance to its caller says chance = True" if number == CHANCE else ""
            raise contract_error(
                self.source.mover,
                f"gives {described(mover)}: expected a seat, 0 to {self.source.seats - 1}{remedy}",
            )
        return number

    def points(self, g: Any, seat: int) -> int:
        """The points of a seat."""
        points = self.source.points(g, seat)
        try:
            whole = round(points)
            right = abs(points - whole) < 1e-6
        except (TypeError, ValueError, OverflowError):
            right = False
        expect(
            self.source.points,
            right,
            points,
            "expected whole points (give 2 for a win and 1 for a draw, or count in hundredths)",
        )
        return int(whole)

    def drawn(self, node: Node, luck: int) -> int:
        """The number of the outcome that a random state brings: that of `draw_kernel` (chance.py)."""
        outcomes = self.numbers(node)
        shares = {} if self.source.odds is None else self._shares(node)
        return int(self._draw(shares, outcomes, len(outcomes), luck))

    def _shares(self, node: Node) -> Mapping[int, float]:
        """How likely each outcome is, by its number."""
        shares = [float(share) for share in self.source.odds(node.g)]
        outcomes = self.numbers(node)
        right = len(shares) == len(outcomes) and all(share >= 0 for share in shares) and 0 < sum(shares) < np.inf
        expect(
            self.source.odds,
            right,
            shares,
            f"expected {len(outcomes)} numbers from 0 on, one for each of `moves`, not all 0",
        )
        return dict(zip(outcomes, shares, strict=True))

    def numbers(self, node: Node) -> Sequence[int]:
        """The moves of a position as numbers."""
        legal = self.legal(node)
        return legal if self.numbered else range(len(legal))

    # What a mover sees

    def seen(self, node: Node, seat: int) -> Any:
        """What rules get: the object, or what a seat of a game with hidden information knows."""
        return self.source.sees(node.g, seat) if self.source.hidden else node.g

    def shown(self, view: Any) -> tuple[Any, Sequence[Any]]:
        """What rules get of a view, and the legal moves, where the observation is still known here.

        Raises:
            UsageError: it is one of another process, or of long ago.
        """
        if not self.source.hidden:
            node = self.at(view)
            return node.g, self.legal(node)
        known = self._kept.seen.get((int(view.course), int(view.seat)))
        if known is None:
            raise UsageError(
                f"what this view of {self.source.title} shows is not known any more: ask a position for it"
            )
        return known

    def note_view(self, view: Any, node: Node, course: int, seat: int) -> None:
        """Let a view show this position to a seat, until `forget(course)`."""
        view.course = course
        if self.source.hidden:
            view.seat = seat
            _store(self._kept.seen, (course, seat), (self.seen(node, seat), self.legal(node)))
        else:
            self.keep(course, node.g, node)

    def forget(self, course: int) -> None:
        """Keep the object of a course no longer: it is about to change."""
        self._kept.nodes.pop(course, None)

    def index(self, legal: Sequence[Any], number: int) -> int:
        """Where the move of that number stands among the legal ones."""
        return legal.index(number) if self.numbered else number

    def move_at(self, legal: Sequence[Any], number: int) -> Any:
        """A legal move, by its number."""
        return number if self.numbered else legal[number]

    # The parts of the law

    def _setup(self, state: Any, deal: Any, options: Any) -> None:
        with self.own_random():
            self.begin(state, deal)

    def begin(self, state: Any, deal: Any) -> None:
        """Begin with a deal, whatever the state was, where global random numbers are the game's."""
        state.over = False
        state.plies = state.redeals = 0
        state.deal = deal[0] if len(deal) else 0
        state.course = courses_of(deal.reshape(1, -1))[0]
        self._note(state, self.begun(int(state.deal)))

    def _moves(self, state: Any, out: Any) -> int:
        if state.over:
            return 0
        numbers = self.numbers(self.at(state))
        out[: len(numbers)] = numbers
        return len(numbers)

    def _play(self, state: Any, move: int) -> None:
        number = int(move)
        course = course_after.function(int(state.course), number)
        with self.own_random():
            g = self.taken(state)
            g = self.played(g, self._object(g, number), course)
        state.moves[state.plies] = number
        state.plies += 1
        state.course = course
        self._note(state, g)

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
        _store(self._kept.seen, (int(state.course), seat), (self.source.sees(node.g, seat), legal))

    def _redeal(self, state: Any, luck: int) -> int:
        count = int(state.redeals)
        demand(
            count < MOST_REDEALS,
            f"{self.source.title}: a position can be dealt again {MOST_REDEALS} times, one after the other",
        )
        course = _redealt(int(state.course), int(luck))
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

    def _note(self, state: Any, g: Any) -> None:
        """Write what a record says of its object, and keep the object."""
        self.keep(int(state.course), g)
        state.over = self.source.over(g)
        if state.over:
            self.note_end(state, g)
        else:
            state.mover = self.mover(g)

    def note_end(self, state: Any, g: Any) -> None:
        """Write that a game is over, and its points, for which its object is not needed any more."""
        state.over = True
        state.mover = 0
        for seat in range(self.source.seats):
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
            text=GameText(
                show=self._show,
                write_in=self._write_in,
                read=self._read,
                sentence=None if self.source.sentence is None else self._sentence,
            ),
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

    # Its text

    def _write_in(self, state: Any, move: int) -> str:
        number = int(move)
        return self._texts(state).get(number, write_number(number))

    def _sentence(self, state: Any, move: int) -> str:
        node = self.at(state)
        moves = dict(zip(self.numbers(node), self.legal(node), strict=True))
        return str(self.source.sentence(node.g, moves[int(move)]))

    def _read(self, text: str, state: Any) -> int:
        word = _plain(text)
        if re.fullmatch(r"[0-9]{1,18}", word):  # as in records
            return read_number(word, state)
        texts = self._texts(state)
        for number, name in texts.items():
            if _plain(name) == word:
                return number
        shown = ", ".join([*texts.values()][:6])
        raise UsageError(f"expected a move, such as {shown}, not '{text.strip()}'" if shown else "the game is over")

    def _texts(self, state: Any) -> Mapping[int, str]:
        """What people call the moves of a position, by their numbers; none once the game is over."""
        if state.over:
            return {}
        node = self.at(state)
        if node.texts is None:
            moves = zip(self.numbers(node), self.legal(node), strict=True)
            names = {number: self.text_of(node, move) for number, move in moves}
            counts = Counter(map(_plain, names.values()))
            node.texts = {
                number: name if counts[_plain(name)] == 1 and not _misleads(name, number) else f"{name} [{number}]"
                for number, name in names.items()
            }
        return node.texts

    def text_of(self, node: Node, move: Any) -> str:
        """What a move is called there."""
        return words(move) if self.source.write is None else str(self.source.write(node.g, move))

    def _show(self, state: Any, seat: int | None) -> str:
        g = self.at(state).g
        if self.source.show is not None:
            return str(self.source.show(g, seat))
        return words(g if seat is None or not self.source.hidden else self.source.sees(g, seat))


def _in_place_of(method: Any, part: Any) -> Any:
    """A part of a law with the name and the place of the method that it asks."""

    @functools.wraps(method)
    def asked(*arguments: Any) -> Any:
        return part(*arguments)

    vars(asked)["__signature__"] = inspect.signature(part)
    return asked


def _redealt(course: int, luck: int) -> int:
    return course_after.function(course, ~luck)


def _store(kept: dict[Any, Any], key: Any, value: Any) -> None:
    if len(kept) >= KEPT and key not in kept:
        del kept[next(iter(kept))]
    kept[key] = value


def _misleads(name: str, number: int) -> bool:
    """Whether a move is called by the number of another one."""
    return name.strip().isdecimal() and name.strip() != str(number)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def draw_seeds(rng: np.random.Generator, count: int, options: Any) -> Ints:
    """What is dealt where a game follows from its seed: that, int64[count, 1]."""
    return rng.integers(2**31, size=(count, 1))
