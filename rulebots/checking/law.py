"""The law of a game: random games, interpreted, with every call checked; and positions of such games to look at."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from rulebots.checking.findings import GAMES, Findings
from rulebots.game.checks import CHANCE, PARTS, EndlessCall, call_limited
from rulebots.game.contract import Game, State, checked_game
from rulebots.game.position import Position
from rulebots.game.random_numbers import CARDS, next_luck, rng_of
from rulebots.game.trial import Trial, check_count, random_game, users_functions
from rulebots.kernel import Kernel
from rulebots.kernel.compile_errors import mistakes, obstacles
from rulebots.play.deals import SAMPLE, opening_plies_of

#: Games with all options at their lowest, and with all at their highest.
EXTREME_GAMES = 3
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
    """Random games: what every function gives, that both seats decide, and that some game comes to its end."""
    found, trial, ends = Findings(), Trial(game), list[tuple[bool, int]]()
    for number, (options, seed) in enumerate(_seeds(game, games)):
        try:
            with found.collecting():
                state = trial.play(seed, options, _ask_of_moves)
                first, second = _ask_of_end(game, state)
                ends += [(bool(game.over(state)), first - second)] if number < games else []
        except EndlessCall as error:
            found.add(str(error))
            return found
    with found.collecting():
        trial.check_movers(fewest=1)
    if trial.games and game.chance and CHANCE not in trial.movers and not found:
        what = f"never sets state.mover = CHANCE in {trial.games} random games"
        found.add_of(game.play, f"{what}: leave out chance=True, or let chance move", note=True)
    if trial.games and not trial.over and not found:
        what = f"never says so in {trial.games} random games of up to {trial.plies} plies: they all end at ply_cap"
        found.add_of(game.over, f"{what}; does `play` bring the game to its end?")
    elif ends and not found.mistakes:
        _check_ends(game, ends, found)
    return found


def _check_ends(game: Game, ends: list[tuple[bool, int]], found: Findings) -> None:
    """Note what random games with the default options, (over, by how much seat 0 wins) each, say of all games."""
    games, margins = len(ends), [margin for over, margin in ends if over]
    stalled = games - len(margins)
    if stalled > MOST_STALLED * games:
        what = f"gives False after ply_cap, {game.ply_cap} plies, in {stalled} of {games} random games, so nobody wins"
        found.add_of(game.over, f"{what}: is that cap large enough?", note=True)
    elif games >= ENOUGH and not any(margins):
        found.add_of(game.points, f"gives both seats the same in all of {games} random games: nobody wins", note=True)
    else:
        wins = [sum(sign * margin > 0 for margin in margins) for sign in (1, -1)]
        for seat in (0, 1):
            if wins[seat] == 0 and wins[1 - seat] >= ENOUGH:
                what = f"lets seat {seat} win none of {games} random games, and seat {1 - seat} {wins[1 - seat]}"
                found.add_of(game.points, what, note=True)


def _ask_of_moves(law: Game, state: State) -> None:
    """The kind and the item of every legal move."""
    if state.mover in (0, 1) and not law.over(state):
        view, room = law.new_view(), np.zeros(law.move_count, np.int64)
        law.observe(state, view)
        for move in room[: law.moves(state, room)].tolist():
            law.kind(move)
            law.item(view, move)


def _ask_of_end(game: Game, state: State) -> list[int]:
    """The points of both seats; the statistics of behaviour are checked too."""
    law = checked_game(game)
    for seat in (0, 1):
        for statistic in law.behaviour.values():
            statistic(state, seat)
    return [law.points(state, seat) for seat in (0, 1)]


def _seeds(game: Game, games: int) -> Iterator[tuple[Any, int]]:
    """The options and the seed of each random game: the defaults, then all options at their lowest and highest."""
    for number in range(games):
        yield game.option_values(), number
    for end in ("low", "high") if game.options else ():
        try:
            options = game.option_values({name: getattr(option, end) for name, option in game.options.items()})
        except ValueError:  # they do not go together
            continue
        for number in range(EXTREME_GAMES):
            yield options, number


def sample_states(game: Game, games: int = GAMES, most: int = 400, *, chance: bool = False) -> list[State]:
    """Copies of states in which a seat has to decide, from random games; with `chance` also those where chance has."""
    law, found = checked_game(game), list[State]()
    for number in range(games):
        states = [state.copy() for state in random_game(law, number)][:-1]
        step = max(1, len(states) * games // most)
        found += [state for state in states[number % step :: step] if chance or state.mover in (0, 1)]
    return found


def dealt_states(game: Game, count: int) -> list[State]:
    """The first positions of `count` deals in which a seat has to decide."""
    law, options = checked_game(game), game.option_values()
    states = [game.new_state() for _ in range(count)]
    for state, cards in zip(states, game.deal(rng_of(1, CARDS), count, options), strict=True):
        law.setup(state, cards, options)
    return [state for state in states if state.mover in (0, 1)]


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
    law, luck, twins = checked_game(game), 99, (one.copy(), other.copy())
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
