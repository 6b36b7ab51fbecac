"""A deal that somebody gives: whether it is one of the game's; and a text of a deal and the moves that followed it.

The text has a word for each number of the deal, then `/`, then the moves: `AC 9H QS ... / pass:AC 9H`. It means a
position of any game, whatever is hidden there, because the whole game so far stands in it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rulebots.errors import PositionError, UsageError, nearest
from rulebots.game.contract import Game
from rulebots.game.random_numbers import CARDS, rng_of

#: Deals that show whether all are the same numbers in another order.
PACKS = 32
#: What stands between the deal and the moves.
SLASH = "/"
#: Words of the deal that a message names.
NAMED = 3


class Word(NamedTuple):
    """A word of a text, and where it begins."""

    at: int
    text: str


def deal_of(numbers: Sequence[int] | npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """A deal as an array, int64[n]. Raises UsageError unless it is made of whole numbers."""
    try:
        deal = np.array(numbers)
    except ValueError:  # lists of different lengths
        deal = np.array([], object)
    if deal.size and not np.issubdtype(deal.dtype, np.integer):
        raise UsageError(f"deal: expected whole numbers, not {numbers!r}")
    return deal.astype(np.int64)


@functools.cache
def pack_of(game: Game, options: tuple[int, ...]) -> npt.NDArray[np.int64] | None:
    """The numbers of every deal, sorted; None where deals are not always the same numbers in another order."""
    chosen = dict(zip(game.options, options, strict=False))  # the record of a game without options has a field
    rows = game.deal(rng_of(0, CARDS), PACKS, game.option_values(chosen))
    packs = np.sort(rows, axis=1)
    return packs[0] if (packs == packs[0]).all() else None


def not_of(pack: npt.NDArray[np.int64], cards: npt.NDArray[np.int64], game: Game) -> str:
    """What is wrong with a deal that is not made of the numbers of the pack."""
    number = next(int(one) for one in cards if (cards == one).sum() > (pack == one).sum())
    most = (pack == number).sum()
    times = (cards == number).sum()
    return f"deal: expected the number {number} at most {most} times, as {game.title} deals it, not {times}"


def course_text(game: Game, deal: npt.NDArray[np.int64], moves: Sequence[int]) -> str:
    """A deal and the moves so far, as `read_course` reads them."""
    return " ".join([*(dealt_text(game, number) for number in deal.tolist()), SLASH, *map(game.text.write, moves)])


def dealt_text(game: Game, number: int) -> str:
    """What a number of a deal is called."""
    return game.text.dealt[number] if 0 <= number < len(game.text.dealt) else str(number)


def read_course(
    game: Game, text: str, drawn: npt.NDArray[np.int64], pack: npt.NDArray[np.int64] | None
) -> tuple[npt.NDArray[np.int64], list[Word]]:
    """The deal and the words of the moves that a text has; `drawn` is a deal of the game, for its length.

    Raises:
        PositionError: a word is not one of the deal, stands there too often, or there are too few or too many.
    """
    words = [Word(found.start(), found[0]) for found in re.finditer(r"\S+", text)]
    slash = next((i for i, word in enumerate(words) if word.text == SLASH), None)
    joined = next((word for word in words if SLASH in word.text), None)
    if slash is None and joined is not None:
        raise PositionError(text, joined.at, f"expected {SLASH!r} with a blank on either side, not '{joined.text}'")
    if slash is None:
        example = " ".join([*(dealt_text(game, number) for number in drawn[:NAMED].tolist()), "..."][: len(drawn)])
        what = f"the deal, {len(drawn)} word{'s' * (len(drawn) != 1)} such as '{example}', " if len(drawn) else ""
        raise PositionError(text, 0, f"expected {what}{SLASH!r}, and the moves so far")
    numbers = {name.casefold(): number for number, name in enumerate(game.text.dealt)}
    deal: list[int] = []
    for at, word in words[:slash]:
        if (number := numbers.get(word.casefold()) if numbers else _whole(word)) is None:
            close = nearest(word, game.text.dealt)
            help_text = f"; did you mean '{close}'?" if close else ""
            expected = f"a word of the deal, such as '{game.text.dealt[drawn[0]]}'" if numbers else "a whole number"
            raise PositionError(text, at, f"expected {expected}, not '{word}'{help_text}")
        most = len(drawn) if pack is None else int((pack == number).sum())
        if deal.count(number) == most:
            has = f"'{word}' only {'once' if most == 1 else f'{most} times'}" if most else f"no '{word}'"
            raise PositionError(text, at, f"a deal of {game.title} has {has}")
        deal.append(number)
    if len(deal) != len(drawn):
        missing = [] if pack is None else [n for n in dict.fromkeys(pack.tolist()) if deal.count(n) < (pack == n).sum()]
        named = ", ".join(dealt_text(game, number) for number in missing[:NAMED])
        more = f"; missing: {named}{' and more' * (len(missing) > NAMED)}" if named else ""
        what = f"expected {len(drawn)} words of the deal before {SLASH!r}, not {len(deal)}{more}"
        raise PositionError(text, words[slash].at, what)
    return np.array(deal, np.int64), words[slash + 1 :]


def _whole(word: str) -> int | None:
    return int(word) if re.fullmatch(r"-?[0-9]{1,18}", word) else None
