"""Weights tuned by hand: the changed player and that of the file meet the same opponents on the same deals."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.game.random_numbers import rng_of
from rulebots.kernel.user_code import in_users_terms
from rulebots.play.deals import opening_plies_of
from rulebots.play.match import play_match
from rulebots.play.results import MatchResult
from rulebots.players import Player, RulePlayer

#: Deals of a block, each played from both seats; the result is shown after each block.
BLOCK, MOST_DEALS = 50, 400
#: Seconds after which no further block is played.
SECONDS = 8.0
#: Positions in which the changed player may move otherwise: games looked through, positions kept, and seconds.
GAMES, KEPT, LOOKING = 24, 8, 3.0
SEED = 1


@dataclass(frozen=True)
class Otherwise:
    """A position in which the changed player moves otherwise: how it is reached, and both moves."""

    seed: int
    ply: int
    before: str
    after: str
    board: Position


@dataclass
class Trial:
    """A change that is being tried: the results so far of the old and the new weights against each opponent."""

    old: RulePlayer
    new: RulePlayer
    opponents: Sequence[Player]
    results: dict[str, tuple[MatchResult, MatchResult]] = field(default_factory=dict)
    otherwise: list[Otherwise] = field(default_factory=list)
    fault: str = ""
    done: threading.Event = field(default_factory=threading.Event)
    stopped: bool = False
    #: Rises with every result.
    version: int = 0

    def start(self) -> None:
        """Play in a thread of its own."""
        threading.Thread(target=self._run, name="trying", daemon=True).start()

    def stop(self) -> None:
        """Play no further block."""
        self.stopped = True

    def _run(self) -> None:
        try:
            self._play()
            self._look()
        except UsageError as error:
            self.fault = str(error)
        except Exception as error:  # noqa: BLE001 - rules of anybody's, or a bug of ours: the page says so
            self.fault = in_users_terms(error) or f"{type(error).__name__}: {error}"
        finally:
            self.version += 1
            self.done.set()

    def _play(self) -> None:
        """Both players against each opponent, block by block: the same deals for both."""
        began, deals = time.monotonic(), 0
        while deals < MOST_DEALS and not self.stopped and (not deals or time.monotonic() - began < SECONDS):
            deals = min(deals + (deals or BLOCK), MOST_DEALS)
            for opponent in self.opponents:
                both = tuple(play_match(player, opponent, deals, SEED) for player in (self.old, self.new))
                self.results[opponent.name] = (both[0], both[1])
                self.version += 1

    def _look(self) -> None:
        """Games of the old player against the opponents, up to the first position in which the new one moves otherwise.

        They begin with the random moves that games of a match begin with.
        """
        began, game = time.monotonic(), self.old.game
        opening = opening_plies_of(game, game.option_values())
        for seed in range(1, GAMES + 1):
            position, rng = Position(game, seed=seed), rng_of(seed)
            opponent, own = self.opponents[seed % len(self.opponents)], seed % 2
            while not (position.over or position.stalled):
                if self.stopped or len(self.otherwise) == KEPT or time.monotonic() - began > LOOKING:
                    return
                if position.chance_to_move:
                    position.play(position.drawn(int(rng.integers(1, 2**32))))
                elif position.plies < opening:
                    position.play(int(rng.choice(position.legal_moves)), chosen=False)
                elif position.mover != own:
                    position.play(opponent.decide(position))
                else:
                    before, after = (player.decide(position) for player in (self.old, self.new))
                    if before != after:
                        words = position.write(before), position.write(after)
                        self.otherwise.append(Otherwise(seed, position.plies, *words, position.copy()))
                        self.version += 1
                        break
                    position.play(before)
