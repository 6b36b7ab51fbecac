"""The first games of foreign rules and players are checked, compared and noted; the package's own pay nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rulebots.game import Game
from rulebots.game.trial import note_of
from rulebots.kernel import kernel
from rulebots.kernel.user_code import CodeError
from rulebots.packages import load_game
from rulebots.packages.rule_sets import load_rules
from rulebots.play.match import play_match
from rulebots.play.trial_games import compare, trial_games, try_styles
from rulebots.players import KernelPlayer, RandomPlayer, RulePlayer
from rulebots.players.compiled import style_of
from rulebots.rules import RuleSet, rule

needs_numba = pytest.mark.compiled
TABLE = np.arange(4)


@rule("move", early=1.0)
def reads_on(view: Any, square: int) -> int:
    """It reads behind the end of its table."""
    return TABLE[square]


@rule("move", early=1.0)
def fits(view: Any, square: int) -> bool:
    """It is the first square."""
    return square == 0


@kernel
def choose_none(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    return -5


@pytest.fixture
def game() -> Game:
    return load_game("tictactoe")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("rulebots.game.trial.cache_folder", lambda: tmp_path)
    return tmp_path


def group_of(game: Game) -> str:
    return next(iter(game.kinds[0].mix))


def small_set(game: Game, body: Any) -> RuleSet:
    return RuleSet("small", game, (replace(body, group=group_of(game)),))


def test_games_that_ship_are_not_tried(game: Game, cache: Path) -> None:
    try_styles(game, [style_of(load_rules(game=game)), RandomPlayer(game).style])
    assert not list(cache.iterdir())


@needs_numba
def test_a_rule_that_reads_out_of_bounds_is_named_before_anything_runs(game: Game, cache: Path) -> None:
    rules = small_set(game, reads_on)
    player = RulePlayer(rules, rules.hand_tuned())
    with pytest.raises(
        CodeError, match=r"test_trial_games.py:\d+: `reads_on` reads or writes out of bounds: index \d+"
    ):
        play_match(player, RandomPlayer(game), 2)


@needs_numba
def test_an_illegal_move_of_a_compiled_player_is_told(game: Game, cache: Path) -> None:
    with pytest.raises(CodeError, match="`choose_none` chooses -5, which is not a legal move"):
        play_match(KernelPlayer(game, choose_none, "none"), RandomPlayer(game), 2)


@needs_numba
def test_what_was_tried_is_noted_once_for_its_fingerprint(
    game: Game, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    style = style_of(small_set(game, fits))
    note = note_of("games", style)
    assert note is not None
    assert not note.exists()
    compare(style, openings=True)
    assert note.exists()
    monkeypatch.setattr("rulebots.play.trial_games.difference_of", None)  # which nobody calls
    compare(style, openings=True)
    assert note_of("games", style_of(small_set(game, replace(fits, name="other")))) != note


def test_trial_games_are_those_that_are_played(game: Game) -> None:
    """Interpreted here, and move for move the same as the match loop's."""
    style = style_of(small_set(game, fits))
    games = trial_games(style, openings=True)
    assert len(games) >= 2
    assert all(game_.moves for game_ in games)


@needs_numba
def test_a_difference_is_told_with_its_ply(game: Game, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    style = style_of(small_set(game, fits))
    first, *_ = trial_games(style, openings=True)
    other = replace(first, moves=[*first.moves[:-1], game.move_count - 1])
    monkeypatch.setattr("rulebots.play.trial_games.trial_games", lambda *_, **__: (other,))
    with pytest.raises(CodeError, match=rf"test_trial_games.py:\d+: a game of seed 0 .* at ply {len(first.moves)}: a"):
        compare(style, openings=True)
