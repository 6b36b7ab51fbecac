"""Can't Stop for people: the board in text, moves as `6+8`, `7`, `stop`, `roll` or dice, `1-3-3-4`, and positions.

A position is one line: what X has climbed, what O has, the runners, the seat to move, what is next. The third and
fourth seats are T and V.
"""

import re
from collections.abc import Callable, Sequence

import numpy as np

from rulebots.errors import PositionError, UsageError, demand_at
from rulebots.game import CHANCE, State
from rulebots.game.text import in_words
from rulebots.games.cant_stop.moves import (
    BROUGHT,
    DICE,
    FIRST_ROLL,
    HIGH,
    LOW,
    NO_COLUMN,
    ORDERS,
    PAIRED,
    ROLL,
    ROLL_OF,
    ROLLS,
    ROLLS_WITH,
    RUNNERS,
    STEP,
    STOP,
    WAYS,
    columns_of,
    length_of,
    room,
)

SEATS = "XOTV"
NUMBERS = ("none", "one", "two", "three", "four", "five")
RUNNER = "*"
BOTH = "&"
SPACE = "."
#: What is next, where it is not to use a roll: the dice roll, or a player says whether they do.
TO_ROLL = "dice"
TO_DECIDE = "decide"


def show(state: State, seat: int | None) -> str:
    """The columns from left to right, each a row that climbs to the right, and what is to be done.

    X has climbed to its X, O to its O, & is both; * is a runner. A won column is full of its winner's letter. Where
    more than two play, & means several, and a row ends with the seats that share a space.
    """
    rows = [_row(state, column) for column in range(columns_of(int(state.sides)))]
    return "\n".join([*rows, to_do(state)])


def length_of_column(state: State, column: int) -> int:
    """The spaces of a column."""
    return length_of(int(state.sides), int(state.shortest), column)


def _row(state: State, column: int) -> str:
    length = length_of_column(state, column)
    if state.closed >> column & 1:
        spaces = SEATS[winner_of_column(state, column)] * length
    else:
        on = [""] * (length + 1)
        for seat in range(int(state.seats)):
            on[int(state.height[seat, column])] += SEATS[seat]
        if state.runner[column]:
            on[int(state.runner[column])] += RUNNER
        spaces = "".join(marks[-1] if RUNNER in marks else BOTH if marks[1:] else marks or SPACE for marks in on[1:])
        shared = [marks for marks in on[1:] if len(marks) > 1] if state.seats > 2 else []
        spaces = "  ".join([spaces, *shared])
    return f"{column + 2:>2} {spaces}"


def winner_of_column(state: State, column: int) -> int:
    """The seat that has won a column: the others have nothing there."""
    return int(state.height[:, column].argmax())


def column_text(state: State, column: int) -> str:
    """The heights and the runner of a column, in words."""
    if state.closed >> column & 1:
        return f"won by {{{winner_of_column(state, column)}}}"
    heights = [f"{{{who}}} {int(state.height[who, column])}" for who in range(int(state.seats))]
    runner = [f"runner {int(state.runner[column])}"] * bool(state.runner[column])
    return f"{', '.join([*heights, *runner])} of {length_of_column(state, column)}"


def won_text(state: State) -> str:
    """The columns that each seat has won, in words."""
    won = (f"{{{who}}} {int(state.won[who])}" for who in range(int(state.seats)))
    return f"columns won: {', '.join(won)} of {int(state.needed)}"


def to_do(state: State, names: Sequence[str] = SEATS) -> str:
    """The side to move and what the dice show, or the winner; `names` are those of the seats."""
    who = names[int(state.turn)]
    if max(state.won) >= state.needed:
        return f"won by {who}" if state.seats > 1 else f"won by {who}, in turn {int(state.turns)}"
    left = f"{int(state.free)} of 3 runners left"
    if state.seats == 1:
        left += f", turn {int(state.turns) + 1}"
    if state.mover == CHANCE:
        return f"{who} to roll the dice, {left}"
    return f"{who} to use {write(int(state.roll))}, {left}" if state.roll else f"{who} to stop or roll, {left}"


