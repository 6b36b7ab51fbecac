"""Every game of OpenSpiel plays by the same laws as a game of this package; a varied dozen in each run of the tests."""

from __future__ import annotations

import importlib
import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel
import pytest
from joblib.externals.loky import get_reusable_executor
from page_client import serving, settled

from evolve import Run, Settings
from evolve.analysis.report import RestrictedPlayer
from evolve.workers.processes import workers_of
from rulebots import RuleSet, UsageError, load_game, make_player, play_match, rule
from rulebots.checking.live import check_objects
from rulebots.cli import main as cli
from rulebots.game import Game, Moves, View
from rulebots.game.position import Position
from rulebots.live import openspiel
from rulebots.live.openspiel import Observation
from rulebots.packages import package_of
from rulebots.packages.players import player_from
from rulebots.players import CompiledPlayer, Player, PlayerFault, RandomPlayer, RulePlayer
from rulebots.players.explaining import explain
from rulebots.records import check, parse_record, play_recorded, record_text
from rulebots.rules import Rule

MEAN_FIELD = pyspiel.GameType.Dynamics.MEAN_FIELD
#: What plays, with parameters that keep it short, in each run of the tests.
SAMPLE = (
    "tic_tac_toe", "connect_four(rows=4,columns=4,x_in_row=3)", "backgammon", "kuhn_poker(players=10)",
    "leduc_poker(players=3)",
    "hearts", "tiny_hanabi", "goofspiel(num_cards=4)", "phantom_ttt", "pig(winscore=15)", "skat", "catch", "matrix_rps",
)  # fmt: skip
#: Parameters for all the others that need some, or that would take minutes.
PARAMETERS = {
    "2048": "max_tile=64",
    "bridge": "use_double_dummy_result=false",
    "chinese_checkers": "players=2,max_moves=60",
    "misere": "game=tic_tac_toe()",
    "cached_tree": "game=kuhn_poker()",
    "turn_based_simultaneous_game": "game=matrix_pd()",
    "zerosum": "game=kuhn_poker()",
    "start_at": "game=tic_tac_toe(),history=4;0",
    "repeated_game": "stage_game=matrix_pd(),num_repetitions=3",
    "restricted_nash_response": "game=kuhn_poker()",
    "add_noise": "game=kuhn_poker(),epsilon=0.1,seed=1",
    "normal_form_extensive_game": "game=kuhn_poker()",
    "coop_to_1p": "game=tiny_hanabi()",
    "go": "board_size=5",
    "laser_tag": "horizon=20",
    "markov_soccer": "horizon=20",
    "capture_the_flag": "horizon=20",
    "pathfinding": "horizon=20",
    "coop_box_pushing": "horizon=20",
}
#: What there is no playing, and the line that says why.
REFUSED = {
    "bridge_uncontested_bidding": "draws its chance by itself",
    "chat_game": "gives 8 moves",
    "crossword": "its moves have no numbers",
    "efg_game": "cannot load it",
    "negotiation": "draws its chance by itself",
    "nfg_game": "cannot load it",
    "repeated_poker": "cannot load it",
    "stones_and_gems": "draws its chance by itself",
    "tarok": "draws its chance by itself",
}


@rule("move", early=0.3)
def high_numbers(position: Any, move: int) -> float:
    """Moves of a high number."""
    return float(move % 7)


@rule("move", early=-0.2)
def many_replies(position: Any, moves: Any) -> npt.NDArray[np.float64]:
    """What is seen decides a little."""
    text = position.text if isinstance(position, Observation) else str(position)
    return np.array([(len(text) + move) % 3 for move in moves], float)


RULES: tuple[Rule, ...] = (high_numbers, many_replies)


class Asked(Player):
    """A player that is asked for each move, and chooses as another one does."""

    def __init__(self, other: CompiledPlayer) -> None:
        super().__init__(other.game, f"asked-{other.name}")
        self.other = other

    def choose(self, view: View, moves: Moves) -> int:
        return self.other.choose(view, moves)


def all_names() -> list[str]:
    importlib.import_module("open_spiel.python.games")
    return [*pyspiel.registered_names()]


