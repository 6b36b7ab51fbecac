"""The rules of Can't Stop: on written positions the value each must give, and their facts by counting."""

from __future__ import annotations

import functools
import math

import naive_cant_stop as naive
import pytest
from cant_stop_cases import ENDS, LOW, MIXED, THREE, assert_value, case
from cant_stop_positions import GAME, spaces
from recorded import recorded
from written_positions import Case, facts_of, on_written_positions

from rulebots.game import CHANCE
from rulebots.game.position import Position
from rulebots.games.cant_stop.rules import standard
from rulebots.kernel import compiling
from rulebots.play.deals import draw_deals

BOARD = naive.Board()
TINY = {"sides": 2, "shortest": 1, "needed": 2}
#: A third column is nearly won.
NEAR = "2:3 3:5 7:12"
ROLLS = naive.rolls(6)


@functools.cache
def missed(*columns: int) -> float:
    """How likely a roll brings none of these columns."""
    of_roll = {dice: {column for pair in naive.pairings(dice) for column in pair} for dice in ROLLS}
    return sum(count for dice, count in ROLLS.items() if not of_roll[dice] & set(columns)) / 1296


@functools.cache
def brings(*columns: int) -> float:
    """The points of the best pairing of a roll in these columns, on average."""
    best = {
        dice: max(sum(abs(c - 7) + 1 for c in pair if c in columns) for pair in naive.pairings(dice)) for dice in ROLLS
    }
    return sum(count * best[dice] for dice, count in ROLLS.items()) / 1296


@functools.cache
def climbs(column: int, spaces: int) -> float:
    """How likely a column comes so many times before a bust, beside the two columns that go best with it."""
    hit = 1 - missed(column)
    least = min(missed(column, a, b) for a in BOARD.tops for b in BOARD.tops)
    return float((hit / (hit + least)) ** spaces)


def wins_next(heights: str, columns: int, closed: str = "") -> float:
    """How likely these columns are climbed in one turn, the likeliest ones."""
    stands = spaces(heights)
    still_open = [c for c in BOARD.tops if str(c) not in closed.split()]
    chances = sorted((climbs(c, BOARD.tops[c] - stands.get(c, 0)) for c in still_open), reverse=True)
    return math.prod(chances[:columns])


AGAIN = climbs(7, 1)

