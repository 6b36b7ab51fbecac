"""What strangers do wrong in a class of their own: each is one line with its place, whatever command meets it."""

from __future__ import annotations

import re
import sys
import zlib
from pathlib import Path
from typing import NamedTuple

import pytest

import evolve.cli.main
import rulebots.cli.main

GAME = '''
import copy
import os
import random
from rulebots import RuleSet, rule
from rulebots.live import LiveGame


class Heap:
    def __init__(self, dice):
        self.dice = dice
        self.taken = []
        self.turn = 0

    @property
    def left(self):
        return 13 - sum(self.taken)


class Own(LiveGame):
    seats = 2

    def new(self, seed):
        return Heap(random.Random(seed))

    def mover(self, g):
        return g.turn

    def moves(self, g):
        return [1, 2, 3][:g.left]

    def play(self, g, move):
        g.taken.append(move)
        g.turn = 1 - g.turn

    def over(self, g):
        return g.left == 0

    def points(self, g, seat):
        return int(g.left == 0 and g.turn != seat)

    def copy(self, g):
        return copy.deepcopy(g)


@rule("move", early=1.0)
def leaves(g, move):
    """It leaves a multiple of four."""
    return (g.left - move) % 4 == 0


mine = RuleSet("mine", Own, (leaves,))
'''
#: A game of hidden cards: each lays its card, or bets on it first.
HIDDEN = '''
import copy
import random
from rulebots import RuleSet, rule
from rulebots.live import LiveGame


class Cards:
    def __init__(self, dice):
        self.cards = dice.sample(range(9), 2)
        self.bets = []


class Own(LiveGame):
    hidden = True

    def new(self, seed):
        return Cards(random.Random(seed))

    def mover(self, g):
        return len(g.bets) % 2

    def moves(self, g):
        return ["pass", "bet"]

    def play(self, g, move):
        g.bets.append(move)

    def over(self, g):
        return len(g.bets) == 4

    def points(self, g, seat):
        return int(len(g.bets) == 4 and g.cards[seat] == max(g.cards))

    def copy(self, g):
        return copy.deepcopy(g)

    def sees(self, g, seat):
        return g.cards[seat], tuple(g.bets)

    def resample(self, g, seat, seed):
        twin = copy.deepcopy(g)
        free = [card for card in range(9) if card != g.cards[seat]]
        twin.cards[1 - seat] = random.Random(seed).choice(free)
        return twin


@rule("move", early=1.0)
def bets_high(seen, move):
    """It bets with a high card."""
    return (move == "bet") == (seen[0] > 4)


mine = RuleSet("mine", Own, (bets_high,))
'''


#: The same heap, where chance says which player is next.
CHANCE = GAME.replace("LiveGame\n", "CHANCE, LiveGame\n").replace("seats = 2", "chance = True").replace(
    "return g.turn\n", "return CHANCE if g.turn is None else g.turn\n").replace(
    "return [1, 2, 3][:g.left]", "return [0, 1] if g.turn is None else [1, 2, 3][:g.left]").replace(
    "        g.taken.append(move)\n        g.turn = 1 - g.turn\n", """\
        if g.turn is None:
            g.turn = move
        else:
            g.taken.append(move)
            g.turn = None

    def odds(self, g):
        return [2, 1]
""").replace("and g.turn != seat", "and seat == 0")  # fmt: skip


class Mistake(NamedTuple):
    """An edit of the game, the words of its line, the code at its place, and the commands that tell it."""

    name: str
    old: str
    new: str
    says: str
    at: str
    commands: str = "check match run"
    base: str = GAME


