"""The law of a game: random games, interpreted, with every call checked; and positions of such games to look at."""

import contextlib
import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from rulebots.checking.findings import GAMES, Finding, Findings, check
from rulebots.errors import UsageError, is_whole
from rulebots.game.checks import CHANCE, require, value_of
from rulebots.game.contract import Game, State, checked_game
from rulebots.game.position import Position
from rulebots.game.random_numbers import CARDS, next_luck, rng_of
from rulebots.game.trial import Trial, check_count, parts_of, random_game, users_functions
from rulebots.kernel import Kernel, compiling
from rulebots.kernel.compile_errors import mistakes, obstacles
from rulebots.play.deals import always_alike, opening_plies_of

#: Games with all options at their lowest, and with all at their highest; and with each number of seats.
EXTREME_GAMES = 3
SEATED_GAMES = 5
#: The share of random games that may stall without a word.
MOST_STALLED = 0.1
#: Random games, or wins, that say something of a game.
ENOUGH = 10
#: The moves of a look ahead.
PLIES = 30


def check_functions(game: Game) -> Findings:
    """What the functions of a law should not contain, whether a game meets it or not."""
    return check_source([*parts_of(game), *game.behaviour.values()])


@check
def check_source(findings: Findings, kernels: Iterable[Kernel[..., Any]]) -> None:
    """Names that mean nothing, a memory, outside randomness, plain helpers, and what Numba does not know."""
    for body in kernels:
        functions = users_functions(body)
        findings.add(*mistakes(functions))
        for line in obstacles(functions):  # where nothing is compiled, they stop nothing
            findings.add(line if compiling() else Finding(line.replace(": ", ": note: ", 1), note=True))


@check
def check_deals(findings: Findings, game: Game) -> None:
    """Deals: whole numbers, a row for each, the same however many are drawn at once; and different games."""
    options = game.option_values()
    check_count(game, options)
    if always_alike(game, options) and opening_plies_of(game, options) == 0:
        findings.add_of(
            game.draw_deals,
            "deals nothing, and opening_plies is 0: two players would play one game again and again; "
            "leave opening_plies out, or set it to 2 or more",
        )


@check
def check_games(findings: Findings, game: Game, games: int) -> None:
    """Random games: what every function gives, that all seats decide, and that some game comes to its end."""
    ends = list[tuple[bool, list[int]]]()
    trials = dict[int, Trial]()
    for number, (options, seed) in enumerate(_seeds(game, games)):
        with findings.collecting():
            trial = trials.setdefault(game.seats_with(options), Trial(game))
            state = trial.play(seed, options, _visitor())
            points = _points_at_the_end(game, state)
            ends += [(bool(game.over(state)), points)] if number < games else []
    for trial in trials.values():
        trial.check_movers(fewest=1)
    if findings:
        return
    played = sum(trial.games for trial in trials.values())
    if game.chance and not any(CHANCE in trial.movers for trial in trials.values()):
        findings.add_of(
            game.play,
            f"never sets state.mover = CHANCE in {played} random games: leave out chance=True, or let chance move",
            note=True,
        )
    if any(trial.over for trial in trials.values()):
        _check_ends(game, ends, findings)
    else:
        plies = max(trial.plies for trial in trials.values())
        findings.add_of(
            game.over,
            f"never says so in {played} random games of up to {plies} plies: they all end at ply_cap; "
            "does `play` bring the game to its end?",
        )


def _check_ends(game: Game, ends: list[tuple[bool, list[int]]], findings: Findings) -> None:
    """Note what random games with the default options, (over, points by seat) each, say of all games."""
    games = len(ends)
    points = [points for over, points in ends if over]
    stalled = games - len(points)
    seats = game.seats_with({})
    won = [of for of in points if min(of) < max(of)]
    if stalled > MOST_STALLED * games:
        findings.add_of(
            game.over,
            f"gives False after ply_cap, {game.ply_cap} plies, in {stalled} of {games} random games, so nobody wins: "
            "raise it, or let such a game end",
            note=stalled <= games / 2,
        )
    elif games < ENOUGH:
        return
    elif game.together(seats):
        if len({max(of) for of in points}) == 1:
            findings.add_of(
                game.points,
                f"gives {max(points[0])} in all of {games} random games: no player plays better than another",
                note=True,
            )
    elif not won:
        findings.add_of(game.points, f"gives all seats the same in all of {games} random games: nobody wins", note=True)
    else:
        for seat in range(seats):
            if len(won) >= ENOUGH * (seats - 1) and not any(of[seat] == max(of) for of in won):
                findings.add_of(
                    game.points,
                    f"lets seat {seat} win none of {games} random games, and the others {len(won)}",
                    note=True,
                )


def _visitor() -> Callable[[Game, State], None]:
    """A look at each state of one game: the kind and item of every move, and which seats are out."""
    gone = set[int]()

    def visit(law: Game, state: State) -> None:
        over = law.over(state)
        if state.mover != CHANCE and not over:
            view = view_of(law, state)
            for move in legal_moves(law, state):
                law.kind(move)
                law.item(view, move)
        if law.out is None:
            return
        body: Any = law.out  # a function or a kernel
        for seat in range(law.seats_of(state)):
            out = value_of(
                body,
                "state",
                lambda value: value in (0, 1),
                "expected True or False",
                state,
                seat,
                of=f" for seat {seat}",
            )
            require(
                body, bool(out) or seat not in gone, f"says that seat {seat} takes part again: who is out stays out"
            )
            if out:
                gone.add(seat)
        if not over:
            require(
                law.play,
                state.mover not in gone,
                f"sets state.mover to {state.mover}, a seat that is out: `out` says so",
            )

    return visit


