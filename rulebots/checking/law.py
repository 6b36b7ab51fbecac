"""The law of a game: random games, interpreted, with every call checked; and positions of such games to look at."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from rulebots.checking.findings import GAMES, Findings
from rulebots.errors import UsageError, is_whole
from rulebots.game.checks import (
    CHANCE,
    PARTS,
    EndlessCall,
    call_limited,
    call_reading,
    contract_error,
    expect,
)
from rulebots.game.contract import Game, State, checked_game
from rulebots.game.position import Position
from rulebots.game.random_numbers import CARDS, next_luck, rng_of
from rulebots.game.trial import Trial, check_count, random_game, users_functions
from rulebots.kernel import Kernel
from rulebots.kernel.compile_errors import mistakes, obstacles
from rulebots.play.deals import SAMPLE, opening_plies_of

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
    parts = [part for name in PARTS if (part := getattr(game, name)) is not None]
    return check_source([*parts, *game.behaviour.values()])


def check_source(kernels: Iterable[Kernel[..., Any]]) -> Findings:
    """Names that mean nothing, a memory, outside randomness, plain helpers, and what Numba does not know."""
    found = Findings()
    for body in kernels:
        functions = users_functions(body)
        found.add(*mistakes(functions), *obstacles(functions))
    return found


def check_deals(game: Game) -> Findings:
    """Deals: whole numbers, a row for each, the same however many are drawn at once; and different games."""
    found = Findings()
    with found.collecting():
        options = game.option_values()
        check_count(game, options)
        rows = call_limited(game.deal, rng_of(0), SAMPLE, options)
        if not game.chance and (rows == rows[0]).all() and opening_plies_of(game, options) == 0:
            what = "deals nothing, and opening_plies is 0: two players would play one game again and again"
            found.add_of(game.draw_deals, f"{what}; leave opening_plies out, or set it to 2 or more")
    return found


def check_games(game: Game, games: int = GAMES) -> Findings:
    """Random games: what every function gives, that all seats decide, and that some game comes to its end."""
    found = Findings()
    ends = list[tuple[bool, list[int]]]()
    trials = dict[int, Trial]()
    for number, (options, seed) in enumerate(_seeds(game, games)):
        try:
            with found.collecting():
                trial = trials.setdefault(game.seats_with(options), Trial(game))
                state = trial.play(seed, options, _asking())
                points = _ask_of_end(game, state)
                ends += [(bool(game.over(state)), points)] if number < games else []
        except EndlessCall as error:
            found.add(str(error))
            return found
    with found.collecting():
        for trial in trials.values():
            trial.check_movers(fewest=1)
    played = sum(trial.games for trial in trials.values())
    plies = max(trial.plies for trial in trials.values())
    if played and game.chance and not any(CHANCE in trial.movers for trial in trials.values()) and not found:
        what = f"never sets state.mover = CHANCE in {played} random games"
        found.add_of(game.play, f"{what}: leave out chance=True, or let chance move", note=True)
    if played and not any(trial.over for trial in trials.values()) and not found:
        what = f"never says so in {played} random games of up to {plies} plies: they all end at ply_cap"
        found.add_of(game.over, f"{what}; does `play` bring the game to its end?")
    elif ends and not found.mistakes:
        _check_ends(game, ends, found)
    return found


def _check_ends(game: Game, ends: list[tuple[bool, list[int]]], found: Findings) -> None:
    """Note what random games with the default options, (over, points by seat) each, say of all games."""
    games = len(ends)
    points = [points for over, points in ends if over]
    stalled = games - len(points)
    seats = game.seats_with({})
    best = [max(of) for of in points]
    won = [of for of in points if min(of) < max(of)]
    if stalled > MOST_STALLED * games:
        what = f"gives False after ply_cap, {game.ply_cap} plies, in {stalled} of {games} random games, so nobody wins"
        found.add_of(game.over, f"{what}: is that cap large enough?", note=True)
    elif game.together(seats):
        if games >= ENOUGH and min(best) == max(best):
            what = f"gives {best[0]} in all of {games} random games: no player plays better than another"
            found.add_of(game.points, what, note=True)
    elif games >= ENOUGH and not won:
        whom = "both seats" if seats == 2 else "all seats"
        found.add_of(game.points, f"gives {whom} the same in all of {games} random games: nobody wins", note=True)
    else:
        wins = [sum(of[seat] == max(of) for of in won) for seat in range(seats)]
        for seat in range(seats):
            if wins[seat] == 0 and len(won) >= ENOUGH * (seats - 1):
                rest = f"seat {1 - seat}" if seats == 2 else "the others"
                what = f"lets seat {seat} win none of {games} random games, and {rest} {len(won)}"
                found.add_of(game.points, what, note=True)


def _asking() -> Callable[[Game, State], None]:
    """What looks at each state of one game."""
    gone = set[int]()

    def ask(law: Game, state: State) -> None:
        _ask_of_moves(law, state)
        if law.out is not None:
            _ask_who_is_out(law, state, gone)

    return ask


def _ask_who_is_out(law: Game, state: State, gone: set[int]) -> None:
    """Who is out stays out, and is not the mover; `gone` are those who were out before."""
    body: Any = law.out  # a function or a kernel
    for seat in range(law.seats_of(state)):
        out = call_reading(body, "state", state, seat)
        expect(
            law.out,
            out in (0, 1),
            out,
            "expected True or False",
            f" for seat {seat}",
        )
        if seat in gone and not out:
            raise contract_error(law.out, f"says that seat {seat} takes part again: who is out stays out")
        if out:
            gone.add(seat)
    if state.mover in gone and not law.over(state):
        raise contract_error(law.play, f"sets state.mover to {state.mover}, a seat that is out: `out` says so")


def _ask_of_moves(law: Game, state: State) -> None:
    """The kind and the item of every legal move."""
    if state.mover != CHANCE and not law.over(state):
        view = law.new_view()
        room = np.zeros(law.move_count, np.int64)
        law.observe(state, view)
        for move in room[: law.moves(state, room)].tolist():
            law.kind(move)
            law.item(view, move)


def _ask_of_end(game: Game, state: State) -> list[int]:
    """The points of all seats; the statistics of behaviour, and who belong together, are checked too."""
    law = checked_game(game)
    seats = range(game.seats_of(state))
    for seat in seats:
        for statistic in law.behaviour.values():
            statistic(state, seat)
    points = [law.points(state, seat) for seat in seats]
    if game.team is not None:
        body: Any = game.team  # a function or a kernel
        _check_teams(game, [call_reading(body, "state", state, seat) for seat in seats], points)
    return points


def _check_teams(game: Game, teams: list[Any], points: list[int]) -> None:
    of_team = dict[int, int]()
    for seat, team in enumerate(teams):
        expect(game.team, is_whole(team), team, "expected a team's number, a whole number", f" for seat {seat}")
        first = of_team.setdefault(int(team), seat)
        if points[first] != points[seat]:
            what = f"gives seat {first} {points[first]} and seat {seat} {points[seat]}"
            raise contract_error(game.points, f"{what}: seats of one team, here {team}, have the same points")


def _seeds(game: Game, games: int) -> Iterator[tuple[Any, int]]:
    """The options and the seed of each random game: the defaults, each number of seats, then all options extreme."""
    for number in range(games):
        yield game.option_values(), number
    for options in tables_of(game)[1:]:
        for number in range(SEATED_GAMES):
            yield options, number
    for end in ("low", "high") if game.options else ():
        try:
            options = game.option_values({name: getattr(option, end) for name, option in game.options.items()})
        except ValueError:  # they do not go together
            continue
        for number in range(EXTREME_GAMES):
            yield options, number


def tables_of(game: Game) -> list[Any]:
    """The default options, and beside them those with every other number of seats."""
    default = game.option_values()
    tables = [game.option_values()]
    for seats in range(game.fewest_seats, game.most_seats + 1):
        if seats != game.seats_with(default):
            with contextlib.suppress(UsageError):  # it does not go together with the other defaults
                tables.append(game.option_values({"seats": seats}))
    return tables


def sample_states(game: Game, games: int = GAMES, most: int = 400, *, chance: bool = False) -> list[State]:
    """Copies of states in which a seat has to decide, from random games; with `chance` also those where chance has.

    The games are played with every number of seats in turn.
    """
    law = checked_game(game)
    found = list[State]()
    tables = tables_of(game)
    for number in range(games):
        states = [state.copy() for state in random_game(law, number, tables[number % len(tables)])][:-1]
        step = max(1, len(states) * games // most)
        found += [state for state in states[number % step :: step] if chance or state.mover != CHANCE]
    return found


def dealt_states(game: Game, count: int, options: Any) -> list[State]:
    """The first positions of `count` deals in which a seat has to decide."""
    law = checked_game(game)
    states = [game.new_state() for _ in range(count)]
    for state, cards in zip(states, game.deal(rng_of(1, CARDS), count, options), strict=True):
        law.setup(state, cards, options)
    return [state for state in states if state.mover != CHANCE]


def differing(game: Game, one: State, other: State) -> list[str]:
    """The fields in which two states differ."""
    return [name for name in game.state.names or () if not np.array_equal(one[name], other[name])]


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
            move = int(room[luck % n])
            for twin in twins:
                law.play(twin, move)
            views = [view_of(law, twin).tobytes() for twin in twins]
            if twins[0].mover != twins[1].mover or views[0] != views[1]:
                return True
    return False


def perft(position: Position, depth: int) -> int:
    """The number of sequences of `depth` plies from a position; outcomes of chance count as moves."""
    if depth == 0:
        return 1
    legal = position.legal_moves.tolist()
    if depth == 1:
        return len(legal)
    count = 0
    for move in legal:
        after = position.copy()
        after.play(move)
        count += perft(after, depth - 1)
    return count
