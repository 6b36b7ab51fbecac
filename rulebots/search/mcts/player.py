"""The player that decides by Monte Carlo tree search, in one thread or several, and its names.

`mcts:iterations=2000`, `mcts:seconds=0.5,rollout=champion.yaml`, `mcts:power=3`.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.errors import MOST_SEED, check_known, demand
from rulebots.game import Game, Moves
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck, rng_of
from rulebots.kernel.user_code import afterwards
from rulebots.packages import package_of
from rulebots.players import Needs, RulePlayer
from rulebots.players.specs import optional_number, settings_of
from rulebots.search.mcts.backpropagation import has_return_per_seat
from rulebots.search.mcts.evaluators import EvaluatorFunction
from rulebots.search.mcts.search import MctsResult, Search, result_of
from rulebots.search.mcts.selection import Ranking, in_order, without_luck
from rulebots.search.mcts.settings import SearchSettings
from rulebots.search.player import SearchPlayer, rule_player

#: Simulations per unit of power, as in the Ruby program of circle elimination.
SIMULATIONS_PER_POWER = 200


class MctsPlayer(SearchPlayer):
    """Searches every position it moves in, with one tree per game; the arguments are those of `Search`.

    `result` is the result of the last search, None before the first one.

    Raises:
        UsageError: as `Search` does.
    """

    needs = Needs.POSITION
    result: MctsResult | None = None

    def __init__(
        self,
        game: Game,
        settings: SearchSettings,
        rollout: RulePlayer | None = None,
        prior: RulePlayer | None = None,
        evaluator: EvaluatorFunction | None = None,
        name: str = "mcts",
    ) -> None:
        super().__init__(game, name, (game, settings, rollout, prior, evaluator), settings.seconds)
        demand(
            settings.threads == 1 or evaluator is None,
            "mcts: an evaluator in Python runs in one thread: leave out 'threads'",
        )
        self.search: Search | ParallelSearch = (
            Search(game, settings, rollout, prior, evaluator)
            if settings.threads == 1
            else ParallelSearch(game, settings, rollout, prior)
        )

    def choose(self, seen: Position, moves: Moves) -> int:
        """The move that the search chooses; the position's random state is its seed."""
        with afterwards(self.clock_seconds, self.stop):
            self.result = self.search.run(seen, seen.random_state)
        return self.result.move


class ParallelSearch:
    """A search in each of the settings' threads; the arguments are those of `Search`.

    Each makes its share of the simulations, and has all of the time. The visits of the root's moves are added up: root
    parallelization (Chaslot, Winands and van den Herik, Parallel Monte-Carlo Tree Search, CG 2008). The trees share
    nothing, so that the same seed and number of threads give the same result, however the threads take turns.

    Raises:
        UsageError: as `Search` does.
    """

    def __init__(
        self, game: Game, settings: SearchSettings, rollout: RulePlayer | None = None, prior: RulePlayer | None = None
    ) -> None:
        self.settings = settings
        alone = replace(settings, threads=1, temperature=0.0)
        self._keeps_to_guide = game.chance and prior is not None and not (settings.noise or settings.temperature)
        self._searches = [Search(game, alone, rollout, prior) for _ in range(settings.threads)]

    def run(self, position: Position, seed: int = 1) -> MctsResult:
        """Search a position; see `Search.run`."""
        began = time.perf_counter()
        threads = self.settings.threads
        share, rest = divmod(self.settings.iterations or 0, threads)
        luck = max(seed & MOST_SEED, 1)
        running = []
        with ThreadPoolExecutor(threads) as pool:
            for number, search in enumerate(self._searches):
                luck = next_luck(luck)
                iterations = max(1, share + (number < rest)) if self.settings.iterations else None
                running.append(
                    pool.submit(search.run, position, luck, iterations=iterations, seconds=self.settings.seconds)
                )
            try:
                results = [one.result() for one in running]
            except BaseException:
                self.stop()
                raise
        result = combined(
            results,
            self.settings.temperature,
            rng_of(seed & MOST_SEED),
            max((search.scale for search in self._searches), key=lambda scale: scale[1]),
            keeps_to_guide=self._keeps_to_guide,
            by_outcome=not has_return_per_seat(position.game, position.seats),
        )
        for search in self._searches:
            search.follow(result.move)
        return replace(result, seconds=time.perf_counter() - began)

    def stop(self) -> None:
        """End the running searches, if any; call it from any thread."""
        for search in self._searches:
            search.stop()


