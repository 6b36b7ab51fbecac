"""A format that is declared once: reader, messages, schema and table agree."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from rulebots.files.layout import (
    Key,
    Keys,
    Problems,
    any_text,
    choice,
    exactly,
    flag,
    in_range,
    listed,
    named,
    notes,
    read_file,
    read_yaml,
    row,
)
from rulebots.files.ranges import Range

COUNT = in_range(Range(0, 9, whole=True))
SHOP = Keys(
    "a shop file",
    {
        "format": Key(exactly("shop/1"), "`shop/1`", "format: shop/1"),
        "name": Key(any_text("a name"), "what it is called"),
        "motto": Key(any_text("a motto", empty=True), "what it says"),
        "day": Key(choice("day", ("monday", "tuesday")), "when it is open"),
        "prices": Key(
            named(in_range(Range(0, 100), "a price of '{name}'"), "a map of prices", least=1), "prices by name"
        ),
        "floor": Key(in_range(Range(-1, 9, whole=True, optional=True)), "where it is"),
        "open": Key(flag(), "whether it is open"),
        "sales": Key(listed(row((any_text("a name"), COUNT), "[name, count]"), "a list of sales"), "what was sold"),
        "bred": Key(notes(), "for people"),
    },
)
GOOD: dict[str, Any] = {
    "format": "shop/1",
    "name": "Corner",
    "motto": "",
    "day": "monday",
    "prices": {"tea": 1.5, "milk": 2},
    "floor": None,
    "open": True,
    "sales": [["tea", 3], ["milk", 0]],
    "bred": {"by": [1, {"a": None}]},
}


def read(text: str) -> tuple[Any, list[str]]:
    found, problems = read_yaml(text, "shop file", SHOP.read, Problems("s"))
    return found, [str(problem).removeprefix("s:") for problem in problems]


def test_what_is_written_as_declared_is_read_and_fits_the_schema() -> None:
    assert read(json.dumps(GOOD)) == (GOOD, [])
    jsonschema.Draft202012Validator.check_schema(SHOP.schema)
    jsonschema.validate(GOOD, SHOP.schema)
    assert SHOP.table()[:2] == [("`format`", "`shop/1`"), ("`name`", "what it is called")]


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("format", "shop/2", "expected the format 'shop/1', not the text 'shop/2'"),
        ("name", None, "expected a name, not an empty value"),
        ("day", "sunday", "no day 'sunday'; did you mean 'monday'?"),
        ("day", [], "expected the name of a day, not an empty list"),
        ("prices", {}, "expected a map of prices, not an empty map"),
        ("prices", {"tea": 101}, "expected a price of 'tea', not '101'"),
        ("floor", 1.5, "expected a whole number from -1 to 9, not '1.5'"),
        ("open", "yes", "expected true or false, not the text 'yes'"),
        ("sales", {"tea": 1}, "expected a list of sales, not a map"),
        ("sales", [["tea"]], "expected [name, count], not a list of 1"),
        ("sales", [["tea", 10]], "expected a whole number from 0 to 9, not '10'"),
        ("bred", 5, "expected a map of notes, not '5'"),
        ("nmae", "x", "no key 'nmae' of a shop file; did you mean 'name'?"),
    ],
)
def test_what_is_not_has_one_message_and_does_not_fit_the_schema(key: str, value: Any, problem: str) -> None:
    _, problems = read(json.dumps({**GOOD, key: value}))
    assert [line.split(": ", 1)[1] for line in problems] == [problem]
    assert not jsonschema.Draft202012Validator(SHOP.schema).is_valid({**GOOD, key: value})


def test_every_problem_has_its_place_in_the_order_of_the_file() -> None:
    found, problems = read("name: x\nday: sunday\nsales:\n  - [tea, -1]\n  - [tea, 1]\n")
    assert found == {"name": "x", "sales": [["tea", 1]]}
    assert problems == [
        "1:1: expected the key 'format', which is missing; write for example 'format: shop/1'",
        "2:6: no day 'sunday'; did you mean 'monday'?",
        "4:11: expected a whole number from 0 to 9, not '-1'",
    ]


def test_an_unknown_key_is_told_instead_of_the_missing_one() -> None:
    assert read("name: x\nfromat: shop/1\n")[1] == ["2:1: no key 'fromat' of a shop file; did you mean 'format'?"]


def test_a_missing_key_is_told_first() -> None:
    problems = read("color: x\nday: sunday\n")[1]
    assert [line[:19] for line in problems] == ["1:1: expected the k", "1:1: no key 'color'", "2:6: no day 'sunday"]


def test_of_a_key_that_is_there_twice_the_first_counts_that_is_not_empty() -> None:
    problems = read("format: shop/1\nprices:\nprices: {tea: 1}\nday: sunday\n")[1]
    assert problems[0] == "3:1: 'prices' is there twice, first on line 2; remove one of them"
    assert [line[:2] for line in problems[1:]] == ["4:"]


def test_a_file_that_cannot_be_read_is_its_one_problem(tmp_path) -> None:
    found, problems = read_file(tmp_path / "no.yaml", "shop file", SHOP.read)
    assert (found, [str(p) for p in problems]) == (None, [f"{tmp_path}/no.yaml: there is no such file"])
    (tmp_path / "empty.yaml").touch()
    assert [p.message for p in read_file(tmp_path / "empty.yaml", "shop file", SHOP.read)[1]] == [
        "the file is empty: expected a shop file"
    ]
