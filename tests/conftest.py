"""What the tests share. Compiled kernels are kept in the user's cache, between tests and runs."""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from user_code_files import H4, KEEP, copy_of_tictactoe

from rulebots.game import Game
from rulebots.kernel import compiling
from rulebots.packages import game_names, games, load_game, named_code, packages
from rulebots.packages.rule_sets import rule_sets_of

# How long an example takes depends on the machine, and on what is compiled: no test is timed.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")


@pytest.fixture(scope="session")
def lost_cities() -> Game:
    return load_game("lost-cities")


@pytest.fixture(autouse=True)
def _brought_games_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A game that a test brings by its place is known in that test alone: pages list all that are known.

    So are its parts, as two tests may bring one law from two places, with other players.
    """
    known = dict(named_code._brought)
    monkeypatch.setattr(named_code, "_brought", dict(known))
    monkeypatch.setattr(games, "_sourced", dict(games._sourced))
    yield
    if named_code._brought != known:
        games._of_game.clear()
        rule_sets_of.cache_clear()


@pytest.fixture
def pig(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game of chance of tests/pig, found as an installed one is."""
    monkeypatch.setitem(packages(), "pig", "pig")
    return load_game("pig")


@pytest.fixture
def forget(tmp_path: Path) -> Iterator[Callable[[], None]]:
    """Forgets what was brought from the test's folder, as a new process would; so it is left after the test."""
    path = list(sys.path)

    def forget() -> None:
        sys.path[:] = path
        named_code._brought.clear()
        for name, module in list(sys.modules.items()):
            places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
            if any(str(place).startswith(str(tmp_path)) for place in places if place):
                del sys.modules[name]
        importlib.invalidate_caches()

    yield forget
    forget()


@pytest.fixture
def user_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forget: Callable[[], None]) -> Path:
    """A folder with a rule set, players and a game in files, in which names are relative; forgotten after the test."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "keep.py").write_text(KEEP.format(name="mine"))
    (tmp_path / "helper.py").write_text("def first_of(moves):\n    return moves[0]\n")
    (tmp_path / "h4.py").write_text(H4)
    copy_of_tictactoe(tmp_path / "nim", "nim")
    return tmp_path


@pytest.fixture(autouse=True)
def _compile_in_silence(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test compiles depends on the tests before it: commands that run in this process do not announce it."""
    if request.path.name not in ("test_app.py", "test_decorator.py"):
        monkeypatch.setattr(logging.getLogger("rulebots.compile"), "disabled", True)


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    other, reason = (
        ("interpreted", "runs with NUMBA_DISABLE_JIT=1: what it calls takes long to compile")
        if compiling()
        else ("compiled", "runs without NUMBA_DISABLE_JIT: nothing is compiled, or interpreted it takes minutes")
    )
    for item in items:
        if item.get_closest_marker("compiled"):
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker(other):
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `-n 2`, all tests of a game go to one worker: no two workers compile the same kernels."""
    from xdist.scheduler import LoadScopeScheduling

    class ByGame(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return scope(nodeid)

    return ByGame(config, log)


def scope(nodeid: str) -> str:
    """Whose tests those of this one stay with: its game's, else its file's; documents stand alone.

    The scheduler begins with the largest groups, so that documents come last and find most compiled.
    """
    file = nodeid.split("::", 1)[0]
    if file.endswith(("test_docs.py", "test_readme.py")):
        return nodeid
    return next((name for name in game_names() if name in nodeid.replace("_", "-")), file)
