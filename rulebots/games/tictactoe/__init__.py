"""Tic-tac-toe on n x n points: k stones in a row win."""
