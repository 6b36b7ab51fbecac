"""Small whole games that `rulebots new` copies: a board, hidden cards, and dice."""
