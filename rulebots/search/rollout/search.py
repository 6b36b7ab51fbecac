"""One decision by rollouts: the guide's move, unless another one is significantly better.

A policy that takes the move with the best mean return is better than the policy that plays the rollouts (Tesauro and
Galperin, "On-line Policy Improvement using Monte-Carlo Search", 1996), but for the noise of the means: of several
equally good moves, the best mean is a lucky one.
"""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulebots.errors import demand
from rulebots.game import Floats, Game, Ints
from rulebots.game.compiled import law_of
from rulebots.game.position import Position
from rulebots.game.random_numbers import luck_of, rng_of
from rulebots.play.trial_games import try_styles
from rulebots.players import RulePlayer
from rulebots.players.specs import check_numbers, number, optional_number
from rulebots.search import alone, check_root
from rulebots.search.player import GATE, compiled_rank, ranked
from rulebots.search.rollout.belief import Belief, Believer, past_of
from rulebots.search.rollout.replaying import no_past
from rulebots.search.rollout.rounds import (
    COUNT,
    GAIN,
    WON,
    RolloutTally,
    compiled_rounds,
    new_tally,
    redealt_worlds,
    rollouts_return_points,
)
from rulebots.search.rollout.sequential_halving import CandidateRollouts, chosen, going_on, means

#: Rollouts of a search that no number of rollouts limits.
UNLIMITED = 1 << 40
#: Groups of rounds where there is no belief whose deals group them.
GROUPS = 64
#: The belief's share of a budget of seconds, and its replays for each rollout of a budget; and the most replays.
BELIEVING = 0.3
REPLAYS_A_ROLLOUT = 0.5
MOST_REPLAYS = 100_000
#: The slices of a budget, and the longest of them in rounds and in seconds: after each, candidates are given up, and a
#: search can be stopped.
SLICES = 12
MOST_ROUNDS = 500
LONGEST_SLICE = 0.05


@dataclass(frozen=True)
class RolloutSettings:
    """How to search. `simulations` and `seconds` limit a search; the first limit reached ends it.

    With both, a seed gives the same result as long as the seconds do not end it.

    Raises:
        UsageError: a number out of range, or no limit.
    """

    simulations: int | None = optional_number(int, 1, 10**9, "rollouts per decision")
    seconds: float | None = optional_number(float, 0.001, 1e6, "seconds per decision")
    candidates: int = number(6, 2, 1000, "moves that are compared: those that the guide scores highest")
    gate: float = number(GATE, 0.0, 100.0, "standard errors by which a move has to be better than the guide's")
    #: Whether redeals are weighted by how likely they make the opponent's past moves.
    belief: bool = True
    #: Whether to be ahead of the best other, rather than to have many points, where these count at a larger table.
    ahead: bool = True
    #: Whether moves that fall behind are given up, rather than tried as often as the best.
    drop: bool = True

    def __post_init__(self) -> None:
        check_numbers(self, "rollout")
        demand(
            (self.simulations, self.seconds) != (None, None),
            "rollout: expected a limit, such as rollout:seconds=1 or rollout:simulations=1000",
        )


