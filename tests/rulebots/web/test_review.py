"""The review of a game: estimates over the plies, the largest mistakes, and that it tells nothing too soon."""

from __future__ import annotations

import html
import itertools
import math
import re
import threading
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from page_client import Answer, Site, settled

from rulebots import load_game, make_player
from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.games.hearts.cards import RANK_TEXTS
from rulebots.players import Needs, Player
from rulebots.records import PERSON
from rulebots.search.exact.tablebase import tablebase_finder
from rulebots.search.rollout import RolloutResult
from rulebots.web.chart import BOTTOM, LEFT, RIGHT, WIDTH, Chart, Series
from rulebots.web.reasons import Reasons
from rulebots.web.review import FORCED, LEAST, LINE, Loss, Review, losses_of, review_chart
from rulebots.web.review_pages import _reason
from rulebots.web.turning_points import (
    Change,
    _lucky,
    _reply_to,
    changes_of,
    decisive,
    scores_of,
    summary_of,
    swings_of,
    turn_of,
)

#: Of its chart.
HEIGHT, TOP = 140, 24


def review_of(site: Site, address: str) -> Answer:
    """The review once the search is over."""
    for _ in range(1200):
        page = site.get(f"{address}/review", HX_Request="true")
        assert page.status == 200, page.text
        if "hx-trigger" not in page.text:
            return page
        time.sleep(0.05)
    raise AssertionError(page.text)


def lost_by_a_mistake(site: Site, **fields: object) -> str:
    """A game of tic-tac-toe in which the second person does not see a row of three."""
    address = site.begin("tictactoe", player2=PERSON, **fields)
    for text in ("a1", "c3", "b1", "b3", "c1"):
        assert site.post(f"{address}/type", {"text": text}).status == 303
    assert "Player 1 won" in site.get(address).status_line
    return address


@pytest.mark.slow
def test_the_largest_mistake_is_named_and_what_was_better(site: Site) -> None:
    address = lost_by_a_mistake(site)
    page = review_of(site, address)
    decided = page.text.partition("<ul>")[2].partition("</ul>")[0]
    swing = "Move 4</a>: Player 2 plays b3.  <strong>Player 2&#39;s mistake:</strong> it was better to play c1: "
    assert f'href="{address}?ply=4">{swing}' in " ".join(decided.split("\n")), "the curve's largest swing"
    assert "The game turned at move 4: from then on Player 1 was winning." in page.text
    assert "worked out to the end of the game" in page.text
    assert "estimate:" not in page.text
    assert "chances to win" not in page.text
    assert "it was better to play c1: " in decided
    assert page.text.count("Move 4</a>") == 1, "among the other mistakes it is not told again"
    assert site.sessions.get(address.rpartition("/")[2]).reviewed.results.keys() == set(range(5))
    assert "Move 4: it was better to play c1" in site.get(f"{address}/why?ply=4", HX_Request="true").text
    assert "it was better to play c1: a win, not a loss." in decided
    blunder = '<b role="img" aria-label="blunder">??</b>'
    marked = f'#judged-4">{blunder} <a href="{address}/why?ply=4"'
    assert f'<div hx-swap-oob="innerHTML:{marked}' in page.text
    assert marked[1:] in site.get(address).text, "the list of moves marks it"
    told = html.unescape(site.get(f"{address}/why?review=1&ply=4", HX_Request="true").text)
    better, worse = "playing c1", "playing b3"
    assert f"The search sees a win after {better}, a loss after {worse}." in told
    assert " selected>b3<" in told, "the question that is offered is about the move that was made"
    first = site.get(f"{address}/why?review=1&ply=1", HX_Request="true").text
    assert "Move 1: Player 1 plays a1" in first, "nothing is better than what is as good"
    assert 'class="look-hint-ring"' in site.get(f"{address}/why?ply=4").text
    assert site.get(f"{address}/review?version=5.", HX_Request="true").status in {200, 204}
    assert "<html" in site.get(f"{address}/review").text


@pytest.mark.slow
def test_a_review_begins_with_ones_own_mistakes_and_calls_a_slip_one(site: Site) -> None:
    address = site.begin("tictactoe", player2="level:beginner", seed=3)
    site.post(f"{address}/type", {"text": "b2"})
    settled(site, address)
    page = review_of(site, address).text
    assert "Beginner made 1 mistake (move 2). No mistake of yours was found.</p>" in page
    slip = "Beginner&#39;s slip, a move at random:</strong> it was better to play a1: a draw, not a loss."
    assert slip in " ".join(page.split())
    site.post(f"{address}/type", {"text": "c2"})
    settled(site, address)
    page = review_of(site, address).text
    assert "You made 1 mistake (move 3)" in page, "a win is given away"
    dots = re.findall(r'data-ply="(\d+)"[^>]*><circle class="look-made"', page)
    assert dots == ["2"], "the curve marks one's own mistake where it was made, and no other one"


@pytest.mark.slow
def test_in_a_team_ones_own_mistakes_are_told_apart(site: Site) -> None:
    address = site.begin("hanabi", player2="level:strong", seed=3)
    while "over" not in settled(site, address).status_line:
        site.post(f"{address}/type", {"text": "p1"})
    told = " ".join(html.unescape(review_of(site, address).text).split())
    assert "Most was decided at move" in told
    assert "The team made" in told
    assert "Your mistake:" in told
    assert "No mistake of yours" not in told


@pytest.mark.slow
def test_the_curve_ends_with_the_result(site: Site) -> None:
    page = review_of(site, lost_by_a_mistake(site))
    (points,) = re.findall(r'<polyline class="curve seat-0" points="([^"]*)"', page.text)
    plies, heights = zip(*(map(float, point.split(",")) for point in points.split()), strict=True)
    assert [round(5 * (x - LEFT) / (WIDTH - RIGHT - LEFT), 2) for x in plies] == [0, 1, 2, 3, 4, 5]
    assert heights[-1] == TOP, "the first player has won: the best is above"
    assert heights[4] < TOP + 8, "a row of three can be made"
    assert TOP < heights[0] < TOP + 0.6 * (HEIGHT - BOTTOM - TOP)
    assert page.text.count("?ply=") >= 6


