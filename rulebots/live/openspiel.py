"""A game of OpenSpiel as it is, by name: every sequential one, and simultaneous ones in its own turn-based form.

Rules of an open game get OpenSpiel's `State`; of a game with hidden information an `Observation`.
"""

import contextlib
import functools
import importlib
import os
import random
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rulebots.errors import UsageError, demand, did_you_mean, optional_module, version_of
from rulebots.game import CHANCE, MOST_SEATS, Floats, Game
from rulebots.game.live_game import LiveGame
from rulebots.game.live_loading import game_of
from rulebots.packages.game_package import GamePackage

#: The most plies of a game: OpenSpiel's own limits, such as 17,695 for chess, are those of the law.
MOST_PLIES = 4000
#: The games with `ResampleFromInfostate`; to ask another one writes a line to the terminal.
RESAMPLING = {
    "bargaining", "blackjack", "bridge", "colored_trails", "euchre", "gin_rummy", "hearts", "kuhn_poker",
    "leduc_poker", "oh_hell", "universal_poker",
}  # fmt: skip
#: Copies of these end the process, in OpenSpiel 2.0.2.
UNCOPIED = {"morpion_solitaire"}
#: Random games that show whether results are whole numbers, and the most plies of all of them.
TRIED = 8
TRIED_PLIES = 2000
#: Points for a unit of OpenSpiel's results where these are fractions, which are rounded: -0.4583 is -458 points.
THOUSANDTHS = 1000
#: How near a result is to a whole number that is one.
WHOLE = 1e-6
_SILENCE = threading.Lock()


class Observation:
    """What a seat of an OpenSpiel game knows: `text`, `tensor`, `seat`, as OpenSpiel gives them.

    They are made when they are first asked for, which has to be before the game goes on.
    """

    def __init__(self, state: Any, seat: int) -> None:
        self._state = state
        self._ply = state.move_number()
        self.seat = seat

    def _position(self) -> tuple[Any, Any]:
        """The state, and the type of its game. Raises UsageError once the state is another one."""
        demand(
            self._state.move_number() == self._ply,
            "this observation was not read before the game went on: read its text or tensor at once",
        )
        return self._state, self._state.get_game().get_type()

    @functools.cached_property
    def text(self) -> str:
        """The information state as text; where the game has none, the observation."""
        state, kind = self._position()
        if kind.provides_information_state_string:
            return str(state.information_state_string(self.seat))
        return str(state.observation_string(self.seat))

    @functools.cached_property
    def tensor(self) -> Floats:
        """The observation, float64[n]; of a game without one, the information state.

        Raises:
            UsageError: the game has neither.
        """
        state, kind = self._position()
        if kind.provides_observation_tensor:
            return np.array(state.observation_tensor(self.seat))
        if kind.provides_information_state_tensor:
            return np.array(state.information_state_tensor(self.seat))
        raise UsageError(f"OpenSpiel's {kind.short_name} has no tensor: read the text")

    def __str__(self) -> str:
        return self.text


