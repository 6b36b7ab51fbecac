"""rulebots: players for turn-based games, made of named, human-readable rules."""
