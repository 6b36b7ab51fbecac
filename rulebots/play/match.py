"""Matches: any players, any game, the same games on any number of threads; for a number of deals or until a verdict.

A batch of games advances in turns: each side advances every game until another one has to decide (see loop.py). A
generation of bred players is one side, so its games run from the first move to the last inside one compiled call.
"""

import contextlib
import copy
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypedDict, Unpack

import numpy as np

from rulebots.errors import UsageError, check_whole, demand
from rulebots.game import Game, Ints
from rulebots.game.trial import chosen_options
from rulebots.packages.players import check_choice
from rulebots.play import MOST_DEALS, MOST_JOBS
from rulebots.play.deals import Deals, DealStream, ordered
from rulebots.play.live_side import LiveSide
from rulebots.play.loop import NO_TERMS, Batch, CompiledSide, Side, Terms, begin, play_on, room_for_moves
from rulebots.play.results import Games, MatchResult, joined, match_result, no_games
from rulebots.play.stepper import AskedSide
from rulebots.play.trial_games import prepare_tried
from rulebots.players import Player, Style, name_of
from rulebots.players.compiled import is_compiled
from rulebots.ratings import Sprt

#: Deals between two looks at a result: FIRST_BLOCK at first, then 1 / SHARE of those played, so that looking costs
#: next to nothing.
FIRST_BLOCK = 4
SHARE = 8
#: After at least this many deals, a match ends in which half of the deals were copies: see `unless_repeating`.
REPEATING = 1000

#: Whether a match may end with this result.
Enough = Callable[[MatchResult], bool]
#: Called with the result so far; False, and nothing else, ends the match there.
Watch = Callable[[MatchResult], object]
#: Games that advance together: few enough for their states to stay in the processor's cache.
BATCH = 512


def play_games(
    players: Sequence[Player],
    deals: Deals,
    schedule: Ints,
    jobs: int = 1,
    *,
    keep_moves: bool = False,
    terms: Terms = NO_TERMS,
    room: Games | None = None,
) -> Games:
    """Play a schedule, int64[games, 1 + seats]: the deal, and the index of the player in each seat (see deals.py).

    The results do not depend on `jobs`, the number of threads; where the time of a player in Python is limited, the
    calling thread plays alone. With `keep_moves` they hold every move. They are written into `room` where it is given,
    which holds what there is when a fault ends the match.

    Raises:
        UsageError: `jobs` is not a number of threads, or a player cannot sit at such tables.
        PlayerFault: a player chose no legal move or thought too long, unless by the `terms` that loses the game.
    """
    check_whole("jobs", jobs, 1, MOST_JOBS)
    for player in players:
        player.check_seats(deals.seats)
    prepare_tried(
        deals.game, styles_of(players), chosen_options(deals.game, deals.options), openings=deals.opening_plies > 0
    )
    sides = sides_of(players, terms)
    count = len(schedule)
    games = no_games(deals.game, count, deals.game.ply_cap if keep_moves else 0, deals.seats) if room is None else room
    slices = batches_of(players, count)
    ended = threading.Event()
    timed = terms.move_seconds is not None and any(isinstance(side, AskedSide) for side in sides)
    if jobs == 1 or len(slices) == 1 or timed:
        for part in slices:
            _play_batch(sides, deals, schedule[part], games, part, ended)
    else:
        import joblib  # which takes as long as most of this package: the page and small matches do without

        joblib.Parallel(n_jobs=jobs, prefer="threads")(
            joblib.delayed(_play_batch)(sides, deals, schedule[part], games, part, ended) for part in slices
        )
    if ended.is_set():
        raise next(fault for fault in games.faults if fault is not None)
    return games


def play_deals(
    first: Player,
    second: Player,
    deals: Deals,
    jobs: int = 1,
    *,
    keep_moves: bool = False,
    terms: Terms = NO_TERMS,
) -> Games:
    """The games of a match on these deals, in the order of `mirrored`; see `play_games`. A player may meet itself."""
    return play_games([first, second], deals, deals.mirrored(), jobs, keep_moves=keep_moves, terms=terms)


