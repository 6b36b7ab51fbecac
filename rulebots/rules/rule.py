"""A rule: one function with a docstring and hand-tuned weights."""

import inspect
import linecache
import re
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rulebots.errors import UsageError, demand, is_whole
from rulebots.game.checks import checked_rule, without_checks
from rulebots.kernel import Kernel, debugging, kernel
from rulebots.kernel.source_code import definition
from rulebots.kernel.user_code import place_of, place_of_caller

#: The parameter of a rule of a live game that asks for the position after the move; and the name of the second one of a
#: rule that judges all moves at once.
AFTER = "after"
ALL_MOVES = "moves"
#: The largest weight. Larger ones could overflow a sum, and only the ratios of weights matter.
MOST_WEIGHT = 1e6
#: The most turns that a reason follows for a rule that looks ahead.
MOST_AHEAD = 9
#: Words, with two or three of them to choose from at most once, and then a number at most once.
_SAYS = re.compile(r"[^][{}<>|\n]*(\[[^][{}<>|\n]*(\|[^][{}<>|\n]*){1,2}\][^][{}<>|\n]*)?(<\d+ [a-z ]+>[^][{}<>|\n]*)?")


@dataclass(frozen=True)
class Rule:
    """A named feature of a move, 0 or 1 or a number of about that size, and its hand-tuned weights.

    `says` is what a player does that makes such a move, in words for people (see `rule`); "" for none. `ahead` is how
    many turns the rule looks ahead, that of the move among them; 0 for none.
    """

    group: str
    name: str
    meaning: str
    early: float
    late: float
    kernel: Kernel[..., float]
    says: str = ""
    ahead: int = 0

    def __post_init__(self) -> None:
        if debugging():
            object.__setattr__(self, "kernel", checked_rule(self.kernel))

    @property
    def key(self) -> str:
        """`group.name`: unique within a rule set."""
        return f"{self.group}.{self.name}"

    @property
    def words(self) -> str:
        """What a player does that likes the rule, such as `brings more stones home`; without words, its meaning.

        A meaning is without the scale of its values, and begins small but for "I".
        """
        if self.says:
            first = re.sub(r"\[(.*?)\|.*?\]|<\d+ (.*?)>", r"\1\2", re.sub(r"\((e?s)\)", r"\1", self.says))
            return " ".join(re.sub(r"\bmy\b", "its", first).split())
        said = re.sub(r"(, in \w+|: 1 .*)$", "", self.meaning.partition(". ")[0].rstrip(".") or self.key)
        return re.sub(r"^(?!I\b).", lambda first: first[0].lower(), said)

    def __call__(self, view: Any, item: int) -> float:
        """The rule's value for one item, interpreted."""
        return float(self.kernel(view, item))


def rule(
    group: str, early: float = 0.0, late: float | None = None, *, name: str = "", says: str = "", ahead: int = 0
) -> Callable[[Callable[..., Any]], Rule]:
    """Turn a function `(view, item) -> number` into a rule; its docstring is its meaning.

    `early` and `late` are its hand-tuned weights. Without `late` both are `early`. `name` is the function's by default.
    `says` is what reasons say of a player that makes such a move, without its subject, such as `capture(s) stones`; the
    `(s)` and `(es)` of verbs go where the subject is `you`, and `my` becomes `its` or `your`. `[more|fewer|] stones`
    compares two moves; the third word stands where a move alone has any. `[win(s)|lose(s)]` are a value above 0 and one
    below. `<5 stones>` tells the value times 5 as a number: it compares as well. By default reasons quote the
    docstring. `ahead` is how many turns the rule looks ahead, with that of the move, as good players would play them:
    reasons then tell what happens in them. It is 0 if the rule looks at the move alone.

    Raises:
        UsageError: the function has no docstring or other parameters, its file has another rule of that name, the
            group is not a name, a weight is not a number, `says` has another form, or `ahead` is not 0 to 9.
    """
    if not isinstance(group, str):
        raise UsageError(f'{place_of_caller()}: expected the name of a group, as in @rule("play"), not {_named(group)}')
    for weight in (early, late):
        if weight is not None and not is_weight(weight):
            raise UsageError(f"{place_of_caller()}: expected a number as the weight of a rule, not {weight!r}")
    if not isinstance(says, str) or not _SAYS.fullmatch(says) or (says and not re.search(r"\w\(e?s\)", says)):
        form = '"capture(s) [more|fewer|] stones", with (s) or (es) after the verb and one pair of brackets at most'
        raise UsageError(f"{place_of_caller()}: says: expected words as in {form}, not {says!r}")

    if not is_whole(ahead) or not 0 <= ahead <= MOST_AHEAD:
        raise UsageError(f"{place_of_caller()}: ahead: expected 0 to {MOST_AHEAD} turns, not {ahead!r}")

    def named(function: Callable[..., Any]) -> Rule:
        body = function if isinstance(function, Kernel) else kernel(function)
        full_name = name or getattr(body.function, "__name__", "")
        where = f"{place_of(body)}: rule '{full_name}'"
        names = [*inspect.signature(body.function).parameters]
        if len(names) != 2 and names[2:] != [AFTER]:
            raise UsageError(
                f"{where} takes {inspect.signature(body.function)}: expected (view, item); "
                "in plain Python (position, move), (position, move, after) or (position, moves)"
            )
        demand(not _stands_twice(body.function), f"{where} is there twice in this file: give one of them another name")
        meaning = " ".join((inspect.getdoc(body.function) or "").split())
        demand(meaning or sys.flags.optimize > 1, f"{where} needs a docstring: it is shown to players")
        return Rule(group, full_name, meaning, float(early), float(early if late is None else late), body, says, ahead)

    return named


def is_weight(value: object) -> bool:
    """Whether a value can be a weight: a number that is not too large."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MOST_WEIGHT


def _named(value: object) -> str:
    """A value, or the name of a function that was decorated without arguments."""
    return f"`{value.__name__}` itself" if isinstance(value, types.FunctionType) else repr(value)


def _stands_twice(function: Any) -> bool:
    """Whether the file of a function has another rule of that name above it.

    A module or a notebook's cell that runs again may define its rules again.
    """
    former = getattr(function, "__globals__", {}).get(function.__name__)
    if not isinstance(former, Rule):
        return False
    other = without_checks(former.kernel).function
    codes = [f.__code__ for f in (function, other) if isinstance(f, types.FunctionType)]
    if len(codes) < 2 or codes[0].co_filename != codes[1].co_filename or codes[0] == codes[1]:
        return False
    linecache.checkcache(codes[0].co_filename)
    return definition(function) is not None and definition(other) is not None


def rules_of(namespace: Mapping[str, Any]) -> list[Rule]:
    """The rules defined in a module, in their order: `rules_of(globals())`."""
    return [value for value in namespace.values() if isinstance(value, Rule)]
