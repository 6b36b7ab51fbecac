"""Where the values and priors of a tree search come from, and what noise, temperature and virtual loss do."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from rulebots.errors import UsageError
from rulebots.game import load_game, records
from rulebots.kernel import compiling
from rulebots.play.deals import draw_deals
from rulebots.players import RandomPlayer, RulePlayer
from rulebots.players.names import make_player
from rulebots.position import Position, law_of
from rulebots.rules import RuleSet, rule
from rulebots.search.exact.accuracy import accuracy
from rulebots.search.mcts.backpropagation import backpropagate_batch_kernel
from rulebots.search.mcts.policies import policy_arrays, policy_kernel
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.selection import puct, ranked_children, sample_child
from rulebots.search.mcts.settings import SearchSettings
from rulebots.search.mcts.simulation import new_workspace, select_kernel
from rulebots.search.mcts.tree import LOST, ROOT, expand, new_tree

GAME = load_game("tictactoe")
SIMULATIONS = 400 if compiling() else 60


@rule("put", early=1.0)
def far(view: Any, point: int) -> float:
    """How large the number of the point is."""
    return point / 100


@rule("put", early=0.5)
def even(view: Any, point: int) -> bool:
    """The number of the point is even."""
    return point % 2 == 0


RULES = RuleSet("written", GAME, (far, even))
FAR = RulePlayer(RULES, RULES.hand_tuned(), "far")


def start() -> Any:
    state, deals = GAME.new_state(), draw_deals(GAME, 1, 1)
    GAME.setup(state, deals.cards[0], deals.options)
    return state


def legal(state: Any) -> list[int]:
    moves = np.zeros(GAME.move_count, np.int64)
    return moves[: GAME.moves(state, moves)].tolist()


def after(state: Any, *moves: int) -> Any:
    later = records(GAME.state, 1)
    later[0] = state
    for move in moves:
        GAME.play(later[0], move)
    return later[0]


def test_a_rule_players_scores_become_chances_by_a_softmax() -> None:
    moves, probabilities = np.array(legal(start()), np.int64), np.zeros(GAME.move_count)
    guide = policy_arrays(GAME, RULES, FAR.weights, 0.5)
    policy_kernel(GAME, RULES)(start(), moves, len(moves), 1, guide, probabilities)
    scores = moves / 100 + 0.5 * (moves % 2 == 0)
    expected = np.exp(scores / 0.5)
    np.testing.assert_allclose(probabilities[: len(moves)], expected / expected.sum())
    policy_kernel(GAME, None)(start(), moves, len(moves), 1, guide, probabilities)
    np.testing.assert_allclose(probabilities[: len(moves)], 1 / 9)


def test_only_the_ratios_of_a_guides_weights_matter() -> None:
    larger = RulePlayer(RULES, 1000 * RULES.hand_tuned())
    scaled, plain = (policy_arrays(GAME, RULES, player.weights, 0.1) for player in (larger, FAR))
    np.testing.assert_allclose(scaled.inverse_temperature * scaled.weights, plain.inverse_temperature * plain.weights)


def test_guided_playouts_go_as_the_player_goes() -> None:
    """With a hard softmax every playout is the game that the player plays against itself."""
    settings = SearchSettings(iterations=9, softness=0.001)
    result = Search(GAME, settings, rollout=FAR).run(start(), 1)
    assert result.visits.tolist() == [1] * 9
    for move, value in zip(result.moves.tolist(), result.values, strict=True):
        state = after(start(), move)
        while not GAME.over(state):
            state = after(state, max(legal(state), key=lambda point: point / 100 + 0.5 * (point % 2 == 0)))
        assert value == GAME.points(state, 0) - GAME.points(state, 1)


def test_priors_draw_simulations() -> None:
    settings = SearchSettings(iterations=SIMULATIONS, softness=0.05, c=20.0)
    result = Search(GAME, settings, rollout=FAR, prior=FAR).run(start(), 1)
    scores = result.moves / 100 + 0.5 * (result.moves % 2 == 0)
    assert result.moves[result.visits.argmax()] == result.moves[scores.argmax()]
    assert result.visits[scores.argmax()] > SIMULATIONS / 3


def opened(settings: SearchSettings, seed: int = 1) -> npt.NDArray[np.float64]:
    """The priors of the root's children after a search."""
    search = Search(GAME, settings, rollout=FAR, prior=FAR)
    search.run(start(), seed)
    tree = search._tree
    return tree.prior[tree.first_child[ROOT] : tree.first_child[ROOT] + tree.child_count[ROOT]].astype(np.float64)


