"""The first games of a foreign law are checked; those of the games that ship are not."""

from __future__ import annotations

import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rulebots.game import Game
from rulebots.game.trial import ONE_SIDED, Trial, foreign, law_digest, random_game, try_law
from rulebots.kernel import kernel
from rulebots.kernel.user_code import CodeError
from rulebots.packages import load_game
from rulebots.play.match import play_match
from rulebots.players import RandomPlayer


@kernel
def points_of_nobody(state: Any, seat: int) -> float:
    return 0.5


@kernel
def redeal_out_of_bounds(state: Any, luck: int) -> int:
    state.hand[1 - state.mover, state.hand.shape[1]] = 0
    return luck


@kernel
def undeal_out_of_bounds(state: Any, seats: Any, moves: Any, options: Any, deal: Any, luck: int) -> int:
    for i in range(deal.shape[0] + 1):
        deal[i] = i
    return luck


def test_games_that_ship_are_not_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.game.trial.cache_folder", lambda: tmp_path)
    game = load_game("tictactoe")
    assert not foreign(game)
    try_law(game)
    assert not list(tmp_path.iterdir())


@pytest.mark.compiled
def test_a_law_that_breaks_the_contract_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.game.trial.cache_folder", lambda: tmp_path)
    broken = replace(load_game("tictactoe"), points=points_of_nobody)
    with pytest.raises(CodeError, match=r"`points_of_nobody` gives 0\.5: expected whole points"):
        play_match(RandomPlayer(broken), RandomPlayer(broken), 2)


@kernel
def play_with_a_typo(state: Any, move: int) -> None:
    state.moover = 1


@pytest.mark.compiled
def test_a_mistake_of_a_law_is_a_few_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.game.trial.cache_folder", lambda: tmp_path)
    broken = replace(load_game("tictactoe"), play=play_with_a_typo)
    with pytest.raises(
        CodeError, match=r"`play_with_a_typo` uses state\.moover.*did you mean 'state\.mover'"
    ) as caught:
        try_law(broken)
    assert len("".join(traceback.format_exception(caught.value)).splitlines()) < 12


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("part", "body"), [("redeal", redeal_out_of_bounds), ("undeal", undeal_out_of_bounds)], ids=["redeal", "undeal"]
)
def test_what_deals_hidden_cards_again_is_tried_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, body: Any
) -> None:
    monkeypatch.setattr("rulebots.game.trial.cache_folder", lambda: tmp_path)
    broken = replace(load_game("lost-cities"), **{part: body})
    with pytest.raises(CodeError, match=f"`{part}_out_of_bounds` reads or writes out of bounds"):
        try_law(broken)
    assert not list(tmp_path.rglob("law-*"))


@pytest.mark.parametrize("name", ["kalah", "cant-stop"])
def test_a_random_game_is_played_to_its_end_and_comes_again(name: str) -> None:
    game: Game = load_game(name)
    states = [state.copy() for state in random_game(game, 3)]
    assert game.over(states[-1]) or len(states) == game.ply_cap + 1
    assert not any(game.over(state) for state in states[:-1])
    again = [state.copy() for state in random_game(game, 3)]
    assert [s.tobytes() for s in again] == [s.tobytes() for s in states]


@kernel
def one_seat_is_done(state: Any) -> bool:
    return state.left <= 6


@kernel
def play_alone(state: Any, move: int) -> None:
    state.mover = 0
    state.left -= 1


@kernel
def play_alone_to_the_end(state: Any, move: int) -> None:
    state.left -= 1
    state.mover = state.left <= 6  # nobody decides where the game is over


@pytest.mark.parametrize("alone", [play_alone, play_alone_to_the_end])
def test_a_law_in_which_one_seat_never_decides_is_told(alone: Any) -> None:
    trial = Trial(replace(load_game("tictactoe"), play=alone, over=one_seat_is_done))
    for seed in range(ONE_SIDED):
        trial.check_movers()
        trial.play(seed, None)
    assert (trial.games, trial.movers) == (ONE_SIDED, {0})
    with pytest.raises(CodeError, match=f"`{alone.__name__}` never lets seat 1 of 2 decide"):
        trial.check_movers()


@kernel
def points_out_of_bounds(state: Any, seat: int) -> int:
    return state.board[1000]


@kernel
def points_and_one_more(state: Any, seat: int) -> int:
    return load_game("tictactoe").points(state, seat) + 1


@kernel
def moves_counted_in_32_bits(state: Any, out: Any) -> Any:
    return np.int32(load_game("tictactoe").moves(state, out))


DIGEST = "3a7acc770351"


def test_the_digest_of_a_law_is_that_of_its_games() -> None:
    """Whatever Python, NumPy or Numba runs them; files keep it."""
    game = load_game("tictactoe")
    assert law_digest(game) == DIGEST
    assert law_digest(replace(game, title="Ours", ply_cap=9, behaviour={})) == DIGEST
    assert law_digest(replace(game, points=points_and_one_more)) != DIGEST
    assert law_digest(replace(game, moves=moves_counted_in_32_bits)) == DIGEST
    assert law_digest(replace(game, points=points_out_of_bounds)) == ""
