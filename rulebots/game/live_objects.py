"""The objects of a live game, whose states are records: made, played, kept, and asked.

The object that a state stands for is kept beside it, by its course; where it is not there any more, the course is
played again.
"""

import contextlib
import operator
import random
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rulebots.errors import UsageError, whole_number
from rulebots.game.chance import draw_by
from rulebots.game.checks import CHANCE, contract_error, described, expect, require
from rulebots.game.courses import course_after, courses_of
from rulebots.game.live_game import LiveGame, words

#: Live objects, and observations, that a thread keeps.
KEPT = 4096
#: A random state that no player has: of the chance within a move that is only looked at.
LOOKING = 0x5DEECE66D
#: Points must be below this, and above its negative.
MOST_POINTS = 10**9


class Node:
    """A position as an object: `g`, and once they were asked for, its legal moves and their texts."""

    __slots__ = ("g", "legal", "texts")

    def __init__(self, g: Any) -> None:
        self.g = g
        self.legal: Sequence[Any] | None = None
        self.texts: Mapping[int, str] | None = None


class _Kept(threading.local):
    """What a thread keeps: nodes by course, what seats saw by course and seat, and the latest look ahead."""

    def __init__(self) -> None:
        self.nodes = dict[int, Node]()
        self.seen = dict[tuple[int, int], tuple[Any, Sequence[Any]]]()
        self.odds: tuple[int, Mapping[int, float]] = (-1, {})
        self.ahead: tuple[int, dict[int, Any]] = (-1, {})


#: Held while global random numbers are those of a game.
_GLOBAL_RANDOM = threading.RLock()


class LiveObjects:
    """The objects of the states of a live game, and their answers, checked."""

    def __init__(self, source: LiveGame) -> None:
        self.source = source
        self.numbered = source.numbered
        self.copies = source.copy is not None
        self._draw = draw_by(None if source.odds is None else operator.getitem).function
        self._kept = _Kept()

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
        store(self._kept.nodes, course, node or Node(g))

    def _replayed(self, state: Any) -> Any:
        """The object of a state, played from its deal."""
        course = int(courses_of(np.array([[state.deal]] if self.source.seeded else [[]], np.int64))[0])
        with self.own_random():
            g = self.begun(int(state.deal))
            redeals = [(int(state.redealt_at[k]), int(state.redealt[k])) for k in range(state.redeals)]
            for ply, number in enumerate([*state.moves[: state.plies].tolist(), None]):
                for luck in (luck for at, luck in redeals if at == ply):
                    course = redealt(course, luck)
                    g = self._resampled(g, self.source.mover(g), luck, course)
                if number is not None:
                    course = course_after.function(course, number)
                    g = self.played(g, self._object(g, number), course)
        return g

    def _object(self, g: Any, number: int) -> Any:
        if self.numbered:
            return number
        legal = self.legal(Node(g))
        require(
            self.source.moves,
            number < len(legal),
            f"gives {len(legal)} moves where it gave more: the same moves lead to another game; "
            "is there chance that the seed does not decide?",
        )
        return legal[number]

    def begun(self, seed: int) -> Any:
        """A new game."""
        self._seed(seed)
        g = self.source.new(seed)
        expect(self.source.new, g is not None, g, "expected the object of a new game")
        return g

    def played(self, g: Any, move: Any, course: int) -> Any:
        """The object after a move, which leads to that course; `g` may have become it."""
        self._seed(course)
        after = self.source.play(g, move)
        expect(
            self.source.play,
            not isinstance(after, bool | int | str) or type(after) is type(g),
            after,
            "expected nothing, or the object after the move",
        )
        return g if after is None else after

    def after(self, g: Any, move: Any, course: int) -> Any:
        """Another object after a move that is only looked at: chance within it is not that of the game."""
        return self.played(self.source.copy(g), move, course ^ LOOKING)

    def looked_at(self, course: int) -> dict[int, Any]:
        """The positions after moves from a course, by number, to which a look ahead adds its own."""
        if self._kept.ahead[0] != course:
            self._kept.ahead = course, {}
        return self._kept.ahead[1]

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
            former = random.getstate(), np.random.get_state()  # noqa: NPY002 - given back afterwards
            try:
                yield
            finally:
                random.setstate(former[0])
                np.random.set_state(former[1])  # noqa: NPY002 - as it was

    # Checked answers

    def legal(self, node: Node) -> Sequence[Any]:
        """The legal moves of a position, or the outcomes of chance."""
        if node.legal is None:
            legal = self.source.moves(node.g)
            if type(legal) is not list and (not isinstance(legal, Sequence) or isinstance(legal, str)):
                legal = self._listed(legal)
            require(
                self.source.moves,
                len(legal) > 0,
                "gives no moves while the game is not over: end it in `over`, or add a pass",
            )
            require(
                self.source.moves,
                len(legal) <= self.source.move_count,
                f"gives {len(legal)} moves: the class says move_count = {self.source.move_count}",
            )
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

    def over(self, g: Any) -> bool:
        """Whether a game is over."""
        over = self.source.over(g)
        expect(self.source.over, isinstance(over, int | np.bool_), over, "expected True or False")
        return bool(over)

    def points(self, g: Any, seat: int) -> int:
        """The points of a seat."""
        points = self.source.points(g, seat)
        try:
            whole = round(points)
            right = abs(points - whole) < 1e-6 and abs(whole) < MOST_POINTS
        except (TypeError, ValueError, OverflowError):
            right = False
        expect(
            self.source.points,
            right,
            points,
            "expected whole points below a billion (give 2 for a win and 1 for a draw, or count in hundredths)",
        )
        return int(whole)

    def drawn(self, node: Node, luck: int) -> int:
        """The number of the outcome that a random state brings: that of `draw_kernel` (chance.py)."""
        outcomes = self.numbers(node)
        shares = {} if self.source.odds is None else self._shares(node)
        return int(self._draw(shares, outcomes, len(outcomes), luck))

    def _shares(self, node: Node) -> Mapping[int, float]:
        """How likely each outcome is, by its number."""
        odds = self.source.odds(node.g)
        shares = list[float]()
        with contextlib.suppress(TypeError, ValueError):
            shares += [] if isinstance(odds, Mapping) else map(float, odds)
        outcomes = self.numbers(node)
        right = len(shares) == len(outcomes) and all(share >= 0 for share in shares) and 0 < sum(shares) < np.inf
        expect(
            self.source.odds,
            right,
            odds,
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
            store(self._kept.seen, (course, seat), (self.seen(node, seat), self.legal(node)))
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

    def text_of(self, node: Node, move: Any) -> str:
        """What a move is called there."""
        return words(move) if self.source.write is None else said(self.source.write, node.g, move)


def said(method: Any, g: Any, about: Any) -> str:
    """What a method says of a game."""
    text = method(g, about)
    expect(method, text is not None and str(text).strip(), text, "expected some text")
    return str(text)


def redealt(course: int, luck: int) -> int:
    """The course after a redeal."""
    return course_after.function(course, ~luck)


def store(kept: dict[Any, Any], key: Any, value: Any) -> None:
    """Keep a value, in place of the oldest one where there are many."""
    if len(kept) >= KEPT and key not in kept:
        del kept[next(iter(kept))]
    kept[key] = value
