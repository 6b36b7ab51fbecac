"""The rules of Kalah. "In fives" means divided by 5, so that a rule's value is around 1 where it matters."""

from typing import Any

import numpy as np

from rulebots.game import View
from rulebots.games.kalah.game import MAX_CELLS, game
from rulebots.games.kalah.sowing import ABROAD, COLUMNS, ROWS, best_turns, sow, stones_of
from rulebots.kernel import kernel
from rulebots.rules import RuleSet, rule, rules_of

#: Turns that the standard rules look ahead, including the one that a pit begins.
TURNS_AHEAD = 4

#: The facts, in addition to the view.
FIELDS = [
    ("mine", np.int32),  # stones in my pits
    ("theirs", np.int32),
    ("lead", np.int32),  # stones in my store less those in the opponent's
    ("total", np.int32),  # stones in the game
    ("threat", np.int32),  # the most that the opponent could capture if it were to move
    # After the pit is sown:
    ("across", np.int32),  # my stones that went to the other side
    ("captured", np.int32),  # stones of the opponent's
    ("won", np.int32),  # all stones that came into my store
    ("again", np.int32),  # I move again
    ("ends", np.int32),  # the game is over
    ("rest", np.int32),  # if so: what is swept to me less what is swept to the opponent
    ("mine_after", np.int32),
    ("theirs_after", np.int32),
    ("my_extra", np.int32),  # my pits that would bring an extra turn
    ("their_extra", np.int32),
    ("my_capture", np.int32),  # the most stones that one of my pits could capture
    ("their_capture", np.int32),
    ("empty", np.int32),  # my empty pits
    ("right", np.int32),  # how far to the right my stones lie: the sum of their pits' numbers, from 1
    ("far", np.int32),  # my pits with enough stones to reach the other side
    ("ahead", np.int32, (TURNS_AHEAD,)),  # my margin after 1, 2.. turns of best play, the first begun by the pit
    ("exposed", np.int32),  # the sum of what each of the opponent's pits could capture
    ("moves_left", np.int32),  # moves that stay on my side, roughly
    ("largest", np.int32),  # stones in my fullest pit
    ("rings", np.int16, (ROWS, MAX_CELLS)),  # workspace of the search for best turns (see sowing.py)
    ("plan", np.int32, (ROWS, COLUMNS)),
]


@kernel
def last_cell(ring: Any, pits: int, first: int, pit: int) -> int:
    """Where a pit's last stone would fall: 0..pits - 1 on its own side, pits for its store, or ABROAD."""
    stones = ring[first + pit]
    if stones == 0:
        return ABROAD
    at = pit + stones
    lap = 2 * pits + 1
    while at >= lap:
        at -= lap
    return at if at <= pits else ABROAD


@kernel
def capture(ring: Any, pits: int, first: int, pit: int) -> int:
    """The number of the other side's stones that a pit would capture."""
    at = last_cell(ring, pits, first, pit)
    stones = ring[first + pit]
    lap = 2 * pits + 1
    if at < 0 or at == pits or stones > lap or (ring[first + at] > 0 and stones < lap):
        return 0
    passed = stones > pits - pit  # one of its stones fell into the opposite pit
    return ring[2 * pits - first - at] + passed


@kernel
def find_facts(view: View) -> None:
    """Facts of the position before the move."""
    pits = view.pits
    view.mine = stones_of(view.board, pits, 0)
    view.theirs = stones_of(view.board, pits, pits + 1)
    view.lead = view.board[pits] - view.board[2 * pits + 1]
    view.total = view.mine + view.theirs + view.board[pits] + view.board[2 * pits + 1]
    view.threat = 0
    for pit in range(pits):
        view.threat = max(view.threat, capture(view.board, pits, pits + 1, pit))


@kernel
def look_at(view: View, pit: int) -> None:
    """Facts of the position after a pit is sown."""
    pits = view.pits
    alone = view.empty_capture
    ring = view.rings[0]
    for cell in range(2 * pits + 2):
        ring[cell] = view.board[cell]
    last, stored, view.across, view.captured = sow(ring, pits, 0, pit, alone)
    view.mine_after = stones_of(ring, pits, 0)
    view.theirs_after = stones_of(ring, pits, pits + 1)
    view.ends = (view.mine_after == 0) | (view.theirs_after == 0)
    view.again = (last == pits) & (view.ends == 0)
    view.won = stored + view.captured
    view.rest = view.ends * (view.mine_after - view.theirs_after)
    find_shape(view)
    # Once the game is over no turn adds anything. Else the first turn is the rest of mine, or the opponent's.
    margin = view.won + view.rest
    for turn in range(TURNS_AHEAD):
        view.ahead[turn] = margin
        if turn + view.again > 0 and not view.ends:
            first = 0 if view.again else pits + 1
            brought = best_turns(view.rings, view.plan, pits, first, alone, turn + view.again)
            view.ahead[turn] += brought if view.again else -brought


