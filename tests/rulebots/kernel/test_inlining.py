"""Small kernels written into their callers: what is computed, and in which order, stays the same.

All of it runs as Python: the function that is handed to Numba is an ordinary function.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rulebots.kernel import Kernel, kernel
from rulebots.kernel.fingerprint import Identity
from rulebots.kernel.inlining import inlined
from rulebots.kernel.source_code import keep_source
from rulebots.packages import game_names, load_game
from rulebots.packages.rule_sets import load_rules
from rulebots.play.deals import draw_deals
from rulebots.play.loop import Batch, BatchArrays, advance_kernel, side_arrays
from rulebots.players import style_of

LIMIT = 7
TABLE = np.array([3, 1, 4, 1, 5, 9, 2, 6])


def function_of(value: object) -> Any:
    return value.function if isinstance(value, Kernel) else None


def written(body: Kernel[..., Any]) -> Callable[..., Any]:
    return inlined(body.function, function_of)


def called(function: Callable[..., Any]) -> set[str]:
    """The kernels that a function still calls."""
    return {name for name in function.__code__.co_names if isinstance(function.__globals__.get(name), Kernel)}


@kernel
def half(x: int) -> int:
    return x // 2


@kernel
def tabled(x: int) -> int:
    place = max(x, 0) % 8
    return TABLE[place] + LIMIT


@kernel
def countdown(n: int) -> int:
    steps = 0
    while n > 0:
        n -= 2
        steps += 1
    return steps


@kernel
def push(log: list[int], value: int) -> int:
    log.append(value)
    return value


@kernel
def latest(log: list[int]) -> int:
    return log[-1]


@kernel
def early_return(x: int) -> int:
    if x > 3:
        return 1
    return 0


@kernel
def stepped(x: int, step: int = 1) -> int:
    return x + step


@kernel
def swapped(a: int, b: int) -> int:
    a, b = b, a
    return 10 * a + b


@kernel
def simple(x: int) -> int:
    return half(x) + tabled(x + 1) * half(tabled(x))


@kernel
def in_conditions(x: int) -> int:
    total = tabled(x) if x > 2 else half(x)
    while half(x) > 1:
        x -= 1
        total += tabled(x) > 4 and half(x)
    return total


@kernel
def looping(x: int) -> int:
    total = countdown(x)
    for i in range(half(x)):
        total += 100 * countdown(i)
        n = countdown(total)
        total += n
    return total + x


@kernel
def ordered(x: int) -> int:
    log = [1]
    total = latest(log) + push(log, x) * latest(log)
    total += push(log, latest(log) + 1) - latest(log)
    value = push(log, total)
    return value + latest(log) + len(log)


@kernel
def assigned(x: int) -> int:
    x = half(x)
    x = x + half(x)
    return swapped(x, half(x)) + swapped(half(x), half(x))


@kernel
def unusual(x: int) -> int:
    values = [half(i) for i in range(x)]
    return sum(values) + stepped(x) + stepped(x, step=2) + early_return(x)


@kernel
def recursive(x: int) -> int:
    return 0 if x <= 0 else 1 + recursive(x - 1)


@kernel
def shadowing(max: int) -> int:  # noqa: A002 - the point of the test
    LIMIT, place = 100, 3  # noqa: N806 - likewise
    return tabled(max) + LIMIT + place + half(max)


@kernel
def emptied(numbers: list[int]) -> int:
    if numbers[0] > 3:
        numbers[0] = 0
        return 1
    return 0


@kernel
def read_again(x: int) -> int:
    numbers = [x]
    total = half(numbers[0]) + emptied(numbers) + half(numbers[0])
    numbers[0] = x
    return total + half(numbers[0]) + emptied(numbers) + (half(numbers[0]) if x > 5 else 0)


ALL = [simple, in_conditions, looping, ordered, assigned, unusual, recursive, shadowing, read_again]


@pytest.mark.parametrize("body", ALL, ids=lambda body: body.__name__)
def test_what_is_written_computes_the_same(body: Kernel[..., int]) -> None:
    for x in range(-3, 12):
        assert written(body)(x) == body(x), x


@pytest.mark.parametrize(
    ("body", "left"),
    [
        (simple, set()),
        (looping, {"countdown"}),
        (assigned, {"swapped"}),
        (ordered, {"push"}),
        (recursive, {"recursive"}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_stays_a_call(body: Kernel[..., int], left: set[str]) -> None:
    assert called(written(body)) <= left


def test_a_call_that_writes_is_made_once_and_in_its_place() -> None:
    log: list[int] = []

    @kernel
    def twice(x: int) -> int:
        return push(log, x) + push(log, x)

    assert written(twice)(4) == 8
    assert log == [4, 4]


def test_what_a_condition_protects_is_not_done_before_it() -> None:
    @kernel
    def inverse(x: int) -> float:
        halved = x / 2
        return 1 / halved

    @kernel
    def careful(x: int) -> float:
        return inverse(x) if x != 0 else 0.0

    assert written(careful)(0) == careful(0) == 0.0
    assert written(careful)(4) == 0.5


def test_a_closure_s_values_are_its_own() -> None:
    def adding(amount: int) -> Kernel[..., int]:
        @kernel
        def add(x: int) -> int:
            return x + amount

        return add

    one, ten = adding(1), adding(10)

    @kernel
    def both(x: int) -> int:
        return one(x) * ten(x)

    assert written(both)(2) == 3 * 12
    assert not called(written(both))


def test_lines_are_those_of_the_caller() -> None:
    lines = {line for _, _, line in written(looping).__code__.co_lines() if line}
    first = looping.function.__code__.co_firstlineno
    assert lines <= set(range(first, first + 10))
    assert written(looping).__code__.co_filename == __file__


def test_a_function_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.kernel.inlining.MOST_NODES", 200)
    bodies = [half]
    for _ in range(12):
        inner = bodies[-1]

        @kernel
        def doubled(x: int, inner: Any = None) -> int:
            return x

        namespace: dict[str, Any] = {"inner": inner}
        source = "def doubled(x):\n    return inner(x) + inner(x + 1)\n"
        name = f"<doubled {len(bodies)}>"
        keep_source(name, source)
        exec(compile(source, name, "exec"), namespace)  # noqa: S102 - the text above
        bodies.append(kernel(namespace["doubled"]))
    function = written(bodies[-1])
    assert function(5) == bodies[-1](5)
    assert len(function.__code__.co_code) < 20_000


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_whole_games_are_the_same(name: str) -> None:
    """Every game's players, as they are handed to Numba, interpreted."""
    game = load_game(name)
    rules = load_rules(game=game)
    style, deals = style_of(rules), draw_deals(game, 1, 3, opening_plies=0)
    boards = []
    for advance in (advance_kernel(style), written(advance_kernel(style))):
        batch = Batch(game, deals.luck.copy(), np.zeros((1, 40), np.int64)).arrays
        game.setup(batch.states[0], deals.cards[0], deals.options)
        side = side_arrays(style, np.zeros((1, deals.seats), np.int64), rules.hand_tuned()[None])
        advance(batch._replace(active=_for_plies(batch, 40)), side)
        boards.append((batch.chosen.tolist(), batch.states.tobytes()))
    assert boards[0] == boards[1]
    functions = Identity(written(advance_kernel(style)), strict=True).functions
    assert len(functions) < len(advance_kernel(style).whole.functions)


def _for_plies(batch: BatchArrays, most: int) -> Any:
    class Active:
        """Games that end after so many plies: whole ones take long, interpreted."""

        def __getitem__(self, g: int) -> bool:
            return bool(batch.plies[g] < most) and self.on

        def __setitem__(self, g: int, on: bool) -> None:
            self.on = on

        on = True

    return Active()


def test_the_readable_form_parses_again() -> None:
    """What `ast.unparse` shows of it is the way to look at what Numba gets."""
    from rulebots.kernel.source_code import definition

    tree = definition(simple.function)
    assert tree is not None
    assert ast.unparse(tree).startswith("@kernel\ndef simple")
