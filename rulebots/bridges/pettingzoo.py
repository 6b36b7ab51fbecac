"""Games as PettingZoo environments, for training policies (extra `pettingzoo`).

    env = rulebots.bridges.pettingzoo.env("kalah", players=(None, "standard"), options={"pits": 4})
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        env.step(None if terminated or truncated else policy(observation["observation"], observation["action_mask"]))

The interface is that of PettingZoo's AEC environments: https://pettingzoo.farama.org/api/aec/. What a policy learns
there, `rulebots.players.policy.PolicyPlayer` plays everywhere else.
"""

import secrets
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rulebots.bridges import worth_to_seats
from rulebots.errors import MOST_SEED, UsageError, demand, optional_module, printable
from rulebots.game import Game
from rulebots.game.compiled import law_of
from rulebots.game.position import Position
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.deals import DealStream
from rulebots.play.stepper import after_opening
from rulebots.players import Player
from rulebots.players.policy import mask_of, observation_of

optional_module("pettingzoo", "pettingzoo", "rulebots.bridges.pettingzoo")

import gymnasium.spaces as gym_spaces  # noqa: E402 - once it is known to be there
from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

#: The modes of `render`: the position as text, or the same on the standard output.
RENDER_MODES = ("ansi", "human")


def env(
    game: str | Game,
    *,
    players: Sequence[str | Player | None] | None = None,
    options: Mapping[str, int] | None = None,
    opening_plies: int | None = None,
    render_mode: str | None = None,
) -> AECEnv:
    """A game as an environment whose agents are `seat_0`, `seat_1` and so on, in PettingZoo's standard wrappers.

    `players` says by seat who plays: None is your own agent; a rulebots player, by name or as an object, decides
    inside the environment, and its seat has no agent. Without `players` all seats are agents. Chance is resolved inside
    as well. `reset(seed=7)` begins with the first deal of that seed, as a match does, and every further `reset()` with
    the next one. `opening_plies` random moves come first; None is the number that suits the game.

    An action is the number of a move. An observation holds `observation`, an array for each field of the game's view,
    and `action_mask`, int8[move_count], which is 0 everywhere while another seat has to decide. The reward comes at the
    end: 1 for the winner, -1 for the loser, 0 for a draw; with more or fewer seats than two, and where all play
    together, what the result is worth to the seat (`Game.counts`). `info["points"]` are the points by seat. An agent
    whose seat is out (`Game.out`) waits for its reward. A game that reaches its ply cap is truncated, and nobody wins
    it. An illegal action raises UsageError and changes nothing.

    Raises:
        UsageError: an unknown game or player, no seat for an agent, a wrong option, number of plies or render mode, or
            PettingZoo is not installed.
    """
    law = load_game(game) if isinstance(game, str) else game
    raw = GameEnv(law, players, options, opening_plies, render_mode)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))


