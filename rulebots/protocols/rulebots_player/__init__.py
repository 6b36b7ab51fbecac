"""Our own line protocol, rulebots-player/1: JSON objects, one a line, over stdin and stdout.

docs/protocols/programs.md tells it to whoever writes a program, and `schema.json` says what each message holds.
"""
