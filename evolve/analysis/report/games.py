"""How the games of one player with itself go: seats, length, choices, who is ahead, when it is decided, and by whom.

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
from rulebots.game.compiled import law_of
from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.game.random_numbers import luck_of, rng_of
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.play.deals import Deals
from rulebots.play.loop import Batch, room_for_moves
from rulebots.play.match import play_games
from rulebots.play.results import Games, first_shares, shares_of
from rulebots.players import CompiledPlayer, Player, RandomPlayer

#: The moves of a game with more of them are not told apart, only their kinds.
MOST_MOVES = 2048
#: A position is kept at each tenth of a game but the last.
MARKS = 9
#: Of lengths and points.
QUANTILES = (0, 0.05, 0.25, 0.5, 0.75, 0.95, 1)
#: Random playouts of a position, and the games whose positions are played out so.
PLAYOUTS, PLAYED_OUT = 16, 150
#: A seat is ahead where its share of the playouts is larger than every other's by this, their standard error at two.
LEVEL = 1 / np.sqrt(PLAYOUTS)
#: A decision makes a king where another seat's share of the playouts differs by this between two of its moves.
KINGMAKING, MOST_ALTERNATIVES = 0.5, 24
#: Instead of a seat: nobody wins, or is ahead.
NOBODY = -1
#: What is chosen in a smaller share of the decisions that offer it is dead; in a larger one, dominant.
DEAD, DOMINANT = 0.01, 0.95
#: A move that was offered in fewer games is not listed.
FEWEST_GAMES = 20


def self_play(player: Player, deals: Deals, jobs: int, *, keep_moves: bool = False) -> Games:
    """The player against itself: each deal once. Raises PlayerFault where it fails."""
    count, seats = len(deals), deals.seats
    once = np.column_stack([np.arange(count), np.tile(np.arange(seats), (count, 1))])
    players = [player, *(copy.copy(player) for _ in range(seats - 1))]
    return play_games(players, deals, once, jobs, keep_moves=keep_moves)


def seat_figures(game: Game, games: Games) -> dict[str, Any]:
    """What each seat scores, how many games nobody wins alone, or stall; and how long they are.

    In a game for all together, how many points they make, and how often the most that there are.
    """
    length = average(games.plies.astype(np.float64), games.courses).as_data()
    stalled = share(games.stalled.astype(np.float64), games.courses).as_data()
    if game.together(games.points.shape[1]):
        points = games.points[:, 0].astype(np.float64)
        found = {"points": average(points, games.courses).as_data(), "spread": np.quantile(points, QUANTILES).tolist()}
        if game.most_points is not None:
            found["perfect"] = share((points == game.most_points).astype(np.float64), games.courses).as_data()
        return {**found, "stalled": stalled, "length": length}
    won = scores(games)
    return {
        "first_seat": share(won[:, 0], games.courses).as_data(),
        "seats": [share(of, games.courses).as_data() for of in won.T],
        "draws": share(((winners(games) == NOBODY) & ~games.stalled).astype(np.float64), games.courses).as_data(),
        "stalled": stalled,
        "length": length,
    }


def winners(games: Games) -> Ints:
    """The seat that won alone, or NOBODY: int64[games]."""
    return np.where(games.stalled, NOBODY, ahead_of_all(games.points))


def ahead_of_all(amounts: npt.NDArray[Any], least: float = 1e-9) -> Ints:
    """The seat whose amount is larger than every other's by `least`, or NOBODY: int64[...] of [..., seats]."""
    order = np.sort(amounts, axis=-1)
    return np.where(order[..., -1] - order[..., -2] >= least, amounts.argmax(axis=-1), NOBODY)


def scores(games: Games) -> Floats:
    """What each seat scored, float64[games, seats]: its share of the win, an even one where the game stalled."""
    return np.where(games.stalled[:, None], 1 / games.points.shape[1], shares_of(games))


def game_figures(player: Player, deals: Deals, jobs: int, seed: int) -> dict[str, Any]:
    """Length, leads and choices of the games of a player with itself; `seed` is that of the random playouts."""
    games = self_play(player, deals, jobs, keep_moves=True)
    traced = trace(deals, games)
    found = {**_course_figures(deals.game, games, traced), **choice_figures(deals.game, games, traced)}
    if not deals.game.together(deals.seats):
        found["lead"] = _lead_figures(deals.game, games, traced, seed)
        if deals.seats > 2:
            found["kingmaking"] = _kingmaking(player, deals, games, seed)
    return found


