"""evolve: breeds the players of rulebots."""
