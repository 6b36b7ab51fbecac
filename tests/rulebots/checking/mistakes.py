# ruff: noqa: E501 - an edit is best seen on one line
"""Mistakes that writers of games and rules make, each as one edit of the Nim of the tutorial."""

from __future__ import annotations

from dataclasses import dataclass

GAME, RULES, PLAYERS, PACKAGE = "game.py", "rules.py", "players.py", "__init__.py"


@dataclass(frozen=True)
class Mistake:
    """A mistake by its number, the edits (file, old text, new text) that make it, and what has to be said of it.

    `says` are words of the message of `rulebots check`; the place is that of the line with the text `line`, where there
    is one. `match` is whether `rulebots match` between the game's players meets it too. `compiled` says that only
    compiling shows it, `note` that it breaks no contract, `interpreted` that it breaks none where nothing is compiled.
    """

    number: str
    edits: tuple[tuple[str, str, str], ...]
    says: tuple[str, ...]
    line: str = ""
    match: bool = True
    compiled: bool = False
    note: bool = False
    interpreted: bool = False
    players: tuple[str, str] = ("hand", "shy")


FOURS = "    return left % 4 == 0\n"
DICE_STATE = '("winner", np.int32), ("ply", np.int32), ("dice", np.int32, (8,))'

MISTAKES = (
    Mistake("1 luck", ((GAME, '("luck", np.int64), ', ""),), ("`view` needs a field 'luck'",), "game = Game("),
    Mistake("1 mover", ((GAME, '("mover", np.int32), ', ""),), ("`state` needs a field 'mover'",), "game = Game("),
    Mistake(
        "2 rule",
        ((RULES, '"take", early=0.2, late=0.5', '"tke", early=0.2, late=0.5'),),
        ("no group 'tke'", "did you mean 'take'"),
        "def leaves_little",
    ),
    Mistake("2 kind", ((GAME, '{"take": 1.0}', '{"tak": 1.0}'),), ("no group 'take'", "did you mean 'tak'")),
    Mistake(
        "3",
        ((RULES, '    """It leaves a multiple of four."""\n', ""),),
        ("rule 'leaves_fours' needs a docstring",),
        "def leaves_fours",
    ),
    Mistake(
        "4 nothing",
        ((RULES, FOURS, "    left % 4 == 0\n"),),
        ("`leaves_fours` gives None", "return"),
        "def leaves_fours",
    ),
    Mistake("4 text", ((RULES, FOURS, '    return "yes"\n'),), ("`leaves_fours` gives 'yes', a str",), "def leaves_fours"),
    Mistake(
        "4 array",
        ((RULES, FOURS, "    return np.zeros(2)\n"), (RULES, "from nim.game", "import numpy as np\nfrom nim.game")),
        ("`leaves_fours` gives array([0., 0.]), a ndarray",),
        "def leaves_fours",
    ),
    Mistake("5", ((PLAYERS, "PLAYERS = {", "PLAYER = {"),), ("players.py: no name 'PLAYERS' of this file; did you mean 'PLAYER'",)),
    Mistake(
        "6",
        ((PACKAGE, '"hand", "shy", "random")', '"hand", "shi", "random")'),),
        ("__init__.py: no player 'shi' of nim", "did you mean 'shy'"),
        match=False,
    ),
    Mistake(
        "6 level",
        ((PACKAGE, '"hand", "shy", "random")', '"hand", "shy", "random"), levels=("shy", "hnd")'),),
        ("__init__.py: no player 'hnd' of nim", "did you mean 'hand'"),
        match=False,
    ),
    Mistake(
        "6 search",
        ((PACKAGE, '"hand", "shy", "random")', '"hand", "shy", "random"), mcts={"iteration": 9}'),),
        ("__init__.py: no setting 'iteration' of `mcts` of nim", "did you mean 'iterations'"),
        match=False,
    ),
    Mistake(
        "7",
        ((RULES, "return left <= MOST_TAKEN", "return left <= MOST_TAKN"),),
        ("`leaves_little` uses the name 'MOST_TAKN', which is not defined; did you mean 'MOST_TAKEN'",),
        "MOST_TAKN",
    ),
    Mistake(
        "8",
        ((RULES, "(view.heap - left)", "(view.haep - left)"),),
        ("`takes_many` uses view.haep", "did you mean 'view.heap'", "the fields are luck, heap"),
        "view.haep",
    ),
    Mistake(
        "9",
        ((GAME, "state.heap -= move + 1", "state.heep -= move + 1"),),
        ("`play` uses state.heep", "did you mean 'state.heap'", "the fields are mover, heap, winner"),
        "state.heep",
    ),
    Mistake("10", ((GAME, "    return n\n", ""),), ("`moves` gives None", "return"), "def moves"),
    Mistake("11", ((GAME, "@kernel\ndef play", "def play"),), ("`play` is a plain function: put @kernel on it",), "def play"),
    Mistake(
        "12",
        ((RULES, '@rule("take", early=0.2)\ndef leaves_fours', "def leaves_fours"),),
        ("has 'leaves_fours', which is not a rule: put @rule(GROUP) on leaves_fours", "rules.py:"),
        "RuleSet(",
    ),
    Mistake(
        "13",
        ((RULES, "(leaves_little, leaves_fours, takes_many)", "(leaves_little)"),),
        ("needs a tuple of rules: (leaves_little,) with the comma",),
        "RuleSet(",
    ),
    Mistake("14", ((GAME, "    observe=observe,\n", ""),), ("makes a Game without `observe`",), "game = Game("),
    Mistake(
        "15",
        ((RULES, "early=0.2, late=0.5", 'early="high", late=0.5'),),
        ("expected a number as the weight of a rule, not 'high'",),
        'early="high"',
    ),
    Mistake(
        "16",
        ((RULES, "def leaves_fours", "def leaves_little"),),
        ("rule 'leaves_little' is there twice",),
    ),
    Mistake("17", ((RULES, "def leaves_fours(view, left):", "def leaves_fours(view, left)"),), ("syntax error: expected ':'",), "def leaves_fours"),
    Mistake(
        "18",
        ((RULES, "def leaves_fours(view, left):", "def leaves_fours(view):"), (RULES, FOURS, "    return view.heap % 4\n")),
        ("rule 'leaves_fours' takes (view): expected (view, item)",),
        "def leaves_fours",
    ),
    Mistake(
        "19",
        (
            (RULES, '@rule("take", early=0.2)\ndef leaves_fours', 'def four(n):\n    return n % 4 == 0\n\n\n@rule("take", early=0.2)\ndef leaves_fours'),
            (RULES, FOURS, "    return four(left)\n"),
        ),
        ("`leaves_fours` calls four, which is not a kernel: put @kernel on four, nim/rules.py:",),
        "return four(left)",
        interpreted=True,
    ),
    Mistake(
        "20",
        (
            (RULES, '@rule("take", early=0.2)\ndef leaves_fours', '@kernel\ndef four(n):\n    return float(n % 4 == 0)\n\n\n@rule("take", early=0.2)\ndef leaves_fours'),
            (RULES, FOURS, "    return four(left)\n"),
        ),
        ("float(a bool)",),
        "return float(",
        compiled=True,
    ),
    Mistake("21", ((RULES, FOURS, "    return {0: 1.0, None: 0.0}.get(left % 4, 0.0)\n"),), ("`leaves_fours` uses a dict",), "{0: 1.0, None", interpreted=True),
    Mistake(
        "22",
        ((RULES, FOURS, "    global SEEN\n    SEEN += 1\n    return SEEN % 2\n"), (RULES, "@kernel\ndef progress", "SEEN = 0\n\n\n@kernel\ndef progress")),
        ("`leaves_fours` uses `global SEEN`", "memory"),
        "global SEEN",
    ),
    Mistake("23", ((RULES, FOURS, "    return 1 / (left % 4)\n"),), ("`leaves_fours` divides by zero",), "1 / (left % 4)"),
    Mistake(
        "24 infinity",
        ((RULES, FOURS, "    return np.inf\n"), (RULES, "from nim.game", "import numpy as np\nfrom nim.game")),
        ("`leaves_fours` gives inf: expected a finite number",),
        "def leaves_fours",
    ),
    Mistake(
        "24 NaN",
        ((RULES, FOURS, "    return np.nan\n"), (RULES, "from nim.game", "import numpy as np\nfrom nim.game")),
        ("`leaves_fours` gives nan: expected a finite number",),
        "def leaves_fours",
    ),
    Mistake("25", ((GAME, "(count, 1))", "count)"),), ("`draw_deals` gives an array of shape (", "expected (count, length)"), "def draw_deals"),
    Mistake(
        "26",
        ((GAME, "rng.integers(SMALLEST_HEAP, options.largest + 1, (count, 1))", "rng.uniform(SMALLEST_HEAP, options.largest, (count, 1))"),),
        ("`draw_deals` gives numbers of type float64: expected whole numbers",),
        "def draw_deals",
    ),
    Mistake(
        "27",
        ((GAME, "return (state.heap == 0) & (state.winner == seat)", "return 0.5 * ((state.heap == 0) & (state.winner == seat))"),),
        ("`points` gives", "0.5", "expected whole points"),
        "def points",
    ),
    Mistake(
        "28",
        ((GAME, "n = min(MOST_TAKEN, state.heap)", "n = min(MOST_TAKEN, state.heap - 1)"),),
        ("`moves` gives 0 moves to seat ",),
        "def moves",
    ),
    Mistake("29", ((GAME, "    state.mover = 1 - state.mover\n", ""),), ("`play` never lets seat 1 of 2 decide", "state.mover"), "def play"),
    Mistake(
        "30",
        ((GAME, "state.mover = 1 - state.mover", "state.mover = state.mover + 1"),),
        ("`play` sets state.mover to 2: expected one of [0, 1]",),
        "def play",
    ),
    Mistake("31", ((GAME, "    return 0\n", "    return 1\n"),), ("`kind` gives 1", "expected an index into the kinds, 0 (take)"), "def kind"),
    Mistake("32", ((GAME, "n = min(MOST_TAKEN, state.heap)", "n = state.heap"),), ("`moves` reads or writes out of bounds",), "out[move] = move"),
    Mistake(
        "33",
        (
            (GAME, '("winner", np.int32)', '("winner", np.int32), ("left", np.int32, (4,))'),
            (GAME, "    state.winner = state.mover\n", "    state.winner = state.mover\n    state.left[state.heap] = 1\n"),
        ),
        ("`play` reads or writes out of bounds", "size 4"),
        "state.left[state.heap]",
    ),
    Mistake(
        "33 below 0",
        (
            (GAME, '("winner", np.int32)', '("winner", np.int32), ("left", np.int32, (40,))'),
            (GAME, "    state.winner = state.mover\n", "    state.winner = state.mover\n    state.left[state.mover - 1] = 1\n"),
        ),
        ("`play` reads or writes out of bounds", "index -1 would count from the end"),
        "state.left[state.mover - 1]",
    ),
    Mistake(
        "33 constant",
        (
            (GAME, '("winner", np.int32)', '("winner", np.int32), ("left", np.int32, (40,))'),
            (GAME, "    state.winner = state.mover\n", "    state.winner = state.mover\n    if state.heap > 99:\n        state.left[-1] = 1\n"),
        ),
        ("`play` uses the index `-1` of `state.left`, which counts from the end",),
        "state.left[-1]",
    ),
    Mistake(
        "34",
        ((RULES, FOURS, "    return GOOD[left]\n"), (RULES, "from nim.game", "import numpy as np\nfrom nim.game"), (RULES, "@kernel\ndef progress", "GOOD = np.array([1.0, 0.0, 0.0, 0.0])\n\n\n@kernel\ndef progress")),
        ("`leaves_fours` reads or writes out of bounds", "size 4"),
        "GOOD[left]",
    ),
    Mistake("35", ((GAME, "state.heap = deal[0]", "state.heap = deal[1]"),), ("`setup` reads or writes out of bounds",), "deal[1]"),
    Mistake(
        "36",
        (
            (PLAYERS, "import KernelPlayer, RulePlayer", "import KernelPlayer, Player, RulePlayer"),
            (PLAYERS, "PLAYERS = {", 'class Sly(Player):\n    def choose(self, view, moves):\n        moves[0] = 7\n        return 7\n\n\nPLAYERS = {\n    "sly": lambda: Sly(game, "sly"),'),
        ),
        ("player 'sly', ply ", "raised ValueError: assignment destination is read-only", "nim/players.py:"),
        "moves[0] = 7",
        players=("hand", "sly"),
    ),
    Mistake(
        "37",
        ((PLAYERS, "    return moves[0]\n", "    return 2\n"),),
        ("`choose_one` chooses 2, which is not a legal move: expected one of [0",),
        "def choose_one",
    ),
    Mistake(
        "38",
        ((RULES, FOURS, "    view.heap = left\n    return view.heap % 4 == 0\n"),),
        ("`leaves_fours` changes view.heap: it may only read it",),
        "def leaves_fours",
    ),
    Mistake("39", ((RULES, "return 1.0 - min(view.heap / 20, 1.0)", "return view.heap / 5"),), ("`progress` gives", "expected a number from 0 to 1"), "def progress"),
    Mistake(
        "40 rule",
        ((RULES, FOURS, "    return np.random.random() < 0.5\n"), (RULES, "from nim.game", "import numpy as np\nfrom nim.game")),
        ("`leaves_fours` uses np.random.random", "view.luck"),
        "np.random.random()",
    ),
    Mistake(
        "40 law",
        ((GAME, "    state.heap = deal[0]\n", "    state.heap = np.random.randint(10, 20)\n"),),
        ("`setup` uses np.random.randint", "draw_deals"),
        "np.random.randint",
    ),
    Mistake("41", ((GAME, "return view.heap - move - 1", "return (view.heap - move - 1) / 1"),), ("`item` gives", "expected a whole number"), "def item"),
    Mistake(
        "42",
        ((GAME, "rng.integers(SMALLEST_HEAP, options.largest + 1, (count, 1))", "rng.integers(SMALLEST_HEAP, SMALLEST_HEAP + count, (count, 1))"),),
        ("`draw_deals` deals something else where deals are drawn 2 and 3 at a time",),
        "def draw_deals",
    ),
    Mistake(
        "43",
        (
            (GAME, "return rng.integers(SMALLEST_HEAP, options.largest + 1, (count, 1))", "return np.zeros((count, 0), np.int64)"),
            (GAME, "state.heap = deal[0]", "state.heap = 20"),
            (GAME, "    hidden=False,", "    opening_plies=0,\n    hidden=False,"),
        ),
        ("`draw_deals` deals nothing, and opening_plies is 0",),
        "def draw_deals",
        match=False,
    ),
    Mistake(
        "44",
        (
            (GAME, '("winner", np.int32)', DICE_STATE),
            (GAME, "state.heap = deal[0]", "state.heap = 20\n    for i in range(8):\n        state.dice[i] = deal[i]"),
            (GAME, "n = min(MOST_TAKEN, state.heap)", "n = min(state.dice[state.ply % 8], state.heap)"),
            (GAME, "    state.winner = state.mover\n", "    state.winner = state.mover\n    state.ply += 1\n"),
            (GAME, "rng.integers(SMALLEST_HEAP, options.largest + 1, (count, 1))", "rng.integers(1, MOST_TAKEN + 1, (count, 8))"),
        ),
        ("`observe` shows nothing of state.dice", "hidden=False lets searches read it", "chance=True"),
        "def observe",
        match=False,
    ),
    Mistake(
        "45",
        ((RULES, '@rule("take", early=0.5)', '@rule("take", early=100.0)'),),
        ("`takes_many` weighs 100", "the middle weight of 'nim' is 0.5"),
        "def takes_many",
        match=False,
        note=True,
    ),
    Mistake(
        "46",
        ((GAME, "ply_cap=100", "ply_cap=8"),),
        ("`over` gives False after ply_cap, 8 plies, in", "of 10 random games", "raise it, or let such a game end"),
        "def over",
        match=False,
    ),
    Mistake(
        "47",
        ((GAME, "return (state.heap == 0) & (state.winner == seat)", "return 1"),),
        ("`points` gives all seats the same in all of 10 random games: nobody wins",),
        "def points",
        match=False,
        note=True,
    ),
    Mistake(
        "48",
        ((GAME, "return (state.heap == 0) & (state.winner == seat)", "return seat"),),
        ("`points` lets seat 0 win none of 10 random games, and the others 10",),
        "def points",
        match=False,
        note=True,
    ),
    Mistake(
        "49",
        ((RULES, "(view.heap - left)", "1e6 * (view.heap - left)"),),
        ("`takes_many` gives up to", "but the middle rule of 'nim' up to 1", "divide what it gives"),
        "def takes_many",
        match=False,
        note=True,
    ),
)  # fmt: skip
