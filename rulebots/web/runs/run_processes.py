"""Runs as processes of `evolve`, which survive the page: the command that a form orders, started, stopped and resumed.

Nothing in a command names code or a file outside the served folder.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evolve.settings import HAND_TUNED, Settings
from evolve.storage.folder import CHAMPION, RUNS, process_of
from rulebots.errors import UsageError, shown
from rulebots.game import Game
from rulebots.game.random_numbers import MOST_SEED
from rulebots.packages import game_names, load_game, path_of_game
from rulebots.packages.named_code import origin_of
from rulebots.packages.players import shipped_files, split_spec
from rulebots.packages.rule_sets import brought_rule_sets, rule_sets_of
from rulebots.players.specs import NONE, in_list, specs_of
from rulebots.web.security import whole_number
from rulebots.web.served_folder import ServedFolder

#: The largest run that the page starts, and what the form offers: a run that a person watches.
MOST_GENERATIONS = 1000
MOST_POPULATION = 200
GENERATIONS = 20
POPULATION = 40
#: The most opponents of a run, and the longest field that names them.
MOST_OPPONENTS = 8
LONGEST = 500
#: Runs of a folder that go on at the same time, started by the page or in a terminal.
MOST_RUNNING = 2
#: Where the output of a run is kept, below the folder of runs.
PRINTED = ".printed"
_PROGRAM = "import sys; from evolve.cli.main import main; sys.exit(main())"


def every_rule_set(game: Game) -> dict[str, Any]:
    """The rule sets of a game that can be bred, by name: those that ship and those that a person has brought."""
    return {**rule_sets_of(game), **brought_rule_sets(game)}


def new_run(fields: Mapping[str, str], name: str, served: ServedFolder) -> list[str]:
    """The words after `evolve` that begin a run. Raises UsageError for a wrong field."""
    game_name = fields.get("game", "")
    if game_name not in game_names():
        raise UsageError(f"game: expected one of {', '.join(game_names())}, not '{shown(game_name)}'")
    game = load_game(game_name)
    rule_sets = every_rule_set(game)
    rules = fields.get("rules", "").strip() or next(iter(rule_sets_of(game)))
    if rules not in rule_sets:
        raise UsageError(f"rules: expected one of {', '.join(rule_sets)}, not '{shown(rules)}'")
    origin = origin_of(rule_sets[rules])
    generations = whole_number(fields, "generations", 1, MOST_GENERATIONS, GENERATIONS)
    population = whole_number(fields, "population", 2, MOST_POPULATION, POPULATION)
    words = ["run", "--game", path_of_game(game.name), "--rules", origin.absolute if origin else rules]
    words += ["--generations", str(generations), "--population", str(population)]
    words += ["--seed", str(whole_number(fields, "seed", 0, MOST_SEED, 1)), "--run-dir", str(RUNS / name), "--quiet"]
    words += ["--out", str(RUNS / name / CHAMPION)]  # the file that the run keeps anyhow, and no second one
    start = fields.get("start", "").strip()
    if start:
        path, player = split_spec(start)
        # As a whole path: by its name alone another game's would be found.
        file = shipped_files(game).get(path) or served.population_file(path)
        words += ["--from", str(file) + ("" if player is None else f"#{player}")]
    settings: dict[str, Any] = {"game": game.name, "rules": rules, "generations": generations, "population": population}
    strategy = fields.get("strategy", "").strip()[:LONGEST]
    if strategy:
        words += ["--strategy", strategy]
    opponents = fields.get("opponents", "").strip()[:LONGEST]
    if opponents:
        settings["opponents"] = _opponents(opponents, game, served)
        for opponent in settings["opponents"] or (NONE,):
            words += ["--opponents", in_list(opponent)]
    _check(Settings.of(strategy or None, **settings), rule_sets[rules])
    return words


def resumed_run(name: str, fields: Mapping[str, str], game: str, rules: str) -> list[str]:
    """The words that resume a run of that rule set and game, "" if the game is not here. Raises UsageError."""
    words = ["resume", str(RUNS / name), "--quiet"]
    if fields.get("generations", "").strip():
        words += ["--generations", str(whole_number(fields, "generations", 1, MOST_GENERATIONS))]
    if game and path_of_game(game) != game:
        words += ["--game", path_of_game(game)]
    origin = origin_of(every_rule_set(load_game(game)).get(rules)) if game else None
    return [*words, "--import", origin.absolute] if origin else words


def _check(settings: Settings, rules: Any) -> None:
    """Raises UsageError for an unknown strategy or setting of it, as the run itself would."""
    from evolve.strategies import make_breeder  # which breeds: the first page does without

    make_breeder(settings, rules, [rules.hand_tuned()])


def _opponents(text: str, game: Game, served: ServedFolder) -> tuple[str, ...]:
    """The opponents of a run, files as whole paths. Raises UsageError for one that cannot be had."""
    names = specs_of([text])
    if len(names) > MOST_OPPONENTS:
        raise UsageError(f"opponents: expected at most {MOST_OPPONENTS}, not {len(names)}")
    for name in names:
        if name != HAND_TUNED:
            served.player(name, game)
    return tuple(name if name == HAND_TUNED else served.player_text(name, game) for name in names)


class RunProcesses:
    """The processes of the runs below a folder's `runs/`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._started: dict[str, subprocess.Popen[bytes]] = {}
        self._stopped: dict[str, int] = {}
        self._lock = threading.Lock()

    def start(self, name: str, command: Sequence[str]) -> None:
        """Start `evolve COMMAND...` for the run of that name.

        Raises:
            UsageError: `MOST_RUNNING` runs go on already, or the output cannot be kept.
        """
        with self._lock:
            running = self.running()
            if name in running:
                raise UsageError(f"the run '{name}' goes on already")
            if len(running) >= MOST_RUNNING:
                raise UsageError(f"{len(running)} runs go on, and this page starts no more: stop one, or wait")
            try:
                for inner in (PRINTED, name):
                    (self.folder / RUNS / inner).mkdir(parents=True, exist_ok=True)
                with self._printed(name).open("wb") as printed:
                    # In a session of its own, Ctrl-C in the terminal of the page does not reach it. With -P nothing
                    # is imported from the served folder only because it stands there.
                    self._started[name] = subprocess.Popen(  # noqa: S603 - evolve, its words checked
                        [sys.executable, "-P", "-c", _PROGRAM, *command],
                        cwd=self.folder,
                        stdin=subprocess.DEVNULL,
                        stdout=printed,
                        stderr=subprocess.STDOUT,
                        start_new_session=True,
                    )
            except OSError as error:
                raise UsageError(f"the run cannot be started: {error.strerror or error}") from None
            self._stopped.pop(name, None)

    def stop(self, name: str) -> None:
        """Do what Ctrl-C once does: the run ends its step, plays its run-off, and saves the result.

        Raises:
            UsageError: no process that can be stopped runs it.
        """
        process = self.running().get(name)
        if process is None:
            raise UsageError(f"no process that can be stopped runs '{name}'")
        self._stopped[name] = process
        # Not SIGINT: what a shell starts in the background ignores it, and so does what that starts.
        os.kill(process, signal.SIGTERM)

    def stopping(self, name: str) -> bool:
        """Whether the process that runs it now was stopped from this page."""
        return name in self._stopped and self.running().get(name) == self._stopped[name]

    def running(self) -> dict[str, int]:
        """The processes of the runs that go on, by the run's name."""
        processes = {name: child.pid for name, child in list(self._started.items()) if child.poll() is None}
        root = self.folder / RUNS
        for path in root.iterdir() if root.is_dir() else ():
            try:
                process = process_of(path) if path.name not in processes and not path.is_symlink() else None
            except NotImplementedError:
                break
            if process is not None:
                processes[path.name] = process
        return processes

    def failure(self, name: str) -> str:
        """The last line of the output of a run that was started here and failed; "" where it has not."""
        child = self._started.get(name)
        if child is None or not child.poll() or name in self._stopped:
            return ""
        try:
            lines = self._printed(name).read_text("utf-8", "replace").splitlines()
        except OSError:
            lines = []
        return next((line for line in reversed(lines) if line.strip()), f"it ended with code {child.returncode}")[:2000]

    def beginning(self, name: str) -> bool:
        """Whether a run was started here of which there is nothing to show yet."""
        child = self._started.get(name)
        return child is not None and child.poll() is None

    def _printed(self, name: str) -> Path:
        return self.folder / RUNS / PRINTED / f"{name}.txt"