def spec_of(name: str) -> str:
    return f"{name}({PARAMETERS[name]})" if name in PARAMETERS else name


def players_of(game: Game) -> tuple[CompiledPlayer, CompiledPlayer]:
    rules = RuleSet("two", game, RULES)
    return RulePlayer(rules, rules.hand_tuned(), "mine"), RandomPlayer(game)


def conform(spec: str, deals: int = 2) -> None:
    """All that is asked of a live game."""
    game = openspiel(spec)
    mine, chance = players_of(game)
    played, record = play_recorded(mine, chance, deals, seed=3)
    # One by one, in another number of threads, from a record: the same games.
    for first, second, jobs in ((Asked(mine), chance, 1), (Asked(mine), Asked(chance), 1), (mine, chance, 2)):
        again, other = play_recorded(first, second, deals, seed=3, jobs=jobs)
        assert again.points == played.points
        assert [one.rows for one in other.games] == [one.rows for one in record.games]
    text = record_text(record)
    assert [*check(parse_record(text))] == [*parse_record(text).games]
    assert record_text(parse_record(text)) == text
    walk(game)


def walk(game: Game) -> None:
    """A game, position by position: texts, copies, odds and redeals."""
    position = Position(game, seed=5)
    chance = np.random.default_rng(5)
    while not position.over and position.plies < 60:
        legal = position.legal_moves
        twin = position.copy()
        for move in legal[:20].tolist():
            assert position.read(game.text.write_in(position.state, move)) == move  # type: ignore[misc]
        move = int(chance.choice(legal))
        if position.chance_to_move:
            assert position.outcomes[1].sum() == pytest.approx(1)
        elif game.redeal is not None:
            seen = game.live.source.sees(game.live.at(position.state).g, position.mover).text
            redealt = position.redealt(7)
            assert redealt.legal_moves.tolist() == legal.tolist()
            assert game.live.source.sees(game.live.at(redealt.state).g, position.mover).text == seen
            redealt.push(move)
        twin.push(move)
        assert position.legal_moves.tolist() == legal.tolist()
        assert twin.plies == position.plies + 1
        position.push(move)
        assert twin.state == position.state
        assert str(twin) == str(position)


@pytest.mark.parametrize("spec", SAMPLE)
def test_a_game_of_openspiel_conforms(spec: str) -> None:
    conform(spec)


@pytest.mark.slow
@pytest.mark.parametrize("name", all_names())
def test_every_game_of_openspiel_conforms_or_says_what_it_lacks(name: str) -> None:
    mean_field = {kind.short_name: kind.dynamics for kind in pyspiel.registered_games()}[name] == MEAN_FIELD
    if mean_field or name in REFUSED:
        with pytest.raises(UsageError, match=REFUSED.get(name, "a mean field game")):
            conform(name)
        return
    conform(spec_of(name), 1)


def test_openspiels_bots_play_its_own_games() -> None:
    for name, spec in (
        ("connect_four", "openspiel:mcts:simulations=60"),
        ("python_tic_tac_toe", "openspiel:mcts:simulations=30"),
        ("gin_rummy", "openspiel:simple_gin_rummy"),
    ):
        game = openspiel(name)
        one, again = (play_match(make_player(spec, game), RandomPlayer(game), 1, jobs=jobs) for jobs in (1, 2))
        assert one.win_rate >= 0.5
        assert one.points == again.points


def test_a_bot_for_another_game_is_one_line() -> None:
    with pytest.raises(UsageError, match="searches positions, but Gin Rummy hides cards"):
        make_player("openspiel:mcts", openspiel("gin_rummy"))
    with pytest.raises(UsageError, match="expected openspiel:mcts"):
        make_player("openspiel:simple_gin_rummy", openspiel("connect_four"))


def test_what_openspiel_refuses_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match=r"^openspiel:liars_dice\(players=8\): OpenSpiel cannot load it: .*= 2$"):
        openspiel("liars_dice(players=8)")
    assert capfd.readouterr().err == ""


