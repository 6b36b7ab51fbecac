"""Gomoku: five stones in a row, on boards from 5 x 5 to 22 x 22."""