@pytest.mark.slow
def test_a_game_that_goes_on_keeps_what_was_found(site: Site) -> None:
    address = site.begin("tictactoe", player2=PERSON)
    session = site.sessions.get(address.rpartition("/")[2])
    site.post(f"{address}/type", {"text": "b2"})
    review_of(site, address)
    before = dict(session.reviewed.results)
    site.post(f"{address}/type", {"text": "a1"})
    review_of(site, address)
    assert session.reviewed.results[0] is before[0]
    assert sorted(session.reviewed.results) == [0, 1]
    site.post(f"{address}/undo")
    site.post(f"{address}/type", {"text": "b1"})
    review_of(site, address)
    assert session.reviewed.results[1] is not None
    assert len(session.reviewed.results) == len(session.ongoing.moves)


def test_the_review_tells_nothing_while_cards_are_hidden_or_others_play(site: Site) -> None:
    hidden = site.begin("lost-cities", player2="random", seed=3)
    assert "Review" not in settled(site, hidden).text
    linked = site.post(f"{site.begin('tictactoe', player2=PERSON)}/links").location
    site.post(f"{linked}/type", {"text": "b2"})
    for address in (hidden, linked, linked.partition("~")[0]):
        answer = site.get(f"{address}/review")
        assert answer.status == 422
        assert "when it is over" in answer.text
        assert ">Review</a>" not in site.get(address).text


class Said:
    """What a tree search of two moves would say."""

    def __init__(self, move: int, moves: list[int], values: list[float]) -> None:
        self.move, self.moves, self.visits = move, np.array(moves), np.full(len(moves), 100)
        self.values = np.array(values)


class Rolled:
    """What rollouts of moves would say, and how many each of them got."""

    def __init__(self, *told: tuple[int, float, int]) -> None:
        self.move = told[0][0]
        self.moves, self.wins, self.rollouts = map(np.array, zip(*told, strict=True))
        self.wins_errors = np.zeros(len(told))


def dealt() -> Review:
    """The first sixteen moves of a game of Lost Cities, without a search."""
    position = Position(load_game("lost-cities"), seed=1)
    positions, moves = [position.copy()], list[int]()
    while len(moves) < 16:
        moves.append(int(position.legal_moves[0]))
        position.push(moves[-1])
        positions.append(position.copy())
    return Review(positions, moves, lambda name: None, None)  # type: ignore[arg-type, return-value]  # no search is asked


def test_a_move_that_rollouts_soon_dropped_is_looked_at_and_blamed() -> None:
    review = dealt()
    review.results = {
        ply: Rolled((move + 1, 0.9, 100), (move, 0.1, 12)) if ply == 0
        else Rolled((move + 1, 0.9, 100)) if ply == 2  # it was not even tried
        else Rolled((move, 0.1 if ply == 1 else 0.9, 100))
        for ply, move in enumerate(review.moves)
    }  # fmt: skip
    assert review._doubtful() == [0, 2]
    review.checked = {0, 2}
    assert [(loss.ply, loss.before) for loss in losses_of(review)] == [(0, 0.9)]
    assert math.isnan(review.cost(2)), "nobody knows"
    assert review.value(review.results[4], review.moves[4]).error > 0, "rollouts that all end alike prove nothing"


def test_of_a_turn_of_several_moves_the_list_tells_what_the_curve_shows() -> None:
    """The search of the next move of the same turn knows more of what the first one led to."""
    review = dealt()
    first, second = review.moves[:2]
    review.results = {0: Rolled((first + 1, 0.8, 100), (first, 0.25, 100)), 1: Rolled((second, 0.44, 100))}
    review.checked = {0}
    [loss] = losses_of(review)
    assert loss.after == pytest.approx(review.expected(1, 0).value)


def test_a_hint_that_is_followed_is_no_fall_and_no_luck() -> None:
    review = reviewed("hanabi", "h1r p5 h1r p5 h1r p5 h1r p5")
    chances = (22.4, 20.0, 22.7, 20.0, 22.7, 20.0, 22.7, 20.0)
    review.results = {ply: Rolled((review.moves[ply], chances[ply], 100)) for ply in review.decisions}
    review.checked = set(review.decisions)
    review.least = 2.0
    chart = review_chart(review, ["you", "Ben"], 0)
    assert chart is not None
    assert changes_of(review, chart, 0) == []


def test_falls_without_a_mistake_do_not_fill_the_list(monkeypatch: Any) -> None:
    review = dealt()
    falls = [(ply, ply + 2, 0.9, 0.2) for ply in range(5)]
    monkeypatch.setattr("rulebots.web.turning_points.swings_of", lambda *_: falls)
    review.results = {ply: Rolled((review.moves[ply], 0.5, 100)) for ply in review.decisions}
    chart = review_chart(review, ["you", "Ben"], 0)
    assert chart is not None
    assert len(changes_of(review, chart, 0)) == 2
    falls += [(ply, ply + 2, 0.2, 0.9) for ply in range(5, 10)]
    assert len(changes_of(review, chart, 0)) == 4, "nor do rises"
    falls[:] = [(1, 2, 0.9, 0.2)]
    assert changes_of(review, chart, 0) == [], "what is neither a mistake nor luck teaches nothing"
    drawn = Change(0, 1, 0, 0.9, 0.2), Change(0, 2, 0, 0.9, 0.2)
    assert [_lucky(review, one) for one in drawn] == [False, True], "nobody drew, or another one moved"


