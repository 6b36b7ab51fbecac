"""Lost Cities for people: the board in text, and moves as `2d`, `id`, `d10v`, `n`, `v`."""

import re

from rulebots.errors import UsageError
from rulebots.game import State
from rulebots.game.text import in_words
from rulebots.games.lost_cities.cards import (
    DRAW,
    FROM_DECK,
    FROM_PILE,
    KINDS,
    LETTERS,
    SUITS,
    card_text,
    expedition_points,
    numbers_in,
    suit_of,
    value_of,
)

#: With fewer cards in the deck than this, reasons tell how many.
FEW = 12
#: With fewer numbers than this to come in a suit that is begun, reasons tell which.
SHORT = 4
_CARD = re.compile(r"(d?)(i|10|[2-9])([a-z])")


def show(state: State, seat: int | None) -> str:
    """The table with that seat's hand, as in the quiz; with seat None the table and both hands."""
    me = state.mover if seat is None else seat
    opp = 1 - me
    lines = []
    for suit in range(state.suits):
        pile = [f"{card_text(c)[:-1]} " for c in state.pile[suit, : state.pile_size[suit]]]
        lines += [
            f"{SUITS[suit]}:",
            f"  Opponent:  {_expedition(state, opp, suit)}",
            f"  Discards:  {''.join(pile)}",
            f"       You:  {_expedition(state, me, suit)}",
        ]
    lines += [f" Deck:  {'#' * state.deck_left} ({state.deck_left})", f" Hand:  {_hand(state, me)}"]
    if seat is None:
        lines.append(f"Other:  {_hand(state, opp)}")
    return "\n".join(lines)


def write(move: int) -> str:
    """The move as a player would type it: `id`, `10v`, `d2j`, `n` (deck), `m` (that pile)."""
    if move < FROM_DECK:
        card = move % KINDS
        return f"{'d' if move >= KINDS else ''}{value_of(card) or 'i'}{LETTERS[suit_of(card)].lower()}"
    return "n" if move == FROM_DECK else LETTERS[move - FROM_PILE].lower()


def read(text: str, state: State) -> int:
    """The move that a text means, legal or not; case and blanks do not matter.

    Raises:
        UsageError: the text is not a move.
    """
    letters = LETTERS[: state.suits].lower()
    word = "".join(text.split()).lower()
    if word in ("n", "deck"):
        return FROM_DECK
    if len(word) == 1 and word in letters:
        return FROM_PILE + letters.index(word)
    card = _CARD.fullmatch(word)
    if card is None or card[3] not in letters:
        raise UsageError(
            f"expected a card to play ('2d', 'i{letters[0]}'), to discard ('d10v'), or a draw ('n' for the deck, "
            f"a suit of '{letters}' for a pile), not {text.strip()!r}"
        )
    rank = 0 if card[2] == "i" else int(card[2]) - 1
    return (KINDS if card[1] else 0) + 10 * letters.index(card[3]) + rank


def refusal(state: State, move: int) -> str:
    """Why a move is not legal."""
    drawing = state.phase == DRAW
    if move >= FROM_DECK and not drawing:
        return "play or discard a card first"
    if move >= FROM_DECK:
        suit = move - FROM_PILE
        just_discarded = "the card that you have just discarded stays on its pile"
        return just_discarded if state.pile_size[suit] else f"the pile of {SUITS[suit]} is empty"
    card = move % KINDS
    if drawing:
        return "you have laid a card already: now draw one ('n' from the deck, a suit's letter from its pile)"
    if card not in state.hand[state.mover, : state.hand_size[state.mover]]:
        return f"{card_text(card)} is not in your hand"
    return f"{card_text(card)} does not go on your expedition: the last card there is higher"


def task(state: State) -> str:
    """What the phase of the turn asks for."""
    return "draw from the deck or a pile" if state.phase == DRAW else "play a card on its expedition, or discard it"


def sentence(state: State, move: int) -> str:
    """What a legal move does: `play(s) the 7 of deserts`."""
    if move == FROM_DECK:
        return "draw(s) from the deck"
    suit = move - FROM_PILE
    card = move % KINDS if suit < 0 else int(state.pile[suit, state.pile_size[suit] - 1])
    what = called(card)
    return f"take(s) {what} from its pile" if suit >= 0 else f"{'discard' if move >= KINDS else 'play'}(s) {what}"


def own(state: State, move: int) -> str:
    """The card that a draw from the deck brings."""
    return called(int(state.deck[state.deck_left - 1])) if move == FROM_DECK else ""


def grounds(state: State, move: int) -> str:
    """What may follow a card that is played, of a player's hand and others; where both stand; or what piles offer."""
    me = int(state.mover)
    if move == FROM_DECK:
        tops = [int(pile[size - 1]) for pile, size in zip(state.pile, state.pile_size, strict=True) if size]
        others = [card for card in tops if suit_of(card) != state.just_discarded]
        fits = [called(card) for card in others if 0 <= state.top[me, suit_of(card)] <= value_of(card)]
        return f"{{{me}}} find(s) {in_words(fits) or 'nothing'} on the piles that continues an expedition."
    suit = move - FROM_PILE if move > FROM_DECK else suit_of(move % KINDS)
    name = SUITS[suit].lower()
    late = f"Cards left in the deck: {state.deck_left}." * bool(state.deck_left < FEW)
    if move < KINDS:
        held = [card for card in state.hand[me, : state.hand_size[me]].tolist() if suit_of(card) == suit]
        higher = [str(value_of(card)) for card in held if value_of(card) > value_of(move)]
        others = numbers_in(~state.laid[1 - me, suit])
        come = [str(value) for value in others if value > value_of(move) and str(value) not in higher]
        few = state.top[me, suit] < 0 and len(come) < SHORT
        told = [
            f"{{{me}}} hold(s) {in_words(higher)} of {name} to follow." if higher else "",
            f"{f'Only the {in_words(come)}' if come else f'No other of {name}'} may still come." if few else "",
        ]
        return " ".join(filter(None, (*told, late)))
    value = value_of(int(state.pile[suit, state.pile_size[suit] - 1]) if move > FROM_DECK else move % KINDS)
    begun = [who for who in (me, 1 - me) if state.top[who, suit] >= 0]
    able = [who for who in begun if state.top[who, suit] <= value]
    stands = [f"{{{who}}} stand(s) at {state.top[who, suit] or 'an investment'}" for who in begun]
    if not begun:
        return f"In {name} nobody has begun. {late}".rstrip()
    if begun[1:]:
        uses = ": both can" if able[1:] else f": only {{{able[0]}}} can" if able else ": neither can"
    else:
        uses = " and can" if able else " and cannot"
    return f"In {name} {in_words(stands)}{uses} use the card. {late}".rstrip()


def called(card: int) -> str:
    """A card in words: `the 9 of deserts`."""
    value = value_of(card)
    return f"{f'the {value} of' if value else 'an investment in'} {SUITS[suit_of(card)].lower()}"


def _hand(state: State, seat: int) -> str:
    return " ".join(card_text(card) for card in state.hand[seat, : state.hand_size[seat]])


def _expedition(state: State, seat: int, suit: int) -> str:
    if state.top[seat, suit] < 0:
        return ""
    laid = int(state.laid[seat, suit])
    invested = int(state.invested[seat, suit])
    numbers = [*map(str, numbers_in(laid))]
    return " ".join(["Inv"] * invested + numbers) + f" ({expedition_points(laid, invested)})"