@dataclass(frozen=True, eq=False)
class RolloutResult:
    """The chosen move, and the findings about all candidates, the chosen one first, then the best first.

    `moves` and `rollouts` are int64[n]. `wins`, float64[n], are the shares of rollouts that the mover won, draws
    counting half: its chance to win after the move if it goes on as the guide does, and the opponent as the player that
    it seems to be. At a table of more than two they are shares of the win, or of the places, and with `points` they are
    mean points. `wins_errors` are their standard errors. `gains`, float64[n], is how much better than the guide's move
    each one was in the same rollouts, in the units of the search's return, 0 to 1, and `gains_errors` their standard
    errors. Without rollouts all are nan.
    """

    move: int
    #: The move of the guide.
    guide: int
    moves: Ints
    rollouts: Ints
    wins: Floats
    wins_errors: Floats
    gains: Floats
    gains_errors: Floats
    #: Rollouts of all moves together, without those that measure how far points lie apart.
    simulations: int
    seconds: float
    #: How many different deals rounds began with; 0 without a belief.
    worlds: int
    #: How likely each model of the opponent is, float64[players, temperatures] (see belief.py); empty without a belief.
    models: Floats
    #: The names of the players that the models are made of, the guide's first.
    players: tuple[str, ...]
    #: Whether `wins` are points: alone, in cooperative games, and where points count at a larger table.
    points: bool = False

    def rows(self) -> list[dict[str, Any]]:
        """A line for each candidate in plain data: move, rollouts, wins, wins_95, gain, gain_error."""
        half = 1.96 * self.wins_errors
        most = np.inf if self.points else 1.0
        least = -np.inf if self.points else 0.0
        return [
            {
                "move": int(self.moves[i]),
                "rollouts": int(self.rollouts[i]),
                "wins": float(self.wins[i]),
                "wins_95": (max(least, float(self.wins[i] - half[i])), min(most, float(self.wins[i] + half[i]))),
                "gain": float(self.gains[i]),
                "gain_error": float(self.gains_errors[i]),
            }
            for i in range(len(self.moves))
        ]

    @property
    def effort(self) -> tuple[str, ...]:
        """The work of the search, in words."""
        words = [f"{self.simulations:,} rollouts"]
        if self.simulations:
            words.append(f"expects {self.wins[0]:+.2f}" if self.points else f"wins {100 * self.wins[0]:.0f} % of them")
        if len(self.models) > 1:
            shares = self.models.sum(axis=1)
            words.append(f"the opponent plays like {self.players[shares.argmax()]} ({100 * shares.max():.0f} % sure)")
        return tuple(words)


def result_of(
    candidates: Ints, tally: RolloutTally, best: int, seconds: float, belief: Belief | None,
    players: tuple[str, ...], *, points: bool,
) -> RolloutResult:  # fmt: skip
    """The result of a race: candidates, int64[n], the guide's move first, and the index of the chosen one.

    `players` are the names of the opponent's models.
    """
    sums = tally.sums
    (wins, wins_errors), (gains, gains_errors) = (means(sums[COUNT], sums[what]) for what in (WON, GAIN))
    order = sorted(range(len(candidates)), key=lambda i: (i != best, -np.nan_to_num(gains[i], nan=-np.inf), i))
    return RolloutResult(
        move=int(candidates[best]),
        guide=int(candidates[0]),
        moves=candidates[order],
        rollouts=sums[COUNT].sum(axis=1).astype(np.int64)[order],
        wins=wins[order],
        wins_errors=wins_errors[order],
        gains=gains[order],
        gains_errors=gains_errors[order],
        simulations=int(sums[COUNT].sum()),
        seconds=seconds,
        worlds=0 if belief is None else len({deal.tobytes() for deal in belief.deals}),
        models=np.zeros((0, 0)) if belief is None else belief.models,
        players=players,
        points=points,
    )


def believable(game: Game) -> bool:
    """Whether a search can infer hidden things from the opponent's moves."""
    return game.hidden and game.undeal is not None