def test_a_teammate_who_trusts_a_hint_and_is_right_makes_no_mistake() -> None:
    position = Position(load_game("hanabi"), seed=1)
    positions, moves = [position.copy()], list[int]()
    for _ in range(2):
        moves.append(int(position.legal_moves[0]))
        position.push(moves[-1])
        positions.append(position.copy())
    review = Review(positions, moves, lambda name: None, None)  # type: ignore[arg-type, return-value]  # no search is asked
    review.results = {0: Rolled((moves[0] + 1, 15.0, 100), (moves[0], 5.0, 100))}
    review.checked = {0}
    for later, cost in ((16.0, 0.0), (14.7, 0.3), (12.0, 3.0), (2.0, 10.0)):
        review.results[1] = Rolled((moves[1], later, 100))
        assert review.cost(0) == pytest.approx(cost)
        assert bool(losses_of(review)) == (cost > 1), "what is less than is reported is no mistake"


def test_a_card_that_is_passed_next_was_no_mistake_to_keep_for_now() -> None:
    review = reviewed("hearts", "")
    here = review.positions[0]
    first, second, third = here.legal_moves[:3].tolist()
    review = Review(
        [here, here.after(first), here.after(first).after(second)], [first, second], lambda name: None, None
    )  # type: ignore[arg-type, return-value]  # no search is asked
    review.checked = {0}
    for better, lost in ((third, 4.0), (second, 0.0)):
        review.results = {0: Rolled((better, -2.0, 100), (first, -6.0, 100))}
        assert review.cost(0) == lost
        assert len(losses_of(review)) == bool(lost)


def test_who_goes_by_a_hint_makes_no_mistake_and_who_loses_a_life_against_it_does(monkeypatch: Any) -> None:
    """Rollouts deal one's own hand anew, as if no hint had been given; their guide knows what hints mean."""
    played = reviewed("hanabi", "p5 h1r p5 h1r p5 h1r p5 h1r")
    harm = played.game.text.harm
    lost = {ply for ply in range(0, 7, 2) if harm and harm(played.positions[ply].state, played.moves[ply])}
    fits = min({*range(0, 7, 2)} - lost)
    life, empty = min(lost), np.zeros(2)
    monkeypatch.setattr(Review, "_doubtful", lambda _: [])
    for ply, guided, better, blamed in (
        (fits, True, 4.0, False), (fits, False, 4.0, True), (life, False, 0.0, True), (life, True, 0.0, False),
        (life, True, 4.0, False), (life, False, -0.5, False),
    ):  # fmt: skip
        review = Review(played.positions, played.moves, lambda name: None, threading.Semaphore())  # type: ignore[arg-type, return-value]  # no search is asked
        review.seen = math.inf
        for one, move in enumerate(played.moves):
            moves = np.array([move, move - 1])
            if one == ply and better > 0:
                moves = moves[::-1]
            wins = (
                16.0 + np.array([max(better, 0.0), min(better, 0.0)])
                if one == ply
                else np.full(2, 20.0 if one < ply else 15.0)
            )
            guide = move if guided or one != ply else move - 1
            review.results[one] = RolloutResult(
                int(moves[0]), guide, moves, np.full(2, 99), wins, empty, empty, empty, 198, 0.1, 0, empty, ("it",)
            )
        review.work()
        review.checked = {ply} - lost
        assert {loss.ply: loss.better for loss in losses_of(review)}.get(ply) == (
            played.moves[ply] - 1 if blamed else None
        )
        assert review.harmful == lost
        told = {change.before for change in changes_of(review, review_chart(review, ["you", "Ben"], 0), 0)}
        assert told >= lost, "each life that was lost is told, whoever was to blame"


@pytest.mark.parametrize(("after", "blamed"), [(15.0, True), (20.0, False)])
@pytest.mark.parametrize(("moves", "hint"), [("h1r p3 p1", 0), ("h2g h2r p5 d1", 0)])
def test_who_misleads_a_teammate_has_lost_its_life(
    monkeypatch: Any, after: float, moves: str, hint: int, *, blamed: bool
) -> None:
    """Rollouts do not see what a hint means, to whomever it is: what is expected once its card is played does."""
    played = reviewed("hanabi", moves, seats=3 if "h2" in moves else 2)
    life = hint + played.positions[0].seats - 1
    monkeypatch.setattr(Review, "_doubtful", lambda _: [])
    review = Review(played.positions, played.moves, lambda name: None, threading.Semaphore())  # type: ignore[arg-type, return-value]  # no search is asked
    review.seen = math.inf
    for ply, move in enumerate(played.moves):
        guide, wins = move - (ply == hint), np.full(2, 20.0 if ply <= life else after)
        review.results[ply] = RolloutResult(
            move, guide, np.array([move, move - 1]), np.full(2, 99), wins, *[np.zeros(2)] * 3, 198, 0.1, 0,
            np.zeros(2), ("it",),
        )  # fmt: skip
    review.work()
    assert {loss.ply: loss.better for loss in losses_of(review)} == ({hint: played.moves[hint] - 1} if blamed else {})
    assert review.misled == ({hint: life} if blamed else {})
    assert life in review.harmful


def test_luck_is_told_from_mistakes() -> None:
    review = dealt()
    own = [ply for ply in review.decisions if review.positions[ply].mover == 0]
    last, theirs = own[-1], own[1] + 2
    chances = dict(zip(own, (0.5, 0.5, 0.9, 0.4), strict=True))
    review.results = {
        ply: Rolled((review.moves[ply], chances.get(ply, 0.5), 100)) for ply in review.decisions
    } | {theirs: Rolled((review.moves[theirs] + 1, 0.6, 100), (review.moves[theirs], 0.2, 100))}  # fmt: skip
    review.checked = {theirs}
    chart = review_chart(review, ["you", "Ben"], 0)
    assert chart is not None
    one, other = changes_of(review, chart, 0)
    assert (one.before, one.after) == (own[1], own[2])
    assert one.loss is not None
    assert one.loss.ply == theirs, "its opponent's mistake made it rise, in the middle of it"
    assert (other.after, other.loss, other.lucky) == (last, None, True)
    names = ("you", "Ben")
    assert summary_of(review, names) == f"Ben made 1 mistake (move {theirs + 1})."
    again = theirs + 4
    review.results[again] = Rolled((review.moves[again] + 1, 0.9, 100), (review.moves[again], 0.1, 100))
    review.checked.add(again)
    assert summary_of(review, names) == f"Ben made 2 mistakes (moves {theirs + 1} and {again + 1})."
    assert review.mistakes(review.positions) == {theirs + 1: True, again + 1: True}
    assert review.mistakes(review.positions[: again + 1]) == {theirs + 1: True}, "taken back"


