"""Deals, the match loop, matches and what comes of them."""
