"""Our games at OpenSpiel, by its own checks."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import goofspiel
import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import generate_playthrough

import rulebots.bridges.openspiel
from rulebots import UsageError, load_game
from rulebots.bridges.openspiel import spiel_name
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.kernel import compiling
from rulebots.packages import game_names
from rulebots.play.deals import draw_deals

#: Small boards: interpreted, a large one takes minutes.
SMALL = {
    "kalah": "(pits=3,stones=2)",
    "gomoku": "(size=5)",
    "cant-stop": "(sides=2,needed=1)",
    "lost-cities": "(deals=10,hand_size=5)",
}


def loaded(name: str) -> Any:
    return pyspiel.load_game(f"{spiel_name(load_game(name))}{SMALL.get(name, '')}")


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_openspiels_random_simulations_find_nothing_wrong(name: str) -> None:
    """Its test raises an error for what is wrong."""
    simulations = 2 if compiling() else 1
    assert pyspiel.random_sim_test(loaded(name), num_sims=simulations, serialize=True, verbose=False) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_a_playthrough_is_written_and_played_again(name: str) -> None:
    """What OpenSpiel's own test of playthroughs does: the same actions give the same text."""
    played = generate_playthrough.playthrough(str(loaded(name)), None, alsologtostdout=False, seed=1)
    actions = [int(line.split()[1]) for line in played.splitlines() if line.startswith("action: ")]
    assert len(actions) > 3
    assert generate_playthrough.playthrough(str(loaded(name)), actions, alsologtostdout=False, seed=1) == played


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_a_state_goes_as_the_position_does(name: str) -> None:
    spiel, game = loaded(name), load_game(name)
    state, rng, position = spiel.new_initial_state(), np.random.default_rng(1), None
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            action = int(rng.choice(outcomes, p=odds))
        else:
            action = int(rng.choice(state.legal_actions()))
        if position is None:
            cards = draw_deals(game, 1000, 1, options=spiel.options, opening_plies=0).cards
            dealt = state.is_chance_node() and cards.shape[1] > 0
            position = Position(game, spiel.options, cards[action if dealt else 0])
            if dealt:
                state.apply_action(action)
                continue
        assert state.current_player() == (int(pyspiel.PlayerId.CHANCE) if position.chance_to_move else position.mover)
        assert sorted(position.legal_moves.tolist()) == state.legal_actions()
        position.push(action)
        state.apply_action(action)
        assert str(state) == position.text()
    assert position is not None
    if position.seats == 2:
        assert state.returns()[0] == np.sign(position.points[0] - position.points[1])
        assert sum(state.returns()) == 0
    else:
        assert game.counts == "points"
        assert state.returns() == list(position.points)


def test_copies_go_their_own_way_and_states_can_be_kept() -> None:
    state = loaded("kalah").new_initial_state()
    twin, kept = state.clone(), pickle.dumps(state.position)
    twin.apply_action(0)
    assert str(twin) != str(state)
    assert str(pickle.loads(kept)) == str(state)  # noqa: S301 - written here
    assert str(copy.deepcopy(twin.position)) == str(twin)


@pytest.mark.parametrize("name", game_names())
def test_an_illegal_action_is_refused_and_changes_nothing(name: str) -> None:
    state = loaded(name).new_initial_state()
    while True:
        legal = set(state.legal_actions())
        before = str(state), state.current_player(), state.history()
        illegal = next(action for action in range(10**6) if action not in legal)
        for action in (illegal, -7, 10**6, 5 * 10**8, 10**9):
            with pytest.raises(UsageError):
                state.apply_action(action)
        assert (str(state), state.current_player(), state.history()) == before
        if not state.is_chance_node():
            break
        state.apply_action(min(legal))


@pytest.mark.parametrize("stalled", [False, True])
def test_nothing_is_played_after_the_end(stalled: bool) -> None:
    state = loaded("tictactoe").new_initial_state()
    last = state.legal_actions()[-1]
    if stalled:
        state.position.plies = state.position.game.ply_cap
    else:
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
    with pytest.raises(UsageError, match="the game is over"):
        state.apply_action(last)


def test_games_and_states_are_pickled() -> None:
    for name in game_names():
        game = pickle.loads(pickle.dumps(loaded(name)))  # noqa: S301 - written here
        assert str(game) == str(loaded(name))
        assert game.options == loaded(name).options
    state = loaded("kalah").new_initial_state()
    state.apply_action(0)
    assert str(pickle.loads(pickle.dumps(state))) == str(state)  # noqa: S301
    assert str(copy.deepcopy(state)) == str(state)


