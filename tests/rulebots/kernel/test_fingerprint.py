"""One identity: what changes what is computed changes the fingerprint, and nothing else does."""

from __future__ import annotations

import enum
import functools
import importlib
import os
import subprocess
import sys
import threading
import types
import weakref
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from rulebots.game import Game
from rulebots.kernel import Kernel, kernel
from rulebots.kernel.fingerprint import fingerprint, lookups_of, toolchain
from rulebots.packages import load_game
from rulebots.packages.players import bring_player, make_player
from rulebots.packages.rule_sets import load_rules
from rulebots.players import Player, RulePlayer


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
    assert holding(make(1)).whole.known


def test_kinds_of_numbers_are_told_apart() -> None:
    kinds = [1, True, 1.0, "1", np.int64(1), np.int32(1), np.float64(1), np.array(1), (1,), [1], frozenset({1})]
    assert len({fingerprint(value) for value in kinds}) == len(kinds)


def test_what_cannot_be_looked_into_is_never_the_same() -> None:
    lock = threading.Lock()
    assert not holding(lock).whole.known
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


def functions_of(body: Kernel[..., Any]) -> list[Any]:
    return body.whole.functions


def package(bonus: int) -> types.ModuleType:
    """A package with submodules, and what they hold one level deeper."""
    whole, consts, helpers, deep = (types.ModuleType(f"mypkg{end}") for end in ("", ".consts", ".helpers", ".deep"))
    whole.consts, whole.helpers, helpers.deep, helpers.numpy = consts, helpers, deep, np  # type: ignore[attr-defined]
    consts.BONUS = deep.TABLE = bonus  # type: ignore[attr-defined]
    consts.UNREAD = object()  # type: ignore[attr-defined]
    helpers.amount = holding(bonus)  # type: ignore[attr-defined]
    return whole


DOTTED = [
    "mypkg.consts.BONUS",
    "mypkg.helpers.amount()",
    "mypkg.helpers.deep.TABLE",
    "[mypkg.consts.BONUS for _ in range(2)]",
]
ELSEWHERE = ["(lambda m: m.BONUS)(mypkg.consts)", "[m.BONUS for m in (mypkg.consts,)]", "(mypkg if 1 else 2).consts"]


def reading(expression: str, bonus: int, *, closure: bool = False) -> Any:
    """A function that reads a package by dots."""
    source = f"def look(): return {expression}"
    if closure:
        source = f"def made(mypkg):\n def look(): return {expression}\n return look\nlook = made(mypkg)"
    space: dict[str, Any] = {"__name__": "reading", "mypkg": package(bonus)}
    exec(source, space)  # noqa: S102 - the text stands above
    return space["look"]


@pytest.mark.parametrize("closure", [False, True])
@pytest.mark.parametrize("expression", DOTTED)
def test_what_is_read_through_modules_takes_part(expression: str, closure: bool) -> None:
    prints = [fingerprint(kernel(reading(expression, bonus, closure=closure))) for bonus in (1, 1, 2)]
    assert prints[0] == prints[1] != prints[2]
    assert kernel(reading(expression, 1, closure=closure)).whole.known


@pytest.mark.parametrize("expression", [*ELSEWHERE, "mypkg.consts.LATER", "mypkg.later.BONUS", "later"])
def test_a_kernel_with_a_module_that_goes_elsewhere_is_not_kept(expression: str) -> None:
    look = reading(expression, 1)
    assert not kernel(look).whole.known
    assert kernel(look).fingerprint != kernel(reading(expression, 1)).fingerprint


def test_a_module_that_a_kernel_holds_is_not_known() -> None:
    assert not holding((package(1),)).whole.known
    assert holding((np,)).whole.known


@pytest.mark.parametrize("expression", DOTTED)
def test_what_a_player_reads_through_modules_takes_part(kalah: Game, expression: str) -> None:
    def player(bonus: int) -> Player:
        return type("Reading", (Player,), {"__module__": __name__, "choose": reading(expression, bonus)})(kalah, "own")

    assert fingerprint(player(1)) == fingerprint(player(1)) != fingerprint(player(2))


