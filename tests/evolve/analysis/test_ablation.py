"""What a rule is worth: measured on the same deals, with honest intervals, and pruned as a whole."""

from __future__ import annotations

import numpy as np
import pytest

from evolve.analysis.ablation import (
    HARMFUL,
    ITSELF,
    NEEDED,
    SAFE,
    UNDECIDED,
    Loss,
    Measurement,
    ablate,
    field_of,
    paired_interval,
    prunings,
    used,
    without,
)
from rulebots.game import Game
from rulebots.kernel import compiling
from rulebots.packages import load_game, package_of
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import load_rules
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_match
from rulebots.players import RandomPlayer, RulePlayer

DEALS = 60 if compiling() else 10


SMALL = {"size": 3}


@pytest.fixture(scope="module")
def circles() -> Game:
    return load_game("circles")


@pytest.fixture(scope="module")
def player(circles: Game) -> RulePlayer:
    rules = load_rules(game=circles)
    return RulePlayer(rules, rules.hand_tuned(), "hand")


def test_strong_players_decide_what_a_rule_is_worth_and_no_weak_one(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("tictactoe")
    rules = load_rules(game=game)
    bred = RulePlayer(rules, 2 * rules.hand_tuned(), "bred")
    assert field_of(bred) == ["standard", "champion"]
    assert field_of(RulePlayer(rules, make_player("champion", game).weights)) == ["standard"]
    assert field_of(RulePlayer(rules, make_player("standard", game).weights)) == ["champion"]
    assert field_of(make_player("shelly", load_game("lost-cities"))) == ["champion"]
    monkeypatch.setitem(vars(package_of(game)), "references", ("careful", "random"))
    monkeypatch.setitem(vars(package_of(game)), "baselines", ("careful", "random"))
    assert field_of(bred) == ["champion"], "a hand-tuned player that is weak is left out"


@pytest.mark.slow
def test_the_loss_is_the_difference_of_the_win_rates_on_the_same_deals(circles: Game, player: RulePlayer) -> None:
    deals, random = draw_deals(circles, DEALS, 3, options=SMALL), RandomPlayer(circles)
    measurement = Measurement(player, [("random", random)], deals)
    columns = used(player.weights)[:2]
    rest = without(player.weights, columns)
    loss = measurement.loss(rest)
    assert not rest[:, columns].any()
    intact = play_match(player, random, DEALS, 3, options=SMALL).win_rate
    poorer = RulePlayer(player.rules, rest)
    assert loss.against["random"] == pytest.approx(
        intact - play_match(poorer, random, DEALS, 3, options=SMALL).win_rate
    )
    assert loss.against[ITSELF] == pytest.approx(0.5 - play_match(poorer, player, DEALS, 3, options=SMALL).win_rate)
    assert loss.mean == pytest.approx(np.mean([loss.against["random"], loss.against[ITSELF]]))
    assert loss.low <= loss.mean <= loss.high


@pytest.mark.slow
def test_a_player_loses_nothing_to_itself(player: RulePlayer, circles: Game) -> None:
    loss = Measurement(player, [], draw_deals(circles, 4, 1, options=SMALL)).loss(player.weights)
    assert loss.mean == 0
    assert (loss.low, loss.high, loss.verdict) == (-1, 1, UNDECIDED)
    more = Measurement(player, [], draw_deals(circles, 30, 1, options=SMALL), tolerance=0.99).loss(player.weights)
    assert more.mean == 0
    assert more.verdict == SAFE
    assert more.distinct_deals == 30
    assert more.high == -more.low == pytest.approx(1 - 0.025 ** (1 / 30))


@pytest.mark.slow
def test_deals_that_both_players_play_alike_are_copies(player: RulePlayer, circles: Game) -> None:
    deals = draw_deals(circles, 40, 1, options=SMALL, opening_plies=0)
    loss = Measurement(player, [], deals).loss(player.weights)
    assert (loss.distinct_deals, loss.low, loss.high, loss.verdict) == (1, -1, 1, UNDECIDED)


def test_every_rule_that_weighs_anything_is_left_out_once(player: RulePlayer, circles: Game) -> None:
    *before, losses = ablate(Measurement(player, [], draw_deals(circles, 3, 2, options=SMALL)))
    assert sorted(losses) == used(player.weights)
    assert [len(some) for some in before] == list(range(1, len(losses)))
    means = [loss.mean for loss in losses.values()]
    assert means == sorted(means, reverse=True)


def test_where_no_deal_makes_a_difference_the_interval_says_how_often_one_still_might() -> None:
    low, high = paired_interval(np.zeros(300))
    assert high == -low == pytest.approx(1 - 0.025 ** (1 / 300))
    assert paired_interval(np.zeros(300), 30.0)[1] == pytest.approx(1 - 0.025 ** (1 / 30))
    reach = 1 - 0.025 ** (1 / 300)
    assert paired_interval(np.full(300, 0.5)) == pytest.approx((0.5 - 1.5 * reach, 0.5 + 0.5 * reach))


def test_intervals_that_hold_together_are_wider(player: RulePlayer, circles: Game) -> None:
    """Of 20 rules of which none matters, one would else be needed beyond doubt now and then."""
    deals = draw_deals(circles, 30, 2, options=SMALL)
    weights = without(player.weights, used(player.weights)[:1])
    alone, among = (Measurement(player, [], deals, of_several=n).loss(weights) for n in (1, 20))
    assert among.mean == alone.mean
    assert among.low < alone.low < alone.high < among.high
    assert paired_interval(np.zeros(300), confidence=0.99)[1] == pytest.approx(1 - 0.005 ** (1 / 300))


def test_copies_of_deals_leave_the_interval_as_it_was() -> None:
    differences = np.random.default_rng(3).choice([-0.5, 0.0, 0.25, 1.0], 40)
    assert paired_interval(np.tile(differences, 50), 40.0) == pytest.approx(paired_interval(differences))
    assert paired_interval(np.tile(differences[:9], 50), 9.0) == (-1, 1)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-0.03, -0.001, HARMFUL),
        (-0.03, 0.009, SAFE),
        (0.001, 0.01, SAFE),
        (-0.001, 0.011, UNDECIDED),
        (-0.2, 0.2, UNDECIDED),
        (0.001, 0.011, NEEDED),
        (0.1, 0.2, NEEDED),
    ],
)
def test_a_rule_is_safe_to_delete_only_where_no_loss_that_matters_is_left(low, high, verdict) -> None:
    loss = Loss((low + high) / 2, low, high, {}, 1000)
    assert loss.verdict == verdict
    assert loss.may_go == (verdict in (SAFE, HARMFUL))


