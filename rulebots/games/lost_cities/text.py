"""Lost Cities for people: the board in text, and moves as `2d`, `id`, `d10v`, `n`, `v`."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulebots.errors import UsageError
from rulebots.game import State
from rulebots.games.lost_cities.cards import HIGH, KINDS, LETTERS, LOW, SUITS, card_text, suit_of, value_of

_CARD = re.compile(r"(d?)(i|10|[2-9])([a-z])")


def show(state: State, seat: int | None, points_of: Callable[[int, int], int]) -> str:
    """The table with that seat's hand, as in the quiz; with seat None the table and both hands.

    `points_of(numbers, investments)` gives the points of an expedition, shown beside it.
    """
    me = state.mover if seat is None else seat
    opp = 1 - me
    lines = []
    for suit in range(state.suits):
        pile = [f"{card_text(c)[:-1]} " for c in state.pile[suit, : state.pile_size[suit]]]
        lines += [
            f"{SUITS[suit]}:",
            f"  Opponent:  {_expedition(state, opp, suit, points_of)}",
            f"  Discards:  {''.join(pile)}",
            f"       You:  {_expedition(state, me, suit, points_of)}",
        ]
    lines += [f" Deck:  {'#' * state.deck_left} ({state.deck_left})", f" Hand:  {_hand(state, me)}"]
    if seat is None:
        lines.append(f"Other:  {_hand(state, opp)}")
    return "\n".join(lines)


def write(move: int) -> str:
    """The move as a player would type it: `id`, `10v`, `d2j`, `n` (deck), `m` (that pile)."""
    if move < 2 * KINDS:
        card = move % KINDS
        return f"{'d' if move >= KINDS else ''}{value_of(card) or 'i'}{LETTERS[suit_of(card)].lower()}"
    return "n" if move == 2 * KINDS else LETTERS[move - 2 * KINDS - 1].lower()


def read(text: str, state: State) -> int:
    """The move that a text means, legal or not; case and blanks do not matter.

    Raises:
        UsageError: the text is not a move.
    """
    letters = LETTERS[: state.suits].lower()
    word = "".join(text.split()).lower()
    if word == "n":
        return 2 * KINDS
    if len(word) == 1 and word in letters:
        return 2 * KINDS + 1 + letters.index(word)
    card = _CARD.fullmatch(word)
    if card is None or card[3] not in letters:
        raise UsageError(
            f"expected a card to play ('2d', 'i{letters[0]}'), to discard ('d10v'), or a draw ('n' for the deck, "
            f"a suit of '{letters}' for a pile), not {text.strip()!r}"
        )
    rank = 0 if card[2] == "i" else int(card[2]) - 1
    return (KINDS if card[1] else 0) + 10 * letters.index(card[3]) + rank


def refusal(state: State, move: int, draw_phase: int) -> str:
    """Why a move is not legal; `draw_phase` is the phase in which a card is drawn."""
    drawing = state.phase == draw_phase
    if move >= 2 * KINDS:
        return _no_draw(state, move - 2 * KINDS - 1) if drawing else "play or discard a card first"
    card = move % KINDS
    if drawing:
        return "you have laid a card already: now draw one ('n' from the deck, a suit's letter from its pile)"
    if card not in state.hand[state.mover, : state.hand_size[state.mover]]:
        return f"{card_text(card)} is not in your hand"
    return f"{card_text(card)} does not go on your expedition: the last card there is higher"


def remark(state: State, move: int) -> str:
    """What a legal move does, in words: `lays the 7 of deserts`."""
    if move == 2 * KINDS:
        return "draws from the deck"
    suit = move - 2 * KINDS - 1
    card = move % KINDS if suit < 0 else int(state.pile[suit, state.pile_size[suit] - 1])
    what = f"the {value_of(card) or 'investment'} of {SUITS[suit_of(card)].lower()}"
    return f"takes {what} from its pile" if suit >= 0 else f"{'discards' if move >= KINDS else 'lays'} {what}"


def _no_draw(state: State, suit: int) -> str:
    if state.pile_size[suit] == 0:
        return f"the pile of {SUITS[suit]} is empty"
    return "the card that you have just discarded stays on its pile"


def _hand(state: State, seat: int) -> str:
    return " ".join(card_text(card) for card in state.hand[seat, : state.hand_size[seat]])


def _expedition(state: State, seat: int, suit: int, points_of: Callable[[int, int], int]) -> str:
    if state.top[seat, suit] < 0:
        return ""
    laid, invested = int(state.laid[seat, suit]), int(state.invested[seat, suit])
    numbers = [str(v) for v in range(LOW, HIGH + 1) if laid >> v & 1]
    return " ".join(["Inv"] * invested + numbers) + f" ({points_of(laid, invested)})"
