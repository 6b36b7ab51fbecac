"""The first games of a law that is not ours: random ones, interpreted, with every call checked.

Compiled code reads and writes out of bounds in silence, or ends the process. So a law that is new or was changed plays
a few games in this way before any of it runs compiled: once per fingerprint, noted beside the compiled code. That takes
a fraction of a second; games that ship have their tests instead.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.game import CHANCE, Game, State
from rulebots.game.chance import drawing
from rulebots.game.checked import PARTS, breach, checked_game, limited, original_of
from rulebots.game.random_numbers import CARDS, LUCK, luck_of, next_luck, rng_of
from rulebots.kernel import Kernel, compiling
from rulebots.kernel.code_cache import cache_folder
from rulebots.kernel.code_origin import is_ours
from rulebots.kernel.compile_errors import mistakes
from rulebots.kernel.fingerprint import fingerprint, known, taking_part, toolchain
from rulebots.kernel.user_code import CodeError, is_users

Ints = npt.NDArray[np.int64]
#: Seconds of processor time for which a law is tried, and at most so many games.
SECONDS, MOST_GAMES = 0.2, 20
#: About how many positions of a game are dealt again.
REDEALT = 4
#: Games to their end in which only one seat decides, until that is called a mistake.
LONELY = 5


def try_law(game: Game, options: Any = None) -> None:
    """Play the first games of a law, unless that was done before.

    `options` is a record of the game's options as they will be played, by default the game's defaults.

    Raises:
        CodeError: a function of the game breaks the contract; the message names it, its file and line.
    """
    _try_law(game, chosen_options(game, options))


def chosen_options(game: Game, options: Any) -> tuple[int, ...]:
    """The values of a record of options in the game's order; () where all are the defaults, or there is no record."""
    values = () if options is None else tuple(int(options[name]) for name in game.options)
    return () if values == tuple(option.default for option in game.options.values()) else values


def with_chosen(game: Game, chosen: tuple[int, ...]) -> dict[str, int]:
    """By name, what `chosen_options` gave."""
    return dict(zip(game.options, chosen, strict=True)) if chosen else {}


@functools.cache
def _try_law(game: Game, chosen: tuple[int, ...]) -> None:
    if not compiling() or not foreign(game):
        return
    note = note_of("law", game, chosen)
    if note is not None and note.exists():
        return
    check_source(part for name in PARTS if (part := getattr(game, name)) is not None)
    options = game.option_values(with_chosen(game, chosen))
    check_count(game, options)
    ends, movers, until = 0, set[int](), time.thread_time() + SECONDS
    for number in range(MOST_GAMES):
        for state in random_game(checked_game(game), number, options):
            movers.add(int(state.mover))
            if time.thread_time() > until:
                break
        else:
            ends += 1
        if time.thread_time() > until:
            break
    if game.redeal is not None:
        _try_redeals(game, options)
    if ends >= LONELY and not {0, 1} <= movers:
        raise lonely(game, movers)
    write_note(note)


def _try_redeals(game: Game, options: Any) -> None:
    law, until = checked_game(game), time.thread_time() + SECONDS
    deal = np.zeros_like(game.deal(rng_of(1, CARDS), 1, options)[0])
    for number in range(MOST_GAMES):
        for state, seats, moves in redealt_positions(game, number, options):
            if law.undeal is not None:
                law.undeal(state, seats, moves, options, deal, number + 1)
            if time.thread_time() > until:
                return


def foreign(game: Game) -> bool:
    """Whether any part of a law is not this package's."""
    parts = (getattr(game, name) for name in PARTS)
    return any(not is_ours(part.function.__module__) for part in parts if part is not None)


