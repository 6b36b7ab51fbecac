"""Pig, a game of chance outside the package: roll a die as often as you dare; a 1 takes what the turn has won."""