STANDARD = [
    case("advance.middle", "7 twice", "7+7", 2, dice=ENDS),
    case("advance.middle", "the ends", "2+12", 0, dice=ENDS),
    case("advance.one_off", "6 and 8", "6+8", 2, dice="2-4-4-4"),
    case("advance.one_off", "6 alone", "6+10", 1, dice=THREE),
    case("advance.two_off", "5", "5+11", 1, dice=THREE),
    case("advance.two_off", "neither 5 nor 9", "6+10", 0, dice=THREE),
    case("advance.three_off", "10", "6+10", 1, dice=THREE),
    case("advance.three_off", "neither 4 nor 10", "7+9", 0, dice=THREE),
    case("advance.four_off", "11", "5+11", 1, dice=THREE),
    case("advance.four_off", "neither 3 nor 11", "7+9", 0, dice=THREE),
    case("advance.five_off", "both ends", "2+12", 2, dice=ENDS),
    case("advance.five_off", "7 twice", "7+7", 0, dice=ENDS),
    case("advance.gained", "6 points for each end", "2+12", 12 / 7, dice=ENDS),
    case("advance.gained", "a point for each 7", "7+7", 2 / 7, dice=ENDS),
    case("advance.begun", "nothing before", "2+12", 0, dice=ENDS),
    case("advance.begun", "both", "2+12", 2, dice=ENDS, mine="2:1 12:1"),
    case("advance.begun", "a column taken twice counts once", "7+7", 1, dice=ENDS, mine="7:3"),
    case("advance.begun", "a runner of this turn does not count", "7+7", 0, dice=ENDS, runners="7:1"),
    case("advance.height", "3 and 2 of 13 spaces", "7+7", 5 / 13, dice=ENDS, mine="7:3"),
    case("advance.height", "the first of 3, and the last", "2+12", 4 / 3, dice=ENDS, mine="12:2"),
    case("advance.contested", "2 of 3", "2+12", 2 / 3, dice=ENDS, theirs="2:2 7:6"),
    case("advance.contested", "6 of 13, once", "7+7", 6 / 13, dice=ENDS, theirs="2:2 7:6"),
    case("advance.closer", "13 + 18 + 18 points become 11 + 18 + 18", "7+7", 2 / 28, dice=ENDS),
    case("advance.closer", "13 + 12 + 12", "2+12", 12 / 28, dice=ENDS),
    case("advance.closer", "with what the turn climbed before", "2+12", 13 / 28, dice=ENDS, runners="7:1"),
    case("advance.closer", "a column that is none of the nearest", "5+11", 0, dice=THREE),
    case("advance.tops", "12 is climbed", "2+12", 1, dice=ENDS, mine="12:2"),
    case("advance.tops", "it is not", "7+7", 0, dice=ENDS, mine="12:2"),
    case("advance.wins", "the third column", "12", 1, dice="6-6-6-6", mine="2:3 3:5 12:2"),
    case("advance.wins", "the second", "12", 0, dice="6-6-6-6", mine="2:3 12:2"),
    case("advance.runners", "two", "2+12", 2, dice=ENDS),
    case("advance.runners", "one", "7+7", 1, dice=ENDS),
    case("advance.last_runner", "all three", "2+12", 1, dice=ENDS, runners="7:1"),
    case("advance.last_runner", "one is left", "2+12", 0, dice=ENDS),
    case("advance.bust", "2, 7 and 12", "2+12", missed(2, 7, 12), dice=ENDS, runners="7:1"),
    case("advance.bust", "a runner is left", "7+7", 0, dice=ENDS),
    case("advance.bust", "a runner on top helps no more", "7+7", missed(7, 8), dice=ENDS, runners="8:1 12:3"),
    case("advance.all_even", "4, 6 and 8", "4+8", 1, dice=MIXED, runners="6:1"),
    case("advance.all_even", "5, 6 and 7", "5+7", 0, dice=MIXED, runners="6:1"),
    case("advance.all_even", "only two runners", "4+8", 0, dice=MIXED),
    case("advance.all_odd", "5, 7 and 9", "5+7", 1, dice=MIXED, runners="9:1"),
    case("advance.all_odd", "4, 8 and 9", "4+8", 0, dice=MIXED, runners="9:1"),
    case("advance.one_sided", "4, 5 and 7", "4+7", 1, dice=LOW, runners="5:1"),
    case("advance.one_sided", "4, 7 and 9", "4+7", 0, dice=LOW, runners="9:1"),
    case("advance.one_sided", "7, 9 and 11", "7+9", 1, dice=THREE, runners="11:1"),
    case("advance.reaches_top", "a 7 would do", "7+7", 834 / 1296, dice=ENDS, mine="7:10"),
    case("advance.reaches_top", "a 2 would do", "2+12", 171 / 1296, dice=ENDS, mine="2:1"),
    case("advance.next_turn", "won already", "7", 1, dice=ENDS, mine=NEAR),
    case("advance.next_turn", "7 once", "12", climbs(7, 1), dice=ENDS, mine=NEAR),
    case("advance.their_turn", "7 twice", "7+7", climbs(7, 2), dice=ENDS, theirs="3:5 11:5 7:11"),
    case("advance.their_turn", "three columns", "7+7", wins_next("", 3), dice=ENDS),
    case("stop.over_28", "28", "stop", 0, runners="6:5 7:3 9:3"),
    case("stop.over_28", "27", "stop", -1 / 28, runners="6:5 7:2 9:3"),
    case("stop.over_28", "all even, 30 less 2", "stop", 0, runners="6:5 8:4 10:1"),
    case("stop.over_28", "none below 7, 25 and 4", "stop", 1 / 28, runners="7:4 8:3 9:3"),
    case("stop.over_28", "all odd and none above 7, 19 and 6", "stop", -3 / 28, runners="3:1 5:1 7:2"),
    case("stop.at_stake", "10 and 3 and 9 points", "stop", 22 / 28, runners="6:5 7:3 9:3"),
    case("stop.at_stake", "only what this turn climbed", "stop", 2 / 28, runners="6:5", mine="6:4"),
    case("stop.fewer", "3 spaces of the nearest column", "stop", 3 / 28, runners="7:3"),
    case("stop.fewer", "a column that is none of the nearest", "stop", 0, runners="9:1"),
    case("stop.risk", "6, 7 and 8", "stop", missed(6, 7, 8), runners="6:1 7:1 8:1"),
    case("stop.risk", "2, 3 and 12", "stop", missed(2, 3, 12), runners="2:1 3:1 12:1"),
    case("stop.expected_loss", "5 points", "stop", 5 * missed(6, 7, 8) / 7, runners="6:1 7:1 8:1"),
    case("stop.expected_loss", "17 points", "stop", 17 * missed(2, 3, 12) / 7, runners="2:1 3:1 12:1"),
    case("stop.expected_delay", "a point of the nearest", "stop", missed(6, 7, 8) / 7, runners="6:1 7:1 8:1"),
    case("stop.expected_delay", "12 points", "stop", 12 * missed(2, 3, 12) / 7, runners="2:1 3:1 12:1"),
    case("stop.expected_gain", "6, 7 and 8", "stop", brings(6, 7, 8) / 7, runners="6:1 7:1 8:1"),
    case("stop.expected_gain", "2, 3 and 12", "stop", brings(2, 3, 12) / 7, runners="2:1 3:1 12:1"),
    case("stop.runner_left", "one", "stop", 1, runners="6:1 7:1"),
    case("stop.runner_left", "none", "stop", 0, runners="6:1 7:1 8:1"),
    case("stop.runner_left", "nowhere to go", "stop", 0, runners="3:1", mine="2:1", theirs="4:1", **TINY),
    case("stop.on_top", "of 12", "stop", 1, runners="7:1 12:3"),
    case("stop.on_top", "of none", "stop", 0, runners="7:1 12:2"),
    case("stop.top_near", "a 7 would do", "stop", 834 / 1296, runners="6:1 7:12 8:1"),
    case("stop.top_near", "two 7 are missing", "stop", 0, runners="6:1 7:11 8:1"),
    case("stop.shuts_out", "6 + 13 + 18 become 13 + 18 + 22", "stop", 16 / 28, runners="12:3", theirs="12:2"),
    case("stop.shuts_out", "nothing is closed", "stop", 0, runners="12:2", theirs="12:2"),
    case("stop.ahead", "13 + 18 + 6 to 13 + 18 + 18", "stop", 12 / 28, runners="2:2"),
    case("stop.ahead", "behind", "stop", -12 / 28, runners="9:1", theirs="2:2"),
    case("stop.danger", "7 once", "stop", climbs(7, 1), runners="9:1", theirs=NEAR),
    case("stop.danger", "unless 7 is closed", "stop", wins_next("", 1, "2 3 7"), runners="7:13", theirs=NEAR),
    case("stop.promise", "7 once", "stop", climbs(7, 1), runners="7:12", mine="2:3 3:5"),
    case("stop.promise", "three columns", "stop", wins_next("7:12", 3), runners="7:12"),
    case("stop.last_stand", "two are left", "stop", AGAIN * (1 - missed(*range(4, 13))), runners="9:1", theirs=NEAR),
    case("stop.last_stand", "6, 7 and 8", "stop", AGAIN * (1 - missed(6, 7, 8)), runners="6:1 7:1 8:1", theirs=NEAR),
]  # fmt: skip


