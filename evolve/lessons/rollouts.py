"""Policy improvement by rollouts: games are played to their ends after each candidate move of a decision.

A policy that takes the move with the best mean return is better than the policy that plays the rollouts
(Tesauro and Galperin, "On-line Policy Improvement using Monte-Carlo Search", 1996). All candidates of
a decision share hidden cards, random states and outcomes of chance: common random numbers, which reduce the variance
of differences between them. None of them are those of the game itself.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.game import Bools, Floats, Game, Ints
from rulebots.game.compiled import view_kernel
from rulebots.game.dtypes import records
from rulebots.game.random_numbers import apart, below, next_luck, unchanged
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.kernel.precompile import Compilation
from rulebots.play.deals import Deals
from rulebots.play.loop import Batch, play_on, room_for_moves
from rulebots.play.match import batches_of, play_games, sides_of
from rulebots.play.results import Games, worth_of
from rulebots.players import Player, Style, compiled_for, decides_by_rules
from rulebots.rules.scoring import features_of, scorer


@dataclass(frozen=True)
class LessonSettings:
    """How the candidates of a decision are found and compared.

    Moves whose scores are at most `score_margin` below the best one's are candidates; each of them gets
    `rollouts` rollouts. The return of a game is what it is worth (see rulebots/game/seats.py), such as 1 for a win and
    0.5 for a draw, and `margin` for each point of margin to the others' mean up to `margin_cap`; that of a stalled game
    is 0. Where points count, and in a game for all together, it is the points.
    """

    score_margin: float
    rollouts: int
    margin: float
    margin_cap: float

    def returns(self, game: Game, points: Ints, seat: Ints, stalled: Bools) -> Floats:
        """The returns, float64[games], of seats, int64[games], of games that ended with points, int64[games, seats]."""
        rows = np.arange(len(points))
        seats = points.shape[1]
        worth = np.asarray(worth_of(points, game)[rows, seat])
        if game.in_points(seats):
            return worth
        own = points[rows, seat]
        others = (points.sum(axis=1) - own) / (seats - 1)
        return np.where(stalled, 0.0, worth + self.margin * np.clip(own - others, -self.margin_cap, self.margin_cap))


@dataclass(frozen=True)
class Lessons:
    """Decisions of one player, with the mean returns of the moves that it found about as good.

    `counts` int64[decisions] is the number of candidates of each, at least two, and `late` float64[decisions]
    how late it was in its game, 0 to 1 (see rulebots/rules/scoring.py). `features` float32[moves, rules] are what a
    weight of 1 of each rule adds to a move's score, `returns` float64[moves] the mean returns of its rollouts, `moves`
    int64[moves] the moves themselves; all candidate by candidate, in the order of the decisions.
    """

    counts: Ints
    late: Floats
    features: npt.NDArray[np.float32]
    returns: Floats
    moves: Ints

    def __len__(self) -> int:
        return len(self.counts)


class PlayedArrays(NamedTuple):
    """Games that were played: see `Deals` and `Games`; `which`, int64[games], are rows of `cards`."""

    cards: Any
    which: Ints
    options: Any
    moves: npt.NDArray[np.signedinteger[Any]]
    openings: Ints
    plies: Ints


class DecisionArrays(NamedTuple):
    """A decision out of each game."""

    #: int64[games]: the random states that choose decisions and play rollouts.
    luck: Ints
    #: State records[games] and int64[games]: the position, and the plies before it.
    states: Any
    plies: Ints
    #: int64[games, move_count] and int64[games]: the candidates, as many as `counts` says; 0: no decision.
    candidates: Ints
    counts: Ints
    #: As in `Lessons`; `features` has room for all moves of all games.
    late: Floats
    features: npt.NDArray[np.float32]


class FindWorkspace(NamedTuple):
    """Scratch: state records[2], the second one blank; int64[move_count]; and the style's `Workspace`."""

    states: Any
    moves: Ints
    views: Any
    blended: Floats
    scores: Floats


def played_arrays(deals: Deals, games: Games, which: Ints) -> PlayedArrays:
    """Games that were played on deals, of which each was on the one that `which` says, and have kept their moves."""
    return PlayedArrays(deals.cards, which, deals.options, games.moves, games.openings, games.plies)


