"""Games of Python objects: what shows only where they are played twice, copied, looked at and dealt again."""

import contextlib
import os
import subprocess
import sys
from collections import Counter
from typing import Any

from rulebots.checking.findings import Finding, Findings, check
from rulebots.checking.law import sample_states
from rulebots.game.checks import CHANCE, expect, is_number, require
from rulebots.game.contract import Game
from rulebots.game.live import LiveLaw
from rulebots.game.live_game import words
from rulebots.game.live_loading import check_repeats, trace
from rulebots.game.live_objects import Node
from rulebots.packages import path_of_game
from rulebots.rules import RuleSet
from rulebots.rules.live_rules import LiveRules

#: Random games from which positions are taken, and how many positions.
GAMES = 4
POSITIONS = 60
#: Seconds to play a game in another process.
PATIENCE = 60
#: What another process prints: a game of the seed 1.
ELSEWHERE = """
import sys
from rulebots.game.live_loading import trace
from rulebots.packages import load_game
out, sys.stdout = sys.stdout, sys.stderr  # a game may print
out.write(trace(load_game(sys.argv[1]).live, 1))
"""


@check
def check_objects(findings: Findings, game: Game) -> None:
    """Games repeat, here and in other processes; moves differ; copies and redeals are what they should be."""
    law: LiveLaw = game.live
    source = law.source
    check_repeats(law)
    for state in sample_states(game, GAMES, POSITIONS, chance=True):
        node = law.at(state)
        legal = [*law.legal(node)]
        twice = None
        with contextlib.suppress(ValueError):  # arrays are neither equal nor different
            twice = next((move for move in legal if legal.count(move) > 1), None)
        if twice is not None:
            findings.add_of(source.moves, f"gives the move {words(twice)} twice")
        text, count = Counter(law.text_of(node, move) for move in legal).most_common(1)[0]
        if count > 1 and twice is None:
            findings.add_of(
                source.write or source.moves,
                f"writes {count} moves of a position alike, as '{text}': people see them with their numbers",
                note=True,
            )
        if source.hidden and source.resample and state.mover != CHANCE:
            seat = int(state.mover)
            seen = words(source.sees(node.g, seat))
            before = words(node.g)
            dealt = _dealt_again(law, node, state)
            if dealt.g is node.g or words(node.g) != before:
                findings.add_of(source.resample, "gives or changes `g` itself: expected another object")
            if words(source.sees(dealt.g, seat)) != seen or [*law.legal(dealt)] != legal:
                findings.add_of(
                    source.sees,
                    "changes when what the seat cannot know is dealt again: it tells what is hidden, "
                    "or `resample` deals what the seat knows",
                )
    if source.hidden and source.resample is None:
        what = "note: what is hidden cannot be dealt again (`resample`): nobody can search it or learn from lessons"
        findings.add(Finding(f"{path_of_game(game.name)}: {what}", note=True))
    if not findings.mistakes:
        _check_elsewhere(findings, game)


def _check_elsewhere(findings: Findings, game: Game) -> None:
    """In another process, where sets have another order."""
    law: LiveLaw = game.live
    seed = "1" if os.environ.get("PYTHONHASHSEED") == "0" else "0"
    done = subprocess.run(  # noqa: S603 - this Python
        [sys.executable, "-c", ELSEWHERE, path_of_game(game.name)],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode == 0 and done.stdout != trace(law, 1):
        findings.add_of(
            law.source.moves,
            "gives other moves, or another order, in another process: sets have no order, so sort what comes from one",
        )


@check
def check_live_rules(findings: Findings, rules: RuleSet) -> None:
    """Rules read a position and leave it alone; of a hidden game they say the same once it is dealt again."""
    law: LiveLaw = rules.game.live
    plain = LiveRules(law, rules.rules, rules.progress)
    for state in sample_states(rules.game, GAMES, POSITIONS):
        node = law.at(state)
        seat = int(state.mover)
        for column, rule in enumerate(rules.rules):
            with findings.collecting():
                before = words(node.g)
                values = _values(plain, column, node, seat)
                wrong = next((value for value in values if not is_number(value)), 0)
                expect(rule.kernel, is_number(wrong), wrong, "expected a finite number, or a bool")
                if words(node.g) != before:
                    findings.add_of(rule, "changes the position: it may only read it")
                elif law.source.hidden and law.source.resample:
                    again = _values(plain, column, _dealt_again(law, node, state), seat)
                    require(
                        rule.kernel,
                        again == values,
                        "says something else when what the seat cannot know is dealt again: `sees` tells of it",
                    )


def _values(plain: LiveRules, column: int, node: Node, seat: int) -> list[float]:
    law = plain.law
    legal = law.legal(node)
    return [*plain.values[column](law.seen(node, seat), legal, lambda i: law.after(node.g, legal[i], i))]


def _dealt_again(law: LiveLaw, node: Node, state: Any) -> Node:
    return Node(law.source.resample(node.g, int(state.mover), int(state.plies) + 1))
