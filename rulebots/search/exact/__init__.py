"""Exact play: tables of all positions of a small game, and games solved from their first position."""
