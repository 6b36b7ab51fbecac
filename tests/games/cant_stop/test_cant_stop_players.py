"""The built-in players decide as published, on written positions and as the oracle does in random games."""

from __future__ import annotations

from typing import Any, cast

import naive_cant_stop as naive
import naive_cant_stop_players as oracles
import pytest
from cant_stop_positions import GAME, position
from naive_cant_stop_rules import with_weights
from recorded import Record, recorded

from rulebots.game import CHANCE
from rulebots.kernel import compiling
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import load_rules
from rulebots.play.deals import draw_deals

STANDARD = load_rules(game=GAME)
ORACLES = {**oracles.PLAYERS, "standard": with_weights(STANDARD, STANDARD.hand_tuned())}
BOARDS = [
    {},
    {"sides": 4, "shortest": 2},
    {"sides": 3, "shortest": 1, "needed": 2, "both": 0},
    {"seats": 1},
    {"sides": 5, "shortest": 1, "seats": 3},
    {"seats": 4},
]


def replayed(record: Record, options: dict[str, int]) -> Any:
    """The positions in which a seat decides, each with the oracle's board."""
    board = naive.Board(**options)
    for ply, chosen in enumerate(record.chosen):
        if record.states[ply].mover != CHANCE:
            yield record.position(ply), board
        board.do(GAME.text.write(chosen))


@pytest.mark.parametrize("who", ORACLES)
@pytest.mark.parametrize(
    "options",
    [pytest.param(options, marks=[pytest.mark.slow] if "seats" in options else []) for options in BOARDS],
    ids=str,
)
def test_the_oracle_decides_alike(who: str, options: dict[str, int]) -> None:
    games = 10 if compiling() else 1
    player, oracle = make_player(who, GAME), cast(Any, ORACLES[who])
    deals = draw_deals(GAME, games, 1, options=options)
    for number in range(games):
        for here, board in replayed(recorded(deals, number), options):
            if board.dice is None:
                expected = "stop" if oracle.stops(board) else "roll"
            else:
                expected = "+".join(map(str, oracle.advance(board, board.advances(board.dice))))
            assert here.write(player.decide(here)) == expected, here.text()


#: Player, what it does, and a position as `position` takes it.
WRITTEN: list[tuple[str, str, dict[str, str]]] = [
    # Two runners, and room for the third: it rolls whatever it has.
    ("rule_of_28", "roll", {"runners": "2:2 12:2"}),
    # Points: (spaces climbed + 1 for the runner) times the steps off column 7 and 1.
    ("rule_of_28", "roll", {"runners": "6:3 7:1 9:3"}),  # 2 * 4 + 1 * 2 + 3 * 4 = 22
    ("rule_of_28", "roll", {"runners": "6:5 7:2 9:3"}),  # 12 + 3 + 12 = 27
    ("rule_of_28", "stop", {"runners": "6:5 7:3 9:3"}),  # 12 + 4 + 12 = 28
    # What was climbed before the turn does not count.
    ("rule_of_28", "roll", {"mine": "6:4 9:2", "runners": "6:5 7:3 9:3"}),
    # All even: 2 less.
    ("rule_of_28", "roll", {"runners": "6:4 8:4 10:1"}),  # 10 + 10 + 8 - 2 = 26
    ("rule_of_28", "stop", {"runners": "6:5 8:4 10:1"}),  # 12 + 10 + 8 - 2 = 28
    # All odd: 2 more. None below 7: 4 more.
    ("rule_of_28", "roll", {"runners": "5:2 7:2 9:3"}),  # 9 + 3 + 12 + 2 = 26
    ("rule_of_28", "stop", {"runners": "5:2 7:4 9:3"}),  # 9 + 5 + 12 + 2 = 28
    ("rule_of_28", "roll", {"runners": "7:2 8:3 9:3"}),  # 3 + 8 + 12 + 4 = 27
    ("rule_of_28", "stop", {"runners": "7:3 8:3 9:3"}),  # 4 + 8 + 12 + 4 = 28
    # 2+12 is worth 1 * 2 * 2 less 6 for each of two runners, 7+7 is worth 6 * 3 less 6.
    ("rule_of_28", "7+7", {"dice": "1-1-6-6"}),
    # The genetic algorithm's values: 2 and 12 are worth 7, and 29 points stop.
    ("glenn_aloi", "2+12", {"dice": "1-1-6-6", "runners": "2:1 12:1"}),
    ("glenn_aloi", "roll", {"runners": "6:5 7:3 9:3"}),  # 12 + 4 + 8 = 24
    ("glenn_aloi", "stop", {"runners": "6:5 7:4 12:1"}),  # 12 + 5 + 14 = 31
    ("glenn_aloi", "roll", {"runners": "6:4 7:3 12:1"}),  # 10 + 4 + 14 = 28
    ("cautious", "roll", {"runners": "7:1 8:1"}),
    ("cautious", "stop", {"runners": "6:1 7:1 8:1"}),
    ("cautious", "stop", {"mine": "12:2", "runners": "12:3"}),
    ("cautious", "6+8", {"dice": "2-4-4-4"}),
    ("bold", "roll", {"runners": "2:2 3:4 12:2"}),
    ("bold", "stop", {"runners": "2:3"}),
    ("bold", "2+12", {"dice": "1-1-6-6"}),
]


@pytest.mark.parametrize(("who", "does", "where"), WRITTEN)
def test_decisions_on_written_positions(who: str, does: str, where: dict[str, str]) -> None:
    here = position(**where)  # type: ignore[arg-type]
    assert here.write(make_player(who, GAME).decide(here)) == does