def test_noise_is_mixed_into_the_priors_of_the_root_by_its_weight() -> None:
    plain = opened(SearchSettings(iterations=3, softness=1.0))
    assert plain.sum() == pytest.approx(1)
    noisy = opened(SearchSettings(iterations=3, softness=1.0, noise=0.25, alpha=0.3))
    drawn = (noisy - 0.75 * plain) / 0.25
    assert drawn.sum() == pytest.approx(1, abs=1e-5)
    assert (drawn >= -1e-6).all()
    assert drawn.max() > 0.2
    assert opened(SearchSettings(iterations=3, softness=1.0, noise=0.25, alpha=0.3)).tolist() == noisy.tolist()
    assert opened(SearchSettings(iterations=3, softness=1.0, noise=0.25, alpha=0.3), seed=2).tolist() != noisy.tolist()
    smooth = opened(SearchSettings(iterations=3, softness=1.0, noise=1.0, alpha=1000.0))
    np.testing.assert_allclose(smooth, 1 / 9, atol=0.03)


def test_temperature_draws_the_move_by_visits_and_0_takes_the_most_visited() -> None:
    tree, moves = new_tree(100), np.array(legal(start()), np.int64)
    expand(tree, ROOT, moves, 9, np.ones(9))
    children = np.arange(1, 10)
    tree.visits[children] = [0, 10, 20, 0, 40, 0, 0, 30, 500]
    tree.proven[9] = LOST  # for seat 0, who chooses here

    def shares(temperature: float) -> list[float]:
        rng = np.random.default_rng(1)
        order = ranked_children(tree, ROOT)
        chosen = [sample_child(tree, ROOT, order, temperature, rng) for _ in range(2000)]
        return [chosen.count(child) / 2000 for child in children]

    assert shares(0.0) == [0, 0, 0, 0, 1, 0, 0, 0, 0]
    np.testing.assert_allclose(shares(1.0), [0, 0.1, 0.2, 0, 0.4, 0, 0, 0.3, 0], atol=0.04)
    np.testing.assert_allclose(shares(0.5), np.array([0, 1, 4, 0, 16, 0, 0, 9, 0]) / 30, atol=0.04)
    assert shares(0.02)[4] > 0.99


def test_the_temperature_of_a_search_is_used() -> None:
    settings = SearchSettings(iterations=20, temperature=5.0, select="puct", softness=1.0)
    search = Search(GAME, settings, rollout=FAR, prior=FAR)
    found = [search.run(start(), seed) for seed in range(10)]
    assert any(result.move != result.moves[0] for result in found)
    assert found[3].move == search.run(start(), 3).move


@pytest.mark.parametrize(("loss", "leaves"), [(1.0, 9), (0.0, 1)])
def test_virtual_loss_sends_the_leaves_of_a_batch_apart(loss: float, leaves: int) -> None:
    """Children of which one looks better than all others: without virtual loss all would wait for that one."""
    tree, workspace, moves = new_tree(1000), new_workspace(GAME, 12), np.array(legal(start()), np.int64)
    workspace.root[0] = start()
    priors = np.full(9, 0.05)
    priors[0] = 0.6
    expand(tree, ROOT, moves, 9, priors)
    tree.visits[ROOT] = 1
    waiting, made, _ = select_kernel(GAME, puct)(tree, workspace, 100, 0.001, loss, 1)
    assert waiting == made == leaves
    chosen = workspace.paths[:waiting, 1]
    assert len(set(chosen.tolist())) == leaves
    assert tree.visits[ROOT] == 1 + leaves
    assert tree.value_sum[chosen].tolist() == [-loss] * leaves
    workspace.values[:waiting] = 0.5
    backpropagate_batch_kernel(GAME)(tree, workspace, waiting, loss)
    assert tree.visits[chosen].tolist() == [1] * leaves
    assert tree.value_sum[chosen].tolist() == [0.5] * leaves
    assert tree.value_sum[ROOT] == 0.5 * leaves


