"""The games of one player with itself: seats, length, choices, leads, when a game is decided, and kingmaking."""

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evolve.analysis.measuring import Estimate, average, plain, ratio, share, share_of_cases
from evolve.lessons.rollouts import nothing_played, played_arrays, rolled_out
from rulebots.game import CHANCE, Floats, Game, Ints
from rulebots.game.compiled import law_of
from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.game.random_numbers import luck_of, rng_of
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.play.deals import Deals
from rulebots.play.loop import Batch
from rulebots.play.match import play_games
from rulebots.play.results import Games, first_shares, shares_of
from rulebots.players import CompiledPlayer, Player, RandomPlayer

#: Of lengths and points.
QUANTILES = (0, 0.05, 0.25, 0.5, 0.75, 0.95, 1)
#: Rollouts of a position, and the games whose positions are rolled out, or tell what moves do.
ROLLOUTS = 16
ROLLED_OUT = 150
#: A seat is ahead if its share of the rollouts exceeds every other's by this, their standard error at two seats.
LEVEL = 1 / np.sqrt(ROLLOUTS)
#: A decision makes a king if another seat's share of the rollouts differs by this between two of its moves.
KINGMAKING = 0.5
MOST_ALTERNATIVES = 24
#: What is chosen in a smaller share of the decisions that offer it is dead; in a larger one, dominant.
DEAD = 0.01
DOMINANT = 0.95
#: A move that was offered in fewer games is not listed.
FEWEST_GAMES = 20
#: The moves of a game with more of them are not counted one by one, only their kinds.
MOST_MOVES = 2048
#: A position is kept at each tenth of a game but the last.
MARKS = 9
#: Instead of a seat: nobody wins, or is ahead.
NOBODY = -1


class Trace(NamedTuple):
    """What happened in games; random openings and outcomes of chance are not choices, and do not count.

    `choices` int64[games, plies] is the number of legal moves at each decision, 0 at other plies, and `leads`
    int64[games, plies] the seat with the most points after each ply, or NOBODY. `offered` and `taken`, int64[games,
    seats, moves], count by seat the decisions between at least two moves in which a move was legal, and those in which
    it was chosen; without moves if a game has more than MOST_MOVES. `kinds_offered` and `kinds_taken`, int64[games,
    seats, kinds], count in the same way the decisions between at least two kinds of moves. `states` are records[games *
    MARKS] of the positions at each tenth of a game.
    """

    choices: Ints
    leads: Ints
    offered: Ints
    taken: Ints
    kinds_offered: Ints
    kinds_taken: Ints
    states: npt.NDArray[np.void]


def self_play(player: Player, deals: Deals, jobs: int, *, keep_moves: bool = False) -> Games:
    """The player against itself: each deal once. Raises PlayerFault where it fails."""
    once = np.column_stack([np.arange(len(deals)), np.tile(np.arange(deals.seats), (len(deals), 1))])
    return play_games([player] * deals.seats, deals, once, jobs, keep_moves=keep_moves)


def seat_figures(game: Game, games: Games) -> dict[str, Any]:
    """What each seat scores, how many games nobody wins alone, or stall; and how long they are.

    In a cooperative game, how many points they make, and how often the most that there are.
    """
    ends = {"stalled": share(games.stalled, games.courses), "length": average(games.plies, games.courses)}
    if game.together(games.points.shape[1]):
        points = games.points[:, 0]
        figures = {"points": average(points, games.courses), "spread": np.quantile(points, QUANTILES).tolist()}
        if game.most_points is not None:
            figures |= {"most": game.most_points, "perfect": share(points == game.most_points, games.courses)}
        return {**figures, **ends}
    won = scores(games)
    return {
        "first_seat": share(won[:, 0], games.courses),
        "seats": [share(of_seat, games.courses) for of_seat in won.T],
        "draws": share((winners(games) == NOBODY) & ~games.stalled, games.courses),
        **ends,
    }


def winners(games: Games) -> Ints:
    """The seat that won alone, or NOBODY: int64[games]."""
    return np.where(games.stalled, NOBODY, ahead_of_all(games.points))


def ahead_of_all(amounts: npt.NDArray[Any], least: float = 1e-9) -> Ints:
    """The seat whose amount is larger than every other's by `least`, or NOBODY: int64[...] of [..., seats]."""
    order = np.sort(amounts, axis=-1)
    return np.where(order[..., -1] - order[..., -2] >= least, amounts.argmax(axis=-1), NOBODY)


def scores(games: Games) -> Floats:
    """What each seat scored, float64[games, seats]: its share of the win, an even one if the game stalled."""
    return np.where(games.stalled[:, None], 1 / games.points.shape[1], shares_of(games))


