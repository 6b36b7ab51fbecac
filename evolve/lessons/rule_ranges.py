"""How much each rule differs among the moves of a decision: what a step of its weight does."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evolve.evaluation.arena import Arena
from evolve.lessons.rollouts import find_workspace, nothing_played, played_arrays
from evolve.schedules import MEASURING
from rulebots.game import CHANCE, Floats
from rulebots.game.compiled import view_kernel
from rulebots.kernel import Kernel, kernel
from rulebots.kernel.precompile import Compilation
from rulebots.play.match import play_games
from rulebots.players import RulePlayer, Style, compiled_for
from rulebots.rules.scoring import features_of

#: Games whose decisions are looked at, but at most a tenth of those of a generation.
GAMES = 64


def ranges_of(arena: Arena, players: Sequence[RulePlayer]) -> Floats:
    """The mean range of each rule's terms at weight 1 among the moves of a decision, float64[rules].

    The range is the largest term minus the smallest, the mean that of the decisions in which they differ; 0 for a rule
    that never differs. The decisions are those of a few games of the players, on deals of their own. Where a rule gives
    infinity, it does not count.
    """
    style = players[0].style
    count = max(1, min(GAMES, arena.games_a_generation // 10))
    deals = arena.deals(count, MEASURING).draw(arena.game)
    game = np.arange(count)
    seat = np.arange(arena.seats) * (not arena.together)  # a team is of copies
    games = play_games(players, deals, np.column_stack([game, (game[:, None] + seat) % len(players)]), keep_moves=True)
    sums = np.zeros((2, style.columns))
    _compiled_add(style)(
        played_arrays(deals, games, game), find_workspace(style), np.zeros((arena.game.move_count, style.columns)), sums
    )
    return np.asarray(sums[0] / np.maximum(sums[1], 1.0))


def compilations(style: Style) -> list[Compilation]:
    """What `ranges_of` calls, besides its games."""
    return [Compilation(add_kernel(style), functools.partial(_compiled_add, style))]


@functools.cache
def add_kernel(style: Style) -> Kernel[..., None]:
    """A kernel `(played, workspace, terms, sums)` that adds the ranges of all decisions of games.

    It replays them. The first arguments are `PlayedArrays` and `FindWorkspace`; `terms`, float64[move_count, rules], is
    scratch. `sums` is float64[2, rules]: of the ranges, and of the decisions in which they are above 0.
    """
    assert style.rules is not None
    feature = features_of(style.rules)
    setup = style.game.setup
    moves_of = style.game.moves
    play = style.game.play
    look = view_kernel(style.game)

    @kernel
    def add(played: Any, workspace: Any, terms: Any, sums: Any) -> None:
        state = workspace.states[0]
        for g in range(played.which.shape[0]):
            workspace.states[0] = workspace.states[1]
            setup(state, played.cards[played.which[g]], played.options)
            for ply in range(played.plies[g]):
                if ply >= played.openings[g] and state.mover != CHANCE:
                    n = moves_of(state, workspace.moves)
                    look(state, workspace.views, 1)
                    terms[:n] = 0.0
                    feature(workspace.views[0], workspace.moves, n, terms)
                    for rule in range(terms.shape[1] if n else 0):  # none: a rule changed the game that was played
                        difference = terms[:n, rule].max() - terms[:n, rule].min()
                        if 0.0 < difference < np.inf:
                            sums[0, rule] += difference
                            sums[1, rule] += 1.0
                play(state, int(played.moves[g, ply]))  # a small NumPy integer would overflow, interpreted

    add.title = f"ranges of the rules of {style.game.title}"
    return add


@functools.cache
def _compiled_add(style: Style) -> Callable[..., None]:
    return compiled_for(
        style, add_kernel, nothing_played(style.game), find_workspace(style), np.zeros((0, 0)), np.zeros((0, 0))
    )
