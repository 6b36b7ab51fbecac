"""Kernels: what their fingerprint depends on, and the disk cache between processes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import textwrap
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import yaml

from rulebots.errors import FileError
from rulebots.game import Game
from rulebots.kernel import Kernel, compiling, decorator, kernel
from rulebots.packages.rule_sets import load_rules
from rulebots.play.loop import advance_kernel, compiled_advance
from rulebots.players import style_of
from rulebots.players.compiled import compiled_for
from rulebots.rules.scoring import built

needs_numba = pytest.mark.compiled

ORIGINAL = {
    "doc": '"""Twice and some."""',
    "limit": "3",
    "table": "(1, 2)",
    "helper": "x + LIMIT",
    "default": "1",
    "comment": "",
}

SOURCE = """
import numpy as np
from rulebots.kernel import kernel

LIMIT = {limit}
TABLE = np.array({table})

@kernel
def helper(x, step={default}):
    return {helper} + step

@kernel
def outer(x):
    {doc}
    {comment}
    return 2 * helper(x) + TABLE[0]
"""


def written(**changes: str) -> Kernel[..., Any]:
    """The kernel `outer` of the source above, as if it stood in a file."""
    namespace: dict[str, Any] = {"__name__": "written"}
    exec(SOURCE.format(**(ORIGINAL | changes)), namespace)  # noqa: S102 - the text stands above
    outer: Kernel[..., Any] = namespace["outer"]
    return outer


def test_calling_a_kernel_runs_its_source() -> None:
    @kernel
    def half(x: int) -> Any:
        return f"{x}: {type(x).__name__}"  # beyond Numba

    assert half(3) == "3: int"
    assert half.__name__ == "half"


@kernel
def collatz(n: int) -> int:
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def test_compiled_gives_the_same() -> None:
    assert collatz(27) == collatz.compiled(27) == 111


@needs_numba
def test_a_kernel_that_stands_in_no_file_can_be_compiled() -> None:
    """As in `python -c`, at the prompt, in a doctest."""
    outer = written()
    assert outer(5) == outer.compiled(5) == 2 * (5 + 3 + 1) + 1


@pytest.mark.parametrize(
    "change",
    [
        {"limit": "4"},
        {"limit": "3.0"},
        {"table": "(7, 2)"},
        {"table": "(1.0, 2.0)"},
        {"helper": "x - LIMIT"},
        {"helper": "x + LIMIT + 0"},
    ],
    ids=str,
)
def test_the_fingerprint_changes_with_a_called_kernel_and_with_what_it_reads(change: dict[str, str]) -> None:
    assert written(**change).fingerprint != written().fingerprint


@pytest.mark.parametrize(
    "change",
    [{}, {"doc": '"""Said in another way."""'}, {"comment": "# why"}, {"comment": "\n\n"}],
    ids=str,
)
def test_the_fingerprint_does_not_change_with_words(change: dict[str, str]) -> None:
    assert written(**change).fingerprint == written().fingerprint


def test_the_fingerprint_sees_what_a_closure_holds() -> None:
    def made(amount: int) -> Kernel[..., int]:
        @kernel
        def add(x: int) -> int:
            return x + amount

        return add

    assert made(1).fingerprint == made(1).fingerprint
    assert made(1).fingerprint != made(2).fingerprint
    assert (made(1).compiled(1), made(2).compiled(1)) == (2, 3)


def test_the_fingerprint_sees_a_default_argument() -> None:
    assert written(default="2").fingerprint != written().fingerprint


LAW = """
from rulebots.kernel import kernel

LIMIT = 3

@kernel
def law(x):
    return x + LIMIT
"""
CALLER = """
import law
from law import law as rule
from rulebots.kernel import kernel

@kernel
def caller(x):
    return 10 * rule(x)

@kernel
def through_module(x):
    return 10 * law.law(x)