def write(move: int) -> str:
    """`stop`, `roll`, the columns in which a move advances (`6+8`, `7+7`, `7`), or what the dice show (`1-3-3-4`)."""
    if move >= FIRST_ROLL:
        return "-".join(map(str, ROLLS[move - FIRST_ROLL]))
    if move in (STOP, ROLL):
        return "roll" if move == ROLL else "stop"
    return "+".join(str(column + 2) for column in (LOW[move], HIGH[move]) if column != NO_COLUMN)


def task(state: State) -> str:
    """Whether the dice show columns, or it is to be decided whether they are rolled again, and at what risk."""
    if state.roll:
        return "choose columns to advance in"
    return f"stop, or roll again ({_risk(state)})"


def _risk(state: State) -> str:
    """How likely the next roll is a bust."""
    busts = sum(int(ORDERS[roll]) for roll in range(int(ROLLS_WITH[state.sides])) if not _usable(state, roll))
    share = 100 * busts / int(state.sides) ** 4
    return f"{'under 1' if share < 0.5 else f'{share:.0f}'} % bust" if busts else "no risk"


def grounds(state: State, move: int) -> str:
    """What decides whether to stop or to roll again, or how often dice allow the columns of a move, and the others."""
    if move not in (STOP, ROLL):
        rolls, roll, own = slice(ROLLS_WITH[state.sides]), state.roll - FIRST_ROLL, (LOW[move], HIGH[move])
        shares = [
            (column, 100 * (ORDERS[rolls] * (BROUGHT[rolls] >> column & 1)).sum() / int(state.sides) ** DICE)
            for column in sorted({*PAIRED[roll, : WAYS[roll]].ravel().tolist()})
            if room(state, column)
        ]
        told = [
            in_words([f"{share:.0f} % allow {column + 2}" for column, share in shares if (column in own) is chosen])
            for chosen in (True, False)
        ]
        return f"Of all rolls, {'; '.join(filter(None, told))}."
    climbed = (state.runner - state.height[state.turn])[state.runner > 0].sum()
    return f"The next roll: {_risk(state)}; spaces at stake: {climbed}."


def sentence(state: State, move: int, play: Callable[[State, int], None]) -> str:
    """The columns that a move climbs, keeps or wins by, or what the dice show; a roll that cannot be used is a bust.

    `play` makes the move.
    """
    climbing = np.flatnonzero(state.runner).tolist()
    runners = [str(column + 2) for column in climbing]
    if move >= FIRST_ROLL:
        who = f"{{{int(state.turn)}}}"
        # Who it is has been told once in a turn.
        rolled = "The dice show" if runners else f"{who} roll(s)"
        dice = f"{rolled} {in_words([str(die) for die in ROLLS[move - FIRST_ROLL]])}"
        lost = f" and lose(s) what was climbed in {in_words(runners)}" if runners else ""
        return dice if _usable(state, move - FIRST_ROLL) else f"{dice}: {who} bust(s){lost}"
    if move in (STOP, ROLL):
        full = [str(column + 2) for column in climbing if state.runner[column] >= length_of_column(state, column)]
        won = f", and win(s) {'columns' if full[1:] else 'column'} {in_words(full)}" if full else ""
        return f"stop(s) and keep(s) {in_words(runners)}{won}" if move == STOP else "roll(s) again"
    columns = write(move).split("+")
    climbs = f"advance(s) twice in {columns[0]}" if columns[1:] == columns[:1] else f"advance(s) in {in_words(columns)}"
    after = state.copy()
    play(after, move)
    counts = sorted(after.won[: int(state.seats)].tolist())
    if counts[-1] < state.needed:
        return climbs
    kept = in_words([str(column) for column in sorted({*map(int, runners), *map(int, columns)})])
    return f"{climbs}, keep(s) {kept} and win(s){f', {counts[-1]} columns to {counts[-2]}' if counts[1:] else ''}"