def test_losses_are_those_of_the_mover() -> None:
    position = Position(load_game("tictactoe"))
    a, b, c, d, e, middle = (position.read(text) for text in ("a1", "c3", "b1", "b3", "c1", "b2"))
    positions, moves = [position.copy()], (a, b, c, d, e)
    for move in moves:
        position.push(move)
        positions.append(position.copy())
    review = Review(positions, moves, lambda name: None, None)  # type: ignore[arg-type, return-value]  # no search is asked
    review.results = {
        0: Said(middle, [middle, a], [0.2, 0.1]), 1: Said(middle, [middle, b], [-0.12, -0.5]), 2: Said(c, [c], [0.5]),
        3: Said(e, [e, d], [-0.4, -1.0]), 4: Said(e, [e], [1.0]),
    }  # fmt: skip
    assert losses_of(review) == [], "what was not searched longer is nobody's mistake"
    # At second sight the move of ply 0 is the best, the middle at ply 1 a little less than it seemed.
    review.checked = {0, 1, 3}
    review.results |= {0: Said(a, [a, middle], [0.12, 0.1]), 1: Said(middle, [middle, b], [-0.2, -0.5])}
    found = [(loss.ply, loss.seat, loss.better, round(loss.before - loss.after, 2)) for loss in losses_of(review)]
    assert found == [(1, 1, middle, 0.15), (3, 1, e, 0.3)], "by the searches after both moves"
    assert [(one.before, one.reply) for one in changes_of(review, None, 0)] == [(1, 2), (3, 4)], "what followed"
    assert [review.cost(ply) for ply in (2, 4)] == [0.0, 0.0], "its own choice was played"
    answer, review.results[2] = review.results[2], Said(e, [e, c], [0.9, 0.5])
    assert changes_of(review, None, 0)[0].reply is None, "the answer was a mistake too"
    review.results[2] = answer
    chart = review_chart(review, ["a", "b"], 1)
    assert chart is not None
    [(points, _, seat)] = chart.curves
    assert seat == 1
    heights = [float(point.partition(",")[2]) for point in points.split()]
    chances = [(HEIGHT - BOTTOM - height) / (HEIGHT - BOTTOM - TOP) for height in heights]
    assert chances == pytest.approx([0.44, 0.4, 0.25, 0.3, 0.0, 0.0], abs=0.002)
    assert [*chart.marks.values()] == ["0\u00a0%", "50\u00a0%", "100\u00a0%"]


def test_what_a_search_has_proven_of_a_move_counts_after_it() -> None:
    """The search after it may not see that it is lost; one percentage is told in the review and in its reasons."""
    position = Position(load_game("tictactoe"))
    a, middle = (position.read(text) for text in ("a1", "b2"))
    positions, moves = [position.copy()], (a, middle)
    for move in moves:
        position.push(move)
        positions.append(position.copy())
    review = Review(positions, moves, lambda name: None, None)  # type: ignore[arg-type, return-value]  # no search is asked
    before = Said(middle, [middle, a], [1.0, -1.0])
    before.visits[:] = 0
    review.results = {0: before, 1: Said(middle, [middle], [0.86])}
    review.checked = {0}
    [loss] = losses_of(review)
    assert loss.after == pytest.approx(0.07, abs=0.001)
    assert review.write(loss.before, certain=True) == "100\u00a0%", "all that was tried was won: no proof"
    before.proven = np.array([True, True])
    [loss] = losses_of(review)
    assert [review.write(value, certain=True) for value in (loss.before, loss.after)] == ["a win", "a loss"]
    assert review.expected(1, 0) == (0.0, 0.0)


def test_changes_of_a_curve_count_whoever_made_them_beyond_the_error_of_the_search() -> None:
    position = Position(load_game("tictactoe"))
    middle = position.read("b2")
    review = Review([position] * 8, [middle] * 7, lambda name: None, None)  # type: ignore[arg-type, return-value]  # no search is asked
    curve = Series("you", [0, 2, 3, 5, 6], [0.5, 0.52, 0.9, 0.3, 0.5])
    assert [swing[:4] for swing in swings_of(review, curve)] == [(2, 3, 0.52, 0.9), (3, 5, 0.9, 0.3), (5, 6, 0.3, 0.5)]
    review.results = {ply: Said(middle, [middle], [0.0]) for ply in curve.xs}
    assert review.estimate(5).error == pytest.approx((0.25 / 104) ** 0.5)
    assert math.isnan(review.estimate(1).value)
    for result in review.results.values():
        result.visits[:] = 30
    assert swings_of(review, curve) == [(2, 3, 0.52, 0.9), (3, 5, 0.9, 0.3)], "0.2 is below two errors of 0.121"
    assert swings_of(review, Series("it", [1], [0.5])) == []


def test_where_cards_are_hidden_the_curve_is_what_one_seat_knew() -> None:
    """Each seat counts on its own hand: in turns, the curve would jump from the one's hopes to the other's."""
    review = dealt()
    positions, moves = review.positions, review.moves
    review.results = {ply: Said(moves[ply], [moves[ply], moves[ply] + 1], [0.4, 0.0]) for ply in review.decisions}
    chart = review_chart(review, ["you", "Ben"], 0)
    assert chart is not None
    own = [ply for ply in review.decisions if positions[ply].mover == 0]
    assert 0 < len(own) < len(review.decisions)
    assert list(chart.series[0].xs) == own
    assert swings_of(review, chart.series[0]) == []


def reviewed(name: str, text: str, start: str | None = None, **options: int) -> Review:
    """A review of the moves of a text, without a search."""
    game = load_game(name)
    position = Position(game, options) if start is None else Position.from_text(game, start, options)
    positions, moves = [position.copy()], list[int]()
    for move in text.split():
        moves.append(position.read(move))
        position.push(moves[-1])
        positions.append(position.copy())
    return Review(positions, moves, lambda name: None, None)  # type: ignore[arg-type, return-value]  # no search is asked


