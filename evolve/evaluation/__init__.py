"""The games of a run: schedules, tallies, the hall of fame, the run-off and the final measurement."""