@kernel
def find_shape(view: View) -> None:
    """Fill the facts of the board after the move, one pit at a time."""
    pits = view.pits
    ring = view.rings[0]
    view.my_extra = view.their_extra = view.my_capture = view.their_capture = 0
    view.exposed = view.empty = view.right = view.far = view.moves_left = view.largest = 0
    for pit in range(pits):
        stones = ring[pit]
        view.my_extra += last_cell(ring, pits, 0, pit) == pits
        view.their_extra += last_cell(ring, pits, pits + 1, pit) == pits
        view.my_capture = max(view.my_capture, capture(ring, pits, 0, pit))
        loss = capture(ring, pits, pits + 1, pit)
        view.their_capture = max(view.their_capture, loss)
        view.exposed += loss
        view.empty += stones == 0
        view.right += stones * (pit + 1)
        view.far += stones > pits - pit  # its stones would reach the other side
        view.moves_left += (stones > 0) * (pits - pit) * (stones <= pits - pit)
        view.largest = max(view.largest, stones)


@kernel
def gone(view: View) -> float:
    """The share of the stones that are in the stores."""
    return 1.0 - (view.mine + view.theirs) / view.total


FIVE = 5.0

# --- win: what the move brings; "then" is after it


@rule("win", early=0.5, says="get(s) another turn")
def extra_turn(view: View, pit: int) -> bool:
    """Its last stone falls into my store, so that I move again."""
    return view.again != 0


@rule("win", early=0.1, says="bring(s) <5 stones> home")
def stones_won(view: View, pit: int) -> float:
    """Stones that it brings into my store, in fives."""
    return view.won / FIVE


@rule("win", says="capture(s) stones")
def captures(view: View, pit: int) -> bool:
    """It captures some of the opponent's stones."""
    return view.captured > 0


@rule("win", says="capture(s) <5 stones>")
def capture_size(view: View, pit: int) -> float:
    """How many of the opponent's stones it captures, in fives."""
    return view.captured / FIVE


@rule("win", early=0.2, says="[win(s)|lose(s)|win(s)] <5 stones> this turn", ahead=1)
def best_turn_won(view: View, pit: int) -> float:
    """The margin that my best turn beginning with it wins, extra turns included, in fives."""
    return view.ahead[0] / FIVE


@rule(
    "win",
    early=1.0,
    says="[gain(s)|lose(s)|gain(s)] <5 points> on balance, counting the opponent's best reply",
    ahead=2,
)
def exchange(view: View, pit: int) -> float:
    """The margin after my best turn beginning with it and the opponent's best answer, in fives."""
    return view.ahead[1] / FIVE


@rule("win", says="[gain(s)|lose(s)|gain(s)] <5 points> on balance by the end of my next turn", ahead=3)
def next_turn_won(view: View, pit: int) -> float:
    """The margin after my best turn beginning with it, the opponent's best answer and mine, in fives."""
    return view.ahead[2] / FIVE


@rule("win", early=1.0, says="[gain(s)|lose(s)|gain(s)] <5 points> on balance over two turns of each side", ahead=4)
def next_exchange(view: View, pit: int) -> float:
    """The margin after the best two turns of each side, beginning with it, in fives."""
    return view.ahead[3] / FIVE


@rule("win", early=0.1, says="prepare(s) a capture of <5 stones>")
def next_capture(view: View, pit: int) -> float:
    """The most stones that one of my pits could capture then, in fives."""
    return view.my_capture / FIVE


@rule("win", early=0.1, says="prepare(s) <3 extra turns>")
def next_extra_turns(view: View, pit: int) -> float:
    """How many of my pits would bring an extra turn then, in threes."""
    return view.my_extra / 3.0


# --- danger: what the opponent can do then


@rule("danger", early=-0.2, says="let(s) the opponent [gain|lose] <5 points> in reply", ahead=2)
def reply(view: View, pit: int) -> float:
    """If it ends my turn: the margin won by the opponent's best turn then, extra turns included, in fives."""
    return (view.again == 0) * (view.ahead[0] - view.ahead[1]) / FIVE


@rule("danger", says="let(s) the opponent [gain|lose] <5 points> in reply, counting my best answer", ahead=3)
def answer(view: View, pit: int) -> float:
    """If it ends my turn: the margin that the opponent keeps after its best turn and my best answer, in fives."""
    return (view.again == 0) * (view.ahead[0] - view.ahead[2]) / FIVE


@rule("danger", early=-0.1, says="leave(s) the opponent a capture of <5 stones>")
def threatened(view: View, pit: int) -> float:
    """If it ends my turn: the most stones that one of the opponent's pits could capture then, in fives."""
    return (view.again == 0) * view.their_capture / FIVE


