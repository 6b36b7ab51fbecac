"""Players for other languages: a file with the law of a game, players and their reasons, that needs nothing else.

contents.py     what an export consists of
reading.py      kernels, as Python source, become the small language of tree.py; ranges.py bounds its numbers
printing.py     what the printers of all languages share; they fill the texts in `runtime`
python.py, javascript.py, c.py, files.py    the languages, and the files of each
"""
