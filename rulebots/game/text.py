"""A game's text: how people read and write its positions and moves."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rulebots.errors import demand

#: A person's name in sentences to that person.
PERSON = "you"
#: What a sentence leaves open: a seat's name, and the ending of a verb.
_MARKS = re.compile(r"\{(-?[0-9]+)\}|(\w*)\((e?s)\)")


def write_number(move: int) -> str:
    """A move is written as its number."""
    return str(move)


def read_number(text: str, state: Any) -> int:
    """The move of that number; it may be illegal. Raises UsageError where the text is not a number."""
    word = text.strip()
    demand(re.fullmatch(r"[0-9]{1,18}", word), f"expected the number of a move, such as 0, not {word!r}")
    return int(word)


def named_moves(*names: str) -> tuple[Callable[[int], str], Callable[[str, Any], int]]:
    """`write` and `read` of a game whose move m has the name names[m], whatever the position."""
    moves = {name.lower(): move for move, name in enumerate(names)}

    def read(text: str, state: Any) -> int:
        word = text.strip()
        demand(word.lower() in moves, f"expected one of {', '.join(names)}, not {word!r}")
        return moves[word.lower()]

    return names.__getitem__, read


def in_words(words: Sequence[str]) -> str:
    """Words in a sentence: `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def gerund(verb: str) -> str:
    """A verb as a noun: `sow` is `sowing`, `take` is `taking`, `put` is `putting`."""
    if re.search("[^aeiouy]e$|ue$", verb):
        return f"{verb[:-1]}ing"
    return f"{verb}{verb[-1] if re.fullmatch('[^aeiou]*[aeiou][^aeiouwxy]', verb) else ''}ing"


def spoken(sentence: str, names: Sequence[str], subject: int, *, doing: bool = False) -> str:
    """A sentence with the names of seats in place of `{seat}`, and without the `(s)` of verbs whose subject is `you`.

    The subject of a verb is the seat named last before it, at first `subject`; if it is `doing` what the sentence
    says, verbs of that one are nouns: `sowing pit 2`. Raises IndexError: no such seat.
    """
    mover = subject if doing else None

    def filled(mark: re.Match[str]) -> str:
        nonlocal subject
        if mark[3]:
            return gerund(mark[2]) if subject == mover else mark[2] + ("" if names[subject] == PERSON else mark[3])
        subject = int(mark[1])
        return names[subject]

    return re.sub(rf"(^|\. ){PERSON}(?= \w)", rf"\1{PERSON.capitalize()}", _MARKS.sub(filled, sentence))


@dataclass(frozen=True, eq=False, kw_only=True)
class GameText:
    """What people see of a game and type into it. Nothing here changes how a game goes.

    Attributes:
        show: `show(state, seat)` draws what a seat may see; seat None sees everything.
        write: `write(move)` is a move's name, without blanks.
        write_in: `write_in(state, move)` is the name of a legal move, or of an outcome, where it depends on the
            position; people see it. Files have what `write` gives.
        read: `read(text, state)` is the move that a text names, legal or not; it raises UsageError for other text.
        read_in: The same of what people type, where they see `write_in`. Files are read by `read`.
        refusal: `refusal(state, move)` says why a move is illegal, without telling the mover what is hidden.
        sentence: `sentence(state, move)` says what a legal move does, without its subject: `sow(s) pit 2 and
            capture(s) 5`, `tell(s) {1} that card 3 is red`; of an outcome it is a whole sentence: `The dice show 4
            and 2`. `{1}` becomes the name of seat 1, and `(s)` and `(es)` go where the subject is `you`. All who are
            told of the move read it once the move has been made. Default: `play(s)` and the move's name.
        own: `own(state, move)` is what a move's player alone sees of it, such as the card drawn: `the 9 of deserts`; ""
            for nothing. It ends that player's sentence, and everybody's once the game is over.
        unseen: The same of a move that the reader is not told of.
        learned: `learned(state, mover, move, seat)`: whether a seat that was not told of that seat's move when it was
            made knows it in this later state, such as a card that has reached its hand. Then it reads `sentence`.
        task: `task(state)` says what the mover is to do, such as `draw from the deck or a pile`, without telling it
            what is hidden.
        grounds: `grounds(state, move)` is a sentence at the end of reasons for a move: facts that its player knows,
            such as the risk of a roll; "" for none. It is marked as `sentence` is.
        harm: `harm(state, move)` is what a legal move costs all who play together beside points made, such as `a life
            is lost`; "" for nothing. A review tells each such move.
        places: What `show` calls the seats from the viewer on, where it has names for them: `("you", "left", "right")`.
        dealt: Names for the numbers of a deal, such as cards: number k is dealt[k]. Each is one word. Default: the
            numbers.
        write_position: `write_position(state)` is a position on one line, as FEN is for chess, in a game without
            hidden information. Default: the deal and the moves so far.
        read_position: `read_position(text, state)` turns a state that was just set up into that of a text, or raises
            `PositionError(text, index, message)`.
    """

    show: Callable[[Any, int | None], str]
    write: Callable[[int], str] = write_number
    write_in: Callable[[Any, int], str] | None = None
    read: Callable[[str, Any], int] = read_number
    read_in: Callable[[str, Any], int] | None = None
    refusal: Callable[[Any, int], str] | None = None
    sentence: Callable[[Any, int], str] | None = None
    own: Callable[[Any, int], str] | None = None
    unseen: str = "make(s) a move that you do not see"
    learned: Callable[[Any, int, int, int], bool] | None = None
    task: Callable[[Any], str] | None = None
    grounds: Callable[[Any, int], str] | None = None
    harm: Callable[[Any, int], str] | None = None
    places: tuple[str, ...] = ()
    dealt: tuple[str, ...] = ()
    write_position: Callable[[Any], str] | None = None
    read_position: Callable[[str, Any], None] | None = None