def test_a_small_board_is_reviewed_by_what_is_true() -> None:
    """Every move that gives a result away is a mistake, and no other one is."""
    game = load_game("circles")
    played = reviewed("circles", "0,0 2,1 4,2 1,0 2,2 2,0 4,0 4,4 5,2 3,3 5,5")
    review = Review(played.positions, played.moves, lambda name: make_player(name, game), threading.Semaphore())
    review.seen = math.inf
    review.work()
    base = tablebase_finder(game)(review.positions[0])
    wins = [base.value(position) == 1 for position in review.positions]
    thrown = [ply for ply, (one, other) in enumerate(itertools.pairwise(wins)) if one and other]
    assert len(thrown) > 4
    losses = losses_of(review)
    assert [loss.ply for loss in losses] == thrown
    assert {(review.write(loss.before), review.write(loss.after)) for loss in losses} == {("a win", "a loss")}
    chart = review_chart(review, ["you", "Ben"], 0)
    assert chart is not None
    assert [*chart.marks.values()] == ["a loss", "a win"]
    assert summary_of(review, ["you", "Ben"]).startswith("You made ")
    champion = make_player("champion", game)
    assert review.tempting == {ply for ply in thrown if champion.decide(review.positions[ply]) == review.moves[ply]}
    for loss in losses:
        line = review.results[loss.ply].line
        twin = review.positions[loss.ply].copy()
        for move in line:
            twin.push(move)
        assert line[0] == loss.better
        assert len(line) == LINE or twin.over, "it goes on until the lesson is seen"


def small_kalah(*, moves: int) -> Review:
    """A reviewed game of Kalah with few stones, up to so many moves: the first pit each time."""
    position = Position(load_game("kalah"), {"pits": 3, "stones": 3})
    positions, played = [position.copy()], list[int]()
    while not position.over and len(played) < moves:
        played.append(int(position.legal_moves[0]))
        position.push(played[-1])
        positions.append(position.copy())
    review = Review(positions, played, lambda name: make_player(name, position.game), threading.Semaphore())
    review.seen = math.inf
    review.work()
    return review


def test_where_points_are_only_gained_a_review_tells_the_lead_of_every_move() -> None:
    """A chance to win says nothing of twelve stones that a loser loses; what best play leads to does."""
    review = small_kalah(moves=99)
    assert review.leads
    assert review.positions[-1].over
    exact = make_player("minimax:depth=40", review.game)
    assert any(losses_of(review))
    for ply in review.decisions:
        position = review.positions[ply]
        exact.decide(position.copy())
        assert review.estimate(ply).value == exact.result.value
        assert not math.isnan(review.cost(ply))
        assert (review.cost(ply) >= review.least) == any(loss.ply == ply for loss in losses_of(review))
        assert review.known(ply)[review.moves[ply]] == review.after(ply).value, "its reasons tell the same"
    curve = [review.expected(ply, 0).value for ply in range(len(review.positions))]
    for position, (one, other) in zip(review.positions, itertools.pairwise(curve), strict=False):
        assert (other <= one) if position.mover == 0 else (other >= one), "nobody gains by a move, only by mistakes"
    chart = review_chart(review, ["you", "Ben"], 0)
    assert chart is not None
    assert [*chart.marks.values()] == ["even", "", "+14"], "no room for more words, nor for +2 beside even"
    for change in changes_of(review, chart, 0):
        assert change.loss, "only mistakes change anything"
    [loss] = losses_of(review)
    assert summary_of(review, ["you", "Ben"]) == f"Ben made 1 mistake (move {loss.ply + 1})."
    assert turn_of(review, chart.series[0]) == (0, 0), "two ahead by the first move"
    reply, seat = _reply_to(review, loss), loss.seat
    had = [review.has(position, seat).value for position in review.positions]
    assert reply is not None
    following = range(loss.ply + 1, min(loss.ply + 5, len(review.moves)))
    assert min(following, key=lambda ply: had[ply + 1] - had[ply]) == reply, "what it cost"
    assert [review.write(value) for value in (6, 0, -8)] == ["6 ahead", "even", "8 behind"]
    assert small_kalah(moves=1).leads, "when nobody has a point as well"


@pytest.mark.slow
def test_a_mistake_at_kalah_is_told_with_what_it_made_possible(site: Site) -> None:
    address = site.begin("kalah", player2=PERSON)
    for pit in "001413":
        site.post(f"{address}/type", {"text": pit})
    told = review_of(site, address).text
    assert (
        "Player 2 sows pit 1 (+1).  <strong>Player 2&#39;s mistake:</strong> after it, Player 1 could sow pit 0 and "
        "capture 6. It was better to sow pit 3: 4 behind for Player 2, not 7 behind. "
        "Then Player 2 could later sow pit 0 and capture 3. "
    ) in told


@pytest.mark.slow
def test_how_often_a_mistake_at_kalah_let_the_other_side_gain_is_counted(site: Site) -> None:
    address = site.begin("kalah", player2=PERSON)
    for pit in "00141310":
        site.post(f"{address}/type", {"text": pit})
    assert "mistakes Player 2 could gain several points with one move." in review_of(site, address).text


@pytest.mark.slow
def test_bad_luck_with_dice_is_told_with_the_odds_of_the_move(site: Site) -> None:
    address = site.begin("cant-stop", player2=PERSON, seed=1)
    session = site.sessions.get(address.rpartition("/")[2])
    champion = make_player("champion", session.game)
    while settled(site, address) and not session.ongoing.ended:
        position = session.position
        site.post(f"{address}/type", {"text": position.write(champion.decide(position.copy()))})
    told = html.unescape(review_of(site, address).text)
    assert re.search(
        r"luck.*</strong> No better move was found\. The next roll: \d+ % bust.* The search sees \d+", told
    )