@on_written_positions(standard, STANDARD)
def test_a_standard_rule_gives_what_is_written(case: Case) -> None:
    assert_value(standard, case)


def distance(heights: dict[int, int], board: naive.Board, closed: set[int], won: int) -> int:
    """Points missing in the nearest columns."""
    middle = board.sides + 1
    points = [(board.tops[c] - heights.get(c, 0)) * (abs(c - middle) + 1) for c in board.tops if c not in closed]
    return sum(sorted(points)[: board.needed - won])


@pytest.mark.parametrize(
    "options",
    [
        *({}, {"sides": 4, "shortest": 2}, TINY, {"seats": 1}, {"sides": 4, "seats": 3}),
        pytest.param({"seats": 4}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_the_facts_are_those_of_the_oracle(options: dict[str, int]) -> None:
    for number in range(5 if compiling() else 1):
        record = recorded(draw_deals(GAME, 5, 3, options=options), number)
        board = naive.Board(**options)
        for ply, chosen in enumerate(record.chosen):
            if record.states[ply].mover != CHANCE:
                for move in record.legal[ply]:
                    assert_facts(record.position(ply), board, move)
            board.do(GAME.text.write(chosen))


def assert_facts(here: Position, board: naive.Board, move: int) -> None:
    """The facts of a move, by the oracle's board."""
    seen = facts_of(standard, here.view(), move)
    text = here.write(move)
    steps = () if text in ("stop", "roll") else tuple(int(column) for column in text.split("+"))
    runners, me, middle = board.after(board.runners, steps), board.turn, board.sides + 1
    assert runners is not None
    before = board.marks[me]
    tops = {column for column, space in runners.items() if space == board.tops[column]}
    climbed = {column: space - before.get(column, 0) for column, space in runners.items()}
    stake = sum(n * (abs(column - middle) + 1) for column, n in climbed.items())
    empty = set(board.tops) - set(board.winners) - set(runners)
    can_place = len(runners) < 3 and bool(empty)
    still_open = set(runners) - tops | (empty if can_place else set())
    closed, won = set(board.winners) | tops, board.won(me) + len(tops)
    assert (int(seen.stake), int(seen.placed), int(seen.tops)) == (stake, len(runners), len(tops))
    assert bool(seen.can_place) == can_place
    assert int(seen.open) == sum(1 << (column - 2) for column in still_open)
    assert bool(seen.wins) == (won == board.needed)
    assert int(seen.my_distance) == distance(before, board, set(board.winners), board.won(me))
    others = [(marks, board.won(seat)) for seat, marks in enumerate(board.marks) if seat != me] or [
        (before, board.won(me))
    ]
    assert int(seen.their_distance) == min(distance(m, board, set(board.winners), n) for m, n in others)
    assert int(seen.distance_left) == distance({**before, **runners}, board, closed, won)
    closed_to_them = set(board.winners) if seen.wins else closed
    if len(board.marks) == 1:  # they stand where I do before the move
        closed_to_them = set(board.winners)
    assert int(seen.distance_them) == min(distance(m, board, closed_to_them, n) for m, n in others)
