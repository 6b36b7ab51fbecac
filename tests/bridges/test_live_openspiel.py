"""Every game of OpenSpiel plays by the same laws as a game of this package; a varied dozen in each run of the tests."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel
import pytest

from rulebots import RuleSet, UsageError, rule
from rulebots.game import Game, Moves, View
from rulebots.game.position import Position
from rulebots.live import openspiel
from rulebots.live.openspiel import Observation
from rulebots.players import CompiledPlayer, Player, RandomPlayer, RulePlayer
from rulebots.records import check, parse_record, play_recorded, record_text
from rulebots.rules import Rule

#: What plays, with parameters that keep it short, in each run of the tests.
SAMPLE = (
    "tic_tac_toe", "connect_four(rows=4,columns=4,x_in_row=3)", "backgammon", "kuhn_poker", "leduc_poker(players=3)",
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
    if name.startswith("mfg_") or name in REFUSED:
        with pytest.raises(UsageError, match=REFUSED.get(name, "a mean field game")):
            conform(name)
        return
    conform(spec_of(name), 1)