def test_what_the_champion_would_rather_do_is_no_reason(monkeypatch: Any) -> None:
    review = reviewed("tictactoe", "a1 c3")
    first, second = review.moves
    review.results = {0: Said(first, [first], [0.0])}
    loss = Loss(0, 0, second, first, 1.0, 0.0)
    for said, told in (
        ("The champion's rules agree.", ""),
        (
            "It forks. The champion's rules would rather play c3, but say for this: it forks. It wins.",
            "It forks.  It wins.",
        ),
        ("By the champion's rules, it forks.", "By the champion's rules, it forks."),
    ):
        monkeypatch.setattr(
            "rulebots.web.review_pages.of_search", lambda *_, said=said, **__: Reasons("play a1", sentence=said)
        )
        assert _reason(review, loss, ["you", "Ben"]) == told
    review.results[0].line = [first, second]
    monkeypatch.setattr("rulebots.web.review_pages.of_search", lambda *_, **__: None)
    assert _reason(review, loss, ["you", "Ben"]) == "It could have gone on: Ben plays c3."


class Hopeful(Player):
    """Thinks that it wins six games of ten, whatever the position, by its last legal move."""

    needs = Needs.POSITION

    def choose(self, seen: Position, moves: Any) -> int:
        self.result = Said(int(moves[-1]), [int(moves[-1])], [0.2])
        self.result.line = [int(moves[-1])]
        return int(moves[-1])


def test_a_doubtful_move_and_the_better_one_are_judged_alike_by_what_follows_them() -> None:
    review = reviewed("tictactoe", "a1 b1 b2 a2 c3")
    found = review._followed(Hopeful(review.game, "hopeful"), 0)
    played, other = review.moves[0], int(review.positions[0].legal_moves[-1])
    assert sorted(found.moves) == sorted([played, other])
    assert found.move == played, "nothing is better than what is as good"
    assert found.line[0] == played
    assert found.instead == [], "no other one was played"
    review.results = {0: found}
    review.checked = {0}
    assert [round(review.value(found, move).value, 3) for move in (played, other)] == [0.4, 0.4], "the opponent hopes"
    assert review.expected(1, 0) == review.value(found, played), "the reasons for a move and the curve say the same"
    assert losses_of(review) == []
    last = review._followed(Hopeful(review.game, "hopeful"), 4)
    assert (last.move, last.values[0], last.proven[0]) == (review.moves[4], 1.0, True), "it ends the game"


def test_a_move_that_becomes_doubtful_by_what_was_found_is_searched_longer_too(monkeypatch: Any) -> None:
    """The search after a mistake sees more than a short one of the answer, which seems to lose that again."""
    played = reviewed("gomoku", "h8 h9 g8")
    review = Review(played.positions, played.moves, lambda name: Hopeful(played.game, name), threading.Semaphore())
    review.seen = math.inf
    doubtful = iter([[0], [0, 1]])
    monkeypatch.setattr(review, "_doubtful", lambda: next(doubtful))
    review.work()
    assert review.finished
    assert review.checked == {0, 1}
    assert len(review.results[1].moves) == 2, "after the one played and its own choice"
    assert len(review.results[2].moves) == 1


class Certain(Hopeful):
    """Has proven that a stone in the middle loses, and without one that the first seat wins."""

    def choose(self, seen: Position, moves: Any) -> int:
        move = super().choose(seen, moves)
        lost = bool(seen.state.board[seen.read("h8")]) != (seen.mover == 1)
        self.result.values[:], self.result.proven = (-1.0 if lost else 1.0), np.array([True])
        return move


def test_a_win_that_was_missed_is_shown_move_by_move(monkeypatch: Any) -> None:
    played = reviewed("gomoku", "h8 h9 g8")
    review = Review(played.positions, played.moves, lambda name: Certain(played.game, name), threading.Semaphore())
    review.seen = math.inf
    monkeypatch.setattr(review, "_doubtful", lambda: [0])
    review.work()
    [loss] = losses_of(review)
    assert (loss.ply, loss.before, loss.after) == (0, 1.0, 0.0)
    result = review.results[0]
    assert [len(line) for line in (result.line, result.instead)] == [FORCED, FORCED]
    assert (result.line[0], result.instead[0]) == (loss.better, loss.move)


def test_a_forced_move_keeps_what_follows_it() -> None:
    """Where the answer is forced nothing is searched, and the move before would have no verdict."""
    review = reviewed("tictactoe", "b2 a1 c1 a3 a2 c2 b3 b1 c3")
    last = review.moves[7]
    assert review.decisions == list(range(8))
    review.results = {7: Said(last, [last, review.moves[8]], [0.0, -1.0])}
    review.checked = {7}
    assert review.estimate(8) == (0.5, 0.0), "the last move is forced: a draw"
    assert review.cost(7) == 0


def test_the_curve_does_not_rise_and_fall_by_turns() -> None:
    """A search overrates the side that moves."""
    review = reviewed("tictactoe", "b2 a1 c1 a3 a2")
    review.results = {ply: Said(move, [move], [0.2]) for ply, move in enumerate(review.moves)}
    assert [round(review.expected(ply, 0).value, 3) for ply in range(4)] == [0.6, 0.4, 0.6, 0.4]
    review.finished = True
    assert [round(review.expected(ply, 0).value, 3) for ply in range(4)] == [0.5, 0.5, 0.5, 0.5]


