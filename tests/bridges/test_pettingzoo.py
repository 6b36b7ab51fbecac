"""Games as PettingZoo environments: the library's own tests, and the games that matches play."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import rulebots.bridges.pettingzoo
from rulebots import Player, PlayerFault, UsageError, load_game, make_player
from rulebots.bridges import worth_to_seats
from rulebots.game import Game
from rulebots.kernel import compiling, kernel
from rulebots.packages import game_names
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_deals
from rulebots.players.policy import PolicyPlayer

#: Rounds of random play: a whole game of each, compiled.
CYCLES = 1000 if compiling() else 60
#: A Dict of fields is what these warn of; that both seats observe arrays of one shape is tested here.
AS_EXPECTED = ["Observation is not a NumPy array", "Observation space for each agent probably should be"]


def lowest(observation: Any, action_mask: Any) -> int:
    """The lowest legal action."""
    return int(np.argmax(action_mask))


def finished(env: Any, policy: Any = lowest) -> dict[str, tuple[float, dict[str, Any]]]:
    """Play a game to its end: each agent's reward and info."""
    ends = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        if terminated or truncated:
            ends[agent] = (reward, info)
            env.step(None)
        else:
            env.step(policy(**observation))
    return ends


@pytest.mark.slow
@pytest.mark.filterwarnings(f"ignore:{AS_EXPECTED[0]}")
@pytest.mark.filterwarnings(f"ignore:{AS_EXPECTED[1]}")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")  # at the end, when there is none
@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("others", [None, "random"], ids=["all-agents", "one-agent"])
@pytest.mark.filterwarnings("error")
def test_the_library_finds_nothing_wrong(name: str, others: str | None) -> None:
    """Its tests raise an AssertionError for what is wrong."""
    players = (*[others] * (load_game(name).seats_with({}) - 1), None)
    make = partial(rulebots.bridges.pettingzoo.env, name, players=players)
    assert api_test(make(), num_cycles=CYCLES) is None
    assert seed_test(make, num_cycles=CYCLES) is None


@pytest.mark.parametrize("name", game_names())
def test_every_game_can_be_rendered(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(rulebots.bridges.pettingzoo.env, name))
    text, human = (rulebots.bridges.pettingzoo.env(name, render_mode=mode) for mode in ("ansi", "human"))
    text.reset(seed=1)
    human.reset(seed=1)
    capsys.readouterr()
    human.render()
    assert text.render() == text.unwrapped._position.text()
    assert capsys.readouterr().out == f"{text.render()}\n"


