"""The commands that host games and join them."""
