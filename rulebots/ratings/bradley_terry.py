"""Bradley-Terry ratings: one number for each of many players, from the games among them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rulebots.ratings.intervals import ELO_A_LOGIT, FEWEST_DEALS, Distinct, distinct, student_quantile

#: Games of a mirrored deal.
GAMES_A_DEAL = 2
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

    elo: npt.NDArray[np.float64]
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    one_sided: bool
    connected: bool
    distinct: tuple[Distinct, ...]


def bradley_terry(
    players: int, pairs: npt.NDArray[np.int64], scores: npt.NDArray[np.float64], deals: npt.NDArray[np.int64]
) -> Ratings:
    """Ratings that make the results most likely; a draw is half a win for each side.

    `pairs`, int64[n, 2], are the players of n mirrored deals; `scores`, float64[n], the first one's share of the two
    games; `deals`, int64[n], says which deal it was, because several pairs may have played the same one, and a pair may
    have played several deals alike. At a table of more than two, each deal counts for every pair of its players. The
    order of the deals does not matter.

    The model is that of R. A. Bradley and M. E. Terry (Biometrika 39, 1952), in Elo: i beats j with probability
    1 / (1 + 10 ** ((elo_j - elo_i) / 400)). Intervals come from the observed information and a cluster-robust
    covariance with deals as clusters (K.-Y. Liang and S. L. Zeger, Biometrika 73, 1986), because the games of one deal
    are not independent. They use Student's t with one degree of freedom less than the player's deals amount to.
    """
    amounts = tuple(distinct(deals[(pairs == player).any(axis=1)]) for player in range(players))
    wins = np.zeros((players, players))
    np.add.at(wins, (pairs[:, 0], pairs[:, 1]), GAMES_A_DEAL * scores)
    np.add.at(wins, (pairs[:, 1], pairs[:, 0]), GAMES_A_DEAL * (1 - scores))
    # There is a maximum if and only if a chain of wins leads from every player to every other (L. R. Ford, 1957).
    one_sided = bool(not _reached(wins > 0).all())
    if one_sided:
        met = np.unique(np.sort(pairs, axis=1), axis=0)
        pairs = np.concatenate([pairs, met])
        scores = np.concatenate([scores, np.full(len(met), 0.5)])
        deals = np.concatenate([deals, deals.max() + 1 + np.arange(len(met))])
        wins[met[:, 0], met[:, 1]] += 1
        wins[met[:, 1], met[:, 0]] += 1
    related = _reached(wins > 0)
    strength = _most_likely(wins, related)
    chance = 1 / (1 + np.exp(strength[pairs[:, 1]] - strength[pairs[:, 0]]))
    excess = GAMES_A_DEAL * (scores - chance)
    _, deal = np.unique(deals, return_inverse=True)
    count = int(deal.max()) + 1
    score = np.zeros((count, players))  # each deal's contribution to the gradient of the log likelihood
    np.add.at(score, (deal, pairs[:, 0]), excess)
    np.add.at(score, (deal, pairs[:, 1]), -excess)
    inverse = np.linalg.pinv(_observed_information(strength, wins), hermitian=True)
    covariance = inverse @ (score.T @ score * count / max(count - 1, 1)) @ inverse
    connected = bool(related.all())
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


def _observed_information(strength: npt.NDArray[np.float64], wins: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The negative second derivatives of the log likelihood, float64[players, players]."""
    chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    weight = (wins + wins.T) * chance * (1 - chance)
    return np.diag(weight.sum(axis=1)) - weight


def _reached(wins: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Whether a chain of wins leads from the row's player to the column's, or both are one; bool[players, players]."""
    reached = wins | np.eye(len(wins), dtype=np.bool_)
    for _ in range(len(wins).bit_length()):
        reached = reached.astype(np.float32) @ reached > 0  # chains of twice the length
    return reached


def _most_likely(wins: npt.NDArray[np.float64], related: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Log strengths with mean 0; `wins` is float64[players, players], row against column, draws as halves.

    `related` says which players a chain of games connects. Newton's method: the likelihood is concave, and a step that
    makes it worse is halved.
    """
    strength = np.zeros(len(wins))

    def cost(strength: npt.NDArray[np.float64]) -> float:
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
