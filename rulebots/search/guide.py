"""The rule player that guides a search: by its name, and when the search plays another move than its guide's."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.packages.players import make_player
from rulebots.players import RulePlayer, decides_by_rules

Floats = npt.NDArray[np.float64]
#: Standard errors that a gain has to be, however well it is known.
GATE = 1.5
#: How many more standard errors it has to be for each unit of its error. Measured on Lost Cities
#: (docs/background/measurements.md); returns are from 0 to 1 in every game.
DOUBT = 15.0


def convincing(gains: Floats, errors: Floats, gate: float) -> npt.NDArray[np.bool_]:
    """Which gains, float64[candidates], are more than `gate` standard errors, bool[candidates].

    With a normal prior of mean -m and variance v, a gain with the error e has a posterior mean above 0 only if it is
    more than m / v * e errors: the less is known, the more has to be shown. Without that, few rollouts of several moves
    nearly always find one that looks better.
    """
    return np.asarray((gains > 0) & (gains > errors * (gate + DOUBT * errors)))


def rule_player(spec: str, name: str, game: Game, role: str = "") -> RulePlayer:
    """The rule player of that name in `spec`, the name of a search with its settings; `role` is for the message.

    Raises:
        UsageError: there is no such player, or it is not made of rules.
    """
    player = make_player(name, game)
    if not decides_by_rules(player):
        wanted = f"the name of a rule player{role and f' as {role}'}, such as hand_tuned"
        raise UsageError(f"'{spec}': expected {wanted}, not '{name}'")
    return player
