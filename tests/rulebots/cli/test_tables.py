"""Tables: digits that show something, and words where there is nothing to show."""

from __future__ import annotations

import io
import math
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console
from rich.table import Table

from rulebots.cli import tables
from rulebots.cli.tables import (
    amounts,
    copies,
    interval,
    match_table,
    matches_table,
    percent,
    rate_interval,
    ratings_table,
)
from rulebots.packages import load_game
from rulebots.play.match import play_match
from rulebots.play.results import MatchResult, TableFigures
from rulebots.players import RandomPlayer
from rulebots.tournaments.tournament import play_tournament


def text_of(table: Table) -> str:
    with io.StringIO() as out:
        Console(file=out, width=200).print(table)
        return out.getvalue()


@pytest.fixture(scope="module")
def result() -> MatchResult:
    game = load_game("tictactoe")
    return play_match(RandomPlayer(game), RandomPlayer(game), 12)


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        ((45.61, 13.27), ["45.6", "13.3"]),
        ((0.04, -12.5, 12.6), ["0.0", "-12.5", "12.6"]),
        ((3.456,), ["3.46"]),
        ((0.0421, -0.01, 0.09), ["0.042", "-0.010", "0.090"]),
        ((0.5, 0.4375), ["0.500", "0.438"]),
        ((-9.996, 1.0), ["-10.00", "1.00"]),
        ((math.nan,), ["unknown"]),
    ],
)
def test_small_numbers_get_more_digits(numbers: tuple[float, ...], shown: list[str]) -> None:
    assert amounts(*numbers) == shown


def test_a_player_who_has_not_played_yet_has_no_figures() -> None:
    assert (percent(math.nan), percent(0.0)) == ("unknown", "0.0 %")
    game = load_game("cant-stop")
    players = [RandomPlayer(game) for _ in range(7)]
    settings = {"system": "round-robin", "deals": 1, "options": {"seats": 3}}
    played = play_tournament(players, **settings, watch=lambda _, __, ___: False)
    rows = text_of(ratings_table(played)).splitlines()
    assert "nan" not in "".join(rows)
    assert sum(row.count("unknown") >= 4 for row in rows) >= 3


def test_an_interval_that_excludes_nothing_is_no_interval() -> None:
    assert rate_interval((0.0, 1.0)) == "too few"
    assert rate_interval((0.701, 1.0)) == "70.1 to 100.0"


def test_reports_say_how_many_deals_were_distinct_where_some_were_not(result: MatchResult) -> None:
    assert copies(result) == ""
    assert "distinct" not in text_of(match_table(result)) + text_of(matches_table({"random": result}))
    alike = replace(result, distinct_deals=7, effective_deals=6.5, win_rate_95=(0.0, 1.0))
    assert copies(alike) == " (distinct deals: 7 of 12)"
    assert interval(alike) == "too few"
    table = text_of(match_table(alike))
    assert table.count("too few") == 4
    assert "of 12; the others are copies of these" in table
    assert text_of(matches_table({"a": alike, "b": result})).count("distinct deals") == 1


def test_where_points_count_they_come_first_with_their_interval(result: MatchResult) -> None:
    points = {"in_points": True, "points": -6.7, "opponent_points": -8.1}
    counted = replace(result, **points, margin=1.4, margin_95=(1.25, 1.55), margins=np.array([1.3, 1.5]))
    heading, *rows = text_of(
        matches_table({"a": counted, "b": replace(counted, margin_95=(-math.inf, math.inf))})
    ).splitlines()
    assert " ".join(heading.split()) == "against points opponent's margin 95 % win rate stalled games"
    assert [row.split()[:4] for row in rows] == [["a", "-6.70", "-8.10", "+1.40"], ["b", "-6.70", "-8.10", "+1.40"]]
    assert "+1.25 to +1.55" in rows[0]
    assert "too few" in rows[1]
    table = TableFigures(2, True, 0.5, *[()] * 5, None)
    together = replace(counted, table=table)
    heading, _ = text_of(matches_table({"a": together})).splitlines()
    assert " ".join(heading.split()) == "compared with points the other's margin 95 % stalled games"
    assert "opponent" not in text_of(match_table(together))


def test_a_table_is_as_wide_in_a_terminal_as_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    def lines() -> list[str]:
        with io.StringIO() as out:
            Console(file=out, width=80).print(tables.table_of([{"game": "kalah", "seats": "2"}], "game"))
            return [line.rstrip() for line in out.getvalue().splitlines()]

    piped = lines()
    monkeypatch.setattr(tables, "in_terminal", lambda: True)
    head, rule, *rows = lines()
    assert [head, *rows] == piped
    assert [line.split() for line in piped] == [["game", "seats"], ["kalah", "2"]]
    assert rule == "─" * len(head)


@pytest.mark.parametrize(("width", "whole"), [(40, True), (25, False)])
def test_words_are_folded_only_where_they_do_not_fit(
    monkeypatch: pytest.MonkeyPatch, width: int, *, whole: bool
) -> None:
    monkeypatch.setattr(tables, "in_terminal", lambda: True)
    console = Console(width=width, file=io.StringIO())
    monkeypatch.setattr(tables, "terminal", lambda: console)
    row = {"adds": "+1.560", "rule": "throw.remove-high", "meaning": "it throws off a higher card " * 4}
    console.print(tables.table_of([row], "rule", "meaning"))
    assert (row["rule"] in console.file.getvalue()) == whole


@pytest.mark.parametrize(("width", "whole"), [(60, True), (30, False)])
def test_names_are_folded_rather_than_numbers(monkeypatch: pytest.MonkeyPatch, width: int, *, whole: bool) -> None:
    monkeypatch.setattr(tables, "in_terminal", lambda: True)
    console = Console(width=width, file=io.StringIO())
    monkeypatch.setattr(tables, "terminal", lambda: console)
    row = {"player": "runs/kalah-2026-11-30-seed1/champion.yaml", "95 %": "-588 to -206", "win rate": "65.8 %"}
    console.print(tables.table_of([{**row, "games": "1,234", "stalled": "0"}], "player"))
    shown = console.file.getvalue()
    assert all(cell in shown for cell in list(row.values())[1:]) == whole
    assert "stalled" not in shown
    assert max(map(len, shown.splitlines())) <= width
