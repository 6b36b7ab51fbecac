"""What each rule of a player is worth, beside its weights: `evolve ablate` in a thread of the page."""

from __future__ import annotations

from rulebots.registry import parts_of
import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from evolve.analysis.ablation import ITSELF, Loss, ablate, measurements, used
from rulebots.errors import FileError, UsageError
from rulebots.files import replace
from rulebots.kernel.fingerprint import fingerprint
from rulebots.players import Player, RulePlayer
from rulebots.players.names import make_player
from rulebots.kernel.user_code import in_users_terms
from rulebots.web.forms import form_of
from rulebots.web.opponents import Opponents
from rulebots.web.pages import Pages, wants_part
from rulebots.web.source import Source, source_of

ADDRESS = "/worth"
#: Deals against each opponent, each from both seats, and measurements that are remembered, in memory and on disk.
DEALS, MOST_HELD, MOST_FILES = 300, 32, 1000
#: Where measurements are kept in the served folder.
FOLDER = "worth"


@dataclass
class Worth:
    """A measurement: the loss of win rate without each rule, by column, once it is `done`; kept in the `folder`."""

    source: Source
    folder: Path
    losses: Mapping[int, Loss] = field(default_factory=dict)
    measured: int = 0
    fault: str = ""
    unkept: str = ""
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def against(self) -> list[str]:
        """Who is met besides the player itself."""
        return list(parts_of(self.source.population.game).references)

    @property
    def rules(self) -> int:
        """How many rules weigh something."""
        return len(used(self.source.entry.weights))

    @property
    def player(self) -> RulePlayer:
        """Whose rules are measured."""
        return RulePlayer(self.source.population.rules, self.source.entry.weights, self.source.name)

    def opponents(self) -> list[tuple[str, Player]]:
        """Who is met besides the player itself, by name. Raises UsageError."""
        return [(name, make_player(name, self.source.population.game)) for name in self.against]

    def run(self) -> None:
        """Measure: `measured` counts the rules that are done."""
        try:
            file = self.file()  # before they have played
            self.losses = ablate(measurements(self.player, self.opponents(), DEALS)(0), self._report)
            self._keep(file)
        except UsageError as error:
            self.fault = str(error)
        except Exception as error:  # noqa: BLE001 - rules of anybody's, or a bug of ours: the page says so
            self.fault = in_users_terms(error) or f"{type(error).__name__}: {error}"
        finally:
            self.done.set()

    def file(self) -> Path:
        """Where the measurement is kept: all that decides it is in the name. Raises UsageError."""
        decides = [str(DEALS), fingerprint(self.player), *(fingerprint(player) for _, player in self.opponents())]
        return self.folder / f"{hashlib.sha256(' '.join(decides).encode()).hexdigest()[:24]}.json"

    def _keep(self, file: Path) -> None:
        """Write the measurement. Where that fails it is here until the server ends: `unkept` says why."""
        content = {column: asdict(loss) for column, loss in self.losses.items()}
        if len(list(self.folder.glob("*.json"))) >= MOST_FILES:
            self.unkept = f"{self.folder} has {MOST_FILES:,} measurements: remove some to keep further ones."
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            replace(file, json.dumps(content, indent=1, default=int) + "\n")
        except (FileError, OSError) as error:
            self.unkept = f"This is here until the server ends: {error}"

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

    def _report(self, done: int) -> None:
        self.measured = done


class Worths:
    """The routes of worth, and the measurements so far."""

    def __init__(self, opponents: Opponents, pages: Pages) -> None:
        self.opponents = opponents
        self.pages = pages
        self._held: OrderedDict[tuple[str, str, bytes], Worth] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def routes(self) -> list[Route]:
        """What this part answers."""
        return [Route(ADDRESS, self.show), Route(ADDRESS, self.begin, methods=["POST"])]

    def show(self, request: Request) -> Response:
        """What is known of a player's rules."""
        query = request.query_params
        return self._page(request, source_of(self.opponents, query.get("player", ""), query.get("game", "")))

    async def begin(self, request: Request) -> Response:
        """Measure, unless that is known or going on."""
        fields = await form_of(request)

        def begin() -> Response:
            source = source_of(self.opponents, fields.get("player", ""), fields.get("game", ""))
            self._begin(source).done.wait(0.3)
            if wants_part(request):
                return self._page(request, source)
            return RedirectResponse(str(request.url.include_query_params(player=source.spec, game=source.game)), 303)

        return await run_in_threadpool(begin)

    def _begin(self, source: Source) -> Worth:
        """Raises UsageError while others are being measured, or where no rule weighs anything."""
        with self._lock:
            key = _key(source)
            if key in self._held and not self._held[key].fault:
                return self._held[key]
            if any(not worth.done.is_set() for worth in self._held.values()):
                raise UsageError("the rules of another player are being measured: wait for that")
            worth = Worth(source, self.opponents.folder / FOLDER)
            if not worth.rules:
                raise UsageError(f"'{source.spec}' weighs no rule: there is nothing to leave out")
            while len(self._held) >= MOST_HELD:
                self._held.popitem(last=False)
            self._held[key] = worth
        threading.Thread(target=worth.run, name="measuring", daemon=True).start()
        return worth

    def _known(self, source: Source) -> Worth | None:
        """What is measured or being measured, by this server or a former one."""
        key = _key(source)
        worth = self._held.get(key)
        if worth is None and (former := Worth(source, self.opponents.folder / FOLDER)).read():
            with self._lock:
                while len(self._held) >= MOST_HELD:
                    self._held.popitem(last=False)
                worth = self._held.setdefault(key, former)
        return worth

    def _page(self, request: Request, source: Source) -> Response:
        worth = self._known(source)
        done = worth is not None and worth.done.is_set()
        template = "worth_part.html" if wants_part(request) else "worth.html"
        return self.pages.page(
            request, template, source=source, worth=worth, done=done, deals=DEALS, itself=ITSELF,
            address=ADDRESS, part=wants_part(request),
        )  # fmt: skip


def _loss(content: Mapping[str, Any]) -> Loss:
    """A loss as it was kept. Raises KeyError, TypeError, ValueError, AttributeError."""
    mean, low, high, tolerance = (float(content[name]) for name in ("mean", "low", "high", "tolerance"))
    against = {str(name): float(loss) for name, loss in content["against"].items()}
    return Loss(mean, low, high, against, int(content["distinct_deals"]), tolerance)


def _key(source: Source) -> tuple[str, str, bytes]:
    """What decides the measurement."""
    rules = source.population.rules
    return rules.game.name, rules.name, source.entry.weights.tobytes()