def nothing_played(game: Game) -> PlayedArrays:
    """No games: what kernels are compiled for."""
    none = np.zeros(0, np.int64)
    return PlayedArrays(np.zeros((1, 1), np.int64), none, game.option_values(), room_for_moves(game, 0, 0), none, none)


def new_decisions(game: Game, luck: Ints, rules: int) -> DecisionArrays:
    """Zeroed arrays for a decision of each game; `luck` is int64[games]."""
    count = len(luck)
    return DecisionArrays(
        luck=luck,
        states=records(game.state, count),
        plies=np.zeros(count, np.int64),
        candidates=np.zeros((count, game.move_count), np.int64),
        counts=np.zeros(count, np.int64),
        late=np.zeros(count),
        features=np.zeros((count * game.move_count, rules), np.float32),
    )


def find_workspace(style: Style) -> FindWorkspace:
    """Zeroed arrays."""
    game = style.game
    return FindWorkspace(records(game.state, 2), np.zeros(game.move_count, np.int64), *style.workspace())


def lessons_of(players: Sequence[Player], deals: Deals, schedule: Ints, settings: LessonSettings) -> Lessons:
    """A decision of the first player out of each game of a schedule, with rollouts of its candidates.

    `schedule` is int64[games, 1 + seats] of the deal and the player in each seat; one of them is 0. The deal's
    random state chooses among the decisions of the first player that have two candidates or more; a game
    without any gives no lesson. The same players play the rollouts. The first player has rules that can be learnt from
    lessons (see `no_lessons`).
    """
    learner = players[0]
    assert decides_by_rules(learner)
    game = deals.game
    games = play_games(players, deals, schedule, keep_moves=True)
    which = schedule[:, 0].copy()
    seat = (schedule[:, 1:] == 0).argmax(axis=1)
    luck = np.maximum(np.bitwise_xor.reduce(deals.luck[which], axis=1), 1)
    decisions = new_decisions(game, luck, len(learner.rules.rules))
    workspace = find_workspace(learner.style)
    _compiled_find(learner.style)(
        played_arrays(deals, games, which), seat, decisions, workspace, learner.weights, settings.score_margin
    )
    counts = decisions.counts
    rows = counts * settings.rollouts
    batch = Batch(game, np.ones((int(rows.sum()), deals.seats), np.int64))
    _compiled_unfold(game)(decisions, settings.rollouts, batch.arrays, workspace.states)
    points, stalled = rolled_out(players, batch, np.repeat(schedule[:, 1:], rows, axis=0))
    returns = settings.returns(game, points, np.repeat(seat, rows), stalled)
    # The rollouts stand decision by decision, round by round, each round with all candidates.
    decision = np.repeat(np.arange(len(schedule)), rows)
    place = np.arange(len(returns)) - (np.cumsum(rows) - rows)[decision]
    move = (np.cumsum(counts) - counts)[decision] + place % np.maximum(counts, 1)[decision]
    means = np.bincount(move, returns, int(counts.sum())) / settings.rollouts
    moves = decisions.candidates[np.arange(game.move_count) < counts[:, None]]
    return Lessons(
        counts[counts > 0], decisions.late[counts > 0], decisions.features[: len(means)].copy(), means, moves
    )


def rolled_out(players: Sequence[Player], batch: Batch, who: Ints) -> tuple[Ints, Bools]:
    """Play all games of a large batch to their ends.

    `who` is int64[games, seats], the player in each seat. Gives the points, int64[games, seats], and bool[games], which
    games stalled.
    """
    points = np.zeros(who.shape, np.int64)
    stalled = np.zeros(len(who), np.bool_)
    sides = sides_of(players)
    for part in batches_of(players, len(who)):
        piece = Batch(batch.game, batch.arrays.luck[part])
        for name in ("states", "outcomes", "plies", "active"):
            getattr(piece.arrays, name)[:] = getattr(batch.arrays, name)[part]
        play_on(piece, sides, who[part])
        points[part] = piece.points
        stalled[part] = piece.stalled
    return points, stalled


def compilations(style: Style) -> list[Compilation]:
    """What lessons of players of a style call, besides their games."""
    return [
        Compilation(find_kernel(style), functools.partial(_compiled_find, style)),
        Compilation(unfold_kernel(style.game), functools.partial(_compiled_unfold, style.game)),
    ]


