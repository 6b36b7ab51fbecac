"""A report as one HTML page, pictures included: nothing in it is loaded from elsewhere."""

import html
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from evolve.analysis.ablation import NEEDED, UNDECIDED
from rulebots.errors import listed
from rulebots.output.notebook import html_table

#: Rules that a finding names.
MOST_NAMED = 3
#: The most lines of a table of moves or rules: of a longer one, the first and the last.
MOST_LINES = 16
_TERMS = (
    "Games of the best player with itself. A move is forced where it is the only legal one. Where they play against "
    "each other, a game is decided after the share of it from which on its winner stays in the lead."
)
_LATER_SEATS = ("second seat", "third seat", "fourth seat", "fifth seat", "sixth seat")
#: Light and dark by the reader's setting, from 360 px on, curves too. Points with their intervals are a list, which is
#: as wide as its reader's screen.
_STYLE = """
:root { color-scheme: light dark; --ink: #1f2429; --faint: #5a5f66; --rule: #dcd5c7; --paper: #f4f1ea; }
:root { --sheet: #ffffff; --accent: #0e6069; }
body { font: 1rem/1.5 Figtree, system-ui, sans-serif; max-width: 62rem; margin: 1.5rem auto; padding: 0 1rem; }
body { color: var(--ink); background: var(--paper); }
p { margin: .25rem 0; } h1 { font-size: 1.75rem; line-height: 1.2; } h2 { font-size: 1.25rem; margin: .75rem 0 .5rem; }
section { background: var(--sheet); border: 1px solid var(--rule); border-radius: 10px; margin: 1rem 0; }
section { padding: .25rem 1.25rem .75rem; }
table { border-collapse: collapse; margin: 1rem 0 .25rem; font-variant-numeric: tabular-nums; }
table { display: block; overflow-x: auto; }
table { background: linear-gradient(var(--sheet) 0 0) 100% / 1rem 100% no-repeat local,
  linear-gradient(to left, var(--rule), transparent) 100% / .5rem 100% no-repeat scroll; }
td, th { padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: top; }
th, caption, .note, .dots { color: var(--faint); } th { font-weight: 600; font-size: .875rem; }
caption { text-align: left; padding: .3rem 0; } .note { margin: .25rem 0; max-width: 48rem; }
.curves { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin-top: .75rem; } .curves > div { flex: 1 1 19rem; }
svg { width: 100%; height: auto; max-width: 30rem; font-size: 11px; fill: var(--faint); }
svg .title { font-weight: 600; font-size: 12px; fill: var(--ink); } .end { text-anchor: end; }
.mid { text-anchor: middle; } .grid { stroke: var(--rule); } .even { stroke: var(--faint); stroke-dasharray: 4 3; }
polyline { fill: none; stroke: var(--accent); stroke-width: 2; } polygon { fill: var(--accent); opacity: .2; }
.dots { margin: 1rem 0; } .dots ul { list-style: none; padding: 0; margin: .25rem 0; }
.dots li { display: grid; grid-template-columns: minmax(6.5rem, 1fr) 2fr 3.5rem; gap: .75rem; align-items: center; }
.dots span { overflow-wrap: anywhere; color: var(--ink); } .dots b { font-weight: 600; text-align: right; }
.dots b { color: var(--ink); font-variant-numeric: tabular-nums; } .dots i { position: absolute; }
.track { position: relative; height: 1.5rem; } .middle { inset: 0 auto; width: 1px; background: var(--rule); }
.range { top: calc(50% - 1px); height: 3px; background: var(--faint); opacity: .5; border-radius: 2px; }
.point { top: calc(50% - 5px); width: 11px; height: 11px; margin-left: -5px; }
.point { border-radius: 50%; background: var(--accent); }
@media (max-width: 40rem) { section { padding-inline: .75rem; } td, th { font-size: .875rem; padding-right: .5rem; } }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ece9e3; --faint: #a8adb1; --rule: #363d42; --paper: #13171a; --sheet: #1c2125; --accent: #74c7c9; }
}
"""

Data = Mapping[str, Any]


