"""The command line `rulebots`; what both command lines share."""
