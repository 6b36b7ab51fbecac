# ruff: noqa: E501, F811 - a fixture is a parameter; an edit is best seen on one line
"""Games for any table: what `rulebots new` writes of them keeps the contract, and mistakes of seats are told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import goofspiel
import numpy as np
import pytest
import standing
from game_copies import stranger
from new_package import CHECK, GAME, Told, assert_told, own_modules, run  # noqa: F401 - a fixture
from nim_package import run_rulebots

from rulebots import load_game, make_player, play_match
from rulebots.checking import check_law, check_rules
from rulebots.checking.findings import Findings, all_of
from rulebots.checking.law import check_games, sample_states
from rulebots.checking.views import check_places
from rulebots.game import Game, Kind
from rulebots.game.contract import checked_game
from rulebots.game.trial import Trial
from rulebots.kernel import kernel
from rulebots.kernel.user_code import CodeError
from rulebots.packages.rule_sets import rule_sets_of
from rulebots.packages.scaffold import DICE, HIDDEN, new_game
from rulebots.rules import Rule, RuleSet, rule

#: The variant, its seats, and whether they play together.
TABLES = [(v, seats, False) for v in (DICE, HIDDEN) for seats in (3, (2, 4))]
TABLES += [(DICE, seats, True) for seats in (1, 2, (1, 4))]


@pytest.mark.slow
@pytest.mark.interpreted
@pytest.mark.parametrize(("variant", "seats", "together"), TABLES)
def test_a_new_package_for_any_table_keeps_the_contract(
    variant: str, seats: int | tuple[int, int], together: bool, own_modules: Path
) -> None:
    folder = new_game("tiny-war", variant, None, own_modules, seats=seats, together=together)
    game = load_game(str(folder / "tiny_war"))
    assert (game.seats, game.aim) == (seats, "together" if together else "against")
    found = all_of(check_law(game, 10), *(check_rules(rules, 10) for rules in rule_sets_of(game).values()))
    assert [str(finding) for finding in found.mistakes] == []
    hand, other = make_player("hand", game), make_player("random", game)
    for many in range(game.fewest_seats, game.most_seats + 1):
        options = {} if isinstance(seats, int) else {"seats": many}
        assert play_match(hand, other, deals=30, options=options).win_rate > 0.5, many


NEXT = "state.mover = seat_after(state.mover, 1, state.seats)"
VIEW, FIELD = '        ("seats", np.int32),\n        ("heap"', '        ("seats", np.int32),  # how many play\n'
LAST = "    last = seat_after(seat, 1, state.seats) == state.mover\n    return 1 if over(state) and last else 0"
MISTAKES = (
    Told("too far", ((GAME, NEXT, "state.mover += 1"),), CHECK, ("`play` sets state.mover to 2: expected one of [0, 1], the seat to decide",), "def play"),
    Told("too far of three", ((GAME, NEXT, "state.mover = (state.mover + 1) % 2 if state.seats == 2 else state.mover + 1"),), CHECK, ("`play` sets state.mover to 3: expected one of [0, 1, 2], the seat to decide",), "def play"),
    Told("a seat too few", ((GAME, NEXT, NEXT.replace("1, state.seats", "1, 2")),), CHECK, ("`play` never lets seat 2 of 3 decide in 5 random games",), "def play"),
    Told("one seat", ((GAME, NEXT, "state.mover = 0"),), CHECK, ("`play` never lets seat 1 of 2 decide", "does it say `state.mover = seat_after(state.mover, 1, seats)`?"), "def play"),
    Told("two of four", ((GAME, NEXT, "state.mover = 1 - state.mover if state.seats == 4 else (state.mover + 1) % state.seats"),), CHECK, ("`play` never lets seat 2 of 4 decide in 8 random games",), "def play"),
    Told("no seats", ((GAME, "    state.seats = options.seats\n", ""),), CHECK, ("`setup` leaves state.seats at 0 where 2 play: write state.seats = options.seats",), "def setup"),
    Told("constant seats", ((GAME, "state.seats = options.seats", "state.seats = 2"),), CHECK, ("`setup` leaves state.seats at 2 where 3 play",), "def setup"),
    Told("seats that leave", ((GAME, NEXT, NEXT + "\n    state.seats -= state.heap < 2 < state.seats"),), CHECK, ("`play` sets state.seats to 2: 3 play to the end, also those out",), "def play"),
    Told("no field", ((GAME, FIELD, ""),), CHECK, ("`state` needs a whole number 'seats': how many of 2 to 4 play",), "game = Game("),
    Told("a part of a seat", ((GAME, FIELD, FIELD.replace("int32", "float32")),), CHECK, ("`state` needs a whole number 'seats'",), "game = Game("),
    Told("seats in a row", ((GAME, FIELD, FIELD.replace("np.int32)", "np.int32, 4)")),), CHECK, ("`state` needs a whole number 'seats'",), "game = Game("),
    Told("eleven", ((GAME, "seats=(2, SEATS)", "seats=11"),), CHECK, ("expected 1 to 10 as `seats`, or (fewest, most), not 11",), "game = Game("),
    Told("two to eleven", ((GAME, "seats=(2, SEATS)", "seats=(2, 11)"),), CHECK, ("expected 1 to 10 as `seats`, or (fewest, most), not (2, 11)",), "game = Game("),
    Told("nobody in", ((GAME, "    n = min(MOST_TAKEN, state.heap)", "    n = min(MOST_TAKEN, state.heap) if state.mover < 2 or state.heap > 9 else 0"),), CHECK, ("`moves` gives 0 moves to seat 2 while the game is not over: end the game in `over`, add a pass, or let `play` pass over a seat",), "def moves"),
    Told("not together", ((GAME, "    seats=(2, SEATS)", '    aim="together",\n    seats=(2, SEATS)'),), CHECK, ("`points` gives seat 0 ", "all have the same points in a game with aim='together'"), "def points"),
    Told("no team", ((GAME, "    seats=(2, SEATS)", "    team=lambda state, seat: seat % 2,\n    seats=(2, SEATS)"),), CHECK, ("`points` gives seat 0 ", "seats of one team, here ", "have the same points"), "def points"),
    Told("half a team", ((GAME, "    seats=(2, SEATS)", "    team=lambda state, seat: seat / 2,\n    seats=(2, SEATS)"),), CHECK, ("gives 0.0 for seat 0: expected a team's number, a whole number",), "team=lambda"),
    Told("out and asked", ((GAME, "    seats=(2, SEATS)", "    out=lambda state, seat: seat == 1 and state.heap < 5,\n    seats=(2, SEATS)"),), CHECK, ("`play` sets state.mover to 1, a seat that is out: `out` says so",), "def play"),
    Told("in again", ((GAME, "    seats=(2, SEATS)", "    out=lambda state, seat: seat != state.mover,\n    seats=(2, SEATS)"),), CHECK, ("says that seat 1 takes part again: who is out stays out",), "out=lambda"),
    Told("half out", ((GAME, "    seats=(2, SEATS)", "    out=lambda state, seat: 0.5,\n    seats=(2, SEATS)"),), CHECK, ("gives 0.5 for seat 0: expected True or False",), "out=lambda"),
    Told("out of what", ((GAME, "    seats=(2, SEATS)", "    out=lambda state: False,\n    seats=(2, SEATS)"),), CHECK, ("takes (state): expected 2 parameters, as `out` has",), "out=lambda"),
    Told("seat in a view", ((GAME, "view.seats = state.seats", "view.seats = state.mover"),), CHECK, ("`observe` writes another view.seats where all seats are turned by one: expected places, not numbers of seats, own side first, then that of seat_after(state.mover, 1, seats)",), "def observe"),
    Told("first seat loses", ((GAME, "and last else 0", "and last and seat > 0 else 0"),), ("check", "./plain", "--games", "60"), ("note: `points` lets seat 0 win none of 60 random games, and the others ",), "def points", code=(0,)),
)  # fmt: skip


TOGETHER = (
    Told("each its own", ((GAME, "    return state.score", "    return state.score + seat"),), CHECK, ("`points` gives seat 0 ", "all have the same points in a game with aim='together'"), "def points"),
    Told("nothing", ((GAME, "    return state.score", "    return 0"),), CHECK, ("note: `points` gives 0 in all of 30 random games: no player plays better than another",), "def points", code=(0,)),
    Told("too many", ((GAME, '    aim="together"', '    most_points=1,\n    aim="together"'),), CHECK, ("`points` gives 3: the game says that most_points is 1",), "def points"),
    Told("aim", ((GAME, '    aim="together"', '    aim="us"'),), CHECK, ("expected one of 'against', 'together' as `aim`, not 'us'",), "game = Game("),
    Told("counts", ((GAME, '    aim="together"', '    counts="win",\n    aim="together"'),), CHECK, ("expected one of 'wins', 'places', 'points' as `counts`, not 'win'",), "game = Game("),
    Told("view", ((GAME, "state.taken[seat_after(state.mover, place, state.seats)]", "state.taken[place]"),), CHECK, ("`observe` writes another view.taken where all seats are turned by one",), "def observe"),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("told", TOGETHER, ids=lambda told: told.id)
def test_a_mistake_of_a_game_played_together_is_one_line(
    told: Told, own_modules: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.chdir(stranger("plain_together", "plain", own_modules))
    assert_told(told, Path.cwd(), monkeypatch, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("told", MISTAKES, ids=lambda told: told.id)
def test_a_mistake_of_seats_is_one_line(
    told: Told, own_modules: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.chdir(stranger("plain_tables", "plain", own_modules))
    assert_told(told, Path.cwd(), monkeypatch, capsys)


@pytest.mark.slow
@pytest.mark.compiled
def test_the_first_games_are_those_of_the_chosen_table(
    own_modules: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A law that is right for two is told at three, before it runs compiled; --debug tells it too."""
    folder = stranger("plain_tables", "plain", own_modules)
    monkeypatch.chdir(folder)
    law = folder / "plain" / GAME
    law.write_text(law.read_text().replace(NEXT, "state.mover = (state.mover + 1) % 2 if state.seats == 2 else 3"))
    match = ("match", "hand", "first", "--game", "./plain", "--deals", "5")
    assert run(monkeypatch, capsys, *match)[0] == 0
    code, printed = run(monkeypatch, capsys, *match, "--option", "seats=3")
    assert code in (1, 2)
    debugged = run_rulebots(folder, *match, "--option", "seats=3", "--debug")
    for text in (printed, debugged.stdout + debugged.stderr):
        assert "`play` sets state.mover to 3: expected one of [0, 1, 2], the seat to decide" in text
        assert "Traceback" not in text


