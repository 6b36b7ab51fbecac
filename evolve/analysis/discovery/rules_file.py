"""A rule set with new rules as Python text that a person keeps, edits or throws away."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from evolve.analysis.discovery.expressions import Expression, Operand
from rulebots.players.population import rounded
from rulebots.registry import origin_of_game, path_of_game
from rulebots.registry.named_code import origin_of
from rulebots.rules import RuleSet, Weights

#: What the rule set is called in the file: `found.py:discovered`.
VARIABLE = "discovered"
#: The longest line.
WIDTH = 88


def rules_text(rules: RuleSet, found: Sequence[Expression], weights: Weights, name: str, folder: Path) -> str:
    """A module with the rule set `name`: the rules of a set, which it asks for by name, and the new ones.

    `weights`, float64[2, rules], are those of all of them; those of the new ones stand beside them. `folder` is where
    the module will be: it finds a user's rule set relative to it.
    """
    return "\n".join(_lines(rules, found, weights, name, folder)) + "\n"


def _lines(rules: RuleSet, found: Sequence[Expression], weights: Weights, name: str, folder: Path) -> Iterator[str]:
    yield f'"""Rules that `evolve discover` made of those of {rules.game.name}, rule set {rules.name}."""'
    yield ""
    yield from _base(rules, folder, kernels=any(t.long for expression in found for t in expression.operands))
    operands = {t.key: t for expression in found for t in expression.operands if t.rule or t.long}
    taken = {expression.name for expression in found} | {"base", "game", "kernel", "rule", VARIABLE}
    names = {
        key: f"{name}_of_base" if name in taken else name for key, name in _unambiguous(list(operands.values())).items()
    }
    for key, operand in operands.items():
        if operand.rule:
            yield f'{names[key]} = base.rules[base.columns["{key}"]].kernel'
    for key, operand in operands.items():
        if operand.long:
            yield from ("", "", "@kernel", f"def {names[key]}(view, item):")
            yield from _docstring(f"{operand.words[:1].upper()}{operand.words[1:]}.")
            yield f"    return {operand.text}"
    for number, expression in enumerate(found, len(rules.rules)):
        early, late = rounded(weights)[:, number].tolist()
        yield from ("", "", f'@rule("{expression.group}", early={early!r}, late={late!r})')
        yield f"def {expression.name}(view, item):"
        yield from _docstring(expression.meaning)
        yield f"    return {expression.code(names)}"
    yield from ("", "", f"{VARIABLE} = base.extended(", f'    "{name}",', "    [")
    for expression in found:
        yield f"        {expression.name},"
    yield from ("    ],", ")")


def _base(rules: RuleSet, folder: Path, *, kernels: bool) -> Iterator[str]:
    """The imports, and lines that name the rule set with which it begins."""
    named, game = origin_of(rules), _place(path_of_game(rules.game.name), folder)
    if named is None:
        lines = [f'base = load_rules("{rules.name}", load_game({game}))']
    else:
        own = [] if origin_of_game(rules.game.name) is None else [f"load_game({game})"]
        lines = [*own, f"base = load_rules({_place(named.absolute, folder)})"]
    if any("Path(" in line for line in lines):
        yield from ("from pathlib import Path", "")
    names = ["load_game"] * any("load_game(" in line for line in lines) + ["load_rules", "rule"]
    yield f"from rulebots import {', '.join(names)}"
    if kernels:
        yield "from rulebots.kernel import kernel"
    yield from ("", *lines)


def _place(text: str, folder: Path) -> str:
    """A name as code; a user's file or folder is found from where the module is."""
    path, colon, name = text.rpartition(":") if ".py:" in text else (text, "", "")
    if not Path(path).is_absolute():
        return f'"{text}"'
    beside = Path(os.path.relpath(path, folder.resolve())).as_posix()
    return f"f\"{{Path(__file__).resolve().parent / '{beside}'}}{colon}{name}\""


def _docstring(meaning: str) -> Iterator[str]:
    one = f'    """{_safe(meaning)}"""'
    if len(one) <= WIDTH:
        yield one
        return
    yield from textwrap.wrap(f'"""{_safe(meaning)}', WIDTH, initial_indent="    ", subsequent_indent="    ")
    yield '    """'


def _safe(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', "'''")


def _unambiguous(operands: Sequence[Operand]) -> dict[str, str]:
    """A name in code for each operand, by key: its own, with its group where two have one name."""
    names = [one.name for one in operands]
    groups = [one.rule.group if one.rule else "field" for one in operands]
    long = [f"{group}_{name}" if names.count(name) > 1 else name for group, name in zip(groups, names, strict=True)]
    return dict(zip([one.key for one in operands], long, strict=True))
