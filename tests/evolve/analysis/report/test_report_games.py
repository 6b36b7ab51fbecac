"""Games played once more, held against positions that play the same moves."""

from __future__ import annotations

import goofspiel
import numpy as np
import pytest

from evolve.analysis.measuring import Estimate
from evolve.analysis.report.games import (
    MARKS,
    NOBODY,
    _changes,
    _decided,
    game_figures,
    move_words,
    self_play,
    trace,
    verdict,
)
from evolve.analysis.report.page import _rules, core_rows, findings, page
from rulebots.game import Game, GameText, Kind
from rulebots.game.position import Position
from rulebots.kernel import kernel
from rulebots.packages import load_game
from rulebots.play.deals import draw_deals
from rulebots.players import KernelPlayer, RandomPlayer


@kernel
def choose_first(view, moves, n, weights, blended, scores):
    return moves[0]


@pytest.mark.parametrize("name", ["tictactoe", "cant-stop"])
def test_a_trace_says_what_the_positions_say(name: str) -> None:
    assert_trace(load_game(name), 4)


def test_a_trace_of_a_table_of_three() -> None:
    assert_trace(goofspiel.game, 6, {"seats": 3, "cards": 5})


def assert_trace(game: Game, count: int, options: dict[str, int] | None = None) -> None:
    deals = draw_deals(game, count, 5, options=options)
    games = self_play(RandomPlayer(game), deals, 1, keep_moves=True)
    found, marks = trace(deals, games)
    states = found.states.reshape(marks.shape)
    for g in range(count):
        position = Position(game, options, deals.cards[g], compiled=True)
        offered, taken = (np.zeros((deals.seats, game.move_count), int) for _ in range(2))
        kinds_offered, kinds_taken = (np.zeros((deals.seats, len(game.kinds)), int) for _ in range(2))
        for ply, move in enumerate(games.moves[g, : games.plies[g]].tolist()):
            for mark in np.flatnonzero(marks[g] == ply):
                assert states[g, mark] == position.state
            legal, mover = position.legal_moves, position.mover
            counts = ply >= games.openings[g] and not position.chance_to_move
            assert found.choices[g, ply] == (len(legal) if counts else 0)
            if counts and len(legal) > 1:
                offered[mover, legal] += 1
                taken[mover, move] += 1
                kinds = {int(game.kind(int(one))) for one in legal}
                if len(kinds) > 1:
                    kinds_offered[mover, list(kinds)] += 1
                    kinds_taken[mover, int(game.kind(move))] += 1
            position.play(move)
            best = [seat for seat, have in enumerate(position.points) if have == max(position.points)]
            assert found.leads[g, ply] == (best[0] if len(best) == 1 else NOBODY)
        assert (found.offered[g] == offered).all()
        assert (found.taken[g] == taken).all()
        assert (found.kinds_offered[g] == kinds_offered).all()
        assert (found.kinds_taken[g] == kinds_taken).all()
    assert marks.shape == (count, MARKS)


@pytest.mark.parametrize(
    ("course", "changes", "decided_for_seat_0"),
    [
        ([NOBODY, NOBODY, 0, 0], 0, 0.5),
        ([0, 1, NOBODY, 0], 2, 0.75),
        ([1, 1, 1, 1], 0, 1.0),
        ([0, 0], 0, 0.0),
        ([0, NOBODY, NOBODY, 2, 0], 2, 0.8),
        ([0, 1, 2, 0], 3, 0.75),
    ],
)
def test_leads_of_a_written_course(course, changes, decided_for_seat_0) -> None:
    assert _changes(np.array(course)) == changes
    assert _decided(np.array(course), 0) == pytest.approx(decided_for_seat_0)


def test_a_choice_is_dead_or_dominant_only_where_its_whole_interval_is() -> None:
    assert verdict(Estimate(0.001, 0.0, 0.009, 50.0)) == "dead"
    assert verdict(Estimate(0.001, 0.0, 0.02, 50.0)) == ""
    assert verdict(Estimate(0.99, 0.96, 1.0, 50.0)) == "dominant"
    assert verdict(Estimate(0.99, 0.9, 1.0, 50.0)) == ""
    assert verdict(Estimate(0.0, None, None, 3.0)) == ""