def page(about: Data, parts: Data) -> str:
    """The page of a report: `about` says what was measured (`Plan.about`), `parts` what came of it, as far as it is."""
    title = html.escape(f"{about['title']}: a report for its designer")
    body = [
        f"<h1>{title}</h1>",
        _note(
            f"{about['deals']:,} games of each player with itself, seed {about['seed']}"
            f". Ranges are 95 % intervals; equal games count once.{opening_note(about)}"
        ),
    ]
    if said := findings(about, parts):
        body += ["<section>", "<h2>What it found</h2>", *(f"<p>{html.escape(one)}</p>" for one in said), "</section>"]
    for section, of in (
        (_variants, "course 0"), (_skill, "ladder 0"), (_course, "course 0"), (_choices, "course 0"), (_rules, "rules"),
        (_restricted, "without "),
    ):  # fmt: skip
        measured = any(part for name, part in parts.items() if name.startswith(of))
        if measured and (lines := section(about, parts)):
            body += ["<section>", *lines, "</section>"]
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style>"
    )
    # What scrolls has to be reached by the keyboard, and a heading without words is none.
    main = "\n".join(body).replace("<table>", '<table tabindex="0">').replace("<th></th>", "<td></td>")
    # An interval stands on one line, below its figure where the table is narrow.
    main = re.sub(r"\((\S+) to (\S+)\)", r"(\1&nbsp;to&nbsp;\2)", main).replace(" %", "&nbsp;%")
    # The name of a rule breaks after dots and underscores.
    main = re.sub(r"(?<=[(>])[a-z]\w*\.\w+(?=[)<])", lambda name: re.sub(r"([._])", r"\1<wbr>", name[0]), main)
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body><main>\n{main}\n</main></body></html>\n'


def findings(about: Data, parts: Data) -> list[str]:
    """What was found of the first variant, a sentence each, then what to do next; empty before its games are measured.

    A figure whose interval holds the even one leaves the matter open.
    """
    if "course 0" not in parts:
        return []
    course, ladder = parts["course 0"], parts["ladder 0"]
    best, *_, worst = (line["player"] for line in ladder["players"])
    counts = _told(ladder["skill"], 0.5, "Skill counts", "Skill does not count", "It is open whether skill counts")
    found = [f"{counts}: {best} scores {percentage(ladder['skill'])} against {worst}."]
    if seat := course.get("first_seat"):
        helps = _told(seat, 1 / len(course["seats"]), "helps", "harms", "is not shown to help or to harm")
        found += [f"The first seat {helps}: {course['player']} scores {percentage(seat)} in it against itself."]
    lines = [*course["kinds"], *course["moves"]]
    for verdict, share in (("dead", "less than 1 %"), ("dominant", "more than 95 %")):
        names = [f"'{_words(parts, line['name'])}'" for line in lines if line["verdict"] == verdict]
        found += [
            f"Choices that are {verdict}, made in {share}, {len(names)} of {len(lines)}: {listed(names, MOST_NAMED)}."
        ] * bool(names)
    rules = parts.get("rules", [])
    needed = [f"{line['meaning'].rstrip('.')} ({line['name']})" for line in rules if line["verdict"] == NEEDED]
    idle = [line["name"] for line in rules if line["verdict"] not in (NEEDED, UNDECIDED)]
    found += [
        f"Rules needed beyond doubt: {listed(needed, MOST_NAMED) or 'none'}.",
        f"Rules that can go: {listed(idle) or 'none beyond doubt'}.",
    ] * bool(rules)
    tried = {name: part["bred_again"] for name, part in parts.items() if name.startswith("without ")}
    needed = [f"{percentage(one)} {_words(parts, name)}" for name, one in tried.items() if (one["high"] or 1) < 0.5]
    if needed:
        found.append(
            f"None of the moves can be left out: even bred again, {course['player']} scores less than half."
            if len(needed) == len(tried) > 1
            else f"Moves needed beyond doubt, {len(needed)} of {len(tried)}: even bred again, {course['player']} "
            f"scores {listed(needed, MOST_NAMED)}."
        )
    return [
        *found,
        f"Next: --deals {4 * about['deals']} halves the intervals; --option NAME=VALUE,VALUE compares variants.",
    ]


def _told(figure: Data, even: float, above: str, below: str, unknown: str) -> str:
    low, high = figure["low"], figure["high"]
    return unknown if low is None or low <= even <= high else above if low > even else below


