"""Games as OpenSpiel's (extra `open-spiel`).

    import pyspiel, rulebots.bridges.openspiel
    game = pyspiel.load_game("rulebots_kalah(pits=4)")

Importing this module registers every installed game; `register` takes one of your own. See
https://openspiel.readthedocs.io/en/latest/developer_guide.html. Where a game deals something, chance first chooses one
of `deals` deals of a `seed`, all equally likely: OpenSpiel lists the outcomes of chance one by one, and nobody can list
all packs of cards. Returns of two are 1 for a win, -1 for a loss, and 0 for a draw or a game that stalls; at other
tables, and together, they are what the result is worth to each seat (`Game.counts`), and 0 for a game that stalls.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import math
from typing import Any

import numpy as np

from rulebots.bridges import worth_to_seats, zero_sum
from rulebots.errors import UsageError, check_whole, demand, optional_module
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages import game_names, load_game
from rulebots.play.deals import Deals, draw_deals
from rulebots.players.policy import observation_of

optional_module("pyspiel", "open-spiel", "rulebots.bridges.openspiel")

import pyspiel  # noqa: E402 - once it is known to be there

#: How many deals chance may choose from by default, and the most.
DEALS = 1000
MOST_DEALS = 100_000
#: The parameters of every game that deals something, besides its options: the deals, and what they are drawn from.
DEAL_PARAMETERS = {"deals": DEALS, "seed": 1}


def spiel_name(game: Game) -> str:
    """The game's name at OpenSpiel: `rulebots_lost_cities`."""
    return f"rulebots_{game.file_name}"


@functools.cache
def register(game: Game) -> type[SpielGame]:
    """Make a game known to OpenSpiel, once; gives its class there."""
    # One class per game: OpenSpiel frees what it knows after Python has ended, and only classes outlive that, because
    # they reference themselves.
    registered = type(f"Spiel_{game.name}", (SpielGame,), {"rules": game})
    pyspiel.register_game(_type_of(game, game.most_seats), registered)
    return registered


def register_all() -> None:
    """Register the games that come with the package, and those of installed packages that can be imported."""
    for name in game_names():
        with contextlib.suppress(UsageError):  # `rulebots games` says what is wrong with it
            register(load_game(name))


@functools.cache
def _deals_something(game: Game) -> bool:
    return draw_deals(game, 1, 1, opening_plies=0).cards.shape[1] > 0