def test_a_rule_set_of_another_game_says_how_that_is_named() -> None:
    mine = players_of(openspiel("connect_four"))[0].rules
    with pytest.raises(UsageError, match=r"choose another player, or --game openspiel:connect_four$"):
        player_from(mine, load_game("kalah"), "mine", "mine")


def test_what_a_game_lacks_is_said_of_the_game() -> None:
    (note,) = check_objects(openspiel("goofspiel(num_cards=3)"))
    assert str(note).startswith(
        "openspiel:goofspiel(num_cards=3): note: what is hidden cannot be dealt again (`resample`)"
    )


def test_people_see_names_of_moves() -> None:
    game = openspiel("tic_tac_toe")
    mine, _ = players_of(game)
    position = Position(game)
    explained = explain(mine, position)
    assert explained.write(explained.chosen) == position.write(explained.chosen) == "x(2,0)"
    position.push("x(1,1)")
    assert position.write(0) == "o(0,0)"
    assert position.history()[0].move == 4
    with pytest.raises(PlayerFault, match=re.escape("legal moves are 0 (o(0,0)), 1 (o(0,1))")):
        Wrong(game, "wrong").decide(position)


class Wrong(Player):
    """Gives no legal move."""

    def choose(self, view: View, moves: Moves) -> int:
        return -5


def test_people_read_what_a_game_is_not_how_its_class_is_called() -> None:
    assert package_of(openspiel("breakthrough")).about == ("Breakthrough as OpenSpiel has it.", ())


def test_names_that_are_numbers_or_alike_are_told_apart() -> None:
    position = Position(openspiel("dou_dizhu"), seed=5)
    names = [position.write(move) for move in position.legal_moves.tolist()]
    assert not any(name.isdecimal() for name in names)
    assert len({*names}) == len(names)


def test_an_observation_is_read_before_the_game_goes_on() -> None:
    game = openspiel("kuhn_poker")
    state = game.live.source.new(1)
    state.apply_action(0)
    state.apply_action(1)
    read, unread = Observation(state, 0), Observation(state, 0)
    assert read.text == "0"
    state.apply_action(0)
    assert read.text == "0"
    with pytest.raises(UsageError, match="before the game went on"):
        _ = unread.text


def test_fractions_are_thousandths() -> None:
    assert {name: openspiel(name).live.source.points_of_one for name in ("skat", "deep_sea", "kuhn_poker")} == {
        "skat": 1000, "deep_sea": 1000, "kuhn_poker": 1,
    }  # fmt: skip


def test_a_rule_set_may_choose_in_its_own_way() -> None:
    game = openspiel("tic_tac_toe")
    rules = RuleSet("two", game, RULES)
    player = RestrictedPlayer(rules, rules.hand_tuned(), [0, 4], "restricted")
    fast, slow = (play_recorded(one, RandomPlayer(game), 3, opening_plies=0)[1] for one in (player, Asked(player)))
    assert [one.rows for one in fast.games] == [one.rows for one in slow.games]
    firsts = {one.rows[0].moves[0] for one in fast.games if one.begins == 0}
    assert not firsts & {"0", "4"}


def test_the_page_shows_names_of_moves(tmp_path: Path) -> None:
    load_game("openspiel:tic_tac_toe")
    with serving(tmp_path) as site:
        assert "openspiel:tic_tac_toe" in site.get("/").text
        address = site.post("/new/openspiel:tic_tac_toe", {"player1": "you", "player2": "random"}).headers["location"]
        page = settled(site, address)
        assert "x(1,1)" in page.text
        site.post(f"{address}/type", {"text": "x(1,1)"})
        after = settled(site, address).text
        assert ">You play x(1,1)</a>" in after
        assert ">Random plays o(" in after


def test_seeds_decide_where_chance_does() -> None:
    game = openspiel("pig(winscore=15)")
    mine, chance = players_of(game)
    one, other = (play_recorded(mine, chance, 3, seed=seed)[1] for seed in (1, 2))
    assert [game.rows for game in one.games] != [game.rows for game in other.games]


def test_names_of_files_are_portable() -> None:
    assert openspiel("breakthrough(rows=6,columns=6)").file_name == "openspiel_breakthrough_rows_6_columns_6"


