"""Comments of a population file in a changed copy of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rulebots.players.population import Entry, Population, load_population, population_text, with_comments_of
from rulebots.registry import load_game, parts_of

FORMER = """\
# Mine, and what I think of it.
format: rulebots-population/1
game: tictactoe
rules: standard
# Two of them.
players:
  # The better one.
  mine:
    note: "a # in a text"  # about it
    weights:
      # What wins.
      {group}:
        # First of all.
        # Really.
        {first}: 1  # never below 1
        {second}: [0.5,
          2]
  other:  # gone
    weights: {{}}
# The end.
"""


def former() -> tuple[str, str, str]:
    """A file with comments everywhere, and two rules that it names."""
    rules = parts_of(load_game("tictactoe")).rule_set().rules
    group = rules[0].group
    first, second = [rule.name for rule in rules if rule.group == group][:2]
    return FORMER.format(group=group, first=first, second=second), first, second


def changed(path: Path, text: str) -> str:
    """The text of one of its players, all weights doubled."""
    path.write_text(text)
    population = load_population(path)
    entry = population.players["mine"]
    twice = replace(entry, weights=2 * entry.weights)
    return population_text(replace(population, players={"mine": twice}, bred=None))


def test_comments_stay_with_their_lines(tmp_path: Path) -> None:
    text, first, second = former()
    bare = changed(tmp_path / "former.yaml", text)
    lines = with_comments_of(bare, text).splitlines()
    assert lines[0] == "# Mine, and what I think of it."
    assert lines.count(lines[0]) == 1
    assert lines[lines.index("players:") - 1] == "# Two of them."
    assert lines[lines.index("  mine:") - 1] == "  # The better one."
    assert '    note: "a # in a text"  # about it' in lines
    number = next(i for i, line in enumerate(lines) if line.strip().startswith(f"{first}:"))
    assert lines[number - 2 : number] == ["        # First of all.", "        # Really."]
    assert lines[number].split() == [f"{first}:", "2", "#", "never", "below", "1"]
    other = next(line for line in lines if line.strip().startswith(f"{second}:"))
    assert "[1, 4]" in other
    assert "# " in other, "where nothing was said, the meaning stands"
    assert lines[-1] == "# The end."
    assert not any("gone" in line for line in lines)
    (tmp_path / "new.yaml").write_text("\n".join(lines))
    (tmp_path / "bare.yaml").write_text(bare)
    new, plain = (load_population(tmp_path / name) for name in ("new.yaml", "bare.yaml"))
    assert dict(new.players) == dict(plain.players)


def test_a_text_without_comments_stays_as_it_is() -> None:
    game = load_game("tictactoe")
    text = population_text(
        Population(game, parts_of(game).rule_set(), {"mine": Entry(parts_of(game).rule_set().hand_tuned())})
    )
    assert with_comments_of(text, text) == text
    assert with_comments_of(text, "another layout: [") == text