def combined(
    results: Sequence[MctsResult],
    temperature: float,
    rng: np.random.Generator,
    scale: tuple[float, float] = (0.0, 1.0),
    *,
    keeps_to_guide: bool = False,
    by_outcome: bool = True,
) -> MctsResult:
    """One result for searches of the same position: visits are added up, and a proof of one holds for all.

    `keeps_to_guide` is for guided searches of games with chance; see `without_luck`, also for `scale`. With
    `by_outcome`, a proof is of a win, a draw or a loss.
    """
    by_move = [np.argsort(one.moves) for one in results]

    def stacked(field: str) -> npt.NDArray[Any]:
        return np.stack([getattr(one, field)[order] for one, order in zip(results, by_move, strict=True)])

    visits = stacked("visits")
    values = stacked("values")
    proven = stacked("proven")
    moves = stacked("moves")[0]
    total = visits.sum(axis=0)
    known = np.asarray(proven.any(axis=0))
    columns = np.arange(len(moves))
    first = proven.argmax(axis=0)
    means = (visits * np.nan_to_num(values)).sum(axis=0) / np.maximum(total, 1)
    value = np.where(known, values[first, columns], np.where(total > 0, means, -1.0))
    signs = np.where(known & by_outcome, np.sign(value), 0).astype(np.int64)
    order = in_order(
        Ranking(moves, total, value, signs, known, stacked("distances")[first, columns], stacked("priors")[0])
    )
    if keeps_to_guide:
        order = without_luck(order, *scale)
    best = order.moves[0]
    simulations = sum(one.simulations for one in results)
    whole = sum(one.value * max(one.simulations, 1) for one in results) / max(simulations, len(results))
    return result_of(
        order,
        temperature,
        rng,
        line=max((one.line for one in results if one.line and one.line[0] == best), key=len, default=(int(best),)),
        value=float(order.values[0]) if order.signs[0] > 0 or known.all() else whole,
        simulations=simulations,
        seconds=max(one.seconds for one in results),
        nodes=sum(one.nodes for one in results),
        kept=sum(one.kept for one in results),
    )


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


def player_of(spec: str, game: Game, seats: int | None = None) -> MctsPlayer:
    """The player of that name.

    Raises:
        UsageError: unknown settings, values out of range, or settings that contradict each other.
    """
    for name in package_of(game).mcts:
        check_known("setting", name, [field.name for field in fields(MctsSpec)], f"`mcts` of {game.name}")
    named = settings_of(spec, MctsSpec, package_of(game).mcts)
    iterations = named.iterations
    if named.power is not None:
        demand(iterations is None, f"'{spec}': expected 'iterations' or 'power', not both")
        iterations = SIMULATIONS_PER_POWER * named.power
    demand(
        (iterations, named.seconds) != (None, None),
        f"'{spec}': expected a limit, such as mcts:iterations=2000, mcts:seconds=0.5 or mcts:power=3",
    )
    values = {field.name: getattr(named, field.name) for field in fields(SearchSettings)}
    settings = SearchSettings(**{**values, "iterations": iterations})
    plays = named.rollout or named.guide
    looks = named.prior or named.guide
    rollout = None if plays in ("random", "none") else rule_player(spec, plays, game, seats)
    prior = None if looks == "none" else rule_player(spec, looks, game, seats)
    return MctsPlayer(game, settings, rollout, prior, name=spec)