def _words(parts: Data, name: str) -> str:
    """A move in words; of a part that is without it, `without 'sow pit 2'`."""
    without, _, move = name.rpartition(" ")
    words = parts["course 0"].get("words", {}).get(move) or move
    return f"{without} '{words}'" if without else words


def variant_name(options: Data) -> str:
    """`suits=6, hand_size=8`; `as it is` where no option is chosen."""
    return ", ".join(f"{name}={value}" for name, value in options.items()) or "as it is"


def percentage(figure: Data, digits: int = 1) -> str:
    """A figure in 0..1 with its interval: `56.2 % (53.1 to 59.2)`."""
    return amount(figure, digits, 100, " %")


def amount(figure: Data, digits: int = 1, scale: float = 1, unit: str = "", sign: str = "") -> str:
    """A figure with its interval: `34.3 (33.8 to 34.8)`."""
    if figure["mean"] is None:
        return "unknown"
    mean, low, high = (
        "too few" if figure[name] is None else f"{scale * figure[name]:{sign}.{digits}f}"
        for name in ("mean", "low", "high")
    )
    return f"{mean}{unit} ({low})" if low == "too few" else f"{mean}{unit} ({low} to {high})"


def opening_note(about: Data) -> str:
    """A sentence on the random moves that games begin with; "" for none."""
    plies = about["opening_plies"]
    moves = "a random move" if plies == 1 else f"{plies} random moves"
    return f" Each game begins with {moves}, so that even perfect players win and lose." if plies else ""


def core_rows(about: Data, parts: Data) -> list[tuple[str, list[str]]]:
    """The table of variants, figure by figure: its name, and a text for each measured variant."""
    known = [i for i in range(len(about["variants"])) if f"course {i}" in parts]
    figures = []
    for i in known:
        course = parts[f"course {i}"]
        seats = course.get("seats", ())
        later = dict(zip(_LATER_SEATS, seats[1:], strict=False)) if len(seats) > 2 else {}
        figures.append({**course, **course.get("lead", {}), **later, "skill": parts[f"ladder {i}"]["skill"]})
    if not any(one["stalled"]["mean"] for one in figures):
        for one in figures:
            del one["stalled"]
    rows: list[tuple[str, str, Callable[[Any], str]]] = [
        ("best player", "player", str), ("it scores against the weakest", "skill", percentage),
        ("points", "points", amount),
        (f"games with all {figures[0].get('most', 'the') if figures else 'the'} points", "perfect", percentage),
        ("first seat scores", "first_seat", percentage),
        *((f"{seat} scores", seat, percentage) for seat in _LATER_SEATS),
        ("draws", "draws", percentage), ("stalled games", "stalled", percentage), ("length in plies", "length", amount),
        ("moves to choose from", "branching", amount), ("forced moves", "forced", percentage),
        ("changes of the lead", "changes", amount), ("decided after", "decided", lambda one: percentage(one, 0)),
        ("won from behind half-way", "comebacks", percentage), ("decided by one who loses", "kingmaking", percentage),
        ("who leads is read from", "by", str),
    ]  # fmt: skip
    return [
        (text, [form(one[name]) if name in one else "" for one in figures])
        for text, name, form in rows
        if not figures or any(name in one for one in figures)
    ]


def _variants(about: Data, parts: Data) -> list[str]:
    rows = core_rows(about, parts)
    names = [variant_name(options) for options in about["variants"]][: len(rows[0][1])]
    return ["<h2>At a glance</h2>", html_table(("", *names), [(name, *cells) for name, cells in rows]), _note(_TERMS)]


