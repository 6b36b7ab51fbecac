"""YAML is read as a tree with places, or refused with one, in time linear in its size; plain data reads back."""

from __future__ import annotations

import contextlib
import math
import time
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, strategies as st

from rulebots.files import InputError, plain_yaml
from rulebots.files.plain_yaml import (
    MOST_NODES,
    Items,
    Map,
    Node,
    Scalar,
    comment_text,
    flow,
    is_long_key,
    number_text,
    parse,
    word,
)


def plain(node: Node) -> Any:
    if isinstance(node, Map):
        return [(plain(key), plain(value)) for key, value in node.entries]
    return [plain(item) for item in node.items] if isinstance(node, Items) else (node.text, node.plain)


def refused(text: str, **limits: Any) -> str:
    with pytest.raises(InputError) as error:
        parse(text, **limits)
    return f"{error.value.line}:{error.value.column}: {error.value.message}"


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def _with_and_without_c(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_yaml, "_LOADER", getattr(yaml, request.param))


@pytest.mark.usefixtures("_with_and_without_c")
def test_a_text_is_a_tree_of_words() -> None:
    found = parse("# c\na: [1, ~, 'x']\n? b\n: {c: \"2\"}\nd:\n- 2001-01-01\n- 0x_\n- |\n  e\n...\n# end\n")
    assert plain(found) == [
        (("a", True), [("1", True), ("~", True), ("x", False)]),
        (("b", True), [(("c", True), ("2", False))]),
        (("d", True), [("2001-01-01", True), ("0x_", True), ("e\n", False)]),
    ]
    assert isinstance(found, Map)
    key, value = found.entries[1]
    assert (key.line, key.column, value.line, value.column) == (3, 3, 4, 3)


ALIASES = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: &d [*c, *c]\ne: &e [*d, *d]\nf: [*e, *e]\n"
DOCUMENT = "expected one document, not a second one: remove this line and what follows"
WROTE = "remove it and write plain names and numbers"


@pytest.mark.usefixtures("_with_and_without_c")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# c\n\n", "1:1: the file is empty: expected a population"),
        ("%YAML 1.1\n---\na\n", "1:1: YAML directives are not supported: remove the `%` lines above `---`"),
        ("# c\n\n%TAG ! a\n", "3:1: YAML directives are not supported: remove the `%` lines above `---`"),
        ("a: 1\n---\nb: 1\n", f"2:1: {DOCUMENT}"),
        ("a: 1\n...\n# c\n%TAG ! a\n---\nb\n", f"4:1: {DOCUMENT}"),
        (ALIASES, "1:4: anchors and aliases (&a) are not read: write the values out"),
        ("a: *a\n", "1:4: anchors and aliases (*a) are not read: write the values out"),
        ("a: 1\n<<: {b: 1}\n", "2:1: merge keys (<<) are not read: write the values out"),
        ("a: !!float abc\n", f"1:4: 'tag:yaml.org,2002:float' is a tag, which is not read here: {WROTE}"),
        ("- !!bool foo\n", f"1:3: 'tag:yaml.org,2002:bool' is a tag, which is not read here: {WROTE}"),
        ("! a\n", f"1:1: '!' is a tag, which is not read here: {WROTE}"),
        ("!ruby/object:A {}\n", f"1:1: '!ruby/object:A' is a Ruby object, which is not read here: {WROTE}"),
        ("a: 1\nb: x\u2028y\n", "2:5: the line break U+2028: end lines with a line feed, as editors do"),
        ("a: 1\n# x\u2029y\n", "2:4: the line break U+2029: end lines with a line feed, as editors do"),
        ("a: 'x\x85y'\n", "1:6: the line break U+0085: end lines with a line feed, as editors do"),
        ("a: 1\rb: 2\r", "1:5: the line break U+000D: end lines with a line feed, as editors do"),
        ("a: \ufeffb\n", "1:4: the character U+FEFF cannot stand in a YAML file: remove it"),
        ("[" * 40, "1:18: nested deeper than 16 levels, which is the limit"),
        ("- " * 40, "1:35: nested deeper than 16 levels, which is the limit"),
    ],
)
def test_what_is_not_plain_is_refused_with_its_place(text: str, message: str) -> None:
    assert refused(text) == message


