"""Players that search, over any game in which nothing is hidden."""
