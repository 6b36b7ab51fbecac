"""Rollouts at any number of seats: all hidden hands are dealt again, and weighed by the moves of all others."""

from __future__ import annotations

from typing import Any

import goofspiel
import numpy as np
import pytest
from payoffs import POINTS, THROWN, clear, dealt, tree_game

from rulebots import play_match
from rulebots.errors import UsageError
from rulebots.game import UNKNOWN, Game, GameText, Kind
from rulebots.game.position import Position
from rulebots.game.random_numbers import rng_of
from rulebots.kernel import compiling, kernel
from rulebots.players import RulePlayer
from rulebots.rules import RuleSet, rule
from rulebots.search.rollout import RolloutPlayer, RolloutSearch, RolloutSettings, sequential_halving
from rulebots.search.rollout.belief import Believer, Models, past_of

CARDS, SEATS = 9, 4
STATE = np.dtype(
    [
        ("mover", np.int32),
        ("seats", np.int32),
        ("ply", np.int32),
        ("card", np.int32, (SEATS,)),
        ("said", np.int32, (SEATS,)),
        ("guess", np.int32),
    ]
)
VIEW = np.dtype([("luck", np.int64), ("card", np.int32), ("ply", np.int32), ("said", np.int32, (SEATS,))])


@kernel
def setup(state, deal, options):
    state.seats = options.seats
    for seat in range(state.seats):
        state.card[seat] = deal[seat]


@kernel
def moves(state, out):
    out[0], out[1] = 0, 1
    return 2


@kernel
def play(state, move):
    if state.ply < state.seats:
        state.said[state.mover] = move
    else:
        state.guess = move
    state.ply += 1
    state.mover = state.ply % state.seats


@kernel
def over(state):
    return state.ply > state.seats


@kernel
def points(state, seat):
    """Seat 0 guesses whether more of the others' cards are high than low."""
    high = 0
    for other in range(1, state.seats):
        high += 1 if 2 * state.card[other] >= CARDS else -1
    right = (high > 0) == (state.guess == 1)
    return int(right == (seat == 0))


@kernel
def observe(state, view):
    view.card, view.ply = state.card[state.mover], state.ply
    for k in range(state.seats):
        view.said[k] = state.said[(state.mover + k) % state.seats]


@kernel
def redeal(state, luck):
    # The cards that the mover has not, in any order.
    mine = state.card[state.mover]
    for seat in range(state.seats):
        if seat != state.mover:
            fresh = False
            while not fresh:
                luck = (luck * 1103515245 + 12345) % 4294967296
                luck = max(luck, 1)
                state.card[seat] = (luck >> 8) % CARDS
                fresh = state.card[seat] != mine
                for other in range(seat):
                    fresh = fresh and (other == state.mover or state.card[other] != state.card[seat])
    return luck


@kernel
def undeal(state, seats, moves, options, deal, luck):
    for seat in range(state.seats):
        deal[seat] = state.card[seat]
    n = int(state.seats)
    for card in range(CARDS):
        held = False
        for seat in range(state.seats):
            held = held or state.card[seat] == card
        if not held:
            deal[n] = card
            n += 1
    return luck


talk = Game(
    name="talk",
    title="Talk",
    state=STATE,
    view=VIEW,
    seats=(2, SEATS),
    move_count=2,
    ply_cap=SEATS + 1,
    kinds=(Kind("say", {"say": 1.0}),),
    setup=setup,
    moves=moves,
    play=play,
    over=over,
    points=points,
    observe=observe,
    draw_deals=lambda rng, count, options: rng.permuted(np.tile(np.arange(CARDS), (count, 1)), axis=1),
    hidden=True,
    redeal=redeal,
    undeal=undeal,
    told=lambda state, move, seat: move,
    text=GameText(
        show=lambda state, seat: f"said {state.said[: state.seats].tolist()}",
    ),
)


@rule("say", early=1.0)
def honest(view, move):
    """Say 1 with a high card, 0 with a low one."""
    return (2 * view.card >= CARDS) == (move == 1)


@rule("step", early=1.0)
def zero(view, move):
    """Always the first move."""
    return move == 0


