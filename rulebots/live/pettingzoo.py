"""An environment of PettingZoo as it is: every AEC or parallel environment whose actions are discrete.

Rules of an open environment get the environment itself; of one that hides something an `Observation`. Where the
observation or the info has an `action_mask`, that says which actions are legal; else all are.
"""

import ast
import copy
import functools
import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulebots.errors import UsageError, demand, did_you_mean, optional_module, version_of
from rulebots.game import Bools, Game
from rulebots.game.live import LiveLaw
from rulebots.game.live_game import LiveGame
from rulebots.game.live_loading import game_of, trace
from rulebots.game.live_objects import Node
from rulebots.kernel.user_code import is_followed
from rulebots.packages.game_package import GamePackage
from rulebots.packages.named_code import CodeName, module_of, refuse_in_data

#: Environments that hide nothing.
OPEN = frozenset({"chess_v6", "connect_four_v3", "go_v5", "tictactoe_v3"})
#: The plies of the random games that show what results are like.
TRIED_PLIES = 250
#: Points that a reward of 1 may make, so that points are whole.
UNITS = (1, 2, 4, 10, 100, 1000)
#: Where an environment keeps the sum of its rewards, float64[seats].
_EARNED = "_rulebots_earned"
#: What copies of an environment share: nothing changes it, and it is slow to copy.
_SHARED = frozenset({"action_spaces", "observation_spaces"})


@dataclass(frozen=True)
class Observation:
    """What an agent of an environment knows: what `observe(agent)` gives, apart from its mask."""

    agent: Any
    seat: int
    observation: Any
    #: bool[actions]: which actions are legal.
    mask: Bools

    def __str__(self) -> str:
        return str(self.observation)


