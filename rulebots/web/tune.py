"""Tune: the weights of a player's file by hand, with what a change does in games, and a new file of them."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from typing import Any

import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulebots.errors import UsageError, shown
from rulebots.files import read_text, write_new
from rulebots.players import CompiledPlayer, RulePlayer
from rulebots.players.names import shipped_files
from rulebots.players.population import Entry, population_text, rounded, with_comments_of
from rulebots.registry import parts_of
from rulebots.rules import EARLY, LATE, MOST_WEIGHT, Weights
from rulebots.web.board import board_of
from rulebots.web.forms import form_of
from rulebots.web.opponents import Opponents
from rulebots.web.pages import Pages, wants_part
from rulebots.web.play import games_here
from rulebots.web.source import ProblemsError, Source, source_of
from rulebots.web.tables import NoTable
from rulebots.web.tuning import Trial

#: Trials that are remembered, and those that play at the same time.
MOST_TRIALS, MOST_PLAYING = 32, 2
#: Opponents of a trial.
MOST_OPPONENTS = 4
_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_. -]{0,80}\.ya?ml")


@dataclass(frozen=True)
class Row:
    """A rule with its weights, as the form shows them; `reach` is how far its slider goes to both sides."""

    column: int
    group: str
    name: str
    meaning: str
    early: float
    late: float
    reach: float


@dataclass
class Trials:
    """The trials of all tabs, the latest ones."""

    _held: OrderedDict[str, Trial] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, trial: Trial, former: str) -> str:
        """Begin a trial, and stop the one before it of the same tab. Raises UsageError while too many play."""
        with self._lock:
            if former in self._held:
                self._held.pop(former).stop()
            playing = [held for held in self._held.values() if not held.done.is_set() and not held.stopped]
            if len(playing) >= MOST_PLAYING:
                playing[0].stop()
            while len(self._held) >= MOST_TRIALS:
                self._held.popitem(last=False)[1].stop()
            name = secrets.token_urlsafe(9)
            self._held[name] = trial
        trial.start()
        return name

    def get(self, name: str) -> Trial:
        """The trial of that name. Raises NoTable."""
        with self._lock:
            if name not in self._held:
                raise NoTable("this trial is over: change a weight to begin another one")
            return self._held[name]


class Tune:
    """The routes of tuning."""

    def __init__(self, opponents: Opponents, pages: Pages) -> None:
        self.opponents = opponents
        self.pages = pages
        self.trials = Trials()

    @property
    def routes(self) -> list[Route]:
        """What this part answers."""
        return [
            Route("/tune", self.choose),
            Route("/tune/edit", self.edit),
            Route("/tune/try", self.begin, methods=["POST"]),
            Route("/tune/save", self.save, methods=["POST"]),
            Route("/tune/trial/{id}", self.trial),
        ]

    def choose(self, request: Request) -> Response:
        """The files that can be tuned: shipped ones, and those of the folder."""
        shipped = [(game, sorted(shipped_files(game))) for game in games_here()[0]]
        files = self.opponents.files()
        return self.pages.page(request, "tune.html", shipped=shipped, files=files)

    def edit(self, request: Request) -> Response:
        """The weights of a player."""
        query = request.query_params
        try:
            source = source_of(self.opponents, query.get("player", ""), query.get("game", ""))
        except ProblemsError as error:
            return self.pages.page(request, "problems.html", 422, player=query["player"], problems=error.problems)
        return self._form(request, source)

    async def begin(self, request: Request) -> Response:
        """Try changed weights."""
        fields = await form_of(request)

        def begin() -> Response:
            source = source_of(self.opponents, fields.get("player", ""), fields.get("game", ""))
            weights = weights_of(source, fields)
            rules, game = source.population.rules, source.population.game
            names = [name.strip() for name in fields.get("opponents", "").split(" ") if name.strip()]
            if not 1 <= len(names) <= MOST_OPPONENTS:
                raise UsageError(f"opponents: expected 1 to {MOST_OPPONENTS} names with blanks between them")
            others = [self.opponents.player(name, game) for name in names]
            for other in others:
                if not isinstance(other, CompiledPlayer):
                    raise UsageError(f"'{other.name}' is too slow to try weights against: name a rule player")
            old = RulePlayer(rules, source.entry.weights, source.name)
            trial = Trial(old, RulePlayer(rules, weights, f"{source.name}, changed"), others)
            name = self.trials.add(trial, fields.get("trial", ""))
            trial.done.wait(0.5)
            if wants_part(request):
                return self._trial_page(request, name, trial)
            return self._form(request, source, weights, trial_name=name)

        return await run_in_threadpool(begin)

    def trial(self, request: Request) -> Response:
        """The results of a trial, if there are new ones."""
        name = request.path_params["id"]
        trial = self.trials.get(name)
        same = request.query_params.get("version") == str(trial.version)
        if wants_part(request) and same and not trial.done.is_set():
            return Response(status_code=204)
        return self._trial_page(request, name, trial)

    async def save(self, request: Request) -> Response:
        """Write the weights to a new file, with the comments of the old one."""
        fields = await form_of(request)

        def save() -> Response:
            source, message, saved = source_of(self.opponents, fields.get("player", ""), fields.get("game", "")), "", ""
            weights = weights_of(source, fields)
            try:
                saved = self._write(source, weights, fields.get("file", "").strip())
            except UsageError as error:
                message = str(error)
            if wants_part(request):
                return self.pages.page(request, "saved.html", message=message, saved=saved, game=source.population.game)
            return self._form(request, source, weights, message=message, saved=saved)

        return await run_in_threadpool(save)

    def _write(self, source: Source, weights: Weights, name: str) -> str:
        """Write a population of the one player; gives the name of its file."""
        if not _FILE.fullmatch(name):
            raise UsageError(f"expected the name of a new file in the folder, such as mine.yaml, not '{shown(name)}'")
        entry = Entry(rounded(weights), None, source.entry.note, source.entry.unnamed - changed(source, weights))
        comment = "\n".join(filter(None, [source.population.comment, f"tuned by hand from {source.spec}"]))
        text = population_text(
            replace_fields(source.population, players={source.name: entry}, bred=None, comment=comment)
        )
        write_new(self.opponents.folder / name, with_comments_of(text, read_text(source.file)))
        return name

    def _form(
        self,
        request: Request,
        source: Source,
        weights: Weights | None = None,
        message: str = "",
        saved: str = "",
        trial_name: str = "",
    ) -> Response:
        game = source.population.game
        held = source.entry.weights if weights is None else weights
        trial = self.trials.get(trial_name) if trial_name else None
        return self.pages.page(
            request, "edit.html", 422 if message else 200,
            source=source, rows=rows_of(source, held), flat=source.population.rules.flat, message=message, saved=saved,
            game=game, against=parts_of(game).references[0], trial=trial, trial_name=trial_name,
            now=time.strftime("%H%M"),
            **_facts(trial),
        )  # fmt: skip

    def _trial_page(self, request: Request, name: str, trial: Trial) -> Response:
        template = "trial.html" if wants_part(request) else "trial_page.html"
        return self.pages.page(request, template, trial=trial, trial_name=name, **_facts(trial))


def _facts(trial: Trial | None) -> Mapping[str, Any]:
    """What the page shows of a trial: its results so far, and the boards."""
    if trial is None:
        return {"results": [], "boards": [], "done": True, "version": 0}
    done, version = trial.done.is_set(), trial.version  # before what they stand for
    boards = [(other, board_of(other.board, other.board.mover, playing=False)) for other in list(trial.otherwise)]
    return {"results": list(trial.results.items()), "boards": boards, "done": done, "version": version}


def rows_of(source: Source, weights: Weights) -> list[Row]:
    """A row for each rule."""
    reach = float(np.abs(weights).max(initial=0.0)) * 1.5 or 1.0
    return [
        Row(i, rule.group, rule.name, rule.meaning, float(weights[EARLY, i]), float(weights[LATE, i]), _round_up(reach))
        for i, rule in enumerate(source.population.rules.rules)
    ]


def _round_up(number: float) -> float:
    """The next number of one significant digit."""
    power = 10.0 ** np.floor(np.log10(number))
    return float(np.ceil(number / power) * power)


def weights_of(source: Source, fields: Mapping[str, str]) -> Weights:
    """The weights that a form gives, float64[2, rules]; where it says nothing, those of the file.

    Raises:
        UsageError: a weight is no number, or too large; the rule is named.
    """
    weights = source.entry.weights.copy()
    rules = source.population.rules
    for column, rule in enumerate(rules.rules):
        for half, name in ((EARLY, "early"), (LATE, "late")):
            key = f"{'early' if rules.flat else name}-{column}"
            text = fields.get(key, "").strip()
            if not text:
                continue
            try:
                number = float(text)
            except ValueError:
                number = np.nan
            if not abs(number) <= MOST_WEIGHT:
                most = f"{MOST_WEIGHT:,.0f}"
                raise UsageError(
                    f"{rule.key}, {name}: expected a number from -{most} to {most} as weight, not '{shown(text)}'"
                )
            weights[half, column] = number
    return weights


def changed(source: Source, weights: Weights) -> frozenset[int]:
    """The columns whose weights differ from those of the file."""
    return frozenset(np.flatnonzero((source.entry.weights != weights).any(axis=0)).tolist())
