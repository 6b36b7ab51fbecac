"""A deal that somebody gives: whether it is one of the game's; and a text of a deal and the moves that followed it.

The text has a word for each number of the deal, then `/`, then the moves: `AC 9H QS ... / pass:AC 9H`. It means a
position of any game, whatever is hidden there, because the whole game so far stands in it.
"""

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rulebots.errors import PositionError, UsageError, demand, demand_at, did_you_mean
from rulebots.game.contract import Game
from rulebots.game.dtypes import Ints
from rulebots.game.random_numbers import CARDS, rng_of

#: Deals that show whether all are the same numbers in another order.
PACKS = 32
#: What stands between the deal and the moves.
SLASH = "/"
#: Words of the deal that a message shows as an example.
EXAMPLE = 3

Deal = Ints


class Word(NamedTuple):
    """A word of a text, and where it begins."""

    at: int
    text: str


class Pack(NamedTuple):
    """A deal of a game as an example, and the numbers of every deal, sorted.

    `numbers` is None where deals are not always the same numbers in another order.
    """

    example: Deal
    numbers: Deal | None


@functools.cache
def pack_of(game: Game, options: tuple[int, ...]) -> Pack:
    """What is dealt with these values of the options."""
    chosen = dict(zip(game.options, options, strict=False))  # the record of a game without options has a field
    rows = game.deal(rng_of(0, CARDS), PACKS, game.option_values(chosen))
    packs = np.sort(rows, axis=1)
    return Pack(rows[0], packs[0] if (packs == packs[0]).all() else None)


def checked_deal(game: Game, numbers: Sequence[int] | Deal, pack: Pack) -> Deal:
    """A deal as an array, int64[n]. Raises UsageError unless it is one of the game's, as far as can be seen."""
    try:
        deal = np.array(numbers)
    except ValueError:  # lists of different lengths
        deal = np.array([], object)
    if deal.size and not np.issubdtype(deal.dtype, np.integer):  # the text of a good deal takes long
        raise UsageError(f"deal: expected whole numbers, not {numbers!r}")
    length = len(pack.example)
    demand(deal.shape == (length,), f"deal: expected {length} whole numbers, not {deal.size}")
    if pack.numbers is not None and not np.array_equal(np.sort(deal), pack.numbers):
        number = next(int(one) for one in deal if (deal == one).sum() > (pack.numbers == one).sum())
        raise UsageError(
            f"deal: expected the number {number} at most {(pack.numbers == number).sum()} times, "
            f"as {game.title} deals it, not {(deal == number).sum()}"
        )
    return deal.astype(np.int64)


def course_text(game: Game, deal: Deal, moves: Sequence[int]) -> str:
    """A deal and the moves so far, as `read_course` reads them."""
    return " ".join([*dealt_words(game, deal), SLASH, *map(game.text.write, moves)])


def dealt_words(game: Game, deal: Deal) -> list[str]:
    """What the numbers of a deal are called."""
    names = dict(enumerate(game.text.dealt))
    return [names.get(number, str(number)) for number in deal.tolist()]


def read_course(game: Game, text: str, pack: Pack) -> tuple[Deal, list[Word]]:
    """The deal and the words of the moves that a text has.

    Raises:
        PositionError: a word is not one of the deal, stands there too often, or there are too few or too many.
    """
    drawn = pack.example
    words = [Word(match.start(), match[0]) for match in re.finditer(r"\S+", text)]
    slash = next((i for i, word in enumerate(words) if word.text == SLASH), None)
    if slash is None:
        example = " ".join(dealt_words(game, drawn[:EXAMPLE]))
        what = f"the deal, {len(drawn)} words such as '{example} ...', " if len(drawn) else ""
        raise PositionError(text, 0, f"expected {what}{SLASH!r} between blanks, and the moves so far")
    deal: list[int] = []
    for at, word in words[:slash]:
        number = _number_of(game, text, at, word, drawn)
        most = len(drawn) if pack.numbers is None else int((pack.numbers == number).sum())
        demand_at(deal.count(number) != most, text, at, f"too many '{word}': a deal of {game.title} has {most}")
        deal.append(number)
    demand_at(
        len(deal) == len(drawn),
        text,
        words[slash].at,
        f"expected {len(drawn)} words of the deal before {SLASH!r}, not {len(deal)}",
    )
    return np.array(deal, np.int64), words[slash + 1 :]


def _number_of(game: Game, text: str, at: int, word: str, drawn: Deal) -> int:
    """The number that a word of a deal stands for. Raises PositionError."""
    numbers = {name.casefold(): number for number, name in enumerate(game.text.dealt)}
    if word.casefold() in numbers:
        return numbers[word.casefold()]
    if not numbers and re.fullmatch(r"-?[0-9]{1,18}", word):
        return int(word)
    expected = f"a word of the deal, such as '{game.text.dealt[drawn[0]]}'" if numbers else "a whole number"
    raise PositionError(text, at, f"expected {expected}, not '{word}'{did_you_mean(word, game.text.dealt)}")
