"""Exact values: tables of all positions, and games solved to their end."""
