"""The command line `rulebots`, and what it shares with `evolve`."""