def game_of(players: Sequence[Player]) -> Game:
    """The game that all of these players play.

    A player whose class forgot its `super().__init__` has none: it loses by fault when it is asked.

    Raises:
        UsageError: they play different games, none of them has one, or the `choose` of a compiled one is not a kernel.
    """
    for player in players:
        demand(isinstance(player, Player), f"expected a player, such as make_player('shelly', game), not {player!r}")
        check_choice(player)
    games = {player.game: player for player in players if hasattr(player, "game")}
    demand(games, f"'{name_of(players[0])}' has no game: its `__init__` has to call super().__init__(game, name)")
    game, *others = games
    for other in others:
        raise UsageError(
            f"'{games[game].name}' plays {game.name}, '{games[other].name}' plays {other.name}: "
            "a match needs players of one game"
        )
    return game


def sides_of(players: Sequence[Player], terms: Terms = NO_TERMS) -> list[Side]:
    """The players of a schedule as sides: one for each style, and one for each player that is asked in Python.

    A player that is there several times plays as several: each time but the first it is a copy.
    """
    first = {id(player): place for place, player in reversed([*enumerate(players)])}
    players = [player if first[id(player)] == place else copy.copy(player) for place, player in enumerate(players)]
    styles = dict.fromkeys(p.style if is_compiled(p) else p for p in players)
    if any(isinstance(style, Style) and style.game.live is not None for style in styles):
        asked = [style for style in styles if not isinstance(style, Style)]
        return [LiveSide(players), *(AskedSide(player, players, terms) for player in asked)]
    return [
        CompiledSide(style, players) if isinstance(style, Style) else AskedSide(style, players, terms)
        for style in styles
    ]


def styles_of(players: Sequence[Player]) -> tuple[Style, ...]:
    """The compiled ways of choosing of these players, each once."""
    return tuple(dict.fromkeys(p.style for p in players if is_compiled(p)))


def batches_of(players: Sequence[Player], count: int) -> list[slice]:
    """`count` games cut into slices that advance together."""
    batch = 1 if any(player.follows_games for player in players) else BATCH
    return [slice(i, min(i + batch, count)) for i in range(0, count, batch)]


def _play_batch(
    sides: Sequence[Side],
    deals: Deals,
    schedule: Ints,
    games: Games,
    part: slice,
    ended: threading.Event,
) -> None:
    if ended.is_set():
        return
    chosen = games.moves[part]
    if any(side.needs_moves for side in sides) and not chosen.shape[1]:
        chosen = room_for_moves(deals.game, len(schedule), deals.game.ply_cap)
    batch = Batch(deals.game, deals.luck[schedule[:, 0]], chosen)
    begin(batch, deals, schedule[:, 0].copy())
    games.openings[part] = batch.arrays.plies
    play_on(batch, sides, schedule[:, 1:], ended)
    for g, fault in batch.faults.items():
        games.faults[part.start + g] = fault
    games.points[part] = batch.points
    games.plies[part] = batch.arrays.plies
    games.courses[part] = batch.arrays.courses
    games.stalled[part] = batch.stalled
    for column, name in enumerate(deals.game.behaviour):
        games.behaviour[name][part] = batch.behaviour[:, :, column]


class PlayInterrupted(KeyboardInterrupt):
    """Ctrl-C, with the `result` of what was played before it: of whole deals or meetings; None where there is none."""

    def __init__(self, result: Any) -> None:
        super().__init__()
        self.result = result


