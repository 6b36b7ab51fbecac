"""The law of Lost Cities: move for move the same as the slow oracle, and paragraph by paragraph."""

from __future__ import annotations

from typing import Any

import pytest
from naive_lost_cities import Card, NaiveGame, expedition_points, pack_of
from recorded import recorded

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.games.lost_cities.cards import card_text, suit_of, value_of
from rulebots.kernel import compiling
from rulebots.play.deals import draw_deals

OPTIONS = [
    {"suits": 5, "hand_size": 8},
    {"suits": 6, "hand_size": 8},
    {"suits": 5, "hand_size": 5},
    {"suits": 6, "hand_size": 12},
]
#: Of each kind.
GAMES = 600 if compiling() else 6
#: Of each kind, beside an oracle that works out every view from scratch.
VIEWED = 25 if compiling() else 4


def card_of(number: int) -> Card:
    return Card(int(suit_of(number)), int(value_of(number)))


def numbers_in(bits: int) -> list[int]:
    return [v for v in range(2, 11) if bits >> v & 1]


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_random_games_are_those_of_the_oracle(lost_cities: Game, options: dict[str, int]) -> None:
    deals = draw_deals(lost_cities, GAMES, 2, options=options)
    card = [card_of(number) for number in range(60)]
    word = [lost_cities.text.write(move) for move in range(lost_cities.move_count)]
    ended = 0
    for number in range(GAMES):
        oracle = NaiveGame([card[c] for c in deals.cards[number].tolist()], **options)
        record = recorded(deals, number)
        hands, sizes = record.states["hand"].tolist(), record.states["hand_size"].tolist()
        for ply in range(record.plies):
            assert [word[m] for m in record.legal[ply]] == oracle.legal()
            assert not oracle.over()
            for seat in range(2):
                assert [card[c] for c in hands[ply][seat][: sizes[ply][seat]]] == oracle.hands[seat]
            oracle.play(word[record.chosen[ply]])
        assert oracle.over() or record.plies == lost_cities.ply_cap
        ended += oracle.over()
        for seat in range(2):
            assert lost_cities.points(record.states[record.plies], seat) == oracle.points(seat)
    assert ended > GAMES // 2


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_view_says_what_the_oracle_knows(lost_cities: Game, options: dict[str, int]) -> None:
    deals = draw_deals(lost_cities, VIEWED, 3, options=options)
    for number in range(len(deals)):
        oracle = NaiveGame([card_of(c) for c in deals.cards[number].tolist()], **options)
        record = recorded(deals, number)
        for ply in range(record.plies):
            assert_view(record.views[ply], oracle)
            oracle.play(lost_cities.text.write(record.chosen[ply]))


def assert_view(view: Any, oracle: NaiveGame) -> None:
    me, opp = oracle.mover, 1 - oracle.mover
    assert [card_of(c) for c in view.hand[: view.hand_size]] == oracle.hands[me]
    assert view.deck_left == len(oracle.deck)
    assert view.phase == (2 if oracle.drawing else 0)
    assert (view.my_streak, view.opp_streak) == (oracle.streaks[me], oracle.streaks[opp])
    assert view.just_discarded == (-1 if oracle.forbidden is None else oracle.forbidden)
    for s in oracle.suits:
        mine, his, pile = oracle.expeditions[me][s], oracle.expeditions[opp][s], oracle.piles[s]
        assert view.my_top[s] == (mine[-1] if mine else -1)
        assert view.opp_top[s] == (his[-1] if his else -1)
        assert (view.my_total[s], view.opp_total[s]) == (sum(mine), sum(his))
        assert (view.my_invested[s], view.opp_invested[s]) == (mine.count(0), his.count(0))
        assert (view.my_length[s], view.opp_length[s]) == (len(mine), len(his))
        assert view.pile_size[s] == len(pile)
        assert numbers_in(view.piled[s]) == sorted(v for v in pile if v)
        assert not pile or card_of(view.pile_top[s]) == (s, pile[-1])
        assert numbers_in(view.shown[s]) == sorted(v for v in mine + his + pile if v)
        assert view.shown_invested[s] == (mine + his + pile).count(0)
        held = [v for suit, v in oracle.hands[me] if suit == s]
        assert numbers_in(view.held[s]) == [v for v in held if v]
        assert view.held_invested[s] == held.count(0)
        taken = sorted(v for suit, v in oracle.taken[opp] if suit == s)
        assert numbers_in(view.known[s]) == [v for v in taken if v]
        assert view.known_invested[s] == taken.count(0)
        assert view.known_laid >> 2 * s & 3 == [suit for suit, _ in oracle.laid_again[opp]].count(s)


def test_a_pack_has_three_investments_and_the_numbers_2_to_10_of_each_suit(lost_cities: Game) -> None:
    for suits in (5, 6):
        deals = draw_deals(lost_cities, 3, 1, options={"suits": suits})
        for cards in deals.cards.tolist():
            assert sorted(card_of(c) for c in cards) == sorted(pack_of(suits))


def test_each_seat_has_eight_cards_and_the_deck_starts_at_44(lost_cities: Game) -> None:
    state = dealt(lost_cities)
    assert state.hand_size.tolist() == [8, 8]
    assert state.deck_left == 44


