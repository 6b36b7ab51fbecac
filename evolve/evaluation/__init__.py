"""Who plays whom in a run, and what is made of the results."""
