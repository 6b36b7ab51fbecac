"""A report as one HTML page, pictures included: nothing in it is loaded from elsewhere."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from rulebots.output import figures as drawing
from rulebots.output.figures import FAINT, FIRST
from rulebots.output.notebook import html_table

#: The most lines of a table of moves or rules: of a longer one, the first and the last.
MOST_LINES = 16
_LATER_SEATS = ("second seat", "third seat", "fourth seat", "fifth seat", "sixth seat")
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1f2937; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
td, th { padding: .2rem .7rem; border-bottom: 1px solid #e5e7eb; text-align: left; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
td:nth-child(2) { white-space: nowrap; } svg { max-width: 100%; height: auto; } p.note { color: #6b7280; }
"""

Data = Mapping[str, Any]


def page(about: Data, parts: Data) -> str:
    """The page of a report: `about` says what was measured (`Plan.about`), `parts` what came of it, as far as it is.

    Raises:
        UsageError: matplotlib is not installed.
    """
    title = f"{about['title']}: a report for its designer"
    body = [f"<h1>{html.escape(title)}</h1>", _note(_terms(about))]
    for section in (_variants, _skill, _course, _choices, _rules, _restricted):
        body += section(about, parts)
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{_STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(body) + "\n</body></html>\n"


def variant_name(options: Data) -> str:
    """`suits=6, hand_size=8`; `as it is` where no option is chosen."""
    return ", ".join(f"{name}={value}" for name, value in options.items()) or "as it is"


def percentage(figure: Data, digits: int = 1) -> str:
    """A figure in 0..1 with its interval: `56.2 % (53.1 to 59.2)`."""
    return _ends(figure, lambda value: f"{100 * value:.{digits}f}", " %")


def amount(figure: Data, digits: int = 1) -> str:
    """A figure with its interval: `34.3 (33.8 to 34.8)`."""
    return _ends(figure, lambda value: f"{value:.{digits}f}", "")


def core_rows(about: Data, parts: Data) -> list[tuple[str, list[str]]]:
    """What is told of each variant, figure by figure: its name, and a text for each variant that was measured."""
    known = [i for i in range(len(about["variants"])) if f"course {i}" in parts]
    courses = [parts[f"course {i}"] for i in known]
    ladders = [parts[f"ladder {i}"] for i in known]
    figures = [
        {**one, **one.get("lead", {}), "skill": ladder["skill"], **_by_seat(one)}
        for one, ladder in zip(courses, ladders, strict=True)
    ]
    most = max((len(one.get("seats", ())) for one in courses), default=0)
    rows: list[tuple[str, str, Callable[[Any], str]]] = [
        ("best player", "player", str), ("it scores against the weakest", "skill", percentage),
        ("points", "points", amount), ("the best possible", "perfect", percentage),
        ("first seat scores", "first_seat", percentage),
        *((f"{seat} scores", seat, percentage) for seat in _LATER_SEATS[: max(0, most - 1)]),
        ("draws", "draws", percentage), ("stalled games", "stalled", percentage), ("length in plies", "length", amount),
        ("moves to choose from", "branching", amount), ("forced moves", "forced", percentage),
        ("changes of the lead", "changes", amount), ("decided after", "decided", lambda one: percentage(one, 0)),
        ("won from behind half-way", "comebacks", percentage), ("decided by one who loses", "kingmaking", percentage),
        ("who leads is read from", "by", str),
    ]  # fmt: skip
    told = [row for row in rows if not figures or any(row[1] in one for one in figures)]
    return [(text, [form(one[name]) if name in one else "" for one in figures]) for text, name, form in told]


def _by_seat(course: Data) -> dict[str, Any]:
    """What each seat after the first scores, at a table of more than two."""
    seats = course.get("seats", ())
    return dict(zip(_LATER_SEATS, seats[1:], strict=False)) if len(seats) > 2 else {}


def _terms(about: Data) -> str:
    many = f"{about['deals']:,} games of each player with itself, seed {about['seed']}"
    return f"{many}. Ranges are 95 % intervals; equal games count once. Where too few differ, there is none."


def _variants(about: Data, parts: Data) -> list[str]:
    rows = core_rows(about, parts)
    if not rows[0][1]:
        return []
    names = [variant_name(options) for options in about["variants"]][: len(rows[0][1])]
    table = html_table(("", *names), [(name, *cells) for name, cells in rows])
    return ["<h2>At a glance</h2>", table, _note("Games of the best player with itself.")]


def _skill(about: Data, parts: Data) -> list[str]:
    if "ladder 0" not in parts:
        return []
    lines = parts["ladder 0"]["players"]
    names = [line["player"] for line in lines]
    together = "points" in lines[0]
    seats = len(lines[0].get("seats", ()))
    columns = ["player", "points with itself" if together else "Elo"]
    columns += [] if together else ["first seat with itself", *(_LATER_SEATS[: seats - 1] if seats > 2 else ())]
    columns += [*([] if together else ["draws with itself"]), "length"]
    rows = []
    for line in lines:
        of_seats = line.get("seats", ())[: seats if seats > 2 else 1]
        shares = [*map(percentage, of_seats), *([] if together else [percentage(line["draws"])])]
        rows.append((line["player"], amount(line["elo"], 1 if together else 0), *shares, amount(line["length"])))
    with drawing.styled():
        figure = drawing.new_figure(9.5, 1.2 + 0.34 * len(lines))
        left, *right = np.atleast_1d(figure.subplots(1, 1 if together else 2))
        what = "points with itself" if together else "Elo, mean of the players 0"
        _dots(left, names, [line["elo"] for line in lines], 1, what)
        for axes in right:
            of_first = [line["first_seat"] for line in lines]
            _dots(axes, names, of_first, 100, "first seat scores, in %", middle=100 / seats)
            axes.set_yticklabels([])
        picture = _inline(figure)
    text = "Does skill matter, and does the seat? A game in which the better player hardly wins is a game of chance."
    if together:
        text = "Does skill matter? What each player makes of the deals with copies of itself."
    title = "Skill" if together else "Skill and seats"
    return [f"<h2>{title}</h2>", _note(text), picture, html_table(tuple(columns), rows)]


def _course(about: Data, parts: Data) -> list[str]:
    if "course 0" not in parts:
        return []
    course = parts["course 0"]
    lead = course.get("lead")
    tenths = np.arange(1, 11)
    with drawing.styled():
        figure = drawing.new_figure(9.5, 2.9)
        left, *right = np.atleast_1d(figure.subplots(1, 2 if lead else 1))
        _band(left, 10 * tenths, course["branching_by_tenth"], 1)
        left.set(title="moves to choose from", xlabel="% of the game", ylim=(0, None))
        for axes in right:
            _band(axes, 10 * tenths[:-1], lead["leader_wins"], 100)
            axes.axhline(100 / len(course["seats"]), color=FAINT, lw=0.8)
            axes.set(title=f"who leads wins, in % (by {lead['by']})", xlabel="% of the game", ylim=(-2, 102))
        picture = _inline(figure)
    ends = ("least", "5 %", "25 %", "half", "75 %", "95 %", "most")
    tables = {"lengths of the games played, in plies": course["lengths"]}
    if not lead:
        tables = {"points of the games": course["spread"], **tables}
    found = [html_table(ends, [[f"{value:g}" for value in of]], name) for name, of in tables.items()]
    text = f"{course['different']:,} different games of {course['player']} with itself."
    if lead and lead["by"] == "points":
        text += " Who leads has more points."
    elif lead:
        text += (
            " Points tell less of the winner: who leads wins clearly more of the games that go on at random from there."
        )
    if "kingmaking" in course:
        text += (
            " A game is decided by one who loses where, at the last choice of anybody but the winner, that seat can no "
            "longer win, and its moves change another's chance by at least half (16 playouts of each by the player)."
        )
    return ["<h2>The course of a game</h2>", _note(text), picture, *found]


def _choices(about: Data, parts: Data) -> list[str]:
    found = []
    together = "points" in parts.get("course 0", {})
    for table, caption in (("kinds", "kinds of moves"), ("moves", "moves")):
        lines = parts.get("course 0", {}).get(table, [])
        if len(lines) < 2:
            continue
        rows = [
            (line["name"], percentage(line["taken"]), _points(line["more"], 1 if together else 100), line["verdict"])
            for line in _outermost(lines)
        ]
        shown = caption if len(rows) == len(lines) else f"{caption}: the first and the last of {len(lines)}"
        gain = "points where it is more often" if together else "who chose it more often wins"
        found.append(html_table(("", "chosen where it can be", gain, ""), rows, shown))
    if not found:
        return []
    gain = "by how many points the win rate of the side that made it more often is above its seat's"
    if together:
        gain = "how many points more the games have in which it is made more often than usual"
    text = (
        f"How often a choice is made, and {gain}. That two things go together does not make one the cause of the "
        "other. All intervals of a table hold together in 95 %: so a single one that leaves out 0 means something."
    )
    dead = "A choice is called dead below 1 %, and dominant above 95 %, where its whole interval is."
    return ["<h2>Choices</h2>", _note(f"{text} {dead}"), *found]


def _rules(about: Data, parts: Data) -> list[str]:
    lines = parts.get("rules", [])
    if not lines:
        return []
    shown = _outermost(lines)
    rows = [(line["name"], _points(line["loss"]), line["verdict"], line["meaning"]) for line in shown]
    with drawing.styled():
        figure = drawing.new_figure(8, 1.1 + 0.28 * len(shown))
        names = [line["name"] for line in shown]
        losses = [line["loss"] for line in shown]
        _dots(figure.subplots(), names, losses, 100, "points of win rate", middle=0)
        picture = _inline(figure)
    text = f"What the best player loses against itself without each rule, in points of win rate; {len(lines)} rules."
    return ["<h2>Rules</h2>", _note(text), picture, html_table(("rule", "loses", "", "meaning"), rows)]


def _restricted(about: Data, parts: Data) -> list[str]:
    lines = {name.removeprefix("without "): part for name, part in parts.items() if name.startswith("without ")}
    if not lines:
        return []
    rows = [(name, percentage(line["at_once"]), percentage(line["bred_again"])) for name, line in lines.items()]
    with drawing.styled():
        figure = drawing.new_figure(7, 1.1 + 0.34 * len(lines))
        again = [line["bred_again"] for line in lines.values()]
        names = [f"without {name}" for name in lines]
        _dots(figure.subplots(), names, again, 100, "scores against the unrestricted, in %", 50)
        picture = _inline(figure)
    text = "What the best player scores against itself when it never makes such a move, as it is and bred again for it."
    return ["<h2>Restricted play</h2>", _note(text), picture, html_table(("without", "at once", "bred again"), rows)]


def _outermost(lines: Sequence[Data]) -> list[Data]:
    """The first and the last of a long table."""
    half = MOST_LINES // 2
    return list(lines) if len(lines) <= MOST_LINES else [*lines[:half], *lines[-half:]]


def _dots(
    axes: Any, names: Sequence[str], figures: Sequence[Data], scale: float, label: str, middle: float = 0
) -> None:
    """A point with its interval on a line for each name, the first on top."""
    for row, figure in enumerate(figures):
        if figure["mean"] is None:
            continue
        if figure["low"] is not None:
            axes.plot([scale * figure["low"], scale * figure["high"]], [row, row], color=FAINT, lw=1.6)
        axes.plot(scale * figure["mean"], row, "o", color=FIRST, ms=5)
    axes.axvline(middle, color=FAINT, lw=0.8)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(label)


def _band(axes: Any, x: Any, figures: Sequence[Data], scale: float) -> None:
    """A curve with its interval, where it is known."""
    known = [i for i, figure in enumerate(figures) if figure["mean"] is not None]
    axes.plot([x[i] for i in known], [scale * figures[i]["mean"] for i in known], color=FIRST)
    sure = [i for i in known if figures[i]["low"] is not None]
    low, high = ([scale * figures[i][end] for i in sure] for end in ("low", "high"))
    axes.fill_between([x[i] for i in sure], low, high, color=FIRST, alpha=0.2, lw=0)


def _points(figure: Data, scale: float = 100) -> str:
    """A difference of win rates in points, with its interval."""
    return _ends(figure, lambda value: f"{scale * value:+.1f}", "")


def _ends(figure: Data, text: Any, unit: str) -> str:
    if figure["mean"] is None:
        return "unknown"
    around = "too few" if figure["low"] is None else f"{text(figure['low'])} to {text(figure['high'])}"
    return f"{text(figure['mean'])}{unit} ({around})"


def _note(text: str) -> str:
    return f'<p class="note">{html.escape(text)}</p>'


def _inline(figure: Any) -> str:
    """The picture as SVG without the head of a file."""
    text: str = drawing.picture_bytes(figure, "svg").decode()
    return text[text.index("<svg") :]
