"""The search by rollouts as a player: sound decisions, the same for the same seed, and never with what is hidden.

----

Names of players that search by rollouts, with settings.
"""

from __future__ import annotations

import itertools
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.kernel.fingerprint import fingerprint
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.match import play_match
from rulebots.players import Needs, Player, RulePlayer
from rulebots.search.rollout import RolloutPlayer, RolloutSearch, RolloutSettings, search, sequential_halving

FEW = RolloutSettings(simulations=60)


def played(game: Game, by: Player, plies: int, seed: int) -> Position:
    """A position of a game of one player against itself."""
    position = Position(game, seed=seed)
    while position.plies < plies:
        position.push(position.drawn(seed) if position.chance_to_move else by.decide(position))
    return position


def hidden_otherwise(position: Position, luck: int) -> Position:
    """The same position for its mover, with the same past, but other hidden cards."""
    other = position.copy()
    assert position.game.redeal is not None
    position.game.redeal(other.state, luck)
    return other


@pytest.mark.slow
@pytest.mark.interpreted
def test_what_is_hidden_never_changes_a_decision(tricks: Game, hand: RulePlayer) -> None:
    player, different = RolloutPlayer(hand, FEW), 0
    for seed in range(1, 7):
        position = played(tricks, hand, seed % 3, seed)
        found = RolloutSearch(hand, FEW).run(position)
        for luck in (3, 77, 12345):
            other = hidden_otherwise(position, luck)
            different += other.state.tobytes() != position.state.tobytes()
            assert player.decide(other) == found.move
            again = player.result
            assert again is not None
            assert again.rows() == found.rows()
    assert different > 6


@pytest.mark.compiled
def test_what_is_hidden_never_changes_a_decision_at_lost_cities(lost_cities: Game) -> None:
    guide = make_player("shelly", lost_cities)
    assert isinstance(guide, RulePlayer)
    search, rollouts = RolloutSearch(guide, RolloutSettings(simulations=100)), 0
    for plies in range(8, 20):
        position = played(lost_cities, guide, plies, 4)
        found = search.run(position).rows()
        rollouts += sum(row["rollouts"] for row in found)
        other = hidden_otherwise(position, 99)
        assert other.state.tobytes() != position.state.tobytes()
        assert repr(search.run(other).rows()) == repr(found)  # what nothing was rolled out for has no share: NaN
    assert rollouts > 200


@pytest.mark.slow
def test_the_same_seed_gives_the_same_games(tricks: Game, hand: RulePlayer) -> None:
    one, other = (play_match(RolloutPlayer(hand, FEW), hand, 4, 5) for _ in range(2))
    assert one.summary() == other.summary()
    position = played(tricks, hand, 2, 3)
    search = RolloutSearch(hand, FEW)
    first, again, another = (search.run(position, seed) for seed in (1, 1, 2))
    assert first.rows() == again.rows() != another.rows()


@pytest.mark.slow
def test_a_budget_of_rollouts_is_kept(tricks: Game, hand: RulePlayer) -> None:
    position = played(tricks, hand, 0, 1)
    for simulations in (1, 2, 9, 60):
        result = RolloutSearch(hand, RolloutSettings(simulations=simulations, candidates=4)).run(position)
        assert result.simulations <= simulations
        assert result.rollouts.sum() == result.simulations
        assert sorted(result.moves.tolist()) == sorted(position.legal_moves.tolist())
        assert (result.rollouts <= result.rollouts[result.moves.tolist().index(result.guide)]).all()


@pytest.mark.slow
def test_a_gate_that_nothing_passes_leaves_the_guide_alone(tricks: Game, hand: RulePlayer) -> None:
    strict = RolloutPlayer(hand, RolloutSettings(simulations=40, gate=100.0))
    result = play_match(strict, hand, 6, 2)
    assert result.win_rate == 0.5
    assert result.wins == result.losses


def test_time_is_a_budget_too(tricks: Game, hand: RulePlayer) -> None:
    search = RolloutSearch(hand, RolloutSettings(seconds=0.05))
    result = search.run(played(tricks, hand, 0, 1))
    assert result.simulations > 0
    assert result.seconds >= 0.0


