"""Games of a person's own, as Python classes: each is a game like any other."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import small_games
from live_suite import assert_first_class, games_of, players_of
from small_games import (
    GAMES,
    ChancePig,
    CopiedNim,
    FourPigs,
    Heap,
    Heaps,
    HighCard,
    Nim,
    Pig,
    Tower,
    by_text,
    keeps_low,
)

from evolve.run import Run
from evolve.settings import Settings
from evolve.workers.processes import workers_of
from rulebots import Position, RulePlayer, RuleSet, load_game, make_player, play_match, rule
from rulebots.errors import UsageError
from rulebots.game.live_loading import as_game
from rulebots.game.text import read_number
from rulebots.kernel.user_code import CodeError
from rulebots.live import LiveGame
from rulebots.packages.rule_sets import load_rules
from rulebots.play.deals import draw_deals
from rulebots.players.explaining import explain
from rulebots.records import play_recorded, steps
from rulebots.search.rollout.player import RolloutPlayer
from rulebots.search.rollout.search import RolloutSettings

PLACE = Path(small_games.__file__)


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_a_class_is_a_game_like_any(kind: type[LiveGame]) -> None:
    game = load_game(f"{PLACE}:{kind.__name__}")
    assert game is as_game(kind)
    assert_first_class(RuleSet("mine", game, (by_text,)), deals=3)


def test_what_a_class_says_is_what_its_game_is() -> None:
    games = {kind: as_game(kind) for kind in GAMES}
    assert games[FourPigs].seats == 4
    assert games[Tower].seats == 1
    assert [len(draw_deals(games[kind], 1, 1).cards[0]) for kind in (Pig, CopiedNim, HighCard)] == [1, 0, 1]
    assert games[CopiedNim].name == "copied-nim"


@pytest.mark.parametrize("kind", [CopiedNim, Pig, ChancePig], ids=lambda kind: kind.__name__)
def test_a_tree_search_plays_it(kind: type[LiveGame]) -> None:
    game = as_game(kind)
    result = play_match(make_player("mcts:iterations=8", game), make_player("random", game), deals=1)
    assert result.games == 2


def test_rollouts_play_what_can_be_dealt_again() -> None:
    rules = RuleSet("mine", HighCard, (keeps_low,))
    guide = RulePlayer(rules, rules.hand_tuned())
    result = play_match(RolloutPlayer(guide, RolloutSettings(simulations=8)), guide, deals=1)
    assert result.games == 2


def test_all_rules_look_at_the_same_object_after_a_move() -> None:
    """Outside matches too, where each rule is asked by itself: the object is made once."""
    seen: dict[str, list[Heap]] = {"first": [], "second": []}

    def first(g: Heap, move: int, after: Heap) -> float:
        """Looks."""
        seen["first"].append(after)
        return after.left

    def second(g: Heap, move: int, after: Heap) -> float:
        """Looks too."""
        seen["second"].append(after)
        return -after.left

    rules = RuleSet("looking", CopiedNim, (rule("move", early=1.0)(first), rule("move", early=2.0)(second)))
    explain(RulePlayer(rules, rules.hand_tuned()), Position(rules.game))
    assert seen["first"]
    assert set(map(id, seen["first"])) == set(map(id, seen["second"]))


def test_rules_are_not_asked_where_there_is_no_choice() -> None:
    left: list[int] = []

    def asked(g: Heap, move: int) -> float:
        """Notes the heap."""
        left.append(g.left)
        return -move

    rules = RuleSet("asked", CopiedNim, (rule("move", early=1.0)(asked),))
    play_match(RulePlayer(rules, rules.hand_tuned()), make_player("random", rules.game), deals=5)
    assert 2 in left
    assert 1 not in left


def test_a_plain_function_says_how_late_it_is() -> None:
    def spent(g: Heap) -> float:
        """From 0 to 1."""
        return 1 - g.left / 11

    def much(g: Heap, move: int) -> float:
        """What it takes."""
        return move

    rules = RuleSet("late", CopiedNim, (rule("move", early=1.0, late=12.0)(much),), progress=spent)
    player = RulePlayer(rules, rules.hand_tuned())
    position = Position(rules.game)
    begun = explain(player, position).blended.tolist()
    position.play(0)
    assert [*begun, *explain(player, position).blended] == pytest.approx([1.0, 2.0])

    def forgetful() -> float:
        """Takes nothing."""
        return 0.5

    with pytest.raises(UsageError, match=r"`forgetful` takes \(\) .*: expected 1 parameter"):
        RuleSet("wrong", CopiedNim, rules.rules, progress=forgetful)


def test_objects_made_alike_are_one_game() -> None:
    """Here, and in another process, which makes one with the same arguments."""
    small, large = as_game(Heaps(5)), as_game(Heaps(7))
    assert small is as_game(Heaps(5))
    assert small is not large
    assert small.identity() != large.identity()
    assert pickle.loads(pickle.dumps(large)) is large  # noqa: S301 - it was made here


def test_what_has_no_text_is_shown_by_what_it_holds() -> None:
    position = Position(as_game(CopiedNim), seed=1)
    assert position.text() == "|" * 11
    assert Position(as_game(Nim), seed=1).text() == "left: 11\nturn: 0\nwinner: None"


def test_games_do_not_depend_on_other_games() -> None:
    """Not on those before, nor on those of the same deals with other players."""
    rules = RuleSet("mine", Pig, (by_text,))
    _, first = games_of(players_of(rules), seed=5)
    games_of(players_of(RuleSet("mine", FourPigs, (by_text,))), seed=5)
    games_of(players_of(rules), seed=6)
    _, again = games_of(players_of(rules), seed=5)
    assert first == again


def test_odds_are_those_of_the_class() -> None:
    position = Position(as_game(ChancePig), seed=1)
    position.play(0)
    outcomes, odds = position.outcomes
    assert outcomes.tolist() == [0, 1, 2, 3, 4, 5]
    assert odds.tolist() == pytest.approx([2 / 7, *[1 / 7] * 5])


def settings_of(game: str, rules: str) -> Settings:
    return Settings.of(
        game=f"{PLACE}:{game}", rules=f"{PLACE}:{rules}", generations=2, population=4, deals=1, opponent_deals=2,
        runoff_deals=4, verdict_deals=8, held_out_deals=4,
    )  # fmt: skip


def bred(run: Run) -> list[list[list[float]]]:
    return [finalist.tolist() for finalist in run.breed().finalists]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "rules"), [("CopiedNim", "nim_rules"), ("HighCard", "card_rules")])
def test_it_is_bred(game: str, rules: str) -> None:
    """To the same champion with any number of threads, and where the run stopped in between."""
    settings = settings_of(game, rules)
    first = bred(Run(settings))
    assert bred(Run(settings, jobs=2)) == first
    stopped = Run(settings)
    next(stopped.generations())
    assert bred(Run(settings, state=stopped.state())) == first


@pytest.mark.slow
def test_processes_breed_the_same() -> None:
    settings = settings_of("HighCard", "card_rules")
    with workers_of("loky", 2) as workers:
        assert bred(Run(settings, workers=workers)) == bred(Run(settings))


ONE_FILE = """
from rulebots import RuleSet, rule
from rulebots.live import LiveGame
from small_games import CopiedNim


