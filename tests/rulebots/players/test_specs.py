"""Player names with settings behind them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from rulebots.errors import UsageError
from rulebots.players.specs import in_list, quoted, settings_of, specs_of, split_specs


@dataclass(frozen=True)
class Search:
    depth: int
    seconds: float | None = None
    exact: bool = False
    rules: str = ""


def test_settings_are_read_by_name_and_type():
    found = settings_of("search:depth=6, seconds=.5,exact=yes,rules=a/b.yaml#c", Search)
    assert found == Search(6, 0.5, True, "a/b.yaml#c")
    assert settings_of("search:depth=2", Search) == Search(2)
    assert settings_of("search:rules=mine", Search, {"depth": 3, "rules": "theirs"}) == Search(3, rules="mine")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("search", "expected a value for 'depth', such as 'search:depth=...'"),
        ("search:", "expected a value for 'depth'"),
        ("search:6", "expected NAME=VALUE after 'search:', not '6'"),
        ("search:depth=", "expected NAME=VALUE"),
        ("search:dept=6", "no setting 'dept' of search; did you mean 'depth'?"),
        ("search:depth=6,depth=7", "'depth' is there twice"),
        ("search:depth=x", "expected a whole number for 'depth', not 'x'"),
        ("search:depth=1,seconds=nan", "expected a number for 'seconds', not 'nan'"),
        ("search:depth=1,exact=maybe", "expected yes or no for 'exact', not 'maybe'"),
    ],
)
def test_a_wrong_setting_is_one_clear_line(spec, message):
    with pytest.raises(UsageError, match=message.replace("?", r"\?").replace(".", r"\.")):
        settings_of(spec, Search)


def test_commas_inside_a_name_are_not_those_between_names():
    assert split_specs("shelly,mcts:iterations=9,rollout=x.yaml, random") == [
        "shelly",
        "mcts:iterations=9,rollout=x.yaml",
        "random",
    ]
    assert split_specs("a.yaml#b") == ["a.yaml#b"]


@pytest.mark.parametrize(
    "name", ["a,b.yaml", "/x,program:y,z/p.yaml", r"a\,b", "p:q,r=s", "mcts:iterations=9,rollout=x"]
)
def test_a_quoted_name_is_one_name_of_a_list_and_one_value_of_a_setting(name: str) -> None:
    assert split_specs(f"shelly,{in_list(name)},random") == ["shelly", name, "random"]
    assert settings_of(f"search:depth=2,rules={quoted(name)},exact=yes", Search) == Search(2, None, True, name)


def test_a_file_with_a_comma_in_its_name_is_one_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert specs_of(["a,b.yaml"]) == ["a", "b.yaml"]
    assert specs_of(["a\\,b.yaml,shelly"]) == ["a,b.yaml", "shelly"]
    Path("a,b.yaml").touch()
    assert specs_of(["a,b.yaml", "shelly,risk"]) == ["a,b.yaml", "shelly", "risk"]
