"""Layouts of other programs are asked for in every game, and only where a file is not of our own layout."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from rulebots.errors import UsageError
from rulebots.files.yaml_reading import Items, parse
from rulebots.players.population import foreign
from rulebots.players.population.foreign import Reader, reader_of

LISTS = Reader(lambda root: isinstance(root, Items), lambda *_: pytest.fail("nobody asked it to read"))
EVERYTHING = Reader(lambda root: True, lambda *_: pytest.fail("nobody asked it to read"))


@pytest.fixture(autouse=True)
def _three_games(monkeypatch: pytest.MonkeyPatch) -> None:
    modules = {"lists": SimpleNamespace(READERS=(LISTS,)), "no-readers": SimpleNamespace()}

    def module_of(game: str, part: str) -> SimpleNamespace:
        assert part == "rules"
        if game not in modules:
            raise UsageError("it cannot be imported")
        return modules[game]

    monkeypatch.setattr(foreign, "game_names", lambda: ("broken", "lists", "no-readers"))
    monkeypatch.setattr(foreign, "module_of", module_of)


def test_a_reader_is_found_by_what_it_recognizes() -> None:
    assert reader_of(parse("[1, 2]")) is LISTS
    assert reader_of(parse("a: 1")) is None


def test_our_own_layout_is_nobody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "_readers", lambda: iter([EVERYTHING]))
    assert reader_of(parse("prules: {}\nformat: rulebots-population/1")) is None
    assert reader_of(parse("prules: {}")) is EVERYTHING