def test_a_game_of_ones_own_is_pickled_for_a_process_that_has_not_registered_it() -> None:
    pickled = pickle.dumps(table_of(GOOFSPIEL, 3))
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer))"
    search = {**os.environ, "PYTHONPATH": str(Path(goofspiel.__file__).parent)}
    done = subprocess.run([sys.executable, "-c", code], input=pickled, capture_output=True, env=search, check=True)
    assert done.stdout.decode() == f"{table_of(GOOFSPIEL, 3)}\n"


def test_a_seat_is_shown_no_more_than_it_may_know() -> None:
    """Two deals that differ in the other seat's hand look the same to a seat, as text and as numbers."""
    game, spiel = load_game("lost-cities"), pyspiel.load_game("rulebots_lost_cities(deals=1)")
    state = spiel.new_initial_state()
    state.apply_action(0)
    other = state.clone()
    assert game.redeal is not None
    game.redeal(other.position.state, 12345)
    assert str(other) != str(state)
    assert state.observation_string(0) == other.observation_string(0)
    assert state.observation_tensor(0) == other.observation_tensor(0)
    assert state.information_state_string(0) == other.information_state_string(0)
    assert state.observation_string(1) != other.observation_string(1)


@pytest.mark.slow
def test_a_game_of_ones_own_is_registered_by_hand(pig: Game) -> None:
    rulebots.bridges.openspiel.register(pig)
    assert rulebots.bridges.openspiel.register(pig) is rulebots.bridges.openspiel.register(pig)
    pyspiel.random_sim_test(pyspiel.load_game("rulebots_pig"), num_sims=1, serialize=True, verbose=False)


def test_wrong_deals_are_told() -> None:
    with pytest.raises(UsageError, match="deals: expected a whole number from 1 to 100,000, not 0"):
        pyspiel.load_game("rulebots_lost_cities(deals=0)")


STANDING, TOWER, GOOFSPIEL = "standing:game", "tower:game", "goofspiel:game"
TABLES = [(TOWER, 1), (TOWER, 3), (STANDING, 2), (STANDING, 3), (STANDING, 4), (GOOFSPIEL, 3), ("cant-stop", 3)]


def table_of(place: str, seats: int) -> Any:
    game = load_game(place)
    rulebots.bridges.openspiel.register(game)
    more = {GOOFSPIEL: ",deals=3", "cant-stop": ",sides=2,needed=1"}.get(place, "")
    return pyspiel.load_game(f"{spiel_name(game)}(seats={seats}{more})")


@pytest.mark.parametrize(("place", "seats"), TABLES)
def test_openspiels_checks_find_nothing_wrong_with_other_tables(place: str, seats: int) -> None:
    spiel = table_of(place, seats)
    assert spiel.num_players() == seats
    assert pyspiel.random_sim_test(spiel, num_sims=2, serialize=True, verbose=False) is None
    played = generate_playthrough.playthrough(str(spiel), None, alsologtostdout=False, seed=1)
    actions = [int(line.split()[1]) for line in played.splitlines() if line.startswith("action: ")]
    assert generate_playthrough.playthrough(str(spiel), actions, alsologtostdout=False, seed=1) == played


@pytest.mark.parametrize(
    ("place", "seats", "utility", "ends"),
    [
        (TOWER, 1, "GENERAL_SUM", [3.0]),
        (TOWER, 3, "IDENTICAL", [9.0] * 3),
        (STANDING, 2, "ZERO_SUM", [1.0, -1.0]),
        (STANDING, 3, "GENERAL_SUM", [0.0, 0.0, 1.0]),
    ],
)
def test_only_two_against_each_other_play_for_a_fixed_sum(
    place: str, seats: int, utility: str, ends: list[float]
) -> None:
    spiel = table_of(place, seats)
    assert spiel.get_type().utility == getattr(pyspiel.GameType.Utility, utility)
    assert spiel.utility_sum() == (0 if utility == "ZERO_SUM" else None)
    assert spiel.get_type().min_num_players == load_game(place).fewest_seats
    state = spiel.new_initial_state()
    while not state.is_terminal():
        state.apply_action(1)
    assert state.returns() == ends
    assert all(spiel.min_utility() <= own <= spiel.max_utility() for own in ends)


def test_each_seat_of_a_table_is_shown_its_own_view() -> None:
    state = table_of(GOOFSPIEL, 3).new_initial_state()
    state.apply_action(0)
    other = state.clone()
    state.apply_action(1)
    other.apply_action(2)
    assert state.information_state_string(0) != other.information_state_string(0)
    for seat in (1, 2):
        assert state.information_state_string(seat) == other.information_state_string(seat)
        assert state.observation_tensor(seat) == other.observation_tensor(seat)
