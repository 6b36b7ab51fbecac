"""The contract of a game's functions, checked at every call: the law interpreted, with bounds, and its results tested.

`checked_game(game)` plays the same game, slowly. A breach is one line that names the function, its file and line, and
what to do: a `CodeError`. With RULEBOTS_DEBUG=1 every game that is made checks itself so.
"""

from __future__ import annotations

import functools
import inspect
import math
import types
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rulebots.errors import UsageError
from rulebots.kernel import Kernel
from rulebots.kernel.time_limit import Late, within
from rulebots.kernel.user_code import CodeError, in_users_terms, place_of

if TYPE_CHECKING:
    from rulebots.game import Game

#: In `state.mover`: chance is to move; `rulebots.game.CHANCE` is this one.
CHANCE = -1
#: What an entry of the array that `moves` fills holds before; no move has this number.
UNWRITTEN = -(2**63)
#: `progress` may be so far outside 0..1, by rounding.
ROUNDING = 1e-6
#: Seconds that one call of a function of a law or of a rule may take, interpreted.
SECONDS = 5.0


class Endless(CodeError):
    """A function that does not end; nobody waits for it twice."""


class CheckedKernel(Kernel[..., Any]):
    """A kernel that checks what its original does at every call. It runs interpreted only."""

    __qualname__ = Kernel.__qualname__  # a fingerprint names it so: checking changes no game

    def __init__(self, original: Kernel[..., Any], function: Callable[..., Any]) -> None:
        super().__init__(function)
        functools.update_wrapper(self, original.function)
        self.original = original

    def identity(self) -> object:
        """That of the original."""
        return self.original.identity()


def original_of(body: Kernel[..., Any]) -> Kernel[..., Any]:
    """A kernel without checks."""
    return body.original if isinstance(body, CheckedKernel) else body


def breach(body: Any, what: str) -> CodeError:
    """That a function does something that the contract does not allow."""
    function = getattr(original_of(body), "function", body)
    where = place_of(function)
    return CodeError(f"{where}: `{function.__name__}` {what}" if where else f"`{function.__name__}` {what}")


def limited(body: Any, *given: Any) -> Any:
    """Call a function, or a kernel's source. One that takes longer than `SECONDS` is raised as `Endless`."""
    function = getattr(original_of(body), "function", body)
    try:
        return within(SECONDS, lambda: function(*given))
    except Late as error:
        told = in_users_terms(error)
        raise Endless(told or str(breach(body, f"takes more than {SECONDS:g} s: it has to end sooner"))) from None


def run(body: Kernel[..., Any], *given: Any) -> Any:
    """Call a kernel's source. Whatever it raises is raised as a `CodeError` with the user's line."""
    try:
        with np.errstate(divide="raise", invalid="raise", over="raise"):
            return limited(body, *given)
    except CodeError:
        raise
    except Exception as error:
        told = in_users_terms(error)
        if told is None:
            raise breach(body, f"raised {type(error).__name__}: {error}") from error
        raise CodeError(told) from error


def whole(value: Any) -> bool:
    """Whether a value is a whole number of Python's or NumPy's, or a bool."""
    return isinstance(value, int | np.integer | np.bool_)


def number(value: Any) -> bool:
    """Whether a value is a finite number, or a bool."""
    return (whole(value) or isinstance(value, float | np.floating)) and math.isfinite(value)


def shown(value: Any) -> str:
    """What a function gave, in a message."""
    if value is None:
        return "None (does it `return` something?)"
    text = " ".join(repr(value.item() if isinstance(value, np.number | np.bool_) else value).split())
    kind = "" if isinstance(value, int | float | np.number | np.bool_) else f", a {type(value).__name__}"
    return (text if len(text) <= 60 else f"{text[:56]} ...") + kind


def keeping(body: Kernel[..., Any], name: str, record: Any, *given: Any) -> Any:
    """Call a kernel that must not change a record, which is called `name` in the message."""
    before = record.tobytes()
    result = run(body, *given)
    if record.tobytes() != before:
        raise breach(body, f"changes {_changed(name, record, before)}: it may only read it")
    return result


def _changed(name: str, record: Any, before: bytes) -> str:
    """The fields of a record that are not what they were."""
    former = np.frombuffer(before, record.dtype)[0]
    fields = [f for f in record.dtype.names or () if not np.array_equal(record[f], former[f])]
    return f"{name}.{fields[0]}" if len(fields) == 1 else name


