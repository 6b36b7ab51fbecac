"""Servers of the Lost Cities quiz and of Kalah, and clients that play at them."""