@contextlib.contextmanager
def with_result(so_far: Callable[[], Any]) -> Iterator[None]:
    """A block in which Ctrl-C becomes PlayInterrupted, with the result so far."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise PlayInterrupted(so_far()) from interrupt


def play_blocks(
    players: Sequence[Player],
    deals: Deals,
    schedule: Ints | None,
    games: Games,
    jobs: int,
    terms: Terms,
) -> MatchResult:
    """Play a schedule, by default the `mirrored` one, into `games`, in blocks of whole deals: Ctrl-C loses few of them.

    Raises:
        UsageError, PlayerFault: as `play_games` does. PlayInterrupted: on Ctrl-C.
    """
    rows = deals.mirrored() if schedule is None else schedule
    games_a_deal = len(rows) // len(deals)
    done = 0

    def so_far() -> MatchResult | None:
        played = slice(done * games_a_deal)
        return match_result(games[played], deals.game, schedule if schedule is None else rows[played]) if done else None

    with with_result(so_far):
        while done < len(deals):
            end = min(done + next_block(done), len(deals))
            block = slice(done * games_a_deal, end * games_a_deal)
            play_games(players, deals, rows[block], jobs, terms=terms, room=games[block])
            done = end
    return match_result(games, deals.game, schedule)


class MatchSettings(TypedDict, total=False):
    """How a match is played; see `OpenMatch`."""

    options: Mapping[str, int] | None
    jobs: int
    opening_plies: int | None
    move_seconds: float | None


class OpenMatch:
    """A match without a fixed number of deals, on those of `play_match`; `result` covers all that were played.

    `options` are those of the game, `jobs` the number of threads. Each game begins with `opening_plies` random moves,
    None for the game's default. Players that are asked in Python may think `move_seconds` about a move.

    Raises:
        UsageError: players of different games, or a wrong option, seed or limit of time.
    """

    def __init__(
        self,
        first: Player,
        second: Player,
        seed: int = 1,
        options: Mapping[str, int] | None = None,
        jobs: int = 1,
        opening_plies: int | None = None,
        move_seconds: float | None = None,
    ) -> None:
        self.terms = Terms(move_seconds)
        self.first = first
        self.second = second
        self.jobs = jobs
        self.stream = DealStream(game_of([first, second]), seed, options=options, opening_plies=opening_plies)
        self._played: list[Games] = []
        self.deals = 0

    def play(self, deals: int) -> MatchResult:
        """Play that many more deals. The result does not depend on the number of steps.

        Raises:
            PlayerFault: a player chose no legal move, failed, or thought for more than `move_seconds`.
        """
        self._played.append(play_deals(self.first, self.second, self.stream.take(deals), self.jobs, terms=self.terms))
        self.deals += deals
        return self.result

    def play_until(self, enough: Enough, most_deals: int = MOST_DEALS, watch: Watch | None = None) -> MatchResult:
        """Play block by block until `enough(result)` or `most_deals`.

        `watch` is given the result so far after each block; if it returns False, the match ends there.

        Raises:
            UsageError: `most_deals` is out of range. PlayInterrupted: on Ctrl-C.
        """
        check_whole("deals", most_deals, 1, MOST_DEALS)
        with with_result(lambda: self.result if self.deals else None):
            while True:
                result = self.play(min(next_block(self.deals), most_deals - self.deals))
                if (watch and watch(result) is False) or enough(result) or self.deals >= most_deals:
                    return result

    @property
    def result(self) -> MatchResult:
        """The result of all games so far."""
        if len(self._played) > 1:
            self._played = [joined(self._played)]
        return match_result(self._played[0], self.stream.game)


def play_match(
    first: Player,
    second: Player,
    deals: int = 1000,
    seed: int = 1,
    watch: Watch | None = None,
    **settings: Unpack[MatchSettings],
) -> MatchResult:
    """Let two players of one game play each of `deals` deals twice, with seats swapped.

    The `settings` are those of `OpenMatch`: options, jobs, opening_plies, move_seconds. `watch` is given the result so
    far after each block of deals; if it returns False, the match ends there. It does not change the games.

    Raises:
        UsageError: players of different games, fewer than one deal, a wrong option or seed.
        PlayerFault: a player chose no legal move, failed, or thought too long.
    """
    match = OpenMatch(first, second, seed, **settings)
    return match.play(deals) if watch is None else match.play_until(lambda _: False, deals, watch)


def play_table(
    players: Sequence[Player],
    deals: int = 1000,
    seed: int = 1,
    options: Mapping[str, int] | None = None,
    jobs: int = 1,
    opening_plies: int | None = None,
    move_seconds: float | None = None,
    keep: Callable[[Deals, Ints, Games], object] | None = None,
) -> MatchResult:
    """Let one player for each seat play each deal in every order (see `ordered`).

    Where the game leaves the number of seats open and `options` do not say it, there is one for each player. `keep` is
    given the deals, the schedule and the games with their moves, after a fault or Ctrl-C those so far.

    Raises:
        UsageError: players of different games, or more or fewer than there are seats; a game for all together; a wrong
            option, seed or limit of time.
        PlayerFault: as `OpenMatch.play` does. PlayInterrupted: on Ctrl-C.
    """
    game = game_of(players)
    count = len(players)
    chosen = dict(options or {})
    if isinstance(game.seats, tuple) and game.aim != "together":
        chosen.setdefault("seats", count)  # which says so where there are too many or too few
    seats = game.seats_with(game.option_values(chosen))
    demand(
        not game.together(seats),
        f"{game.title} is played {'alone' if seats == 1 else 'by teams of copies'}: expected two players, not {count}",
    )
    demand(
        seats == count,
        f"{game.title} has {seats} seats here: expected two players, each among copies of the other, "
        f"or {seats}, not {count}",
    )
    drawn = DealStream(game, seed, options=chosen, opening_plies=opening_plies).take(deals)
    schedule = ordered(deals, count)
    games = no_games(game, len(schedule), game.ply_cap if keep else 0, count)
    try:
        return play_blocks(players, drawn, schedule, games, jobs, Terms(move_seconds))
    finally:
        if keep:
            keep(drawn, schedule, games)


def next_block(deals: int) -> int:
    """How many deals to play before the next look at the result, after `deals` deals."""
    return max(FIRST_BLOCK, deals // SHARE)


def unless_repeating(enough: Enough) -> Enough:
    """Also enough when, of at least REPEATING deals, the second half brought no new one, or all stalled."""
    distinct = 0
    reached = 0

    def also(result: MatchResult) -> bool:
        nonlocal distinct, reached
        if result.distinct_deals > distinct:
            distinct = result.distinct_deals
            reached = result.deals
        stalling = result.stalled == result.games
        return enough(result) or result.deals >= (REPEATING if stalling else max(REPEATING, 2 * reached))

    return also


def narrow(half_width: float) -> Enough:
    """Enough when the 95 % interval of the win rate is at most twice this wide (0.005 is 0.5 %).

    Players that repeat a few games never get there: see `unless_repeating`.

    Raises:
        UsageError: it is not between 0 and 0.5.
    """
    demand(
        0 < half_width < 0.5,
        f"until: expected a half-width between 0 % and 50 %, such as 0.5%, not {100 * half_width:g}%",
    )

    return lambda result: result.win_rate_95[1] - result.win_rate_95[0] <= 2 * half_width


def time_over(seconds: float) -> Enough:
    """Enough when that many seconds have passed since the first block, during which code may have been compiled.

    The block in progress is finished.
    """
    end = 0.0

    def enough(_: MatchResult) -> bool:
        nonlocal end
        now = time.monotonic()
        end = end or now + seconds
        return now >= end

    return enough


def decided(test: Sprt) -> Enough:
    """Enough when the test has a verdict. Players that repeat a few games never reach it: see `unless_repeating`."""
    return lambda result: sprt_result(test, result).accepted != "undecided"


@dataclass(frozen=True)
class SprtResult:
    """A test and the match played for it; `accepted` is "H0", "H1" or "undecided"."""

    test: Sprt
    match: MatchResult
    llr: float
    accepted: str

    def summary(self) -> dict[str, Any]:
        """The test in plain numbers, for JSON."""
        lower, upper = self.test.bounds
        return {**asdict(self.test), "lower": lower, "upper": upper, "llr": self.llr, "accepted": self.accepted}


def sprt_result(test: Sprt, match: MatchResult) -> SprtResult:
    """The verdict of a test on a match; too few different deals decide nothing, nor do games that all stalled."""
    # Copies say nothing new: the scores count as often as the deals that they amount to.
    values, deals = match.score_counts
    counts = (deals * (match.effective_deals / match.deals)).astype(np.float64)
    accepted = "undecided" if match.silent else test.verdict(counts, values)
    return SprtResult(test, match, test.llr(counts, values), accepted)


def play_sprt(
    first: Player,
    second: Player,
    test: Sprt,
    seed: int = 1,
    most_deals: int = MOST_DEALS,
    watch: Watch | None = None,
    **settings: Unpack[MatchSettings],
) -> SprtResult:
    """Play until a sequential test reaches a verdict on the first player's Elo difference, or until `most_deals`.

    The `settings` are those of `OpenMatch`. It ends undecided, too, where the players only repeat games that they have
    played, and where `watch`, which is given the result so far now and then, returns False.

    Raises:
        UsageError: players of different games, or a wrong option, seed or limit of time.
        PlayerFault: as `OpenMatch.play` does.
    """
    match = OpenMatch(first, second, seed, **settings)
    return sprt_result(test, match.play_until(unless_repeating(decided(test)), most_deals, watch))
