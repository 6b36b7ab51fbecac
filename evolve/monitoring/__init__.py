"""What a run shows of itself, and when it warns."""
