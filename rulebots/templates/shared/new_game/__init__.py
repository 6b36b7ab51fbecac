"""New game, for rulebots."""