class Teacher:
    """An evaluator that thinks that a position is good for whoever has the centre, and remembers its batches."""

    def __init__(self) -> None:
        self.centre = GAME.read("1,1", start())
        self.sizes: list[int] = []

    def __call__(self, states: Any) -> tuple[Any, Any]:
        self.sizes.append(len(states))
        owners = states["board"][:, self.centre]
        values = np.where(owners == 0, 0.0, np.where(owners == states["mover"] + 1, 0.9, -0.9))
        return values, np.ones((len(states), GAME.move_count))


def test_a_python_evaluator_is_asked_about_batches_of_positions() -> None:
    teacher = Teacher()
    result = Search(GAME, SearchSettings(iterations=100, batch=5), evaluator=teacher).run(start(), 1)
    assert result.simulations == 100
    assert result.move == teacher.centre
    assert result.value > 0.5
    assert max(teacher.sizes) == 5
    assert np.mean(teacher.sizes) > 2
    again = Search(GAME, SearchSettings(iterations=100, batch=5), evaluator=Teacher()).run(start(), 1)
    assert again.visits.tolist() == result.visits.tolist()


def test_no_position_waits_twice_and_none_that_is_over_is_asked_about() -> None:
    def evaluator(states: Any) -> tuple[Any, None]:
        assert len({state.tobytes() for state in states}) == len(states)
        assert not any(law_of(GAME).over(state) for state in states)
        states["board"] = 1  # what it is given is its own
        return np.zeros(len(states)), None

    late = after(start(), *[GAME.read(text, start()) for text in ("0,0", "1,1", "0,1", "0,2", "2,0")])
    assert Search(GAME, SearchSettings(iterations=300), evaluator=evaluator).run(late, 1).proven.any()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (([0.0, 0.0], None), r"expected values of shape \(1,\) from -1 to 1, not shape \(2,\)"),
        (np.zeros(1), r"expected a pair \(values, priors\), not ndarray"),
        (None, "expected a pair .*, not NoneType"),
        (([1.5], None), "from 1.5 to 1.5"),
        (([np.nan], None), "from nan"),
        (([0.0], np.ones((1, 3))), r"expected priors of shape \(1, \d+\), finite and not negative, not shape \(1, 3\)"),
        (([0.0], np.full((1, GAME.move_count), -1.0)), "from -1"),
    ],
    ids=str,
)
def test_an_evaluator_that_answers_amiss_is_told_so(answer: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Search(GAME, SearchSettings(iterations=10), evaluator=lambda states: answer).run(start(), 1)


def test_after_an_evaluators_error_the_search_begins_anew() -> None:
    teacher, broken = Teacher(), [False]

    def evaluator(states: Any) -> tuple[Any, Any]:
        if broken[0]:
            raise KeyError("model")
        return teacher(states)

    search = Search(GAME, SearchSettings(iterations=50), evaluator=evaluator)
    first = search.run(start(), 1)
    broken[0] = True
    with pytest.raises(KeyError, match="model"):
        search.run(after(start(), *first.line[:2]), 1)
    broken[0] = False
    assert search.run(start(), 1).visits.tolist() == first.visits.tolist()


def test_what_does_not_go_together_is_said_in_one_line() -> None:
    other = RuleSet("other", GAME, (far,))
    stranger = RulePlayer(other, other.hand_tuned(), "stranger")
    with pytest.raises(
        UsageError, match="need players of the same rule set, but 'far' belongs to 'written' and 'stranger' to 'other'"
    ):
        Search(GAME, SearchSettings(iterations=1), rollout=FAR, prior=stranger)
    with pytest.raises(UsageError, match="UCT does not use priors"):
        Search(GAME, SearchSettings(iterations=1, select="uct"), prior=FAR)
    with pytest.raises(UsageError, match="an evaluator gives values and priors"):
        Search(GAME, SearchSettings(iterations=1), prior=FAR, evaluator=Teacher())
    with pytest.raises(UsageError, match="'far' plays tictactoe, not circles"):
        Search(load_game("circles"), SearchSettings(iterations=1), prior=FAR)
    with pytest.raises(UsageError, match="Lost Cities hides cards"):
        Search(load_game("lost-cities"), SearchSettings(iterations=1))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts", "expected a limit, such as mcts:iterations=2000"),
        ("mcts:iterations=0", "mcts: iterations: expected a whole number from 1 to 1,000,000,000,000, not 0"),
        ("mcts:iterations=5,power=2", "expected 'iterations' or 'power', not both"),
        ("mcts:power=0", "mcts: power: expected a whole number from 1 to"),
        ("mcts:seconds=0", "mcts: seconds: expected a number from 0.001 to 1e"),
        ("mcts:iteration=5", "no setting 'iteration' of mcts; did you mean 'iterations'"),
        ("mcts:iterations=5,select=best", "mcts: select: expected uct or puct, not 'best'"),
        ("mcts:iterations=5,select=uct,noise=0.25", "noise changes priors, which UCT does not use"),
        ("mcts:iterations=5,rollout=nobody", "no player 'nobody'"),
        ("mcts:iterations=5,prior=random", "expected the name of a rule player, such as hand_tuned, not 'random'"),
    ],
)
def test_a_name_that_is_none_is_answered_in_one_line(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as raised:
        make_player(spec, GAME)
    assert "\n" not in str(raised.value)


def test_power_is_200_simulations() -> None:
    player = make_player("mcts:power=2", GAME)
    move = player.decide(Position.of(GAME, start(), [5, 5]))
    assert player.name == "mcts:power=2"
    assert player.result.simulations == 400  # type: ignore[attr-defined]
    assert move == player.result.move  # type: ignore[attr-defined]
    assert player.for_one_game().result is None  # type: ignore[attr-defined]
    assert not isinstance(player, RandomPlayer)


def named(spec: str, game: Any) -> tuple[SearchSettings, str | None, str | None]:
    """What a search of that name does: its settings, and who guides its playouts and priors."""
    settings, rollout, prior, _ = make_player(spec, game)._arguments  # type: ignore[attr-defined]  # that of an MctsPlayer
    return settings, rollout and rollout.name, prior and prior.name


def test_a_game_says_how_it_is_searched_unless_the_name_does() -> None:
    circles = load_game("circles")
    guided = SearchSettings(iterations=600, expand=0, solve=True)
    assert named("mcts:power=3", circles) == (guided, "hand_tuned", "hand_tuned")
    assert named("mcts:power=3,prior=champion,rollout=random", circles) == (guided, None, "champion")
    plain = "mcts:power=3,rollout=random,prior=none,expand=1,solve=no"
    assert named(plain, circles) == (SearchSettings(iterations=600, expand=1), None, None)
    assert named("mcts:power=3", GAME) == (SearchSettings(iterations=600), None, None)


@pytest.mark.skipif(not compiling(), reason="guided playouts take long interpreted")
def test_guided_search_keeps_wins_that_random_playouts_give_away() -> None:
    circles = load_game("circles")
    guided, plain = (
        accuracy(make_player(name, circles), {}, 40, 1).share
        for name in ("mcts:power=1", "mcts:power=1,rollout=random,prior=none")
    )
    assert guided > plain + 0.2