class TwoFiles(CopiedNim):
    pass


@rule("move", early=2.0)
def much(g, move):
    "It takes much."
    return len(str(move))


mine = RuleSet("mine", TwoFiles, (much,))
"""


def test_a_rule_set_brings_the_game_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "two_files.py").write_text(ONE_FILE, "utf-8")
    settings = Settings.of(rules=f"{tmp_path}/two_files.py:mine", opponents=("hand-tuned",), generations=1)
    run = Run(settings)
    assert load_game("two-files") is run.game
    assert settings.game == f"{tmp_path}/two_files.py:TwoFiles", "another process finds it too"
    assert run.opponents[0].weights.tolist() == run.rules.hand_tuned().tolist() == [[2.0], [2.0]]
    assert [*run.references] == ["hand-tuned", "random"]
    assert run.former is run.hand_tuned


def test_naming_a_rule_set_brings_the_game_of_its_file(tmp_path: Path) -> None:
    """Then a population file finds it, and nobody has to name it as well."""
    (tmp_path / "own_file.py").write_text(ONE_FILE.replace("TwoFiles", "OwnFile"), "utf-8")
    rules = load_rules(f"{tmp_path}/own_file.py:mine")
    assert load_game("own-file") is rules.game


def test_moves_that_lead_to_another_game_say_so() -> None:
    game = as_game(small_games.Nim())
    state = game.new_state()
    game.setup.function(state, np.zeros(0, np.int64), None)
    state.over = True
    with pytest.raises(CodeError, match="`play` leads to another game with the same moves: a rule changes"):
        game.play.function(state, 0)


def test_what_a_person_types_is_the_text_of_a_move_and_never_its_number() -> None:
    """Where moves are called by numbers, those in files are other ones."""
    position = Position(as_game(Nim), seed=1)
    assert [*map(position.write, position.legal_moves.tolist())] == ["1", "2", "3"]
    assert [*map(position.legal_move, ("1", "2", " 3 "))] == [0, 1, 2]
    for text in ("0", "4"):
        with pytest.raises(UsageError, match=rf"expected a move, such as 1, 2, 3, not '{text}'"):
            position.legal_move(text)
    position.push("3")
    assert position.text() == "left: 8\nturn: 1\nwinner: None"
    assert position.to_text() == "/ 2"
    assert Position.from_text(position.game, "/ 2").text() == position.text()
    with pytest.raises(UsageError, match=r"ply 2, '3': '3' is not a legal move here"):
        Position.from_text(position.game, "/ 2 3")
    words = Position(as_game(CopiedNim), seed=1)
    with pytest.raises(UsageError, match="expected a move, such as take 1 of 11, take 2 of 11, take 3 of 11, not '2'"):
        words.read("2")


def test_records_have_the_numbers_of_moves() -> None:
    player = make_player("random", load_game(f"{PLACE}:Nim"))
    record = play_recorded(player, player, 1, 1, opening_plies=0)[1]
    for one in record.games:
        assert [position for position, _ in steps(one)][-1].points == one.result.points
        assert {move for row in one.rows for move in row.moves} <= {"0", "1", "2"}


def test_a_compiled_game_means_what_it_shows() -> None:
    """Even where its `read` was forgotten, which `rulebots check` says."""
    game = load_game("kalah")
    text = replace(game.text, write=lambda move: str(move + 1), read=read_number)
    position = Position(replace(game, text=text), seed=1)
    assert [position.read(text) for text in ("1", "2", "6")] == [0, 1, 5]
