"""Hanabi, by Antoine Bauza: build five fireworks together, each seeing all hands but its own."""
