"""Names of players that search by rollouts, with settings."""

from __future__ import annotations

import pytest

from rulebots.errors import UsageError
from rulebots.kernel.fingerprint import fingerprint
from rulebots.players.names import make_player
from rulebots.registry import load_game
from rulebots.search.rollout import RolloutPlayer

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
        ("rollout:seconds=1,guide=risk", "expected the name of a rule player as the guide, not 'risk'"),
        ("rollout:seconds=1,opponents=risk", "expected the name of a rule player as an opponent, not 'risk'"),
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
