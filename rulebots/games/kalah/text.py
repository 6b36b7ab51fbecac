"""Kalah for people: the board in text, and moves as the number of a pit."""

import re
from collections.abc import Iterable

from rulebots.errors import PositionError, demand, demand_at
from rulebots.game import State
from rulebots.game.text import in_words
from rulebots.games.kalah.sowing import ABROAD, sow


def show(state: State, seat: int | None) -> str:
    """The board with that seat's side below (the mover's with seat None), and the numbers of the pits.

    Each side's pits are numbered as its moves are: from 0, its own leftmost, so that the upper row counts backwards.
    The viewer's row says so.
    """
    pits = int(state.pits)
    below = (state.mover if seat is None else seat) * (pits + 1)
    ring = [int(state.board[(below + slot) % (2 * pits + 2)]) for slot in range(2 * pits + 2)]
    mine = range(pits)
    theirs = range(2 * pits, pits, -1)
    return "\n".join(
        [
            _row(reversed(mine)),
            _row(ring[slot] for slot in theirs),
            f"{ring[2 * pits + 1]:>3}{' ' * 4 * pits} {ring[pits]:>3}",
            _row(ring[slot] for slot in mine) + "    yours" * (seat is not None),
            _row(mine),
        ]
    )


def write(move: int) -> str:
    """The pit that is emptied: 0 is the mover's leftmost."""
    return str(move)


def read(text: str, state: State) -> int:
    """The move that a text means; it is illegal if the pit is empty.

    Raises:
        UsageError: the text is not a pit of the mover.
    """
    word = re.sub(r"^pit\s*", "", text.strip().lower())
    demand(
        re.fullmatch("[0-9]|1[0-9]", word) and int(word) < state.pits,
        f"expected one of your pits, 0 (the leftmost) to {state.pits - 1}, not {word!r}",
    )
    return int(word)


def task(state: State) -> str:
    """What a turn is."""
    return "choose a pit of yours to sow"


def sentence(state: State, move: int) -> str:
    """What a legal move does: it sows a pit, and may capture, move again or end the game with a sweep."""
    pits = int(state.pits)
    first = int(state.mover) * (pits + 1)
    ring = state.board.astype(int)
    last, _, _, captured = sow(ring, pits, first, move, int(state.empty_capture))
    deeds = [f"sow(s) pit {move}"]
    if last not in (ABROAD, first + pits) and ring[last] == 0:
        deeds.append(f"capture(s) {captured}" if captured else "store(s) its last stone")
    left = [int(ring[side : side + pits].sum()) for side in (first, pits + 1 - first)]
    if 0 in left:
        deeds.append(f"end(s) the game{': each side keeps the stones left in its pits' * any(left)}")
    elif last == first + pits:
        deeds.append("move(s) again")
    return in_words(deeds)


def write_position(state: State) -> str:
    """Both sides in text, each from its own left, the store last, then the seat to move: `4,4,0/4,4,0 0`."""
    cells = int(state.pits) + 1
    sides = (",".join(str(int(n)) for n in state.board[first : first + cells]) for first in (0, cells))
    return f"{'/'.join(sides)} {int(state.mover)}"


def read_position(text: str, state: State) -> None:
    """Turn the first position into that of a text.

    Raises:
        PositionError: not such a text, another number of stones, or an empty side although the other can still move.
    """
    cells = int(state.pits) + 1
    stones = int(state.board.sum())
    match = re.fullmatch(r"\s*([0-9,]+)/([0-9,]+)\s+([01])\s*", text)
    if match is None:
        raise PositionError(text, 0, "expected both sides and the seat to move, such as '4,4,0/4,4,0 0'")
    for seat in (0, 1):
        words = match[seat + 1].split(",")
        demand_at(
            len(words) == cells and all(re.fullmatch("[0-9]{1,4}", word) for word in words),
            text,
            match.start(seat + 1),
            f"expected {cells} numbers, the stones of {cells - 1} pits and of the store, not '{match[seat + 1]}'",
        )
        state.board[seat * cells : (seat + 1) * cells] = [int(word) for word in words]
        state.left[seat] = sum(int(word) for word in words[:-1])
    found = int(state.board.sum())
    demand_at(found == stones, text, 0, f"expected {stones} stones in all, not {found}")
    if (state.left[0] == 0) != (state.left[1] == 0):
        empty = int(state.left[0] > 0)
        message = f"seat {empty} has no stones, so the game is over: expected those of seat {1 - empty} in its store"
        raise PositionError(text, match.start(2 - empty), message)
    state.mover = int(match[3])


def refusal(state: State, move: int) -> str:
    """Why a move is not legal: its pit is empty, or not on a smaller board."""
    return f"pit {move} is empty" if move < state.pits else f"the last pit is {state.pits - 1}, not {move}"


def _row(numbers: Iterable[int]) -> str:
    return "   " + "".join(f"{number:>4}" for number in numbers)
