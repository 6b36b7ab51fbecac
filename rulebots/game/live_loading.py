"""From a `LiveGame` to its `Game`: what is checked, and the games that are tried first."""

import functools
import inspect
import re
from typing import Any

from rulebots.errors import demand, is_whole, nearest
from rulebots.game.checks import check_parameters, contract_error, expect, require
from rulebots.game.contract import MOST_MOVES, Game
from rulebots.game.courses import course_after
from rulebots.game.live import LiveLaw
from rulebots.game.live_game import LiveGame, words
from rulebots.game.live_objects import Node
from rulebots.game.random_numbers import next_luck
from rulebots.kernel.user_code import CodeError, place, place_of_caller, placed_errors

#: Seeds that show whether a game depends on its seed, and the plies of each of these games.
TRIED_SEEDS = 4
TRIED_PLIES = 60


def as_game(thing: Any) -> Game | None:
    """The game of a subclass or an object of `LiveGame`, or the `Game` itself; None for anything else.

    Raises:
        CodeError: a method is missing, or is not what it has to be.
    """
    if isinstance(thing, Game):
        return thing
    if isinstance(thing, type) and issubclass(thing, LiveGame) and thing is not LiveGame:
        _check_complete(thing)
        try:
            inspect.signature(thing.__init__).bind(None)
        except TypeError:
            raise contract_error(
                thing.__init__,
                f"needs arguments: name an object of the class, such as `game = {thing.__name__}(...)`",
            ) from None
        with placed_errors():
            return game_of(thing())
    return game_of(thing) if isinstance(thing, LiveGame) else None


def _check_complete(kind: type[LiveGame]) -> None:
    """Raise CodeError where a class lacks a method."""
    for name in sorted(getattr(kind, "__abstractmethods__", ())):
        close = nearest(name, vars(kind))
        hint = f" (did you mean that by `{close}`?)" if close else ""
        where = place(inspect.getfile(kind), inspect.getsourcelines(kind)[1])
        raise CodeError(f"{where}: the class {kind.__name__} lacks a method `{name}`{hint}")


@functools.cache
def game_of(source: LiveGame) -> Game:
    """The game of such an object, one per process. Raises CodeError as `as_game` does."""
    if not source.name:
        vars(source)["name"] = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", type(source).__name__).lower()
    if not source.title:
        vars(source)["title"] = source.name.replace("-", " ").capitalize()
    _check(source)
    law = LiveLaw(source)
    if source.seeded is None:
        with placed_errors():
            source.seeded = len(set(check_repeats(law))) > 1
    return law.made()


def _check(source: LiveGame) -> None:
    """Raise UsageError where a class says what cannot be."""
    where = f"{place_of_caller()}: {source.name}"
    for name, count in {"new": 1, "mover": 1, "moves": 1, "play": 2, "over": 1, "points": 2, "copy": 1, "sees": 2,
                        "odds": 1, "resample": 3, "write": 2, "show": 2}.items():  # fmt: skip
        if (method := getattr(source, name)) is not None:
            check_parameters(f"LiveGame.{name}", method, count)
    demand(
        not source.hidden or source.sees,
        f"{where}: hidden = True needs sees(g, seat): what a seat knows, which its rules get",
    )
    for name in ("ply_cap", "move_count", "seats"):
        number = getattr(source, name)
        demand(
            is_whole(number) and 1 <= number <= MOST_MOVES,
            f"{where}: expected a whole number as {name}, not {number!r}",
        )


def check_repeats(law: LiveLaw) -> list[str]:
    """The traces of some seeds.

    Raises:
        CodeError: a game of the same seed and moves differs, or a copy is not another object.
    """
    source = law.source
    seeds = range(1, TRIED_SEEDS + 1)
    games = [trace(law, seed) for seed in seeds]
    require(
        source.new,
        games == [trace(law, seed) for seed in seeds],
        "gives another game for the same seed and moves: expected all chance from random.Random(seed)",
    )
    require(source.over, any("\n" in game for game in games), "says that a new game is over")
    if law.copies:
        with law.own_random():
            source.copy(law.begun(1))
    try:
        alike = not law.copies or trace(law, 1, aside=True) == games[0]
    except Exception:  # noqa: BLE001 - anything may go wrong in a game that somebody else has changed
        alike = False
    require(
        source.copy,
        alike,
        "gives an object whose moves change `g`, or that goes on otherwise: copy.deepcopy(g) is safe",
    )
    return games


def trace(law: LiveLaw, seed: int, *, aside: bool = False) -> str:
    """A game of a seed in words; the moves do not depend on the seed, as far as the game lets them.

    With `aside` moves are made on copies at each ply, and the game goes on with a copy.
    """
    steps = list[str]()
    with law.own_random():
        g = law.begun(seed)
        course = luck = 1
        while not law.over(g) and len(steps) < TRIED_PLIES:
            node = Node(g)
            luck = next_luck.function(luck)
            legal = law.legal(node)
            expect(
                law.source.moves,
                not law.numbered or all(is_whole(number) and 0 <= number < law.source.move_count for number in legal),
                legal,
                "numbered = True expects whole numbers below move_count",
            )
            move = legal[luck % len(legal)]
            points = [law.points(g, seat) for seat in range(law.source.seats)]
            steps.append(f"{law.mover(g)} {len(legal)} {words(move)} {points}")
            course = course_after.function(course, luck)
            following = course_after.function(course, seed)
            if aside:
                g, former = law.source.copy(g), g
                law.played(former if len(steps) % 2 else law.source.copy(g), move, following)
            g = law.played(g, move, following)
        steps.append(str([law.points(g, seat) for seat in range(law.source.seats)]))
    return "\n".join(steps)
