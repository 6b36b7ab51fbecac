"""A game of dice; its package and players are those of new_board."""
