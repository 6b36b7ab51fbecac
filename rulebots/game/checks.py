"""The contract of every call: what a function of a law, a rule or a compiled player gives and changes is checked.

A checked function does the same, slowly: interpreted, with bounds, for a limited time. What breaks the contract is
raised as a `CodeError`: one line with the function, its file and line, and what to do. The first games of foreign code
(`trial`), `rulebots check` and RULEBOTS_DEBUG=1, with which every game that is made checks itself, all use these.
"""

import functools
import inspect
import math
import types
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from rulebots.errors import UsageError, is_whole
from rulebots.game.guards import WholeArray, guarded, guarded_function
from rulebots.kernel import Kernel
from rulebots.kernel.user_code import CodeError, Late, in_users_terms, place_of, shortened, within

#: In `state.mover`: chance is to move, and `moves` lists its outcomes.
CHANCE = -1
#: What an entry of an array that a function has to fill holds before; no move has this number.
UNWRITTEN = -(2**63)
#: How far `progress` may be outside 0..1, because of rounding.
ROUNDING = 1e-6
#: Seconds that one call of a function of a law or of a rule may take, interpreted.
SECONDS = 5.0
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


class EndlessCall(CodeError):
    """A call that does not end. Checks stop at it: they do not wait for it twice."""


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


def without_checks(body: Kernel[..., Any]) -> Kernel[..., Any]:
    """A kernel as its author wrote it."""
    return body.original if isinstance(body, CheckedKernel) else body


def _function_of(body: Any) -> Any:
    """A function, or the one that its author put under @kernel."""
    return getattr(without_checks(body), "function", body)


def contract_error(body: Any, what: str) -> CodeError:
    """The error that a function, or a kernel, does `what`; it names the function and its line."""
    function = _function_of(body)
    where = place_of(function)
    return CodeError(f"{where}: `{function.__name__}` {what}" if where else f"`{function.__name__}` {what}")


def call_limited(body: Any, *arguments: Any) -> Any:
    """Call a function, or a kernel's source. Raises EndlessCall where that takes longer than `SECONDS`."""
    function = _function_of(body)
    try:
        return within(SECONDS, lambda: function(*arguments))
    except Late as error:
        raise EndlessCall(
            in_users_terms(error) or str(contract_error(body, f"takes more than {SECONDS:g} s: it has to end sooner"))
        ) from None


def call(body: Kernel[..., Any], *arguments: Any) -> Any:
    """Call a kernel's source. Whatever it raises is raised as a `CodeError` with the user's line."""
    try:
        with np.errstate(divide="raise", invalid="raise", over="raise"):
            return call_limited(guarded_function(_function_of(body)), *map(guarded, arguments))
    except CodeError:
        raise
    except Exception as error:
        line = in_users_terms(error)
        if line is None:
            raise contract_error(body, f"raised {type(error).__name__}: {error}") from error
        raise CodeError(line) from None


def call_reading(body: Kernel[..., Any], name: str, record: Any, *more: Any) -> Any:
    """Call a kernel that must not change its first argument, a record that messages call `name`."""
    before = record.tobytes()
    result = call(body, record, *more)
    if record.tobytes() != before:
        raise contract_error(body, f"changes {_changed(name, record, before)}: it may only read it")
    return result


def _changed(name: str, record: Any, before: bytes) -> str:
    """The field of a record that is not what it was; the record where several are not."""
    former = np.frombuffer(before, record.dtype)[0]
    fields = [f for f in record.dtype.names or () if not np.array_equal(record[f], former[f])]
    return f"{name}.{fields[0]}" if len(fields) == 1 else name


def value_of(
    body: Kernel[..., Any], name: str, fits: Callable[[Any], bool], expected: str, *arguments: Any, of: str = ""
) -> Any:
    """What a kernel that must not change its first argument gives. Raises CodeError unless it fits."""
    result = call_reading(body, name, *arguments)
    expect(body, fits(result), result, expected, of)
    return result


def is_number(value: Any) -> bool:
    """Whether a value is a finite number, or a bool."""
    return isinstance(value, bool | np.bool_) or (isinstance(value, Real) and math.isfinite(value))


def described(value: Any) -> str:
    """A value that a function gave, as a message shows it."""
    if value is None:
        return "None (does it `return` something?)"
    text = " ".join(repr(value.item() if isinstance(value, np.number | np.bool_) else value).split())
    kind = "" if isinstance(value, int | float | np.number | np.bool_) else f", a {type(value).__name__}"
    return shortened(text, 60) + kind


def expect(body: Any, right: object, result: Any, expected: str, of: str = "") -> None:
    """Raise CodeError unless what a function has given, `of` something, is right."""
    if not right:
        raise contract_error(body, f"gives {described(result)}{of}: {expected}")


def require(body: Any, right: object, what: str) -> None:
    """Raise CodeError unless a function keeps the contract; `what` it does wrong."""
    if not right:
        raise contract_error(body, what)