TALKER = RulePlayer(rules := RuleSet("talkers", talk, (honest,)), rules.hand_tuned(), "talker")
FEW = RolloutSettings(simulations=400)


def zeros(game: Game) -> RulePlayer:
    rules = RuleSet("zeros", game, (zero,))
    return RulePlayer(rules, rules.hand_tuned(), "zeros")


def heard(seats: int, said: list[int]) -> Position:
    """Seat 0 is to guess, after the others have said that."""
    position = Position(talk, {"seats": seats}, np.array([4, 8, 0, 7, 1, 2, 3, 5, 6]))
    for move in [0, *said]:
        position.push(move)
    return position


@pytest.mark.parametrize(
    "said", [[1], [0, 1], *(pytest.param(said, marks=pytest.mark.slow) for said in ([0], [1, 1], [0, 0, 1], [1, 1, 1]))]
)
def test_a_belief_weighs_all_hands_by_the_moves_of_all_others(said: list[int]) -> None:
    position = heard(1 + len(said), said)
    past = past_of(position)
    assert past is not None
    belief = Believer([TALKER]).believe(position.redealt(5), past, 2000, np.inf, rng_of(3))
    assert belief is not None
    assert (belief.deals[:, 0] == 4).all()
    assert (np.sort(belief.deals, axis=1) == np.arange(CARDS)).all()
    assert belief.all_read, "what nobody holds is in no state: its order means nothing"
    high = (2 * belief.deals >= CARDS).mean(axis=0)
    for seat, move in enumerate(said, 1):
        assert abs(high[seat] - move) < 0.25, "as it said"


@pytest.mark.slow
def test_deals_go_on_where_a_world_brings_the_same_in_every_round(monkeypatch: pytest.MonkeyPatch) -> None:
    position, steps = heard(4, [1, 0, 1]), list[int]()
    past, vary = past_of(position), Models.vary

    def noting(models: Models, deals: Any, *rest: Any) -> int:
        steps.append(len(deals))
        return vary(models, deals, *rest)

    assert past is not None
    belief = Believer([TALKER]).believe(position.redealt(5), past, 200, np.inf, rng_of(3))
    assert belief is not None
    first, seen = belief.deals.copy(), list[Any]()
    for _ in range(30):
        belief.go_on()
        seen.append(belief.worlds.deals.copy())
    assert (belief.deals != first).any()
    high = (2 * np.concatenate(seen) >= CARDS).mean(axis=0)
    assert [round(share) for share in high[1:4]] == [1, 0, 1]
    monkeypatch.setattr(Models, "vary", noting)
    for end in ("HOPELESS", "DECIDED"):
        monkeypatch.setattr(sequential_halving, end, 1e9)
    few, many = (RolloutSearch(TALKER, RolloutSettings(simulations=n, gate=100)) for n in (40, 1000))
    few.run(position, seed=2)
    before = len(steps)
    many.run(position, seed=2)
    assert len(steps) - before > before, "a pass over the worlds is followed by steps of their chains"


def test_where_points_count_it_wants_to_be_ahead_of_the_best_other_or_points() -> None:
    """Move 0 brings seat 0 more points, move 1 the win."""
    payoffs = np.tile([[50, 60, 0]], (16, 1))
    payoffs[8:] = [40, 10, 39]
    position = dealt(THROWN, 3, payoffs)
    for ahead, move in ((True, 1), (False, 0)):
        result = RolloutSearch(zeros(THROWN), RolloutSettings(simulations=200, ahead=ahead)).run(position, seed=4)
        assert result.move == move
        assert result.wins[0] == (40 if ahead else 50), "points are shown in any case"


