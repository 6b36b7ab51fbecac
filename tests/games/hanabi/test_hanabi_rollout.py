"""Rollouts at Hanabi: the own hand is weighed by what partners did, and partners play as copies of the guide."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rulebots.game.position import Position
from rulebots.games.hanabi.game import game
from rulebots.packages.players import make_player
from rulebots.search.rollout import RolloutPlayer


def searched(seats: int, plies: int, name: str) -> tuple[Position, RolloutPlayer]:
    """A position of the hand-tuned team, and a player of that name guided by it."""
    player, copies = make_player(f"{name},guide=standard", game), make_player("standard", game)
    assert isinstance(player, RolloutPlayer)
    position = Position(game, {"seats": seats}, seed=8, compiled=True)
    for _ in range(plies):
        position.push(copies.decide(position))
    return position, player


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3])
def test_partners_are_copies_and_their_moves_weigh_the_redeals(seats: int) -> None:
    position, player = searched(seats, 12, "rollout:simulations=300")
    assert [one.name for one in player.search.players] == ["standard"], "no other model unless one is named"
    result = player.search.run(position, 5)
    assert result.worlds > 1
    assert result.models.shape == (1, 4)
    assert result.points, "it returns points"
    assert result.move in position.legal_moves
    assert 0 <= result.wins[0] <= 25
    again = player.search.run(position, 5)
    assert (again.move, again.wins.tolist()) == (result.move, result.wins.tolist())


#: Says what is compiled or loaded by a search that was prepared, and by the one after it, in a process of its own.
FIRST_SEARCH = """
from numba.core.dispatcher import Dispatcher

from rulebots import Position, load_game, make_player

game = load_game("hanabi")
player = make_player("rollout:simulations=60,guide=standard", game)
here = Position(game, seed=8)
here.push(here.read("h11"))
player.search.prepare()
found, compiled = [], Dispatcher.compile


def noted(dispatcher, signature):
    found.append(dispatcher.py_func.__name__)
    return compiled(dispatcher, signature)


Dispatcher.compile = noted
player.decide(Position.of(game, here.state, luck=here.luck, compiled=True))
assert player.result.simulations, "nothing was searched"
print(found)
"""


@pytest.mark.slow
@pytest.mark.compiled
def test_the_first_search_of_a_process_compiles_nothing_in_its_time() -> None:
    done = subprocess.run([sys.executable, "-c", FIRST_SEARCH], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[]\n"


@pytest.mark.slow
def test_a_search_reads_nothing_that_is_hidden_from_it() -> None:
    position, player = searched(2, 15, "rollout:simulations=200")
    other = position.redealt(99)
    assert other.state.tobytes() != position.state.tobytes()
    first, second = (player.search.run(one, 7) for one in (position, other))
    assert (first.move, first.wins.tolist()) == (second.move, second.wins.tolist())
