"""PettingZoo's environments as they are."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from joblib.externals.loky import get_reusable_executor
from live_suite import assert_first_class, positions_of

from evolve.run import Run
from evolve.settings import Settings
from evolve.workers.processes import workers_of
from rulebots import Position, RuleSet, UsageError, load_game, rule
from rulebots.live import pettingzoo
from rulebots.packages.named_code import names_from_data

pytest.importorskip("pettingzoo")

#: Environments of PettingZoo's `classic`, and those whose games do not depend on a seed.
CLASSICS = (
    "chess_v6", "connect_four_v3", "go_v5(board_size=5)", "hanabi_v5(colors=2,ranks=3)", "leduc_holdem_v4",
    "texas_holdem_v4", "texas_holdem_no_limit_v6", "rps_v2(max_cycles=5)", "tictactoe_v3",
)  # fmt: skip


@rule("move", early=-1.0)
def early_move(seen: Any, move: Any) -> float:
    """It is among the first."""
    return float(move)


@rule("move", early=0.5)
def keeps(position: Any, move: Any, after: Any) -> float:
    """The other one has many moves then."""
    return float(len(after.agents) + np.sum(after.observe(after.agent_selection)["action_mask"]))


@pytest.mark.parametrize("name", CLASSICS)
def test_an_environment_is_a_game_like_any(name: str) -> None:
    try:
        game = pettingzoo(name)
    except UsageError as error:
        pytest.skip(str(error))
    assert_first_class(RuleSet("mine", game, (early_move,)), deals=1)


def test_rules_look_ahead_and_leave_the_environment_alone() -> None:
    game = pettingzoo("connect_four_v3")
    rules = RuleSet("mine", game, (early_move, keeps))
    assert_first_class(rules, deals=2)


def test_a_copy_keeps_the_board() -> None:
    """`deepcopy` loses it: PettingZoo#1307."""
    source = pettingzoo("connect_four_v3").live.source
    env = source.new(1)
    for move in (3, 3, 2):
        source.play(env, move)
    twin = source.copy(env)
    assert twin.board == env.board != [0] * 42
    source.play(twin, 4)
    assert twin.board != env.board
    assert env.agent_selection != twin.agent_selection


@pytest.mark.parametrize("name", ["hanabi_v5(colors=2,ranks=3)", "leduc_holdem_v4", "rps_v2", "tictactoe_v3"])
def test_a_classic_can_be_copied(name: str) -> None:
    assert pettingzoo(name).live.copies


def test_what_counts_is_found_out() -> None:
    counts = {name: pettingzoo(name).live.source for name in ("hanabi_v5", "leduc_holdem_v4", "tictactoe_v3")}
    assert [game.together for game in counts.values()] == [True, False, False]
    assert [game.counts for game in counts.values()] == ["wins", "points", "wins"]


def test_points_are_all_rewards_in_whole_numbers() -> None:
    game = load_game("pettingzoo:leduc_holdem_v4")
    for seed in range(1, 9):
        *_, position = positions_of(game, seed, 99)
        assert position.over
        assert sum(position.points) == 0
        assert any(position.points)


def test_what_a_seat_sees_tells_nothing_of_the_other_hand() -> None:
    game = pettingzoo("leduc_holdem_v4")
    source = game.live.source
    env = source.new(5)
    seen = source.sees(env, source.mover(env))
    assert seen.observation.shape == (36,)
    assert seen.mask.tolist() == env.observe(env.agent_selection)["action_mask"].astype(bool).tolist()
    assert seen.agent == env.agent_selection