def game_figures(player: Player, deals: Deals, jobs: int, seed: int) -> dict[str, Any]:
    """Length, leads and choices of the games of a player with itself; `seed` is that of the random rollouts."""
    games = self_play(player, deals, jobs, keep_moves=True)
    traced, marks = trace(deals, games)
    decisions = (traced.choices > 0).sum(axis=1)
    plies = np.arange(traced.choices.shape[1])[None, :] - games.openings[:, None]
    tenth = plies * (MARKS + 1) // np.maximum(games.plies - games.openings, 1)[:, None]
    figures = {
        **seat_figures(deals.game, games),
        "different": len(np.unique(games.courses)),
        "lengths": np.quantile(games.plies, QUANTILES).tolist(),
        "branching": ratio(traced.choices.sum(axis=1), decisions, games.courses),
        "forced": share_of_cases((traced.choices == 1).sum(axis=1), decisions, games.courses),
        # The mean number of legal moves at a decision, in each tenth of the games.
        "branching_by_tenth": [
            ratio(choices.sum(axis=1), (choices > 0).sum(axis=1), games.courses)
            for choices in (np.where(tenth == number, traced.choices, 0) for number in range(MARKS + 1))
        ],
        **choice_figures(deals.game, games, traced),
        "words": move_words(deals, games),
    }
    if not deals.game.together(deals.seats):
        figures["lead"] = _lead_figures(deals.game, games, traced, marks, seed)
        if deals.seats > 2:
            figures["kingmaking"] = _kingmaking(player, deals, games, seed)
    return dict(plain(figures))


def _lead_figures(game: Game, games: Games, traced: Trace, marks: Ints, seed: int) -> dict[str, Any]:
    """The leader at each tenth, and how often it wins: by points or by rollouts, whichever predicts better half-way.

    Points may say nothing before the end, or mislead: a side that has invested more has fewer, and may be better off.
    """
    winner = winners(games)
    half = MARKS // 2
    by_points = np.where(
        marks > 0, traced.leads[np.arange(len(games.plies))[:, None], np.maximum(marks - 1, 0)], NOBODY
    )
    some = slice(0, ROLLED_OUT)
    seats = games.points.shape[1]
    states = traced.states.reshape(marks.shape)[some]
    chances = rollouts(RandomPlayer(game), seats, states.ravel(), marks[some].ravel(), rng_of(seed, MARKS, ROLLOUTS))
    by_rollouts = ahead_of_all(chances.reshape(*states.shape, seats), LEVEL)
    if _tells(by_points[:, half], winner) > _tells(by_rollouts[:, half], winner[some]):
        courses = [traced.leads[g, games.openings[g] : games.plies[g]] for g in range(len(winner))]
        return {"by": "points", **_leads(by_points, courses, winner, games.courses)}
    return {"by": "playouts", **_leads(by_rollouts, list(by_rollouts), winner[some], games.courses[some])}


def _tells(leader: Ints, winner: Ints) -> float:
    return float(np.where((leader == NOBODY) | (winner == NOBODY), 0, np.where(leader == winner, 1, -1)).mean())


