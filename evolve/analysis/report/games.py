"""How the games of one player with itself go: seats, length, choices, who is ahead, and when a game is decided.

The games are played once more, move by move: what there was to choose from, what was chosen, and who was ahead.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evolve.analysis.measuring import Estimate, Floats, Ints, average, ratio, share, share_of_cases
from evolve.lessons.rollouts import rolled_out
from rulebots.game import CHANCE, Game
from rulebots.game.dtypes import records
from rulebots.game.random_numbers import luck_of, rng_of
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.play.deals import Deals
from rulebots.play.loop import Batch, room_for_moves
from rulebots.play.match import play_games
from rulebots.play.results import Games
from rulebots.players import Player, RandomPlayer

#: The moves of a game with more of them are not told apart, only their kinds.
MOST_MOVES = 2048
#: A position is kept at each tenth of a game but the last.
MARKS = 9
#: Random playouts of a position, and the games whose positions are played out so.
PLAYOUTS, PLAYED_OUT = 16, 150
#: A side is ahead where it wins more than half of the playouts by at least this, their standard error.
LEVEL = 0.5 / np.sqrt(PLAYOUTS)
#: What is chosen in a smaller share of the decisions that offer it is dead; in a larger one, dominant.
DEAD, DOMINANT = 0.01, 0.95
#: A move that was offered in fewer games is not listed.
FEWEST_GAMES = 20


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


def game_figures(player: Player, deals: Deals, jobs: int, seed: int) -> dict[str, Any]:
    """Length, leads and choices of the games of a player with itself; `seed` is that of the random playouts."""
    games = self_play(player, deals, jobs, keep_moves=True)
    traced = trace(deals, games)
    return {**_course_figures(deals.game, games, traced, seed), **choice_figures(deals.game, games, traced)}


def _course_figures(game: Game, games: Games, traced: Trace, seed: int) -> dict[str, Any]:
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
    """Who is ahead when, and how often that side wins: by points or by playouts, whichever tells more half-way.

    Points may say nothing before the end, or the contrary: a side that has invested more has fewer, and may be better
    off.
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
        led_at_all = float((at_marks[:, mark] != 0).mean())
        leader_wins.append({"led": led_at_all, **share(wins, same[led]).as_data()})
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
    points, stalled = rolled_out(players, batch, who)
    scores = np.where(stalled, 0.5, (np.sign(points[:, 0] - points[:, 1]) + 1) / 2)
    return scores.reshape(*states.shape, PLAYOUTS).mean(axis=2)


def choice_figures(game: Game, games: Games, traced: Trace) -> dict[str, Any]:
    """A line for each kind of move, and for each move that was offered often enough, the most valuable first.

    `taken` is the share of the decisions that offered it; `more` the win rate of the side that chose it more often
    than the other one, less what its seat scores anyway: that they go together does not make one the other's cause.
    All intervals of a table hold together.
    """
    scores = first_scores(games)
    surplus = scores - scores.mean()
    kinds = _table([kind.name for kind in game.kinds], traced.kinds_offered, traced.kinds_taken, surplus, games.courses)
    offered = np.flatnonzero((traced.offered.sum(axis=1) > 0).sum(axis=0) >= FEWEST_GAMES)
    names = [game.write(int(move)) for move in offered]
    moves = _table(names, traced.offered[:, :, offered], traced.taken[:, :, offered], surplus, games.courses)
    return {"kinds": kinds, "moves": moves}


def _table(names: list[str], offered: Ints, taken: Ints, surplus: Floats, courses: Ints) -> list[dict[str, Any]]:
    found = []
    for number, name in enumerate(names):
        cases, chosen = offered[:, :, number], taken[:, :, number]
        if not cases.any():  # such as a kind of move that is never one of several
            continue
        rate = share_of_cases(chosen.sum(axis=1), cases.sum(axis=1), courses, len(names))
        more = np.sign(chosen[:, 0] - chosen[:, 1]).astype(np.float64)
        gain = ratio(surplus * more, np.abs(more), courses, len(names))
        found.append({"name": name, "taken": rate.as_data(), "more": gain.as_data(), "verdict": verdict(rate)})
    return sorted(found, key=lambda line: -(line["more"]["mean"] or 0.0))


def verdict(rate: Estimate) -> str:
    """Where the whole interval says so "dead" or "dominant", else nothing."""
    if rate.low is None or rate.high is None:
        return ""
    return "dead" if rate.high < DEAD else "dominant" if rate.low > DOMINANT else ""