def _skill(about: Data, parts: Data) -> list[str]:
    lines = parts["ladder 0"]["players"]
    names = [line["player"] for line in lines]
    elo = [line["elo"] for line in lines]
    if "points" in lines[0]:  # a cooperative game
        rows = [(line["player"], amount(line["elo"]), amount(line["length"])) for line in lines]
        return [
            "<h2>Skill</h2>",
            _note("Does skill matter? What each player makes of the deals with copies of itself."),
            _dots(names, elo, 1, "points with itself"),
            html_table(("player", "points with itself", "length"), rows),
        ]
    seats = len(lines[0]["seats"])
    shown = seats if seats > 2 else 1
    rows = [
        (
            line["player"],
            amount(line["elo"], 0),
            *map(percentage, line["seats"][:shown]),
            percentage(line["draws"]),
            amount(line["length"]),
        )
        for line in lines
    ]
    columns = ("player", "Elo", "first seat with itself", *_LATER_SEATS[: shown - 1], "draws with itself", "length")
    return [
        "<h2>Skill and seats</h2>",
        _note(
            "Does skill matter, and does the seat? Where the better player hardly wins, it is a game of chance. "
            "Elo is a scale of strength: 100 points more score 64 %, 200 points 76 %, 400 points 91 %."
        ),
        _dots(names, elo, 1, "Elo, mean of the players 0"),
        _dots(names, [line["first_seat"] for line in lines], 100, "first seat scores, in %", 100 / seats),
        html_table(columns, rows),
    ]


def _course(about: Data, parts: Data) -> list[str]:
    course = parts["course 0"]
    lead = course.get("lead")
    tenths = 10 * np.arange(1, 11)
    curves = [_band("moves to choose from", tenths, course["branching_by_tenth"], 1)]
    if lead:
        title = f"wins of the leader, in % (by {lead['by']})"
        curves.append(_band(title, tenths[:-1], lead["leader_wins"], 100, 100 / len(course["seats"])))
    tables = {} if lead else {"points of the games": course["spread"]}
    tables["lengths of the games played, in plies"] = course["lengths"]
    ends = ("least", "5 %", "25 %", "half", "75 %", "95 %", "most")
    text = f"{course['different']:,} different games of {course['player']} with itself."
    if lead and lead["by"] == "points":
        text += " The leader has more points."
    elif lead:
        text += " The leader clearly wins more random playouts from there, which predict the winner better than points."
    if "kingmaking" in course:
        text += (
            " A losing player decides a game if, at the last choice of anybody but the winner, that seat can no longer "
            "win, and its moves change another's chance by at least half (16 playouts of each by the player)."
        )
    return [
        "<h2>The course of a game</h2>",
        _note(text),
        f'<div class="curves">{"".join(curves)}</div>',
        *(html_table(ends, [[f"{value:g}" for value in row]], name) for name, row in tables.items()),
    ]


def _choices(about: Data, parts: Data) -> list[str]:
    course = parts["course 0"]
    together = "points" in course
    gain = "points where it is more often" if together else "who chose it more often wins"
    tables = []
    for table, caption in (("kinds", "kinds of moves"), ("moves", "moves")):
        lines = course.get(table, [])
        if len(lines) < 2:
            continue
        rows = [
            (
                _words(parts, line["name"]),
                percentage(line["taken"]),
                amount(line["more"], 1, 1 if together else 100, sign="+"),
                line["verdict"],
            )
            for line in _outermost(lines)
        ]
        said = caption if len(rows) == len(lines) else f"{caption}: the first and the last of {len(lines)}"
        tables.append(html_table(("", "chosen where it can be", gain, ""), rows, said))
    if not tables:
        return []
    text = (
        "how many points more the games have in which it is made more often than usual"
        if together
        else "by how many points the win rate of the side that made it more often is above its seat's"
    )
    note = (
        f"How often a choice is made, and {text}. That two things go together does not make one the cause of the "
        "other. All intervals of a table hold together in 95 %: so a single one that leaves out 0 means something. "
        "A choice is called dead below 1 %, and dominant above 95 %, where its whole interval is."
    )
    return ["<h2>Choices</h2>", _note(note), *tables]


def _rules(about: Data, parts: Data) -> list[str]:
    lines = parts["rules"]
    shown = _outermost(lines)
    unit = "% of deals" if "points" in parts.get("course 0", {}) else "points of win rate"
    return [
        "<h2>Rules</h2>",
        _note(
            f"What the best player loses against itself without each of {len(lines)} rules, in {unit}"
            f"{': those that lose most and least' * (len(shown) < len(lines))}. "
            "All intervals hold together in 95 %: what is called needed is so beyond doubt, and so is what may go."
        ),
        _dots([line["name"] for line in shown], [line["loss"] for line in shown], 100, unit),
        html_table(
            ("rule", "loses", ""),
            [
                (f"{line['meaning']} ({line['name']})", amount(line["loss"], 1, 100, sign="+"), line["verdict"])
                for line in shown
            ],
        ),
    ]


