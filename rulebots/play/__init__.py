"""Deals, the match loop, matches and what comes of them."""

#: The most deals of a match: their results are kept in memory.
MOST_DEALS = 1_000_000