@pytest.mark.slow
def test_a_view_of_a_card_game_that_goes_by_numbers_of_seats_is_told(
    own_modules: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.chdir(stranger("tricks_of_three", "plain", own_modules))
    right = "view.tricks[place] = state.tricks[seat_after(state.mover, place, SEATS)]"
    edit = (GAME, right, "view.tricks[place] = state.tricks[place]")
    told = Told("", (edit,), (*CHECK, "--games", "9"), ("`observe` writes another view.tricks where",), "def observe")
    assert_told(told, Path.cwd(), monkeypatch, capsys)


@pytest.mark.slow
def test_a_view_with_the_number_of_a_seat_is_told_where_only_the_course_says_that_it_is_one(
    own_modules: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.chdir(stranger("tricks_of_three", "plain", own_modules))
    edit = (GAME, "view.led = state.led", "view.led = state.taker")
    told = Told("", (edit,), (*CHECK, "--games", "9"), ("`observe` writes another view.led where",), "def observe")
    assert_told(told, Path.cwd(), monkeypatch, capsys)


@kernel
def observe_by_numbers(state: Any, view: Any) -> None:
    observe(state, view)
    for seat in range(state.seats):
        view.won[seat] = state.won[seat]


@kernel
def observe_who_has_bid(state: Any, view: Any) -> None:
    observe(state, view)
    view.turn = state.mover


observe = goofspiel.observe


@pytest.mark.slow
@pytest.mark.parametrize(("body", "field"), [(observe_by_numbers, "won"), (observe_who_has_bid, "turn")])
def test_where_the_law_does_not_treat_all_seats_alike_it_is_a_note(body: Any, field: str) -> None:
    """Each round of Goofspiel begins with seat 0, so that the number of a seat says how many have bid before it."""
    found, states = Findings(), sample_states(goofspiel.game, 8, 64)
    check_places(goofspiel.game, states, found)
    assert not found
    check_places(replace(goofspiel.game, observe=body), states, found)
    (finding,) = found
    assert finding.note
    assert f"note: `{body.__name__}` writes another view.{field} where all seats are turned by one" in finding.message
    assert "it may be meant, as this law does not treat all seats alike" in finding.message


PAIRS = np.dtype([("mover", np.int32), ("heap", np.int32), ("won", np.int32, (2,))])
SEEN = np.dtype([("luck", np.int64), ("heap", np.int32), ("won", np.int32, (2,))])


def pairs(observe_: Any) -> Game:
    """A game for two pairs who sit across: whoever leaves a multiple of four scores for its pair."""

    @kernel
    def heap(state, deal, options):
        state.heap = 17

    @kernel
    def counters(state, out):
        out[0], out[1] = 0, 1
        return 2

    @kernel
    def take(state, move):
        state.heap -= move + 1
        state.won[state.mover % 2] += state.heap % 4 == 0
        state.mover = (state.mover + 1) % 4

    @kernel
    def low(state):
        return state.heap < 2

    @kernel
    def of_the_pair(state, seat):
        return state.won[seat % 2]

    parts = {"state": PAIRS, "view": SEEN, "seats": 4, "move_count": 2, "ply_cap": 30, "setup": heap}
    parts |= {"kinds": (Kind("take", {"take": 1.0}),), "moves": counters, "play": take, "over": low, "hidden": False}
    parts["team"] = lambda state, seat: seat % 2
    return Game(name="pairs", title="Pairs", points=of_the_pair, observe=observe_, text=goofspiel.game.text, **parts)


@kernel
def own_pair_first(state, view):
    view.heap = state.heap
    view.won[0], view.won[1] = state.won[state.mover % 2], state.won[1 - state.mover % 2]


@kernel
def pairs_by_number(state, view):
    view.heap = state.heap
    view.won[0], view.won[1] = state.won[0], state.won[1]


def test_a_view_that_goes_by_the_numbers_of_teams_is_told() -> None:
    found = Findings()
    check_places(pairs(own_pair_first), sample_states(pairs(own_pair_first), 8, 64), found)
    assert not found
    check_places(pairs(pairs_by_number), sample_states(pairs(pairs_by_number), 8, 64), found)
    (finding,) = found
    assert not finding.note
    assert "`pairs_by_number` writes another view.won where all seats are turned by one" in finding.message


ROWS = np.dtype([("mover", np.int32), ("plies", np.int32), ("top", np.int32, (4,)), ("won", np.int32, (4,))])
ROWS_SEEN = np.dtype([("luck", np.int64), ("plies", np.int32), ("top", np.int32, (4,)), ("won", np.int32, (4,))])


@kernel
def show_rows(state, view):
    view.plies = state.plies
    view.top[:] = state.top
    for place in range(4):
        view.won[place] = state.won[(state.mover + place) % 4]


@kernel
def show_rows_by_numbers(state, view):
    show_rows(state, view)
    view.won[:] = state.won


def four_rows(observe_: Any) -> Game:
    """A game for four with four rows, which are not the seats': one takes the highest or the lowest row."""

    @kernel
    def lay_out(state, deal, options):
        state.top[:] = deal

    @kernel
    def ends(state, out):
        out[0], out[1] = 0, 1
        return 2

    @kernel
    def take(state, move):
        row = state.top.argmin() if move == 0 else state.top.argmax()
        state.won[state.mover] += state.top[row] % 3
        state.top[row] = state.top.max() + 1 if move == 0 else state.top.min() - 1
        state.plies += 1
        state.mover = (state.mover + 1) % 4

    @kernel
    def full(state):
        return state.plies == 12

    @kernel
    def taken(state, seat):
        return state.won[seat]

    def orders(rng, count, options):
        return rng.permuted(np.tile(np.arange(4), (count, 1)), axis=1)

    parts = {"state": ROWS, "view": ROWS_SEEN, "seats": 4, "move_count": 2, "ply_cap": 30, "setup": lay_out}
    parts |= {"kinds": (Kind("take", {"take": 1.0}),), "moves": ends, "play": take, "over": full, "hidden": False}
    parts["draw_deals"] = orders
    return Game(name="rows", title="Rows", points=taken, observe=observe_, text=goofspiel.game.text, **parts)


def test_a_field_of_as_many_rows_as_seats_is_not_taken_for_one_by_seat() -> None:
    found = Findings()
    check_places(four_rows(show_rows), sample_states(four_rows(show_rows), 8, 64), found)
    assert not found
    check_places(four_rows(show_rows_by_numbers), sample_states(four_rows(show_rows_by_numbers), 8, 64), found)
    (finding,) = found
    assert not finding.note
    assert "`show_rows_by_numbers` writes another view.won where all seats are turned by one" in finding.message


@kernel
def by_half(move: int) -> int:
    return 1 if move > 2 else 0


@rule("habit", early=1.0)
def always(view: Any, card: int) -> float:
    """Of a high card: one."""
    return 1.0


@rule("loud", early=1.0)
def shouts(view: Any, card: int) -> float:
    """A large number."""
    return 5000.0 + card


@rule("bid", early=1.0)
def low(view: Any, card: int) -> float:
    """Its number, in hundreds."""
    return card / 100


cards = goofspiel.game


def said_of(first: dict[str, float], second: dict[str, float], *rules: Rule) -> list[str]:
    """What `check` says of rules of a game whose low and high cards mix the groups in these ways."""
    game = replace(cards, kinds=(Kind("low", first), Kind("high", second)), kind=by_half)
    asked = check_rules(RuleSet("own", game, rules), 12)
    return [str(finding).partition("note: ")[2] for finding in asked]


def test_a_constant_rule_of_one_of_two_kinds_of_moves_is_the_threshold_between_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert said_of({"bid": 1.0}, {"bid": 1.0, "habit": 1.0}, low, always) == []
    assert said_of({"bid": 1.0, "habit": 2.0}, {"bid": 1.0, "habit": 1.0}, low, always) == []
    (line,) = said_of({"bid": 1.0, "habit": 1.0}, {"bid": 1.0, "habit": 1.0}, low, always)
    assert line.startswith("`always` gives 1 in all of ")
    assert line.endswith(": it decides nothing")


def test_a_large_rule_hides_those_that_judge_moves_of_the_same_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    (line,) = said_of({"bid": 1.0}, {"loud": 1.0}, low, shouts)
    assert line.startswith("`shouts` gives up to ")
    assert said_of({"bid": 1.0}, {"bid": 1.0}, low) == []


@kernel
def play_past_the_second(state: Any, move: int) -> None:
    play(state, move)
    if state.mover == 1:
        state.mover = 2


@kernel
def play_past_it_once(state: Any, move: int) -> None:
    play(state, move)
    if state.mover == 1 and state.turn == 1 and state.seats > 2:
        state.mover = 2


play = goofspiel.play


def test_only_a_seat_that_never_decides_is_a_mistake() -> None:
    """Who sits out a round and moves again is not out."""
    assert check_games(replace(goofspiel.game, play=play_past_it_once), 3).mistakes == []
    trial = Trial(replace(goofspiel.game, play=play_past_the_second))
    for seed in range(3):
        trial.play(seed, goofspiel.game.option_values({"seats": 3}))
    with pytest.raises(CodeError, match=r"`play_past_the_second` never lets seat 1 of 3 decide in 3 random games"):
        trial.check_movers(fewest=3)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_points_of_all_together_are_checked_at_every_call(seats: int, own_modules: Path) -> None:
    folder = stranger("plain_together", "plain", own_modules)
    together = replace(load_game(str(folder / "plain")), most_points=4)
    law = checked_game(together)
    state = law.new_state()
    options = together.option_values({"seats": seats})
    law.setup(state, together.deal(np.random.default_rng(1), 1, options)[0], options)
    state.score = 4
    assert [law.points(state, seat) for seat in range(seats)] == [4] * seats
    state.score = 5
    with pytest.raises(CodeError, match="`points` gives 5: the game says that most_points is 4"):
        law.points(state, seats - 1)


def gone_for_good(state: Any, seat: int) -> bool:
    state.plies += 1
    return bool(state.count[seat] == 0)


def test_who_is_out_may_only_be_read() -> None:
    (mistake,) = check_games(replace(standing.game, out=gone_for_good), 2).mistakes
    assert "`gone_for_good` changes state.plies: it may only read it" in str(mistake)
