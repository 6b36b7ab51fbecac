"""One identity: what changes what is computed changes the fingerprint, and nothing else does."""

from __future__ import annotations

import enum
import functools
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rulebots.fingerprint import fingerprint, known, toolchain
from rulebots.game import Game, load_game
from rulebots.kernel import Kernel, kernel
from rulebots.players import Player, RulePlayer
from rulebots.players.names import make_player


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@dataclass(frozen=True)
class Budget:
    plies: int
    shares: tuple[float, ...] = ()


def long_array(last: int) -> np.ndarray[Any, Any]:
    """Longer than NumPy's `repr` shows."""
    numbers = np.zeros(5000, np.int64)
    numbers[2500] = last
    return numbers


def holding(value: Any) -> Kernel[..., Any]:
    @kernel
    def look() -> Any:
        return value

    return look


VALUES: list[Callable[[int], Any]] = [
    lambda n: n,
    lambda n: n / 10,
    str,
    lambda n: bytes([n]),
    lambda n: frozenset({n, "a", "b"}),
    lambda n: {"a": {"b": {"c": n}}},
    lambda n: [1, [2, [n]]],
    range,
    lambda n: slice(0, n),
    lambda n: (1, long_array(n)),
    long_array,
    lambda n: [np.array([object, n], object)],
    np.float32,
    lambda n: np.dtype([("a", np.int64, n)]),
    Colour,
    Budget,
    lambda n: Budget(1, (0.5, n)),
    lambda n: functools.partial(max, n),
    lambda n: functools.partial(min if n == 1 else max, 1),
    holding,
    lambda n: (holding(n), holding(3)),
    lambda n: Path(f"{n}.yaml"),
    lambda n: (int, float)[n - 1],
]


@pytest.mark.parametrize("make", VALUES, ids=range(len(VALUES)))
def test_a_value_takes_part_wherever_it_is(make: Callable[[int], Any]) -> None:
    assert fingerprint(make(1)) == fingerprint(make(1))
    assert fingerprint(make(1)) != fingerprint(make(2))
    assert holding(make(1)).fingerprint == holding(make(1)).fingerprint
    assert holding(make(1)).fingerprint != holding(make(2)).fingerprint
    assert known(holding(make(1)).function)


def test_kinds_of_numbers_are_told_apart() -> None:
    kinds = [1, True, 1.0, "1", np.int64(1), np.int32(1), np.float64(1), np.array(1), (1,), [1], frozenset({1})]
    assert len({fingerprint(value) for value in kinds}) == len(kinds)


def test_what_cannot_be_looked_into_is_never_the_same() -> None:
    lock = threading.Lock()
    assert not known(holding(lock).function)
    assert holding(lock).fingerprint != holding(threading.Lock()).fingerprint


def test_it_makes_no_difference_whether_equal_things_are_one() -> None:
    budget = Budget(3, (1.0,))
    assert fingerprint((budget, budget)) == fingerprint((Budget(3, (1.0,)), Budget(3, (1.0,))))


def test_what_holds_itself_has_a_fingerprint() -> None:
    one: list[Any] = [1]
    one.append(one)
    assert fingerprint(one) == fingerprint(one)


def test_nested_code_takes_part() -> None:
    def made(amount: int, *, times: bool) -> Kernel[..., Any]:
        @kernel
        def added(x: int) -> Any:
            return [i + amount for i in range(x)]

        @kernel
        def multiplied(x: int) -> Any:
            return [i * amount for i in range(x)]

        multiplied.function.__name__ = "added"
        return multiplied if times else added

    prints = {made(n, times=times).fingerprint for n in (1, 2) for times in (False, True)}
    assert len(prints) == 4


def test_an_attribute_is_no_global_of_that_name() -> None:
    """`view.Colour` reads a field; the module's `Colour` takes no part."""

    @kernel
    def field(view: Any) -> Any:
        return view.Colour

    assert [f.__qualname__ for f in functions_of(field)] == [field.__qualname__]


def functions_of(body: Kernel[..., Any]) -> list[Any]:
    from rulebots.fingerprint import taking_part

    return taking_part(body)


@pytest.fixture(scope="module")
def kalah() -> Game:
    return load_game("kalah")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("minimax:depth=2", "minimax:depth=3"),
        ("minimax:depth=2", "random"),
        ("mcts:iterations=100", "mcts:iterations=101"),
        ("mcts:iterations=100", "mcts:iterations=100,rollout=standard"),
        ("standard", "champion"),
    ],
)
def test_players_that_play_differently(kalah: Game, one: str, other: str) -> None:
    assert fingerprint(make_player(one, kalah)) == fingerprint(make_player(one, kalah))
    assert fingerprint(make_player(one, kalah)) != fingerprint(make_player(other, kalah))


def test_weights_take_part_and_names_do_not(kalah: Game) -> None:
    rules = kalah.rule_set()
    weights = rules.hand_tuned()
    player = RulePlayer(rules, weights, "one")
    assert fingerprint(player) == fingerprint(RulePlayer(rules, weights.copy(), "other"))
    changed = weights.copy()
    changed[1, -1] += 1e-12
    assert fingerprint(player) != fingerprint(RulePlayer(rules, changed, "one"))


class Asking(Player):
    """A player with another inside."""

    def __init__(self, game: Game, inner: Player) -> None:
        super().__init__(game, "asking")
        self.inner = inner

    def choose(self, seen: Any, moves: Any) -> int:
        return self.inner.choose(seen, moves)


def test_players_inside_take_part(kalah: Game) -> None:
    names = ("random", "minimax:depth=2", "minimax:depth=3")
    assert len({fingerprint(Asking(kalah, make_player(name, kalah))) for name in names}) == len(names)


def test_a_game_is_its_law(kalah: Game) -> None:
    from dataclasses import replace

    assert fingerprint(kalah) == fingerprint(replace(kalah, title="Another name", opening_plies=5))
    assert fingerprint(kalah) != fingerprint(replace(kalah, ply_cap=kalah.ply_cap + 1))
    assert fingerprint(kalah) != fingerprint(replace(kalah, points=kalah.over))


PLAYER = """
from rulebots.game import load_game
from rulebots.players import Player

def chosen(moves):
    return moves[{index}]

class Own(Player):
    {comment}
    def choose(self, seen, moves):
        return chosen(moves)

from rulebots.fingerprint import fingerprint
print(fingerprint(Own(load_game("tictactoe"), "own")))
"""


def print_of(folder: Path, **changes: Any) -> str:
    """The fingerprint of a player of somebody's own file, in a new process."""
    file = folder / "own.py"
    file.write_text(PLAYER.format(**{"index": 0, "comment": "", **changes}))
    environment = {**os.environ, "PYTHONHASHSEED": str(len(str(changes)))}
    command = [sys.executable, str(file)]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=60).stdout


def test_code_that_a_player_of_one_s_own_calls_takes_part(tmp_path: Path) -> None:
    before = print_of(tmp_path)
    assert print_of(tmp_path, comment="# a comment, and another hash seed") == before
    assert print_of(tmp_path, index=-1) != before


def test_what_compiles_is_named_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    toolchain.cache_clear()
    before = toolchain()
    names = set()
    for name in ("NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_DEBUGINFO", "NUMBA_CPU_FEATURES", "NUMBA_ANYTHING_NEW"):
        with monkeypatch.context() as context:
            context.setenv(name, "1")
            toolchain.cache_clear()
            names.add(toolchain())
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/elsewhere")
    toolchain.cache_clear()
    assert toolchain() == before
    assert len(names - {before}) == 5
    toolchain.cache_clear()