class RolloutSearch:
    """Searches positions with a rule player as its guide; it remembers nothing from one to the next.

    The opponent may play as the guide, or as one of `opponents`: its moves so far say how likely that is. So opponents
    need a belief.

    Raises:
        UsageError: a game in which nothing is hidden and there is no chance, or that cannot be redealt; or opponents
            without a belief or of another game.
    """

    def __init__(self, guide: RulePlayer, settings: RolloutSettings, opponents: Sequence[RulePlayer] = ()) -> None:
        game = guide.game
        demand(
            game.hidden or game.chance,
            f"rollout: {game.title} hides nothing and throws no dice: choose mcts or minimax",
        )
        demand(
            not game.hidden or game.redeal, f"rollout: {game.name} hides something but has no `redeal` to deal it again"
        )
        self.guide = guide
        self.settings = settings
        for player in opponents:
            demand(player.game is game, f"rollout: expected opponents of {game.name}, not of {player.game.name}")
        believing = settings.belief and believable(game)
        why = f"{game.name} hides nothing, or has no `undeal`" if settings.belief else "belief=no"
        demand(
            believing or not opponents,
            f"rollout: nothing tells which of the opponents it is: {why}; expected opponents=none",
        )
        #: The players that the opponent may be, the guide first.
        self.players = (guide, *opponents)
        self._believer = Believer(self.players) if believing else None
        self._stopped = threading.Event()
        self._busy = threading.Lock()
        self._prepared = False

    @property
    def game(self) -> Game:
        """The guide's game."""
        return self.guide.game

    def prepare(self) -> None:
        """Compile what a search calls, the law's own functions too: none of it is then in the time of a move."""
        law = law_of(self.game)
        for part in ("step", "observe", *(["redeal"] if self.game.hidden else [])):
            getattr(law, part)
        try_styles(self.game, [player.style for player in self.players])
        compiled_rank(self.guide.style)
        for player in self.players:
            compiled_rounds(self.guide.style, player.style)
        if self._believer is not None:
            self._believer.prepare()
        self._prepared = True

    def run(self, position: Position, seed: int | None = None) -> RolloutResult:
        """Search a position until a limit of the settings is reached; it is not changed.

        What the mover cannot know is dealt again first. The same seed, by default the position's random state, gives
        the same result, unless seconds end it.

        Raises:
            UsageError: a position of another game, one that is over, or where chance is to move; or the search is
                running in another thread.
        """
        with alone(self._busy):
            self._stopped.clear()
            check_root(self.game, position)
            if not self._prepared:
                self.prepare()
            return self._search(position, position.random_state if seed is None else seed, time.perf_counter())

    def stop(self) -> None:
        """End the running search, if any, soon; call it from any thread."""
        self._stopped.set()

    def _search(self, position: Position, seed: int, began: float) -> RolloutResult:
        settings = self.settings
        rng = rng_of(seed)
        luck, first = (int(number) for number in luck_of(rng, (2,)))
        candidates = self._candidates(position)
        position = position.redealt(first)
        names = tuple(player.name for player in self.players)
        points = rollouts_return_points(self.game, position.seats)
        if len(candidates) == 1:
            return result_of(candidates, new_tally(1, 1), 0, time.perf_counter() - began, None, names, points=points)
        seconds = settings.seconds or np.inf
        most = settings.simulations or UNLIMITED
        past = None if self._believer is None else past_of(position)
        belief = None
        if self._believer is not None and past is not None:
            replays = min(int(REPLAYS_A_ROLLOUT * most), MOST_REPLAYS)
            left = BELIEVING * seconds - (time.perf_counter() - began)
            belief = self._believer.believe(position, past, replays, left, rng)
        worlds = redealt_worlds(GROUPS) if belief is None else belief.worlds
        seen = no_past(self.game) if belief is None or past is None else past
        race = CandidateRollouts(self.players, position, candidates, worlds, seen, luck, ahead=settings.ahead)
        while len(race.who) > 1 and not self._stopped.is_set():
            left = most - race.simulations
            passed = time.perf_counter() - began
            if left < len(race.who) or (race.simulations and passed >= seconds):
                break
            rounds = min(left // len(race.who), -(-most // (SLICES * len(race.who))), MOST_ROUNDS)
            if settings.seconds is not None:
                longest = seconds if settings.simulations else min(seconds / SLICES, LONGEST_SLICE)
                rounds = min(rounds, race.rounds_in(min(longest, seconds - passed)))
            if belief is not None and belief.all_read:
                over = race.rounds % len(belief.deals)
                if race.rounds and not over:
                    belief.go_on()
                rounds = min(rounds, len(belief.deals) - over)
            race.run(rounds)
            # Beside a number of simulations, seconds are a guard: while they do not end it, a search is repeatable.
            share = min(race.simulations / most if settings.simulations else passed / seconds, 1.0)
            if settings.drop:
                race.who = going_on(race.who, *race.gains, share)
        best = chosen(*race.gains, settings.gate)
        return result_of(candidates, race.tally, best, time.perf_counter() - began, belief, names, points=points)

    def _candidates(self, position: Position) -> Ints:
        """The guide's move, then the others that it scores highest: int64[n]."""
        move, legal, scores = ranked(self.guide, position)
        order = legal[np.argsort(-scores, kind="stable")]
        return np.array([move, *order[order != move][: self.settings.candidates - 1]], np.int64)
