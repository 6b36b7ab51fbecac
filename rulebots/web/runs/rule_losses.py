"""The worth of each rule of a player, beside its weights: `evolve ablate` in a thread of the page."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from evolve.analysis.ablation import ITSELF, Loss, ablate, field_of, measurements, used
from rulebots.errors import FileError, UsageError, demand
from rulebots.files import replace
from rulebots.kernel.fingerprint import fingerprint
from rulebots.packages.players import make_player
from rulebots.players import Player, RulePlayer
from rulebots.web.background import BackgroundWork
from rulebots.web.pages import Pages, post, wants_fragment
from rulebots.web.served_folder import FilePlayer, ServedFolder

ADDRESS = "/worth"
#: Deals against each opponent, each from every seat.
DEALS = 300
#: Where measurements are kept in the served folder.
FOLDER = "worth"


@dataclass
class RuleLosses(BackgroundWork):
    """The loss of win rate without each rule of a player, by column, once it is `done`; kept in the `folder`."""

    source: FilePlayer
    folder: Path
    losses: Mapping[int, Loss] = field(default_factory=dict)
    #: How many rules have been measured.
    measured: int = 0

    def __post_init__(self) -> None:
        population = self.source.population
        weights = self.source.entry.weights
        self.player = RulePlayer(population.rules, weights, self.source.name)
        #: The opponents besides the player itself, and the number of rules with a weight other than 0.
        self.against = field_of(self.player)
        self.rules = len(used(weights))

    def opponents(self) -> list[tuple[str, Player]]:
        """The opponents besides the player itself, by name. Raises UsageError."""
        return [(name, make_player(name, self.source.population.game)) for name in self.against]

    def work(self) -> None:
        """Measure."""
        file = self.file()  # before they have played
        self.losses = ablate(measurements(self.player, self.opponents(), DEALS)(0), partial(setattr, self, "measured"))
        with contextlib.suppress(FileError, OSError):  # then it is here until the server ends
            self.folder.mkdir(parents=True, exist_ok=True)
            content = {column: asdict(loss) for column, loss in self.losses.items()}
            replace(file, json.dumps(content, indent=1, default=int) + "\n")

    def file(self) -> Path:
        """The file of the measurement, whose name is a hash of all that decides it. Raises UsageError."""
        decides = [str(DEALS), fingerprint(self.player), *(fingerprint(player) for _, player in self.opponents())]
        return self.folder / f"{hashlib.sha256(' '.join(decides).encode()).hexdigest()[:24]}.json"

    def read(self) -> bool:
        """Take the measurement of a former server, if there is one that can be read."""
        try:
            file = self.file()
            if file.is_symlink():
                return False
            content = json.loads(file.read_text("utf-8"))
            losses = {int(column): _loss(loss) for column, loss in content.items()}
        except (UsageError, OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return False
        if set(losses) != set(used(self.source.entry.weights)):
            return False
        self.losses = losses
        self.done.set()
        return True


class RuleLossPages:
    """The routes of the worth of rules, and the measurements so far."""

    def __init__(self, served: ServedFolder, pages: Pages) -> None:
        self.served = served
        self.pages = pages
        self._measurements: dict[tuple[str, str, bytes], RuleLosses] = {}
        self._lock = threading.Lock()
        self.routes = [Route(ADDRESS, self._show), post(ADDRESS, self._measure)]

    def _show(self, request: Request) -> Response:
        query = request.query_params
        return self._page(request, self.served.file_player(query.get("player", ""), query.get("game", "")))

    def _measure(self, request: Request, fields: Mapping[str, str]) -> Response:
        """Measure, unless that is done or under way."""
        source = self.served.file_player(fields.get("player", ""), fields.get("game", ""))
        self._begin(source).done.wait(0.3)
        if wants_fragment(request):
            return self._page(request, source)
        return RedirectResponse(str(request.url.include_query_params(player=source.spec, game=source.game)), 303)

    def _begin(self, source: FilePlayer) -> RuleLosses:
        """Raises UsageError while others are being measured, or if all weights are 0."""
        key = _key(source)
        with self._lock:
            if key in self._measurements and not self._measurements[key].fault:
                return self._measurements[key]
            demand(
                not any(not losses.done.is_set() for losses in self._measurements.values()),
                "the rules of another player are being measured: wait for that",
            )
            losses = RuleLosses(source, self.served.folder / FOLDER)
            demand(losses.rules, f"'{source.spec}' weighs no rule: there is nothing to leave out")
            self._measurements[key] = losses
        losses.start()
        return losses

    def _known(self, source: FilePlayer) -> RuleLosses | None:
        """The measurement, done or under way, by this server or a former one."""
        key = _key(source)
        losses = self._measurements.get(key)
        if losses is None and (former := RuleLosses(source, self.served.folder / FOLDER)).read():
            losses = self._measurements.setdefault(key, former)
        return losses

    def _page(self, request: Request, source: FilePlayer) -> Response:
        losses = self._known(source)
        done = losses is not None and losses.done.is_set()
        return self.pages.page(
            request, "rule_losses.html", fragment="rule_losses_fragment.html", source=source, measurement=losses,
            done=done, deals=DEALS, itself=ITSELF, address=ADDRESS,
        )  # fmt: skip


def _loss(content: Mapping[str, Any]) -> Loss:
    """A loss as it was saved. Raises KeyError, TypeError, ValueError, AttributeError."""
    mean, low, high, tolerance = (float(content[name]) for name in ("mean", "low", "high", "tolerance"))
    against = {str(name): float(loss) for name, loss in content["against"].items()}
    return Loss(mean, low, high, against, int(content["distinct_deals"]), tolerance)


def _key(source: FilePlayer) -> tuple[str, str, bytes]:
    """What decides the measurement."""
    rules = source.population.rules
    return rules.game.name, rules.name, source.entry.weights.tobytes()
