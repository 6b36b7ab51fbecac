"""Random games of a law, interpreted, with every call checked; and the trial that foreign code has to pass first.

Compiled code reads and writes out of bounds in silence, or ends the process. So a law that is new or was changed plays
a few games in this way before any of it runs compiled: once per fingerprint, noted beside the compiled code. That takes
a fraction of a second; games that ship have their tests instead. `rulebots check` plays more of the same games.
"""

import contextlib
import functools
import hashlib
import itertools
import time
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rulebots.game.chance import draw_kernel
from rulebots.game.checks import CHANCE, PARTS, call_limited, contract_error, require, without_checks
from rulebots.game.contract import UNKNOWN, Game, State, checked_game
from rulebots.game.dtypes import Ints
from rulebots.game.random_numbers import CARDS, LUCK, luck_of, next_luck, rng_of
from rulebots.kernel import Kernel, cache_folder, compiling
from rulebots.kernel.compile_errors import mistakes
from rulebots.kernel.fingerprint import fingerprint, toolchain
from rulebots.kernel.user_code import CodeError, is_ours, is_users

#: Seconds of processor time for which a law is tried, and the most games of it.
SECONDS = 0.2
MOST_GAMES = 20
#: About how many positions of a game are dealt again.
REDEALT = 4
#: Games in which only one seat decides, until that is called a mistake.
ONE_SIDED = 5
#: Positions of random games that make the digest of a law.
DIGESTED = 200


@dataclass
class Trial:
    """Random games of a law with every call checked, and what they show."""

    game: Game
    #: Who decided, in `state.mover`, in any game so far.
    movers: set[int] = field(default_factory=set)
    #: How many seats the last game had.
    seats: int = 0
    #: The games played to their end, those that were over then, and the plies of the longest one.
    games: int = 0
    over: int = 0
    plies: int = 0

    def play(
        self, seed: int, options: Any, visit: Callable[[Game, State], object] | None = None, until: float = float("inf")
    ) -> State:
        """Play a game, with `visit(law, state)` at every state; break it off at that processor time of the thread.

        Gives the last state. Raises CodeError where a function breaks the contract.
        """
        law = checked_game(self.game)
        self.seats = self.game.seats_with({} if options is None else options)
        deciding = set[int]()
        plies = -1
        for state in random_game(law, seed, options):
            plies += 1
            self.movers |= deciding
            deciding = {int(state.mover)}  # it decides if the game goes on
            if visit is not None:
                visit(law, state)
            if time.thread_time() > until:
                return state
        self.games += 1
        self.over += bool(law.over(state))
        self.plies = max(self.plies, plies)
        return state

    def check_movers(self, fewest: int = ONE_SIDED) -> None:
        """Raise CodeError where a seat has never decided in at least `fewest` games."""
        idle = [seat for seat in range(self.seats) if seat not in self.movers]
        if self.games < fewest or self.plies < self.seats or not idle or self.seats == 1:
            return
        what = f"never lets seat {idle[0]} of {self.seats} decide in {self.games} random games"
        following = "1 - state.mover" if self.game.seats == 2 else "seat_after(state.mover, 1, seats)"
        how = f"say `state.mover = {following}`" if self.game.live is None else "pass the turn on"
        raise contract_error(self.game.play, f"{what}; does it {how}?")


def try_law(game: Game, options: Any = None) -> None:
    """Play the first games of a law, unless that was done before.

    `options` is a record of the game's options as they will be played, by default the game's defaults.

    Raises:
        CodeError: a function of the game breaks the contract; the message names it, its file and line.
    """
    try:
        _try_law(game, chosen_options(game, options))
    except CodeError as error:  # a person needs the message, not where it was raised
        raise error.with_traceback(None) from None


def chosen_options(game: Game, options: Any) -> tuple[int, ...]:
    """The values of a record of options in the game's order; () where all are the defaults, or there is no record."""
    if options is None:
        return ()
    values = tuple(int(options[name]) for name in game.options)
    return () if values == tuple(option.default for option in game.options.values()) else values


def with_chosen(game: Game, chosen: tuple[int, ...]) -> dict[str, int]:
    """By name, what `chosen_options` gave."""
    return dict(zip(game.options, chosen, strict=True)) if chosen else {}


@functools.cache
def _try_law(game: Game, chosen: tuple[int, ...]) -> None:
    if game.live is not None or not foreign(game):  # the answers of a live game are checked wherever it plays
        return
    if not compiling():
        check_source(parts_of(game))
        return
    note = note_of("law", game, chosen)
    if note is not None and note.exists():
        return
    check_source(parts_of(game))
    options = game.option_values(with_chosen(game, chosen))
    check_count(game, options)
    trial = Trial(game)
    until = time.thread_time() + SECONDS
    for seed in range(MOST_GAMES):
        if time.thread_time() <= until:
            trial.play(seed, options, until=until)
    if game.redeal is not None:
        _try_redeals(game, options)
    trial.check_movers()
    write_note(note)


