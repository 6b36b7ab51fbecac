"""Games as OpenSpiel's, and OpenSpiel's searches as players (extra `open-spiel`).

    import pyspiel, rulebots.bridges.openspiel
    game = pyspiel.load_game("rulebots_kalah(pits=4)")

`games` registers every game that is installed, when this package is imported; `register` takes one of your own. `spec`
has the players `openspiel:mcts:...`.
"""

from rulebots.files.extras import optional_module

optional_module("pyspiel", "open-spiel", "rulebots.bridges.openspiel")

from rulebots.bridges.openspiel.games import register, register_all  # noqa: E402 - once it is known to be there

__all__ = ["register", "register_all"]

register_all()
