"""The sentences of the quiz: moves, cards and scores."""

from __future__ import annotations

import re
from typing import NamedTuple

from rulebots.games.lost_cities.cards import FROM_DECK, FROM_PILE, KINDS, LETTERS, SUITS, card_text
from rulebots.protocols import sent

#: The game that is played.
GAME = "lost-cities"
#: The quiz has five lands, of twelve cards, and hands of eight.
LANDS = SUITS[:5]
OPTIONS = {"suits": 5, "hand_size": 8}
#: Bytes.
LONGEST_LINE = 1024
INVALID_PLAY = "Error:  Invalid play."
NO_SUCH_CARD = "Error:  No such card."
CANNOT_PLAY = "Error:  You can't play that card."
INVALID_DRAW = "Error:  Invalid draw."
NO_CARDS = "Error:  No cards there."
PLAY = "Your play?"
DRAW = "Draw from?"
GAME_OVER = "Game over."
WON = "Congratulations, you win."
DRAWN = "The game is a draw."
LOST = "I'm sorry, you lose."

_LETTERS = LETTERS[:5].lower()
#: What the quiz trims from an answer; it leaves other blanks of Unicode.
_BLANKS = " \t\n\v\f\r\0"
_PLAY_ANSWER = re.compile(rf"(d?)\s*(i|10|[2-9])\s*([{_LETTERS}])", re.IGNORECASE | re.ASCII)
_CARD = re.compile(rf"(Inv|10|[2-9])([{_LETTERS.upper()}])")
_NOTICE = re.compile(
    r"(?P<who>You|Your opponent) (?:(?P<verb>play|discard)s? the (?P<card>\w+)|draws? a card from the (?P<deck>deck)"
    r"|picks? up the (?P<taken>\w+))\."
)
_SCORE = re.compile(
    r"(?P<final>Final )?Score:  (-?\d{1,9}) \(You\) vs\. (-?\d{1,9}) \(Opponent\)\.(?:  (?P<prompt>.*\?))?"
)


class Notice(NamedTuple):
    """A move that a player is told of; the card is None for one from the deck, which only the mover sees, later."""

    mine: bool
    move: int
    card: int | None


class ScoreLine(NamedTuple):
    """The scores of a player and its opponent, and the question: PLAY, DRAW, or empty at the end."""

    mine: int
    other: int
    prompt: str
    final: bool


def play_answer(text: str) -> int | None:
    """The play or discard that an answer means, legal or not; None for any other text."""
    match = _PLAY_ANSWER.fullmatch(text.strip(_BLANKS))
    if match is None:
        return None
    rank = 0 if match[2].lower() == "i" else int(match[2]) - 1
    return (KINDS if match[1] else 0) + 10 * _LETTERS.index(match[3].lower()) + rank


def draw_answer(text: str) -> int | None:
    """The draw that an answer means, legal or not; None for any other text."""
    word = text.strip(_BLANKS).lower()
    if word == "n":
        return FROM_DECK
    return FROM_PILE + _LETTERS.index(word) if len(word) == 1 and word in _LETTERS else None


def notices(move: int, card: int | None) -> tuple[str, str]:
    """What the mover and the other player are told of a move; `card` is the one drawn from a pile."""
    if move == FROM_DECK:
        return "You draw a card from the deck.", "Your opponent draws a card from the deck."
    if card is not None:
        return f"You pick up the {card_text(card)}.", f"Your opponent picks up the {card_text(card)}."
    verb = "play" if move < KINDS else "discard"
    name = card_text(move % KINDS)
    return f"You {verb} the {name}.", f"Your opponent {verb}s the {name}."


def score(mine: int, other: int, prompt: str) -> str:
    """The last line of a board, which asks."""
    return f"Score:  {mine} (You) vs. {other} (Opponent).  {prompt}"


def ending(mine: int, other: int) -> list[str]:
    """What a player is told at the end."""
    result = WON if mine > other else LOST if mine < other else DRAWN
    return [GAME_OVER, f"Final Score:  {mine} (You) vs. {other} (Opponent).", result]


def read_notice(line: str) -> Notice | None:
    """The move that a line tells of; None for another line. Raises ProtocolError for an unknown card."""
    match = _NOTICE.fullmatch(line.strip())
    if match is None:
        return None
    mine = match["who"] == "You"
    if match["deck"]:
        return Notice(mine, FROM_DECK, None)
    card = read_card(match["card"] or match["taken"])
    if match["taken"]:
        return Notice(mine, FROM_PILE + card // 10, card)
    return Notice(mine, card + KINDS * (match["verb"] == "discard"), card)


def read_card(word: str) -> int:
    """`InvD`, `2D` .. `10V` as a card. Raises ProtocolError."""
    match = _CARD.fullmatch(word)
    if match is None:
        raise sent(word, "a card such as InvD or 10V")
    return 10 * LETTERS.index(match[2]) + (0 if match[1] == "Inv" else int(match[1]) - 1)


def read_score(line: str) -> ScoreLine | None:
    """The scores of a line, and its question; None for another line."""
    match = _SCORE.fullmatch(line.strip())
    if match is None:
        return None
    return ScoreLine(int(match[2]), int(match[3]), match["prompt"] or "", bool(match["final"]))
