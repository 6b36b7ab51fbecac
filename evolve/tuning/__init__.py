"""Tune the numbers of a program by its games."""
