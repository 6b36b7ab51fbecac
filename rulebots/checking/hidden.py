"""What a game hides: `redeal` and `undeal` deal it as it could be, and neither text nor picture tells it."""

import contextlib
import functools
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np

from rulebots.checking.findings import Findings, check
from rulebots.checking.law import (
    dealt_states,
    differing,
    legal_moves,
    look_alike,
    part_ways,
    sample_states,
    tables_of,
    view_of,
)
from rulebots.game import Bools, Ints
from rulebots.game.checks import CHANCE, contract_error, require
from rulebots.game.contract import UNKNOWN, Game, State, checked_game
from rulebots.game.position import Position
from rulebots.game.random_numbers import CARDS, next_luck, rng_of
from rulebots.game.trial import redealt_positions
from rulebots.packages import package_of

#: Deals whose first positions are dealt again.
DEALS = 200
#: A mean that is this many standard errors away does not come by chance.
MOST_ERRORS = 6.0
#: The decisions before which what a redeal keeps is looked for, from the first on.
KEPT_PLIES = 3
#: Deals that are compared for that, and how often each element of a field is looked at.
KEPT_DEALS = 100
KEPT_LOOKS = 3
#: Random games whose positions are undealt.
UNDEALT_GAMES = 4
#: Random games from which positions are taken that are shown, and how many positions.
SHOWN_GAMES = 2
SHOWN_POSITIONS = 24
#: Moves after each of them with which the turn passes to another seat.
SHOWN_MOVES = 8
#: What a seat is shown of a state, by its name in the contract: a function of the game, its package, the state and the
#: seat. It fails where the game has no such drawing.
SHOWN: Mapping[str, Callable[[Game, Any, State, int], object]] = {
    "show": lambda game, _, state, seat: game.text.show(state, seat),
    "task": lambda game, _, state, seat: game.text.task and state.mover == seat and game.text.task(state),
    "draw": lambda game, package, state, seat: vars(package.draw(Position.of(game, state), seat)),
    "look_on": lambda game, package, state, _: vars(package.look_on(Position.of(game, state))),
    "points": lambda game, _, state, __: [int(game.points(state, seat)) for seat in range(game.seats_of(state))],
}

#: By seat, what it was told of the moves so far.
Heard: TypeAlias = tuple[tuple[int, ...], ...]


def redealt(law: Game, states: Iterable[State]) -> Iterator[tuple[State, State]]:
    """Each state, and a copy of it in which what the mover cannot know was dealt again."""
    luck = 12345
    assert law.redeal
    for state in states:
        twin = state.copy()
        luck = law.redeal(twin, luck)
        yield state, twin


def check_redeal(game: Game, states: list[State], findings: Findings) -> None:
    """What is dealt again is hidden, and something is; the mover's moves stay the same."""
    if game.redeal is None:
        findings.add_of(
            game.observe,
            "hides something, and the game has no `redeal(state, luck)`: nobody can search it or learn it from lessons",
        )
        return
    law = checked_game(game)
    changed = not states
    for state, twin in redealt(law, states):
        changed |= bool(differing(game.state, state, twin))
        require(game.redeal, twin.mover == state.mover, "changes state.mover")
        before = legal_moves(law, state)
        after = legal_moves(law, twin)
        require(
            game.redeal,
            before == after,
            f"changes which moves are legal, which the mover knows: from {_few(before)} to {_few(after)}",
        )
        # What the mover cannot tell apart has to give the same redeal.
        (_, one), (_, other) = (next(redealt(law, [alike])) for alike in (state, twin))
        if fields := differing(game.state, one, other):
            findings.add_of(
                game.redeal,
                f"makes another state.{fields[0]} of positions that the mover cannot tell apart, so it tells of them: "
                "sort what is hidden before you shuffle it, and wipe what the law no longer reads",
                note=True,
            )
    require(
        game.redeal, changed, f"changes nothing in {len(states)} positions: nothing is hidden, or it is not dealt again"
    )
    for options in tables_of(game):
        _check_odds_of_redeal(game, options)
        _check_kept(game, options, findings)


def _few(moves: list[int]) -> str:
    return str(moves) if len(moves) <= 8 else f"{moves[:8]} ..."


def _check_odds_of_redeal(game: Game, options: Any) -> None:
    """Before the first move, what is dealt again is on average what was dealt: all that could be is as likely."""
    dealt = dealt_states(game, DEALS, options)
    again = [twin for _, twin in redealt(checked_game(game), dealt)]
    for name in game.state.names or () if len(dealt) > 1 else ():
        change = np.array([after[name] for after in again], float) - np.array([before[name] for before in dealt], float)
        error = change.std(0, ddof=1) / math.sqrt(len(dealt))
        require(
            game.redeal,
            np.all(np.abs(change.mean(0)) <= MOST_ERRORS * np.maximum(error, 1 / len(dealt))),
            f"deals state.{name} otherwise than `draw_deals` does, on average of {len(dealt)} deals: "
            "what the mover cannot know has to be as likely as in a deal",
        )


