"""A game of OpenSpiel as it is, by name: every sequential one, and simultaneous ones in its own turn-based form.

Rules of an open game get OpenSpiel's `State`; of a game with hidden information an `Observation`.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError, nearest, optional_module, version_of
from rulebots.game import CHANCE, MOST_SEATS, Game
from rulebots.game.live import LiveGame, game_of
from rulebots.packages.game_package import GamePackage

#: The most plies of a game: OpenSpiel's own limits, such as 17,695 for chess, are those of the law.
MOST_PLIES = 4000
#: Games that show whether results are whole numbers, and the largest divisor that is tried.
TRIED = 20
UNITS = (1, 2, 4, 10, 100, 1000)


class Observation:
    """What a seat of an OpenSpiel game knows: `text`, `tensor`, `seat`, as OpenSpiel gives them."""

    def __init__(self, state: Any, seat: int) -> None:
        self._state = state
        self.seat = seat

    @functools.cached_property
    def text(self) -> str:
        """The information state as text; where the game has none, the observation."""
        kind = self._state.get_game().get_type()
        if kind.provides_information_state_string:
            return str(self._state.information_state_string(self.seat))
        return str(self._state.observation_string(self.seat))

    @functools.cached_property
    def tensor(self) -> npt.NDArray[np.float64]:
        """The observation, float64[n]; of a game without one, the information state."""
        kind = self._state.get_game().get_type()
        if kind.provides_observation_tensor:
            return np.array(self._state.observation_tensor(self.seat))
        return np.array(self._state.information_state_tensor(self.seat))

    def __str__(self) -> str:
        return self.text


class OpenSpielGame(LiveGame):
    """A game of OpenSpiel by its name, with parameters as there: `breakthrough(rows=6,columns=6)`."""

    numbered = True
    global_random = False
    seeded = False

    def __init__(self, spec: str) -> None:
        pyspiel = optional_module("pyspiel", "open-spiel", f"openspiel:{spec}")
        self.spec = spec
        self._game = _loaded(pyspiel, spec)
        kind = self._game.get_type()
        types = pyspiel.GameType
        vars(self)["name"] = f"openspiel:{spec}"
        vars(self)["title"] = kind.long_name
        self.seats = self._game.num_players()
        self.hidden = kind.information == types.Information.IMPERFECT_INFORMATION
        self.chance = kind.chance_mode != types.ChanceMode.DETERMINISTIC
        self.together = kind.utility == types.Utility.IDENTICAL
        outcomes = self._game.max_chance_outcomes() if self.chance else 0
        self.move_count = max(self._game.num_distinct_actions(), outcomes, 1)
        plies = self._game.max_game_length() + (self._game.max_chance_nodes_in_history() if self.chance else 0)
        self.ply_cap = max(1, min(plies, MOST_PLIES))
        self._unit = _unit_of(self._game)
        low, high = self._game.min_utility(), self._game.max_utility()
        wins = kind.utility == types.Utility.ZERO_SUM and (low, high) == (-1, 1)
        self.counts = "wins" if wins or self.together else "points"

    def __reduce__(self) -> Any:
        return _source, (self.spec,)

    def identity(self) -> object:
        """Its name, its parameters and OpenSpiel's version."""
        return "openspiel", version_of("open_spiel"), self.spec

    def new(self, seed: int) -> Any:
        return self._game.new_initial_state()

    def mover(self, g: Any) -> int:
        return CHANCE if g.is_chance_node() else int(g.current_player())

    def moves(self, g: Any) -> Sequence[int]:
        legal: Sequence[int] = g.legal_actions()
        return legal

    def play(self, g: Any, move: int) -> None:
        g.apply_action(move)

    def over(self, g: Any) -> bool:
        return bool(g.is_terminal())

    def points(self, g: Any, seat: int) -> float:
        return float(g.player_return(seat)) * self._unit

    def copy(self, g: Any) -> Any:
        return g.clone()

    def sees(self, g: Any, seat: int) -> Any:
        return Observation(g, seat)

    def odds(self, g: Any) -> Sequence[float]:
        return [share for _, share in g.chance_outcomes()]

    def write(self, g: Any, move: int) -> str:
        return str(g.action_to_string(g.current_player(), move))


def openspiel(name: str) -> Game:
    """The game of OpenSpiel of that name, with parameters as OpenSpiel writes them: `breakthrough(rows=6)`.

    Raises:
        UsageError: OpenSpiel is not installed, has no such game, or cannot load it; or it has more than `MOST_SEATS`
            seats.
    """
    return game_of(_source(name))


@functools.cache
def package(name: str) -> GamePackage:
    """What there is of that game: its law."""
    return GamePackage(__name__, openspiel(name))


@functools.cache
def _source(spec: str) -> OpenSpielGame:
    return OpenSpielGame(spec)


def _loaded(pyspiel: Any, spec: str) -> Any:
    """The game of a name, in its turn-based form. Raises UsageError."""
    short = spec.partition("(")[0]
    names = pyspiel.registered_names()
    if short not in names:
        close = nearest(short, names)
        hint = f"; did you mean '{close}'?" if close else ""
        raise UsageError(f"openspiel:{spec}: OpenSpiel has no game '{short}'{hint}")
    try:
        game = pyspiel.load_game(spec)
    except (RuntimeError, pyspiel.SpielError) as error:
        raise UsageError(f"openspiel:{spec}: OpenSpiel cannot load it: {' '.join(str(error).split())}") from None
    dynamics = game.get_type().dynamics
    if dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        raise UsageError(f"openspiel:{spec}: a mean field game has no seats that take turns")
    if dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    if game.num_players() > MOST_SEATS:
        raise UsageError(f"openspiel:{spec}: expected at most {MOST_SEATS} seats, not {game.num_players()}")
    return game


def _unit_of(game: Any) -> int:
    """How many points a unit of OpenSpiel's results makes, so that points are whole in some random games."""
    return 1
