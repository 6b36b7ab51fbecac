"""The Game for one to five, who share their points: lay 98 cards on two rising and two falling piles.

A turn lays two cards or more, one while the pack is empty, and draws as many. A card may also go exactly ten back on
its pile. Who cannot lay ends the game; the points are the cards laid.
"""

from __future__ import annotations

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game, GameText, Kind
from rulebots.game.random_numbers import next_luck
from rulebots.game.seats import seat_after
from rulebots.kernel import kernel
from rulebots.packages import GamePackage
from rulebots.players import KernelPlayer, RulePlayer
from rulebots.rules import RuleSet, rule

SEATS = 5
CARDS = 98  # 2 to 99
FIRST = 2
PILES = 4  # two that rise from 1, two that fall from 100
BACK = 10
END = CARDS * PILES
# Where a card is: in the pack, in the hand of a seat (seat + 1), or laid.
PACK = 0
LAID = SEATS + 1

STATE = np.dtype(
    [
        ("mover", np.int32),
        ("seats", np.int32),
        ("laid", np.int32),
        ("turn", np.int32),  # cards laid in this turn
        ("drawn", np.int32),
        ("stuck", np.int32),
        ("top", np.int32, (PILES,)),
        ("place", np.int8, (CARDS,)),
        ("deck", np.int32, (CARDS,)),
    ]
)
VIEW = np.dtype(
    [
        ("luck", np.int64),
        ("seats", np.int32),
        ("laid", np.int32),
        ("turn", np.int32),
        ("pack", np.int32),
        ("top", np.int32, (PILES,)),
        ("hand", np.int8, (CARDS,)),
        ("unseen", np.int8, (CARDS,)),
    ]
)


@kernel
def fits(top, pile, card):
    """Whether a card, from 0 on, may go on a pile."""
    number = card + FIRST
    if pile < 2:
        return number > top[pile] or number == top[pile] - BACK
    return number < top[pile] or number == top[pile] + BACK


@kernel
def hand_size(seats):
    """The cards that each holds."""
    if seats == 1:
        return 8
    return 7 if seats == 2 else 6


@kernel
def least(state):
    """The cards that a turn has to lay."""
    return 2 if state.drawn < CARDS else 1


@kernel
def find_stuck(state):
    """Note whether the mover has to lay a card and cannot."""
    state.stuck = 0
    if state.turn < least(state):
        state.stuck = 1
        for card in range(CARDS):
            if state.place[card] == state.mover + 1:
                for pile in range(PILES):
                    if fits(state.top, pile, card):
                        state.stuck = 0


@kernel
def draw(state, seat, count):
    """Draw cards, as long as there are any."""
    for _ in range(count):
        if state.drawn < CARDS:
            state.place[state.deck[state.drawn]] = seat + 1
            state.drawn += 1


@kernel
def cards_of(state, seat):
    """How many cards a seat holds."""
    count = 0
    for card in range(CARDS):
        count += state.place[card] == seat + 1
    return count


@kernel
def setup(state, deal, options):
    state.seats = options.seats
    for i in range(CARDS):
        state.deck[i] = deal[i]
    for pile in range(PILES):
        state.top[pile] = 1 if pile < 2 else 100
    for seat in range(state.seats):
        draw(state, seat, hand_size(state.seats))
    find_stuck(state)


@kernel
def moves(state, out):
    n = 0
    for card in range(CARDS):
        if state.place[card] == state.mover + 1:
            for pile in range(PILES):
                if fits(state.top, pile, card):
                    out[n] = card * PILES + pile
                    n += 1
    if state.turn >= least(state):
        out[n] = END
        n += 1
    return n


@kernel
def play(state, move):
    if move != END:
        card = move // PILES
        state.place[card] = LAID
        state.top[move % PILES] = card + FIRST
        state.laid += 1
        state.turn += 1
        if state.laid < CARDS and cards_of(state, state.mover) > 0:
            find_stuck(state)
            return
    draw(state, state.mover, state.turn)
    state.turn = 0
    if state.laid < CARDS:
        state.mover = seat_after(state.mover, 1, state.seats)
        while cards_of(state, state.mover) == 0:
            state.mover = seat_after(state.mover, 1, state.seats)
        find_stuck(state)


@kernel
def over(state):
    return state.laid == CARDS or state.stuck == 1


@kernel
def points(state, seat):
    return state.laid


@kernel
def observe(state, view):
    view.seats = state.seats
    view.laid = state.laid
    view.turn = state.turn
    view.pack = CARDS - state.drawn
    for pile in range(PILES):
        view.top[pile] = state.top[pile]
    for card in range(CARDS):
        mine = state.place[card] == state.mover + 1
        view.hand[card] = mine
        view.unseen[card] = not mine and state.place[card] != LAID


@kernel
def redeal(state, luck):
    mine = state.mover + 1
    unseen = np.zeros(CARDS, np.int64)
    count = 0
    sizes = np.zeros(SEATS + 1, np.int64)
    for card in range(CARDS):
        if state.place[card] != mine and state.place[card] != LAID:
            sizes[state.place[card]] += 1
            unseen[count] = card
            count += 1
    for i in range(count):
        luck = next_luck(luck)
        j = i + luck % (count - i)
        card = unseen[j]
        unseen[j] = unseen[i]
        unseen[i] = card
    n = 0
    for place in range(SEATS + 1):
        for i in range(sizes[place]):
            state.place[unseen[n]] = place
            if place == PACK:
                state.deck[state.drawn + i] = unseen[n]
            n += 1
    return luck


