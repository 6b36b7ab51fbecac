"""The first games of rules and compiled players that are not ours: interpreted and checked, and then compared.

See rulebots/game/trial.py, which does the first half for laws. Here the same games are played twice by the ordinary
match loop, interpreted with every call checked and then compiled, and have to be the same move for move.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rulebots.game import Game
from rulebots.game.checked import checked_game
from rulebots.game.random_numbers import rng_of
from rulebots.game.trial import (
    check_source,
    chosen_options,
    foreign,
    note_of,
    try_law,
    with_chosen,
    write_note,
)
from rulebots.kernel import Kernel, compiling, interpreting
from rulebots.kernel.code_origin import is_ours
from rulebots.kernel.user_code import CodeError, place_of
from rulebots.play.deals import Deals, draw_deals
from rulebots.play.loop import Batch, begin, compiled_advance, compiled_results, prepare, room_for_moves
from rulebots.players import Style
from rulebots.players.compiled import style_of
from rulebots.rules.contract import checked_choice, checked_rules

#: Options as `chosen_options` gives them.
Chosen: TypeAlias = tuple[int, ...]
#: Seconds of processor time for which a style is tried interpreted, and at most so many games.
SECONDS, MOST_GAMES = 0.3, 12
#: The first game is broken off after so many plies, each further one after twice as many.
FIRST_PLIES = 4


@dataclass(frozen=True, eq=False)
class TrialGame:
    """A game as it was played: its moves, and the points if it came to its end. `weights` is float64[2, 2, columns]."""

    seed: int
    weights: npt.NDArray[np.float64]
    moves: list[int]
    points: tuple[int, int] | None


@functools.cache
def prepare_tried(game: Game, styles: tuple[Style, ...], chosen: Chosen = (), *, openings: bool) -> None:
    """Compile what matches between players of these styles call, and try what is new in it: once.

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


def _try_styles(game: Game, styles: Iterable[Style], chosen: Chosen) -> None:
    try_law(game, game.option_values(with_chosen(game, chosen)))
    for style in styles:
        if _wants_trial(style, chosen):
            check_source(style.parts)
            trial_games(style, chosen, openings=False)


def compare(style: Style, chosen: Chosen = (), *, openings: bool) -> None:
    """Play the first games of a style compiled, too, unless that was done before. Raises CodeError."""
    if not _wants_trial(style, chosen):
        return
    difference = difference_of(style, chosen, openings=openings)
    if difference:
        raise CodeError(difference)
    write_note(note_of("games", style, chosen))


def difference_of(style: Style, chosen: Chosen = (), *, openings: bool) -> str | None:
    """Where the compiled games of a style part from the interpreted ones; None where they are the same."""
    for played in trial_games(style, chosen, openings=openings):
        deals = _deals(style.game, played.seed, chosen, openings=openings)
        again = _played(style, deals, played.seed, played.weights)
        pairs = zip(played.moves, again.moves, strict=False)
        ply = next((i for i, (one, other) in enumerate(pairs) if one != other), None)
        if ply is None and len(again.moves) >= len(played.moves) and played.points in (None, again.points):
            continue
        if ply is None:
            what = f"ends with {again.points} compiled, and with {played.points} interpreted"
        else:
            write = style.game.write
            what = f"goes on with {write(again.moves[ply])} compiled, and with {write(played.moves[ply])} interpreted"
            what += f" at ply {ply + 1}"
        where = place_of(_part_of(style))
        return (
            f"{where}: a game of seed {played.seed} {what}: a function of {_name(style)} depends on how NumPy counts "
            "(an integer that overflows, an index below 0, a table that was changed); --debug shows each call"
        )
    return None


@functools.cache
def trial_games(style: Style, chosen: Chosen = (), *, openings: bool) -> tuple[TrialGame, ...]:
    """Games of random players of a style, interpreted, with every call checked, for a fraction of a second.

    Raises:
        CodeError: a function breaks the contract.
    """
    games, began, plies, cap = list[TrialGame](), time.thread_time(), FIRST_PLIES, style.game.ply_cap
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


def checked_style(style: Style, ply_cap: int | None = None) -> Style:
    """A style that plays the same games with every call checked, at most so many plies of them."""
    if style.rules is None:
        game = checked_game(style.game)
        game = game if ply_cap is None else replace(game, ply_cap=ply_cap)
        return Style(game, checked_choice(style.choose), style.columns)
    rules = checked_rules(style.rules)
    made = style_of(rules if ply_cap is None else replace(rules, game=replace(rules.game, ply_cap=ply_cap)))
    return replace(made, choose=checked_choice(made.choose))


def _wants_trial(style: Style, chosen: Chosen) -> bool:
    """Whether a style has first games to play with these options: it is not ours, and was not tried before."""
    if not compiling() or (is_ours(_part_of(style).function.__module__) and not foreign(style.game)):
        return False
    note = note_of("games", style, chosen)
    return note is None or not note.exists()


def _part_of(style: Style) -> Kernel[..., Any]:
    """The kernel of a style that is the user's, if any is."""
    return next((part for part in style.parts if not is_ours(part.function.__module__)), style.parts[0])


def _name(style: Style) -> str:
    return f"{style.game.name}" if style.rules is None else f"{style.game.name} or of its rule set '{style.rules.name}'"


def _deals(game: Game, seed: int, chosen: Chosen, *, openings: bool) -> Deals:
    options = with_chosen(game, chosen)
    return draw_deals(game, 1, seed, options=options, opening_plies=None if openings else 0)


def _played(style: Style, deals: Deals, seed: int, weights: npt.NDArray[np.float64], *, ends: bool = True) -> TrialGame:
    """A game of one deal between two players of a style, as matches play it."""
    game, seats = deals.game, np.array([[0, 1]], np.int64)
    batch = Batch(game, deals.luck.copy(), room_for_moves(game, 1, game.ply_cap))
    begin(batch, deals, np.zeros(1, np.int64))
    compiled_advance(style)(*batch.arrays, seats, weights, *style.workspace())
    compiled_results(game)(batch.states, batch.points, batch.stalled, batch.behaviour)
    over = not batch.stalled[0] or ends
    points = (int(batch.points[0, 0]), int(batch.points[0, 1])) if over else None
    return TrialGame(seed, weights, batch.chosen[0, : batch.plies[0]].tolist(), points)
