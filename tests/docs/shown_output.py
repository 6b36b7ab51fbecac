"""What a page shows of what was printed.

A page shows what its commands printed; `...` alone on a line leaves lines out. Times, speeds, dates, ports and versions
may differ, and numbers where the block is marked `<!-- varies -->`: up to half of the larger one and ten. Of a block
that is marked `<!-- bred -->` the first line is compared so: which rules decide depends on what was bred.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

#: What differs between two runs on any machine.
PASSING = re.compile(
    r"\d[\d,.]* ?(?:m?s|seconds?|minutes?|hours?|MB)\b|\d[\d,.]* (?=(?:games|pairs|positions|nodes) a second)"
    r"|\d{4}-\d\d-\d\d(?:-\d{6})?|\d\d:\d\d(?::\d\d)?\b|\b\d{8}-\d{6}\b|127\.0\.0\.1:\d+|\b\d+\.\d+\.\d+[\w.+]*"
    r'|(?<=seconds": )[\d.e-]+'
)
NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")
#: In a line: words that the author of a page leaves to the recording, as in `win rate ...`.
UNKNOWN = "..."


def matches(shown: str, printed: str, *, varies: str = "") -> bool:
    """Whether a page shows what was printed, with what may differ."""
    if varies == "bred":
        shown, printed = ("".join(_lines(text)[:1]) for text in (shown, printed))
    return _aligned(shown, printed, _near if varies else _same) is not None


def recorded(shown: str, printed: str, *, varies: str = "") -> str:
    """What a page has to show of what was printed: as before where that still matches, then with the lines of now."""
    if matches(shown, printed, varies=varies):
        return shown
    found = _aligned(shown, printed, _alike)
    lines = _lines(printed) if found is None else found
    return "".join(f"{line}\n" for line in lines)


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()] if text.strip() else []


def _aligned(shown: str, printed: str, same: Callable[[str, str], bool]) -> tuple[str, ...] | None:
    """The printed lines for those that are shown, `...` where lines are left out, or None where they are not the same.

    Of several ways it is the one in which the fewest words differ.
    """
    wanted, lines = _lines(shown), _lines(printed)

    @cache
    def best(i: int, j: int) -> tuple[int, tuple[str, ...]] | None:
        if i == len(wanted):
            return (0, ()) if j == len(lines) else None
        if wanted[i] == "...":
            ways = [way for after in range(j, len(lines) + 1) if (way := best(i + 1, after))]
            return min(((changed, ("...", *rest)) for changed, rest in ways), default=None)
        if j == len(lines) or not same(wanted[i], lines[j]) or not (way := best(i + 1, j + 1)):
            return None
        pairs = zip(wanted[i].split(), lines[j].split(), strict=False)
        return way[0] + sum(a != b for a, b in pairs), (lines[j], *way[1])

    way = best(0, 0)
    return way and way[1]


def _same(shown: str, printed: str) -> bool:
    """Whether two lines differ in times and speeds at most."""
    return shown == printed or _without(PASSING, shown) == _without(PASSING, printed)


def _without(pattern: re.Pattern[str], line: str) -> str:
    """A line without what may differ, and so without the width of columns, where it has any of that."""
    return re.sub(r" +|-{2,}", " ", pattern.sub("#", line)) if pattern.search(line) else line


def _near(shown: str, printed: str) -> bool:
    """Whether two lines differ in numbers at most, and in these not by far."""
    first, second = PASSING.sub("#", shown), PASSING.sub("#", printed)
    if _without(NUMBER, first) != _without(NUMBER, second):
        return False
    pairs = zip(_numbers(first), _numbers(second), strict=True)
    return all(abs(a - b) <= 10 + max(abs(a), abs(b)) / 2 for a, b in pairs)


def _numbers(line: str) -> list[float]:
    return [float(number.replace(",", "")) for number in NUMBER.findall(line)]


def _alike(shown: str, printed: str) -> bool:
    """Whether a line of a page and a printed one differ in numbers, or in what the page leaves open."""
    parts = [re.escape(re.sub(r" +", " ", NUMBER.sub("#", part)).strip()) for part in shown.split(UNKNOWN)]
    return re.fullmatch(r" ?.*?".join(parts), re.sub(r" +", " ", NUMBER.sub("#", printed)).strip()) is not None