def test_what_a_module_holds_and_nobody_reads_takes_no_part() -> None:
    one, other = reading("mypkg.consts.BONUS", 1), reading("mypkg.consts.BONUS", 1)
    other.__globals__["mypkg"].helpers.amount = holding(5)
    assert fingerprint(one) == fingerprint(other)


def pair(names: str, name: str = "Pair") -> Any:
    return namedtuple(name, names)  # noqa: PYI024 - the old way


def record(names: str) -> Any:
    return make_dataclass("Record", names.split(), namespace={"__module__": __name__})


@pytest.mark.parametrize("make", [pair, record])
def test_the_order_of_fields_takes_part(make: Callable[[str], Any]) -> None:
    assert fingerprint(make("a b")) == fingerprint(make("a b")) != fingerprint(make("b a"))
    assert holding(make("a b")).fingerprint != holding(make("b a")).fingerprint
    assert holding(make("a b")(1, 1)).fingerprint == holding(make("a b")(1, 1)).fingerprint
    assert holding(make("a b")(1, 1)).fingerprint != holding(make("b a")(1, 1)).fingerprint
    assert holding(make("a b")(1, 1)).whole.known


def test_a_namedtuple_is_no_other_and_can_be_imported() -> None:
    first = holding(pair("a b")(1, 2))
    assert first.fingerprint != holding(pair("a b", "Other")(1, 2)).fingerprint
    assert {f.__module__ for f in (*functions_of(first), *functions_of(holding(pair("a b"))))} == {__name__}


def test_what_has_slots_has_its_values_in_the_fingerprint() -> None:
    class Slotted:
        __slots__ = ("a",)

        def __init__(self, a: int) -> None:
            self.a = a

    assert fingerprint(Slotted(1)) == fingerprint(Slotted(1)) != fingerprint(Slotted(2))


def test_functions_without_a_module_take_part() -> None:
    def holder(result: int) -> Any:
        space: dict[str, Any] = {}
        exec(f"def get(self): return {result}", space)  # noqa: S102 - the text stands above
        space["get"].__module__ = None
        return type("Holder", (), {"__module__": __name__, "get": space["get"]})

    assert fingerprint(holder(1)) == fingerprint(holder(1)) != fingerprint(holder(2))


def test_members_of_an_enum_take_part() -> None:
    kinds = [enum.IntEnum("Kind", names, module=__name__) for names in ("A B", "A B", "B A")]
    prints = [fingerprint(kind) for kind in kinds]
    assert prints[0] == prints[1] != prints[2]


def test_a_cache_of_what_happens_to_be_alive_takes_no_part(kalah: Game) -> None:
    class Caching(Asking):
        FOUND: ClassVar[Any] = weakref.WeakKeyDictionary()

    before = fingerprint(Caching(kalah, make_player("random", kalah)))
    Caching.FOUND[Caching] = 1
    assert fingerprint(Caching(kalah, make_player("random", kalah))) == before


@pytest.fixture(scope="module")
def kalah() -> Game:
    return load_game("kalah")


@pytest.mark.slow
@pytest.mark.interpreted
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
    rules = load_rules(game=kalah)
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
    assert fingerprint(kalah) != fingerprint(replace(kalah, points=kalah.item))


PLAYER = """
import abc, collections, dataclasses, enum, functools, logging, threading, typing
from rulebots.packages import load_game
from rulebots.kernel import kernel
from rulebots.players import Player

def chosen(moves):
    return moves[{index}]

class Able(typing.Protocol):
    def able(self): ...

class Colour(enum.Flag):
    RED = 1
    BLUE = 2

T = typing.TypeVar("T")
Pair = collections.namedtuple("Pair", "a b")

@dataclasses.dataclass
class Record(typing.Generic[T]):
    a: int = 1
    b: list = dataclasses.field(default_factory=list)

@kernel
def added(x):
    return x + {number}

class Own(Player, abc.ABC):
    {comment}
    LOG, LOCK, NOTHING = logging.getLogger("own"), threading.Lock(), object()
    NAMES = {{"a", "b", "c"}}
    Able, Colour, Record, Pair, PAIR, RECORD = Able, Colour, Record, Pair, Pair(1, 2), Record()
    added = added

    @functools.lru_cache(maxsize=5)
    def cached(self):
        return {number}

    def choose(self, seen, moves):
        return chosen(moves)

from rulebots.kernel.fingerprint import fingerprint
print(fingerprint(Own(load_game("tictactoe"), "own")))
"""