def _points_at_the_end(game: Game, state: State) -> list[int]:
    """The points of all seats; the statistics of behaviour, and who belong together, are checked too."""
    law = checked_game(game)
    seats = range(game.seats_of(state))
    for seat in seats:
        for statistic in law.behaviour.values():
            statistic(state, seat)
    points = [law.points(state, seat) for seat in seats]
    body: Any = game.team  # a function or a kernel
    first = dict[int, int]()
    for seat in seats if body is not None else ():
        team = int(
            value_of(
                body, "state", is_whole, "expected a team's number, a whole number", state, seat, of=f" for seat {seat}"
            )
        )
        partner = first.setdefault(team, seat)
        require(
            game.points,
            points[partner] == points[seat],
            f"gives seat {partner} {points[partner]} and seat {seat} {points[seat]}: "
            f"seats of one team, here {team}, have the same points",
        )
    return points


def _seeds(game: Game, games: int) -> Iterator[tuple[Any, int]]:
    """The options and the seed of each random game: the defaults, each number of seats, then all options extreme."""
    yield from itertools.product([game.option_values()], range(games))
    yield from itertools.product(tables_of(game)[1:], range(SEATED_GAMES))
    for end in ("low", "high") if game.options else ():
        with contextlib.suppress(ValueError):  # they do not go together
            options = game.option_values({name: getattr(option, end) for name, option in game.options.items()})
            yield from itertools.product([options], range(EXTREME_GAMES))


def tables_of(game: Game) -> list[Any]:
    """The default options, and beside them those with every other number of seats."""
    tables = [game.option_values()]
    for seats in range(game.fewest_seats, game.most_seats + 1):
        if seats != game.seats_with(tables[0]):
            with contextlib.suppress(UsageError):  # it does not go together with the other defaults
                tables.append(game.option_values({"seats": seats}))
    return tables


@functools.lru_cache(maxsize=4)
def sample_states(game: Game, games: int = GAMES, most: int = 400, *, chance: bool = False) -> list[State]:
    """Copies of states in which a seat has to decide, from random games; with `chance` also those where chance has.

    The games are played with every number of seats in turn.
    """
    law = checked_game(game)
    sample = list[State]()
    tables = tables_of(game)
    for number in range(games):
        states = [state.copy() for state in random_game(law, number, tables[number % len(tables)])][:-1]
        step = max(1, len(states) * games // most)
        sample += [state for state in states[number % step :: step] if chance or state.mover != CHANCE]
    return sample


def dealt_states(game: Game, count: int, options: Any) -> list[State]:
    """The first positions of `count` deals in which a seat has to decide."""
    law = checked_game(game)
    states = [game.new_state() for _ in range(count)]
    for state, cards in zip(states, game.deal(rng_of(1, CARDS), count, options), strict=True):
        law.setup(state, cards, options)
    return [state for state in states if state.mover != CHANCE]


def differing(record: np.dtype[Any], one: Any, other: Any) -> list[str]:
    """The fields in which two records differ."""
    return [name for name in record.names or () if not np.array_equal(one[name], other[name])]


def legal_moves(law: Game, state: State) -> list[int]:
    """The legal moves in order, or the outcomes of chance; none where the game is over."""
    room = np.zeros(law.move_count, np.int64)
    return [] if law.over(state) else sorted(room[: law.moves(state, room)].tolist())


def view_of(law: Game, state: State, seat: int | None = None) -> Any:
    """What the mover observes, or what a seat would observe if it were to move."""
    view = law.new_view()
    if seat is not None:
        state = state.copy()
        state.mover = seat
    law.observe(state, view)
    return view


def look_alike(law: Game, one: State, other: State, seat: int | None = None) -> bool:
    """Whether the mover, or a seat, observes the same in two states."""
    return view_of(law, one, seat).tobytes() == view_of(law, other, seat).tobytes()


def part_ways(game: Game, one: State, other: State) -> bool:
    """Whether two positions that look alike look different after the same moves."""
    law = checked_game(game)
    luck = 99
    twins = (one.copy(), other.copy())
    room = np.zeros(game.move_count, np.int64)
    with contextlib.suppress(Exception):  # one of them may not be a position of the game
        for _ in range(PLIES):
            if law.over(twins[0]) or law.over(twins[1]) or twins[0].mover < 0:
                return bool(law.over(twins[0]) != law.over(twins[1]))
            n = law.moves(twins[0], room)
            luck = next_luck(luck)
            for twin in twins:
                law.play(twin, int(room[luck % n]))
            if twins[0].mover != twins[1].mover or not look_alike(law, *twins):
                return True
    return False


def perft(position: Position, depth: int) -> int:
    """The number of sequences of `depth` plies from a position; outcomes of chance count as moves."""
    if depth == 0:
        return 1
    legal = position.legal_moves.tolist()
    if depth == 1:
        return len(legal)
    return sum(perft(position.after(move), depth - 1) for move in legal)
