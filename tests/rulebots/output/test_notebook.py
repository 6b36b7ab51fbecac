"""What results look like at the keyboard: one line, a table of HTML, rows for pandas, functions that watch."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from checkout import POPULATIONS

import evolve
import rulebots
from evolve import Run, Settings
from rulebots import (
    Position,
    RulePlayer,
    Sprt,
    UsageError,
    explain,
    load_game,
    make_player,
    play_match,
    play_sprt,
    play_tournament,
)
from rulebots.output import notebook
from rulebots.packages.population import load_population
from rulebots.packages.rule_sets import load_rules

GAME = load_game("tictactoe")
STANDARD, RANDOM = make_player("standard", GAME), make_player("random", GAME)


def test_every_text_in_a_table_is_escaped() -> None:
    table = notebook.html_table(("<a>",), [("<script>", 1)][:1], "x & y")
    assert "<script>" not in table
    assert "&lt;script&gt;" in table
    assert "x &amp; y" in table


def test_tab_completes_the_public_names() -> None:
    for package in (rulebots, evolve):
        assert set(package.__all__) <= set(dir(package))


def test_everything_says_in_a_line_what_it_is() -> None:
    match = play_match(STANDARD, RANDOM, deals=20)
    tournament = play_tournament([STANDARD, RANDOM], deals=5)
    explained = explain(STANDARD, Position(GAME))
    population = load_population(POPULATIONS / "tictactoe" / "champion.yaml")
    shown = [
        repr(one) for one in (GAME, load_rules(game=GAME), STANDARD, RANDOM, match, tournament, explained, population)
    ]
    assert shown[:4] == [
        "<Game tictactoe>",
        f"<RuleSet 'standard' of tictactoe: {len(load_rules(game=GAME).rules)} rules>",
        "<RulePlayer 'standard' of tictactoe>",
        "<RandomPlayer 'random' of tictactoe>",
    ]
    assert all(len(line) < 200 and "\n" not in line for line in shown)
    for one in (STANDARD, match, tournament, explained):
        assert one._repr_html_().startswith("<table>")


def test_too_few_deals_have_no_interval_in_the_line() -> None:
    assert "too few different deals" in repr(play_match(STANDARD, RANDOM, deals=2))


@pytest.mark.slow
def test_rows_become_data_frames() -> None:
    pytest.importorskip("pandas")
    frame = play_tournament([STANDARD, RANDOM], deals=20).to_pandas()
    assert list(frame["player"]) == ["standard", "random"]
    assert (frame["elo_low"] < frame["elo"]).all()
    weights = STANDARD.to_pandas()
    assert list(weights.columns) == ["group", "rule", "early", "late", "meaning"]
    assert weights["early"].tolist() == STANDARD.weights[0].tolist()
    explained = explain(STANDARD, Position(GAME))
    moves = explained.to_pandas()
    assert moves["move"].tolist() == [GAME.text.write(move) for move in explained.moves]
    added = moves.drop(columns=["move", "score"]).sum(axis=1)
    assert added.to_numpy() == pytest.approx(moves["score"].to_numpy())


def test_without_pandas_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(
        UsageError, match=r"to_pandas: pandas is not installed; in the checkout, pip install '.\[pandas\]'"
    ):
        STANDARD.to_pandas()


def test_a_match_that_is_watched_plays_the_same_games() -> None:
    seen = []
    watched = play_match(STANDARD, RANDOM, deals=30, watch=seen.append)
    assert watched == play_match(STANDARD, RANDOM, deals=30)
    assert [result.deals for result in seen][-1] == 30
    assert len(seen) > 2


def test_a_watch_ends_a_match_a_test_and_a_tournament() -> None:
    assert play_match(STANDARD, RANDOM, deals=1000, watch=lambda result: result.deals < 8).deals == 8
    tested = play_sprt(RANDOM, make_player("random", GAME), Sprt(0, 5), watch=lambda result: False)
    assert (tested.match.deals, tested.accepted) == (4, "undecided")
    three = [STANDARD, RANDOM, make_player("random", GAME)]
    tournament = play_tournament(three, deals=5, watch=lambda done, total, meeting: done < 2)
    assert len(tournament.meetings) == 2
    assert len(tournament.rows()) == 3


@pytest.mark.slow
def test_a_watch_ends_a_run_which_is_measured_all_the_same() -> None:
    small = {"population": 4, "deals": 1, "opponent_deals": 4, "runoff_deals": 5}
    settings = Settings.of(game="tictactoe", generations=5, held_out_deals=20, verdict_deals=100, **small)
    outcome = Run(settings).breed(lambda progress: progress.generation < 2)
    assert (outcome.generations, outcome.interrupted) == (2, True)
    assert outcome.measured is not None
    assert repr(outcome).startswith("<Outcome at tictactoe: 2 generations")
    assert "<td>" in outcome._repr_html_()
    assert isinstance(RulePlayer(outcome.rules, outcome.finalists[0]), RulePlayer)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("rulebots s", "schema"),
        ("evolve s", "schema"),
        ("rulebots rules lo", "lost-cities"),
        ("evolve run --ga", "--game"),
    ],
)
def test_shells_complete_commands_flags_and_games(words: str, offered: str) -> None:
    program, *rest = words.split()
    code = f"import sys; from {program}.cli import main as cli; sys.argv[0] = '{program}'; sys.exit(cli.main())"
    asked = {f"_{program.upper()}_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(rest))}
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **asked}, capture_output=True, text=True, check=False
    )
    assert offered in done.stdout.split(), done.stderr
