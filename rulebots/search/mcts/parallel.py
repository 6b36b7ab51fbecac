"""Searching with several threads: each grows a tree of its own, and the visits of the root's moves are added up.

Root parallelization: Chaslot, Winands and van den Herik, Parallel Monte-Carlo Tree Search, CG 2008. The trees share
nothing, so that the same seed and number of threads give the same result, however the threads take turns.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from rulebots.game import Game
from rulebots.players import RulePlayer
from rulebots.position import Position
from rulebots.random_numbers import MOST_SEED, next_luck, rng_of
from rulebots.search.mcts.search import MctsResult, Search
from rulebots.search.mcts.selection import powers
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
        self._searches = [Search(game, alone, rollout, prior) for _ in range(settings.threads)]

    def run(self, position: Position, seed: int = 1) -> MctsResult:
        """Search a position; see `Search.run`."""
        began, shares, luck = time.perf_counter(), _shares(self.settings), max(seed & MOST_SEED, 1)
        with ThreadPoolExecutor(len(self._searches)) as pool:
            running = []
            for search, share in zip(self._searches, shares, strict=True):
                luck = next_luck(luck)
                limits = {"iterations": share, "seconds": self.settings.seconds}
                running.append(pool.submit(search.run, position, luck, **limits))
            try:
                results = [one.result() for one in running]
            except BaseException:
                self.stop()
                raise
        result = combined(results, self.settings.temperature, rng_of(seed & MOST_SEED))
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


def combined(results: Sequence[MctsResult], temperature: float, rng: np.random.Generator) -> MctsResult:
    """One result for searches of the same position: visits are added up, and what one has proven holds for all."""
    moves = np.sort(results[0].moves)
    by_move = [np.argsort(one.moves) for one in results]
    visits = _rows(by_move, [one.visits for one in results])
    values = _rows(by_move, [np.nan_to_num(one.values) for one in results])
    proven = _rows(by_move, [one.proven for one in results])
    distances = _rows(by_move, [one.distances for one in results])
    total, known = visits.sum(axis=0), proven.any(axis=0)
    means = (visits * values).sum(axis=0) / np.maximum(total, 1)
    first = proven.argmax(axis=0)[None]
    value = np.where(known, np.take_along_axis(values, first, 0)[0], np.where(total > 0, means, -1.0))
    distance = np.take_along_axis(distances, first, 0)[0]
    signs = np.where(known, np.sign(value), 0).astype(np.int64)
    order = np.lexsort((moves, -value, -total, signs * distance, -signs))
    moves, total, value, known, distance, signs = (
        array[order] for array in (moves, total, value, known, distance, signs)
    )
    probabilities = powers(total, signs, temperature)
    chosen = int(rng.choice(len(moves), p=probabilities)) if temperature else 0
    lines = [one.line for one in results if one.line and one.line[0] == moves[0]]
    simulations = sum(one.simulations for one in results)
    whole = sum(one.value * max(one.simulations, 1) for one in results) / max(simulations, len(results))
    return replace(
        results[0],
        move=int(moves[chosen]),
        moves=moves,
        visits=total,
        values=np.where(known | (total > 0), value, np.nan),
        proven=known,
        distances=distance,
        probabilities=probabilities,
        value=float(value[0]) if signs[0] > 0 or known.all() else whole,
        line=max(lines, key=len, default=(int(moves[0]),)),
        simulations=simulations,
        nodes=sum(one.nodes for one in results),
        kept=sum(one.kept for one in results),
    )


def _rows(orders: list[npt.NDArray[np.int64]], arrays: list[npt.NDArray[np.generic]]) -> npt.NDArray[np.generic]:
    """An array of each search in the order of moves, one row a search."""
    return np.stack([array[order] for array, order in zip(arrays, orders, strict=True)])
