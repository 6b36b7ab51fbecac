"""A population as text: YAML for people first, the same byte for byte whenever it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulebots.files.yaml_writing import flow, is_long_key, number_text, printable, word
from rulebots.players.population.model import Entry, Population, round_number
from rulebots.players.population.own_layout import FORMAT
from rulebots.registry import origin_of_game
from rulebots.registry.named_code import origin_of
from rulebots.rules import RuleSet, Weights

#: Further players are written without the meanings of the rules: a large population stays readable.
EXPLAINED = 20
#: What ends a line of a comment, in whatever way it was written.
_LINE_ENDS = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def population_text(population: Population) -> str:
    """The YAML of a population: every rule on a line, with `[early, late]` and its meaning.

    Numbers are rounded to 4 significant decimals (see `rounded`).
    """
    return "".join(f"{line}\n" for line in _lines(population))


def _lines(population: Population) -> Iterator[str]:
    comment = [f"# {printable(line)}".rstrip() for line in _LINE_ENDS.split(population.comment)]
    if comment != ["#"]:
        yield from comment
    yield f"format: {FORMAT}"
    yield f"game: {word(population.game.name)}"
    yield f"rules: {word(population.rules.name)}"
    if code := _code(population):
        yield f"code: {flow(code)}"
    if population.bred is not None:
        yield f"bred: {flow(population.bred)}"
    yield "players:" if population.players else "players: {}"
    for place, (name, entry) in enumerate(population.players.items()):
        yield from ("  ? " + word(name), "  :") if is_long_key(name) else (f"  {word(name)}:",)
        yield from _player(entry, population.rules, explained=place < EXPLAINED)


def _code(population: Population) -> dict[str, str]:
    """By what names a person brought the game and the rule set, for those that are not installed."""
    named = origin_of(population.rules)
    found = {"game": origin_of_game(population.game.name), "rules": named.text if named else None}
    return {name: text for name, text in found.items() if text}


def _player(entry: Entry, rules: RuleSet, *, explained: bool) -> Iterator[str]:
    if entry.rating is not None:
        yield f"    rating: {flow(entry.rating)}"
    if entry.note:
        yield f"    note: {word(entry.note)}"
    named = [i for i in range(len(rules.rules)) if i not in entry.unnamed]
    written = {i: f"{word(rules.rules[i].name)}: {_weight(entry.weights, i)}" for i in named}
    width = max(map(len, written.values()), default=0)
    yield "    weights:" if written else "    weights: {}"
    for group in rules.groups:
        members = [i for i in named if rules.rules[i].group == group]
        if members:
            yield f"      {word(group)}:"
        for i in members:
            meaning = f"  # {printable(rules.rules[i].meaning)}" if explained else ""
            yield f"        {written[i]:<{width}}{meaning}".rstrip()


def _weight(weights: Weights, column: int) -> str:
    """`0.1`, or `[0.61, 0.83]` where early and late differ."""
    early, late = (number_text(round_number(number)) for number in weights[:, column])
    return early if early == late else f"[{early}, {late}]"
