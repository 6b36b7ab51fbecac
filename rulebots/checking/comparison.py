"""The same games compiled and interpreted."""

from __future__ import annotations

import warnings

from rulebots.checking.problem import Problem, Problems, add, collecting
from rulebots.kernel import compiling
from rulebots.play.deals import opening_plies_of
from rulebots.play.loop import prepare
from rulebots.play.trial_games import difference_of, trial_games
from rulebots.players import Style


def check_compiled(style: Style) -> Problems:
    """Play the first games of a style both ways. What Numba cannot compile is a problem; nothing is without it."""
    found: Problems = []
    openings = opening_plies_of(style.game, style.game.option_values()) > 0
    with warnings.catch_warnings(record=True) as caught, collecting(found):
        warnings.simplefilter("always")
        trial_games(style, openings=openings)
        if compiling():
            prepare(style.game, (style,), openings=openings)
            difference = difference_of(style, openings=openings)
            if difference:
                add(found, Problem(difference))
    for warning in caught:
        if issubclass(warning.category, RuntimeWarning):
            add(found, Problem(_place_first(str(warning.message))))
    return found


def _place_first(warning: str) -> str:
    """`four runs interpreted: ... (file:line: why)` with its place at the beginning, as all other lines."""
    name, _, why = warning.removesuffix(")").partition(" runs interpreted, which is slow: Numba cannot compile it (")
    return f"{why}; so {name} runs interpreted, which is slow" if why else warning
