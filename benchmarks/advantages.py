"""Games of a search against a rule player, and how much more than its guide's each of its moves was worth.

What a seat wins more than its guide would have won is the sum over its decisions of how much more the chosen move wins
than the guide's, if the guide plays on from there against the same opponent: Kakade and Langford, *Approximately
Optimal Approximate Reinforcement Learning*, ICML 2002. Each term is measured by rollouts from the true state, what
nobody has seen yet shuffled; it is 0 where the search makes its guide's move. So the luck of cards and dice falls out
of the sum, and a tenth of the games say as much as their results do. The same idea, for poker: Burch and others,
*AIVAT*, AAAI 2018.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import joblib
import numpy as np
import numpy.typing as npt

from rulebots import Game, Position, RulePlayer, load_game, make_player
from rulebots.game.dtypes import records
from rulebots.game.random_numbers import next_luck
from rulebots.play.deals import Deals, draw_deals
from rulebots.ratings.intervals import student_quantile
from rulebots.search.rollout import RolloutSearch
from rulebots.search.rollout.belief import past_of
from rulebots.search.rollout.player import player_of
from rulebots.search.rollout.replaying import compiled_numbers_read, new_replay_workspace, no_past
from rulebots.search.rollout.rounds import WON, Worlds
from rulebots.search.rollout.sequential_halving import CandidateRollouts

#: Rounds of rollouts that measure what a move was worth, and groups of them.
ROUNDS, GROUPS = 600, 64
#: Deals between two looks at the clock, for each process.
SLICE = 2


@dataclass(frozen=True)
class Shares:
    """Games of one deal from both seats: the share that was won, and what the moves were worth more than the guide's.

    `decisions` and `others` count the search's decisions among several moves, and those that were not its guide's;
    `seconds` is the processor's time for a decision, forced ones included.
    """

    won: float
    worth: float
    decisions: float
    others: float
    seconds: float


def mean_of(shares: npt.NDArray[np.float64]) -> tuple[float, tuple[float, float]]:
    """The mean of float64[deals] and its 95 % interval, by Student's t."""
    mean = float(shares.mean())
    half = (
        student_quantile(len(shares) - 1, 0.975) * float(shares.std(ddof=1)) / len(shares) ** 0.5
        if len(shares) > 1
        else 1.0
    )
    return mean, (mean - half, mean + half)


def play_deals(names: tuple[str, str, str], deals: int, seed: int, jobs: int, minutes: float) -> Iterator[list[Shares]]:
    """Play deals, each from both seats, for at most so many minutes; gives all so far, now and then.

    `names` are those of the game, of a search by rollouts and of its opponent, which is made of rules.
    """
    found = list[Shares]()
    until = time.monotonic() + 60.0 * minutes
    with joblib.Parallel(n_jobs=jobs) as parallel:
        while len(found) < deals and (not found or time.monotonic() < until):
            numbers = range(len(found), min(len(found) + SLICE * jobs, deals))
            found += parallel(joblib.delayed(play_deal)(names, seed, number) for number in numbers)
            yield found


def play_deal(names: tuple[str, str, str], seed: int, number: int) -> Shares:
    """One deal, the search at either seat."""
    game = load_game(names[0])
    deals, search = draw_deals(game, number + 1, seed), player_of(names[1], game).search
    opponent = make_player(names[2], game)
    assert isinstance(opponent, RulePlayer)
    search.prepare()
    rows = [_play(search, opponent, deals, number, seat) for seat in (0, 1)]
    return Shares(*np.mean(rows, axis=0).tolist())


def _play(
    search: RolloutSearch, opponent: RulePlayer, deals: Deals, number: int, seat: int
) -> tuple[float, float, float, float, float]:
    """A game as a match plays it, and what `Shares` says of it."""
    guide, cards, luck = search.guide, deals.cards[number], [int(state) for state in deals.luck[number]]
    position = Position(deals.game, deal=cards, luck=luck, compiled=True)
    outcomes, worth, decisions, others, took = int(deals.outcomes[number]), 0.0, 0, 0, list[float]()
    while not (position.over or position.stalled):
        if position.chance_to_move:
            outcomes = next_luck(outcomes)
            position.push(position.drawn(outcomes))
            continue
        move = usual = (guide if position.mover == seat else opponent).decide(position)
        if position.mover == seat:
            began = time.thread_time()
            move = search.run(position.redealt(position.random_state)).move
            took.append(time.thread_time() - began)
            decisions += len(position.legal_moves) > 1
        if move != usual:
            others += 1
            worth += _gain([guide, opponent], position, usual, move, cards)
        position.push(move)
    first, second = position.points[seat], position.points[1 - seat]
    won = 0.0 if position.stalled else (first > second) + (first == second) / 2.0
    return won, worth, decisions, others, float(np.mean(took))


def _gain(players: list[RulePlayer], position: Position, usual: int, move: int, cards: npt.NDArray[np.int64]) -> float:
    """How much more often a move wins than the guide's, in rollouts from the true state."""
    game, groups, past = players[0].game, np.arange(GROUPS), past_of(position)
    worlds = Worlds(np.zeros((0, 0), np.int64), groups, np.ones_like(groups), 0)
    if game.hidden:
        assert past is not None
        worlds = Worlds(np.tile(cards, (GROUPS, 1)), groups, np.ones_like(groups), _read(game, position, cards))
    luck = next_luck(position.random_state ^ (position.plies + 1))
    known = past if game.hidden and past is not None else no_past(game)
    race = CandidateRollouts(players, position, np.array([usual, move], np.int64), worlds, known, luck)
    race.run(ROUNDS)
    won = race.tally.sums[WON].sum(axis=1) / ROUNDS
    return float(won[1] - won[0])


def _read(game: Game, position: Position, cards: npt.NDArray[np.int64]) -> int:
    """How many numbers of the deal the game has read."""
    past, scratch = past_of(position), new_replay_workspace(game)
    read = compiled_numbers_read(game)(cards, np.zeros_like(cards), past, scratch, records(game.state, 2))
    return int(read)
