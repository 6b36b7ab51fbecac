"""Runs on the page of `rulebots web`: an entry point of the group `rulebots.web` names `part`.

The routes are here; `dashboard` says what a log tells of a run, with its curves; `run_processes` turns a form into a
command, and runs it. `rule_losses` measures what each rule of a player is worth.
"""

import contextlib
import re
import shlex
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from evolve.analysis.comparison import Comparison, compare
from evolve.settings import HAND_TUNED, Settings
from evolve.storage import log as run_log
from evolve.storage.folder import RUNS, run_name
from rulebots.errors import UsageError, demand, shown
from rulebots.packages import load_game
from rulebots.packages.named_code import names_from_data
from rulebots.packages.players import player_names, shipped_files
from rulebots.web.pages import PagePart, Pages, post, wants_fragment
from rulebots.web.runs.dashboard import Dashboard, course_chart, dashboard_of
from rulebots.web.runs.rule_losses import ADDRESS, RuleLossPages
from rulebots.web.runs.run_processes import (
    FIELDS,
    TIMES,
    RunProcesses,
    code_flags,
    every_rule_set,
    new_run,
    resumed_run,
)
from rulebots.web.saved_games import read_game, recent_games
from rulebots.web.served_folder import GAMES, REMEDIES, ServedFolder, game_of, games_here

#: The most runs that are listed, and rules of two champions that are compared.
MOST_RUNS = 100
MOST_RULES = 20
#: Of a run's name beside its values in a chart.
MOST_LETTERS = 20
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_. -]{0,120}")
#: Names that are addresses of this part.
_TAKEN = ("new", "compare")


def part(folder: Path, pages: Pages) -> PagePart:
    """The part of the page for the runs of a served folder."""
    served = ServedFolder(folder)
    return PagePart(
        ("/runs", "Runs"),
        [*RunPages(served, pages).routes, *RuleLossPages(served, pages).routes],
        Path(__file__).parent / "templates",
        ADDRESS,
    )


