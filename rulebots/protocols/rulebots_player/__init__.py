"""The package's line protocol, rulebots-player/1: JSON objects, one per line, over stdin and stdout.

docs/protocols/programs.md is its manual, and `schema.json` says what each message holds.
"""