@dataclass(frozen=True)
class Trace:
    """What happened in games; random openings and outcomes of chance are not choices, and do not count.

    `choices` int64[games, plies] is the number of legal moves at each decision, 0 at other plies, and `leads`
    int64[games, plies] by how many points seat 0 is ahead after each ply. `offered` and `taken`, int64[games, 2,
    moves], count by seat the decisions between at least two moves in which a move was legal, and those in which it was
    chosen; the moves are none where a game has more than MOST_MOVES. `kinds_offered` and `kinds_taken`, int64[games, 2,
    kinds], count in the same way the decisions between at least two kinds of moves. `states` are records[games, MARKS]
    of the positions at each tenth of a game, after `at`, int64[games, MARKS], plies.
    """

    choices: Ints
    leads: Ints
    offered: Ints
    taken: Ints
    kinds_offered: Ints
    kinds_taken: Ints
    states: npt.NDArray[np.void]
    at: Ints


def trace(deals: Deals, games: Games) -> Trace:
    """Replay the games of a schedule that plays deal after deal once; they must have kept their moves."""
    game, count = deals.game, len(games.plies)
    plies, moves = int(games.plies.max(initial=0)), game.move_count if game.move_count <= MOST_MOVES else 0
    going = games.plies - games.openings
    at = games.openings[:, None] + going[:, None] * np.arange(1, MARKS + 1) // (MARKS + 1)
    table = np.zeros((count, plies), np.int64)
    by_move, by_kind = np.zeros((count, 2, moves), np.int64), np.zeros((count, 2, len(game.kinds)), np.int64)
    states = records(game.state, count * MARKS)
    found = (table, table.copy(), by_move, by_move.copy(), by_kind, by_kind.copy(), states)
    scratch = records(game.state, 2), np.zeros(game.move_count, np.int64), np.zeros(len(game.kinds), np.int64)
    course = (deals.cards, deals.options, games.moves, games.openings, games.plies, at)
    _compiled_trace(game)(*course, *found, *scratch)
    return Trace(*found[:-1], states.reshape(count, MARKS), at)


@functools.cache
def trace_kernel(game: Game) -> Kernel[..., None]:
    """A kernel that replays games and writes what `Trace` holds; `states` has a row for each game and mark in turn."""
    setup, moves_of, play, points, kind_of = game.setup, game.moves, game.play, game.points, game.kind
    kinds = len(game.kinds)

    @kernel
    def follow(
        cards: Any, options: Any, chosen: Any, openings: Any, plies: Any, at: Any,
        choices: Any, leads: Any, offered: Any, taken: Any, kinds_offered: Any, kinds_taken: Any, kept: Any,
        states: Any, moves: Any, present: Any,
    ) -> None:  # fmt: skip
        for g in range(plies.shape[0]):
            states[0], mark = states[1], 0
            setup(states[0], cards[g], options)
            for ply in range(plies[g]):
                while mark < at.shape[1] and at[g, mark] == ply:
                    kept[g * at.shape[1] + mark] = states[0]
                    mark += 1
                move, mover = int(chosen[g, ply]), states[0].mover
                if ply >= openings[g] and mover != CHANCE:
                    n = moves_of(states[0], moves)
                    choices[g, ply] = n
                    for k in range(kinds):
                        present[k] = 0
                    for i in range(n):
                        present[kind_of(moves[i])] = 1
                        if n > 1 and offered.shape[2] > 0:
                            offered[g, mover, moves[i]] += 1
                    if n > 1 and offered.shape[2] > 0:
                        taken[g, mover, move] += 1
                    several = 0
                    for k in range(kinds):
                        several += present[k]
                    if several > 1:
                        for k in range(kinds):
                            kinds_offered[g, mover, k] += present[k]
                        kinds_taken[g, mover, kind_of(move)] += 1
                play(states[0], move)
                leads[g, ply] = points(states[0], 0) - points(states[0], 1)

    follow.title = f"{game.title}, its games move by move"
    return follow


@functools.cache
def _compiled_trace(game: Game) -> Callable[..., None]:
    """`trace_kernel(game)`, compiled."""
    none, table, cube = np.zeros(0, np.int64), np.zeros((0, 0), np.int64), np.zeros((0, 2, 0), np.int64)
    course = (np.zeros((1, 1), np.int64), game.option_values(), room_for_moves(game, 0, 0), none, none, table)
    found = (table, table, cube, cube, cube, cube, records(game.state, 0))
    return runnable(trace_kernel(game), *course, *found, records(game.state, 2), none, none)