class RunPages:
    """The routes of runs."""

    def __init__(self, served: ServedFolder, pages: Pages) -> None:
        self.folder = served.folder / RUNS
        self.pages = pages
        self.served = served
        self.processes = RunProcesses(served.folder)
        self.routes = [
            Route("/runs", self._all),
            Route("/runs/new", self._new_form),
            post("/runs/new", self._new),
            Route("/runs/compare", self._compare),
            Route("/runs/{name}", self._run_page),
            post("/runs/{name}/stop", self._stop),
            post("/runs/{name}/resume", self._resume),
            post("/runs/{name}/delete", self._delete),
        ]

    def _all(self, request: Request) -> Response:
        folders = sorted(self._folders(), key=lambda path: -path.stat().st_mtime)
        runs = list[Dashboard]()
        broken = list[tuple[str, str]]()
        for path in folders[:MOST_RUNS]:
            try:
                runs.append(self._dashboard(path.name, whole=False))
            except UsageError as error:
                broken.append((path.name, str(error)))
        runs.sort(key=lambda run: -run.begun)
        titles = [run.title for run in runs]
        shared = [run for run in runs if titles.count(run.title) > 1]
        return self.pages.page(request, "runs.html", runs=runs, broken=broken, shared=shared)

    def _new_form(self, request: Request) -> Response:
        return self._new_page(request, dict(request.query_params))

    def _new(self, request: Request, fields: Mapping[str, str]) -> Response:
        try:
            name = self._free_name(fields)
            self.processes.start(name, new_run(fields, name, self.served))
        except UsageError as error:
            return self._new_page(request, fields, str(error))
        return RedirectResponse(f"/runs/{name}", 303)

    def _new_page(self, request: Request, fields: Mapping[str, str], message: str = "") -> Response:
        from evolve.strategies import strategies  # which breed: the first page does without

        games, _ = games_here()
        usual = dict[str, Settings]()
        rule_sets = dict[str, list[str]]()
        for game in games:
            with contextlib.suppress(UsageError):  # a game without rules can be played, and not bred
                rule_sets[game.name] = list(every_rule_set(game))
                usual[game.name] = Settings.of(game=game.name)
        latest = "kalah"
        for name, _ in recent_games(self.served.folder / GAMES, 1):
            with contextlib.suppress(UsageError):  # a user's game that was not named this time
                latest = read_game(self.served.folder / GAMES, name)[0].game.name
        return self.pages.page(
            request, "new_run.html", 422 if message else 200, message=message, fields=fields,
            games=[game for game in games if game.name in rule_sets], rule_sets=rule_sets, latest=latest,
            settings=FIELDS, strategies=sorted(strategies()), usual=usual, times=TIMES,
            starts={name: shipped_files(load_game(name)) for name in usual}, files=self.served.population_files(),
            rivals={name: [HAND_TUNED, *player_names(load_game(name))] for name in usual},
        )  # fmt: skip

    def _stop(self, request: Request, _: Mapping[str, str]) -> Response:
        return self._acted(request, lambda run: self.processes.stop(run.name))

    def _resume(self, request: Request, fields: Mapping[str, str]) -> Response:
        return self._acted(
            request,
            lambda run: self.processes.start(run.name, resumed_run(run.name, fields, run.game, run.rules, run.total)),
        )

    def _delete(self, request: Request, _: Mapping[str, str]) -> Response:
        """Delete the folder of a run that no process runs; a file of its result elsewhere stays."""
        name = self._path(request.path_params["name"]).name
        demand(name not in self.processes.running(), f"the run '{name}' goes on: stop it first")
        shutil.rmtree(self.folder / name, ignore_errors=True)
        demand(not (self.folder / name).exists(), f"{RUNS}/{name} cannot be deleted: look at its permissions")
        return RedirectResponse("/runs", 303)

    def _compare(self, request: Request) -> Response:
        both = [self._dashboard(request.query_params.get(key, "")) for key in ("a", "b")]
        champions, remark, in_points = None, "", both[0].in_points
        try:
            champions = self._champions(both)
        except UsageError as error:
            remark = str(error)
        flags = dict.fromkeys(flag for run in both for flag in code_flags(run.game, run.rules))
        return self.pages.page(
            request, "compare_runs.html", runs=both, remark=remark,
            chart=course_chart(
                [replace(run.series[0], name=run.name[:MOST_LETTERS]) for run in both if run.in_points == in_points],
                in_points=in_points,
            ),
            champions=champions, most=MOST_RULES,
            match=shlex.join(["rulebots", "match", *(run.champion for run in both), *flags]),
            game=champions and both[0].game and load_game(both[0].game),
        )  # fmt: skip

    def _champions(self, runs: list[Dashboard]) -> Comparison:
        """The champions' weights rule by rule. Raises UsageError if one is missing, or the games differ."""
        files = [str(self.served.population_file(run.champion)) for run in runs if run.champion]
        demand(runs[0].title == runs[1].title, "these are runs of two games: their rules have nothing in common")
        demand(len(files) >= 2, "the champions can be compared when both runs have bred one")
        with names_from_data(**REMEDIES):
            return compare(*files)

    def _acted(self, request: Request, act: Callable[[Dashboard], None]) -> Response:
        run = self._dashboard(request.path_params["name"])
        try:
            act(run)
        except UsageError as error:
            return self._run_page(request, str(error))
        return self._run_page(request) if wants_fragment(request) else RedirectResponse(f"/runs/{run.name}", 303)

    def _run_page(self, request: Request, message: str = "") -> Response:
        name = request.path_params["name"]
        failure = self.processes.failure(name)
        beginning = self.processes.beginning(name)
        try:
            run = self._dashboard(name)
        except UsageError:
            if failure:
                raise UsageError(f"the run '{shown(name)}' could not begin: {failure}") from None
            if not beginning:
                raise
            return self.pages.page(request, "run.html", fragment="run_fragment.html", name=name, run=None)
        stopping = self.processes.stopping(name)
        # A process that was started here has no lock before it has read its checkpoint.
        beginning = beginning and not run.running
        version = f"{run.version}{'-s' * stopping}{'-b' * beginning}"
        moving = run.running or beginning
        champion, remark = None, ""
        try:
            champion = self.served.file_player(run.champion) if run.champion else None
        except UsageError as error:
            remark = str(error)
        return self.pages.page(
            request, "run.html", 422 if message else 200, fragment="run_fragment.html",
            name=name, run=run, version=version, moving=moving, done=not moving, beginning=beginning, stopping=stopping,
            message=message or failure, champion=champion, remark=remark,
        )  # fmt: skip

    def _dashboard(self, name: str, *, whole: bool = True) -> Dashboard:
        """The dashboard of the run of that name. Raises UsageError."""
        return dashboard_of(self._path(name), whole=whole)

    def _path(self, name: str) -> Path:
        """The folder of the run of that name. Raises UsageError."""
        path = self.folder / name
        demand(path in self._folders(), f"there is no run '{shown(name)}' in {RUNS}/")
        demand(
            _NAME.fullmatch(name),
            f"{RUNS}/{shown(name)}: rename it: expected letters, digits, '_', '-', '.' and blanks",
        )
        demand((path / run_log.NAME).is_file(), f"{RUNS}/{name}: expected a {run_log.NAME}, as every run has one")
        return path

    def _folders(self) -> list[Path]:
        """The folders of runs, without hidden ones and links that lead out of the served folder."""
        return [
            path
            for path in (self.folder.iterdir() if self.folder.is_dir() else ())
            if path.is_dir() and path.resolve().parent == self.folder.resolve() and not path.name.startswith(".")
        ]

    def _free_name(self, fields: Mapping[str, str]) -> str:
        """The name of a new run, by default as in a terminal. Raises UsageError if it is taken or invalid."""
        usual = run_name(game_of(fields.get("game", "")).file_name, fields.get("seed") or 1)
        name = fields.get("name", "").strip() or usual
        demand(
            _NAME.fullmatch(name) and name not in _TAKEN,
            f"name: expected letters, digits, '_', '-', '.' and blanks, not '{shown(name)}'",
        )
        demand(
            not (self.folder / name).exists(),
            f"name: there is a run '{name}' already: choose another name, or resume that one",
        )
        return name