def read(text: str, state: State) -> int:
    """The move that a text means, legal or not; columns and dice may come in any order, parted by blanks too.

    Raises:
        UsageError: the text is not a move.
    """
    word = text.strip().lower()
    sides = int(state.sides)
    if word in ("stop", "roll"):
        return ROLL if word == "roll" else STOP
    parts = re.split(r"[-+,\s]+(?:and\s+)?", word)
    numbers = sorted(int(part) for part in parts) if all(re.fullmatch("[0-9]{1,2}", part) for part in parts) else []
    if len(numbers) == DICE and numbers[0] >= 1 and numbers[-1] <= sides:
        return FIRST_ROLL + ROLL_OF[tuple(numbers)]
    if len(numbers) in (1, 2) and numbers[0] >= 2 and numbers[-1] <= 2 * sides:
        low, high = (*(number - 2 for number in numbers), NO_COLUMN)[:2]
        return int(STEP[low, high])
    raise UsageError(
        f"expected 'stop', 'roll', the columns to advance in, from 2 to {2 * sides} ('6+8', '7'), or four dice from 1 "
        f"to {sides} ('1-2-2-{sides}'), not {text.strip()!r}"
    )


def refusal(state: State, move: int) -> str:
    """Why a move is not legal."""
    if state.mover == CHANCE:
        return "the dice are to be rolled: expected four dice such as '1-1-2-2'"
    if not state.roll:
        return "the last roll has been used: expected 'stop' or 'roll'"
    dice = write(int(state.roll))
    roll = int(state.roll) - FIRST_ROLL
    if move in (STOP, ROLL):
        return f"{dice} must be used before you stop or roll again"
    pairs = [f"{low + 2}+{high + 2}" for low, high in PAIRED[roll, : WAYS[roll]].tolist()]
    sums = in_words(pairs).replace(" and ", " or ")
    return f"{dice} makes {sums}: expected the columns of one of them, both if both can advance"


def write_position(state: State) -> str:
    """Each seat's spaces from the left column to the right, X's first, the runners or `-`, then seat and what is next.

    A column is won by the seat that stands on its last space. What is next is `dice`, the roll to be used, `decide`
    (to stop or to roll again), or `-` where the game is over. Alone, the turns that have ended follow.
    """
    seats = int(state.seats)
    columns = columns_of(int(state.sides))
    lists = [",".join(map(str, spaces[:columns].tolist())) for spaces in (*state.height[:seats], state.runner)]
    if not state.runner.any():
        lists[-1] = "-"
    if max(state.won) >= state.needed:
        following = "-"
    elif state.mover == CHANCE:
        following = TO_ROLL
    else:
        following = write(int(state.roll)) if state.roll else TO_DECIDE
    alone = f" {int(state.turns)}" if seats == 1 else ""
    return f"{'/'.join(lists)} {SEATS[int(state.turn)]} {following}{alone}"


def read_position(text: str, state: State) -> None:
    """Turn the first position into that of a text.

    Raises:
        PositionError: not such a text, or one that no game with these options can come to.
    """
    seats = int(state.seats)
    columns = columns_of(int(state.sides))
    numbers = ",".join(["[0-9]{1,2}"] * columns)
    form = rf"\s*{f'({numbers})/' * seats}(?P<runners>{numbers}|-)\s+(?P<seat>[{SEATS[:seats]}])\s+(?P<next>\S+)"
    form += r"\s+(?P<turns>[0-9]{1,4})\s*" if seats == 1 else r"\s*"
    match = re.fullmatch(form, text)
    if match is None:
        parts = f"{NUMBERS[seats + 1]} lists of {columns} spaces, a seat, what is next" + ", the turns so far" * (
            seats == 1
        )
        example = "/".join([",".join("0" * columns)] * seats) + "/- X dice" + " 0" * (seats == 1)
        raise PositionError(text, 0, f"expected {parts}, such as '{example}'")
    state.turn = SEATS.index(match["seat"])
    if seats == 1:
        state.turns = int(match["turns"])
    for seat in range(seats):
        state.height[seat, :columns] = _spaces(match, 1 + seat, state)
    for column in range(columns):
        _read_winner(match, column, state)
    if match["runners"] != "-":
        _read_runners(match, state)
    _read_next(match, state)


