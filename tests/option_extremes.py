"""The options of a game at the ends of their ranges."""

from __future__ import annotations

from rulebots.game import Game


def option_extremes(game: Game) -> list[dict[str, int]]:
    """The defaults, all options at their lowest, all at their highest."""
    lows = {name: option.low for name, option in game.options.items()}
    highs = {name: option.high for name, option in game.options.items()}
    return [{}, lows, highs] if game.options else [{}]