def _type_of(game: Game, seats: int) -> Any:
    """OpenSpiel's description of a game with that number of seats."""
    dealt = _deals_something(game)
    kinds = pyspiel.GameType
    alike = kinds.Utility.IDENTICAL if seats > 1 and game.together(seats) else kinds.Utility.GENERAL_SUM
    specification = {name: option.default for name, option in game.options.items()}
    return kinds(
        short_name=spiel_name(game),
        long_name=f"{game.title} (rulebots)",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if dealt or game.chance else kinds.ChanceMode.DETERMINISTIC,
        information=(kinds.Information.IMPERFECT_INFORMATION if game.hidden else kinds.Information.PERFECT_INFORMATION),
        utility=kinds.Utility.ZERO_SUM if zero_sum(game, seats) else alike,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.most_seats,
        min_num_players=game.fewest_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=specification | (DEAL_PARAMETERS if dealt else {}),
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # its types are OpenSpiel's
    """A game with its options, and the deals that chance may choose from; see `register`."""

    #: The package's game.
    rules: Game

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        game = self.rules
        chosen = dict(params or {})
        deals, seed = (int(chosen.pop(name, default)) for name, default in DEAL_PARAMETERS.items())
        demand(1 <= deals <= MOST_DEALS, f"deals: expected a whole number from 1 to {MOST_DEALS:,}, not {deals}")
        self.options = {name: int(value) for name, value in chosen.items() if name in game.options}
        self.deals: Deals = draw_deals(game, deals, seed, options=self.options, opening_plies=0)
        seats = self.deals.seats
        least, most = _range_of(game, seats)
        outcomes = max(deals if _deals_something(game) else 0, game.move_count if game.chance else 0)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.move_count,
            max_chance_outcomes=outcomes,
            num_players=seats,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0 if zero_sum(game, seats) else None,
            max_game_length=game.ply_cap,
        )
        super().__init__(_type_of(game, seats), info, params or {})

    def new_initial_state(self) -> SpielState:
        """The state before the deal, or before the first move if nothing is dealt."""
        return SpielState(self)

    def __reduce__(self) -> Any:
        """By the package's game: the class is made here and stands in no module."""
        return _loaded, (self.rules, str(self))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """What a seat may know, as numbers and as text."""
        return SpielObserver(self, iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]  # its types are OpenSpiel's
    """A state of the game. OpenSpiel copies its attributes by `deepcopy`: they share nothing with the original's."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        #: None before the deal.
        self.position: Any = None
        #: In a game that hides something a digest for each seat of all that it has seen.
        self.seen = [b""] * self.num_players()
        if not _deals_something(game.rules):
            self._apply_action(0)

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's number for chance or for the end."""
        if self.position is None or self.position.chance_to_move:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.position.mover

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals, or the outcomes of chance in play, each with its probability."""
        if self.position is None:
            count = len(self.get_game().deals)
            return [(deal, 1.0 / count) for deal in range(count)]
        outcomes, probabilities = self.position.outcomes
        return sorted(zip(outcomes.tolist(), probabilities.tolist(), strict=True))

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position.legal_moves.tolist())

    def _apply_action(self, action: int) -> None:
        """Deal, or make a move. Raises UsageError unless that is legal: OpenSpiel does not check it."""
        if self.position is None:
            game = self.get_game()
            deal = check_whole("deal", action, 0, len(game.deals) - 1)
            self.position = Position(game.rules, game.options, game.deals.cards[deal], compiled=True)
        elif self.is_terminal():
            raise UsageError("the game is over")
        else:
            self.position.push(action)
        if self.position.game.hidden:
            for seat, before in enumerate(self.seen):
                self.seen[seat] = hashlib.blake2b(before + self.position.view(seat).tobytes(), digest_size=8).digest()

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if self.position is None else self.position.write(action)

    def is_terminal(self) -> bool:
        """Whether the game is over, or has stalled."""
        return self.position is not None and (self.position.over or self.position.stalled)

    def returns(self) -> list[float]:
        """What the result is worth to each seat: of two, 1 for the winner and -1 for the loser."""
        if not self.is_terminal() or self.position.stalled:
            return [0.0] * self.num_players()
        return worth_to_seats(self.position.game, self.position.points)

    def information_state_string(self, player: int | None = None) -> str:
        """The moves so far as the seat was told of them, what it sees now, and a digest of all that it has seen."""
        seat = self.current_player() if player is None else player
        if self.position is None:
            return ""
        history = " ".join(str(ply.move) for ply in self.position.history(seat))
        return f"{history}\n{self.position.text(seat)}\n{self.seen[seat].hex()}".rstrip("\n")

    def __str__(self) -> str:
        return "before the deal" if self.position is None else self.position.text()


class SpielObserver:
    """What a seat may know now: `tensor`, float32[n], the fields of its view, and `dict`, the fields by name.

    With perfect recall there is only a text.
    """

    def __init__(self, game: SpielGame, kind: Any, params: Any) -> None:
        demand(not params, f"observation parameters: expected none, not {params!r}")
        self._all = kind is not None and kind.perfect_recall
        fields = {} if self._all else observation_of(game.rules.new_view())
        self.tensor = np.zeros(sum(field.size for field in fields.values()), np.float32)
        ends = np.cumsum([field.size for field in fields.values()])
        parts = zip(fields.items(), ends, strict=True)
        self.dict = {name: self.tensor[end - field.size : end].reshape(field.shape) for (name, field), end in parts}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill both with what that seat may know."""
        self.tensor.fill(0)
        if state.position is None or self._all:
            return
        for name, field in observation_of(state.position.view(player)).items():
            self.dict[name][...] = field

    def string_from(self, state: SpielState, player: int) -> str:
        """The same as text."""
        if self._all:
            return state.information_state_string(player)
        return "before the deal" if state.position is None else state.position.text(player)


def _range_of(game: Game, seats: int) -> tuple[float, float]:
    """The least and the most that a result can be worth to a seat."""
    if zero_sum(game, seats):
        return -1.0, 1.0
    if game.in_points(seats):
        return -math.inf, math.inf if game.most_points is None else float(game.most_points)
    return 0.0, 1.0


def _loaded(game: Game, text: str) -> Any:
    """A pickled game again, registered in this process."""
    register(game)
    return pyspiel.load_game(text)


register_all()
