"""The first games of foreign rules and compiled players: interpreted and checked, and then compared with compiled ones.

`rulebots/game/trial.py` tries laws. Here the match loop itself plays, first interpreted with every call checked and
then compiled, and the games have to be the same move for move.
"""

import functools
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rulebots.game import Floats, Game
from rulebots.game.random_numbers import rng_of
from rulebots.game.trial import check_source, chosen_options, foreign, note_of, try_law, with_chosen, write_note
from rulebots.kernel import Kernel, compiling, interpreting
from rulebots.kernel.user_code import CodeError, is_ours, place_of
from rulebots.play.deals import Deals, draw_deals
from rulebots.play.loop import Batch, begin, compiled_advance, compiled_results, prepare, room_for_moves, side_arrays
from rulebots.players import Style
from rulebots.players.compiled import checked_style

#: Seconds of processor time for which a style is tried interpreted, and the most games of it.
SECONDS = 0.3
MOST_GAMES = 12
#: The plies after which the first game is broken off; for each further one they double.
FIRST_PLIES = 4


@dataclass(frozen=True, eq=False)
class TrialGame:
    """A game as it was played: its moves, and the points if it came to its end. `weights` is float64[2, 2, columns]."""

    seed: int
    weights: Floats
    moves: list[int]
    points: tuple[int, ...] | None


@functools.cache
def prepare_tried(game: Game, styles: tuple[Style, ...], chosen: tuple[int, ...] = (), *, openings: bool) -> None:
    """Compile what matches between players of these styles call, and try what is new in it: once.

    `chosen` are options as `chosen_options` gives them.

    Raises:
        CodeError: a function breaks the contract, or does something else compiled than interpreted.
    """
    _try_styles(game, styles, chosen)
    prepare(game, styles, openings=openings)
    for style in styles:
        compare(style, chosen, openings=openings)


def try_styles(game: Game, styles: Iterable[Style], options: Any = None) -> None:
    """Play the first games of a law and of styles interpreted, unless that was done before.

    `options` is a record of the game's options as they will be played, by default the game's defaults.

    Raises:
        CodeError: a function breaks the contract.
    """
    _try_styles(game, styles, chosen_options(game, options))


def _try_styles(game: Game, styles: Iterable[Style], chosen: tuple[int, ...]) -> None:
    try_law(game, game.option_values(with_chosen(game, chosen)))
    for style in styles:
        if _wants_trial(style, chosen):
            check_source(style.parts)
            trial_games(style, chosen, openings=False)


def compare(style: Style, chosen: tuple[int, ...] = (), *, openings: bool) -> None:
    """Play the first games of a style compiled, too, unless that was done before. Raises CodeError."""
    if _wants_trial(style, chosen):
        if difference := difference_of(style, chosen, openings=openings):
            raise CodeError(difference)
        write_note(note_of("games", style, chosen))


def _wants_trial(style: Style, chosen: tuple[int, ...]) -> bool:
    """Whether a style has first games to play with these options: it is foreign, and was not tried before."""
    if (
        not compiling()
        or style.game.live is not None
        or (is_ours(_foreign_part(style).function.__module__) and not foreign(style.game))
    ):
        return False
    note = note_of("games", style, chosen)
    return note is None or not note.exists()


def _foreign_part(style: Style) -> Kernel[..., Any]:
    """The first kernel of a style that is not this package's, if any is."""
    return next((part for part in style.parts if not is_ours(part.function.__module__)), style.parts[0])


@functools.cache
def trial_games(style: Style, chosen: tuple[int, ...] = (), *, openings: bool) -> tuple[TrialGame, ...]:
    """Games of random players of a style, interpreted, with every call checked, for a fraction of a second.

    Raises:
        CodeError: a function breaks the contract.
    """
    games = list[TrialGame]()
    began = time.thread_time()
    plies = FIRST_PLIES
    cap = style.game.ply_cap
    with interpreting():
        for seed in range(MOST_GAMES):
            deals = _deals(style.game, seed, chosen, openings=openings)
            most = min(cap, deals.opening_plies + plies)
            checked = checked_style(style, most)
            weights = rng_of(seed, style.columns).normal(size=(2, 2, style.columns))
            games.append(_played(checked, replace(deals, game=checked.game), seed, weights, ends=most == cap))
            plies *= 2
            if time.thread_time() - began > SECONDS / 2:
                break
    return tuple(games)


def difference_of(style: Style, chosen: tuple[int, ...] = (), *, openings: bool) -> str | None:
    """Where the compiled games of a style part from the interpreted ones; None where they are the same."""
    write = style.game.text.write
    for played in trial_games(style, chosen, openings=openings):
        deals = _deals(style.game, played.seed, chosen, openings=openings)
        again = _played(style, deals, played.seed, played.weights)
        pairs = enumerate(zip(played.moves, again.moves, strict=False), start=1)
        parting = next(((ply, one, other) for ply, (one, other) in pairs if one != other), None)
        if parting is not None:
            ply, one, other = parting
            what = f"goes on with {write(other)} compiled, and with {write(one)} interpreted at ply {ply}"
        elif len(again.moves) < len(played.moves) or played.points not in (None, again.points):
            what = f"ends with {again.points} compiled, and with {played.points} interpreted"
        else:
            continue
        name = f"{style.game.name}" + (f" or of its rule set '{style.rules.name}'" if style.rules is not None else "")
        return (
            f"{place_of(_foreign_part(style))}: a game of seed {played.seed} {what}: a function of {name} depends on "
            "how NumPy counts (truth values that are added, an integer that overflows, an index below 0, a table that "
            "was changed); --debug shows each call"
        )
    return None


def _deals(game: Game, seed: int, chosen: tuple[int, ...], *, openings: bool) -> Deals:
    return draw_deals(game, 1, seed, options=with_chosen(game, chosen), opening_plies=None if openings else 0)


def _played(style: Style, deals: Deals, seed: int, weights: Floats, *, ends: bool = True) -> TrialGame:
    """A game of one deal between two players of a style, as matches play it."""
    game = deals.game
    seats = np.arange(deals.seats)[None, :] % 2
    batch = Batch(game, deals.luck.copy(), room_for_moves(game, 1, game.ply_cap))
    begin(batch, deals, np.zeros(1, np.int64))
    compiled_advance(style)(batch.arrays, side_arrays(style, seats, weights))
    compiled_results(game)(batch.arrays.states, batch.points, batch.stalled, batch.behaviour)
    return TrialGame(
        seed=seed,
        weights=weights,
        moves=batch.arrays.chosen[0, : batch.arrays.plies[0]].tolist(),
        points=tuple(batch.points[0].tolist()) if ends or not batch.stalled[0] else None,
    )