MISTAKES = [
    Mistake("a method is missing", "    def over(self, g):\n        return g.left == 0\n", "", "lacks a method `over`",
            "class Own"),
    Mistake("a method is misspelt", "def mover(", "def movers(", "did you mean that by `movers`", "class Own"),
    Mistake("a method takes too little", "def play(self, g, move)", "def play(self, move)",
            "(move): expected 2 parameters, as `LiveGame.play`", "def play"),
    Mistake("new takes no seed", "def new(self, seed)", "def new(self)", "`new` takes ()", "def new"),
    Mistake("the mover is a name", "return g.turn\n", "return 'one'\n", "`mover` gives 'one'", "def mover"),
    Mistake("the mover is None", "return g.turn\n", "g.turn\n", "`mover` gives None", "def mover"),
    Mistake("the mover is out of range", "return g.turn\n", "return g.turn + 1\n", "`mover` gives 2", "def mover"),
    Mistake("no moves", "return [1, 2, 3][:g.left]", "return []", "`moves` gives no moves", "def moves"),
    Mistake("moves are a set", "return [1, 2, 3][:g.left]", "return {1, 2, 3}", "gives a set, which has no order",
            "def moves"),
    Mistake("moves are None", "return [1, 2, 3][:g.left]", "pass", "`moves` gives None", "def moves"),
    Mistake("moves come twice", "return [1, 2, 3][:g.left]", "return [1, 1]", "`moves` gives the move 1 twice",
            "def moves", "check"),
    Mistake("more moves than it says", "seats = 2", "seats, move_count = 2, 2", "gives 3 moves: the class says",
            "def moves"),
    Mistake("play raises", "g.taken.append(move)", "g.took.append(move)", "no attribute 'took'", "g.took"),
    Mistake("play changes nothing", "        g.taken.append(move)\n        g.turn = 1 - g.turn\n", "        pass\n",
            "`play` never lets seat 1 of 2 decide", "def play", "check", GAME.replace("seats = 2", "ply_cap = 60")),
    Mistake("the game never ends", "return g.left == 0\n", "return False\n", "`over` never says so", "def over",
            "check", GAME.replace("seats = 2", "ply_cap = 60").replace("[1, 2, 3][:g.left]", "[1, 2, 3]")),
    Mistake("points are None", "return int(g.left == 0 and", "int(g.left == 0 and", "`points` gives None",
            "def points"),
    Mistake("points are not whole", "return int(g.left == 0 and", "return 0.3 * int(g.left == 0 and",
            "`points` gives 0.3", "def points"),
    Mistake("points are no number", "return int(g.left == 0 and", "return float('nan') * int(g.left == 0 and",
            "`points` gives nan", "def points"),
    Mistake("points are too many", "return int(g.left == 0 and", "return 10**30 + int(g.left == 0 and",
            "`points` gives 1000", "def points"),
    Mistake("odds are texts", "return [2, 1]", "return ['two', 'one']", "`odds` gives ['two', 'one'], a list",
            "def odds", base=CHANCE),
    Mistake("odds are None", "return [2, 1]", "[2, 1]", "`odds` gives None", "def odds", base=CHANCE),
    Mistake("odds have names", "return [2, 1]", "return {0: 2, 1: 1}", "`odds` gives {0: 2, 1: 1}, a dict", "def odds",
            base=CHANCE),
    Mistake("outcomes have no text", "return [2, 1]",
            "return [2, 1]\n\n    def write(self, g, move):\n        return None if g.turn is None else f'take {move}'",
            "`write` gives None", "def write", "check law", CHANCE),
    Mistake("a position has no text", "    seats = 2", "    def show(self, g, seat):\n        str(g.left)\n",
            "`show` gives None", "def show", "check law"),
    Mistake("new returns nothing", "return Heap(", "Heap(", "`new` gives None", "def new"),
    Mistake("play returns whether it could", "g.turn = 1 - g.turn\n", "g.turn = 1 - g.turn\n        return True\n",
            "`play` gives True", "def play"),
    Mistake("over is a word", "return g.left == 0\n", "return 'no' if g.left else 'yes'\n", "`over` gives 'no'",
            "def over"),
    Mistake("over is not called", "return g.left == 0\n", "return g.taken.clear\n", "`over` gives <built-in",
            "def over"),
    Mistake("a new game is over", "return g.left == 0\n", "return True\n", "`over` says that a new game is over",
            "def over"),
    Mistake("copy raises", "return copy.deepcopy(g)", "return copy.deepcopi(g)", "no attribute 'deepcopi'",
            "copy.deepcopi"),
    Mistake("a shallow copy", "copy.deepcopy(g)", "copy.copy(g)", "`copy` gives an object whose moves change `g`",
            "def copy"),
    Mistake("a copy that is none", "return copy.deepcopy(g)", "return g", "`copy` gives an object whose moves",
            "def copy"),
    Mistake("chance of the system", "g.taken.append(move)", "g.taken.append(os.urandom(1)[0] % 3 % g.left + 1)",
            "`new` gives another game for the same seed", "def new", base=GAME.replace("13 - sum", "60 - sum")),
    Mistake("chance without a seed", "Heap(random.Random(seed))", "Heap(random.Random())",
            "`new` gives another game for the same seed", "def new",
            base=GAME.replace("g.taken.append(move)", "g.taken.append(g.dice.randrange(min(3, g.left)) + 1)").replace(
                "13 - sum", "60 - sum")),
    Mistake("hidden without sees", "seats = 2", "seats, hidden = 2, True", "hidden = True needs sees(g, seat)",
            "RuleSet(", "match run"),
    Mistake("sees tells what is hidden", "return g.cards[seat], tuple", "return g.cards[seat], *g.cards, tuple",
            "`sees` changes when what the seat cannot know is dealt again", "def sees", "check", HIDDEN),
    Mistake("a redeal in place", "twin = copy.deepcopy(g)", "twin = g", "`resample` gives or changes `g` itself",
            "def resample", "check", HIDDEN),
    Mistake("a rule changes the game", "return (g.left - move)", "g.turn = 0\n    return (g.left - move)",
            "`leaves` changes the position", "def leaves", "check"),
    Mistake("numbers that are none", "return [1, 2, 3][:g.left]", "return '1 2 3'.split()[:g.left]",
            "`moves` gives ['1', '2', '3'], a list: numbered = True", "def moves",
            base=GAME.replace("seats = 2", "numbered = True")),
    Mistake("a rule returns nothing", "return (g.left - move)", "(g.left - move)", "`leaves` gives None",
            "def leaves"),
    Mistake("a rule returns no number", "return (g.left - move) % 4 == 0", "return float('nan')",
            "`leaves` gives nan", "def leaves", "check"),
    Mistake("a rule for all moves gives too few", "def leaves(g, move)", "def leaves(g, moves)",
            "`leaves` gives [1.0], a list", "def leaves", base=GAME.replace(
                "return (g.left - move) % 4 == 0", "return [1.0]")),
    Mistake("a rule for all moves gives a table", "def leaves(g, move)", "def leaves(g, moves)",
            "`leaves` gives [[1.0], [1.0, 2.0], 3.0], a list", "def leaves", base=GAME.replace(
                "return (g.left - move) % 4 == 0", "return [[1.0], [1.0, 2.0], 3.0]")),
    Mistake("a rule gives an array", "return (g.left - move) % 4 == 0", "return np.array([1.0, 2.0])",
            "`leaves` gives array([1., 2.])", "def leaves", base=GAME.replace(
                "import os", "import numpy as np")),
    Mistake("a rule gives an imaginary number", "return (g.left - move) % 4 == 0", "return 1j", "`leaves` gives 1j",
            "def leaves"),
    Mistake("a rule looks ahead without a copy", "    def copy(self, g):\n        return copy.deepcopy(g)\n", "",
            "asks for `after`", "def leaves", base=GAME.replace("def leaves(g, move)", "def leaves(g, move, after)")),
    Mistake("a rule takes too much", "def leaves(g, move)", "def leaves(g, move, weight)", "(position, move, after)",
            "def leaves"),
    Mistake("a class that needs arguments", "    seats = 2\n", "    def __init__(self, size):\n        self.n = size\n",
            "`__init__` needs arguments", "def __init__(self, size)"),
    Mistake("moves of one text", "    seats = 2\n", "    def write(self, g, move):\n        return 'take'\n",
            "alike, as 'take'", "def write", "law"),
    Mistake("too few plies", "seats = 2", "seats, ply_cap = 2, 3", "ply_cap", "def over", "check"),
    Mistake("two classes of one name", "class Own(LiveGame):", "class Other(LiveGame):\n    name = 'kalah'",
            "a second game named 'kalah'", "", base=GAME.replace('"mine", Own', '"mine", Other')),
    Mistake("seats are none", "seats = 2", "seats = 'two'", "expected a whole number as seats", ""),
    Mistake("the order of a set", "return [1, 2, 3][:g.left]",
            "return [int(n) for n in {'1', '2', '3', '4', '5', '6', '7', '8'} if int(n) <= g.left]",
            "in another process", "def moves", "check"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("command", ["check", "law", "match", "run"])
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_is_one_line(
    mistake: Mistake, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if command not in mistake.commands.split():
        pytest.skip("another command tells it")
    assert mistake.old in mistake.base
    text = mistake.base.replace(mistake.old, mistake.new)
    file = f"own_{zlib.crc32(f'{mistake.name} {command}'.encode())}.py"
    (tmp_path / file).write_text(text)
    monkeypatch.chdir(tmp_path)
    game = f"{file}:{'Other' if 'class Other' in text else 'Own'}"
    words = {
        "check": ["rulebots", "check", game, "--rules", f"{file}:mine", "--games", "10"],
        "law": ["rulebots", "check", game, "--games", "10"],
        "match": ["rulebots", "match", f"{file}:mine", "random", "--game", game, "--deals", "20"],
        "run": ["evolve", "run", "--game", game, "--rules", f"{file}:mine", "--generations", "1", "--population", "4"],
    }[command]
    monkeypatch.setattr(sys, "argv", words)
    code = (evolve if command == "run" else rulebots).cli.main.main()
    printed = "".join(capsys.readouterr())
    assert code in (1, 2) or f": note: {mistake.says}" in printed or command == "law", printed
    assert "Traceback" not in printed
    lines = [line for line in printed.splitlines() if mistake.says in line]
    assert len(lines) == 1, printed
    number = next(number for number, line in enumerate(text.splitlines(), 1) if mistake.at in line)
    assert re.search(rf"{file}(:{number}\b|:\d+\b(?=.*)|\b)" if not mistake.at else rf"{file}:{number}\b", lines[0]), (
        lines
    )


LOUD = GAME.replace("g.taken.append(move)", "g.taken.append(move); print(move, file=sys.stdout)").replace(
    "import os", "import sys")  # fmt: skip
LAZY = GAME.replace("return [1, 2, 3][:g.left]", "return (n for n in [1, 2, 3][:g.left])")
ARRAYS = GAME.replace("[1, 2, 3][:g.left]", "[np.array([n, n]) for n in [1, 2, 3][:g.left]]").replace(
    "g.taken.append(move)", "g.taken.append(int(move[0]))").replace("g.left - move)", "g.left - int(move[0]))").replace(
    "import os", "import numpy as np")  # fmt: skip


@pytest.mark.parametrize(
    "base", [GAME, HIDDEN, CHANCE, LAZY, ARRAYS, LOUD], ids=["open", "hidden", "chance", "lazy", "arrays", "loud"]
)
def test_without_a_mistake_all_is_well(
    base: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = f"well_{zlib.crc32(base.encode())}.py"
    (tmp_path / file).write_text(base)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["rulebots", "check", f"{file}:Own", "--rules", f"{file}:mine"])
    assert rulebots.cli.main.main() == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{file}:Own: ok, 1 rule of '{file}:mine'"