STATE = [("mover", np.int32), ("crowned", np.int32), ("bold", np.int32)]
VIEW = [("luck", np.int64), ("place", np.int32)]


def crown(others: int) -> Game:
    """Three seats move in turn; the last names who wins: seat 0 or 1, or with `others` 3 also itself."""

    @kernel
    def moves(state, out):
        n = others if state.mover == 2 else 1
        for i in range(n):
            out[i] = i
        return n

    @kernel
    def play(state, move):
        if state.mover == 2:
            state.crowned = move
        else:
            state.mover += 1

    @kernel
    def setup(state, deal, options):
        state.crowned = -1

    @kernel
    def over(state):
        return state.crowned >= 0

    @kernel
    def points(state, seat):
        return int(seat == state.crowned)

    @kernel
    def observe(state, view):
        view.place = state.mover

    return Game(
        name=f"crown-{others}", title="Crown", state=np.dtype(STATE, align=True), view=np.dtype(VIEW, align=True),
        seats=3, hidden=False, move_count=3, ply_cap=4, kinds=(Kind("name", {"name": 1.0}),),
        setup=setup, moves=moves, play=play, over=over, points=points, observe=observe,
        text=GameText(
            show=lambda state, seat: "a crown",
        ),
    )  # fmt: skip


@pytest.mark.slow
def test_who_names_another_king_decides_between_others_only_where_it_cannot_win() -> None:
    for others, made in ((2, 1.0), (3, 0.0)):
        game = crown(others)
        deals = draw_deals(game, 60, 1, opening_plies=0)
        found = game_figures(RandomPlayer(game), deals, 1, 1)
        # Where the last one crowned itself, nobody else had a choice.
        assert found["kingmaking"]["mean"] == made
        assert sum(of["mean"] for of in found["seats"]) == pytest.approx(1)


@pytest.mark.slow
def test_figures_of_a_table_and_of_a_game_for_all_together() -> None:
    deals = draw_deals(goofspiel.game, 60, 1, options={"seats": 4, "cards": 4})
    found = game_figures(goofspiel.matching(), deals, 1, 1)
    assert sum(of["mean"] for of in found["seats"]) == pytest.approx(1)
    assert found["first_seat"] == found["seats"][0]
    assert 0 < found["kingmaking"]["mean"] < 1
    assert found["lead"]["changes"]["mean"] > 0
    deals = draw_deals(goofspiel.together, 60, 1, options={"seats": 3, "cards": 4})
    found = game_figures(RandomPlayer(goofspiel.together), deals, 1, 1)
    assert "lead" not in found
    assert found["spread"][0] <= found["points"]["mean"] <= found["spread"][-1]


def test_a_report_of_tables_names_the_seats_in_words() -> None:
    share = {"mean": 0.25, "low": 0.2, "high": 0.3}
    parts = {
        "course 0": {"first_seat": share, "seats": [share] * 4, "stalled": {"mean": 0.0}},
        "ladder 0": {"skill": share},
    }
    told = [text for text, _ in core_rows({"variants": [{}]}, parts)]
    assert told[1:5] == [f"{which} seat scores" for which in ("first", "second", "third", "fourth")]


def test_a_report_of_a_game_for_all_together_has_no_win_rates() -> None:
    loss = {"mean": 0.1, "low": 0.05, "high": 0.15}
    course = {"points": loss, "perfect": loss, "most": 25, "stalled": {"mean": 0.0}}
    rules = [{"name": "a.b", "meaning": "Of a.", "loss": loss, "verdict": "needed"}]
    parts = {"course 0": course, "ladder 0": {"skill": loss}, "rules": rules}
    assert "games with all 25 points" in dict(core_rows({"variants": [{}]}, parts))
    told = " ".join(_rules({}, parts))
    assert "without each of 1 rules, in % of deals." in told
    assert "win rate" not in told