def random_game(
    game: Game, seed: int, options: Any = None, cards: npt.NDArray[np.int64] | None = None
) -> Iterator[State]:
    """The states of a random game, interpreted: the same record before each move and, where it ends, after the last.

    `options` is a record of the game's options. `cards` is what was dealt, by default the first deal of the seed.
    """
    options = game.option_values() if options is None else options
    draw = drawing(game)
    state, room, luck = game.new_state(), np.zeros(game.move_count, np.int64), int(luck_of(rng_of(seed, LUCK), (1,))[0])
    game.setup(state, game.deal(rng_of(seed, CARDS), 1, options)[0] if cards is None else cards, options)
    for _ in range(game.ply_cap):
        yield state
        if game.over(state):
            return
        n = game.moves(state, room)
        luck = next_luck(luck)
        by_chance = game.chance and state.mover == CHANCE
        game.play(state, int(draw(state, room, n, luck) if by_chance else room[luck % n]))
    yield state


def redealt_positions(game: Game, number: int, options: Any) -> Iterator[tuple[Any, Ints, Ints]]:
    """About so many positions of a random game, interpreted, each as it is and redealt, with who moved and the moves.

    The seats and the moves are int64[plies].
    """
    law, draw, luck = checked_game(game), drawing(game), number + 1
    assert law.redeal is not None
    state, room, past = game.new_state(), np.zeros(game.move_count, np.int64), list[tuple[int, int]]()
    law.setup(state, game.deal(rng_of(number, CARDS), 1, options)[0], options)
    every = 1
    while not law.over(state) and len(past) < game.ply_cap:
        seats, moves = (np.array([ply[i] for ply in past], np.int64) for i in (0, 1))
        if state.mover in (0, 1) and len(past) % every == 0:
            yield state.copy(), seats, moves
            twin = state.copy()
            luck = law.redeal(twin, luck)
            yield twin, seats, moves
        if len(past) == REDEALT * every:
            every *= 2
        n = law.moves(state, room)
        luck = next_luck(luck)
        by_chance = game.chance and state.mover == CHANCE
        move = int(draw(state, room, n, luck) if by_chance else room[luck % n])
        past.append((int(state.mover), move))
        law.play(state, move)


def check_source(kernels: Iterable[Kernel[..., Any]]) -> None:
    """Raise CodeError for what would be wrong in every game: a name that means nothing, a memory, outside chance."""
    for body in kernels:
        functions = taking_part(original_of(body).function)
        for mistake in mistakes([f for f in functions if is_users(f.__code__.co_filename)]):
            raise CodeError(mistake)


def check_count(game: Game, options: Any) -> None:
    """Raise CodeError if what is dealt depends on how many deals are drawn at once."""
    rows = limited(game.deal, rng_of(1, CARDS), 5, options)
    rng = rng_of(1, CARDS)
    pieces = np.concatenate([game.deal(rng, 2, options), game.deal(rng, 3, options)])
    if not np.array_equal(rows, pieces):
        remedy = "draw a deal after the other, or all numbers by one call of `rng`"
        raise breach(game.draw_deals, f"deals something else where deals are drawn 2 and 3 at a time, not 5: {remedy}")


def lonely(game: Game, movers: set[int]) -> CodeError:
    """That in all games only one seat decides."""
    seat = 0 if 0 in movers else 1
    remedy = "does it say `state.mover = 1 - state.mover`?"
    return breach(game.play, f"never lets seat {1 - seat} decide: state.mover is {seat} in all random games; {remedy}")


def note_of(what: str, thing: Any, chosen: tuple[int, ...] = ()) -> Path | None:
    """The file that says that a thing was tried, with these options; None where its code cannot be known again."""
    functions: list[Kernel[..., Any]] = [thing.moves] if isinstance(thing, Game) else [thing.choose]
    if not all(known(body.function) for body in functions):
        return None
    words = [what, fingerprint(thing), toolchain()[:8], *map(str, chosen)]
    return cache_folder() / "tried" / "-".join(words)


def write_note(note: Path | None) -> None:
    """Note that a thing was tried; where that cannot be written, it is tried once more."""
    if note is not None:
        try:
            note.parent.mkdir(parents=True, exist_ok=True)
            note.touch()
        except OSError:
            return