class PettingZooGame(LiveGame):
    """A game of PettingZoo as it is, by the name of its module, with arguments for its `env`: `go_v5(board_size=9)`."""

    numbered = True

    def __init__(self, path: str, arguments: Mapping[str, Any], maker: Any) -> None:
        optional_module("pettingzoo", "pettingzoo", f"pettingzoo:{path}")
        self._named = path, tuple(arguments.items()), maker
        self.spec = _written(path, arguments)
        self._arguments = dict(arguments)
        self.hidden = bool(self._arguments.pop("hidden", path.removeprefix("classic.") not in OPEN))
        self._make = _maker_of(path) if maker is None else maker
        env = self.new(0)
        title = str(getattr(env, "metadata", {}).get("name", path))
        vars(self).update(
            name=f"pettingzoo:{self.spec}", title=title, __doc__=f"{title}, by the interface of PettingZoo."
        )
        self._agents = [*env.possible_agents]
        self.seats = len(self._agents)
        self.move_count = max(self._actions_of(env, agent) for agent in self._agents)
        law = LiveLaw(self)
        results = self._tried_results(law)
        rewards = [reward for of_ply in results for reward in of_ply]
        self._unit = next((unit for unit in UNITS if all(_is_whole(reward * unit) for reward in rewards)), 1)
        if not self._copy_is_right(law):
            vars(self)["copy"] = None
        self.together = self.seats > 1 and any(rewards) and all(len(set(of_ply)) == 1 for of_ply in results)
        wins = all(_is_whole(reward) and abs(reward) <= 1 for reward in rewards)
        self.counts = "wins" if wins or self.together else "points"

    def __reduce__(self) -> Any:
        return _source, self._named

    def identity(self) -> object:
        """Its name and arguments, and PettingZoo's version or the user's own code."""
        own = (self._make,) if is_followed(getattr(self._make, "__module__", None)) else ()
        return "pettingzoo", version_of("pettingzoo"), self.spec, *own

    def new(self, seed: int) -> Any:
        from pettingzoo import ParallelEnv
        from pettingzoo.utils.conversions import parallel_to_aec

        try:
            env = self._make(**self._arguments)
        except TypeError as error:
            raise UsageError(f"pettingzoo:{self.spec}: it cannot be made: {error}") from None
        if isinstance(env, ParallelEnv):
            env = parallel_to_aec(env)
        env.reset(seed=seed)
        setattr(env, _EARNED, np.zeros(len(env.possible_agents)))
        return _to_decide(env)

    def mover(self, g: Any) -> int:
        return self._agents.index(g.agent_selection)

    def moves(self, g: Any) -> Sequence[int]:
        agent = g.agent_selection
        first = int(g.action_space(agent).start)
        return (np.flatnonzero(self._observed(g, agent)[1]) + first).tolist()

    def play(self, g: Any, move: int) -> None:
        g.step(move)
        earned = getattr(g, _EARNED)
        for agent, reward in g.rewards.items():
            earned[self._agents.index(agent)] += reward
        _to_decide(g)

    def over(self, g: Any) -> bool:
        return all(map(functools.partial(_is_out, g), g.agents))

    def points(self, g: Any, seat: int) -> float:
        return float(getattr(g, _EARNED)[seat]) * self._unit

    def copy(self, g: Any) -> Any:
        return _copied(g, {})

    def sees(self, g: Any, seat: int) -> Any:
        agent = self._agents[seat]
        observation, mask = self._observed(g, agent)
        return Observation(agent, seat, copy.deepcopy(observation), np.array(mask, bool))

    def show(self, g: Any, seat: int | None) -> str:
        if self.hidden and seat is None:
            return "(what each seat observes is hidden from the others)"
        agent = g.agent_selection if seat is None else self._agents[seat]
        return str(self._observed(g, agent)[0])

    def _observed(self, g: Any, agent: Any) -> tuple[Any, Any]:
        """What an agent observes without the mask, and the mask."""
        observation = g.observe(agent)
        if isinstance(observation, Mapping) and "action_mask" in observation:
            rest = {name: value for name, value in observation.items() if name != "action_mask"}
            return rest["observation"] if [*rest] == ["observation"] else rest, observation["action_mask"]
        mask = g.infos.get(agent, {}).get("action_mask")
        return observation, np.ones(int(g.action_space(agent).n), bool) if mask is None else mask

    def _actions_of(self, env: Any, agent: Any) -> int:
        from gymnasium.spaces import Discrete

        space = env.action_space(agent)
        demand(
            isinstance(space, Discrete) and space.start >= 0,
            f"pettingzoo:{self.spec}: expected discrete actions, not {space} of agent {agent!r}",
        )
        return int(space.start + space.n)

    def _tried_results(self, law: LiveLaw) -> list[list[float]]:
        """The sums of the rewards after each ply of random games, float[seats] each."""
        rng = np.random.default_rng(0)
        results = []
        with law.own_random():
            env = law.begun(0)
            for ply in range(TRIED_PLIES):
                law.played(env, int(rng.choice(law.legal(Node(env)))), ply)
                results.append(getattr(env, _EARNED).tolist())
                if self.over(env):
                    env = law.begun(ply)
        return results

    def _copy_is_right(self, law: LiveLaw) -> bool:
        """Whether a copy goes on as its game does, and leaves that alone."""
        try:
            return trace(law, 1, aside=True) == trace(law, 1)
        except Exception:  # noqa: BLE001 - an environment may hold anything, such as a window
            return False


def _is_out(env: Any, agent: Any) -> bool:
    return bool(env.terminations[agent] or env.truncations[agent])


def _to_decide(env: Any) -> Any:
    """The environment, in which agents that are out have made their last, empty step."""
    while env.agents and _is_out(env, env.agent_selection) and not all(_is_out(env, agent) for agent in env.agents):
        env.step(None)
    return env


def _is_whole(number: float) -> bool:
    return abs(number - round(number)) < 1e-6


def _copied(thing: Any, memo: dict[int, Any]) -> Any:
    """A copy of an environment with all that it holds.

    `copy.deepcopy` makes many of them anew from their arguments and loses their boards: PettingZoo#1307.
    """
    twin = object.__new__(type(thing))
    memo[id(thing)] = twin
    for name, value in vars(thing).items():
        if name in _SHARED:
            vars(twin)[name] = value
        else:
            inner = hasattr(value, "possible_agents") and id(value) not in memo
            vars(twin)[name] = _copied(value, memo) if inner else copy.deepcopy(value, memo)
    return twin


