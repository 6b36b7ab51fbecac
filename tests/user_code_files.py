"""Files of a user: a rule set, players, and games that are copies of tic-tac-toe."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rulebots.errors import UsageError
from rulebots.packages import load_game

KEEP = """
from rulebots import load_game, load_rules, rule

game = load_game("lost-cities")


@rule("keep", early=0.1)
def low(view, card):
    \"\"\"It is low.\"\"\"
    return 1.0 * (card < 3)


mine = load_rules("standard", game).extended("{name}", [low])
"""
H4 = """
from helper import first_of
from rulebots import Player, RulePlayer, load_rules


class H4(Player):
    def __init__(self, game, name, depth=2, greedy: bool = False, label: str = ""):
        super().__init__(game, name)
        self.depth, self.greedy, self.label = depth, greedy, label

    def choose(self, view, moves):
        return first_of(moves)


def tuned(game):
    rules = load_rules(game=game)
    return RulePlayer(rules, rules.hand_tuned(), "tuned")


def nothing():
    return 3


def broken(game):
    return 1 // 0


class Odd:
    pass
"""


def copy_of_tictactoe(folder: Path, name: str) -> None:
    """A game of that name in a folder: tic-tac-toe, with absolute imports of its own package."""
    source = Path(sys.modules[load_game("tictactoe").setup.function.__module__].__file__).parent
    folder.mkdir(parents=True)
    for file in source.glob("*.py"):
        text = file.read_text().replace("rulebots.games.tictactoe", folder.name)
        (folder / file.name).write_text(text.replace('name="tictactoe"', f'name="{name}"'))


def said(kind: type[UsageError], what) -> str:
    with pytest.raises(kind) as caught:
        what()
    assert "\n" not in str(caught.value)
    return str(caught.value)
