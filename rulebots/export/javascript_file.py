"""An ES module with players, and the law of their game; and its type declarations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from rulebots.export.contents import Contents
from rulebots.export.javascript import TYPED, JavaScriptPrinter, number, zeros
from rulebots.export.python_file import content_of, filled, record_name, template
from rulebots.export.ranges import EXACT
from rulebots.export.tree import FLOAT, RecordKind, kind_of


def javascript_file(whole: Contents) -> str:
    """The text of the module."""
    printer = JavaScriptPrinter(whole.program, whole.roots(), "k_")
    functions = "\n".join(printer.functions())
    usage = (
        "const position = new Position(1);\n * while (!position.over) position.play(position.choose());"
        if whole.law_too
        else "const view = new View();  // fill its fields\n * const move = choose(view, [0, 1, 2]);"
    )
    players = (
        f"{json.dumps(p.name)}: [{p.judge}, {literal(p.weights.tolist())}, {number(p.careless)}]" for p in whole.players
    )
    parts = {
        "LAW": template("law.js.txt") if whole.law_too else "",
        "TITLE": whole.game.title,
        "CONTENT": content_of(whole),
        "USAGE": usage,
        "NAME": json.dumps(whole.game.name),
        "OPTIONS": json.dumps(whole.options),
        "SEATS": whole.seats,
        "MOVE_COUNT": whole.game.move_count,
        "PLY_CAP": whole.game.ply_cap,
        "NAMES": json.dumps(whole.names, ensure_ascii=False),
        "RECORDS": "\n\n".join("\n".join(_record(printer, kind, whole)) for kind in whole.records()),
        "TABLES": "\n".join(f"const {name} = {literal(values.tolist())};" for name, values in printer.tables()),
        "FUNCTIONS": functions,
        "JUDGES": _listed("[", _judges(whole, printer), "]"),
        "PLAYERS": _listed("{", players, "}"),
        "LEVELS": json.dumps(whole.levels),
        "FIRST": json.dumps(whole.players[0].name),
        "DEAL": json.dumps([whole.deal.way, whole.deal.pack]),
        "DRAW": "k_draw(this.state, listed(moves), moves.length, this.chance)" if whole.game.chance else "moves[0]",
    }
    return filled(template("player.js.txt"), parts)


def declarations(whole: Contents) -> str:
    """The text of the module's .d.ts file."""
    printer = JavaScriptPrinter(whole.program, whole.roots(), "k_")
    kinds = [whole.state, whole.view] if whole.law_too else [whole.view]
    parts = {
        "LAW": template("law.d.ts.txt") if whole.law_too else "",
        "TITLE": whole.game.title,
        "CONTENT": content_of(whole),
        "PLAYER_TYPE": " | ".join(json.dumps(player.name) for player in whole.players),
        "RECORDS": "\n\n".join("\n".join(_declared(printer, kind, whole)) for kind in kinds),
    }
    return filled(template("player.d.ts.txt"), parts)


def literal(value: Any) -> str:
    """A number, or nested lists of numbers, as JavaScript."""
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if EXACT.low <= value <= EXACT.high else f"{value}n"
    return number(value)


def _listed(begin: str, lines: Iterable[str], end: str) -> str:
    return "\n".join([begin, *(f"    {line}," for line in lines), end])


def _record(printer: JavaScriptPrinter, kind: RecordKind, whole: Contents) -> Iterator[str]:
    """A class for records of a kind."""
    yield f"/** {whole.meaning(kind)} */"
    yield f"{'export ' if kind in (whole.state, whole.view) else ''}class {record_name(kind)} {{"
    yield "    constructor() {"
    for name in kind.dtype.names or ():
        dtype = kind.dtype[name]
        value = zeros(dtype.base.name, [str(length) for length in dtype.shape]) if dtype.shape else "0"
        note = whole.note(kind, name)
        yield f"        this.{printer.word(name)} = {value};{f' // {note}' if note else ''}"
    yield "    }"
    yield "}"


def _declared(printer: JavaScriptPrinter, kind: RecordKind, whole: Contents) -> Iterator[str]:
    yield f"/** {whole.meaning(kind)} */"
    yield f"export class {record_name(kind)} {{"
    for name in kind.dtype.names or ():
        dtype = kind.dtype[name]
        wide = dtype.base.name not in TYPED and kind_of(dtype.base) != FLOAT
        one = "number | bigint" if wide and not _exact(whole, kind, name) else "number"
        inner = TYPED.get(dtype.base.name, f"({one})[]")
        text = inner + "[]" * (len(dtype.shape) - 1) if dtype.shape else one
        note = whole.note(kind, name)
        if note:
            yield f"    /** {note} */"
        yield f"    {printer.word(name)}: {text};"
    yield "}"


def _exact(whole: Contents, kind: RecordKind, name: str) -> bool:
    found = whole.program.places(kind)[name].found().range
    return found is None or found.within(EXACT)


def _judges(whole: Contents, printer: JavaScriptPrinter) -> Iterator[str]:
    for judge in whole.judges:
        functions = [judge.observe if whole.law_too else None, judge.choose, judge.score, judge.judge]
        names = ["null" if f is None else printer.called(f) for f in functions]
        rules = judge.style.rules
        known = [] if rules is None else [(rule.key, rule.meaning) for rule in rules.rules]
        shares = "[]" if rules is None else literal(judge.shares())
        yield f"[{record_name(judge.view)}, {', '.join(names)}, {json.dumps(known, ensure_ascii=False)}, {shares}]"
