"""Results of matches whose points a test says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rulebots.packages import load_game
from rulebots.play.results import MatchResult, match_result, no_games


def result_of(points: list[tuple[int, ...]], stalled: tuple[int, ...] = (), game: str = "kalah") -> MatchResult:
    """The result of games of these points, a line for each game; `stalled` are the numbers of those without an end."""
    games = replace(
        no_games(load_game(game), len(points), 0, len(points[0])),
        points=np.array(points),
        courses=np.arange(len(points)),
    )
    games.stalled[list(stalled)] = True
    return match_result(games, load_game(game))