def test_few_deals_may_all_miss_a_loss_that_matters() -> None:
    assert Loss(-0.006, -0.019, 0.007, {}, 20).verdict == UNDECIDED
    assert Loss(-0.006, -0.019, 0.007, {}, 300).verdict == SAFE


@pytest.mark.slow
def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(2000):
        low, high = paired_interval(rng.choice([-0.5, 0.0, 0.0, 0.25, 1.0], 200))
        covered += low <= 0.15 <= high
    assert 0.935 <= covered / 2000 <= 0.965


class Told:
    """A measurement whose losses are known: a rule costs what is written, all together `together` more."""

    def __init__(self, player: RulePlayer, costs: list[float], together: float, half: float = 0.01) -> None:
        self.intact, self.costs, self.together, self.half = player, costs, together, half

    def loss(self, weights) -> Loss:
        gone = [c for c in range(len(self.costs)) if not weights[:, c].any()]
        mean = sum(self.costs[c] for c in gone) + self.together * (len(gone) > 2)
        return Loss(mean, mean - self.half, mean + self.half, {}, 1000)


def test_pruning_deletes_what_is_not_missed_together(player: RulePlayer) -> None:
    weights = np.ones_like(player.weights)
    intact = RulePlayer(player.rules, weights)
    count = len(player.rules.rules)
    costs = [0.1] * (count - 4) + [0.0, 0.001, -0.02, 0.002]
    told = Told(intact, costs, together=0.5)
    losses = {c: told.loss(without(weights, [c])) for c in np.argsort(costs)[::-1].tolist()}
    tried: list[int] = []
    found = list(prunings(lambda number: tried.append(number) or told, losses))
    assert tried == [1, 2]
    assert [len(columns) for columns, _ in found] == [4, 2]
    assert [loss.verdict for _, loss in found] == [NEEDED, HARMFUL]
    assert found[-1][0] == [count - 2, count - 4], "the most harmless rules go"


def test_pruning_deletes_nothing_where_the_deals_show_too_little(player: RulePlayer) -> None:
    intact = RulePlayer(player.rules, np.ones_like(player.weights))
    told = Told(intact, [0.0] * len(player.rules.rules), together=0.0, half=0.05)
    losses = {c: told.loss(without(intact.weights, [c])) for c in range(4)}
    found = list(prunings(lambda _: told, losses))
    assert [len(columns) for columns, _ in found] == [4, 2, 1]
    assert not any(loss.may_go for _, loss in found)
