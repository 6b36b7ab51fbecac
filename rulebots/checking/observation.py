"""What the mover may know: the view is wholly written, shows nothing that is hidden, and all that is not."""

from __future__ import annotations

import contextlib
import itertools
import math
from typing import Any

import numpy as np

from rulebots.checking.law import dealt_states, differing, sample_states
from rulebots.checking.problem import Problems, add, at, collecting
from rulebots.game import Game
from rulebots.game.checked import checked_game
from rulebots.game.random_numbers import next_luck

#: Deals whose first positions are compared, and how many moves a look ahead makes.
DEALS, PLIES = 200, 30
#: A mean that is so many standard errors away is no chance.
MOST_ERRORS = 6.0


def check_observation(game: Game) -> Problems:
    """The view of random positions."""
    found: Problems = []
    with collecting(found):
        states = sample_states(game)
        _check_written(game, states, found)
        if game.hidden:
            _check_redeal(game, states, found)
        else:
            _check_open(game, found)
    return found


def _check_written(game: Game, states: list[Any], found: Problems) -> None:
    """A view must not depend on what was in the record before."""
    law, used = checked_game(game), game.new_view()
    for state in states:
        fresh = game.new_view()
        law.observe(state, fresh)
        law.observe(state, used)
        lost = [f for f in game.view.names or () if f != "luck" and not np.array_equal(fresh[f], used[f])]
        if lost:
            what = f"leaves what an earlier position had in view.{lost[0]}: it has to write all of it"
            add(found, at(game.observe, what))
            return
    never = [f for f in game.view.names or () if f != "luck" and not any(_view(law, s)[f].any() for s in states)]
    if never and states:
        add(found, at(game.observe, f"writes nothing but 0 into view.{never[0]} in {len(states)} positions", note=True))


def _check_redeal(game: Game, states: list[Any], found: Problems) -> None:
    """What is dealt again is hidden, and something is."""
    if game.redeal is None:
        what = (
            "hides something, and the game has no `redeal(state, luck)`: nobody can search it or learn it from lessons"
        )
        add(found, at(game.observe, what))
        return
    law, luck, other = checked_game(game), 12345, 0
    assert law.redeal is not None
    for state in states:
        twin = state.copy()
        luck = law.redeal(twin, luck)
        other += bool(differing(game, state, twin))
        if twin.mover != state.mover:
            add(found, at(game.redeal, "changes state.mover"))
            return
        _check_same_moves(game, state, twin, found)
        _check_same_redeal(game, state, twin, luck, found)
    if states and not other:
        what = f"changes nothing in {len(states)} positions: nothing is hidden, or it is not dealt again"
        add(found, at(game.redeal, what))
    if not found:
        _check_odds_of_redeal(game, found)


def _check_odds_of_redeal(game: Game, found: Problems) -> None:
    """Before the first move, what is dealt again is on average what was dealt: all that could be is as likely."""
    law, luck = checked_game(game), 4321
    assert law.redeal is not None
    dealt = [state for state in dealt_states(game, DEALS) if state.mover in (0, 1)]
    again = [state.copy() for state in dealt]
    for state in again:
        luck = law.redeal(state, luck)
    for name in game.state.names or () if len(dealt) > 1 else ():
        change = np.array([after[name] for after in again], float) - np.array([before[name] for before in dealt], float)
        mean, error = change.mean(0), change.std(0, ddof=1) / math.sqrt(len(dealt))
        if np.any(np.abs(mean) > MOST_ERRORS * np.maximum(error, 1 / len(dealt))):
            what = f"deals state.{name} otherwise than `draw_deals` does, on average of {len(dealt)} deals"
            add(found, at(game.redeal, f"{what}: what the mover cannot know has to be as likely as in a deal"))
            return


def _check_same_moves(game: Game, state: Any, twin: Any, found: Problems) -> None:
    """The mover knows its moves: they must not tell what is hidden, nor may a redeal make others of them."""
    legal = []
    for position in (state, twin):
        room = np.zeros(game.move_count, np.int64)
        n = checked_game(game).moves(position, room)
        legal.append(sorted(room[:n].tolist()))
    if legal[0] != legal[1]:
        assert game.redeal is not None
        what = "changes which moves are legal, which the mover knows"
        add(found, at(game.redeal, f"{what}: from {_few(legal[0])} to {_few(legal[1])}"))


def _check_same_redeal(game: Game, state: Any, twin: Any, luck: int, found: Problems) -> None:
    """What the mover cannot tell apart gives the same redeal."""
    pair = (state.copy(), twin.copy())
    for one in pair:
        assert game.redeal is not None
        game.redeal(one, luck)
    if fields := differing(game, *pair):
        what = f"makes another state.{fields[0]} of positions that the mover cannot tell apart, so it tells of them"
        remedy = "sort what is hidden before you shuffle it, and wipe what the law no longer reads"
        add(found, at(game.redeal, f"{what}: {remedy}", note=True))


def _few(moves: list[int]) -> str:
    return str(moves) if len(moves) <= 8 else f"{moves[:8]} ..."


def _check_open(game: Game, found: Problems) -> None:
    """Where nothing is hidden, the view tells deals apart: else they hold a future that searches would read."""
    law, seen = checked_game(game), dict[bytes, Any]()
    states = dealt_states(game, DEALS)
    states = [state for state in states if state.mover in (0, 1)]
    for state in states:
        key = _view(law, state).tobytes()
        if (former := seen.setdefault(key, state)) is not state and (fields := differing(game, former, state)):
            add(found, _secret(game, fields))
            return
    # Where every deal shows something else, a field that no view shows may still decide what comes.
    for one, other in itertools.pairwise(states):
        for name in differing(game, one, other):
            mixed = one.copy()
            mixed[name] = other[name]
            if _view(law, mixed).tobytes() == _view(law, one).tobytes() and _part_ways(game, one, mixed):
                add(found, _secret(game, [name]))
                return


def _secret(game: Game, fields: list[str]) -> Any:
    names = ", ".join(f"state.{name}" for name in fields)
    what = f"shows nothing of {names}, which deals differ in, and hidden=False lets searches read it"
    return at(game.observe, f"{what}: show it, or set hidden=True, or draw dice in play (chance=True)")


def _part_ways(game: Game, one: Any, other: Any) -> bool:
    """Whether two positions that look alike look different after the same moves."""
    law, luck, twins = checked_game(game), 99, (one.copy(), other.copy())
    room = np.zeros(game.move_count, np.int64)
    with contextlib.suppress(Exception):  # one of them may be no position of the game
        for _ in range(PLIES):
            if law.over(twins[0]) or law.over(twins[1]) or twins[0].mover < 0:
                return bool(law.over(twins[0]) != law.over(twins[1]))
            n = law.moves(twins[0], room)
            luck = next_luck(luck)
            move = int(room[luck % n])
            for twin in twins:
                law.play(twin, move)
            if twins[0].mover != twins[1].mover or _view(law, twins[0]).tobytes() != _view(law, twins[1]).tobytes():
                return True
    return False


def _view(law: Game, state: Any) -> Any:
    view = law.new_view()
    law.observe(state, view)
    return view
