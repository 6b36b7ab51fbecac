"""Hanabi beside OpenSpiel's, ply by ply.

OpenSpiel's game is the Hanabi Learning Environment. Its words for what a seat sees are written here from the view, so
that hands, what hints have told of each card, tokens, lives, fireworks, deck and discards are all compared at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from rulebots.game.compiled import law_of
from rulebots.game.dtypes import records
from rulebots.games.hanabi.cards import card_text
from rulebots.games.hanabi.game import game, move_numbers

COLOURS = "RYGWB"
Chooser = Callable[[Any, list[int], np.random.Generator], int]


def theirs(seats: int) -> Any:
    import pyspiel  # only the second tier of the tests has it

    return pyspiel.load_game("hanabi", {"players": seats})


def any_move(state: Any, moves: list[int], rng: np.random.Generator) -> int:
    """Uniform: such games end with the third life, early."""
    return moves[int(rng.integers(len(moves)))]


def careful(state: Any, moves: list[int], rng: np.random.Generator) -> int:
    """Looks at its own cards, and mostly lays one only if it fits, so that games last until the deck has run out."""
    while True:
        move = any_move(state, moves, rng)
        card = int(state.hands[state.mover, move % 5]) if 5 <= move < 10 else -1
        if card < 0 or state.fireworks[card // 5] == card % 5 or rng.random() < 0.02:
            return move


def words(view: Any, observer_moves_in: int) -> str:
    """What OpenSpiel says to the seat whose view this is, `observer_moves_in` turns before its own."""
    fires = "".join(f"{colour}{n} " for colour, n in zip(COLOURS, view.fireworks.tolist(), strict=True))
    hands, held = [], view.held.tolist()
    known_of = np.stack([view.hands, view.touched, view.colours, view.ranks], axis=-1).tolist()
    for place in range(view.seats):
        lines = ["Cur player\n"] if place == observer_moves_in else []
        for card, said, colours, ranks in known_of[place][: held[place]]:
            possible = "".join(c for k, c in enumerate(COLOURS) if colours >> k & 1)
            possible += "".join(str(k + 1) for k in range(5) if ranks >> k & 1)
            known = COLOURS[colours.bit_length() - 1] if said & 1 else "X"
            known += str(ranks.bit_length()) if said & 2 else "X"
            lines.append(f"{card_text(card) if card >= 0 else 'XX'} || {known}|{possible}\n")
        hands.append("".join(lines))
    return (
        f"Life tokens: {view.lives}\nInfo tokens: {view.tokens}\nFireworks: {fires}\nHands:\n"
        + "-----\n".join(hands)
        + f"Deck size: {view.deck_left}\n"
    )


def differences(seats: int, games: int, seed: int, choose: Chooser) -> Iterator[str]:
    """Play so many games, and tell of each difference, with the game and the ply."""
    law, their_game, numbers = law_of(game), theirs(seats), move_numbers(seats)
    assert their_game.num_distinct_actions() == len(numbers)
    options, rng = game.option_values({"seats": seats}), np.random.default_rng(seed)
    states, views = records(game.state, 1), records(game.view, 1)
    room, empty = np.zeros(game.move_count, np.int64), records(game.state, 1)
    for number, deal in enumerate(game.deal(rng, games, options)):
        states[:] = empty
        state, their = states[0], their_game.new_initial_state()
        game.setup(state, deal, options)
        ply, drawn, told = 0, 0, []
        while True:
            while their.is_chance_node():
                their.apply_action(int(deal[drawn]))
                drawn += 1
            if [law.points(state, seat) for seat in range(seats)] != their.returns() and law.over(state):
                told.append("points")
            if law.over(state) != their.is_terminal():
                told.append("end")
            mover = int(state.mover)
            for seat in {mover, int(rng.integers(seats))}:
                views[:] = 0
                state.mover = seat  # each looks as if it were to move
                law.observe(state, views[0])
                said, discards = their.observation_string(seat).split("Discards:")
                at_the_end = their.is_terminal()
                expected = words(views[0], -1 if at_the_end else (mover - seat) % seats)
                if (said.replace("Cur player\n", "") if at_the_end else said) != expected:
                    told.append(f"what seat {seat} sees:\n{said}instead of\n{expected}")
                mine = [card_text(card) for card, n in enumerate(views[0].discards.tolist()) for _ in range(n)]
                if sorted(discards.split()) != sorted(mine):
                    told.append(f"discards: {discards} instead of {mine}")
            state.mover = mover
            if told or their.is_terminal() or law.over(state):
                break
            moves = sorted(room[: law.moves(state, room)].tolist())
            if [numbers[action] for action in their.legal_actions()] != moves or their.current_player() != mover:
                told.append(f"legal moves: {their.legal_actions()} instead of {moves}")
                break
            move = choose(state, moves, rng)
            law.play(state, move)
            their.apply_action(numbers.index(move))
            ply += 1
        yield from (f"{seats} seats, game {number}, ply {ply}: {what}" for what in told)
