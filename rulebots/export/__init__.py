"""Players for other languages: a file with the law of a game, players and their reasons, that needs nothing else.

contents.py     what an export consists of
program.py      functions, records and tables in the small language of tree.py; ranges.py bounds its numbers
source.py, statements.py, expressions.py    kernels, as Python source, become that language
printing.py     what the printers of all languages share; they fill the texts in `runtime`
python.py, javascript.py, c.py, files.py    the languages, and the files of each
page.py, scripts.py    a page that plays; drawings and other general Python become JavaScript
"""
