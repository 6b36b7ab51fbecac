"""How a game goes between equals: seats, length, choices, who is ahead, and when it is decided."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from evolve.analysis.report.estimates import Floats, Ints, average, ratio, share, share_of_cases
from evolve.analysis.report.tracing import MARKS, Trace, trace
from evolve.lessons.rollouts import rolled_out
from rulebots.game import Game
from rulebots.game.random_numbers import luck_of, rng_of
from rulebots.play.deals import Deals
from rulebots.play.loop import Batch
from rulebots.play.match import play_games
from rulebots.play.results import Games
from rulebots.players import Player, RandomPlayer

#: Random playouts of a position, and the games whose positions are played out so.
PLAYOUTS, PLAYED_OUT = 16, 150
#: A side is ahead that wins so much more than half of the playouts: their standard error.
LEVEL = 0.5 / np.sqrt(PLAYOUTS)


def self_play(player: Player, deals: Deals, jobs: int, *, keep_moves: bool = False) -> Games:
    """The player against itself: each deal once. Raises PlayerFault where it fails."""
    count = len(deals)
    once = np.stack([np.arange(count), np.zeros(count, np.int64), np.ones(count, np.int64)], axis=1)
    return play_games([player, copy.copy(player)], deals, once, jobs, keep_moves=keep_moves)


def seat_figures(games: Games) -> dict[str, Any]:
    """What seat 0 scores, draws half, and how many games are drawn, or stall; and how long they are."""
    return {
        "first_seat": share(first_scores(games), games.courses).as_data(),
        "draws": share(((winners(games) == 0) & ~games.stalled).astype(np.float64), games.courses).as_data(),
        "stalled": share(games.stalled.astype(np.float64), games.courses).as_data(),
        "length": average(games.plies.astype(np.float64), games.courses).as_data(),
    }


def winners(games: Games) -> Ints:
    """Who won: 1 for seat 0, -1 for seat 1, 0 for nobody: int64[games]."""
    return np.where(games.stalled, 0, np.sign(games.points[:, 0] - games.points[:, 1]))


def first_scores(games: Games) -> Floats:
    """What seat 0 scored: 1 for a win, 0.5 where nobody won, float64[games]."""
    return (winners(games) + 1) / 2


def course_figures(game: Game, games: Games, traced: Trace, seed: int) -> dict[str, Any]:
    """Length, choices and leads of the games of one player with itself; `seed` is that of the random playouts."""
    decisions, forced = (traced.choices > 0).sum(axis=1), (traced.choices == 1).sum(axis=1)
    return {
        **seat_figures(games),
        "different": len(np.unique(games.courses)),
        "lengths": np.quantile(games.plies, [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1]).tolist(),
        "branching": ratio(
            traced.choices.sum(axis=1).astype(np.float64), decisions.astype(np.float64), games.courses
        ).as_data(),
        "forced": share_of_cases(forced, decisions, games.courses).as_data(),
        "branching_by_tenth": _branching_by_tenth(games, traced),
        "lead": _lead_figures(game, games, traced, seed),
    }


def _branching_by_tenth(games: Games, traced: Trace) -> list[dict[str, Any]]:
    """The mean number of legal moves at a decision, in each tenth of the games."""
    going = np.maximum(games.plies - games.openings, 1)[:, None]
    tenth = (np.arange(traced.choices.shape[1])[None, :] - games.openings[:, None]) * (MARKS + 1) // going
    found = []
    for number in range(MARKS + 1):
        choices = np.where(tenth == number, traced.choices, 0)
        cases = (choices > 0).sum(axis=1).astype(np.float64)
        found.append(ratio(choices.sum(axis=1).astype(np.float64), cases, games.courses).as_data())
    return found


def _lead_figures(game: Game, games: Games, traced: Trace, seed: int) -> dict[str, Any]:
    """Who is ahead when, and what it is worth: by points or by playouts, whichever tells more of the winner half-way.

    Points may say nothing before the end, or the contrary: who has invested more is behind, and may be the better off.
    """
    winner, rows, half = winners(games), np.arange(len(games.plies))[:, None], MARKS // 2
    by_points = np.sign(np.where(traced.at > 0, traced.leads[rows, np.maximum(traced.at - 1, 0)], 0))
    some = slice(0, PLAYED_OUT)
    chances = _playout_chances(game, traced.states[some], traced.at[some], seed)
    by_playouts = np.where(np.abs(chances - 0.5) < LEVEL, 0, np.sign(chances - 0.5)).astype(np.int64)
    if (by_points[:, half] * winner).mean() > (by_playouts[:, half] * winner[some]).mean():
        by_ply = np.sign(traced.leads)
        courses = [by_ply[g, games.openings[g] : games.plies[g]] for g in range(len(winner))]
        return {"by": "points", **_leads(by_points, courses, winner, games.courses)}
    return {"by": "playouts", **_leads(by_playouts, list(by_playouts), winner[some], games.courses[some])}


def _leads(at_marks: Ints, courses: list[Ints], winner: Ints, same: Ints) -> dict[str, Any]:
    """`at_marks` int64[games, MARKS] and each of `courses` say who is ahead: 1 for seat 0, -1 for seat 1, 0 nobody."""
    won = winner != 0
    leader_wins = []
    for mark in range(MARKS):
        led = won & (at_marks[:, mark] != 0)
        wins = (at_marks[led, mark] == winner[led]).astype(np.float64)
        somebody = float((at_marks[:, mark] != 0).mean())
        leader_wins.append({"led": somebody, **share(wins, same[led]).as_data()})
    changes = np.array([_changes(course) for course in courses], np.float64)
    decided = np.array([_decided(courses[g], int(winner[g])) for g in np.flatnonzero(won)], np.float64)
    behind = (at_marks[won, MARKS // 2] == -winner[won]).astype(np.float64)
    return {
        "leader_wins": leader_wins,
        "changes": average(changes, same).as_data(),
        "decided": average(decided, same[won]).as_data(),
        "comebacks": share(behind, same[won]).as_data(),
    }


def _changes(course: Ints) -> int:
    ahead = course[course != 0]
    return int((ahead[1:] != ahead[:-1]).sum())


def _decided(course: Ints, winner: int) -> float:
    """The share of a game after which its winner stays ahead."""
    other = np.flatnonzero(course != winner)
    return float(other[-1] + 1) / len(course) if len(other) else 0.0


def _playout_chances(game: Game, states: npt.NDArray[np.void], at: Ints, seed: int) -> Floats:
    """What seat 0 scores when both go on at random: float64[games, MARKS]; the states are as the referee knows."""
    rng, count = rng_of(seed, MARKS, PLAYOUTS), states.size * PLAYOUTS
    batch = Batch(game, luck_of(rng, (count, 2)))
    batch.states[:] = np.repeat(states.ravel(), PLAYOUTS)
    batch.outcomes[:] = luck_of(rng, (count,))
    batch.plies[:] = np.repeat(at.ravel(), PLAYOUTS)
    players = [RandomPlayer(game), RandomPlayer(game)]
    who = np.tile(np.array([0, 1], np.int64), (count, 1))
    margin, stalled = rolled_out(players, batch, who, np.zeros(count, np.int64))
    scores = np.where(stalled, 0.5, (np.sign(margin) + 1) / 2)
    return scores.reshape(*states.shape, PLAYOUTS).mean(axis=2)


def traced_self_play(player: Player, deals: Deals, jobs: int) -> tuple[Games, Trace]:
    """The player against itself, and what happened in the games."""
    games = self_play(player, deals, jobs, keep_moves=True)
    return games, trace(deals, games)
