"""Pictures of runs and players."""