def draw_deals(rng, count, options):
    return np.array([rng.permutation(CARDS) for _ in range(count)], np.int64)


def told(state, move, seat):
    return move


def show(state, seat):
    piles = " ".join(f"{'abcd'[pile]}:{state.top[pile]}" for pile in range(PILES))
    lines = [f"{piles}; {state.laid} laid, {CARDS - state.drawn} in the pack"]
    hands = {one: np.flatnonzero(state.place == one + 1) + FIRST for one in range(state.seats) if seat in (None, one)}
    return "\n".join([*lines, *(f"seat {one} holds {' '.join(map(str, hand))}" for one, hand in hands.items())])


def write(move):
    return "end" if move == END else f"{move // PILES + FIRST}{'abcd'[move % PILES]}"


def read(text, state):
    word = text.strip().lower()
    if word == "end":
        return END
    number, pile = word[:-1], "abcd".find(word[-1:])
    if not number.isdecimal() or not FIRST <= int(number) < FIRST + CARDS or pile < 0:
        raise UsageError(f"expected a card and a pile, such as 37a, or end, not {text!r}")
    return (int(number) - FIRST) * PILES + pile


@kernel
def kind(move):
    return 1 if move == END else 0


game = Game(
    name="the-game",
    title="The Game",
    state=STATE,
    view=VIEW,
    seats=(1, SEATS),
    aim="together",
    most_points=CARDS,
    move_count=END + 1,
    ply_cap=2 * CARDS + SEATS,
    kinds=(Kind("lay", {"lay": 1.0}), Kind("end", {"end": 1.0})),
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    kind=kind,
    draw_deals=draw_deals,
    hidden=True,
    redeal=redeal,
    told=told,
    text=GameText(show=show, write=write, read=read),
)


@kernel
def step(view, move):
    """How far a card goes on its pile; ten back is -10."""
    pile = move % PILES
    number = move // PILES + FIRST
    return number - view.top[pile] if pile < 2 else view.top[pile] - number


@rule("lay", early=-1.0)
def far(view, move):
    """How far the card goes, in tens."""
    return step(view, move) / 10


@rule("lay", early=1.0)
def back(view, move):
    """It goes ten back."""
    return step(view, move) == -BACK


@rule("lay", early=-1.0)
def passes_own(view, move):
    """Cards of its own that the step passes."""
    top = view.top[move % PILES]
    number = move // PILES + FIRST
    count = 0
    for card in range(min(top, number) + 1 - FIRST, max(top, number) - FIRST):
        count += view.hand[card]
    return count


@rule("lay", early=1.0)
def enables_back(view, move):
    """Its hand has the card that then goes ten back."""
    other = move // PILES + (-BACK if move % PILES < 2 else BACK)
    return 0 <= other < CARDS and view.hand[other] == 1


@rule("lay", early=-0.5)
def spoils_back(view, move):
    """Its hand has the card that would have gone ten back."""
    pile = move % PILES
    other = view.top[pile] + (-BACK if pile < 2 else BACK) - FIRST
    return 0 <= other < CARDS and view.hand[other] == 1 and step(view, move) != -BACK


@rule("lay", early=-0.5)
def unseen_passed(view, move):
    """Unseen cards that the step passes, in tens."""
    top = view.top[move % PILES]
    number = move // PILES + FIRST
    count = 0
    for card in range(min(top, number) + 1 - FIRST, max(top, number) - FIRST):
        count += view.unseen[card]
    return count / 10


@kernel
def cheapest(view):
    """The smallest step that its hand offers."""
    best = 100
    for card in range(CARDS):
        if view.hand[card] == 1:
            for pile in range(PILES):
                if fits(view.top, pile, card):
                    best = min(best, step(view, card * PILES + pile))
    return best


@rule("end", early=-0.3)
def stop(view, move):
    """It ends the turn: the threshold, in tens of the steps that it spares."""
    return 1.0


@rule("end", early=0.0)
def cheap_left(view, move):
    """It ends the turn: the smallest step that its hand offers, in tens."""
    return cheapest(view) / 10


@rule("end", early=-1.0)
def back_left(view, move):
    """It ends the turn though a card could go ten back."""
    return cheapest(view) == -BACK


@kernel
def progress(view):
    return view.laid / CARDS


simple = RuleSet(
    "simple",
    game,
    (far, back, passes_own, enables_back, spoils_back, unseen_passed, stop, cheap_left, back_left),
    progress=progress,
    meaning="nine rules",
)


@kernel
def choose_least(view, moves, n, weights, blended, scores):
    """The smallest step; the turn ends as soon as it may."""
    if moves[n - 1] == END:
        return END
    best = moves[0]
    for i in range(n):
        if step(view, moves[i]) < step(view, best):
            best = moves[i]
    return best


package = GamePackage(
    __name__,
    game=game,
    rule_sets=(simple,),
    players={
        "hand": lambda: RulePlayer(simple, simple.hand_tuned(), "hand"),
        "least": lambda: KernelPlayer(game, choose_least, "least"),
    },
    references=("hand", "least", "random"),
)