@rule("danger", says="leave(s) <5 stones> open to capture")
def exposed(view: View, pit: int) -> float:
    """If it ends my turn: the stones that each of the opponent's pits could capture then, added up, in fives."""
    return (view.again == 0) * view.exposed / FIVE


@rule("danger", early=0.1, says="save(s) <5 stones> from capture")
def rescues(view: View, pit: int) -> float:
    """By how much it lowers the most stones that the opponent could capture at once, in fives."""
    return max(0, view.threat - view.their_capture) / FIVE


@rule("danger", early=0.05, says="keep(s) <5 stones> safe in my fullest pit")
def largest_safe(view: View, pit: int) -> float:
    """Stones in my fullest pit, if the opponent could capture fewer at once, in fives."""
    return (view.their_capture < view.largest) * view.largest / FIVE


@rule("danger", early=-0.1, says="leave(s) the opponent <3 extra turns>")
def opponents_extra_turns(view: View, pit: int) -> float:
    """How many of its pits would bring the opponent an extra turn then, in threes."""
    return view.their_extra / 3.0


# --- shape: how the stones lie then


@rule("shape", early=0.2, late=0.4, says="keep(s) [more|fewer|more] stones on my side")
def hoard(view: View, pit: int) -> float:
    """Stones in my pits less those in the opponent's, in tens; 0 if the game is over."""
    return (view.ends == 0) * (view.mine_after - view.theirs_after) / (2 * FIVE)


@rule("shape", early=-0.1, says="hand(s) <5 stones> to the opponent's side")
def given(view: View, pit: int) -> float:
    """Stones that it sows on the other side, in fives."""
    return view.across / FIVE


@rule("shape", early=0.1, says="keep(s) my stones [nearer to|farther from|near] my store")
def to_the_right(view: View, pit: int) -> float:
    """How far to the right my stones lie: 1 if all lie beside my store."""
    return view.right / max(1, view.mine_after * view.pits)


@rule("shape", says="sow(s) a pit [nearer to|farther from|near] my store")
def from_the_right(view: View, pit: int) -> float:
    """How far to the right the pit that is sown lies: 1 beside my store."""
    return (pit + 1) / view.pits


@rule("shape", says="sow(s) [a fuller|an emptier|a] pit, as a matter of taste")
def pit_size(view: View, pit: int) -> float:
    """Stones in the pit that is sown, in fives."""
    return view.board[pit] / FIVE


@rule("shape", says="leave(s) [more|fewer|some] of my pits empty")
def empty_pits(view: View, pit: int) -> float:
    """The share of my pits that are empty."""
    return view.empty / view.pits


@rule("shape", says="keep(s) [more|fewer|] pits full enough to reach the other side")
def far_pits(view: View, pit: int) -> float:
    """The share of my pits with enough stones to reach the other side."""
    return view.far / view.pits


@rule("shape", says="keep(s) <5 stones> piled up in one pit")
def fullest(view: View, pit: int) -> float:
    """Stones in my fullest pit, in fives."""
    return view.largest / FIVE


@rule("shape", early=0.1, says="keep(s) [more|fewer|] moves in hand before stones must cross over")
def tempo(view: View, pit: int) -> float:
    """How many moves I could make, roughly, before I must sow on the other side, as a share of the most possible."""
    return view.moves_left * 2.0 / (view.pits * (view.pits + 1))


# --- end: when stones become few


@rule("end", early=1.0, says="[win(s)|lose(s)] the game")
def ends_the_game(view: View, pit: int) -> float:
    """It ends the game: 1 if I win, -1 if I lose."""
    margin = view.lead + view.won + view.rest
    return view.ends * (1.0 * (margin > 0) - 1.0 * (margin < 0))


@rule("end", early=0.3, says="secure(s) more than half of all stones")
def majority(view: View, pit: int) -> bool:
    """More than half of all stones are in my store then."""
    return 2 * (view.board[view.pits] + view.won) > view.total


@rule("end", says="leave(s) the opponent [fewer|more|few] stones to play")
def starving(view: View, pit: int) -> float:
    """If I am ahead: 1 / (1 + the stones left in the opponent's pits)."""
    return (view.lead + view.won > 0) / (1.0 + view.theirs_after)


@rule("end", late=-0.2, says="keep(s) [fewer|more|few] stones to play")
def starved(view: View, pit: int) -> float:
    """If I am behind: 1 / (1 + the stones left in my pits)."""
    return (view.lead + view.won < 0) / (1.0 + view.mine_after)


standard = RuleSet(
    "standard",
    game,
    tuple(rules_of(globals())),
    fields=FIELDS,
    progress=gone,
    facts=find_facts,
    consider=look_at,
    meaning="what a turn wins, what the opponent's answer takes back, and how the stones lie",
)
RULE_SETS = (standard,)