@pytest.mark.parametrize("backend", ["threads", "loky"])
def test_it_is_bred(backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the same champion in one process and in several."""
    file = f"leduc_{backend}.py"
    (tmp_path / file).write_text(RULES)
    monkeypatch.chdir(tmp_path)
    settings = Settings.of(
        game="pettingzoo:leduc_holdem_v4", rules=f"{file}:mine", generations=1, population=4, deals=1,
        opponent_deals=2, runoff_deals=2, verdict_deals=4, held_out_deals=2,
    )  # fmt: skip
    get_reusable_executor().shutdown(wait=True)  # processes that other tests left stand in folders that are gone
    with workers_of(backend, 2) as workers:
        several = Run(settings, workers=workers).breed()
    alone = Run(settings).breed()
    assert [finalist.tolist() for finalist in several.finalists] == [finalist.tolist() for finalist in alone.finalists]


RULES = '''
from rulebots import RuleSet, rule
from rulebots.live import pettingzoo


@rule("move", early=1.0)
def raises(seen, move):
    """It raises, rather with a king."""
    return (move == 1) * (1 + seen.observation[2])


mine = RuleSet("mine", pettingzoo("leduc_holdem_v4"), (raises,))
'''
OWN = '''
"""Who says the higher number takes it, three times; the last agent leaves after the first round."""
import gymnasium
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv, ParallelEnv
import numpy as np


class Auction(ParallelEnv):
    metadata = {"name": "auction_v0"}
    render_mode = None

    def __init__(self, bidders=3, rounds=3):
        self.possible_agents = [f"bidder_{i}" for i in range(bidders)]
        self.rounds = rounds

    def observation_space(self, agent):
        return Dict({"observation": Box(0, 9, (1,)), "action_mask": Box(0, 1, (4,), np.int8)})

    def action_space(self, agent):
        return Discrete(4)

    def _observed(self):
        left = np.array([self.left])
        return {agent: {"observation": left, "action_mask": self.masks[agent]} for agent in self.agents}

    def reset(self, seed=None, options=None):
        self.rng = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]
        self.left = self.rounds
        self.masks = {agent: np.array([1, 1, 1, self.rng.integers(2)], np.int8) for agent in self.agents}
        return self._observed(), {agent: {} for agent in self.agents}

    def step(self, actions):
        self.left -= 1
        best = max(actions.values())
        seen = self._observed()
        rewards = {agent: int(bid == best) for agent, bid in actions.items()}
        gone = {agent: self.left == 0 for agent in self.agents}
        gone[self.possible_agents[-1]] = True
        self.agents = [agent for agent in self.agents if not gone.get(agent)]
        none = dict.fromkeys(seen, False)
        return seen, rewards, {agent: gone[agent] for agent in seen}, none, {agent: {} for agent in seen}


def parallel_env(**arguments):
    return Auction(**arguments)


class Plain(Auction):
    def action_space(self, agent):
        return Box(0, 1, (2,))


def plain():
    return Plain()
'''


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "auction_env.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    sys.modules.pop("auction_env", None)


def test_an_environment_of_ones_own_in_which_all_move_at_once(own: Path) -> None:
    game = load_game("pettingzoo:auction_env(rounds=2)")
    assert (game.seats, game.hidden, game.name) == (3, True, "pettingzoo:auction_env(rounds=2)")
    assert_first_class(RuleSet("mine", game, (early_move,)), deals=2)
    position = Position(game, seed=1)
    movers = []
    while not position.over:
        movers.append(position.mover)
        position.play(int(position.legal_moves[int(position.mover == 1)]))
    assert movers == [0, 1, 2, 0, 1]
    assert position.points == (0, 2, 0)


def test_a_function_that_makes_one_is_named_by_its_module(own: Path) -> None:
    load_game("pettingzoo:auction_env")
    make = sys.modules["auction_env"].parallel_env
    game = pettingzoo(make, bidders=2)
    assert game.name == "pettingzoo:auction_env.parallel_env(bidders=2)"
    assert load_game(game.name).seats == 2


def test_a_file_does_not_bring_an_environment(own: Path) -> None:
    with names_from_data(), pytest.raises(UsageError, match="code is never loaded from a file"):
        load_game("pettingzoo:auction_env(rounds=1)")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("connect_for_v3", "did you mean 'connect_four_v3'"),
        ("connect_four_v3(rows=3)", "cannot be made: .*unexpected keyword argument 'rows'"),
        ("go_v5(9)", r"expected NAME or NAME\(argument=value\)"),
        ("go_v5(board_size=", r"expected NAME or NAME\(argument=value\)"),
        ("nowhere.env", "no module 'nowhere'"),
        ("json", "expected a function `env`"),
        ("auction_env.plain", "expected discrete actions, not Box"),
    ],
)
def test_what_is_no_game_is_one_line(name: str, line: str, own: Path) -> None:
    with pytest.raises(UsageError, match=line) as caught:
        load_game(f"pettingzoo:{name}")
    assert "\n" not in str(caught.value)