def checked_law(game: Any) -> dict[str, Any]:
    """The functions of a `Game` by name, each checked at every call; {} for a game that checks itself."""
    if isinstance(game.moves, CheckedKernel):
        return {}
    checks = _LawChecks(game)
    parts: dict[str, Any] = {
        name: CheckedKernel(body, getattr(checks, name)) for name in PARTS if (body := getattr(game, name)) is not None
    }
    parts["behaviour"] = {
        name: _checked_number(body, "state", is_number, "expected a finite number")
        for name, body in game.behaviour.items()
    }
    return parts


class _LawChecks:
    """For each function of a law a method of its name and parameters, which calls and checks it."""

    def __init__(self, game: Any) -> None:
        self.game = game
        #: The functions as they are now: in a game that checks itself, these methods take their places.
        self.law = types.SimpleNamespace(**{name: getattr(game, name) for name in PARTS})

    def setup(self, state: Any, deal: Any, options: Any) -> None:
        body = self.law.setup
        before = deal.tobytes()
        call(body, state, deal, options)
        require(body, deal.tobytes() == before, "changes `deal`: it may only read it")
        if isinstance(self.game.seats, tuple):
            require(
                body,
                state.seats == options["seats"],
                f"leaves state.seats at {state.seats} where {options['seats']} play: write state.seats = options.seats",
            )
        self._check_mover(body, state)

    def moves(self, state: Any, out: Any) -> int:
        body = self.law.moves
        count = self.game.move_count
        room = np.full(count, UNWRITTEN, np.int64)
        n = call_reading(body, "state", state, room.view(WholeArray))
        expect(
            body,
            is_whole(n) and 0 <= n <= count,
            n,
            f"expected how many moves it has written, from 1 to move_count = {count}",
        )
        require(
            body,
            n > 0 or call(self.law.over, state),
            f"gives 0 moves to seat {state.mover} while the game is not over: "
            "end the game in `over`, add a pass, or let `play` pass over a seat",
        )
        written = room[:n].tolist()
        strange = next((move for move in written if not 0 <= move < count), 0)
        require(body, strange != UNWRITTEN, f"gives {n} moves but does not write all of them into `out`")
        require(body, 0 <= strange < count, f"writes the move {strange}: moves are 0 to move_count - 1 = {count - 1}")
        if len(set(written)) < n:
            twice = next(move for move in written if written.count(move) > 1)
            raise contract_error(body, f"writes the move {twice} twice")
        if state.mover == CHANCE and n and self.law.odds is not None:
            require(
                self.law.odds,
                any(self.odds(state, outcome) > 0 for outcome in written),
                f"gives 0 for all outcomes, {written}: one of them has to come",
            )
        out[:n] = room[:n]
        return int(n)

    def play(self, state: Any, move: int) -> None:
        body = self.law.play
        before = state.tobytes()
        seats = self.game.seats_of(state)
        result = call(body, state, move)
        require(
            body,
            result is None or state.tobytes() != before,
            f"gives {described(result)} and leaves the state as it was: it has to change `state` itself",
        )
        now = self.game.seats_of(state)
        require(body, now == seats, f"sets state.seats to {now}: {seats} play to the end, also those out")
        self._check_mover(body, state)

    def over(self, state: Any) -> bool:
        return bool(
            value_of(self.law.over, "state", is_number, "expected whether the game is over, True or False", state)
        )

    def points(self, state: Any, seat: int) -> int:
        body = self.law.points
        points = int(
            value_of(
                body,
                "state",
                lambda n: is_number(n) and n == int(n),
                "expected whole points (give 2 for a win and 1 for a draw)",
                state,
                seat,
            )
        )
        if self.game.together(self.game.seats_of(state)):
            most = self.game.most_points
            first = int(call(body, state, 0))
            require(
                body,
                points == first,
                f"gives seat 0 {first} and seat {seat} {points}: "
                "all have the same points in a game with aim='together'",
            )
            require(body, most is None or points <= most, f"gives {points}: the game says that most_points is {most}")
        return points

    def observe(self, state: Any, view: Any) -> None:
        call_reading(self.law.observe, "state", state, view)

    def kind(self, move: int) -> int:
        names = [kind.name for kind in self.game.kinds]
        result = call(self.law.kind, move)
        expect(
            self.law.kind,
            is_whole(result) and 0 <= result < len(names),
            result,
            f"expected an index into the kinds, {', '.join(f'{i} ({name})' for i, name in enumerate(names))}",
            f" for the move {move}",
        )
        return int(result)

    def item(self, view: Any, move: int) -> int:
        return int(
            value_of(
                self.law.item,
                "view",
                is_whole,
                "expected a whole number (// divides so)",
                view,
                move,
                of=f" for the move {move}",
            )
        )

    def redeal(self, state: Any, luck: int) -> int:
        body = self.law.redeal
        before = self.game.new_view()
        after = self.game.new_view()
        call_reading(self.law.observe, "state", state, before)
        result = call(body, state, luck)
        call(self.law.observe, state, after)
        if before.tobytes() != after.tobytes():
            raise contract_error(
                body,
                f"changes {_changed('view', after, before.tobytes())}, which the mover can see: "
                f"keep what it is made of, or let `observe` ({place_of(self.law.observe)}) not show what is hidden",
            )
        return _random_state(body, result)

    def undeal(self, state: Any, seats: Any, moves: Any, options: Any, deal: Any, luck: int) -> int:
        body = self.law.undeal
        before = (seats.tobytes(), moves.tobytes())
        deal[:] = UNWRITTEN
        result = call_reading(body, "state", state, seats, moves, options, deal.view(WholeArray), luck)
        require(body, (seats.tobytes(), moves.tobytes()) == before, "changes `seats` or `moves`: it may only read them")
        unwritten = deal == UNWRITTEN
        require(body, not unwritten.any(), f"writes nothing into deal[{unwritten.argmax()}]: it has to write all")
        return _random_state(body, result)

    def odds(self, state: Any, outcome: int) -> float:
        return float(
            value_of(
                self.law.odds,
                "state",
                lambda n: is_number(n) and n >= 0,
                "expected a finite number, at least 0",
                state,
                outcome,
                of=f" for the outcome {outcome}",
            )
        )

    def _check_mover(self, body: Kernel[..., Any], state: Any) -> None:
        seats = [*range(self.game.seats_of(state))]
        if state.mover not in seats and not (self.game.chance and state.mover == CHANCE):
            chance = f", or CHANCE = {CHANCE}" if self.game.chance else ""
            remedy = "; a game with dice in play says chance=True" if state.mover == CHANCE else ""
            raise contract_error(
                body,
                f"sets state.mover to {state.mover}: expected one of {seats}, the seat to decide{chance}{remedy}",
            )


