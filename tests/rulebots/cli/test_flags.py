"""Dataclasses become the parameters of a command, and settings its flags."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
import typer

from rulebots.cli.app import App, run_app
from rulebots.cli.options import SettingFlags, Spread, argument, option, setting_option, shared
from rulebots.files.layout import any_text, declared, listed
from rulebots.files.ranges import number


@dataclass(frozen=True)
class Cooling:
    steps: int = number(100, 1, 10_000, "steps until it is cold")
    start: str = declared("", any_text("a name", empty=True), "where it begins", "FILE", flag="--from")
    fans: tuple[str, ...] = declared((), listed(any_text("a fan"), "a list of fans"), "what cools it", "NAME")
    hidden: float = number(0.5, 0.0, 1.0, "for files only", flag=None)


@dataclass(frozen=True)
class ServeFlags:
    place: Annotated[str, argument("PLACE", "Where.")]
    port: Annotated[int, shared("--port")] = 80
    name: Annotated[str | None, option("Its name.", "NAME")] = None


CALLS: list[dict[str, Any]] = []


def serve(
    flags: ServeFlags,
    chosen: Annotated[Mapping[str, Any], SettingFlags(Cooling, {"steps": "100", "start": "", "fans": "none"})],
    quiet: Annotated[bool, typer.Option("--quiet")] = False,
) -> None:
    """Serve."""
    CALLS.append({"flags": flags, "chosen": chosen, "quiet": quiet})


app = App("A shop.")
app.with_examples("shop serve here", group="Serve")(serve)
app.with_examples("shop stop", group="Serve", name="stop")(lambda: None)


def test_each_field_is_a_parameter_in_order() -> None:
    assert list(inspect.signature(Spread(serve)).parameters) == [
        "place",
        "port",
        "name",
        "steps",
        "start",
        "fans",
        "quiet",
    ]


def test_a_command_gets_its_dataclasses_and_the_settings_that_were_given() -> None:
    CALLS.clear()
    assert run_app(app, "shop", ["serve", "here"]) == 0
    assert run_app(app, "shop", ["serve", "here", "--port", "0", "--steps", "7", "--fans", "a", "--quiet"]) == 0
    assert run_app(app, "shop", ["serve", "here", "--from", "x.yaml"]) == 0
    assert [
        {"flags": ServeFlags("here"), "chosen": {}, "quiet": False},
        {"flags": ServeFlags("here", 0), "chosen": {"steps": 7, "fans": ["a"]}, "quiet": True},
        {"flags": ServeFlags("here"), "chosen": {"start": "x.yaml"}, "quiet": False},
    ] == CALLS


@pytest.mark.parametrize("steps", ["0", "10001", "many", "1.0"])
def test_a_flag_has_the_range_of_its_setting(steps: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(app, "shop", ["serve", "here", "--steps", steps]) == 2
    expected = f"shop: --steps: expected a whole number from 1 to 10,000, not '{steps}'\n"
    assert capsys.readouterr().err == expected


def test_a_flag_has_the_meaning_of_its_setting() -> None:
    assert setting_option(Cooling, "steps", "In all.").help == "Steps until it is cold. In all."
    with pytest.raises(KeyError):
        setting_option(Cooling, "hidden")
