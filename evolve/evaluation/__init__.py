"""Who plays whom in a run, and what the results say."""