@functools.cache
def find_kernel(style: Style) -> Kernel[..., None]:
    """A kernel `(played, seats, decisions, workspace, weights, score_margin)` that keeps a decision of each game.

    It replays them. The arguments are `PlayedArrays`, the seat whose decisions are looked at, int64[games],
    `DecisionArrays` and `FindWorkspace`; `weights` is float64[2, rules].
    """
    assert style.rules is not None
    game = style.game
    score = scorer(style.rules)
    feature = features_of(style.rules)
    setup = game.setup
    moves_of = game.moves
    play = game.play
    look = view_kernel(game)

    @kernel
    def find(played: Any, seats: Any, decisions: Any, workspace: Any, weights: Any, score_margin: float) -> None:
        luck = decisions.luck
        counts = decisions.counts
        state = workspace.states[0]
        moves = workspace.moves
        views = workspace.views
        scores = workspace.scores
        first = 0
        for g in range(played.which.shape[0]):
            workspace.states[0] = workspace.states[1]
            setup(state, played.cards[played.which[g]], played.options)
            seen = 0
            for ply in range(played.plies[g]):
                if ply >= played.openings[g] and state.mover == seats[g]:
                    n = moves_of(state, moves)
                    if n > 1:
                        look(state, views, luck[g])
                        score(views[0], moves, n, weights, workspace.blended, scores)
                        best = -np.inf
                        for i in range(n):
                            best = max(best, scores[i])
                        near = 0
                        for i in range(n):
                            near += scores[i] >= best - score_margin
                        if near > 1:
                            # Reservoir sampling: the k-th replaces the one before it with a chance of 1 in k.
                            seen += 1
                            luck[g] = next_luck(luck[g])
                            if below(luck[g], seen) == 0:
                                decisions.states[g] = state
                                decisions.plies[g] = ply
                                counts[g] = 0
                                for i in range(n):
                                    if scores[i] >= best - score_margin:
                                        decisions.candidates[g, counts[g]] = moves[i]
                                        counts[g] += 1
                play(state, int(played.moves[g, ply]))  # a small NumPy integer would overflow, interpreted
            if counts[g] > 0:
                look(decisions.states[g], views, luck[g])
                last = first + counts[g]
                decisions.late[g] = feature(
                    views[0], decisions.candidates[g], counts[g], decisions.features[first:last]
                )
                first = last

    return find


@functools.cache
def _compiled_find(style: Style) -> Callable[..., None]:
    game = style.game
    none = np.zeros(0, np.int64)
    examples = (nothing_played(game), none, new_decisions(game, none, 0), find_workspace(style), np.zeros((2, 0)), 0.0)
    return compiled_for(style, find_kernel, *examples)


@functools.cache
def unfold_kernel(game: Game) -> Kernel[..., None]:
    """A kernel `(decisions, rollouts, batch, scratch)` that sets up the rollouts of each decision.

    `decisions` are `DecisionArrays`, `batch` the `BatchArrays` of all rollouts: in each round every candidate is made,
    on one redeal. `scratch` is state records[1 or more].
    """
    play = game.play
    over = game.over
    redeal = game.redeal or unchanged
    hidden = game.hidden

    @kernel
    def unfold(decisions: Any, rollouts: int, batch: Any, scratch: Any) -> None:
        luck = decisions.luck
        counts = decisions.counts
        state = scratch[0]
        row = 0
        for g in range(counts.shape[0]):
            for _ in range(rollouts * (counts[g] > 0)):
                scratch[0] = decisions.states[g]
                if hidden:
                    luck[g] = redeal(state, luck[g])
                luck[g] = next_luck(luck[g])
                for i in range(counts[g]):
                    batch.states[row] = state
                    play(batch.states[row], decisions.candidates[g, i])
                    of_seat = luck[g]
                    for seat in range(batch.luck.shape[1]):
                        batch.luck[row, seat] = of_seat
                        of_seat = next_luck(of_seat)
                    batch.outcomes[row] = apart(luck[g])
                    batch.plies[row] = decisions.plies[g] + 1
                    batch.active[row] = not over(batch.states[row])
                    row += 1

    return unfold


@functools.cache
def _compiled_unfold(game: Game) -> Callable[..., None]:
    return runnable(
        unfold_kernel(game),
        new_decisions(game, np.zeros(0, np.int64), 0),
        1,
        Batch(game, np.ones((0, 2), np.int64)).arrays,
        records(game.state, 2),
    )
