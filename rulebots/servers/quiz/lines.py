"""The sentences of the quiz: what they say of moves, cards and scores."""

from __future__ import annotations

import re
from typing import NamedTuple

from rulebots.games.lost_cities.cards import KINDS, LETTERS, SUITS, card_text
from rulebots.games.lost_cities.game import FROM_DECK, FROM_PILE
from rulebots.protocols import ProtocolError, sent

#: The game that is played.
GAME = "lost-cities"
#: The quiz knows five lands, of twelve cards, and hands of eight.
LANDS = SUITS[:5]
OPTIONS = {"suits": 5, "hand_size": 8}
INVALID_PLAY, NO_SUCH_CARD = "Error:  Invalid play.", "Error:  No such card."
CANNOT_PLAY, INVALID_DRAW = "Error:  You can't play that card.", "Error:  Invalid draw."
NO_CARDS = "Error:  No cards there."
PLAY, DRAW = "Your play?", "Draw from?"
GAME_OVER = "Game over."

_LETTERS = LETTERS[:5].lower()
#: What the quiz trims from an answer; it leaves other blanks of Unicode.
_BLANKS = " \t\n\v\f\r\0"
_PLAY_ANSWER = re.compile(rf"(d?)\s*(i|10|[2-9])\s*([{_LETTERS}])", re.IGNORECASE | re.ASCII)
_CARD = re.compile(rf"(Inv|10|[2-9])([{_LETTERS.upper()}])")
_NOTICE = re.compile(
    r"(?P<who>You|Your opponent) (?:(?P<laid>play|discard)s? the (?P<card>\w+)|draws? a card from the (?P<deck>deck)"
    r"|picks? up the (?P<taken>\w+))\."
)
_SCORE = re.compile(r"(?P<final>Final )?Score:  (-?\d+) \(You\) vs\. (-?\d+) \(Opponent\)\.(?:  (?P<prompt>.*\?))?")


class Notice(NamedTuple):
    """A move that a player is told of; the card is None for one from the deck, which only the mover sees, later."""

    mine: bool
    move: int
    card: int | None


class ScoreLine(NamedTuple):
    """The scores of a player and its opponent, and what it is asked: PLAY, DRAW, or nothing at the end."""

    mine: int
    other: int
    prompt: str
    final: bool


def play_answer(text: str) -> int | None:
    """The play or discard that an answer means, legal or not; None for one that is neither."""
    found = _PLAY_ANSWER.fullmatch(text.strip(_BLANKS))
    if found is None:
        return None
    rank = 0 if found[2].lower() == "i" else int(found[2]) - 1
    return (KINDS if found[1] else 0) + 10 * _LETTERS.index(found[3].lower()) + rank


def draw_answer(text: str) -> int | None:
    """The draw that an answer means, legal or not; None for one that is not a draw."""
    word = text.strip(_BLANKS).lower()
    if word == "n":
        return FROM_DECK
    return FROM_PILE + _LETTERS.index(word) if len(word) == 1 and word in _LETTERS else None


def notices(move: int, taken: int | None) -> tuple[str, str]:
    """What the mover and the other player are told of a move; `taken` is the card of a draw from a pile."""
    if move == FROM_DECK:
        return "You draw a card from the deck.", "Your opponent draws a card from the deck."
    if move >= FROM_PILE:
        assert taken is not None
        return f"You pick up the {card_text(taken)}.", f"Your opponent picks up the {card_text(taken)}."
    verb, card = "play" if move < KINDS else "discard", card_text(move % KINDS)
    return f"You {verb} the {card}.", f"Your opponent {verb}s the {card}."


def score(mine: int, other: int, prompt: str) -> str:
    """The last line of a board, which asks."""
    return f"Score:  {mine} (You) vs. {other} (Opponent).  {prompt}"


def ending(mine: int, other: int) -> list[str]:
    """What a player is told at the end."""
    words = "The game is a draw."
    if mine != other:
        words = "Congratulations, you win." if mine > other else "I'm sorry, you lose."
    return [GAME_OVER, f"Final Score:  {mine} (You) vs. {other} (Opponent).", words]


def read_notice(line: str) -> Notice | None:
    """The move that a line tells of; None for another line. Raises ProtocolError for a card that the game lacks."""
    found = _NOTICE.fullmatch(line.strip())
    if found is None:
        return None
    mine = found["who"] == "You"
    if found["deck"]:
        return Notice(mine, FROM_DECK, None)
    card = read_card(found["card"] or found["taken"])
    if found["taken"]:
        return Notice(mine, FROM_PILE + card // 10, card)
    return Notice(mine, card + KINDS * (found["laid"] == "discard"), card)


def read_card(word: str) -> int:
    """`InvD`, `2D` .. `10V` as a card. Raises ProtocolError."""
    found = _CARD.fullmatch(word)
    if found is None:
        raise sent(word, "a card such as InvD or 10V")
    return 10 * LETTERS.index(found[2]) + (0 if found[1] == "Inv" else int(found[1]) - 1)


def read_score(line: str) -> ScoreLine | None:
    """The scores of a line, and what it asks; None for another line."""
    found = _SCORE.fullmatch(line.strip())
    if found is None:
        return None
    try:
        mine, other = int(found[2]), int(found[3])
    except ValueError:  # thousands of digits
        raise ProtocolError("sent a score of more digits than a game can bring") from None
    return ScoreLine(mine, other, found["prompt"] or "", bool(found["final"]))
