"""One folder a game: game.py (the law), rules.py (the heuristics), players.py (its own opponents)."""
