"""What a run keeps on disk."""
