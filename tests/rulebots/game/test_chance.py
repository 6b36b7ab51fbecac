"""Chance decisions of a position: the outcomes, how likely they are, and what a random state brings."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from rulebots.errors import UsageError
from rulebots.game import CHANCE, Game
from rulebots.game.position import Position
from rulebots.game.random_numbers import luck_of, rng_of
from rulebots.kernel import compiling
from rulebots.kernel.fingerprint import fingerprint


def rolling(game: Game, *, compiled: bool = False, **options: int) -> Position:
    """The die is about to roll for the first time."""
    position = Position(game, options, compiled=compiled)
    position.push(position.read("roll"))
    return position


def test_where_chance_is_to_move_the_outcomes_are_the_legal_moves(pig: Game) -> None:
    position = rolling(pig, sides=4, loaded=5)
    assert position.mover == CHANCE
    assert position.chance_to_move
    outcomes, odds = position.outcomes
    assert outcomes.tolist() == position.legal_moves.tolist() == [0, 1, 2, 3]
    assert odds.tolist() == [0.125, 0.125, 0.125, 0.625]
    assert repr(position) == "<Position of pig after 1 plies, chance to move>"


def test_an_outcome_is_pushed_as_a_move_is_and_no_random_state_advances(pig: Game) -> None:
    position = rolling(pig)
    luck = list(position.luck or ())
    position.push(position.read("die:5"))
    assert (position.mover, position.plies, int(position.state.total)) == (0, 2, 5)
    assert position.luck == luck
    with pytest.raises(UsageError, match="'4' is not a legal move here"):
        position.push(4)


def test_nobody_observes_or_redeals_where_chance_is_to_move(pig: Game) -> None:
    position = rolling(pig)
    assert position.view(1).goal == 100
    assert position.random_state == 1
    for what in (position.view, lambda: position.redealt(1)):
        with pytest.raises(UsageError, match="chance is to move"):
            what()
    with pytest.raises(UsageError, match="chance is not to move: seat 0 is"):
        _ = Position(pig).outcomes


@pytest.mark.slow
def test_outcomes_are_drawn_by_their_odds(pig: Game) -> None:
    for options in ({"sides": 6, "loaded": 1}, {"sides": 4, "loaded": 5}, {"sides": 3, "loaded": 0}):
        position = rolling(pig, compiled=True, **options)
        outcomes, odds = position.outcomes
        drawn = [position.drawn(int(luck)) for luck in luck_of(rng_of(1), (20_000 if compiling() else 4000,))]
        shares = np.bincount(drawn, minlength=len(outcomes)) / len(drawn)
        # Four standard errors; what is impossible is never drawn.
        assert (np.abs(shares - odds) <= 4 * np.sqrt(odds * (1 - odds) / len(drawn))).all()
        assert (shares[odds == 0] == 0).all()


def test_the_first_and_last_random_states_draw_possible_outcomes(pig: Game) -> None:
    for options in ({"sides": 2, "loaded": 100}, {"sides": 2, "loaded": 0}):
        for compiled in (False, True):
            position = rolling(pig, compiled=compiled, **options)
            possible = {int(o) for o, p in zip(*position.outcomes, strict=True) if p > 0}
            assert {position.drawn(1), position.drawn(2**32 - 1)} <= possible


def test_without_odds_all_outcomes_are_equally_likely(pig: Game) -> None:
    position = rolling(dataclasses.replace(pig, odds=None), loaded=100)
    assert position.outcomes[1].tolist() == pytest.approx([1 / 6] * 6)
    drawn = np.bincount([position.drawn(int(luck)) for luck in luck_of(rng_of(2), (6000,))])
    assert (np.abs(drawn - 1000) < 4 * np.sqrt(6000 * 5 / 36)).all()


def test_chance_is_declared(pig: Game) -> None:
    with pytest.raises(UsageError, match="pig: `odds` are those of chance decisions: add `chance=True`"):
        dataclasses.replace(pig, chance=False)
    unsigned = np.dtype([("mover", np.uint8), *((n, pig.state[n]) for n in pig.state.names if n != "mover")])
    with pytest.raises(
        UsageError,
        match="as 'mover', which is -1 where chance is to move, not uint8",
    ):
        dataclasses.replace(pig, state=unsigned)


def test_the_odds_are_part_of_the_law(pig: Game) -> None:
    fair = dataclasses.replace(pig, odds=None)
    assert fingerprint(fair) != fingerprint(pig)
    assert fingerprint(dataclasses.replace(fair, chance=False)) != fingerprint(fair)
