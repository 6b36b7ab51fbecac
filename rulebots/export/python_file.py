"""A file of Python with players, and the law of their game."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rulebots.export.contents import Contents
from rulebots.export.python_code import PythonPrinter, docstring, zeros
from rulebots.export.tree import FLOAT, RecordKind, kind_of

_HERE = Path(__file__).parent / "runtime"


@functools.cache
def template(name: str) -> str:
    """A text of the folder `runtime`."""
    return (_HERE / name).read_text("utf-8")


def filled(text: str, parts: Mapping[str, Any]) -> str:
    """A template with each `@NAME@` replaced."""
    for name, part in parts.items():
        text = text.replace(f"@{name}@", str(part))
    return text


def content_of(whole: Contents) -> str:
    """What is in the file, in words."""
    names = ", ".join(player.name for player in whole.players)
    return f"{'the law and ' if whole.law_too else ''}the player{'s' if len(whole.players) > 1 else ''} {names}"


def record_name(kind: RecordKind) -> str:
    """The name of a class for records."""
    return kind.name.capitalize()


def python_file(whole: Contents) -> str:
    """The text of the file."""
    printer = PythonPrinter(whole.program, whole.roots(), "k_")
    functions = "\n".join(printer.functions())
    usage = (
        "    position = Position(seed=1)\n    while not position.over:\n        position.play(position.choose())"
        if whole.law_too
        else "    view = View()\n    ...  # fill its fields\n    move = choose(view, [0, 1, 2])"
    )
    parts = {
        "LAW": template("law.py.txt") if whole.law_too else "",
        "TITLE": whole.game.title,
        "CONTENT": content_of(whole),
        "USAGE": usage,
        "NAME": repr(whole.game.name),
        "OPTIONS": whole.options,
        "SEATS": whole.seats,
        "MOVE_COUNT": whole.game.move_count,
        "PLY_CAP": whole.game.ply_cap,
        "NAMES": repr(whole.names),
        "RECORDS": "\n\n\n".join("\n".join(_record(printer, kind, whole)) for kind in whole.records()),
        "TABLES": "\n".join(f"{name} = {values.tolist()!r}" for name, values in printer.tables()),
        "FUNCTIONS": functions,
        "JUDGES": _judges(whole, printer),
        "PLAYERS": _lines(
            "{", (f"{p.name!r}: ({p.judge}, {p.weights.tolist()!r}, {p.careless!r})" for p in whole.players), "}"
        ),
        "LEVELS": list(whole.levels),
        "FIRST": repr(whole.players[0].name),
        "DEAL": (whole.deal.way, list(whole.deal.pack)),
        "DRAW": "k_draw(self.state, moves, len(moves), self.chance)" if whole.game.chance else "moves[0]",
    }
    return filled(template("player.py.txt"), parts)


def _lines(begin: str, lines: Iterator[str], end: str) -> str:
    return "\n".join([begin, *(f"    {line}," for line in lines), end])


def _record(printer: PythonPrinter, kind: RecordKind, whole: Contents) -> Iterator[str]:
    names = kind.dtype.names or ()
    yield f"class {record_name(kind)}:"
    yield f"    {docstring(whole.meaning(kind))}"
    yield ""
    yield f"    __slots__ = ({', '.join(repr(printer.word(name)) for name in names)},)"
    yield ""
    yield "    def __init__(self):"
    for name in names:
        number = "0.0" if kind_of(kind.dtype[name].base) == FLOAT else "0"
        note = whole.note(kind, name)
        value = zeros([str(length) for length in kind.dtype[name].shape], number)
        yield f"        self.{printer.word(name)} = {value}{f'  # {note}' if note else ''}"


def _judges(whole: Contents, printer: PythonPrinter) -> str:
    lines = []
    for judge in whole.judges:
        functions = [judge.observe if whole.law_too else None, judge.choose, judge.score, judge.judge]
        names = [printer.called(f) if f is not None else "None" for f in functions]
        rules = judge.style.rules
        known: list[Any] = [] if rules is None else [(rule.key, rule.meaning) for rule in rules.rules]
        shares = [] if rules is None else judge.shares()
        lines.append(f"({record_name(judge.view)}, {', '.join(names)}, {known!r}, {shares!r})")
    return _lines("[", iter(lines), "]")


def flat(values: Any) -> list[Any]:
    """The elements of an array, the last index fastest."""
    listed: list[Any] = np.asarray(values).ravel().tolist()
    return listed