def _check_kept(game: Game, options: Any, findings: Findings) -> None:
    """A redeal deals all again in which positions differ that look alike to a seat and of which it was told alike.

    They are `KEPT_PLIES` decisions of random games, each with what each seat was told.
    """
    law = checked_game(game)
    looks = Counter[tuple[Any, ...]]()
    never = dict[str, bool]()
    seats = game.seats_with(options)
    level: list[tuple[State, Heard]] = [(state, ((),) * seats) for state in dealt_states(game, KEPT_DEALS, options)]
    for _ in range(KEPT_PLIES):
        kept = dict[tuple[int, str], Bools]()
        by_heard = dict[tuple[int, tuple[int, ...]], list[State]]()
        twins = redealt(law, [state for state, _ in level])
        for (_, heard), (state, twin) in zip(level, twins, strict=True):
            mover = int(state.mover)
            by_heard.setdefault((mover, heard[mover]), []).append(state)
            for name in game.state.names or ():
                kept[mover, name] = kept.get((mover, name), True) & np.atleast_1d(state[name] == twin[name])
        for states in by_heard.values():
            by_view = sorted(states, key=lambda state: view_of(law, state).tobytes())
            for one, other in itertools.pairwise(by_view):
                _check_kept_of(law, one, other, kept, looks, never)
        level = list(_played_on(law, level))
    for what, decides in never.items():
        remedy = "a search would know it" if decides else "wipe what the law no longer reads"
        findings.add_of(game.redeal, f"never deals {what}: {remedy}", note=not decides)


def _check_kept_of(
    law: Game,
    one: State,
    other: State,
    kept: Mapping[tuple[int, str], Bools],
    looks: Counter[tuple[Any, ...]],
    never: dict[str, bool],
) -> None:
    """Note what of the first state the mover cannot see, differs in the other, and is kept by every redeal.

    `never` says whether it decides how the game goes on. Where the two do not look alike, nothing else is noted: the
    mover may know it from its own cards.
    """
    seat = int(one.mover)
    alike = look_alike(law, one, other)
    for name in law.state.names or ():
        for at in np.argwhere(kept[seat, name] & np.atleast_1d(one[name] != other[name])):
            place = tuple(at.tolist()) if one[name].ndim else ()
            looks[seat, name, place, alike] += 1
            if looks[seat, name, place, alike] > KEPT_LOOKS:
                continue
            mixed = _with_of(one, other, name, place)
            unseen = look_alike(law, mixed, one)
            if not unseen:  # such as one card of the seat's own hand: what a redeal keeps goes together
                mixed = _with_of(one, other, name, kept[seat, name] if place else ())
            decides = look_alike(law, mixed, one) and part_ways(law, one, mixed)
            if decides or (alike and unseen):
                what = f"state.{name}{list(place) or ''} again, which seat {seat} cannot see and in which deals differ"
                never[what] = never.get(what, False) or decides
                break


def _with_of(one: State, other: State, name: str, place: Any) -> State:
    """A copy of the first state with these elements of a field as in the other; all of a field that is one number."""
    mixed = one.copy()
    if one[name].ndim:
        mixed[name][place] = other[name][place]
    else:
        mixed[name] = other[name]
    return mixed


def _played_on(law: Game, level: Iterable[tuple[State, Heard]]) -> Iterator[tuple[State, Heard]]:
    """These positions after one more move each, and what chance does then, where a seat has to decide again."""
    luck = 97
    for state, before in level:
        heard = before
        while legal := legal_moves(law, state):
            luck = next_luck(luck)
            move = legal[luck % len(legal)]
            heard = tuple((*of, known) for of, known in zip(heard, law.heard(state, move), strict=True))
            law.play(state, move)
            if state.mover != CHANCE and not law.over(state):
                yield state, heard
                break


@check
def check_told(findings: Findings, game: Game) -> None:
    """Nobody is told which of two moves was made that look alike to it, and that `redeal` deals as one position."""
    law = checked_game(game)
    if game.told is None or law.redeal is None:
        return
    for state in sample_states(game, SHOWN_GAMES, SHOWN_POSITIONS):
        told = dict[tuple[int, bytes, bytes], tuple[int, int]]()
        for move in legal_moves(law, state):
            later = state.copy()
            law.play(later, move)
            seat = int(later.mover)
            if law.over(later) or seat in (CHANCE, state.mover):
                continue
            view = view_of(law, later).tobytes()
            law.redeal(later, 12345)
            heard = law.heard(state, move)[seat]
            other, known = told.setdefault((seat, view, later.tobytes()), (move, heard))
            require(
                game.told,
                heard == known,
                f"tells seat {seat} {known} of the move {other} and {heard} of the move {move}, "
                "which look alike to it, and `redeal` deals the same of them: "
                "return one number for all that it cannot tell apart, such as UNKNOWN",
            )