def _course_figures(game: Game, games: Games, traced: Trace) -> dict[str, Any]:
    decisions, forced = (traced.choices > 0).sum(axis=1), (traced.choices == 1).sum(axis=1)
    return {
        **seat_figures(game, games),
        "different": len(np.unique(games.courses)),
        "lengths": np.quantile(games.plies, QUANTILES).tolist(),
        "branching": ratio(
            traced.choices.sum(axis=1).astype(np.float64), decisions.astype(np.float64), games.courses
        ).as_data(),
        "forced": share_of_cases(forced, decisions, games.courses).as_data(),
        "branching_by_tenth": _branching_by_tenth(games, traced),
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
    by_points = np.where(traced.at > 0, traced.leads[rows, np.maximum(traced.at - 1, 0)], NOBODY)
    some, seats = slice(0, PLAYED_OUT), games.points.shape[1]
    states, at = traced.states[some], traced.at[some]
    random = RandomPlayer(game)
    chances = playouts(random, seats, states.ravel(), at.ravel(), rng_of(seed, MARKS, PLAYOUTS))
    by_playouts = ahead_of_all(chances.reshape(*states.shape, seats), LEVEL)
    if _tells(by_points[:, half], winner) > _tells(by_playouts[:, half], winner[some]):
        courses = [traced.leads[g, games.openings[g] : games.plies[g]] for g in range(len(winner))]
        return {"by": "points", **_leads(by_points, courses, winner, games.courses)}
    return {"by": "playouts", **_leads(by_playouts, list(by_playouts), winner[some], games.courses[some])}


def _tells(leader: Ints, winner: Ints) -> float:
    """How much more often the leader won than another did."""
    return float(np.where((leader == NOBODY) | (winner == NOBODY), 0, np.where(leader == winner, 1, -1)).mean())


def _leads(at_marks: Ints, courses: list[Ints], winner: Ints, same: Ints) -> dict[str, Any]:
    """`at_marks` int64[games, MARKS] and each of `courses` say which seat is ahead, or NOBODY."""
    won = winner != NOBODY
    leader_wins = []
    for mark in range(MARKS):
        led = won & (at_marks[:, mark] != NOBODY)
        wins = (at_marks[led, mark] == winner[led]).astype(np.float64)
        led_at_all = float((at_marks[:, mark] != NOBODY).mean())
        leader_wins.append({"led": led_at_all, **share(wins, same[led]).as_data()})
    changes = np.array([_changes(course) for course in courses], np.float64)
    decided = np.array([_decided(courses[g], int(winner[g])) for g in np.flatnonzero(won)], np.float64)
    half_way = at_marks[won, MARKS // 2]
    behind = ((half_way != NOBODY) & (half_way != winner[won])).astype(np.float64)
    return {
        "leader_wins": leader_wins,
        "changes": average(changes, same).as_data(),
        "decided": average(decided, same[won]).as_data(),
        "comebacks": share(behind, same[won]).as_data(),
    }


def _changes(course: Ints) -> int:
    ahead = course[course != NOBODY]
    return int((ahead[1:] != ahead[:-1]).sum())


def _decided(course: Ints, winner: int) -> float:
    """The share of a game after which its winner stays ahead."""
    other = np.flatnonzero(course != winner)
    return float(other[-1] + 1) / len(course) if len(other) else 0.0


def playouts(player: Player, seats: int, states: npt.NDArray[np.void], at: Ints, rng: np.random.Generator) -> Floats:
    """Each seat's share of the win when the player goes on in all seats: float64[states, seats].

    Each of `states`, after `at` plies, is played out PLAYOUTS times; they are as the referee knows them.
    """
    game, count = player.game, len(states) * PLAYOUTS
    batch = Batch(game, luck_of(rng, (count, seats)))
    batch.arrays.states[:] = np.repeat(states, PLAYOUTS)
    batch.arrays.outcomes[:] = luck_of(rng, (count,))
    batch.arrays.plies[:] = np.repeat(at, PLAYOUTS)
    batch.arrays.active[:] = np.repeat([not law_of(game).over(state) for state in states], PLAYOUTS)
    players = [player, *(copy.copy(player) for _ in range(seats - 1))]
    points, stalled = rolled_out(players, batch, np.tile(np.arange(seats), (count, 1)))
    found = np.where(stalled[:, None], 1 / seats, first_shares(points))
    return found.reshape(len(states), PLAYOUTS, seats).mean(axis=1)


def _kingmaking(player: Player, deals: Deals, games: Games, seed: int) -> dict[str, Any]:
    """In how many games somebody who can no longer win decides which of the others does.

    That is looked for at the last decision between several moves of anybody but the winner: that seat wins none of the
    playouts after any of these moves, and another seat's share of them differs by KINGMAKING between two of the moves.
    The player goes on by itself, or random ones where it is not made of rules.
    """
    going = player if isinstance(player, CompiledPlayer) else RandomPlayer(player.game)
    winner, rng, made, looked = winners(games), rng_of(seed, PLAYOUTS, MARKS), [], []
    law = law_of(player.game)
    for g in np.flatnonzero(winner != NOBODY)[:PLAYED_OUT].tolist():
        looked.append(g)
        last = _last_choice(deals, games, g, int(winner[g]))
        if last is None:
            made.append(0.0)
            continue
        ply, state, moves = last
        mover, states = int(state.mover), records(player.game.state, len(moves))
        states[:] = state
        for after, move in zip(states, moves, strict=True):
            law.play(after, move)
        chances = playouts(going, deals.seats, states, np.full(len(moves), ply + 1), rng)
        differs = np.delete(np.ptp(chances, axis=0), mover)
        made.append(float(chances[:, mover].max() == 0 and differs.max() >= KINGMAKING))
    return share(np.array(made), games.courses[looked]).as_data()


def _last_choice(deals: Deals, games: Games, g: int, winner: int) -> tuple[int, Any, list[int]] | None:
    """The last decision between several moves of anybody but the winner: the ply, the state, the moves."""
    options = {name: int(deals.options[name]) for name in deals.game.options}
    position, found = Position(deals.game, options, deals.cards[g], compiled=True), None
    for ply, move in enumerate(games.moves[g, : games.plies[g]].tolist()):
        if ply >= games.openings[g] and position.mover not in (CHANCE, winner):
            legal = position.legal_moves.tolist()
            if len(legal) > 1:
                found = ply, position.state.copy(), legal[:: -(-len(legal) // MOST_ALTERNATIVES)]
        position.push(move)
    return found


def choice_figures(game: Game, games: Games, traced: Trace) -> dict[str, Any]:
    """A line for each kind of move, and for each move that was offered often enough, the most valuable first.

    `taken` is the share of the decisions that offered it; `more` what the seats score that chose it more often than the
    others did on average, less what these seats score anyway: that they go together does not make one the other's
    cause. In a game for all together it is the points of the games with more of it than usual, less the mean.
    All intervals of a table hold together.
    """
    together = game.together(games.points.shape[1])
    scored = games.points[:, :1].astype(np.float64) if together else scores(games)
    surplus = scored - scored.mean(axis=0)
    kinds = _table([kind.name for kind in game.kinds], traced.kinds_offered, traced.kinds_taken, surplus, games.courses)
    offered = np.flatnonzero((traced.offered.sum(axis=1) > 0).sum(axis=0) >= FEWEST_GAMES)
    names = [game.text.write(int(move)) for move in offered]
    moves = _table(names, traced.offered[:, :, offered], traced.taken[:, :, offered], surplus, games.courses)
    return {"kinds": kinds, "moves": moves}


def _table(names: list[str], offered: Ints, taken: Ints, surplus: Floats, courses: Ints) -> list[dict[str, Any]]:
    found = []
    for number, name in enumerate(names):
        cases, chosen = offered[:, :, number], taken[:, :, number]
        if not cases.any():  # such as a kind of move that is never one of several
            continue
        rate = share_of_cases(chosen.sum(axis=1), cases.sum(axis=1), courses, len(names))
        usual = chosen.mean(axis=1, keepdims=True)
        if surplus.shape[1] == 1:  # all together
            chosen, usual = chosen.sum(axis=1, keepdims=True), chosen.sum(axis=1).mean()
        more = np.sign(chosen - usual)
        if surplus.shape[1] > 2:  # only those who did it more often: several may have done it less often
            more = np.maximum(more, 0)
        gain = ratio((surplus * more).sum(axis=1), np.abs(more).sum(axis=1), courses, len(names))
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
    int64[games, plies] which seat has the most points after each ply, or NOBODY. `offered` and `taken`, int64[games,
    seats, moves], count by seat the decisions between at least two moves in which a move was legal, and those in which
    it was chosen; the moves are none where a game has more than MOST_MOVES. `kinds_offered` and `kinds_taken`,
    int64[games, seats, kinds], count in the same way the decisions between at least two kinds of moves. `states` are
    records[games, MARKS] of the positions at each tenth of a game, after `at`, int64[games, MARKS], plies.
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
    by_move, by_kind = (np.zeros((count, deals.seats, n), np.int64) for n in (moves, len(game.kinds)))
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
                most = points(states[0], 0)
                leads[g, ply] = 0
                for seat in range(1, offered.shape[1]):
                    have = points(states[0], seat)
                    if have >= most:
                        leads[g, ply], most = seat if have > most else NOBODY, have

    follow.title = f"{game.title}, its games move by move"
    return follow


@functools.cache
def _compiled_trace(game: Game) -> Callable[..., None]:
    """`trace_kernel(game)`, compiled."""
    none, table, cube = np.zeros(0, np.int64), np.zeros((0, 0), np.int64), np.zeros((0, 2, 0), np.int64)
    course = (np.zeros((1, 1), np.int64), game.option_values(), room_for_moves(game, 0, 0), none, none, table)
    found = (table, table, cube, cube, cube, cube, records(game.state, 0))
    return runnable(trace_kernel(game), *course, *found, records(game.state, 2), none, none)