def test_a_table_was_decided_by_what_cost_most_as_the_cards_lay() -> None:
    review = reviewed("hearts", "")
    chart = Chart([Series("you", [2, 6, 20, 52], [-1.0, -9.0, -9.5, -13.0], seat=0)], {}, str, range(53), 60)
    taken = Change(21, 24, 0, 0.0, -13.0, scored=True)
    early = Change(3, 6, 0, 0.0, -6.0, scored=True)
    assert decisive(review, chart, [early, taken], 1) is taken
    review.least = 5
    assert decisive(review, chart, [early, taken], 1) is None, "no single moment"
    review.least = 1
    loss, review.champion = Loss(22, 0, 1, 2, -2.0, -5.0), make_player("champion", review.game)
    for better, decided in ((0, True), (-13, False)):
        review._played_on = {(22, 2): [(better, 0, 0, 0)], (22, 1): [(-13, 0, 0, 0)]}
        blamed = replace(taken, loss=loss, costless=not review.cost_something(loss))
        assert (decisive(review, chart, [early, blamed], 1) is blamed) == decided
    own = replace(early, seat=1, loss=Loss(3, 1, 1, 2, -2.0, -6.0))
    review._played_on = {(3, 2): [(0, 0, 0, 0)], (3, 1): [(0, -5, 0, 0)]}
    assert [decisive(review, chart, [early, own], seat) for seat in (0, 1)] == [early, own], "one's own first"


def test_mistakes_that_did_not_decide_who_won_are_told_apart() -> None:
    """Those of the winner, those that the other side gave back, and at Kalah those far behind."""
    review = reviewed("tictactoe", "a1 b1 b2 a2 c3")
    review.results = {ply: Said(move, [move], [0.0]) for ply, move in enumerate(review.moves)}
    mistakes = Loss(0, 0, 1, 2, 0.9, 0.5), Loss(1, 1, 1, 2, 0.5, 0.1), Loss(1, 1, 1, 2, 0.7, 0.1)
    assert [review.cost_something(loss) for loss in mistakes] == [False, False, True]
    going_on = reviewed("tictactoe", "a1 b1")
    assert going_on.cost_something(mistakes[0]), "nobody has won yet"
    kalah = reviewed("kalah", "2 5 1")
    kalah.leads, kalah.least = True, 3
    assert [kalah.cost_something(Loss(0, 0, 1, 2, before, -9.0)) for before in (-6.0, -5.0)] == [False, True]
    changes = [Change(loss.ply, loss.ply + 1, loss.seat, loss.before, loss.after, loss) for loss in mistakes[1:]]
    chart = review_chart(review, ["you", "Ben"], 0)
    assert chart is not None
    assert decisive(review, chart, [replace(changes[0], costless=True), changes[1]], 0) == changes[1]
    luck, mistake = Change(0, 1, 0, 0.1, 0.9, lucky=True), changes[1]
    assert decisive(review, chart, [luck, mistake], 0) == mistake, "there is more to learn from"
    assert decisive(review, chart, [luck, replace(mistake, costless=True)], 0) == luck


def test_it_is_said_since_when_a_game_was_lost() -> None:
    game = load_game("tictactoe")
    played = reviewed("tictactoe", "a1 b1 b2 a2 c3")
    review = Review(played.positions, played.moves, lambda name: make_player(name, game), threading.Semaphore())
    review.seen = math.inf
    review.work()
    for own in (0, 1):
        chart = review_chart(review, ["you", "Ben"], own)
        assert chart is not None
        assert turn_of(review, chart.series[0]) == (1, 2), "whoever looks at it"
    for first, early, turn in ((0.65, 0.65, (0, 0)), (0.65, 0.55, (0, 0)), (0.65, 0.35, (2, 4)), (0.55, 0.55, (2, 4))):
        ahead = Series("you", [0, 2, 4, 5], [first, early, 0.8, 1.0], seat=0)
        assert turn_of(review, ahead) == turn, "who was never behind; hardly better than even is no lead"


def test_hindsight_knows_since_when_a_game_with_hidden_cards_was_won() -> None:
    review = dealt()
    review.champion = make_player("champion", review.game)
    won = review.positions[-1].points
    other = (won[1], won[0] + 1) if won[0] > won[1] else (won[1] + 1, won[0])
    curve = Series("you", [0, 4, 8, 12, 16], [0.9, 0.9, 0.1, 0.1, 0.9], seat=0)
    review._played_on = {(0,): [won], (4,): [other], (8,): [won], (12,): [won]}
    assert turn_of(review, curve) == (4, 8), "whatever it came to see later"


def test_in_a_team_nothing_is_luck() -> None:
    review = reviewed("hanabi", "p5 h1r")
    assert not _lucky(review, Change(0, 1, None, 24.0, 21.0)), "nothing was drawn or rolled"
    assert not _lucky(review, Change(1, 2, None, 24.0, 25.0)), "a hint is no luck"


def test_points_at_a_table_are_told_from_the_move_of_the_seat_that_took_them() -> None:
    """Seat 0 takes the queen with its ace of clubs."""
    deal = (
        "2C 3C AC 2D 3D 4D 5D 6D 7D 8D 9D 10D JD 4C 5C 6C 7C 2S 3S 4S 5S 6S 7S 8S 9S 10S "
        "8C 9C 10C JC QC KC JS KS AS QD KD AD 2H QS 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"
    )
    review = reviewed("hearts", "2C 4C 8C 3H 9C QS AC 5C", f"{deal} hold left across right /")
    trick = Change(6, 8, 0, 0.0, -13.0, scored=True)
    assert scores_of(review)[-1] == trick
    review.results = {}
    assert changes_of(review, None, 0)[-1] == trick, "it was the seat that led the ace: no bad luck"
    for ply, reply in ((6, 7), (5, None)):
        loss = Loss(ply, review.positions[ply].mover, 0, 1, 0.0, -2.0)
        assert _reply_to(review, loss) == reply, "what follows costs only who took the trick"
    loss, review.champion = Loss(6, 0, 0, 1, -3.0, -14.0), make_player("champion", review.game)
    for spared, reply in ((0, 7), (-13, None)):
        review._played_on = {(6, 1): [(0, 0, 0, 0), (0, 0, 0, 0), (spared, 0, 0, 0), (-20, 0, 0, 0)]}
        assert _reply_to(review, loss) == reply, "the better move would have taken the trick as well"
    later = replace(loss, ply=2)
    review._played_on = {(2, 1): [(0, 0, 0, 0)] * 9, (2, 0): [(-13, 0, 0, 0)]}
    assert _reply_to(review, later) == 7, "in another round, if hindsight has it so"
    review._played_on |= {(2, 0): [(-12, 0, 0, 0)]}
    assert _reply_to(review, later) is None
    suits = " ".join(f"{rank}{suit}" for suit in "CDSH" for rank in RANK_TEXTS)
    led = reviewed("hearts", "2C 2D 2S 2H", f"{suits} hold left across right /")
    assert scores_of(led) == [Change(0, 4, 0, 0.0, -1.0, scored=True)], "the two of clubs is led first"


