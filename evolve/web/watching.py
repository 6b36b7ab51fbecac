"""Watch runs: the folders below `runs/`, and a dashboard of each, also of one that another process breeds."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from evolve.storage import log as run_log
from evolve.storage.folder import CHAMPION, RUNS
from evolve.storage.log import Log
from evolve.web.chart import Chart, chart_of
from rulebots.errors import UsageError, shown
from rulebots.web.pages import Pages, wants_part
from rulebots.web.parts import Part

#: The most runs that are listed, and rules of the champion whose weights moved most.
MOST_RUNS, MOST_RULES = 100, 12
#: Seconds without a line after which a run that has not ended may have been stopped.
QUIET = 120.0
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_. -]{0,120}")


@dataclass(frozen=True)
class Moved:
    """A rule whose weights moved: early and late, in the first generation and in the latest."""

    rule: str
    before: tuple[float, float]
    now: tuple[float, float]


@dataclass(frozen=True)
class Dashboard:
    """What is shown of a run."""

    name: str
    title: str
    rules: str
    against: str
    state: str
    over: bool
    generation: int
    total: int
    figures: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    chart: Chart | None
    moved: tuple[Moved, ...]
    game: str
    champion: str
    #: Changes with every line of the log.
    version: int


def part(folder: Path, pages: Pages) -> Part:
    """The part of the page for the runs of a served folder."""
    runs = Runs(folder, pages)
    return Part(("/runs", "Runs"), runs.routes, Path(__file__).parent / "templates")


class Runs:
    """The routes of runs."""

    def __init__(self, folder: Path, pages: Pages) -> None:
        self.folder = folder / RUNS
        self.pages = pages

    @property
    def routes(self) -> list[Route]:
        """What this part answers."""
        return [Route("/runs", self.all), Route("/runs/{name}", self.one)]

    def all(self, request: Request) -> Response:
        """All runs, the latest first."""
        found = [path for path in self._folders() if _NAME.fullmatch(path.name)]
        found.sort(key=lambda path: -(path / run_log.NAME).stat().st_mtime)
        dashboards = [self._dashboard(path) for path in found[:MOST_RUNS]]
        return self.pages.page(request, "runs.html", runs=[run for run in dashboards if run is not None])

    def one(self, request: Request) -> Response:
        """One run; 204 where its log has no new line."""
        name = request.path_params["name"]
        if not _NAME.fullmatch(name) or self.folder / name not in self._folders():
            raise UsageError(f"there is no run '{shown(name)}' in {RUNS}/")
        run = self._dashboard(self.folder / name)
        if run is None:
            raise UsageError(f"{RUNS}/{name}: the log has no line yet: load the page again in a while")
        if wants_part(request) and request.query_params.get("version") == str(run.version) and not run.over:
            return Response(status_code=204)
        return self.pages.page(request, "run_part.html" if wants_part(request) else "run.html", run=run)

    def _folders(self) -> list[Path]:
        """The folders of runs; none that a link leads out of the served folder."""
        if not self.folder.is_dir():
            return []
        root = self.folder.resolve()
        return [
            path for path in self.folder.iterdir() if path.resolve().parent == root and (path / run_log.NAME).is_file()
        ]

    def _dashboard(self, path: Path) -> Dashboard | None:
        """What is shown of a run; None for one whose log has no beginning."""
        log = run_log.read(path)
        about = next((event for event in log.events if event["event"] == "begin"), None)
        if about is None:
            return None
        lines, settings = run_log.generations(log), about["settings"]
        over = log.events[-1]["event"] == "end"
        latest = lines[-1] if lines else None
        champion = f"{RUNS}/{path.name}/{CHAMPION}" if (path / CHAMPION).is_file() else ""
        return Dashboard(
            name=path.name,
            title=about["game"],
            rules=about["rules"],
            against=about["hand_tuned"],
            state=_state(log, path),
            over=over,
            generation=latest["generation"] if latest else 0,
            total=settings["generations"],
            figures=_figures(lines, settings, over=over) if latest else (),
            warnings=tuple(latest["warnings"]) if latest else (),
            chart=chart_of(
                [line["generation"] for line in lines],
                [("best", [line["best"] for line in lines]), ("mean", [line["mean"] for line in lines])],
                [(line["best_95"][0], line["best_95"][1]) for line in lines],
            ),
            moved=_moved(about["keys"], lines),
            game=settings.get("game", ""),
            champion=champion,
            version=len(log.events),
        )


def _state(log: Log, path: Path) -> str:
    """Whether a run goes on, in words."""
    last = log.events[-1]
    if last["event"] == "end":
        return f"stopped: {last['interrupted']}" if last["interrupted"] else "over"
    quiet = time.time() - (path / run_log.NAME).stat().st_mtime
    return "running" if quiet < QUIET else f"stopped, it seems: no line for {_duration(quiet)}"


def _figures(lines: list[dict[str, Any]], settings: Mapping[str, Any], *, over: bool) -> tuple[tuple[str, str], ...]:
    """The latest generation in figures."""
    line = lines[-1]
    low, high = line["best_95"]
    found = [
        ("best, on fresh deals", f"{line['best']:.1%} ({low:.1%} to {high:.1%})"),
        ("mean of the population", f"{line['mean']:.1%}"),
        ("in training", f"{line['training']:.1%}"),
        ("spread", f"{line['metrics']['spread']:.1%}"),
        ("games a second", f"{line['games_a_second']:,.0f}"),
        ("games", f"{line['games']:,}"),
    ]
    left = settings["generations"] - line["generation"]
    times = [entry["time"] for entry in lines[-10:] if isinstance(entry.get("time"), int | float)]
    if not over and left and len(times) > 1:
        found.append(("time left, about", _duration(left * (times[-1] - times[0]) / (len(times) - 1))))
    return tuple(found)


def _moved(keys: list[str], lines: list[dict[str, Any]]) -> tuple[Moved, ...]:
    """The rules whose weights moved most since the first generation; lines of other rules are left out."""
    fitting = [line["champion"] for line in lines if len(line["champion"][0]) == len(keys)]
    if len(fitting) < 2:
        return ()
    first, last = fitting[0], fitting[-1]
    found = [Moved(key, (first[0][i], first[1][i]), (last[0][i], last[1][i])) for i, key in enumerate(keys)]
    found.sort(key=lambda rule: -math.dist(rule.before, rule.now))
    return tuple(found[:MOST_RULES])


def _duration(seconds: float) -> str:
    """Seconds in words."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