"""
MAIN = """
from caller import caller, through_module
print(caller.compiled(1), through_module.compiled(1), sum(caller.compiled.stats.cache_hits.values()))
"""


def process(folder: Path, code: str) -> str:
    """What a new Python process prints that runs the code among the folder's modules, with a cache of its own."""
    environment = os.environ | {
        "RULEBOTS_CACHE": str(folder / "cache"),
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    environment.pop("NUMBA_DISABLE_JIT", None)
    command = [sys.executable, "-c", textwrap.dedent(code)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False, cwd=folder)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


@pytest.mark.slow
def test_an_edit_in_a_called_file_is_seen_and_without_one_the_cache_is_hit(tmp_path: Path) -> None:
    (tmp_path / "law.py").write_text(LAW)
    (tmp_path / "caller.py").write_text(CALLER)
    assert process(tmp_path, MAIN) == "40 40 0"
    kept = sorted(tmp_path.glob("cache/**/*.nb*"))
    assert len(kept) == 2  # one for each kernel that Python called
    assert process(tmp_path, MAIN) == "40 40 1"
    assert sorted(tmp_path.glob("cache/**/*.nb*")) == kept
    (tmp_path / "law.py").write_text(LAW.replace("LIMIT = 3", "LIMIT = 4"))
    assert process(tmp_path, MAIN) == "50 50 0"
    (tmp_path / "law.py").write_text(LAW.replace("x + LIMIT", "x * LIMIT"))
    assert process(tmp_path, MAIN) == "30 30 0"
    (tmp_path / "law.py").write_text(LAW)
    assert process(tmp_path, MAIN) == "40 40 1"


DOTTED = """
import collections
import mypkg.consts
import mypkg.helpers
from rulebots.kernel import kernel

Pair = collections.namedtuple("Pair", "a b")
PAIR = Pair(3, 4)

@kernel
def dotted(x):
    return mypkg.consts.BONUS + mypkg.helpers.amount(x) + PAIR.a
"""
DOTTED_MAIN = "from dotted import dotted as d; print(d(1), d.compiled(1), sum(d.compiled.stats.cache_hits.values()))"


@pytest.mark.slow
def test_an_edit_behind_dots_is_seen(tmp_path: Path) -> None:
    (tmp_path / "mypkg").mkdir()
    helpers = "from rulebots.kernel import kernel\n\n@kernel\ndef amount(x):\n    return x + 20\n"
    files = {"mypkg/__init__.py": "", "mypkg/consts.py": "BONUS = 100\n", "mypkg/helpers.py": helpers}
    for name, text in (files | {"dotted.py": DOTTED}).items():
        (tmp_path / name).write_text(text)
    assert process(tmp_path, DOTTED_MAIN) == "124 124 0"
    assert process(tmp_path, DOTTED_MAIN) == "124 124 1"
    (tmp_path / "mypkg/consts.py").write_text("BONUS = 200\n")
    assert process(tmp_path, DOTTED_MAIN) == "224 224 0"
    (tmp_path / "mypkg/helpers.py").write_text(helpers.replace("20", "30"))
    assert process(tmp_path, DOTTED_MAIN) == "234 234 0"
    (tmp_path / "dotted.py").write_text(DOTTED.replace("a b", "b a"))
    assert process(tmp_path, DOTTED_MAIN) == "235 235 0"


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_is_replaced_by_a_temporary_one(tmp_path: Path) -> None:
    (tmp_path / "law.py").write_text(LAW)
    (tmp_path / "cache").write_text("a file stands where the folder should be")
    assert process(tmp_path, "from law import law; print(law.compiled(1))") == "4"


def test_under_numba_disable_jit_nothing_is_compiled() -> None:
    code = "from rulebots.game.random_numbers import next_luck; next_luck.compiled(5)"
    code = f"import sys; {code}; sys.exit('numba' in sys.modules)"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False, timeout=60).returncode == 0


