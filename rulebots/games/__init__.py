"""The games, one folder each: game.py (the law), rules.py (rule sets), players.py (built-in players)."""
