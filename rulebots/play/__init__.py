"""Deals, the match loop, matches and their results."""

#: The most deals of a match, whose results are kept in memory.
MOST_DEALS = 1_000_000
#: More threads than any machine has cores.
MOST_JOBS = 1024
