"""One decision by rollouts: the guide's move, unless another one is better with significance.

A policy that takes the move with the best mean return is better than the policy that plays the rollouts (Tesauro and
Galperin, "On-line Policy Improvement using Monte-Carlo Search", 1996), but for the noise of the means: the best of
several means that are equally good is one that was lucky.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.dtypes import records
from rulebots.game.position import Position
from rulebots.game.random_numbers import luck_of, rng_of
from rulebots.play.trial_games import try_styles
from rulebots.players import RulePlayer
from rulebots.search.rollout.belief import Belief, Believer, past_of
from rulebots.search.rollout.compiled import compiled_rank, compiled_rounds, no_past
from rulebots.search.rollout.race import Race
from rulebots.search.rollout.racing import chosen
from rulebots.search.rollout.replaying import Past
from rulebots.search.rollout.result import RolloutResult, result_of
from rulebots.search.rollout.rounds import redealt_worlds
from rulebots.search.rollout.settings import RolloutSettings
from rulebots.search.root import check_root

#: Rollouts of a search that no number of rollouts limits.
UNLIMITED = 1 << 40
#: Groups of rounds where there is no belief whose deals group them.
GROUPS = 64
#: Of a budget of seconds, the share for the belief; of one of rollouts, replays for each of them; and both at most.
BELIEVING, REPLAYS_A_ROLLOUT, MOST_REPLAYS = 0.3, 0.5, 100_000
#: In how many slices a budget is spent, and the longest of them, in rounds and in seconds: after each, candidates are
#: given up, and a search can be stopped.
SLICES, MOST_ROUNDS, LONGEST_SLICE = 12, 500, 0.05


def believable(game: Game) -> bool:
    """Whether a game says what a search needs to learn from the opponent's moves what it may hold."""
    return game.hidden and game.undeal is not None


class RolloutSearch:
    """Searches positions with a rule player as its guide; it remembers nothing from one to the next.

    The opponent may play as the guide, or as one of `opponents`: its moves so far say how likely that is. So these go
    with a belief only.

    Raises:
        UsageError: a game in which nothing is hidden and there is no chance, or that cannot be redealt; or opponents
            without a belief or of another game.
    """

    def __init__(self, guide: RulePlayer, settings: RolloutSettings, opponents: Sequence[RulePlayer] = ()) -> None:
        game = guide.game
        if not (game.hidden or game.chance):
            raise UsageError(f"rollout: {game.title} hides nothing and throws no dice: choose mcts or minimax")
        if game.hidden and game.redeal is None:
            raise UsageError(f"rollout: {game.name} hides something but has no `redeal` to deal it again")
        self.guide, self.settings = guide, settings
        for player in opponents:
            if player.game is not game:
                raise UsageError(f"rollout: expected opponents of {game.name}, not of {player.game.name}")
        believing = settings.belief and believable(game)
        if opponents and not believing:
            why = f"{game.name} hides nothing, or has no `undeal`" if settings.belief else "belief=no"
            raise UsageError(f"rollout: nothing tells which of the opponents it is: {why}; expected opponents=none")
        #: As whom the opponent may play, the guide first.
        self.players = (guide, *opponents)
        self._believer = Believer(self.players) if believing else None
        self._stopped, self._busy, self._prepared = threading.Event(), threading.Lock(), False

    @property
    def game(self) -> Game:
        """The guide's game."""
        return self.guide.game

    def prepare(self) -> None:
        """Compile what a search calls."""
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
        the same result, unless seconds limit it.

        Raises:
            UsageError: a position of another game, one that is over, or where chance is to move; or the search is
                running in another thread.
        """
        if not self._busy.acquire(blocking=False):
            raise UsageError("this search is busy in another thread: give each thread its own")
        try:
            self._stopped.clear()
            check_root(self.game, position)
            if not self._prepared:
                self.prepare()
            return self._search(position, position.random_state if seed is None else seed, time.perf_counter())
        finally:
            self._busy.release()

    def stop(self) -> None:
        """End the running search, if any, soon; call it from any thread."""
        self._stopped.set()

    def _search(self, position: Position, seed: int, began: float) -> RolloutResult:
        settings, rng = self.settings, rng_of(seed)
        luck, first = (int(number) for number in luck_of(rng, (2,)))
        candidates, position = self._candidates(position), position.redealt(first)
        names = tuple(player.name for player in self.players)
        if len(candidates) == 1:
            return result_of(candidates, None, 0, time.perf_counter() - began, None, names)
        seconds, most = settings.seconds or np.inf, settings.simulations or UNLIMITED
        past = None if self._believer is None else past_of(position)
        belief = self._belief(position, past, began, rng)
        worlds = redealt_worlds(GROUPS) if belief is None else belief.worlds
        seen = no_past(self.game) if belief is None or past is None else past
        race = Race(self.players, position, candidates, worlds, seen, luck)
        while len(race.who) > 1 and not self._stopped.is_set():
            left, passed = most - race.simulations, time.perf_counter() - began
            if left < len(race.who) or (race.simulations and passed >= seconds):
                break
            rounds = min(left // len(race.who), -(-most // (SLICES * len(race.who))), MOST_ROUNDS)
            if settings.seconds is not None:
                rounds = min(rounds, race.rounds_in(min(seconds / SLICES, LONGEST_SLICE, seconds - passed)))
            race.run(rounds)
            race.give_up(min(max(race.simulations / most, passed / seconds), 1.0))
        best = chosen(*race.gains, settings.gate)
        return result_of(candidates, race.tally, best, time.perf_counter() - began, belief, names)

    def _candidates(self, position: Position) -> npt.NDArray[np.int64]:
        """The guide's move, then the others that it scores highest: int64[n]."""
        state, style = records(self.game.state, 1), self.guide.style
        state[0] = position.state
        legal, workspace = position.legal_moves.copy(), style.workspace()
        luck = position.random_state
        move = int(compiled_rank(style)(state, luck, legal, len(legal), self.guide.weights, *workspace))
        order = np.argsort(-workspace.scores[: len(legal)], kind="stable")
        others = [int(one) for one in legal[order] if one != move]
        return np.array([move, *others[: self.settings.candidates - 1]], np.int64)

    def _belief(self, position: Position, past: Past | None, began: float, rng: np.random.Generator) -> Belief | None:
        """Deals that go with the past of a determinization; None where none can be worked out."""
        if self._believer is None or past is None:
            return None
        seconds, most = self.settings.seconds or np.inf, self.settings.simulations or UNLIMITED
        replays = min(int(REPLAYS_A_ROLLOUT * most), MOST_REPLAYS)
        left = BELIEVING * seconds - (time.perf_counter() - began)
        return self._believer.believe(position, past, replays, left, rng)
