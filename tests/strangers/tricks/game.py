"""The law of New game: four tricks with hidden hands; the higher card takes each.

This is an example. Replace it by your game, function by function.
"""

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game, GameText, Kind
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import kernel

CARDS = 12
HAND = 4  # the other cards stay in the box, unseen
# Where a card is: in the box, in the hand of a seat (seat + 1), or played.
BOX, PLAYED = 0, 3

# Everything that the referee knows. `mover` is the seat, 0 or 1, that decides next.
STATE = np.dtype(
    [
        ("mover", np.int32),
        ("led", np.int32),  # the card on the table + 1, 0 for none
        ("tricks", np.int32, 2),  # by seat
        ("place", np.int8, CARDS),  # of each card
    ],
    align=True,
)
# What the mover may know. `luck` is a random state, fresh at every decision.
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("led", np.int32),
        ("mine", np.int32),  # tricks
        ("theirs", np.int32),
        ("hand", np.int8, CARDS),  # 1: the mover holds this card
        ("played", np.int8, CARDS),  # 1: it was played
    ],
    align=True,
)


@kernel
def setup(state, deal, options):
    """Fill a state of zeros; `deal` is one row of `draw_deals`."""
    for i in range(2 * HAND):
        state.place[deal[i]] = 1 + i % 2


@kernel
def moves(state, out):
    """Write the legal moves into `out`; return how many. A move is a card."""
    n = 0
    for card in range(CARDS):
        if state.place[card] == state.mover + 1:
            out[n] = card
            n += 1
    return n


@kernel
def play(state, move):
    """Make a legal move, and say who decides next: who takes a trick leads."""
    state.place[move] = PLAYED
    if state.led == 0:
        state.led = move + 1
        state.mover = 1 - state.mover
        return
    if move + 1 < state.led:
        state.mover = 1 - state.mover
    state.tricks[state.mover] += 1
    state.led = 0


@kernel
def over(state):
    """Whether the game has ended."""
    return state.tricks[0] + state.tricks[1] == HAND


@kernel
def points(state, seat):
    """A seat's points, a whole number; more points win."""
    return state.tricks[seat]


@kernel
def observe(state, view):
    """Write what the mover may know, and nothing else, into every field."""
    view.led = state.led
    view.mine = state.tricks[state.mover]
    view.theirs = state.tricks[1 - state.mover]
    for card in range(CARDS):
        view.hand[card] = state.place[card] == state.mover + 1
        view.played[card] = state.place[card] == PLAYED


@kernel
def redeal(state, luck):
    """Deal again what the mover cannot know; return the next random state.

    The opponent gets as many of the unseen cards as before, each equally likely.
    """
    theirs = 2 - state.mover
    unseen, held = 0, 0
    for card in range(CARDS):
        unseen += (state.place[card] == BOX) | (state.place[card] == theirs)
        held += state.place[card] == theirs
    for card in range(CARDS):
        if state.place[card] == BOX or state.place[card] == theirs:
            luck = next_luck(luck)
            taken = luck % unseen < held
            state.place[card] = theirs if taken else BOX
            unseen -= 1
            held -= taken
    return luck


@kernel
def undeal(state, seats, moves, options, deal, luck):
    """Write a deal from which these moves lead to this state; return the next random state.

    By it a search asks how well the opponent's moves go with a redeal.
    """
    owner = np.zeros(CARDS, np.int64)  # of each card at first
    for card in range(CARDS):
        if state.place[card] != PLAYED:
            owner[card] = state.place[card]
    for ply in range(moves.shape[0]):
        owner[moves[ply]] = seats[ply] + 1
    first, second, rest = 0, 1, 2 * HAND
    for card in range(CARDS):
        if owner[card] == 1:
            deal[first] = card
            first += 2
        elif owner[card] == 2:
            deal[second] = card
            second += 2
        else:
            deal[rest] = card
            rest += 1
    return luck


def told(state, move, seat):
    """Both see every move."""
    return move


def draw_deals(rng, count, options):
    """Everything that is dealt: a shuffled pack, int64[count, CARDS]."""
    return np.array([rng.permutation(CARDS) for _ in range(count)], np.int64)


def show(state, seat):
    """The position for people, as that seat may see it; seat None sees all."""
    lines = [f"tricks: {state.tricks[0]} to {state.tricks[1]}"]
    if state.led:
        lines.append(f"on the table: {state.led}")
    for each in (0, 1):
        if seat in (None, each):
            held = np.flatnonzero(state.place == each + 1) + 1
            lines.append(f"seat {each} holds {' '.join(map(str, held))}")
    return "\n".join(lines)


def write(move):
    """A move as a person types it."""
    return str(move + 1)


def read(text, state):
    """The move that a text means; it may be illegal."""
    word = text.strip()
    if word not in [str(number) for number in range(1, CARDS + 1)]:
        raise UsageError(f"expected a card, 1 to {CARDS}, not {word!r}")
    return int(word) - 1


game = Game(
    name="new-game",
    title="New game",
    state=STATE,
    view=VIEW,
    move_count=CARDS,  # moves are 0 to move_count - 1
    ply_cap=2 * HAND,  # a game that is not over by then is stalled
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
    # Other defaults of `evolve run` for this game.
)