def _random_state(body: Kernel[..., Any], result: Any) -> int:
    expect(
        body, is_whole(result) and 0 < result < 2**32, result, "expected the next random state, from next_luck(luck)"
    )
    return int(result)


def _checked(body: Kernel[..., Any] | None, check: Callable[..., Any]) -> Any:
    """A kernel that calls `check(body, *arguments)`; itself where it checks itself already, None for None."""
    if body is None or isinstance(body, CheckedKernel):
        return body
    return CheckedKernel(body, functools.partial(check, body))


def _checked_number(body: Kernel[..., Any] | None, name: str, fits: Callable[[Any], bool], expected: str) -> Any:
    """A kernel that must give a number that fits, and not change its first argument, called `name`."""
    return _checked(body, lambda body, *arguments: float(value_of(body, name, fits, expected, *arguments)))


def checked_rule(body: Kernel[..., Any]) -> Kernel[..., Any]:
    """A rule that must give a finite number, and change nothing."""
    return _checked_number(body, "view", is_number, "expected a finite number, or a bool")


def checked_progress(body: Kernel[..., Any] | None) -> Kernel[..., Any] | None:
    """A rule set's `progress`, if it has one, that must be in 0..1."""
    return _checked_number(
        body,
        "view",
        lambda result: is_number(result) and -ROUNDING <= result <= 1 + ROUNDING,
        "expected a number from 0 to 1 (min(max(..., 0.0), 1.0) keeps it)",
    )


def checked_facts(body: Kernel[..., Any] | None, observed: np.dtype[Any]) -> Kernel[..., Any] | None:
    """A rule set's `facts` or `consider`, if it has one, that may write the set's own fields and nothing observed."""

    def check(body: Kernel[..., Any], view: Any, *item: int) -> None:
        before = {name: np.copy(view[name]) for name in observed.names or ()}
        call(body, view, *item)
        for name, value in before.items():
            require(
                body,
                np.array_equal(view[name], value),
                f"changes view.{name}, which was observed: write into `fields` of the rule set",
            )

    return _checked(body, check)


def checked_choice(body: Kernel[..., Any]) -> CheckedKernel:
    """A compiled player's `choose` that must give one of the legal moves."""

    def check(body: Kernel[..., Any], view: Any, moves: Any, n: int, *more: Any) -> int:
        legal = moves[:n].tolist()
        result = call(body, view, moves, n, *more)
        require(
            body,
            is_whole(result) and result in legal,
            f"chooses {described(result)}, which is not a legal move: expected one of {legal}",
        )
        return int(result)

    return _checked(body, check)


def check_kernel(where: str, name: str, body: Any, count: int) -> None:
    """Raise UsageError unless a part of a game or rule set is a kernel with `count` parameters, or None."""
    if body is None:
        return
    if isinstance(body, types.FunctionType):
        raise UsageError(f"{place_of(body)}: `{body.__name__}` is a plain function: put @kernel on it")
    if not isinstance(body, Kernel):
        raise UsageError(f"{where}: expected a function under @kernel as `{name}`, not {body!r}")
    check_parameters(name, without_checks(body).function, count)


def check_parameters(name: str, function: Any, count: int) -> None:
    """Raise CodeError unless a function can be called with `count` arguments."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        takes = f"takes {inspect.signature(function)}: expected {count} parameter{'s' if count > 1 else ''}"
        raise contract_error(function, f"{takes}, as `{name}` has") from None
    except ValueError:  # a function of C without a signature
        pass