def _try_redeals(game: Game, options: Any) -> None:
    law = checked_game(game)
    until = time.thread_time() + SECONDS
    numbers = game.deal(rng_of(1, CARDS), 1, options).shape[1]
    for number in range(MOST_GAMES):
        for state, seats, moves in redealt_positions(game, number, options):
            if law.undeal is not None:
                deal = np.zeros(numbers + int((moves == UNKNOWN).sum()), np.int64)
                law.undeal(state, seats, moves, options, deal, number + 1)
            if time.thread_time() > until:
                return


def foreign(game: Game) -> bool:
    """Whether any part of a law is not this package's."""
    return any(not is_ours(part.function.__module__) for part in parts_of(game))


def parts_of(game: Game) -> list[Kernel[..., Any]]:
    """The kernels of a law."""
    return [part for name in PARTS if (part := getattr(game, name)) is not None]


def random_game(
    game: Game, seed: int, options: Any = None, past: list[tuple[int, tuple[int, ...]]] | None = None
) -> Iterator[State]:
    """The states of a random game, interpreted: the same record before each move and, where it ends, after the last.

    `options` is a record of the game's options. `past` is given the mover of every ply, and what each seat is told.
    """
    options = game.option_values() if options is None else options
    draw = draw_kernel(game)
    state = game.new_state()
    room = np.zeros(game.move_count, np.int64)
    luck = int(luck_of(rng_of(seed, LUCK), (1,))[0])
    game.setup(state, game.deal(rng_of(seed, CARDS), 1, options)[0], options)
    for _ in range(game.ply_cap):
        yield state
        if game.over(state):
            return
        n = int(game.moves(state, room))
        luck = next_luck(luck)
        by_chance = game.chance and state.mover == CHANCE
        move = int(draw(state, room, n, luck) if by_chance else room[luck % n])
        if past is not None:
            past.append((int(state.mover), game.heard(state, move)))
        game.play(state, move)
    yield state


def redealt_positions(game: Game, seed: int, options: Any) -> Iterator[tuple[State, Ints, Ints]]:
    """About `REDEALT` positions of a random game, each as it is and redealt, with who moved and the moves so far.

    Every call is checked. The seats and the moves, as the mover was told of them, are int64[plies].
    """
    law = checked_game(game)
    luck = seed + 1
    every = 1
    past = list[tuple[int, tuple[int, ...]]]()
    assert law.redeal is not None
    for plies, state in enumerate(random_game(law, seed, options, past)):
        if state.mover != CHANCE and plies % every == 0 and not law.over(state):
            seats = np.array([seat for seat, _ in past], np.int64)
            moves = np.array([heard[state.mover] for _, heard in past], np.int64)
            yield state.copy(), seats, moves
            twin = state.copy()
            luck = law.redeal(twin, luck)
            yield twin, seats, moves
        if plies == REDEALT * every:
            every *= 2


@functools.cache
def law_digest(game: Game) -> str:
    """12 hex digits that change with how games of a law go, and not with how it is written or what runs it.

    They come from the movers, moves and points of random games, interpreted, with the default options. "" where such a
    game fails.
    """
    digest = hashlib.sha256()
    room = np.zeros(game.move_count, np.int64)
    states = itertools.chain.from_iterable(random_game(game, seed) for seed in itertools.count())
    with contextlib.suppress(Exception), np.errstate(all="ignore"):
        for state in itertools.islice(states, DIGESTED):
            n = 0 if game.over(state) else game.moves(state, room)
            points = [int(game.points(state, seat)) for seat in range(game.seats_of(state))]
            digest.update(repr((int(state.mover), sorted(room[:n].tolist()), points)).encode())
        return digest.hexdigest()[:12]
    return ""


def users_functions(body: Kernel[..., Any]) -> list[types.FunctionType]:
    """The functions of a user that take part in a kernel."""
    return [f for f in without_checks(body).whole.functions if is_users(f.__code__.co_filename)]


def check_source(kernels: Iterable[Kernel[..., Any]]) -> None:
    """Raise CodeError for what would be wrong in every game: a name that means nothing, a memory, outside chance."""
    for body in kernels:
        for mistake in mistakes(users_functions(body)):
            raise CodeError(mistake)


def check_count(game: Game, options: Any) -> None:
    """Raise CodeError if what is dealt depends on how many deals are drawn at once."""
    rows = call_limited(game.deal, rng_of(1, CARDS), 5, options)
    rng = rng_of(1, CARDS)
    pieces = np.concatenate([game.deal(rng, 2, options), game.deal(rng, 3, options)])
    require(
        game.draw_deals,
        np.array_equal(rows, pieces),
        "deals something else where deals are drawn 2 and 3 at a time, not 5: "
        "draw a deal after the other, or all numbers by one call of `rng`",
    )


def note_of(what: str, thing: Any, chosen: tuple[int, ...] = ()) -> Path | None:
    """The file that says that a thing was tried, with these options; None where its code cannot be known again."""
    functions: list[Kernel[..., Any]] = [thing.moves] if isinstance(thing, Game) else [thing.choose]
    if not all(body.whole.known for body in functions):
        return None
    return cache_folder() / "tried" / "-".join([what, fingerprint(thing), toolchain()[:8], *map(str, chosen)])


def write_note(note: Path | None) -> None:
    """Note that a thing was tried; where that cannot be written, it is tried once more."""
    if note is not None:
        with contextlib.suppress(OSError):
            note.parent.mkdir(parents=True, exist_ok=True)
            note.touch()
