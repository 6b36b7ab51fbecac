"""Bradley-Terry ratings: one number for each of many players, from the games among them."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.ratings.intervals import (
    ELO_A_LOGIT,
    EQUAL,
    FEWEST_DEALS,
    GAMES_A_DEAL,
    Distinct,
    Floats,
    Ints,
    amount_of,
    student_quantile,
)

#: Safety cap on Newton iterations.
MOST_STEPS = 200
#: Shorter steps, and smaller losses of likelihood, are rounding.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Ratings:
    """Elo ratings around a mean of 0, with the ends of their 95 % intervals: float64[players] each.

    `one_sided`: a player or group won or lost every game against the rest, so the likelihood has no maximum, and one
    drawn deal was added to each pair. `connected`: the pairings relate all players to each other. `distinct` says what
    each player's deals amount to. Where the pairings are not connected, and for a player with too few different
    deals, intervals are infinite.
    """

    elo: Floats
    low: Floats
    high: Floats
    one_sided: bool
    connected: bool
    distinct: tuple[Distinct, ...]


def bradley_terry(players: int, pairs: Ints, scores: Floats, deals: Ints) -> Ratings:
    """Ratings that make the results most likely; a draw is half a win for each side.

    `pairs`, int64[n, 2], are the players of n mirrored deals; `scores`, float64[n], the first one's share of the two
    games; `deals`, int64[n] from 0 on, says which deal it was, because several pairs may have played the same one, and
    a pair may have played several deals alike. At a table of more than two, each deal counts for every pair of its
    players. The order of the deals does not matter.

    The model is that of R. A. Bradley and M. E. Terry (Biometrika 39, 1952), in Elo: i beats j with probability 1 / (1
    + 10 ** ((elo_j - elo_i) / 400)). Intervals come from the observed information and a cluster-robust covariance with
    deals as clusters (K.-Y. Liang and S. L. Zeger, Biometrika 73, 1986), because the games of one deal are not
    independent. They use Student's t with one degree of freedom less than the player's deals amount to. Where all deals
    of a pair ended alike, each different one counts as a trial, so that nothing is certain.
    """
    first, second = pairs.T
    pair = first * players + second
    square = players, players
    met = _sums(pair, np.ones(len(pair)), square)
    won = _sums(pair, scores, square)
    squares = _sums(pair, scores**2, square)
    wins = GAMES_A_DEAL * (won + (met - won).T)
    # There is a maximum if and only if a chain of wins leads from every player to every other (L. R. Ford, 1957).
    one_sided = bool(not _reached(wins > 0).all())
    drawn = np.triu(met + met.T > 0) & one_sided
    wins += drawn | drawn.T
    related = _reached(wins > 0)
    strength = _most_likely(wins, related)
    chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    # The deals by number, without gaps.
    deal = (np.cumsum(np.bincount(deals) > 0) - 1)[deals]
    count = int(deal.max(initial=-1)) + 1
    excess = GAMES_A_DEAL * (scores - chance.ravel()[pair])
    by_deal = players, count
    played = _sums(first * count + deal, np.ones(len(pair)), by_deal)
    played += _sums(second * count + deal, np.ones(len(pair)), by_deal)
    # The gradient of the log likelihood, deal by deal.
    gradient = _sums(first * count + deal, excess, by_deal) - _sums(second * count + deal, excess, by_deal)
    doubt = GAMES_A_DEAL**2 * _doubt(pair, deal, met, won, squares) + drawn * (GAMES_A_DEAL * (0.5 - chance)) ** 2
    clusters = count + int(drawn.sum())
    spread = (gradient @ gradient.T + _laplacian(doubt)) * clusters / max(clusters - 1, 1)
    # Neither matrix knows the mean strength of related players; adding ones makes the inverse leave it as it is.
    inverse = np.linalg.inv(_observed_information(strength, wins) + related)
    covariance = inverse @ spread @ inverse
    connected = bool(related.all())
    amounts = tuple(amount_of(copies[copies > 0]) for copies in played.astype(np.int64))
    effective = np.array([amount.effective for amount in amounts])
    known = (effective >= FEWEST_DEALS) & connected
    half = np.full(players, np.inf)
    quantiles = [student_quantile(deals - 1, 0.975) for deals in effective[known].tolist()]
    half[known] = quantiles * np.sqrt(np.diag(covariance)[known].clip(0))
    return Ratings(
        elo=ELO_A_LOGIT * strength,
        low=ELO_A_LOGIT * (strength - half),
        high=ELO_A_LOGIT * (strength + half),
        one_sided=one_sided,
        connected=connected,
        distinct=amounts,
    )


def _sums(index: Ints, weights: Floats, shape: tuple[int, int]) -> Any:
    """The sums of the weights that go to each place of a table, by its index in the flat table: float64[shape]."""
    return np.bincount(index, weights, math.prod(shape)).reshape(shape)


def _doubt(
    pair: Ints,
    deal: Ints,
    met: Floats,
    won: Floats,
    squares: Floats,
) -> Floats:
    """The variance of a pair's summed score where all its deals ended alike, else 0: float64[players, players].

    Each different deal then counts as one trial, as in `win_rate_interval`: the spread of the deals would claim
    certainty.
    """
    alike = met * squares - won**2 <= EQUAL * met**2
    rows = alike.ravel()[pair]
    count = int(deal.max(initial=-1)) + 1
    numbers, copies = np.unique(pair[rows] * count + deal[rows], return_counts=True)
    rate = won / np.maximum(met, 1)
    return np.asarray(np.bincount(numbers // count, copies**2, met.size).reshape(met.shape) * rate * (1 - rate))


def _laplacian(weights: Floats) -> Floats:
    """The matrix of the quadratic form that sums weight * (x_i - x_j)**2 over pairs: float64[players, players]."""
    both = weights + weights.T
    return np.diag(both.sum(axis=1)) - both


def _observed_information(strength: Floats, wins: Floats) -> Floats:
    """The negative second derivatives of the log likelihood, float64[players, players]."""
    chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    return _laplacian(wins * chance * (1 - chance))


def _reached(wins: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Whether a chain of wins leads from the row's player to the column's, or both are one; bool[players, players]."""
    reached = wins | np.eye(len(wins), dtype=np.bool_)
    for _ in range(len(wins).bit_length()):
        reached = reached.astype(np.float32) @ reached > 0  # chains of twice the length
    return reached


def _most_likely(wins: Floats, related: npt.NDArray[np.bool_]) -> Floats:
    """Log strengths with mean 0; `wins` is float64[players, players], row against column, draws as halves.

    `related` says which players a chain of games connects. Newton's method: the likelihood is concave, and a step that
    makes it worse is halved.
    """
    strength = np.zeros(len(wins))

    def cost(strength: Floats) -> float:
        return float((wins * np.logaddexp(0, strength[None, :] - strength[:, None])).sum())

    for _ in range(MOST_STEPS):
        surplus = wins / (1 + np.exp(strength[:, None] - strength[None, :]))
        # The likelihood does not depend on the mean strength of related players. Adding ones leaves a single solution,
        # which keeps that mean where it was.
        gradient = surplus.sum(axis=1) - surplus.sum(axis=0)
        step = np.linalg.solve(_observed_information(strength, wins) + related, gradient)
        allowed = cost(strength) * (1 + ROUNDING)
        while cost(strength + step) > allowed:
            step = step / 2
        strength = strength + step
        if np.abs(step).max() < ROUNDING:
            break
    return strength - strength.mean()
