"""What a game's module of players may say beside its players, and each mistake in it."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from rulebots.errors import UsageError
from rulebots.registry.game_parts import own_searches


def module(**parts: Any) -> ModuleType:
    made = ModuleType("players")
    made.__file__ = "players.py"
    vars(made).update(parts)
    return made


def test_a_game_need_not_bring_searches() -> None:
    assert own_searches(module()) == {}


def test_searches_are_named_with_what_makes_them() -> None:
    assert own_searches(module(SEARCHES={"deep": dict})) == {"deep": dict}


@pytest.mark.parametrize(
    ("searches", "message"),
    [
        ([], "expected SEARCHES = {name: function}, not \\[\\]"),
        ({"": dict}, "SEARCHES: expected the name of a search, letters and digits, not ''"),
        ({"a:b": dict}, "expected the name of a search, letters and digits, not 'a:b'"),
        ({"deep": 3}, "SEARCHES\\['deep'\\]: expected a class or function whose parameters are the settings, not 3"),
    ],
)
def test_a_mistake_in_searches_is_one_line(searches: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        own_searches(module(SEARCHES=searches))