def test_seconds_beside_a_number_of_rollouts_change_nothing_unless_they_end_it(
    tricks: Game, hand: RulePlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same game gets the same review on a busy machine: the slices of a search do not depend on its pace."""
    found = list[list[int]]()
    for pace in (0.001, 0.2):
        clock = SimpleNamespace(perf_counter=partial(next, itertools.count(0.0, pace)))
        for module in (search, sequential_halving):
            monkeypatch.setattr(module, "time", clock)
        limited = RolloutSearch(hand, RolloutSettings(simulations=600, seconds=100.0))
        found.append(limited.run(played(tricks, hand, 0, 1)).rollouts.tolist())
    assert found[0] == found[1]
    assert sum(found[0]) > 500


def test_a_forced_move_costs_nothing(tricks: Game, hand: RulePlayer) -> None:
    position = played(tricks, hand, 7, 1)
    result = RolloutSearch(hand, FEW).run(position)
    assert (result.move, result.simulations) == (position.legal_moves[0], 0)
    assert np.isnan(result.wins).all()


def test_dice_are_searched_too(pig: Game) -> None:
    guide = make_player("hand", pig)
    assert isinstance(guide, RulePlayer)
    position = Position(pig, {"goal": 10, "sides": 4}, luck=[3, 4])
    position.state.scores, position.state.total = (0, 0), 10
    # Holding wins at once; a guide that would rather roll on is overruled.
    bold = RulePlayer(guide.rules, -guide.weights, "bold")
    result = RolloutSearch(bold, RolloutSettings(simulations=200)).run(position)
    assert position.write(result.move) == "hold"
    assert result.wins[0] == 1.0


def test_without_the_past_it_goes_by_redeals_alone(tricks: Game, hand: RulePlayer) -> None:
    position = played(tricks, hand, 3, 2)
    known = RolloutSearch(hand, FEW).run(position)
    state = Position.of(tricks, position.state, position.luck, position.plies)
    unknown = RolloutSearch(hand, FEW).run(state)
    assert known.worlds > 0
    assert known.models.size > 1
    assert (unknown.worlds, unknown.models.size) == (0, 0)
    assert unknown.simulations > 0


def test_it_refuses_what_it_cannot_search(tricks: Game, hand: RulePlayer) -> None:
    open_game = load_game("kalah")
    guide = make_player("champion", open_game)
    assert isinstance(guide, RulePlayer)
    with pytest.raises(UsageError, match="rollout: Kalah hides nothing and throws no dice: choose mcts or minimax"):
        RolloutSearch(guide, FEW)
    finished = played(tricks, hand, 8, 1)
    with pytest.raises(UsageError, match="the game is over: there is nothing to search"):
        RolloutSearch(hand, FEW).run(finished)


def test_it_is_given_determinizations_only() -> None:
    assert RolloutPlayer.needs is Needs.REDEALT


lost_cities = load_game("lost-cities")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rollout", "rollout: expected a limit, such as rollout:seconds=1 or rollout:simulations=1000"),
        ("rollout:gate=1", "rollout: expected a limit"),
        ("rollout:simulations=0", "rollout: simulations: expected a whole number from 1 to 1,000,000,000, not 0"),
        ("rollout:seconds=0", "rollout: seconds: expected a number from 0.001 to 1,000,000, not 0.0"),
        ("rollout:seconds=1,candidates=1", "rollout: candidates: expected a whole number from 2 to 1,000, not 1"),
        ("rollout:seconds=1,gate=-1", "rollout: gate: expected a number from 0 to 100, not -1.0"),
        ("rollout:seconds=1,belief=maybe", "expected yes or no for 'belief', not 'maybe'"),
        ("rollout:second=1", "no setting 'second' of rollout; did you mean 'seconds'?"),
        ("rollout:seconds=1,guide=nobody", "no player 'nobody' of lost-cities"),
        ("rollout:seconds=1,guide=risk", "name of a rule player as the guide, such as hand_tuned, not 'risk'"),
        (
            "rollout:seconds=1,opponents=risk",
            "name of a rule player as an opponent, such as hand_tuned, not 'risk'",
        ),
        ("rollout:seconds=1,opponents=shelly+nobody", "no player 'nobody' of lost-cities"),
        ("rollout:seconds=1,opponents=shelly+", "no player '' of lost-cities"),
        ("rollout:seconds=1,belief=no,opponents=shelly", "nothing tells which of the opponents it is: belief=no"),
    ],
)
def test_a_wrong_name_is_answered_in_one_line(spec: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        make_player(spec, lost_cities)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_champion_guides_by_default() -> None:
    usual, named = (make_player(f"rollout:simulations=9{more}", lost_cities) for more in ("", ",guide=champion"))
    assert isinstance(usual, RolloutPlayer)
    assert usual.search.guide.name == "champion"
    assert fingerprint(usual) == fingerprint(named)


def test_settings_take_part_in_what_it_is() -> None:
    names = ("rollout:simulations=9", "rollout:simulations=8", "rollout:simulations=9,guide=shelly")
    assert len({fingerprint(make_player(name, lost_cities)) for name in names}) == len(names)
