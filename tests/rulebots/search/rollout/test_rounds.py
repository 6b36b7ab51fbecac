"""As whom the opponent may play: what its moves say of that, and who plays in the rollouts."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

from rulebots.errors import UsageError
from rulebots.game import Game, View
from rulebots.game.position import Position
from rulebots.kernel import interpreted
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.players import RulePlayer
from rulebots.rules import rule
from rulebots.search.rollout import RolloutPlayer, RolloutSearch, RolloutSettings
from rulebots.search.rollout.replaying import no_past
from rulebots.search.rollout.rounds import WON, Worlds
from rulebots.search.rollout.sequential_halving import CandidateRollouts

FEW = RolloutSettings(simulations=200)


def contrary(player: RulePlayer) -> RulePlayer:
    """A player that likes what the other one dislikes."""
    return RulePlayer(player.rules, -player.weights, "contrary")


def rule_player(name: str, game: Game) -> RulePlayer:
    player = make_player(name, game)
    assert isinstance(player, RulePlayer)
    return player


def known_to(spec: str, game: Game) -> list[str]:
    """As whom the opponent of this search may play."""
    player = make_player(spec, game)
    assert isinstance(player, RolloutPlayer)
    return [one.name for one in player.search.players]


@rule("play", early=1.0)
def in_words(view: View, card: int) -> bool:
    """Something that Numba does not understand."""
    return f"{card:03d}".endswith("0")


def won_by(players: list[RulePlayer], number: int, position: Position) -> float:
    """How often the guide's rollouts are won if the player of that number answers."""
    worlds = Worlds(np.zeros((0, 0), np.int64), np.zeros(1, np.int64), np.full(1, number), 0)
    race = CandidateRollouts(players, position, position.legal_moves[:1], worlds, no_past(position.game), 5)
    race.run(100)
    return float(race.tally.sums[WON].sum()) / 100


@pytest.mark.slow
def test_the_opponent_of_a_world_answers_there(tricks: Game, hand: RulePlayer) -> None:
    players = [hand, contrary(hand)]
    position = Position(tricks, seed=3).redealt(4)
    assert won_by(players, 1, position) > won_by(players, 0, position) + 0.1


@pytest.mark.slow
def test_players_of_other_rules_are_met_in_rollouts(tricks: Game, hand: RulePlayer) -> None:
    # The same rules and weights in a set of its own: other kernels, the same games.
    again = RulePlayer(hand.rules.extended("again", []), hand.weights, "again")
    assert again.style is not hand.style
    position = Position(tricks, seed=3).redealt(4)
    assert won_by([hand, again], 1, position) == won_by([hand, again], 0, position)


@pytest.mark.compiled
def test_at_lost_cities_the_opponent_is_recognised(lost_cities: Game) -> None:
    champion, shelly = (rule_player(name, lost_cities) for name in ("champion", "shelly"))
    search, found = RolloutSearch(champion, RolloutSettings(simulations=2000), [shelly]), np.zeros(2)
    for number, opponent in enumerate(search.players):
        for seed in (1, 2, 3):
            position = Position(lost_cities, seed=seed)
            while position.plies < 40:
                position.push((champion if position.mover == 0 else opponent).decide(position))
            result = search.run(position)
            found[number] += result.models[number].sum() / 3
            assert re.fullmatch(r"the opponent plays like (champion|shelly) \(\d+ % sure\)", result.effort[-1])
    assert found.min() > 0.7


@pytest.mark.compiled
def test_an_opponent_may_have_rules_that_numba_cannot_compile(tricks: Game, hand: RulePlayer) -> None:
    interpreted.cache_clear()
    rules = hand.rules.extended("worded", [in_words])
    worded = RulePlayer(rules, rules.hand_tuned(), "worded")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = RolloutSearch(hand, FEW, [worded]).run(Position(tricks, seed=3))
    assert result.simulations > 0
    ours = [str(one.message).split(":")[0] for one in caught if one.category is RuntimeWarning]
    assert ours == [f"{__name__}.in_words runs interpreted, which is slow"]


def test_the_reference_of_a_game_is_an_opponent_unless_it_guides() -> None:
    game = load_game("lost-cities")
    named = {
        "": ["champion", "shelly"],
        ",guide=shelly": ["shelly"],
        ",opponents=none": ["champion"],
        ",belief=no": ["champion"],
        ",opponents=sheppard+shelly": ["champion", "sheppard", "shelly"],
    }
    for more, names in named.items():
        assert known_to(f"rollout:simulations=9{more}", game) == names
    assert known_to("rollout:simulations=9", load_game("cant-stop")) == ["champion"]


def test_without_a_belief_nothing_tells_who_it_is(hand: RulePlayer) -> None:
    with pytest.raises(UsageError, match=r"nothing tells which of the opponents it is: belief=no; expected opponents="):
        RolloutSearch(hand, RolloutSettings(simulations=9, belief=False), [contrary(hand)])
    with pytest.raises(UsageError, match="rollout: expected opponents of tricks, not of cant-stop"):
        RolloutSearch(hand, FEW, [rule_player("standard", load_game("cant-stop"))])
    with pytest.raises(UsageError, match=r"cant-stop hides nothing, or has no `undeal`; expected opponents=none"):
        make_player("rollout:simulations=9,opponents=standard", load_game("cant-stop"))
