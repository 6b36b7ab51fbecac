"""The command line `evolve`."""