class _Law:
    """The functions of a game, each with its checks."""

    def __init__(self, game: Game) -> None:
        self.game = game
        # Kept here: in a game that checks itself the checks take their places.
        self.setup_, self.moves_, self.play_ = game.setup, game.moves, game.play
        self.over_, self.points_, self.observe_ = game.over, game.points, game.observe
        self.kind_, self.item_, self.redeal_, self.odds_ = game.kind, game.item, game.redeal, game.odds
        self.undeal_ = game.undeal

    def setup(self, state: Any, deal: Any, options: Any) -> None:
        """Fill a state of zeros."""
        body = self.setup_
        before = deal.tobytes()
        run(body, state, deal, options)
        if deal.tobytes() != before:
            raise breach(body, "changes `deal`: it may only read it")
        self._check_mover(body, state)

    def moves(self, state: Any, out: Any) -> int:
        """Write the legal moves; between one and all of them, each once."""
        body, count = self.moves_, self.game.move_count
        room = np.full(count, UNWRITTEN, np.int64)
        n = keeping(body, "state", state, state, room)
        if not whole(n):
            raise breach(body, f"gives {shown(n)}: expected how many moves it has written, a whole number")
        if not 0 <= n <= count:
            raise breach(body, f"gives {n}: expected how many moves it has written, from 1 to move_count = {count}")
        if n == 0 and not run(self.over_, state):
            raise breach(body, "gives 0 moves while the game is not over: end the game in `over`, or add a pass")
        written = room[:n].tolist()
        for i, move in enumerate(written):
            if move == UNWRITTEN:
                raise breach(body, f"gives {n} moves but writes nothing into out[{i}]")
            if not 0 <= move < count:
                raise breach(body, f"writes the move {move}: moves are 0 to move_count - 1 = {count - 1}")
        if len(set(written)) < len(written):
            twice = next(move for move in written if written.count(move) > 1)
            raise breach(body, f"writes the move {twice} twice")
        if state.mover == CHANCE and n:
            self._check_odds(state, written)
        out[:n] = room[:n]
        return int(n)

    def play(self, state: Any, move: int) -> None:
        """Make a move."""
        body, before = self.play_, state.tobytes()
        result = run(body, state, move)
        if result is not None and state.tobytes() == before:
            raise breach(body, f"gives {shown(result)} and leaves the state as it was: it has to change `state` itself")
        self._check_mover(body, state)

    def over(self, state: Any) -> bool:
        """Whether the game is over."""
        body = self.over_
        result = keeping(body, "state", state, state)
        if not number(result):
            raise breach(body, f"gives {shown(result)}: expected whether the game is over, True or False")
        return bool(result)

    def points(self, state: Any, seat: int) -> int:
        """A seat's points."""
        body = self.points_
        result = keeping(body, "state", state, state, seat)
        if not number(result) or result != int(result):
            raise breach(body, f"gives {shown(result)}: expected whole points (give 2 for a win and 1 for a draw)")
        return int(result)

    def observe(self, state: Any, view: Any) -> None:
        """Write the observation."""
        keeping(self.observe_, "state", state, state, view)

    def kind(self, move: int) -> int:
        """The kind of a move."""
        body, kinds = self.kind_, self.game.kinds
        result = run(body, move)
        if not whole(result) or not 0 <= result < len(kinds):
            names = ", ".join(f"{i} ({kind.name})" for i, kind in enumerate(kinds))
            raise breach(body, f"gives {shown(result)} for the move {move}: expected an index into the kinds, {names}")
        return int(result)

    def item(self, view: Any, move: int) -> int:
        """What the rules look at."""
        body = self.item_
        result = keeping(body, "view", view, view, move)
        if not whole(result):
            raise breach(body, f"gives {shown(result)} for the move {move}: expected a whole number (// divides so)")
        return int(result)

    def redeal(self, state: Any, luck: int) -> int:
        """Deal again what the mover cannot know; all that it does know stays."""
        assert self.redeal_ is not None
        body, before = self.redeal_, self.game.new_view()
        keeping(self.observe_, "state", state, state, before)
        result, after = run(body, state, luck), self.game.new_view()
        run(self.observe_, state, after)
        if before.tobytes() != after.tobytes():
            field = _changed("view", after, before.tobytes())
            remedy = f"keep what it is made of, or let `observe` ({place_of(self.observe_)}) not show what is hidden"
            raise breach(body, f"changes {field}, which the mover can see: {remedy}")
        if not whole(result) or not 0 < result < 2**32:
            raise breach(body, f"gives {shown(result)}: expected the next random state, from next_luck(luck)")
        return int(result)

    def undeal(self, state: Any, seats: Any, moves: Any, options: Any, deal: Any, luck: int) -> int:
        """Write a deal from which the moves lead to the state; it has the numbers of the game's deals."""
        assert self.undeal_ is not None
        body, before = self.undeal_, (seats.tobytes(), moves.tobytes())
        deal[:] = UNWRITTEN
        result = keeping(body, "state", state, state, seats, moves, options, deal, luck)
        if (seats.tobytes(), moves.tobytes()) != before:
            raise breach(body, "changes `seats` or `moves`: it may only read them")
        if (deal == UNWRITTEN).any():
            raise breach(body, f"writes nothing into deal[{int((deal == UNWRITTEN).argmax())}]: it has to write all")
        if not whole(result) or not 0 < result < 2**32:
            raise breach(body, f"gives {shown(result)}: expected the next random state, from next_luck(luck)")
        return int(result)

    def odds(self, state: Any, outcome: int) -> float:
        """How likely an outcome of chance is, relative to the others."""
        assert self.odds_ is not None
        body = self.odds_
        result = keeping(body, "state", state, state, outcome)
        if not number(result) or result < 0:
            raise breach(body, f"gives {shown(result)} for the outcome {outcome}: expected a finite number, at least 0")
        return float(result)

    def _check_odds(self, state: Any, outcomes: list[int]) -> None:
        if self.odds_ is not None and not any(self.odds(state, outcome) > 0 for outcome in outcomes):
            raise breach(self.odds_, f"gives 0 for all outcomes, {outcomes}: one of them has to come")

    def _check_mover(self, body: Kernel[..., Any], state: Any) -> None:
        if state.mover not in (0, 1) and not (self.game.chance and state.mover == CHANCE):
            allowed = "0 or 1, the seat to decide" + (f", or CHANCE = {CHANCE}" if self.game.chance else "")
            remedy = "; a game with dice in play says chance=True" if state.mover == CHANCE else ""
            raise breach(body, f"sets state.mover to {state.mover}: expected {allowed}{remedy}")


