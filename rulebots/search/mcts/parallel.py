"""Searching with several threads: each grows a tree of its own, and the visits of the root's moves are added up.

Root parallelization: Chaslot, Winands and van den Herik, Parallel Monte-Carlo Tree Search, CG 2008. The trees share
nothing, so that the same seed and number of threads give the same result, however the threads take turns.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.game.random_numbers import MOST_SEED, next_luck, rng_of
from rulebots.players import RulePlayer
from rulebots.search.mcts.search import MctsResult, Search
from rulebots.search.mcts.selection import Ranking, move_probabilities, without_luck
from rulebots.search.mcts.settings import SearchSettings


class ParallelSearch:
    """As many searches side by side as the settings have threads; the arguments are those of `Search`.

    Each makes its share of the simulations, and has all of the time.

    Raises:
        UsageError: as `Search` does.
    """

    def __init__(
        self,
        game: Game,
        settings: SearchSettings,
        rollout: RulePlayer | None = None,
        prior: RulePlayer | None = None,
    ) -> None:
        self.settings = settings
        alone = replace(settings, threads=1, temperature=0.0)
        self._keeps_to_guide = game.chance and prior is not None and not (settings.noise or settings.temperature)
        self._searches = [Search(game, alone, rollout, prior) for _ in range(settings.threads)]

    def run(self, position: Position, seed: int = 1) -> MctsResult:
        """Search a position; see `Search.run`."""
        began, shares, luck = time.perf_counter(), _shares(self.settings), max(seed & MOST_SEED, 1)
        with ThreadPoolExecutor(len(self._searches)) as pool:
            running = []
            for search, share in zip(self._searches, shares, strict=True):
                luck = next_luck(luck)
                limited = functools.partial(search.run, iterations=share, seconds=self.settings.seconds)
                running.append(pool.submit(limited, position, luck))
            try:
                results = [one.result() for one in running]
            except BaseException:
                self.stop()
                raise
        rng = rng_of(seed & MOST_SEED)
        result = combined(results, self.settings.temperature, rng, keeps_to_guide=self._keeps_to_guide)
        for search in self._searches:
            search.follow(result.move)
        return replace(result, seconds=time.perf_counter() - began)

    def stop(self) -> None:
        """End the running searches, if any; call it from any thread."""
        for search in self._searches:
            search.stop()


def _shares(settings: SearchSettings) -> list[int | None]:
    """The simulations of each thread."""
    if settings.iterations is None:
        return [None] * settings.threads
    share, rest = divmod(settings.iterations, settings.threads)
    return [max(1, share + (number < rest)) for number in range(settings.threads)]


def combined(
    results: Sequence[MctsResult], temperature: float, rng: np.random.Generator, *, keeps_to_guide: bool = False
) -> MctsResult:
    """One result for searches of the same position: visits are added up, and what one has proven holds for all.

    `keeps_to_guide` is for guided searches of games with chance; see `without_luck`.
    """
    by_move = [np.argsort(one.moves) for one in results]
    visits = np.stack([one.visits[order] for one, order in zip(results, by_move, strict=True)])
    values = np.stack([np.nan_to_num(one.values[order]) for one, order in zip(results, by_move, strict=True)])
    proven = np.stack([one.proven[order] for one, order in zip(results, by_move, strict=True)])
    distances = np.stack([one.distances[order] for one, order in zip(results, by_move, strict=True)])
    moves, total, known = np.sort(results[0].moves), visits.sum(axis=0), np.asarray(proven.any(axis=0))
    columns, first = np.arange(len(moves)), proven.argmax(axis=0)
    means = (visits * values).sum(axis=0) / np.maximum(total, 1)
    value = np.where(known, values[first, columns], np.where(total > 0, means, -1.0))
    distance, signs = distances[first, columns], np.where(known, np.sign(value), 0).astype(np.int64)
    priors = results[0].priors[by_move[0]]
    order = np.lexsort((moves, -priors, -value, -total, signs * distance, -signs))
    found = Ranking(
        moves[order], total[order], value[order], signs[order], known[order], distance[order], priors[order]
    )
    if keeps_to_guide:
        found = without_luck(found)
    probabilities = move_probabilities(found.visits, found.signs, temperature)
    chosen = int(rng.choice(len(moves), p=probabilities)) if temperature else 0
    best = found.moves[0]
    simulations = sum(one.simulations for one in results)
    whole = sum(one.value * max(one.simulations, 1) for one in results) / max(simulations, len(results))
    return replace(
        results[0],
        move=int(found.moves[chosen]),
        moves=found.moves,
        visits=found.visits,
        values=np.where(found.proven | (found.visits > 0), found.values, np.nan),
        priors=found.priors,
        proven=found.proven,
        distances=found.distances,
        probabilities=probabilities,
        value=float(found.values[0]) if found.signs[0] > 0 or known.all() else whole,
        line=max((one.line for one in results if one.line and one.line[0] == best), key=len, default=(int(best),)),
        simulations=simulations,
        nodes=sum(one.nodes for one in results),
        kept=sum(one.kept for one in results),
    )
