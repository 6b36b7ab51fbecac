"""Work in threads of its own."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import pytest

from rulebots.errors import UsageError
from rulebots.games.tictactoe import game
from rulebots.packages.players import make_player
from rulebots.play.background import BackgroundWork, Preparation


@dataclass
class Failing(BackgroundWork):
    error_of_work: Exception | None = None
    order: list[str] = field(default_factory=list)

    def work(self) -> None:
        self.order.append("work")
        if self.error_of_work is not None:
            raise self.error_of_work


@pytest.mark.parametrize(
    ("error", "fault"),
    [(None, ""), (UsageError("not so"), "not so"), (KeyError("a bug"), "a bug")],
)
def test_work_ends_with_what_follows_from_it_and_a_line_for_a_fault(error: Exception | None, fault: str) -> None:
    work = Failing(error)
    work.start(then=lambda: work.order.append(f"then, {'done' if work.done.is_set() else 'not done'}"))
    assert work.done.wait(10)
    assert work.order == ["work", "then, not done"]
    assert fault in work.fault
    assert str(work.error or "") == work.fault
    assert "\n" not in work.fault
    assert work.version == 1


@pytest.mark.parametrize("name", ["champion", "careless:player=champion", "mcts:power=1"])
def test_players_are_made_first_and_compiled_then(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has made a mistake in a name need not wait for a compiler."""
    may, warmed = threading.Event(), list[str]()

    def warm_up(player: object, **_: bool) -> None:
        assert may.wait(10)
        warmed.append(type(player).__name__)

    monkeypatch.setattr("rulebots.play.background.compiling", lambda: True)
    monkeypatch.setattr("rulebots.play.background.warm_up", warm_up)
    preparation = Preparation(lambda: ([None, make_player(name, game)], ""))
    preparation.start()
    assert preparation.made.wait(10)
    assert (preparation.done.is_set(), warmed) == (False, [])
    may.set()
    assert preparation.done.wait(10)
    assert len(warmed) == 1
    assert "Careless" not in warmed[0], "what it guides is compiled"


def test_players_that_cannot_be_made_are_known_at_once() -> None:
    preparation = Preparation(lambda: ([make_player("nobody", game)], ""))
    preparation.start()
    assert preparation.made.wait(10)
    assert preparation.done.wait(10)
    assert "no player 'nobody'" in preparation.fault