def _statistic(body: Kernel[..., Any]) -> Kernel[..., Any]:
    def checked(state: Any, seat: int) -> Any:
        result = keeping(body, "state", state, state, seat)
        if not number(result):
            raise breach(body, f"gives {shown(result)}: expected a finite number")
        return result

    return CheckedKernel(body, checked)


#: The kernels of a game with the number of their parameters; some games leave some out.
PARTS = {
    "setup": 3,
    "moves": 2,
    "play": 2,
    "over": 1,
    "points": 2,
    "observe": 2,
    "kind": 1,
    "item": 2,
    "redeal": 2,
    "odds": 2,
    "undeal": 6,
}


def check_parts(game: Game) -> None:
    """Raise UsageError where a function of a game is missing, no kernel, or has other parameters."""
    for name, count in PARTS.items():
        check_kernel(game.name, name, getattr(game, name), count)
    for name, body in game.behaviour.items():
        check_kernel(game.name, name, body, 2)
    for name, count in (("show", 2), ("write", 1), ("read", 2), ("draw_deals", 3)):
        function = getattr(game, name)
        if not callable(function):
            raise UsageError(f"{game.name}: expected a function as `{name}`, not {function!r}")
        check_parameters(name, function, count)


@functools.cache
def checked_game(game: Game) -> Game:
    """The same game with every function checked; itself where it checks itself already."""
    if isinstance(game.moves, CheckedKernel):
        return game
    return replace(game, **checked_parts(game))


def checked_parts(game: Game) -> dict[str, Any]:
    """The functions of a game by name, each checked at every call."""
    if isinstance(game.moves, CheckedKernel):
        return {}
    law = _Law(game)
    parts: dict[str, Any] = {
        name: CheckedKernel(body, getattr(law, name)) for name in PARTS if (body := getattr(game, name)) is not None
    }
    parts["behaviour"] = {name: _statistic(body) for name, body in game.behaviour.items()}
    return parts


def check_kernel(where: str, name: str, body: Any, count: int) -> None:
    """Raise UsageError unless a part of a game or rule set is a kernel with so many parameters, or None."""
    if body is None:
        return
    if not isinstance(body, Kernel):
        if isinstance(body, types.FunctionType):
            raise UsageError(f"{place_of(body)}: `{body.__name__}` is a plain function: put @kernel on it")
        raise UsageError(f"{where}: expected a function under @kernel as `{name}`, not {body!r}")
    if isinstance(body, CheckedKernel):
        return
    check_parameters(name, body.function, count)


def check_parameters(name: str, function: Any, count: int) -> None:
    """Raise UsageError unless a function can be called with so many arguments."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        takes = f"takes {inspect.signature(function)}: expected {count} parameter{'s' if count > 1 else ''}"
        raise UsageError(f"{place_of(function)}: `{function.__name__}` {takes}, as `{name}` has") from None
    except ValueError:  # a function of C without a signature
        return
