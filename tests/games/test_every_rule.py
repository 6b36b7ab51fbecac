"""Every rule of every rule set of every game stands in written positions, with more than one value."""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path
from typing import Any

from written_positions import COVERS, Case

from rulebots.packages import game_names, load_game
from rulebots.packages.rule_sets import load_rules, rule_sets_of
from rulebots.rules import RuleSet, rule

HERE = Path(__file__).parent
RULE_SETS = [rules for name in game_names() for rules in rule_sets_of(load_game(name)).values()]


def folder_of(game: str) -> Path:
    """Where the tests of a game stand."""
    return HERE / game.replace("-", "_")


@functools.cache
def written_in(folder: Path) -> list[tuple[RuleSet, list[Case], list[str]]]:
    """What the tests in a folder cover."""
    found = []
    for path in sorted(folder.glob("test_*.py")):
        spec = importlib.util.spec_from_file_location(f"read_by_every_rule_{path.stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        tests = [value for name, value in vars(module).items() if name.startswith("test_")]
        found += [getattr(test, COVERS) for test in tests if hasattr(test, COVERS)]
    return found


def cases_of(rules: RuleSet) -> list[Case]:
    tests = written_in(folder_of(rules.game.name))
    return [case for covered, cases, _ in tests if covered is rules for case in cases]


def constants_of(rules: RuleSet) -> list[str]:
    tests = written_in(folder_of(rules.game.name))
    return [key for covered, _, constant in tests if covered is rules for key in constant]


def count_of_values(rules: RuleSet, cases: list[Case]) -> dict[str, int]:
    """How many different values are written of each rule."""
    return {key: len({case.value for case in cases if case.rule == key}) for key in rules.columns}


def without_positions(rules: RuleSet, cases: list[Case], constant: list[str]) -> list[str]:
    """The rules without two different values; a constant rule has only one."""
    return [key for key, count in count_of_values(rules, cases).items() if count < (1 if key in constant else 2)]


def test_every_rule_has_written_positions_on_which_its_values_differ() -> None:
    for rules in RULE_SETS:
        missing = without_positions(rules, cases_of(rules), constants_of(rules))
        where = f"in {folder_of(rules.game.name)}, in a test marked with on_written_positions"
        assert missing == [], f"write positions for {rules.name} {where}"


def test_a_rule_said_to_be_constant_has_one_value() -> None:
    for rules in RULE_SETS:
        counts = count_of_values(rules, cases_of(rules))
        assert {counts[key] for key in constants_of(rules)} <= {1}, rules.name


def test_every_written_position_is_about_a_rule_of_the_set_and_has_a_name_of_its_own() -> None:
    for rules in RULE_SETS:
        names = [str(case) for case in cases_of(rules)]
        assert {case.rule for case in cases_of(rules)} - set(rules.columns) == set(), rules.name
        assert sorted(set(names)) == sorted(names), rules.name


def test_a_rule_without_positions_is_found() -> None:
    rules = load_rules(game=load_game("lost-cities"))

    @rule("play")
    def unheard_of(view: Any, card: int) -> bool:
        """Nobody has written a position for it."""
        return True

    more = rules.extended("more", [unheard_of])
    assert without_positions(more, cases_of(rules), constants_of(rules)) == ["play.unheard_of"]


def test_a_rule_with_one_value_on_all_its_positions_is_found() -> None:
    rules = load_rules(game=load_game("lost-cities"))
    cases = [case for case in cases_of(rules) if case.rule != "play.go_on" or case.value == 1]
    assert without_positions(rules, cases, constants_of(rules)) == ["play.go_on"]