def _leads(at_marks: Ints, courses: list[Ints], winner: Ints, same: Ints) -> dict[str, Any]:
    """`at_marks` int64[games, MARKS] and each of `courses` say which seat is ahead, or NOBODY."""
    won = winner != NOBODY
    leader_wins = []
    for leader in at_marks.T:
        led = won & (leader != NOBODY)
        wins: dict[str, Any] = plain(share(leader[led] == winner[led], same[led]))
        leader_wins.append({"led": float((leader != NOBODY).mean()), **wins})
    half_way = at_marks[won, MARKS // 2]
    return {
        "leader_wins": leader_wins,
        "changes": average(np.array([_changes(course) for course in courses]), same),
        "decided": share(np.array([_decided(courses[g], int(winner[g])) for g in np.flatnonzero(won)]), same[won]),
        "comebacks": share((half_way != NOBODY) & (half_way != winner[won]), same[won]),
    }


def _changes(course: Ints) -> int:
    ahead = course[course != NOBODY]
    return int((ahead[1:] != ahead[:-1]).sum())


def _decided(course: Ints, winner: int) -> float:
    """The share of a game after which its winner stays ahead."""
    other = np.flatnonzero(course != winner)
    return float(other[-1] + 1) / len(course) if len(other) else 0.0


def rollouts(player: Player, seats: int, states: npt.NDArray[np.void], at: Ints, rng: np.random.Generator) -> Floats:
    """Each seat's share of the win when the player goes on in all seats: float64[states, seats].

    Each of `states`, full states after `at` plies, is played to the end ROLLOUTS times.
    """
    game = player.game
    count = len(states) * ROLLOUTS
    batch = Batch(game, luck_of(rng, (count, seats)))
    batch.arrays.states[:] = np.repeat(states, ROLLOUTS)
    batch.arrays.outcomes[:] = luck_of(rng, (count,))
    batch.arrays.plies[:] = np.repeat(at, ROLLOUTS)
    batch.arrays.active[:] = np.repeat([not law_of(game).over(state) for state in states], ROLLOUTS)
    points, stalled = rolled_out([player] * seats, batch, np.tile(np.arange(seats), (count, 1)))
    return (
        np.where(stalled[:, None], 1 / seats, first_shares(points)).reshape(len(states), ROLLOUTS, seats).mean(axis=1)
    )


def _kingmaking(player: Player, deals: Deals, games: Games, seed: int) -> Estimate:
    """The share of games in which a seat that can no longer win decides which of the others does.

    It is searched for at the last decision between several moves of anybody but the winner: that seat wins none of the
    rollouts after any of these moves, and another seat's share of them differs by KINGMAKING between two of the moves.
    The player goes on by itself, or random ones if it is not made of rules.
    """
    going = player if isinstance(player, CompiledPlayer) else RandomPlayer(player.game)
    law = law_of(player.game)
    rng = rng_of(seed, ROLLOUTS, MARKS)
    winner = winners(games)
    some = np.flatnonzero(winner != NOBODY)[:ROLLED_OUT]
    kings = np.zeros(len(some))
    for i, g in enumerate(some.tolist()):
        last = _last_choice(deals, games, g, int(winner[g]))
        if last is None:
            continue
        ply, state, moves = last
        mover = int(state.mover)
        states = records(player.game.state, len(moves))
        states[:] = state
        for after, move in zip(states, moves, strict=True):
            law.play(after, move)
        chances = rollouts(going, deals.seats, states, np.full(len(moves), ply + 1), rng)
        kings[i] = chances[:, mover].max() == 0 and np.delete(np.ptp(chances, axis=0), mover).max() >= KINGMAKING
    return share(kings, games.courses[some])


def _last_choice(deals: Deals, games: Games, g: int, winner: int) -> tuple[int, Any, list[int]] | None:
    """The last decision between several moves of anybody but the winner: the ply, the state, the moves."""
    last = None
    for ply, position, _ in _replayed(deals, games, g):
        if position.mover not in (CHANCE, winner):
            legal = position.legal_moves.tolist()
            if len(legal) > 1:
                last = ply, position.state.copy(), legal[:: -(-len(legal) // MOST_ALTERNATIVES)]
    return last


def move_words(deals: Deals, games: Games) -> dict[str, str]:
    """What each move does, by its name, such as `sow pit 2`; empty if one does something else from time to time."""
    told = defaultdict[str, list[str]](list)
    for g in range(min(len(games.plies), ROLLED_OUT)):
        for _, position, move in _replayed(deals, games, g):
            for one in {move, *position.legal_moves.tolist()}:
                said = told[position.game.text.write(one)]
                if one == move or len(said) < FEWEST_GAMES:
                    said.append(position.deed(one, ["another seat"] * deals.seats))
    shortest = {name: min(said, key=len) for name, said in told.items()}
    return shortest if all(one.startswith(shortest[name]) for name in told for one in told[name]) else {}


def _replayed(deals: Deals, games: Games, g: int) -> Iterator[tuple[int, Position, int]]:
    """Each ply of a game after its opening, with the position before it and the move."""
    position = Position(deals.game, deals.named_options, deals.cards[g], compiled=True)
    for ply, move in enumerate(games.moves[g, : games.plies[g]].tolist()):
        if ply >= games.openings[g]:
            yield ply, position, move
        position.push(move)


def choice_figures(game: Game, games: Games, traced: Trace) -> dict[str, Any]:
    """A line for each kind of move, and for each move that was offered often enough, the most valuable first.

    `taken` is the share of the decisions that offered it; `more` what the seats score that chose it more often than the
    others did on average, less what these seats score anyway: that they go together does not make one the other's
    cause. In a cooperative game it is the points of the games with more of it than usual, less the mean. All intervals
    of a table hold together.
    """
    scored = games.points[:, :1].astype(np.float64) if game.together(games.points.shape[1]) else scores(games)
    surplus = scored - scored.mean(axis=0)
    kinds = _table([kind.name for kind in game.kinds], traced.kinds_offered, traced.kinds_taken, surplus, games.courses)
    listed = np.flatnonzero((traced.offered.sum(axis=1) > 0).sum(axis=0) >= FEWEST_GAMES)
    moves = _table(
        [game.text.write(int(move)) for move in listed],
        traced.offered[:, :, listed],
        traced.taken[:, :, listed],
        surplus,
        games.courses,
    )
    return {"kinds": kinds, "moves": moves}


def _table(names: list[str], offered: Ints, taken: Ints, surplus: Floats, courses: Ints) -> list[dict[str, Any]]:
    lines = []
    for number, name in enumerate(names):
        cases = offered[:, :, number]
        chosen = taken[:, :, number]
        if not cases.any():  # such as a kind of move that is never one of several
            continue
        rate = share_of_cases(chosen.sum(axis=1), cases.sum(axis=1), courses, len(names))
        usual = chosen.mean(axis=1, keepdims=True)
        if surplus.shape[1] == 1:  # a cooperative game
            chosen = chosen.sum(axis=1, keepdims=True)
            usual = chosen.mean()
        more = np.sign(chosen - usual)
        if surplus.shape[1] > 2:  # only those who did it more often: several may have done it less often
            more = np.maximum(more, 0)
        gain = ratio((surplus * more).sum(axis=1), np.abs(more).sum(axis=1), courses, len(names))
        lines.append({"name": name, "taken": rate, "more": gain, "verdict": verdict(rate)})
    return sorted(lines, key=lambda line: -(line["more"].mean or 0.0))


def verdict(rate: Estimate) -> str:
    """Where the whole interval says so "dead" or "dominant", else nothing."""
    if rate.low is None or rate.high is None:
        return ""
    return "dead" if rate.high < DEAD else "dominant" if rate.low > DOMINANT else ""


def trace(deals: Deals, games: Games) -> tuple[Trace, Ints]:
    """Replay games that play deal after deal once and have kept their moves; and the plies of the kept states."""
    going = games.plies - games.openings
    marks = games.openings[:, None] + going[:, None] * np.arange(1, MARKS + 1) // (MARKS + 1)
    played = played_arrays(deals, games, np.arange(len(games.plies)))
    traced = _room(deals.game, len(games.plies), int(games.plies.max(initial=0)), deals.seats)
    _compiled(deals.game)(played, marks, traced, *_scratch(deals.game))
    return traced, marks


def _room(game: Game, games: int, plies: int, seats: int) -> Trace:
    moves = game.move_count if game.move_count <= MOST_MOVES else 0
    choices, leads = np.zeros((2, games, plies), np.int64)
    offered, taken = np.zeros((2, games, seats, moves), np.int64)
    kinds_offered, kinds_taken = np.zeros((2, games, seats, len(game.kinds)), np.int64)
    return Trace(choices, leads, offered, taken, kinds_offered, kinds_taken, records(game.state, games * MARKS))


def _scratch(game: Game) -> tuple[Any, Ints, Ints]:
    return records(game.state, 2), np.zeros(game.move_count, np.int64), np.zeros(len(game.kinds), np.int64)


@functools.cache
def trace_kernel(game: Game) -> Kernel[..., None]:
    """A kernel that replays `PlayedArrays` and fills a `Trace`.

    `marks` int64[games, MARKS] are the plies before which a position is kept.
    """
    setup = game.setup
    moves_of = game.moves
    play = game.play
    points = game.points
    kind_of = game.kind
    kinds = len(game.kinds)

    @kernel
    def follow(played: Any, marks: Any, traced: Any, states: Any, moves: Any, present: Any) -> None:
        for g in range(played.plies.shape[0]):
            states[0] = states[1]
            setup(states[0], played.cards[played.which[g]], played.options)
            mark = 0
            for ply in range(played.plies[g]):
                while mark < MARKS and marks[g, mark] == ply:
                    traced.states[g * MARKS + mark] = states[0]
                    mark += 1
                move = int(played.moves[g, ply])
                mover = states[0].mover
                if ply >= played.openings[g] and mover != CHANCE:
                    n = moves_of(states[0], moves)
                    traced.choices[g, ply] = n
                    for k in range(kinds):
                        present[k] = 0
                    for i in range(n):
                        present[kind_of(moves[i])] = 1
                        if n > 1 and traced.offered.shape[2] > 0:
                            traced.offered[g, mover, moves[i]] += 1
                    if n > 1 and traced.offered.shape[2] > 0:
                        traced.taken[g, mover, move] += 1
                    several = 0
                    for k in range(kinds):
                        several += present[k]
                    if several > 1:
                        for k in range(kinds):
                            traced.kinds_offered[g, mover, k] += present[k]
                        traced.kinds_taken[g, mover, kind_of(move)] += 1
                play(states[0], move)
                most = points(states[0], 0)
                traced.leads[g, ply] = 0
                for seat in range(1, traced.offered.shape[1]):
                    have = points(states[0], seat)
                    if have > most:
                        traced.leads[g, ply] = seat
                        most = have
                    elif have == most:
                        traced.leads[g, ply] = NOBODY

    follow.title = f"{game.title}, its games move by move"
    return follow


@functools.cache
def _compiled(game: Game) -> Callable[..., None]:
    return runnable(
        trace_kernel(game), nothing_played(game), np.zeros((0, 0), np.int64), _room(game, 0, 0, 2), *_scratch(game)
    )