@kernel
def first_half(numbers: Any) -> Any:
    """Another view of the same array."""
    return numbers[: numbers.shape[0] // 2]


@kernel
def total(numbers: Any) -> float:
    """A view is made, and no array."""
    half, result = numbers[: numbers.shape[0] // 2], 0.0
    for i in range(half.shape[0]):
        result += half[i]
    return result


@kernel
def doubled(numbers: Any) -> float:
    """An array is made, and gone at the end."""
    return (numbers + numbers).sum()


@needs_numba
@pytest.mark.parametrize("body", [first_half, total, doubled])
def test_what_a_kernel_makes_is_given_back_whether_references_are_counted_or_not(body: Kernel[..., Any]) -> None:
    numbers = np.arange(1e5)
    assert body.obstacle(numbers) is None
    assert np.array_equal(body.compiled(numbers), body(numbers))
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(500):
        body.compiled(numbers)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before  # 400 MB, were it kept
    assert grown < 50_000


@needs_numba
def test_what_the_players_of_a_game_are_compiled_to_is_kept_on_disk(lost_cities: Game) -> None:
    """Or every process would compile it anew."""
    for name in ("standard", "shelly", "sheppard"):
        style = style_of(load_rules(name, lost_cities))
        compiled_advance(style)
        assert advance_kernel(style).is_kept, name


@kernel
def of_an_array(n: int) -> int:
    squares = np.zeros(n, np.int32)
    for i in range(n):
        squares[i] = collatz(i + 1)
    return squares.max()


@needs_numba
def test_a_kernel_that_makes_an_array_is_kept_on_disk_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.kernel.decorator.cache_folder", lambda: tmp_path)
    body = Kernel(of_an_array.function)
    assert body.obstacle(3) is None
    assert [file.name.split("-")[0] for file in body.folder.iterdir()] == ["counted"]
    again = Kernel(of_an_array.function)
    assert again.obstacle(3) is None
    assert sum(again.compiled.stats.cache_hits.values()) == 1
    assert again.compiled(3) == body.compiled(3) == 7


def files_of(body: Kernel[..., Any]) -> list[Path]:
    return sorted(body.folder.glob("*.nbc"))


@needs_numba
def test_damaged_machine_code_is_as_good_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.kernel.decorator.cache_folder", lambda: tmp_path)
    body = Kernel(collatz.function)
    assert body.obstacle(27) is None
    (file,) = files_of(body)
    sound = file.read_bytes()
    for damaged in (b"", sound[:-1], sound[:-1] + bytes([sound[-1] ^ 1])):
        file.write_bytes(damaged)
        again = Kernel(collatz.function)
        assert not again.is_kept
        assert files_of(again) == []
        assert again.obstacle(27) is None
        assert again.is_kept


@needs_numba
def test_machine_code_for_another_processor_is_as_good_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.kernel.decorator.cache_folder", lambda: tmp_path)
    body = Kernel(collatz.function)
    assert body.obstacle(27) is None
    monkeypatch.setattr("rulebots.kernel.numba_backend.processor", lambda: "another")
    assert not Kernel(collatz.function).is_kept


@needs_numba
def test_a_script_is_told_of_what_compiles_for_seconds() -> None:
    code = (
        "import rulebots.kernel.decorator as k; k.BYTES_A_SECOND = {True: 1, False: 1}\n"
        "from test_decorator import collatz\n"
        "print(collatz.obstacle(27))"
    )
    here = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with tempfile.TemporaryDirectory() as cache:
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**here, "RULEBOTS_CACHE": cache},
            capture_output=True,
            text=True,
            check=True,
        )
    assert done.stdout == "None\n"
    assert re.fullmatch(r"compiling test_decorator\.collatz: about \d+ s, only the first time\n", done.stderr)


@kernel
def doubled(number: int) -> int:
    return 2 * number


@kernel
def halved_while_even(number: int) -> int:
    while number % 2 == 0:
        number //= 2
    return number


@kernel
def calls_both(number: int) -> int:
    return doubled(number) + halved_while_even(number)


@kernel
def calls_one_twice(number: int) -> int:
    return doubled(number) + doubled(number)


