"""Lessons: decisions with candidates and their returns, and how a player learns from them."""