def test_a_mistake_at_a_table_is_played_on_from_by_the_champions_rules(monkeypatch: Any) -> None:
    """The same cards, and the same rules for all."""
    game = load_game("hearts")
    champion = make_player("champion", game)
    position = Position(game, seed=3)
    positions, moves = [position.copy()], list[int]()
    while not position.over:
        moves.append(int(position.legal_moves[0]))
        position.push(moves[-1])
        positions.append(position.copy())
    review = Review(positions, moves, lambda name: make_player(name, game), threading.Semaphore())
    review.seen, review.results = math.inf, {ply: Rolled((moves[ply], -5.0, 100)) for ply in review.decisions}
    wrong = next(ply for ply in review.decisions if ply > 20)
    better = int(positions[wrong].legal_moves[-1])
    review.results[wrong] = Rolled((better, -2.0, 100), (moves[wrong], -9.0, 100))
    review.results[wrong].errors = np.zeros(2)  # it has been searched longer
    monkeypatch.setattr(review, "_doubtful", lambda: [wrong])
    review.work()
    [loss] = losses_of(review)
    assert (loss.ply, loss.better) == (wrong, better)
    ends = list[tuple[int, ...]]()
    for move in (better, moves[wrong]):
        twin = positions[wrong].copy()
        twin.push(move)
        while not twin.over:
            twin.push(champion.decide(twin.copy()))
        ends.append(twin.points)
    assert review.endings(loss) == ends
    assert review.cost_something(loss) == (ends[0][loss.seat] > ends[1][loss.seat])
    lines = review.lines(loss)
    assert [line[0] for line in lines] == [loss.better, loss.move]
    for line, end in zip(lines, ends, strict=True):
        twin = positions[wrong].copy()
        for move in line:
            twin.play(move)
        assert len(line) == FORCED or twin.points == end, "the moves behind the points"
    assert review.played_on(len(moves)) == [positions[-1].points]
    assert review.played_on(wrong, better)[:2] == [positions[wrong].points, positions[wrong].after(better).points]


def test_a_swing_of_a_hidden_duel_is_told_if_hindsight_bears_it_out() -> None:
    """What a seat comes to see may look good while the cards lie badly: whoever knows them all is not fooled."""
    review, game = dealt(), load_game("lost-cities")
    review.champion = make_player("champion", game)
    for one, other in ((24, 18), (18, 24), (20, 20)):
        review._played_on = {(4,): [(0, 0), (one, other)]}
        told = [_lucky(review, Change(2, 4, 0, *change)) for change in ((0.4, 0.7), (0.7, 0.4))]
        assert told == [one > other, one <= other]
    loss = Loss(4, 1, 0, 1, 0.9, 0.2)
    for better, costs in (((25, 20), True), ((40, 20), False), ((40, 30), False), ((45, 36), True)):
        review._played_on = {(4, 1): [better], (4, 0): [(40, 30)]}
        assert review.cost_something(loss) == costs, "the lead counts"
    review.champion = None
    assert review.lines(loss) == []
    assert _lucky(review, Change(2, 4, 0, 0.7, 0.4)), "nobody can tell"
    assert review.cost_something(loss)


def test_a_table_is_told_of_large_changes_of_points_and_of_a_punishment_with_its_mistake(monkeypatch: Any) -> None:
    review = reviewed("hearts", "", None)
    taken = [Change(ply, ply + 1, 0, 0.0, -lost, scored=True) for ply, lost in ((1, 1.0), (3, 3.0), (5, 13.0))]
    review.least = 1
    monkeypatch.setattr("rulebots.web.turning_points.scores_of", lambda *_: taken)
    assert changes_of(review, None, 0) == taken[1:], "a heart teaches nothing"
    loss = Loss(2, 0, 1, 2, 0.0, -9.0)
    monkeypatch.setattr("rulebots.web.turning_points.losses_of", lambda _: [loss])
    monkeypatch.setattr("rulebots.web.turning_points._reply_to", lambda *_: 5)
    assert [(one.before, one.reply) for one in changes_of(review, None, 0)] == [(2, 5), (3, None)]


def test_the_certain_result_of_a_drawn_game_is_a_draw() -> None:
    drawn = reviewed("tictactoe", "b2 a1 c1 a3 a2 c2 b3 b1 c3")
    assert [drawn.write(value) for value in (0.5, 0.9)] == ["a draw", "90\u00a0%"]
    assert reviewed("tictactoe", "b2 a1").write(0.5) == "50\u00a0%"


def test_a_review_says_whether_all_that_matters_was_looked_at() -> None:
    """Nobody is told that no move was a mistake by a search that ended early."""
    position = Position(load_game("tictactoe"))
    review = Review([position], [], lambda name: None, None)  # type: ignore[arg-type, return-value]  # no search is asked
    assert review.complete
    review.done.set()
    assert review.broken_off
    review.finished = True
    assert not review.broken_off


def test_dice_are_reviewed_by_rollouts_and_without_rules_by_a_tree() -> None:
    """A tree tries a move that it thinks worse twice, which says nothing of it."""
    asked = list[str]()

    def make(name: str) -> Any:
        asked.append(name.partition(":")[0])
        if name.startswith("rollout") and len(asked) > 1:
            raise UsageError("there is no player made of rules")

    review = Review([Position(load_game("cant-stop"), seed=1)], [], make, None)  # type: ignore[arg-type]  # no search
    review._searcher(1)
    review._searcher(1)
    assert asked == ["rollout", "rollout", "mcts"]
    assert (review.least, dealt().least) == (LEAST / 2, LEAST), "a race by dice is lost in small steps"
