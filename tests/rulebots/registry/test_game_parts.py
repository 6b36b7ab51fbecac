"""What a game's module of players may say beside its players, and each mistake in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from rulebots.errors import UsageError
from rulebots.registry import game_parts, load_game, parts_of


@pytest.fixture
def searches_of(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The searches of a game whose module of players has these parts."""

    def found(**parts: Any) -> Any:
        made = ModuleType("players")
        made.__file__ = "players.py"
        vars(made).update(parts)
        monkeypatch.setattr(game_parts, "module_of", lambda *_: made)
        return parts_of(replace(load_game("tictactoe"))).searches

    return found


def test_a_game_need_not_bring_searches(searches_of: Callable[..., Any]) -> None:
    assert searches_of() == {}


def test_searches_are_named_with_what_makes_them(searches_of: Callable[..., Any]) -> None:
    assert searches_of(SEARCHES={"deep": dict}) == {"deep": dict}


@pytest.mark.parametrize(
    ("searches", "message"),
    [
        ([], "expected SEARCHES = {name: function}, not \\[\\]"),
        ({"": dict}, "SEARCHES: expected the name of a search, letters and digits, not ''"),
        ({"a:b": dict}, "expected the name of a search, letters and digits, not 'a:b'"),
        ({"deep": 3}, "SEARCHES\\['deep'\\]: expected a class or function whose parameters are the settings, not 3"),
    ],
)
def test_a_mistake_in_searches_is_one_line(searches_of: Callable[..., Any], searches: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        searches_of(SEARCHES=searches)