def print_of(folder: Path, **changes: Any) -> str:
    """The fingerprint of a player of somebody's own file, in a new process."""
    file = folder / "own.py"
    file.write_text(PLAYER.format(**{"index": 0, "comment": "", "number": 1, **changes}))
    jit = str(len(changes) % 2)
    environment = {**os.environ, "PYTHONHASHSEED": str(len(str(changes))), "NUMBA_DISABLE_JIT": jit}
    command = [sys.executable, str(file)]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=60).stdout


@pytest.mark.slow
def test_code_that_a_player_of_one_s_own_calls_takes_part(tmp_path: Path) -> None:
    before = print_of(tmp_path)
    assert print_of(tmp_path, comment="# a comment, and another hash seed") == before
    assert print_of(tmp_path, index=-1) != before
    assert print_of(tmp_path, number=2) != before


class Lazy(Player):
    """Imports what it calls when it plays."""

    def choose(self, seen: Any, moves: Any) -> int:
        import helper_of_a_player as helper  # type: ignore[import-not-found]  # a test writes it

        return moves[helper.pick(len(moves))]


class Getting(Player):
    """Hands a module on, and reads of it what no byte code names."""

    def choose(self, seen: Any, moves: Any) -> int:
        return moves[getattr(helper, "pi" + "ck")(len(moves))]  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize("kind", [Lazy, Getting])
def test_what_a_player_finds_in_a_module_as_it_plays_takes_part(
    kind: type[Player], kalah: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))

    def print_with(text: str) -> str:
        (tmp_path / "helper_of_a_player.py").write_text(text)
        monkeypatch.delitem(sys.modules, "helper_of_a_player", raising=False)
        importlib.invalidate_caches()
        monkeypatch.setitem(globals(), "helper", importlib.import_module("helper_of_a_player"))
        return fingerprint(kind(kalah, "own"))

    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    text = "TABLE = [0, 1]\n\ndef pick(n):\n    return TABLE[n % 2]\n"
    before = print_with(text)
    assert print_with(text.replace("n):", "n):  # any of them")) == before
    assert print_with(text.replace("[0, 1]", "[1, 0]")) != before
    assert print_with(text.replace("n % 2", "-1 + n % 2")) != before
    monkeypatch.delitem(sys.modules, "helper_of_a_player")


def test_what_else_a_process_has_loaded_takes_no_part(kalah: Game, tmp_path: Path, forget: Callable[[], None]) -> None:
    class Made(Player):
        def __init__(self, game: Game) -> None:
            super().__init__(game, "made")

        def choose(self, seen: Any, moves: Any) -> int:
            return make_player("random", self.game).choose(seen, moves)  # type: ignore[no-any-return, attr-defined]

    before = fingerprint(Made(kalah))
    (tmp_path / "another.py").write_text("from rulebots import Player\n\nclass Another(Player):\n    choose = max\n")
    bring_player(f"{tmp_path / 'another.py'}:Another")
    assert fingerprint(Made(kalah)) == before


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


def code_of(source: str) -> types.CodeType:
    space: dict[str, Any] = {}
    exec(source, space)  # noqa: S102 - the text of a test
    code: types.CodeType = space["look"].__code__
    return code


def test_an_attribute_is_no_global_of_that_name() -> None:
    """`view.Colour` reads a field; the module's `Colour` takes no part."""
    assert lookups_of(code_of("def look(view): return view.Colour")) == {}


def test_attributes_that_follow_a_global_are_its_path() -> None:
    code = code_of("def look(x): return package.part.TABLE[x] + package.amount(x) + half(x).real")
    assert lookups_of(code) == {"package": {("part", "TABLE"), ("amount",)}, "half": {()}}


def test_functions_inside_and_free_variables_are_seen() -> None:
    around = """
def around(kept):
    def look():
        own = 1
        return [kept.size + later(i) + own for i in range(3)]
    return look
look = around(1)
"""
    assert lookups_of(code_of(around)) == {"kept": {("size",)}, "later": {()}, "range": {()}}
