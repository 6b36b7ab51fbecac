"""The built-in players of Hearts: the hand-tuned one, and one that ducks."""

from collections.abc import Callable
from typing import Any

from rulebots.game import View
from rulebots.games.hearts.cards import CARDS, FOLLOW, HEARTS, LEAD, PASS, QUEEN, RANKS, SPADES
from rulebots.games.hearts.game import game
from rulebots.games.hearts.rules import standard
from rulebots.kernel import kernel
from rulebots.players import KernelPlayer, Player, RulePlayer


@kernel
def unwanted(card: int) -> int:
    """How gladly `duck` passes a card, or throws it away: the queen of spades, high hearts, higher spades, the rest."""
    suit = card // RANKS
    rank = card % RANKS
    if suit == SPADES and rank == QUEEN:
        return 100
    if suit == HEARTS:
        return 40 + rank
    return (20 if suit == SPADES and rank > QUEEN else 0) + rank


@kernel
def handed_on(card: int) -> int:
    """How gladly `duck` passes a card: spades from the queen up, then hearts, then aces and what is high."""
    suit = card // RANKS
    rank = card % RANKS
    if suit == SPADES and rank >= QUEEN:
        return 100 + rank
    return (20 if suit == HEARTS else 0) + rank


@kernel
def choose_duck(view: View, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """The highest card that does not take the trick, else the lowest."""
    best = moves[0]
    most = -RANKS
    for i in range(n):
        kind = moves[i] // CARDS
        card = moves[i] % CARDS
        rank = card % RANKS
        if kind == PASS:
            value = handed_on(card)
        elif kind == LEAD:
            value = -rank
        elif kind == FOLLOW:
            value = 100 + rank if rank < view.top else -rank
        else:
            value = unwanted(card)
        if value > most:
            best = moves[i]
            most = value
    return best


PLAYERS: dict[str, Callable[[], Player]] = {
    "standard": lambda: RulePlayer(standard, standard.hand_tuned(), "standard"),
    "duck": lambda: KernelPlayer(game, choose_duck, "duck"),
}
