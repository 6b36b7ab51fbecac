"""The law of a game: random games, interpreted, with every call checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rulebots.checking.problem import GAMES, Problem, Problems, add, at, collecting
from rulebots.game import CHANCE, Game
from rulebots.game.checked import PARTS, Endless, checked_game, limited
from rulebots.game.random_numbers import CARDS, rng_of
from rulebots.game.trial import check_count, lonely, random_game
from rulebots.kernel.compile_errors import mistakes, obstacles
from rulebots.kernel.fingerprint import taking_part
from rulebots.kernel.user_code import is_users
from rulebots.play.deals import SAMPLE, opening_plies_of

#: Of a game with options, all are at their lowest or highest in so many games of each.
EXTREME_GAMES = 3


def check_text_of_law(game: Game) -> Problems:
    """What the functions of a law should not contain, whether games meet it or not."""
    parts = [part for name in PARTS if (part := getattr(game, name)) is not None]
    return check_source([*parts, *game.behaviour.values()])


def check_source(kernels: list[Any]) -> Problems:
    """Names that mean nothing, a memory, outside randomness, plain helpers, and what Numba does not know."""
    found: Problems = []
    for body in kernels:
        original = getattr(body, "original", body)
        functions = [f for f in taking_part(original.function) if is_users(f.__code__.co_filename)]
        for message in (*mistakes(functions), *obstacles(functions)):
            add(found, Problem(message))
    return found


def check_deals(game: Game) -> Problems:
    """Deals: whole numbers, a row for each, the same however many are drawn at once; and different games."""
    found: Problems = []
    with collecting(found):
        options = game.option_values()
        check_count(game, options)
        rows = limited(game.deal, rng_of(0), SAMPLE, options)
        if not game.chance and (rows == rows[0]).all() and opening_plies_of(game, options) == 0:
            what = "deals nothing, and opening_plies is 0: two players would play one game again and again"
            add(found, at(game.draw_deals, f"{what}; leave opening_plies out, or set it to 2 or more"))
    return found


def check_games(game: Game, games: int = GAMES) -> Problems:
    """Random games: what every function gives, that both seats decide, and that some game comes to its end."""
    found: Problems = []
    law, movers, plies, ends, played = checked_game(game), set[int](), 0, 0, 0
    for options, number in _seeds(game, games):
        try:
            with collecting(found):
                state: Any = None
                count = -1
                for state in random_game(law, number, options):
                    movers.add(int(state.mover))
                    count += 1
                    _ask_of_moves(law, state)
                for seat in (0, 1):
                    law.points(state, seat)
                    for statistic in law.behaviour.values():
                        statistic(state, seat)
                played, plies = played + 1, max(plies, count)
                ends += bool(law.over(state))
        except Endless as error:
            add(found, Problem(str(error)))
            return found
    if played and not {0, 1} <= movers and plies > 1:
        add(found, Problem(str(lonely(game, movers))))
    if played and game.chance and CHANCE not in movers and not found:
        what = f"never sets state.mover = CHANCE in {played} random games: leave out chance=True, or let chance move"
        add(found, at(game.play, what, note=True))
    if played and not ends and not found:
        what = f"never says so in {played} random games of up to {plies} plies: they all end at ply_cap"
        add(found, at(game.over, f"{what}; does `play` bring the game to its end?"))
    return found


def _ask_of_moves(law: Game, state: Any) -> None:
    """The kind and the item of every legal move."""
    if law.over(state) or state.mover not in (0, 1):
        return
    view, room = law.new_view(), np.zeros(law.move_count, np.int64)
    law.observe(state, view)
    for move in room[: law.moves(state, room)].tolist():
        law.kind(move)
        law.item(view, move)


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


def sample_states(game: Game, games: int = GAMES, most: int = 400, *, chance: bool = False) -> list[Any]:
    """Copies of states in which somebody has to decide, from random games; with `chance` also those where it has."""
    law, found = checked_game(game), list[Any]()
    for number in range(games):
        states = [state.copy() for state in random_game(law, number)][:-1]
        step = max(1, len(states) * games // most)
        found += [state for state in states[number % step :: step] if chance or state.mover in (0, 1)]
    return found


def differing(game: Game, one: Any, other: Any) -> list[str]:
    """The fields in which two states differ."""
    return [name for name in game.state.names or () if not np.array_equal(one[name], other[name])]


def dealt_states(game: Game, count: int) -> list[Any]:
    """The positions that so many deals begin with."""
    law, options = checked_game(game), game.option_values()
    states = []
    for cards in game.deal(rng_of(1, CARDS), count, options):
        state = game.new_state()
        law.setup(state, cards, options)
        states.append(state)
    return states