def test_merge_signs_in_quotes_and_tags_that_are_asked_for_are_text() -> None:
    assert plain(parse("'<<': <<\n")) == [(("<<", False), ("<<", True))]
    found = parse("!ruby/object:A {a: !ruby/sym b}", tags="!ruby/")
    assert (found.tag, plain(found)) == ("!ruby/object:A", [(("a", True), ("b", True))])
    assert refused("!!str a", tags="!ruby/").startswith("1:1: 'tag:yaml.org,2002:str' is a tag")


def test_a_file_has_a_limit_of_nodes() -> None:
    assert isinstance(parse("[a, a]", most_nodes=3), Items)
    assert refused("[a, a, a]", most_nodes=3) == ("1:8: more than 3 keys and values up to here, which is the limit")


def test_no_constructor_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    def reached(*_: object) -> None:
        raise AssertionError("a constructor was called")

    monkeypatch.setattr(yaml.constructor.BaseConstructor, "construct_object", reached)
    assert isinstance(parse("a: 2001-01-01"), Map)
    refused("!!python/object/apply:os.system ['true']")


@pytest.mark.slow
@pytest.mark.skipif(not yaml.__with_libyaml__, reason="plain Python needs some 30 times as long")
@pytest.mark.parametrize(
    "text",
    [
        "".join(f"%TAG !{i}! tag:a,{i}:\n" for i in range(75_000)),
        "a\n...\n" + "".join(f"%TAG !{i}! tag:a,{i}:\n" for i in range(75_000)),
        "[" + ",".join(["[]"] * 660_000) + "]",
        "? a\n" * 400_000,
        "- " * 900_000,
        "#\n" * 900_000 + "%",
        "'" + "a\n " * 600_000,
        "---\n" * 400_000,
        "a: " + "b " * 900_000,
    ],
    ids=lambda text: text[:12],
)
def test_two_million_bytes_take_less_than_two_seconds(text: str) -> None:
    assert len(text) < 2_000_000
    began = time.process_time()
    with contextlib.suppress(InputError):
        assert isinstance(parse(text), Scalar | Map)
    assert time.process_time() - began < 2
    assert MOST_NODES == 200_000


NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | NUMBERS
    | st.text(st.characters(codec="utf-8"), max_size=20),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=9), inside, max_size=3)
    ),
    max_leaves=6,
)


@given(PLAIN)
def test_plain_data_on_one_line_reads_back(value: object) -> None:
    text = flow(value)
    assert "\n" not in text
    assert yaml.safe_load(text) == value
    parse(f"value: {text}")


@given(NUMBERS)
def test_a_float_is_a_float_to_every_reader(number: float) -> None:
    read = yaml.safe_load(number_text(number))
    assert isinstance(read, int | float)
    assert math.isclose(read, number, rel_tol=0, abs_tol=0)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e-7, "1.0e-07"), (-0.0, "0"), (2.0, "2"), (np.float64(0.5), "0.5"), (np.int64(3), "3"), (None, "null"),
        (np.bool_(True), "true"), (np.array([1, 2]), "[1, 2]"), ("no", '"no"'), ("Yes", '"Yes"'), ("3", '"3"'),
        ("a b", '"a b"'), ({"a": [1.5, "x"]}, "{a: [1.5, x]}"), (float("inf"), "inf"),
        ("\udcff", '"\\\\udcff"'), ("a\tb\u2028", '"a\\tb\\U00002028"'),
    ],
    ids=repr,
)  # fmt: skip
def test_how_it_is_written(value: object, text: str) -> None:
    assert flow(value) == text


def test_a_key_that_yaml_would_not_find_the_end_of_is_marked() -> None:
    key = "k" * 1001
    assert is_long_key(key)
    assert not is_long_key(key[1:])
    assert yaml.safe_load(flow({key: 1})) == {key: 1}


def test_a_comment_stays_on_its_line() -> None:
    assert comment_text("a\nb\x07c\u2028d") == "a b c d"
    assert word("a\nb") == '"a\\nb"'