def test_the_deck_is_drawn_in_the_order_of_the_deal(lost_cities: Game) -> None:
    deals = draw_deals(lost_cities, 1, 5)
    state = dealt(lost_cities, 5)
    drawn = []
    for _ in range(44):
        before = state.hand[state.mover][: state.hand_size[state.mover]].tolist()
        seat = int(state.mover)
        lost_cities.play(state, 60 + before[0])
        lost_cities.play(state, lost_cities.text.read("Deck", state))
        after = state.hand[seat][: state.hand_size[seat]].tolist()
        for card in before[1:]:
            after.remove(card)
        drawn += after
    assert drawn == deals.cards[0, 16:].tolist()
    assert lost_cities.over(state)


@pytest.mark.slow
def test_the_game_ends_at_once_when_the_last_deck_card_is_drawn(lost_cities: Game) -> None:
    deals = draw_deals(lost_cities, 20, 6)
    for number in range(20):
        record = recorded(deals, number)
        left = record.states["deck_left"].tolist()
        assert 0 not in left[:-1]
        assert left[-1] == 0 or record.plies == lost_cities.ply_cap


@pytest.mark.parametrize(
    ("values", "points"),
    [
        ([], 0),
        ([0], -40),
        ([0, 0, 0], -80),
        ([2, 3], -15),
        ([2, 3, 4, 5, 6], 0),
        ([0, 8, 9, 10], 14),
        ([0, 0, 0, 2, 3, 4, 5], 4 * -6),
        ([2, 3, 4, 5, 6, 7, 8], 15),
        ([2, 3, 4, 5, 6, 7, 8, 9], 24 + 20),
        ([0, 0, 0, 2, 3, 4, 5, 6], 0 + 20),
        ([0, 0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10], 4 * 34 + 20),
    ],
    ids=str,
)
def test_points_of_an_expedition(lost_cities: Game, values: list[int], points: int) -> None:
    assert expedition_points(values) == points
    state = dealt(lost_cities)
    for value in values:
        state.top[0, 2] = value
        state.invested[0, 2] += value == 0
        state.laid[0, 2] |= (1 << value) if value else 0
    assert lost_cities.points(state, 0) == points
    assert lost_cities.points(state, 1) == 0


def test_the_card_just_discarded_cannot_be_drawn_but_a_turn_later_it_can(lost_cities: Game) -> None:
    position = Position(lost_cities)
    card = int(position.state.hand[0, 0])
    pile = card_text(card)[-1].lower()
    position.push(60 + card)
    assert legal_words(position) == ["n"]
    position.push(position.read("n"))
    position.push(position.legal_moves[0])
    assert legal_words(position) == ["n", pile]


def test_a_game_that_goes_round_in_circles_is_stopped_at_the_ply_cap(lost_cities: Game) -> None:
    position = Position(lost_cities, compiled=True)
    for _ in range(600):
        assert not position.stalled
        # Discard where that is possible, draw from a pile where that is possible.
        position.push(position.legal_moves[-1])
    assert position.stalled
    assert position.state.deck_left > 0


@pytest.mark.parametrize("word", ["", "x", "2x", "11d", "1d", "dd2", "invd", "2dd", "6c"])
def test_a_text_that_is_no_move_is_refused_with_what_was_expected(lost_cities: Game, word: str) -> None:
    state = dealt(lost_cities)
    with pytest.raises(UsageError, match=r"expected a card to play .* not '.*'"):
        lost_cities.text.read(word, state)


@pytest.mark.parametrize(
    ("text", "move"), [(" 1 0 J ", "10j"), ("ID", "id"), ("D5v", "d5v"), ("N", "n"), ("d i d", "did"), ("d", "d")]
)
def test_case_and_blanks_do_not_matter(lost_cities: Game, text: str, move: str) -> None:
    state = dealt(lost_cities)
    assert lost_cities.text.write(lost_cities.text.read(text, state)) == move


def test_the_board_is_shown_as_in_the_quiz(lost_cities: Game) -> None:
    state = dealt(lost_cities)
    lay(state, 1, 0, [0, 2])
    lay(state, 0, 0, [3, 5])
    state.pile[0, :2] = 3, 6
    state.pile_size[0] = 2
    lines = lost_cities.text.show(state, 0).split("\n")
    assert lines[:8] == [
        "Deserts:",
        "  Opponent:  Inv 2 (-36)",
        "  Discards:  4 7 ",
        "       You:  3 5 (-12)",
        "Oceans:",
        "  Opponent:  ",
        "  Discards:  ",
        "       You:  ",
    ]
    assert [line for line in lines if line.endswith(":") and line[0] != " "] == [
        "Deserts:",
        "Oceans:",
        "Mountains:",
        "Jungles:",
        "Volcanoes:",
    ]
    hand = " ".join(card_text(c) for c in state.hand[0, :8])
    assert lines[20:] == [f" Deck:  {'#' * 44} (44)", f" Hand:  {hand}"]
    other = lost_cities.text.show(state, 1).split("\n")
    assert other[1:4] == ["  Opponent:  3 5 (-12)", "  Discards:  4 7 ", "       You:  Inv 2 (-36)"]
    everything = lost_cities.text.show(state, None).split("\n")
    assert everything[21:] == [f" Hand:  {hand}", "Other:  " + " ".join(card_text(c) for c in state.hand[1, :8])]


def dealt(game: Game, seed: int = 1) -> Any:
    return Position(game, seed=seed).state


def lay(state: Any, seat: int, suit: int, values: list[int]) -> None:
    for value in values:
        state.top[seat, suit] = value
        state.invested[seat, suit] += value == 0
        state.laid[seat, suit] |= (1 << value) if value else 0


def legal_words(position: Position) -> list[str]:
    return [position.write(move) for move in position.legal_moves]