def test_a_report_begins_with_what_it_found() -> None:
    """What an interval leaves open is said to be open; moves are said in words."""

    def share(low: float, high: float) -> dict[str, float]:
        return {"mean": (low + high) / 2, "low": low, "high": high}

    rules = [("a.b", "needed"), ("a.c", "better without"), ("a.d", "undecided")]
    parts = {
        "ladder 0": {"players": [{"player": "bred"}, {"player": "random"}], "skill": share(0.9, 1.0)},
        "course 0": {
            "player": "bred",
            "seats": [{}, {}],
            "first_seat": share(0.4, 0.6),
            "kinds": [],
            "moves": [{"name": name, "taken": share(0.0, 0.002), "verdict": "dead"} for name in "245678"],
            "words": {"2": "sow pit 2"},
        },
        "rules": [{"name": name, "meaning": f"Of {name}.", "verdict": said} for name, said in rules],
        "without 2": {"bred_again": share(0.2, 0.4)},
        "without 3": {"bred_again": share(0.4, 0.6)},
    }
    assert findings({"deals": 100}, parts) == [
        "Skill counts: bred scores 95.0 % (90.0 to 100.0) against random.",
        "The first seat is not shown to help or to harm: bred scores 50.0 % (40.0 to 60.0) in it against itself.",
        "Choices that are dead, made in less than 1 %, 6 of 6: 'sow pit 2', '4', '5' and 3 more.",
        "Rules needed beyond doubt: Of a.b (a.b).",
        "Rules that can go: a.c.",
        "Moves needed beyond doubt, 1 of 2: even bred again, bred scores 30.0 % (20.0 to 40.0) without 'sow pit 2'.",
        "Next: --deals 400 halves the intervals; --option NAME=VALUE,VALUE compares variants.",
    ]
    assert findings({"deals": 100}, {"ladder 0": parts["ladder 0"]}) == []
    many = findings({"deals": 100}, parts | {f"without {n}": {"bred_again": share(0.1, 0.2)} for n in range(4, 9)})
    (said,) = [sentence for sentence in many if "bred again" in sentence]
    assert said.startswith("Moves needed beyond doubt, 6 of 7: ")
    assert said.endswith(" and 3 more.")
    needed = {f"without {n}": {"bred_again": share(0.1, 0.2)} for n in "23"}
    said = findings({"deals": 100}, parts | needed)[-2]
    assert said == "None of the moves can be left out: even bred again, bred scores less than half."


def test_a_move_has_words_where_they_say_the_same_in_every_game() -> None:
    kalah = load_game("kalah")
    deals = draw_deals(kalah, 12, 5)
    words = move_words(deals, self_play(RandomPlayer(kalah), deals, 1, keep_moves=True))
    assert words["2"] == "sow pit 2", "without what it captures now and then"


def test_all_moves_of_a_game_have_words_or_none() -> None:
    """At Hearts a card is led, followed with or thrown: a report names all moves by their texts there."""
    hearts = load_game("hearts")
    deals = draw_deals(hearts, 12, 5)
    assert move_words(deals, self_play(RandomPlayer(hearts), deals, 1, keep_moves=True)) == {}
    kalah = load_game("kalah")
    deals = draw_deals(kalah, 2, 5)
    games = self_play(KernelPlayer(kalah, choose_first, "first"), deals, 1, keep_moves=True)
    assert len(move_words(deals, games)) == 6, "those that nobody makes too"


def test_names_of_rules_break_after_dots_and_underscores() -> None:
    line = {"name": "keep.two_apart", "meaning": "It keeps two.", "verdict": "needed"}
    parts = {"rules": [{**line, "loss": {"mean": 0.1, "low": 0.05, "high": 0.15}}]}
    shown = page({"title": "Kalah", "deals": 100, "seed": 1, "opening_plies": 0, "variants": [{}]}, parts)
    assert shown.count("keep.<wbr>two_<wbr>apart") == 2, "beside its point and in the table"
    assert "keep.two" not in shown
