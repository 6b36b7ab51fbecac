"""The player that searches, and the rule player that guides it: its name, and the gain that overrules it."""

import functools
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Bools, Floats, Game, Ints
from rulebots.game.compiled import view_kernel
from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.kernel import Kernel, kernel
from rulebots.packages.players import make_player
from rulebots.players import Player, RulePlayer, Style, compiled_for, decides_by_rules
from rulebots.rules.scoring import scorer

#: The least gain over the guide's move that counts, in standard errors.
GATE = 1.5
#: The further standard errors that it takes for each unit of the error. Measured on Lost Cities
#: (docs/background/measurements.md); returns are from 0 to 1 in every game.
DOUBT = 15.0


def convincing(gains: Floats, errors: Floats, gate: float) -> Bools:
    """Which gains, float64[candidates], are more than `gate` standard errors, bool[candidates].

    With a normal prior of mean -m and variance v, a gain with the error e has a posterior mean above 0 only if it is
    more than m / v * e errors: the less is known, the more has to be shown. Without that, few rollouts of several moves
    nearly always find one that looks better.
    """
    return np.asarray((gains > 0) & (gains > errors * (gate + DOUBT * errors)))


def rule_player(spec: str, name: str, game: Game, seats: int | None = None, role: str = "") -> RulePlayer:
    """The rule player of that name in `spec`, the name of a search with its settings; `role` is for the message.

    Raises:
        UsageError: there is no such player, or it is not made of rules.
    """
    player = make_player(name, game, seats)
    if not decides_by_rules(player):
        raise UsageError(
            f"'{spec}': expected the name of a rule player{role and f' as {role}'}, such as hand_tuned, not '{name}'"
        )
    return player


def ranked(player: RulePlayer, position: Position) -> tuple[int, Ints, Floats]:
    """A rule player's move in a position, the legal moves, int64[n], and their scores, float64[n]."""
    states = records(position.game.state, 1)
    states[0] = position.state
    moves = position.legal_moves.copy()
    workspace = player.style.workspace()
    move = compiled_rank(player.style)(states, position.random_state, moves, len(moves), player.weights, *workspace)
    return int(move), moves, workspace.scores[: len(moves)]


def rank_kernel(style: Style) -> Kernel[..., int]:
    """A kernel `(states, luck, moves, n, weights, ...) -> move`: the style's move, and scores[:n] of moves[:n].

    `states` is state records[1].
    """
    assert style.rules is not None
    score = scorer(style.rules)
    choose = style.choose
    look = view_kernel(style.game)

    @kernel(inlines=False)
    def rank(
        states: Any, luck: int, moves: Any, n: int, weights: Any, views: Any, blended: Any, scores: Any
    ) -> int:  # fmt: skip
        look(states[0], views, luck)
        move = choose(views[0], moves, n, weights, blended, scores)
        look(states[0], views, luck)
        score(views[0], moves, n, weights, blended, scores)
        return move

    rank.title = f"scores of moves of {style.game.title}"
    return rank


@functools.cache
def compiled_rank(style: Style) -> Callable[..., int]:
    """`rank_kernel(style)`, compiled."""
    weights = np.zeros((2, style.columns))
    return compiled_for(
        style, rank_kernel, records(style.game.state, 1), 1, np.zeros(0, np.int64), 0, weights, *style.workspace()
    )


class SearchPlayer(Player):
    """A player that searches every position it moves in, with a search of its own for each game.

    `arguments` are those of the class but the name. `result` is the result of the last search, None before the first.
    """

    search: Any
    result: Any = None

    def __init__(self, game: Game, name: str, arguments: tuple[Any, ...], seconds: float | None) -> None:
        super().__init__(game, name)
        self._arguments = arguments
        self.own_seconds = seconds

    def __reduce__(self) -> tuple[Any, ...]:
        kept = {name: value for name, value in vars(self).items() if name not in ("search", "result")}
        return _with_a_new_search, (type(self), kept)

    def identity(self) -> object:
        """The arguments: what decides its play, without the memory of a search."""
        return type(self), self._arguments

    def stop(self) -> None:
        """End the running search, from any thread: the player then plays the best move so far."""
        self.search.stop()

    def prepare(self) -> None:
        """Optional hook: make or compile what a search needs, which is then not part of the time for a move."""

    def for_one_game(self) -> Self:
        """The same player with a search of its own."""
        make, arguments = self.__reduce__()
        player: Self = make(*arguments)
        player.prepare()
        return player


def _with_a_new_search(kind: type[SearchPlayer], kept: dict[str, Any]) -> SearchPlayer:
    """A player of this class with these attributes, and with a search of its own."""
    player = kind.__new__(kind)
    vars(player).update(kept)
    # The class that takes the arguments: one of a user's, made from it, may take others.
    made: Any = next(base for base in kind.__mro__ if SearchPlayer in base.__bases__)
    made.__init__(player, *player._arguments, player.name)  # noqa: SLF001 - our own
    return player
