"""From a path to a population, or to the problems of the file."""

import subprocess
import sys
from types import SimpleNamespace

import pytest
from hypothesis import given, settings, strategies as st
from population_texts import GAME, GOOD, SHELLY

from rulebots.errors import UsageError
from rulebots.files.plain_yaml import Items, parse
from rulebots.packages.population import (
    Entry,
    Population,
    PopulationError,
    Reader,
    check_population,
    load_population,
    population_file,
    population_text,
)
from rulebots.packages.population.population_file import reader_of


def test_a_byte_order_mark_and_windows_lines_are_read(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + ("# hello\n" + GOOD).replace("\n", "\r\n").encode())
    assert load_population(path).comment == "hello"


def test_a_binary_file(problems_of):
    assert problems_of(b"\x89PNG\r\n\x1a\n\0\0\0") == [
        "p.yaml: expected a population file, text in UTF-8, not a binary file"
    ]


def test_a_file_too_large(problems_of):
    assert problems_of(b"#" * 10_000_000) == ["p.yaml: expected a population file, not more than 2 MB"]


def test_files_that_are_not_there(tmp_path):
    assert [str(p) for p in check_population(tmp_path / "no.yaml")] == [f"{tmp_path}/no.yaml: there is no such file"]
    assert [str(p) for p in check_population(tmp_path)] == [f"{tmp_path}: expected a population file, not a folder"]
    assert [p.message for p in check_population("a\0b")] == ["cannot read it: embedded null byte"]


def test_a_file_cut_short_anywhere_is_never_a_traceback(problems_of):
    text = population_text(Population(GAME, SHELLY, {"a": Entry(SHELLY.hand_tuned())}))
    for end in range(0, len(text), 97):
        problems_of(text[:end])
    for end in (text.index("[0.6, 0.8") + 5, text.index("low_card:") + 4):
        found = problems_of(text[:end])
        lines = text[:end].split("\n")
        assert len(found) == 1
        place = f"p.yaml:{len(lines)}:{len(lines[-1]) + 1}: "
        assert found[0].startswith(f"{place}the file ends too early, perhaps it was cut short (")


def test_a_bomb_of_aliases_is_refused_at_once(problems_of):
    bomb = "a: &a [x, x]\n" + "".join(f"{c}: &{c} [*{p}, *{p}]\n" for p, c in zip("abcdefg", "bcdefgh", strict=True))
    assert problems_of(bomb) == ["p.yaml:1:4: anchors and aliases (&a) are not read: write the values out"]


fragments = st.sampled_from(
    [
        *"\n\n\n  :-[]{},\"'#&*!|>%@`~\t\ufeff\x85\u2028\0",
        *(
            "a",
            "- ",
            ": ",
            "--- ",
            '"\\UFFFFFFFF"',
            "1",
            ".nan",
            "!ruby/object:A",
            "prules:",
            "drules:",
            "rule_inSequence:",
        ),
        *("Rules::PlayLowestFirst", "format: rulebots-population/1\n", "game: lost-cities\n", "rules: shelly\n"),
        *("players:", "weights:", "play:", "low_card:"),
    ]
)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode) | st.lists(fragments).map("".join))
def test_arbitrary_input_gives_a_population_or_its_problems(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "arbitrary.yaml"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    problems = check_population(path)
    if problems:
        with pytest.raises(PopulationError) as error:
            load_population(path)
        assert str(error.value) == str(problems[0])
    else:
        assert isinstance(load_population(path), Population)


def test_reading_imports_no_numba(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(GOOD)
    code = (
        "import sys; from rulebots.packages.population import *; from rulebots.packages.players import BredPlayer\n"
        "from rulebots.packages.players import player_names\n"
        f"assert check_population({str(path)!r}) == []; p = load_population({str(path)!r})\n"
        "population_text(p); schema(p.game); player_names(p.game); BredPlayer(sys.argv[1])\n"
        "assert 'numba' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == 0


LISTS = Reader(lambda root: isinstance(root, Items), lambda *_: pytest.fail("nobody asked it to read"))
EVERYTHING = Reader(lambda root: True, lambda *_: pytest.fail("nobody asked it to read"))


@pytest.fixture
def _three_games(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"lists": SimpleNamespace(readers=(LISTS,)), "no-readers": SimpleNamespace(readers=())}

    def load_package(game: str) -> SimpleNamespace:
        if game not in known:
            raise UsageError("it cannot be imported")
        return known[game]

    monkeypatch.setattr(population_file, "game_names", lambda: ("broken", "lists", "no-readers"))
    monkeypatch.setattr(population_file, "load_package", load_package)


@pytest.mark.usefixtures("_three_games")
def test_a_reader_is_found_by_what_it_recognizes() -> None:
    assert reader_of(parse("[1, 2]")) is LISTS
    assert reader_of(parse("a: 1")) is None


@pytest.mark.usefixtures("_three_games")
def test_the_layout_with_a_format_is_nobody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    every = SimpleNamespace(readers=(EVERYTHING,))
    monkeypatch.setattr(population_file, "load_package", lambda name: every)
    assert reader_of(parse("prules: {}\nformat: rulebots-population/1")) is None
    assert reader_of(parse("prules: {}")) is EVERYTHING
