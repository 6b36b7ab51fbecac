"""Kalah: sow stones, capture, move again; the player with more stones in the store wins."""