def test_the_estimate_counts_what_is_compiled_apart_and_what_is_written_into_its_callers() -> None:
    small = len(doubled.function.__code__.co_code) / decorator.BYTES_A_SECOND[True]
    assert doubled.seconds_to_compile == pytest.approx(small)
    assert halved_while_even.seconds_to_compile > decorator.SECONDS_APART
    whole = calls_both.seconds_to_compile
    assert whole > doubled.seconds_to_compile + halved_while_even.seconds_to_compile
    assert calls_one_twice.seconds_to_compile < decorator.SECONDS_APART


@pytest.mark.parametrize(("terms", "forced"), [(30, True), (900, False)])
def test_a_sum_of_hundreds_of_rules_is_not_compiled_again_in_each_of_its_callers(
    terms: int, forced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[bool]()

    def called(function: object, *, forced: bool, **flags: object) -> None:
        asked.append(forced)

    backend = SimpleNamespace(called=called, dispatcher=lambda *_, **__: None)
    monkeypatch.setattr(decorator, "load_numba", lambda: backend)
    summed = " + ".join(f"({' + '.join(f'w[{i}] * number' for i in range(j, j + 30))})" for j in range(0, terms, 30))
    of_many = built(f"def summed(w, number):\n    return {summed}\n", "summed", {})
    score = built(
        "def score(w, number):\n    total = of_many(w, number)\n    return total\n", "score", {"of_many": of_many}
    )
    assert score._linked
    assert asked == [forced, forced]


def test_numba_that_its_own_file_disables_is_not_asked_to_compile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", decorator.LOG.name)
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.delenv("RULEBOTS_DEBUG", raising=False)
    monkeypatch.chdir(tmp_path)
    for text, expected in (("color_scheme: dark_bg\n", True), ("disable_jit: 1\n", False), ("DISABLE_JIT: 0\n", True)):
        Path(decorator.NUMBAS_FILE).write_text(text)
        decorator._off_by_file.cache_clear()
        assert compiling() == compiling() == expected
    decorator._off_by_file.cache_clear()
    assert [message for message in caplog.messages if "interpreted" in message] == [
        "'disable_jit' in .numba_config.yaml: laws and rules run interpreted, up to thousands of times slower"
    ]


def test_a_file_of_numbas_settings_that_is_not_yaml_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(_: str) -> None:
        yaml.safe_load("[[")

    monkeypatch.setattr(decorator.importlib, "import_module", read)
    decorator.load_numba.cache_clear()
    with pytest.raises(
        FileError, match=r"^\.numba_config\.yaml, which Numba reads here, is not valid YAML: while parsing"
    ):
        decorator.load_numba()


def test_where_nothing_compiles_a_style_runs_interpreted_and_says_so_once(
    lost_cities: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Kernel, "obstacle", lambda *_: "not today")
    monkeypatch.setattr(decorator, "compiling", lambda: True)
    style = style_of(load_rules("sheppard", lost_cities))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        compiled_for(style, advance_kernel)
    assert len(told) <= len(style.rules.rules) + len(style.parts)


def test_a_limit_of_addresses_is_told_before_numba_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (500 << 20, resource.RLIM_INFINITY))
    with pytest.raises(FileError, match=r"takes 1,000 MB of addresses, and `ulimit -v` allows 500$"):
        decorator.load_numba.__wrapped__()


def test_what_runs_interpreted_is_called_by_what_people_know_it_as(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kernel, "obstacle", lambda *_: "a class, game.py:7")
    body = written(comment="# no other test says why this one is interpreted")
    body.title = "openings of Nim"
    with pytest.warns(RuntimeWarning, match=r"^openings of Nim runs interpreted, .* \(a class, game.py:7\)$"):
        decorator.runnable(body)


def test_a_function_inside_another_is_announced_without_its_name(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    inner = written(comment="# no other test compiles this one")
    monkeypatch.setattr(inner.function, "__qualname__", "step_kernel.<locals>.step")
    monkeypatch.setattr(type(inner), "seconds_to_compile", 3.0)
    inner._announce()
    assert "<locals>" not in caplog.text
    assert "compiling a part of " in caplog.text
