"""The rules of Kalah. "In fives" means divided by 5, so that a rule's value is around 1 where it matters."""

from __future__ import annotations

from rulebots.game import View
from rulebots.games.kalah.facts import FIELDS, find_facts, gone, look_at
from rulebots.games.kalah.game import game
from rulebots.rules import RuleSet, rule, rules_of

FIVE = 5.0

# --- win: what the move brings; "then" is after it


@rule("win", early=0.5)
def extra_turn(view: View, pit: int) -> bool:
    """Its last stone falls into my store, so that I move again."""
    return view.again != 0


@rule("win", early=0.1)
def stones_won(view: View, pit: int) -> float:
    """Stones that it brings into my store, in fives."""
    return view.won / FIVE


@rule("win")
def captures(view: View, pit: int) -> bool:
    """It captures stones of the opponent's."""
    return view.captured > 0


@rule("win")
def capture_size(view: View, pit: int) -> float:
    """How many stones of the opponent's it captures, in fives."""
    return view.captured / FIVE


@rule("win", early=0.2)
def best_turn_won(view: View, pit: int) -> float:
    """The margin won by my best turn that begins with it, extra turns included, in fives."""
    return view.ahead[0] / FIVE


@rule("win", early=1.0)
def exchange(view: View, pit: int) -> float:
    """The margin after my turn that begins with it and the opponent's turn, both at their best, in fives."""
    return view.ahead[1] / FIVE


@rule("win")
def next_turn_won(view: View, pit: int) -> float:
    """The margin after my turn that begins with it, the opponent's turn and mine, all at their best, in fives."""
    return view.ahead[2] / FIVE


@rule("win", early=1.0)
def next_exchange(view: View, pit: int) -> float:
    """The margin after two turns of each side, mine that begins with it first, all at their best, in fives."""
    return view.ahead[3] / FIVE


@rule("win", early=0.1)
def next_capture(view: View, pit: int) -> float:
    """The most stones that one of my pits could capture then, in fives."""
    return view.my_capture / FIVE


@rule("win", early=0.1)
def next_extra_turns(view: View, pit: int) -> float:
    """How many of my pits would bring an extra turn then, in threes."""
    return view.my_extra / 3.0


# --- danger: what the opponent can do then


@rule("danger", early=-0.2)
def reply(view: View, pit: int) -> float:
    """If it ends my turn: the margin won by the opponent's best turn then, extra turns included, in fives."""
    return (view.again == 0) * (view.ahead[0] - view.ahead[1]) / FIVE


@rule("danger")
def answer(view: View, pit: int) -> float:
    """If it ends my turn: the margin that the opponent keeps after its turn and mine, both at their best, in fives."""
    return (view.again == 0) * (view.ahead[0] - view.ahead[2]) / FIVE


@rule("danger", early=-0.1)
def threatened(view: View, pit: int) -> float:
    """If it ends my turn: the most stones that one of the opponent's pits could capture then, in fives."""
    return (view.again == 0) * view.their_capture / FIVE


@rule("danger")
def exposed(view: View, pit: int) -> float:
    """If it ends my turn: the stones that each of the opponent's pits could capture then, added up, in fives."""
    return (view.again == 0) * view.exposed / FIVE


@rule("danger", early=0.1)
def rescues(view: View, pit: int) -> float:
    """By how much it lowers the most stones that the opponent could capture at once, in fives."""
    return max(0, view.threat - view.their_capture) / FIVE


@rule("danger", early=0.05)
def largest_safe(view: View, pit: int) -> float:
    """Stones in my fullest pit, if the opponent could capture fewer at once, in fives."""
    return (view.their_capture < view.largest) * view.largest / FIVE


@rule("danger", early=-0.1)
def opponents_extra_turns(view: View, pit: int) -> float:
    """How many of its pits would bring the opponent an extra turn then, in threes."""
    return view.their_extra / 3.0


# --- shape: how the stones lie then


@rule("shape", early=0.2, late=0.4)
def hoard(view: View, pit: int) -> float:
    """Stones in my pits less those in the opponent's, in tens; 0 if the game is over."""
    return (view.ends == 0) * (view.mine_after - view.theirs_after) / (2 * FIVE)


@rule("shape", early=-0.1)
def given(view: View, pit: int) -> float:
    """Stones that it sows on the other side, in fives."""
    return view.across / FIVE


@rule("shape", early=0.1)
def to_the_right(view: View, pit: int) -> float:
    """How far to the right my stones lie: 1 if all lie beside my store."""
    return view.right / max(1, view.mine_after * view.pits)


@rule("shape")
def from_the_right(view: View, pit: int) -> float:
    """How far to the right the pit that is sown lies: 1 beside my store."""
    return (pit + 1) / view.pits


@rule("shape")
def pit_size(view: View, pit: int) -> float:
    """Stones in the pit that is sown, in fives."""
    return view.board[pit] / FIVE


@rule("shape")
def empty_pits(view: View, pit: int) -> float:
    """The share of my pits that are empty."""
    return view.empty / view.pits


@rule("shape")
def far_pits(view: View, pit: int) -> float:
    """The share of my pits with stones enough to reach the other side."""
    return view.far / view.pits


@rule("shape")
def fullest(view: View, pit: int) -> float:
    """Stones in my fullest pit, in fives."""
    return view.largest / FIVE


@rule("shape", early=0.1)
def tempo(view: View, pit: int) -> float:
    """How many moves I could make, roughly, before I must sow on the other side, as a share of the most possible."""
    return view.moves_left * 2.0 / (view.pits * (view.pits + 1))


# --- end: when stones become few


@rule("end", early=1.0)
def ends_the_game(view: View, pit: int) -> float:
    """It ends the game: 1 if I win, -1 if I lose."""
    margin = view.lead + view.won + view.rest
    return view.ends * (1.0 * (margin > 0) - 1.0 * (margin < 0))


@rule("end", early=0.3)
def majority(view: View, pit: int) -> bool:
    """More than half of all stones are in my store then."""
    return 2 * (view.board[view.pits] + view.won) > view.total


@rule("end")
def starving(view: View, pit: int) -> float:
    """If I am ahead: 1 / (1 + the stones left in the opponent's pits)."""
    return (view.lead + view.won > 0) / (1.0 + view.theirs_after)


@rule("end", late=-0.2)
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
