"""Texts of population files, and what is in them."""

from rulebots.packages import load_game
from rulebots.packages.population import (
    find_player,
    load_population,
)
from rulebots.packages.rule_sets import load_rules

GAME = load_game("lost-cities")
SHELLY = load_rules("shelly", GAME)
SHEPPARD = load_rules("sheppard", GAME)
HEAD = "format: rulebots-population/1\ngame: lost-cities\nrules: shelly\n"

GOOD = (
    HEAD
    + """\
players:
  champion:
    weights:
      play:
        in_sequence: [0.61, 0.83]
        low_card: 0.1
"""
)


def weights_of(path, rules=SHELLY):
    population = load_population(path)
    assert population.rules is rules
    return find_player(population)[1].weights


def with_rule(line, head=HEAD, group="play"):
    return f"{head}players:\n  mine:\n    weights:\n      {group}:\n        {line}\n"
