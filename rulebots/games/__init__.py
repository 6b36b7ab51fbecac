"""The games, one folder each: game.py (the law), rules.py (rule sets), either it or players.py (built-in players)."""