def _demand(right: object, match: re.Match[str], group: int | str, message: str) -> None:
    demand_at(right, match.string, match.start(group), message)


def _spaces(match: re.Match[str], group: int | str, state: State) -> list[int]:
    """A list of spaces, none beyond its column."""
    spaces = [int(word) for word in match[group].split(",")]
    for column, space in enumerate(spaces):
        length = length_of_column(state, column)
        _demand(space <= length, match, group, f"column {column + 2} has {length} spaces, not {space}")
    return spaces


def _read_winner(match: re.Match[str], column: int, state: State) -> None:
    heights = state.height[: int(state.seats), column].tolist()
    if length_of_column(state, column) not in heights:
        return
    winner = winner_of_column(state, column)
    state.won[winner] += 1
    state.closed |= 1 << column
    for other, height in enumerate(heights):
        message = f"{SEATS[winner]} has won column {column + 2}: expected 0 there for {SEATS[other]}"
        _demand(not height or other == winner, match, 1 + other, message)


def _read_runners(match: re.Match[str], state: State) -> None:
    runners = _spaces(match, "runners", state)
    state.free = RUNNERS - np.count_nonzero(runners)
    _demand(state.free >= 0, match, "runners", f"expected {RUNNERS} runners at most, not {RUNNERS - state.free}")
    for column, runner in enumerate(runners):
        height = int(state.height[state.turn, column])
        closed = state.closed >> column & 1
        expected = "no runner there" if closed else f"a runner above space {height}, not {runner}"
        possible = not runner or (runner > height and not closed)
        _demand(possible, match, "runners", f"column {column + 2}: expected {expected}")
        state.topped += runner == length_of_column(state, column)
        state.runner[column] = runner
    _demand(
        state.won[state.turn] + state.topped < state.needed,
        match,
        "runners",
        f"the runners win the game for {match['seat']}: expected it to be over, their spaces climbed",
    )


def _read_next(match: re.Match[str], state: State) -> None:
    following = match["next"]
    winners = np.flatnonzero(state.won >= state.needed).tolist()
    state.mover = CHANCE if following == TO_ROLL else state.turn
    if winners or following == "-":
        over = following == "-" and winners == [state.turn] and not state.runner.any()
        _demand(over, match, "next", "expected '-' where the seat alone has won and no runner is left, and only there")
    elif following == TO_DECIDE:
        nothing = f"nothing has been climbed yet: expected '{TO_ROLL}' or a roll, not '{TO_DECIDE}'"
        _demand(state.runner.any(), match, "next", nothing)
    elif following != TO_ROLL:
        state.roll = _roll(match, state)


def _roll(match: re.Match[str], state: State) -> int:
    """The outcome of a roll that can be used."""
    try:
        roll = read(match["next"], state) - FIRST_ROLL
    except UsageError:
        roll = -1
    _demand(
        roll >= 0,
        match,
        "next",
        f"expected '{TO_ROLL}', '{TO_DECIDE}' or a roll of dice from 1 to {int(state.sides)}, such as '1-1-2-2', "
        f"not '{match['next']}'",
    )
    useless = f"{match['next']} cannot be used here, which ends the turn: expected the next one's roll"
    _demand(_usable(state, roll), match, "next", useless)
    return FIRST_ROLL + roll


def _usable(state: State, roll: int) -> bool:
    return any(room(state, column) for column in PAIRED[roll, : WAYS[roll]].ravel().tolist())
