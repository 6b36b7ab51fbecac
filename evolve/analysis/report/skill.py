"""Does skill matter? Players from random to the strongest there is, rated, and what the first seat scores for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evolve.analysis.report.course import seat_figures, self_play
from rulebots.game import Game
from rulebots.play.deals import Deals
from rulebots.players.names import champion_of, make_player
from rulebots.registry import parts_of
from rulebots.tournaments.playing import play_tournament
from rulebots.tournaments.standings import Tournament


def usual_players(game: Game) -> list[str]:
    """The players of a game by strength as far as is known: random ones, the reference players, the champion."""
    return list(
        dict.fromkeys([*reversed(parts_of(game).baselines), *reversed(parts_of(game).references), champion_of(game)])
    )


def ladder_figures(
    game: Game,
    specs: Sequence[str],
    deals: Deals,
    seed: int,
    options: Mapping[str, int],
    opening_plies: int | None,
    jobs: int,
) -> dict[str, Any]:
    """A line for each player, best first: its rating, and what happens when it meets itself on these deals.

    They meet each other on a quarter as many deals. `skill` is what the first scores against the last.
    """
    players = [make_player(spec, game) for spec in specs]
    rated = play_tournament(
        players, deals=max(1, len(deals) // 4), seed=seed, options=options, opening_plies=opening_plies, jobs=jobs
    )
    rows = rated.rows()
    lines = []
    for row, place in zip(rows, rated.ranking, strict=True):
        known = row["elo_95"][0] > float("-inf")
        low, high = row["elo_95"] if known else (None, None)
        elo = {"mean": row["elo"], "low": low, "high": high, "games": row["distinct_deals"]}
        lines.append({"player": specs[place], "elo": elo, **seat_figures(self_play(players[place], deals, jobs))})
    return {"players": lines, "skill": _first_against_last(rated)}


def _first_against_last(rated: Tournament) -> dict[str, Any]:
    best, worst = rated.ranking[0], rated.ranking[-1]
    meeting = next(m for m in rated.meetings if {m.first, m.second} == {best, worst})
    result, turned = meeting.result, meeting.first == worst
    low, high = (None, None) if result.too_few else result.win_rate_95
    rate = result.win_rate
    if turned:
        rate = (result.losses + result.draws / 2) / result.games
        low, high = (None, None) if low is None or high is None else (1 - high, 1 - low)
    return {"mean": rate, "low": low, "high": high, "games": result.effective_deals}
