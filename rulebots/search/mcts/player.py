"""The player that decides by Monte Carlo tree search, and its names.

`mcts:iterations=2000`, `mcts:seconds=0.5,rollout=champion.yaml`, `mcts:power=3`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from rulebots.errors import UsageError, unknown
from rulebots.game import Game, Moves
from rulebots.game.position import Position
from rulebots.kernel.user_code import afterwards
from rulebots.packages import package_of
from rulebots.players import Needs, Player, RulePlayer
from rulebots.players.specs import optional_number, settings_of
from rulebots.search.guide import rule_player
from rulebots.search.mcts.evaluators import EvaluatorFunction
from rulebots.search.mcts.search import MctsResult, ParallelSearch, Search
from rulebots.search.mcts.settings import SearchSettings

#: Simulations per unit of power, as in the Ruby program of circle elimination.
SIMULATIONS_PER_POWER = 200


class MctsPlayer(Player):
    """Searches every position it moves in, with one tree per game; the arguments are those of `Search`.

    `result` is the result of the last search, None before the first one.

    Raises:
        UsageError: as `Search` does.
    """

    needs = Needs.POSITION

    def __init__(
        self,
        game: Game,
        settings: SearchSettings,
        rollout: RulePlayer | None = None,
        prior: RulePlayer | None = None,
        evaluator: EvaluatorFunction | None = None,
        name: str = "mcts",
    ) -> None:
        super().__init__(game, name)
        if settings.threads > 1 and evaluator is not None:
            raise UsageError("mcts: an evaluator in Python runs in one thread: leave out 'threads'")
        self._arguments = (settings, rollout, prior, evaluator)
        self.own_seconds = settings.seconds
        self._search = (
            Search(game, *self._arguments) if settings.threads == 1 else ParallelSearch(game, settings, rollout, prior)
        )
        self.result: MctsResult | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, *self._arguments, self.name)

    def identity(self) -> object:
        """What decides how it plays, and not what it has worked out or searched."""
        return type(self), self.game, self._arguments

    def choose(self, seen: Position, moves: Moves) -> int:
        """The move that the search chooses; the position's random state is its seed."""
        with afterwards(self.clock_seconds, self.stop):
            self.result = self._search.run(seen, seen.random_state)
        return self.result.move

    def stop(self) -> None:
        """End the running search, from any thread: the player then plays the best move so far."""
        self._search.stop()

    def for_one_game(self) -> MctsPlayer:
        """The same player with a tree of its own."""
        return MctsPlayer(self.game, *self._arguments, name=self.name)


@dataclass(frozen=True)
class MctsSpec(SearchSettings):
    """The settings that a name may have: those of the search, and names of players."""

    power: int | None = optional_number(int, 1, 10**9, "the same as iterations, in units of 200")
    #: `none`, or the name of a rule player that guides the search: it stands for both that follow.
    guide: str = "none"
    #: `random`, or the name of a rule player that makes the moves of rollouts; by default the guide.
    rollout: str | None = None
    #: `none`, or the name of a rule player whose scores become priors; by default the guide.
    prior: str | None = None


def player_of(spec: str, game: Game) -> MctsPlayer:
    """The player of that name.

    Raises:
        UsageError: unknown settings, values out of range, or settings that contradict each other.
    """
    for name in package_of(game).mcts:
        if name not in (known := [field.name for field in fields(MctsSpec)]):
            raise UsageError(unknown("setting", name, known, f"`mcts` of {game.name}"))
    named = settings_of(spec, MctsSpec, package_of(game).mcts)
    iterations = named.iterations
    if named.power is not None:
        if iterations is not None:
            raise UsageError(f"'{spec}': expected 'iterations' or 'power', not both")
        iterations = SIMULATIONS_PER_POWER * named.power
    if iterations is None and named.seconds is None:
        raise UsageError(f"'{spec}': expected a limit, such as mcts:iterations=2000, mcts:seconds=0.5 or mcts:power=3")
    values = {field.name: getattr(named, field.name) for field in fields(SearchSettings)}
    settings = SearchSettings(**{**values, "iterations": iterations})
    plays = named.rollout or named.guide
    looks = named.prior or named.guide
    rollout = None if plays in ("random", "none") else rule_player(spec, plays, game)
    prior = None if looks == "none" else rule_player(spec, looks, game)
    return MctsPlayer(game, settings, rollout=rollout, prior=prior, name=spec)