def test_one_agent_is_shown_what_its_seat_may_see(lost_cities: Game) -> None:
    env = rulebots.bridges.pettingzoo.env(lost_cities, players=("random", None), render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.unwrapped._position.text(1) != env.unwrapped._position.text()


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("seat", [0, 1])
def test_an_environment_plays_the_games_that_a_match_plays(name: str, seat: int) -> None:
    """Deals, openings, chance and the opponent's own chance are those of the same deals in a match."""
    game, deals = load_game(name), 5 if compiling() else 2
    opponent = make_player("random", game)
    games = play_deals(PolicyPlayer(game, "lowest", lowest), opponent, draw_deals(game, deals, 7))
    seats = game.seats_with({})
    points = games.points.reshape(deals, -1, seats)[:, seat].tolist()  # the first player sits in seat 0, then in seat 1
    players = [opponent] * seats
    players[seat] = None
    env, found = rulebots.bridges.pettingzoo.env(name, players=players), []
    for deal in range(deals):
        env.reset(seed=7 if deal == 0 else None)
        [(reward, info)] = finished(env).values()
        found.append(info["points"])
        stalled = games.stalled.reshape(deals, -1)[deal, seat]
        worth = np.sign(info["points"][seat] - info["points"][1 - seat]) if seats == 2 else info["points"][seat]
        assert reward == (0 if stalled else worth)
    assert found == points


def test_two_agents_get_opposite_rewards_and_the_points_by_seat() -> None:
    env = rulebots.bridges.pettingzoo.env("kalah", options={"pits": 3, "stones": 2})
    for seed in range(5):
        env.reset(seed=seed)
        ends = finished(env)
        assert set(ends) == {"seat_0", "seat_1"}
        points = ends["seat_0"][1]["points"]
        assert sum(points) == 12
        margin = np.sign(points[0] - points[1])
        assert (ends["seat_0"][0], ends["seat_1"][0]) == (margin, -margin)


def test_an_observation_is_the_view_without_its_random_state(lost_cities: Game) -> None:
    env = rulebots.bridges.pettingzoo.env(lost_cities)
    env.reset(seed=3)
    agent = env.agent_selection
    seen, view = env.observe(agent), env.unwrapped._position.view()
    assert list(seen["observation"]) == [name for name in lost_cities.view.names if name != "luck"]
    for name, field in seen["observation"].items():
        assert np.array_equal(field, np.atleast_1d(view[name]))
    assert np.flatnonzero(seen["action_mask"]).tolist() == sorted(env.unwrapped._position.legal_moves.tolist())
    assert not env.observe("seat_1")["action_mask"].any()
    before = env.observe(agent)
    seen["observation"]["hand"][:] = 0  # nobody else sees what a learner does with it
    seen["action_mask"][:] = 0
    assert np.array_equal(env.observe(agent)["observation"]["hand"], before["observation"]["hand"])


def test_a_stalled_game_is_truncated_and_nobody_wins() -> None:
    game = load_game("lost-cities")
    env = rulebots.bridges.pettingzoo.env(game)
    env.reset(seed=1)
    env.unwrapped._position.plies = game.ply_cap - 1
    env.step(lowest(**env.observe("seat_0")))
    assert env.truncations == {"seat_0": True, "seat_1": True}
    assert env.terminations == {"seat_0": False, "seat_1": False}
    assert [reward for reward, _ in finished(env).values()] == [0, 0]


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    env = rulebots.bridges.pettingzoo.env("kalah", opening_plies=0)
    env.reset(seed=1)
    env.step(0)
    agent, mask = env.agent_selection, env.last()[0]["action_mask"]
    env.unwrapped._position.state.board[7] = 0  # the pit 0 of seat 1
    with pytest.raises(UsageError, match="seat_1: pit 0 is empty; its action_mask says which actions are legal"):
        env.step(0)
    assert env.agent_selection == agent
    assert mask.sum() == env.last()[0]["action_mask"].sum() + 1
    with pytest.raises(UsageError, match="seat_1: 'None' is not a legal move"):
        env.unwrapped.step(None)


@pytest.mark.parametrize("kind", [np.int64, np.int8, np.uint32, np.array])
def test_whole_numbers_of_numpy_are_actions_seeds_and_options(kind: Any) -> None:
    env = rulebots.bridges.pettingzoo.env("kalah", options={"pits": kind(4)}, opening_plies=kind(0))
    env.reset(seed=3)
    env.step(1)
    expected = str(env.unwrapped._position), list(env.unwrapped._position.luck)
    env.reset(seed=kind(3))
    env.step(kind(1))
    assert (str(env.unwrapped._position), list(env.unwrapped._position.luck)) == expected
    with pytest.raises(UsageError, match="is not a legal move"):
        env.unwrapped.step(kind(77))


class Following(Player):
    """Makes the first legal move, and keeps what it is told."""

    told: list[Any] = []  # noqa: RUF012 - all its copies share it

    def begin_game(self, seat: int, options: Any) -> None:
        self.told.append((seat, dict(options)))

    def choose(self, seen: Any, moves: Any) -> int:
        return int(moves[0])

    def end_game(self, points: tuple[int, int]) -> None:
        self.told.append(points)


def test_a_player_that_follows_games_is_told_of_each() -> None:
    game = load_game("kalah")
    Following.told.clear()
    env = rulebots.bridges.pettingzoo.env(game, players=(None, Following(game, "following")), options={"pits": 2})
    env.reset(seed=1)
    [(_, info)] = finished(env).values()
    assert Following.told == [(1, {"pits": 2, "stones": 4, "empty_capture": 1}), tuple(info["points"])]


def test_a_fault_of_a_player_of_ours_is_raised() -> None:
    game = load_game("kalah")
    wrong = PolicyPlayer(game, "wrong", lambda *_: 99)
    env = rulebots.bridges.pettingzoo.env(game, players=(wrong, None), opening_plies=0)
    with pytest.raises(PlayerFault, match=r"player 'wrong', ply 1: chose 99; legal moves are"):
        env.reset(seed=1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"players": ("random", "random")}, "expected one for each of 2 seats, None for your own agent"),
        ({"players": "random"}, "expected one for each of 2 seats"),
        ({"players": (None,)}, "expected one for each of 2 seats"),
        ({"players": (None, "randon")}, "no player 'randon' of kalah; did you mean 'random'?"),
        ({"players": (None, 3)}, "expected a player of kalah, not 3"),
        ({"options": {"pit": 3}}, "no option 'pit' of kalah; did you mean 'pits'?"),
        ({"opening_plies": -1}, "opening plies: expected a whole number from 0"),
        ({"render_mode": "rgb_array"}, "render_mode: expected ansi or human, not 'rgb_array'"),
    ],
)
def test_a_mistake_is_one_line(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as raised:
        rulebots.bridges.pettingzoo.env("kalah", **arguments)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_wrong_seed_and_an_unknown_game_are_told() -> None:
    with pytest.raises(UsageError, match="no game 'kallah'; did you mean 'kalah'"):
        rulebots.bridges.pettingzoo.env("kallah")
    env = rulebots.bridges.pettingzoo.env("kalah")
    with pytest.raises(UsageError, match="seed: expected a whole number from 0"):
        env.reset(seed=-1)


def test_a_game_of_chance_from_outside_is_an_environment(pig: Game) -> None:
    env = rulebots.bridges.pettingzoo.env("pig", players=(None, "random"))
    env.reset(seed=5)
    assert finished(env, policy=lambda observation, action_mask: int(np.flatnonzero(action_mask)[-1]))


@pytest.fixture
def without_the_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    yield
    monkeypatch.undo()
    importlib.reload(rulebots.bridges.pettingzoo)


@pytest.mark.usefixtures("without_the_library")
def test_where_the_library_is_missing_one_line_says_what_to_install() -> None:
    with pytest.raises(
        UsageError, match=r"pettingzoo is not installed; in the checkout, pip install '.\[pettingzoo\]'"
    ):
        importlib.reload(rulebots.bridges.pettingzoo)


STANDING, TOWER, GOOFSPIEL = "standing:game", "tower:game", "goofspiel:game"
TABLES = [
    (TOWER, 1),
    (TOWER, 3),
    (TOWER, 4),
    (STANDING, 2),
    (STANDING, 3),
    (STANDING, 4),
    (GOOFSPIEL, 3),
    ("cant-stop", 1),
    ("cant-stop", 4),
]


@pytest.mark.filterwarnings(f"ignore:{AS_EXPECTED[0]}")
@pytest.mark.filterwarnings(f"ignore:{AS_EXPECTED[1]}")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("place", "seats"), TABLES)
def test_the_library_finds_nothing_wrong_with_other_tables(place: str, seats: int) -> None:
    make = partial(rulebots.bridges.pettingzoo.env, load_game(place), options={"seats": seats})
    assert make().possible_agents == [f"seat_{seat}" for seat in range(seats)]
    assert api_test(make(), num_cycles=CYCLES) is None
    assert seed_test(make, num_cycles=CYCLES) is None
    if seats > 1:
        one = partial(make, players=[None] + ["random"] * (seats - 1))
        assert one().possible_agents == ["seat_0"]
        assert api_test(one(), num_cycles=CYCLES) is None


