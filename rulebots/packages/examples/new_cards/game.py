"""The law of New cards: four tricks with hidden hands; the higher card takes each.

This is an example. Replace it by your game, function by function.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError
from rulebots.game import Game, GameText, Kind, Moves, State, View
from rulebots.game.random_numbers import next_luck
from rulebots.game.seats import seat_after
from rulebots.kernel import kernel

SEATS = (2, 4)  # how many play: (fewest, most)
MOST = SEATS[1]
HAND = 4
CARDS = HAND * (MOST + 1)  # the other cards stay in the box, unseen
# Where a card is: in the box, in the hand of a seat (seat + 1), or played.
BOX = 0
PLAYED = MOST + 1

# Everything that the referee knows. `mover` is the seat, from 0 on, that decides next.
STATE = np.dtype(
    [
        ("mover", np.int32),
        ("seats", np.int32),  # how many play
        ("led", np.int32),  # the highest card on the table + 1, 0 for none
        ("taker", np.int32),  # the seat whose card that is
        ("laid", np.int32),  # cards on the table
        ("tricks", np.int32, MOST),  # by seat
        ("place", np.int8, CARDS),  # of each card
    ],
    align=True,
)
# What the mover may know. `luck` is a random state, fresh at every decision.
# Arrays by seat go by place: the mover's own first, then that of the next seat.
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("seats", np.int32),
        ("led", np.int32),
        ("tricks", np.int32, MOST),
        ("hand", np.int8, CARDS),  # 1: the mover holds this card
        ("played", np.int8, CARDS),  # 1: it was played
    ],
    align=True,
)


@kernel
def setup(state: State, deal: Any, options: Any) -> None:
    """Fill a state of zeros; `deal` is one row of `draw_deals`."""
    state.seats = options.seats
    for i in range(state.seats * HAND):
        state.place[deal[i]] = 1 + i % state.seats


@kernel
def moves(state: State, out: Moves) -> int:
    """Write the legal moves into `out`; return how many. A move is a card."""
    n = 0
    for card in range(CARDS):
        if state.place[card] == state.mover + 1:
            out[n] = card
            n += 1
    return n


@kernel
def play(state: State, move: int) -> None:
    """Make a legal move, and say who decides next: who takes a trick leads."""
    state.place[move] = PLAYED
    if move + 1 > state.led:
        state.led = move + 1
        state.taker = state.mover
    state.laid += 1
    state.mover = seat_after(state.mover, 1, state.seats)
    if state.laid == state.seats:
        state.mover = state.taker
        state.tricks[state.mover] += 1
        state.led = 0
        state.taker = 0
        state.laid = 0


@kernel
def over(state: State) -> bool:
    """Whether the game has ended."""
    return state.tricks.sum() == HAND


@kernel
def points(state: State, seat: int) -> int:
    """A seat's points, a whole number; more points win."""
    return state.tricks[seat]


@kernel
def observe(state: State, view: View) -> None:
    """Write what the mover may know, and nothing else, into every field."""
    view.led = state.led
    view.seats = state.seats
    for place in range(state.seats):
        view.tricks[place] = state.tricks[seat_after(state.mover, place, state.seats)]
    for card in range(CARDS):
        view.hand[card] = state.place[card] == state.mover + 1
        view.played[card] = state.place[card] == PLAYED


@kernel
def redeal(state: State, luck: int) -> int:
    """Deal again what the mover cannot know; return the next random state.

    Each of the others gets as many of the unseen cards as before, all equally likely.
    """
    mine = state.mover + 1
    unseen = 0
    held = np.zeros(MOST + 1, np.int64)  # unseen cards in the box and in each hand
    for card in range(CARDS):
        if state.place[card] != mine and state.place[card] != PLAYED:
            held[state.place[card]] += 1
            unseen += 1
    for card in range(CARDS):
        if state.place[card] != mine and state.place[card] != PLAYED:
            luck = next_luck(luck)
            drawn = luck % unseen
            place = 0
            while drawn >= held[place]:
                drawn -= held[place]
                place += 1
            state.place[card] = place
            held[place] -= 1
            unseen -= 1
    return luck


@kernel
def undeal(
    state: State,
    seats: Any,
    moves: Moves,
    options: Any,
    deal: Any,
    luck: int,
) -> int:
    """Write a deal from which these moves lead to this state; return the next random state.

    By it a search asks how well the others' moves go with a redeal.
    """
    owner = np.zeros(CARDS, np.int64)  # of each card at first
    for card in range(CARDS):
        if state.place[card] != PLAYED:
            owner[card] = state.place[card]
    for ply in range(moves.shape[0]):
        owner[moves[ply]] = seats[ply] + 1
    dealt = np.zeros(MOST + 1, np.int64)  # to the box and to each seat, so far
    for card in range(CARDS):
        to = owner[card]
        if to == BOX:
            deal[state.seats * HAND + dealt[to]] = card
        else:
            deal[dealt[to] * state.seats + to - 1] = card
        dealt[to] += 1
    return luck


def told(state: State, move: int, seat: int) -> int:
    """All see every move."""
    return move


def draw_deals(
    rng: np.random.Generator,
    count: int,
    options: Any,
) -> npt.NDArray[np.int64]:
    """Everything that is dealt: a shuffled pack, int64[count, CARDS]."""
    return np.array([rng.permutation(CARDS) for _ in range(count)], np.int64)


def show(state: State, seat: int | None) -> str:
    """The position for people, as that seat may see it; seat None sees all."""
    lines = ["tricks: " + " to ".join(map(str, state.tricks[: state.seats]))]
    if state.led:
        lines.append(f"on the table: {state.led} of seat {state.taker}")
    for each in range(state.seats):
        if seat in (None, each):
            held = np.flatnonzero(state.place == each + 1) + 1
            lines.append(f"seat {each} holds {' '.join(map(str, held))}")
    return "\n".join(lines)


def write(move: int) -> str:
    """A move as a person types it."""
    return str(move + 1)


def read(text: str, state: State) -> int:
    """The move that a text means; it may be illegal."""
    word = text.strip()
    if word not in [str(number) for number in range(1, CARDS + 1)]:
        raise UsageError(f"expected a card, 1 to {CARDS}, not {word!r}")
    return int(word) - 1


game = Game(
    name="new-cards",
    title="New cards",
    state=STATE,
    view=VIEW,
    seats=SEATS,  # the option `seats` says how many play
    move_count=CARDS,  # moves are 0 to move_count - 1
    ply_cap=MOST * HAND,  # a game that is not over by then is stalled
    # Each kind of move, and how it mixes the groups of rules.
    kinds=(Kind("play", {"play": 1.0}),),
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    text=GameText(
        show=show,
        write=write,
        read=read,
    ),
    draw_deals=draw_deals,
    hidden=True,  # whether anything is hidden from a player
    redeal=redeal,
    undeal=undeal,
    told=told,
)