@pytest.mark.parametrize("seats", [2, 4])
def test_a_search_goes_by_what_it_was_told(seats: int) -> None:
    others = seats - 1
    for word in (0, 1):
        position = heard(seats, [word] * others)
        trusting = RolloutSearch(TALKER, FEW).run(position, seed=2)
        share = trusting.wins[trusting.moves.tolist().index(word)]
        assert share > 0.75
        assert trusting.worlds > 1
        blind = RolloutSearch(TALKER, RolloutSettings(simulations=400, belief=False)).run(position, seed=2)
        assert abs(blind.wins[blind.moves.tolist().index(word)] - 0.5) < 0.2
        assert blind.worlds == 0


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_a_rollout_plays_on_as_all_guides_do_and_returns_points(seats: int) -> None:
    """The guides always make move 0, and chance the third ply, so that two ends can follow each move."""
    position = clear(THROWN, seats, 3)
    result = RolloutSearch(zeros(THROWN), RolloutSettings(simulations=2000)).run(position, seed=4)
    payoff = position.state.payoff
    for move, mean in zip(result.moves.tolist(), result.wins.tolist(), strict=True):
        ends = payoff[[8 * move, 8 * move + 2]]
        if seats == 2:  # who has more, as always
            assert mean == pytest.approx(((ends[:, 0] > ends[:, 1]) + (ends[:, 0] == ends[:, 1]) / 2).mean(), abs=0.1)
        else:
            assert mean == pytest.approx(ends[:, 0].mean(), abs=6)
    assert result.points == (seats != 2)
    assert ("expects +" in " ".join(result.effort)) == (seats != 2)
    assert all(row["wins_95"][0] <= row["wins"] <= row["wins_95"][1] for row in result.rows())


@pytest.mark.parametrize("counts", ["wins", "places"])
def test_shares_of_the_win_and_places_count(counts: str) -> None:
    game = tree_game(counts, chance=True, counts=counts)
    position = clear(game, 3, 5)
    result = RolloutSearch(zeros(game), RolloutSettings(simulations=2000)).run(position, seed=4)
    for move, mean in zip(result.moves.tolist(), result.wins.tolist(), strict=True):
        ends = position.state.payoff[[8 * move, 8 * move + 2], :3]
        own, others = ends[:, :1], ends[:, 1:]
        won = (own > others).all(axis=1) if counts == "wins" else (own > others).mean(axis=1)
        assert mean == pytest.approx(won.mean(), abs=0.1)


def test_together_the_move_with_more_points_is_found() -> None:
    game = tree_game("joint", chance=True, aim="together")
    for seats in (1, 2, 3):
        for deal in range(4):
            position = clear(game, seats, deal)
            result = RolloutSearch(zeros(game), RolloutSettings(simulations=1000)).run(position, seed=4)
            payoff = position.state.payoff[:, 0]
            means = [(payoff[8 * move] + payoff[8 * move + 2]) / 2 for move in (0, 1)]
            if abs(means[0] - means[1]) > 8:
                assert result.move == int(np.argmax(means))


@pytest.mark.parametrize("seats", [2, 3, pytest.param(5, marks=pytest.mark.slow)])
def test_secret_bids_are_dealt_again(seats: int) -> None:
    """Without any belief: what the others have bid is not told, so that no deal can be weighed by it."""
    position = Position(goofspiel.game, {"seats": seats, "cards": 3})
    position.push(int(position.legal_moves[0]))
    assert position.past is not None
    assert position.past[0][1][-1] == UNKNOWN
    search = RolloutSearch(goofspiel.matching(), RolloutSettings(simulations=100))
    result, again = (search.run(position, seed=3) for _ in range(2))
    assert (result.worlds, result.points) == (0, False)
    assert result.wins[0] <= 1
    assert again.moves.tolist() == result.moves.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_wins_more_than_its_part_against_its_guide(seats: int) -> None:
    guide, (deals, simulations) = goofspiel.matching(), (16, 300) if compiling() else (1, 20)
    player = RolloutPlayer(guide, RolloutSettings(simulations=simulations))
    result = play_match(player, guide, deals=deals, options={"seats": seats, "cards": 4})
    assert result.games == deals * (2 if seats == 2 else 2 * seats)
    assert result.win_rate > 0.5 or not compiling()


def test_a_game_that_hides_nothing_is_for_other_searches() -> None:
    with pytest.raises(UsageError, match="rollout: Points hides nothing and throws no dice: choose mcts or minimax"):
        RolloutSearch(zeros(POINTS), FEW)
