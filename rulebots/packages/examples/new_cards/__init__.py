"""A game of hidden cards; its package and players are those of new_board."""
