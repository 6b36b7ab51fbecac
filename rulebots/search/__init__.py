"""Players that look ahead, for games in which nothing is hidden: tree search, alpha-beta, exact play.

Each folder has its `spec` (a player's name with settings), its `player` and its `search`.
"""
