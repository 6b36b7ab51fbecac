"""Gomoku: five stones in a row, on boards from 5 x 5 to 19 x 19."""