@pytest.mark.slow
def test_runs_in_processes_and_resumed_runs_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    Path("rules_of_kuhn_poker.py").write_text(THEIRS)
    rules = importlib.import_module("rules_of_kuhn_poker").mine
    settings = Settings.of("ga", game=rules.game.name, generations=2, population=4, deals=1, opponents=("random",))
    run = Run(settings, rules=rules)
    states = list[Any]()
    whole = run.breed(lambda _: states.append(json.loads(json.dumps(run.state()))))
    resumed = Run(settings, rules=rules, state=states[0]).breed()
    get_reusable_executor().shutdown(wait=True)  # processes that other tests left know no module of this one
    with workers_of("loky", 2) as workers:
        there = Run(settings, rules=rules, workers=workers).breed()
    weights = [[one.tolist() for one in outcome.finalists] for outcome in (whole, resumed, there)]
    assert weights[0] == weights[1] == weights[2]


#: A user's file of rules.
THEIRS = '''
from rulebots import RuleSet, rule
from rulebots.live import openspiel

@rule("move", early=0.5)
def high(position, move):
    """Moves of a high number."""
    return float(move % 7)

mine = RuleSet("mine", openspiel("kuhn_poker"), (high,))
'''


def test_a_person_plays_by_names(rulebots: Command) -> None:
    shown = rulebots("play openspiel:connect_four --against random --seed 3", "moves\nx3\nx9\nquit\n")
    assert "7 legal moves:\nx0  x1  x2" in shown
    assert "You play x3" in shown
    assert re.search(r"random plays o\d", shown)
    assert "expected a move, such as x0, x1, x2" in shown


Command = Callable[..., str]


@pytest.fixture
def rulebots(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """A command line; gives what it printed."""
    monkeypatch.chdir(tmp_path)

    def called(words: str, typed: str = "") -> str:
        monkeypatch.setattr(sys, "argv", ["rulebots", *words.split()])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        cli.main()
        return "".join(capsys.readouterr())

    return called


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("match random random --game openspiel:kuhn_poker --deals 2", "random against random (2) at Kuhn Poker"),
        ("match minimax:depth=1 random --game openspiel:tic_tac_toe --deals 1", "minimax:depth=1 against random"),
        ("match mcts:iterations=5 random --game openspiel:tic_tac_toe --deals 1", "mcts:iterations=5 against random"),
        ("match mcts:power=1 random --game openspiel:kuhn_poker", "searches positions, but Kuhn Poker hides cards"),
        (
            "match rollout:simulations=5 random --game openspiel:leduc_poker",
            "no player of openspiel:leduc_poker is made",
        ),
        ("tournament random random --game openspiel:kuhn_poker --deals 1", "Kuhn Poker: round-robin"),
        ("match random random --game openspiel:conect_four", "did you mean 'connect_four'?"),
        ("match random random --game openspiel:tarok", "from no seed, so no game of it could be played again"),
        ("match random random --game openspiel:misere", "some games need parameters: openspiel:misere(name=value)"),
    ],
)
def test_a_command_plays_or_says_what_the_game_lacks(words: str, said: str, rulebots: Command) -> None:
    shown = rulebots(words)
    assert said in shown
    assert "Traceback" not in shown


def test_a_recorded_game_is_shown_by_names(rulebots: Command) -> None:
    rulebots("match random random --game openspiel:kuhn_poker --deals 1 --record games.txt")
    shown = rulebots("replay games.txt 1")
    assert "Chance brings Deal:" in shown
    assert re.search(r"seat 0: random plays (Pass|Bet)", shown)


def test_a_redeal_follows_from_its_random_state() -> None:
    position = Position(openspiel("kuhn_poker"), seed=2)
    while position.chance_to_move:
        position.push(position.drawn(5))
    own = str(position).split()[0]
    redealt = [str(position.redealt(state)) for state in range(1, 20)]
    assert redealt == [str(position.redealt(state)) for state in range(1, 20)]
    assert {cards.split()[0] for cards in redealt} == {own}
    assert len({*redealt}) == 2  # either of the other two cards
