"""Kalah: sow stones, capture, move again; who has more stones in the store wins."""