class GameEnv(AECEnv):  # type: ignore[misc]  # its types are PettingZoo's
    """The environment itself: see `env`."""

    def __init__(
        self,
        game: Game,
        players: Sequence[str | Player | None] | None,
        options: Mapping[str, int] | None,
        opening_plies: int | None,
        render_mode: str | None,
    ) -> None:
        super().__init__()
        demand(
            render_mode in (None, *RENDER_MODES),
            f"render_mode: expected {' or '.join(RENDER_MODES)}, not {render_mode!r}",
        )
        self.game = game
        self.render_mode = render_mode
        self.metadata = {"name": game.name, "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self._options = dict(options or {})
        seats = game.seats_with(game.option_values(self._options))
        self._players = _by_seat(game, seats, [None] * seats if players is None else players)
        self._seats = {f"seat_{seat}": seat for seat, player in enumerate(self._players) if player is None}
        self.possible_agents = list(self._seats)
        self.agents: list[str] = []
        self.action_spaces = {agent: gym_spaces.Discrete(game.move_count) for agent in self._seats}
        self.observation_spaces = {agent: _observation_space(game) for agent in self._seats}
        law_of(game)  # tries the law of a foreign game first
        self._opening_plies = opening_plies
        self._stream = self._dealing(secrets.randbelow(MOST_SEED + 1))

    def observation_space(self, agent: str) -> Any:
        """The agent's observation space: `observation`, a box for each field of the view, and `action_mask`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The agent's action space: the numbers of the moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game: with a seed with its first deal, else with the next one. PettingZoo's `options` are not read.

        Raises:
            UsageError: a seed out of range. PlayerFault: a player inside the environment fails.
        """
        if seed is not None:
            self._stream = self._dealing(seed)
        self._table = after_opening(self._stream.take(1))
        self._table.seat(self._players, self.game.named_options(self._stream.options))
        self.agents = self.possible_agents[:]
        self.rewards, self._cumulative_rewards = (dict.fromkeys(self.agents, 0.0) for _ in range(2))
        self.terminations, self.truncations = (dict.fromkeys(self.agents, False) for _ in range(2))
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None
        self._go_on()

    @property
    def _position(self) -> Position:
        return self._table.position

    def step(self, action: int | None) -> None:
        """Make the move of the agent whose turn it is, then those of chance and of the players inside.

        Raises:
            UsageError: the move is not legal. PlayerFault: a player inside the environment fails.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            self._position.push(action)  # type: ignore[arg-type]  # it refuses what is not a move
        except UsageError as error:
            raise UsageError(f"{agent}: {error}; its action_mask says which actions are legal") from None
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._go_on()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent's seat may know now, and the mask of its actions."""
        seat = self._seats[agent]
        position = self._position
        moves = position.legal_moves if seat == position.mover and not position.stalled else np.zeros(0, np.int64)
        return {"observation": observation_of(position.view(seat)), "action_mask": mask_of(self.game, moves)}

    def render(self) -> str | None:
        """The position as text: as its seat may see it if there is one agent, else whole."""
        if self.render_mode is None:
            warnings.warn(f"render: expected render_mode={' or '.join(RENDER_MODES)} of the environment", stacklevel=2)
            return None
        seats = list(self._seats.values())
        text = self._position.text(seats[0] if len(seats) == 1 else None)
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(f"{printable(text)}\n")
        return None

    def _dealing(self, seed: int) -> DealStream:
        return DealStream(self.game, seed, options=self._options, opening_plies=self._opening_plies)

    def _go_on(self) -> None:
        seat = next(self._table.decisions(), None)
        if seat is None:
            self._end()
        else:
            self.agent_selection = f"seat_{seat}"

    def _end(self) -> None:
        over = self._position.over
        points = self._position.points
        worth = worth_to_seats(self.game, points)
        for agent in self.agents:
            self.rewards[agent] = worth[self._seats[agent]] if over else 0.0
            self.terminations[agent] = over
            self.truncations[agent] = not over
            self.infos[agent] = {"points": list(points)}
        self._accumulate_rewards()
        for fault in self._table.tell_end():
            raise fault


def _by_seat(game: Game, seats: int, players: Sequence[str | Player | None]) -> list[Player | None]:
    if isinstance(players, str) or len(players) != seats or all(player is not None for player in players):
        example = (None, *["random"] * (seats - 1))
        raise UsageError(
            f"players: expected one for each of {seats} seats, None for your own agent, such as {example}, "
            f"not {players!r}"
        )
    seated = [make_player(player, game, seats) if isinstance(player, str) else player for player in players]
    for player in seated:
        demand(
            player is None or getattr(player, "game", None) is game,
            f"players: expected a player of {game.name}, not {player!r}",
        )
    return seated


def _observation_space(game: Game) -> Any:
    """The space of what `observe` gives: a box of each field's type, without limits on its numbers."""
    boxes = {
        name: gym_spaces.Box(*_range_of(field.dtype), shape=field.shape, dtype=field.dtype.type)
        for name, field in observation_of(game.new_view()).items()
    }
    mask = gym_spaces.Box(0, 1, shape=(game.move_count,), dtype=np.int8)
    return gym_spaces.Dict({"observation": gym_spaces.Dict(boxes), "action_mask": mask})


def _range_of(dtype: np.dtype[Any]) -> tuple[float, float]:
    """The limits of a box that holds any number of a type."""
    if dtype.kind == "b":
        return 0, 1
    return (0, np.iinfo(dtype).max) if dtype.kind == "u" else (-np.inf, np.inf)