def pettingzoo(environment: str | Callable[..., Any], **arguments: Any) -> Game:
    """The game of an environment: by the name of its module, or by a function of your own that makes one.

        pettingzoo("connect_four_v3")
        pettingzoo("go_v5", board_size=9)       # also "go_v5(board_size=9)", as --game writes it
        pettingzoo(make_env)                    # a function of a module, by whose name other processes find it

    Rules get what the agent observes. An environment that hides nothing may say `hidden=False`: rules then get it
    itself, and may look ahead.

    Raises:
        UsageError: PettingZoo is not installed, has no such environment, or it cannot be played in turns.
    """
    if isinstance(environment, str):
        path, written = _parsed(environment)
        return game_of(_source(path, tuple({**written, **arguments}.items()), None))
    name = getattr(environment, "__qualname__", "")
    demand(
        callable(environment) and all(part.isidentifier() for part in name.split(".")),
        f"expected the name of an environment, or a function of a module, not {environment!r}",
    )
    return game_of(_source(f"{environment.__module__}.{name}", tuple(arguments.items()), environment))


@functools.cache
def package(name: str) -> GamePackage:
    """What there is of that game: its law."""
    return GamePackage(__name__, pettingzoo(name))


@functools.cache
def _source(path: str, arguments: tuple[tuple[str, Any], ...], maker: Any) -> PettingZooGame:
    return PettingZooGame(path, dict(arguments), maker)


def _written(path: str, arguments: Mapping[str, Any]) -> str:
    inside = ",".join(f"{name}={value!r}" for name, value in arguments.items())
    return f"{path}({inside})" if inside else path


def _parsed(spec: str) -> tuple[str, dict[str, Any]]:
    """The path and the arguments of `go_v5(board_size=9)`. Raises UsageError."""
    path, bracket, inside = spec.strip().partition("(")
    try:
        call: Any = ast.parse(f"made({inside}" if bracket else "made()", mode="eval").body
        arguments = {str(one.arg): ast.literal_eval(one.value) for one in call.keywords}
        right = not call.args and all(part.isidentifier() for part in path.split("."))
    except (AttributeError, SyntaxError, ValueError):
        right = False
    demand(right, f"pettingzoo:{spec}: expected NAME or NAME(argument=value), such as go_v5(board_size=9)")
    return path, arguments


def _maker_of(path: str) -> Callable[..., Any]:
    """What makes the environments of a name: PettingZoo's own, a module of the user's, or a function in one.

    Raises:
        UsageError: there is none, or it needs a package that is not installed.
    """
    short = path.removeprefix("classic.")
    classics = [module.name for module in pkgutil.iter_modules(importlib.import_module("pettingzoo.classic").__path__)]
    if short in classics:
        try:
            return _maker_in(importlib.import_module(f"pettingzoo.classic.{short}"), path)
        except ImportError as error:
            raise UsageError(f"pettingzoo:{path}: {error}; pip install 'pettingzoo[classic]'") from None
    if "." not in short and (close := did_you_mean(short, classics)):
        raise UsageError(f"pettingzoo:{path}: PettingZoo has no environment '{path}'{close}")
    refuse_in_data(f"pettingzoo:{path}", "game")
    above, _, name = path.rpartition(".")
    own = vars(module_of(CodeName(above, name))).get(name) if above else None
    return own if callable(own) else _maker_in(module_of(CodeName(path, "env")), path)


def _maker_in(module: Any, path: str) -> Callable[..., Any]:
    for name in ("raw_env", "env", "parallel_env"):
        if callable(maker := getattr(module, name, None)):
            return maker
    raise UsageError(f"pettingzoo:{path}: expected a function `env` in it, which makes an environment")