@check
def check_undeal(findings: Findings, game: Game) -> None:
    """What is wrong with a game's `undeal`, if it has one; its law and its redeal are taken to be right."""
    if game.undeal is None:
        return
    require(game.undeal, game.redeal is not None, "is of no use without `redeal`: a search takes back redeals")
    for options in tables_of(game):
        rows = np.sort(game.deal(rng_of(2, CARDS), UNDEALT_GAMES, options), axis=1)
        require(
            game.draw_deals,
            (rows == rows[0]).all(),
            "deals other numbers each time: `undeal` is for deals that are orders of the same numbers",
        )
        for number in range(UNDEALT_GAMES):
            for state, seats, moves in redealt_positions(game, number, options):
                _check_taken_back(game, state, seats, moves, options, rows[0])


def _check_taken_back(game: Game, state: State, seats: Ints, moves: Ints, options: Any, numbers: Ints) -> None:
    """From the deal that `undeal` writes, the moves lead to a position that no seat can tell from the one it got."""
    law = checked_game(game)
    again = game.new_state()
    unknown = moves == UNKNOWN
    written = np.zeros(len(numbers) + int(unknown.sum()), np.int64)
    assert law.undeal
    law.undeal(state, seats, moves, options, written, 12345)
    deal = written[: len(numbers)]
    dealt = (np.sort(deal) == numbers).all()
    require(game.undeal, dealt, f"writes {deal.tolist()}: expected the numbers of a deal in some order")
    imagined = moves.copy()
    imagined[unknown] = written[len(numbers) :]
    law.setup(again, deal, options)
    for ply, (seat, move) in enumerate(zip(seats.tolist(), imagined.tolist(), strict=True), start=1):
        name = game.text.write(move) if 0 <= move < game.move_count else f"number {move}"
        require(
            game.undeal,
            again.mover == seat and move in legal_moves(law, again),
            f"writes a deal from which move {ply}, {name} of seat {seat}, cannot be made: "
            "who makes it has to hold by then what it needs",
        )
        law.play(again, move)
    for seat in range(game.seats_of(state)):
        for field in differing(game.view, view_of(law, state, seat), view_of(law, again, seat)):
            raise contract_error(
                game.undeal,
                f"writes a deal from which the moves lead elsewhere: seat {seat} would see another view.{field}",
            )


@functools.cache
def leaks(game: Game) -> frozenset[str]:
    """What of `SHOWN`, or "sentence", tells a seat what it cannot know: it changes when that is dealt again (`redeal`).

    Empty for a game that hides nothing, has no `redeal`, or fails; the player is told elsewhere that it fails.
    """
    leaking = set[str]()
    names = {*SHOWN, "sentence"}
    law = checked_game(game)
    if game.hidden and law.redeal:
        with contextlib.suppress(Exception):
            for state, twin in redealt(law, sample_states(game, SHOWN_GAMES, SHOWN_POSITIONS)):
                seat = int(state.mover)
                for pair in [(state, twin), *_waiting(law, state, twin)]:
                    leaking |= {name for name in names - leaking if _differs(game, name, pair, seat)}
    return frozenset(leaking)


def _waiting(law: Game, state: State, twin: State) -> Iterator[tuple[State, State]]:
    """Two positions after each move that leaves it to another seat, as long as they look alike to who made it.

    Now the mover is a seat whose hand was dealt again: who waits looks at the board, too.
    """
    seat = int(state.mover)
    for move in legal_moves(law, state)[:SHOWN_MOVES]:
        pair = (state.copy(), twin.copy())
        for one in pair:
            law.play(one, move)
        movers = {int(one.mover) for one in pair}
        if len(movers) > 1 or movers & {seat, CHANCE} or any(law.over(one) for one in pair):
            continue
        if look_alike(law, *pair, seat):
            yield pair


def _differs(game: Game, name: str, pair: tuple[State, State], seat: int) -> bool:
    """Whether it tells a seat two states apart; one that fails tells nothing."""
    with contextlib.suppress(Exception):
        if name == "sentence":
            return any(_sentences_differ(game, move, pair, seat) for move in legal_moves(game, pair[0])[:SHOWN_MOVES])
        one, other = (SHOWN[name](game, package_of(game), state, seat) for state in pair)
        return one != other
    return False


def _sentences_differ(game: Game, move: int, pair: tuple[State, State], seat: int) -> bool:
    """Whether the sentence about a move that a seat is told of differs, but after the move the states look alike."""
    law = checked_game(game)
    later = [state.copy() for state in pair]
    if any(law.heard(state, move)[seat] != move or move not in legal_moves(law, state) for state in later):
        return False
    said = {Position.of(game, state).deed(move) for state in later}
    for state in later:
        law.play(state, move)
    return len(said) > 1 and look_alike(law, later[0], later[1], seat)


@check
def check_secrecy(findings: Findings, game: Game) -> None:
    """What is shown in random positions. Points may be meant to tell something: the page has them at the end."""
    for name in sorted(leaks(game) - {"points"}):
        whom = "who looks on what is hidden from a seat" if name == "look_on" else "a seat what is hidden from it"
        findings.add_of(
            getattr(game.text if name in ("show", "sentence", "task") else package_of(game), name),
            f"tells {whom}: what it gives changes with `redeal`, and that is sent to a browser",
        )
