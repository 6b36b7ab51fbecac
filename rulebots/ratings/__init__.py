"""What results say about strength, each with its uncertainty: pure arithmetic on arrays of results.

A *deal* is played twice, with seats swapped, and its two games are not independent, so everything here counts deals.
A deal's score is its first player's mean over the two games: 0, 1/4, 1/2, 3/4 or 1. Deals that were played alike are
not independent either: `distinct` says how many deals they amount to, and the intervals take that number.
"""

from rulebots.ratings.bradley_terry import Ratings, bradley_terry
from rulebots.ratings.intervals import (
    FEWEST_DEALS,
    QUARTERS,
    Distinct,
    distinct,
    elo,
    expected_score,
    likelihood_of_superiority,
    margin_interval,
    paired_interval,
    pentanomial,
    win_rate_interval,
)
from rulebots.ratings.sprt import Sprt

__all__ = [
    "FEWEST_DEALS",
    "QUARTERS",
    "Distinct",
    "Ratings",
    "Sprt",
    "bradley_terry",
    "distinct",
    "elo",
    "expected_score",
    "likelihood_of_superiority",
    "margin_interval",
    "paired_interval",
    "pentanomial",
    "win_rate_interval",
]