def _restricted(about: Data, parts: Data) -> list[str]:
    lines = {name.removeprefix("without "): part for name, part in parts.items() if name.startswith("without ")}
    rows = [
        (_words(parts, name), percentage(line["at_once"]), percentage(line["bred_again"]))
        for name, line in lines.items()
    ]
    return [
        "<h2>Restricted play</h2>",
        _note(
            "What the best player scores against itself without such moves, as it is and bred again for it. "
            "All intervals of this table hold together in 95 %."
        ),
        _dots(
            [_words(parts, f"without {name}") for name in lines],
            [line["bred_again"] for line in lines.values()],
            100,
            "scores against the unrestricted, in %",
            50,
        ),
        html_table(("without", "at once", "bred again"), rows),
    ]


def _outermost(lines: Sequence[Data]) -> list[Data]:
    half = MOST_LINES // 2
    return list(lines) if len(lines) <= MOST_LINES else [*lines[:half], *lines[-half:]]


def _dots(names: Sequence[str], figures: Sequence[Data], scale: float, label: str, middle: float = 0) -> str:
    """A list with a line for each name: a point with its interval, all on one scale."""
    ends = [scale * one[end] for one in figures for end in ("mean", "low", "high") if one[end] is not None]
    least, most = min([middle, *ends]), max([middle, *ends])

    def at(value: float) -> str:
        return f"{100 * (value - least) / (most - least or 1):.2f}%"

    lines = list[str]()
    for name, one in zip(names, figures, strict=True):
        marks = f'<i class="middle" style="left:{at(middle)}"></i>'
        if one["low"] is not None:
            low, high = scale * one["low"], scale * one["high"]
            marks += f'<i class="range" style="left:{at(low)};right:{at(most + least - high)}"></i>'
        if one["mean"] is not None:
            marks += f'<i class="point" style="left:{at(scale * one["mean"])}"></i>'
        value = "unknown" if one["mean"] is None else f"{scale * one['mean']:.1f}"
        lines.append(f'<li><span>{html.escape(name)}</span><span class="track">{marks}</span><b>{value}</b></li>')
    head = f"{html.escape(label)}; the line is at {middle:g}, from {least:.3g} to {most:.3g}"
    return f'<div class="dots">{head}<ul>{"".join(lines)}</ul></div>'


def _band(title: str, x: Any, figures: Sequence[Data], scale: float, line: float | None = None) -> str:
    """The picture of a curve over a game, with its interval where it is known; from 0, or in per cent around a line."""
    known = [one[name] for one in figures for name in ("mean", "high") if one[name] is not None]
    top = 100 if line is not None else 4 * math.ceil(scale * max(known, default=1.0) / 4)

    def spot(percent: float, value: float) -> str:
        return f"{36 + 2.9 * percent:.1f},{170 - 150 * scale * value / top:.1f}"

    def points(name: str) -> list[str]:
        return [spot(at, one[name]) for at, one in zip(x, figures, strict=True) if one[name] is not None]

    marks = [
        f'<path class="grid" d="M36,{170 - 1.5 * at}h290"/><text x="30" y="{174 - 1.5 * at}" class="end">'
        f'{top * at / 100:g}</text><text x="{36 + 2.9 * at}" y="188" class="mid">{at}</text>'
        for at in (0, 25, 50, 75, 100)
    ]
    even = "" if line is None else f'<path class="even" d="M{spot(0, line / scale)}h290"/>'
    band = " ".join([*points("low"), *reversed(points("high"))])
    name = html.escape(title)
    return (
        f'<div><svg viewBox="0 0 340 206" role="img" aria-label="{name}"><text x="0" y="10" class="title">{name}</text>'
        f'{"".join(marks)}<text x="181" y="203" class="mid">% of the game</text>{even}<polygon points="{band}"/>'
        f'<polyline points="{" ".join(points("mean"))}"/></svg></div>'
    )


def _note(text: str) -> str:
    return f'<p class="note">{html.escape(text)}</p>'