@kernel
def how_late_it_went(state: Any, seat: int) -> int:
    return int(state.count[seat] * 9 - (seat == 1))


@pytest.mark.parametrize("counts", ["wins", "places"])
def test_a_seat_that_is_out_gets_what_the_end_is_worth_to_it(counts: str) -> None:
    game = replace(load_game(STANDING), counts=counts, points=how_late_it_went)
    env = rulebots.bridges.pettingzoo.env(game, options={"seats": 4})
    env.reset(seed=1)
    ends = finished(env, policy=lambda observation, action_mask: int(action_mask.argmax()))
    points = next(iter(ends.values()))[1]["points"]
    assert [ends[f"seat_{seat}"][0] for seat in range(4)] == pytest.approx(worth_to_seats(game, points))
    assert points[1] < points[2] == 0  # out both, one after the other


def test_who_play_together_have_the_same_reward() -> None:
    env = rulebots.bridges.pettingzoo.env(load_game(TOWER), options={"seats": 3})
    env.reset(seed=1)
    ends = finished(env, policy=lambda observation, action_mask: 1)
    assert [reward for reward, _ in ends.values()] == [9.0, 9.0, 9.0]


def test_as_many_players_as_seats_are_asked_for() -> None:
    with pytest.raises(UsageError, match="one for each of 3 seats, None for your own agent, such as"):
        rulebots.bridges.pettingzoo.env(load_game(STANDING), players=(None, "random"), options={"seats": 3})
    with pytest.raises(UsageError, match=r"one for each of 1 seats, None for your own agent, such as \(None,\)"):
        rulebots.bridges.pettingzoo.env(load_game(TOWER), players=(None, "random"), options={"seats": 1})