class OpenSpielGame(LiveGame):
    """A game of OpenSpiel as it is, by its name, with parameters as there: `breakthrough(rows=6,columns=6)`."""

    numbered = True
    global_random = False
    seeded = False

    def __init__(self, spec: str) -> None:
        pyspiel = optional_module("pyspiel", "open-spiel", f"openspiel:{spec}")
        self.spec = spec
        self._game = _loaded(pyspiel, spec)
        kind = self._game.get_type()
        types = pyspiel.GameType
        vars(self).update(
            name=f"openspiel:{spec}", title=kind.long_name, __doc__=f"{kind.long_name} as OpenSpiel has it."
        )
        self.seats = self._game.num_players()
        self.hidden = kind.information == types.Information.IMPERFECT_INFORMATION
        self.chance = kind.chance_mode != types.ChanceMode.DETERMINISTIC
        self.together = kind.utility == types.Utility.IDENTICAL and self.seats > 1
        outcomes = self._game.max_chance_outcomes() if self.chance else 0
        self.move_count = max(self._game.num_distinct_actions(), outcomes, 1)
        plies = self._game.max_game_length() + (self._game.max_chance_nodes_in_history() if self.chance else 0)
        self.ply_cap = max(1, min(plies, MOST_PLIES))
        self.points_of_one = _unit_of(self._game)
        self.copy = self._copied if kind.short_name not in UNCOPIED and _copies(self._game) else None
        self.resample = self._resampled if kind.short_name in RESAMPLING else None
        wins = kind.utility == types.Utility.ZERO_SUM and self.points_of_one == 1 and self._game.max_utility() == 1
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
        return list(g.legal_actions())

    def play(self, g: Any, move: int) -> None:
        g.apply_action(move)

    def over(self, g: Any) -> bool:
        return bool(g.is_terminal())

    def points(self, g: Any, seat: int) -> float:
        points = float(g.player_return(seat))
        return points if self.points_of_one == 1 else round(points * self.points_of_one)

    def _copied(self, g: Any) -> Any:
        return g.clone()

    def sees(self, g: Any, seat: int) -> Any:
        return Observation(g, seat)

    def _resampled(self, g: Any, seat: int, seed: int) -> Any:
        return g.resample_from_infostate(seat, random.Random(seed).random)  # noqa: S311 - no secret

    def odds(self, g: Any) -> Sequence[float]:
        return [share for _, share in g.chance_outcomes()]

    def write(self, g: Any, move: int) -> str:
        # One line; gin rummy and others begin with who acts.
        return " ".join(g.action_to_string(g.current_player(), move).rpartition("Action: ")[2].split())


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
    if short not in pyspiel.registered_names():
        with contextlib.suppress(ImportError):  # of what some of them need
            importlib.import_module("open_spiel.python.games")  # which registers those written in Python
    names = pyspiel.registered_names()
    if short not in names:
        raise UsageError(f"openspiel:{spec}: OpenSpiel has no game '{short}'{did_you_mean(short, names)}")
    try:
        with _silent():
            game = pyspiel.load_game(spec)
    except (RuntimeError, IndexError, pyspiel.SpielError) as error:
        said = " ".join(str(error).split()).removeprefix("/project/open_spiel/games/")
        hint = "" if "(" in spec else f"; some games need parameters: openspiel:{spec}(name=value)"
        raise UsageError(f"openspiel:{spec}: OpenSpiel cannot load it: {said}{hint}") from None
    kind = game.get_type()
    lacks = ""
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        lacks = "a mean field game has no seats that take turns"
    elif kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        lacks = "OpenSpiel draws its chance by itself, from no seed, so no game of it could be played again"
    elif game.num_distinct_actions() == 0:
        lacks = "its moves have no numbers"
    elif game.num_players() > MOST_SEATS:
        lacks = f"expected at most {MOST_SEATS} seats, not {game.num_players()}"
    demand(not lacks, f"openspiel:{spec}: {lacks}")
    return pyspiel.convert_to_turn_based(game) if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS else game


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Without what OpenSpiel itself writes to the terminal.

    One thread at a time: a second one would take the first one's null device for the terminal.
    """
    with _SILENCE:
        terminal = os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        try:
            yield
        finally:
            os.dup2(terminal, 2)
            os.close(terminal)
            os.close(nowhere)


def _copies(game: Any) -> bool:
    """Whether a copy of a state can be played: of a game in Python it may lack a part."""
    try:
        game.new_initial_state().clone().legal_actions()
    except AttributeError:
        return False
    return True


def _unit_of(game: Any) -> int:
    """How many points a unit of OpenSpiel's results makes, so that points are whole; some random games show it."""
    plies = 0
    for seed in range(TRIED):
        chance = random.Random(seed)  # noqa: S311 - no secret
        state = game.new_initial_state()
        while not state.is_terminal() and plies < TRIED_PLIES:
            state.apply_action(chance.choice(state.legal_actions()))
            plies += 1
            if any(abs(result - round(result)) > WHOLE for result in state.returns()):
                return THOUSANDTHS
    return 1
