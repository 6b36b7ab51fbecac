"""The worth of each rule of a player, beside its weights: `evolve ablate` in a thread of the page."""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from evolve.analysis.ablation import ITSELF, SAFE, TOLERANCE, Loss, ablate, field_of, measurements, used
from evolve.storage.log import duration
from rulebots.errors import demand
from rulebots.packages.players import make_player
from rulebots.play.background import BackgroundWork
from rulebots.players import RulePlayer
from rulebots.web.pages import Pages, post, wants_fragment
from rulebots.web.served_folder import FilePlayer, ServedFolder
from rulebots.web.tune import weights_of

ADDRESS = "/tune/worth"
#: Deals against each opponent, each from every seat.
DEALS = 300


@dataclass
class RuleLosses(BackgroundWork):
    """The loss of win rate without each rule of a player, by column: of all rules once it is `done`."""

    source: FilePlayer
    losses: Mapping[int, Loss] = field(default_factory=dict)

    def __post_init__(self) -> None:
        population = self.source.population
        weights = self.source.entry.weights
        self.player = RulePlayer(population.rules, weights, self.source.name)
        #: The opponents besides the player itself, and the number of rules with a weight other than 0.
        self.against = field_of(self.player)
        self.rules = len(used(weights))
        #: When the first of these was measured, by the monotonic clock: it may have waited for the compiler.
        self._first = 0.0

    def work(self) -> None:
        """Measure."""
        opponents = [(name, make_player(name, self.player.game)) for name in self.against]
        for losses in ablate(measurements(self.player, opponents, DEALS, watch=self._played)(0)):
            self.losses = losses
            self._first = self._first or time.monotonic()

    def _played(self, _: int) -> None:
        demand(not self.stopped, f"stopped after {len(self.losses)} of {self.rules} rules")

    @property
    def left(self) -> str:
        """About how long it still takes; "" before the second rule is measured."""
        timed = len(self.losses) - 1
        return duration((time.monotonic() - self._first) * (self.rules - 1 - timed) / timed) if timed > 0 else ""


class RuleLossPages:
    """The routes of the worth of rules, and the measurements so far."""

    def __init__(self, served: ServedFolder, pages: Pages) -> None:
        self.served = served
        self.pages = pages
        #: The latest measurement of each player, by its file and game.
        self._measurements: dict[tuple[str, str], RuleLosses] = {}
        self._lock = threading.Lock()
        self.routes = [Route(ADDRESS, self._show), post(ADDRESS, self._measure)]

    def _show(self, request: Request) -> Response:
        query = request.query_params
        return self._page(request, self.served.file_player(query.get("player", ""), query.get("game", "")))

    def _measure(self, request: Request, fields: Mapping[str, str]) -> Response:
        """Measure the weights of the form, else of the file, unless that is done or under way; or stop."""
        source = self.served.file_player(fields.get("player", ""), fields.get("game", ""))
        source = replace(source, entry=replace(source.entry, weights=weights_of(source, fields)))
        if "stop" not in fields:
            self._begin(source).done.wait(0.3)
        elif losses := self._measurements.get(_key(source)):
            losses.stop()
        if wants_fragment(request):
            return self._page(request, source)
        return RedirectResponse(str(request.url.include_query_params(player=source.spec, game=source.game)), 303)

    def _begin(self, source: FilePlayer) -> RuleLosses:
        """Raises UsageError while others are being measured, or if all weights are 0."""
        key = _key(source)
        with self._lock:
            known = self._measurements.get(key)
            if known and not known.fault and np.array_equal(known.source.entry.weights, source.entry.weights):
                return known
            demand(
                all(losses.done.is_set() for losses in self._measurements.values()),
                "the rules of another player are being measured: wait for that",
            )
            losses = RuleLosses(source)
            demand(losses.rules, f"'{source.spec}' weighs no rule: there is nothing to leave out")
            self._measurements[key] = losses
        losses.start()
        return losses

    def _page(self, request: Request, source: FilePlayer) -> Response:
        losses = self._measurements.get(_key(source))
        done = losses is not None and losses.done.is_set()
        return self.pages.page(
            request, "rule_losses.html", fragment="rule_losses_fragment.html", source=source, measurement=losses,
            done=done, deals=DEALS, itself=ITSELF, safe=SAFE, tolerance=TOLERANCE, address=ADDRESS,
        )  # fmt: skip


def _key(source: FilePlayer) -> tuple[str, str]:
    return source.spec, source.game
