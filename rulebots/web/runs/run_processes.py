"""Runs as processes of `evolve`, which outlive the page: a form's command, started, stopped and resumed.

Nothing in a command names code or a file outside the served folder.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from evolve.settings import HAND_TUNED, Settings
from evolve.storage.folder import CHAMPION, RUNS, process_of, settings_of
from evolve.storage.log import NAME as LOG
from rulebots.errors import UsageError, demand, shown
from rulebots.files.ranges import Range, flags_of, ranges_of
from rulebots.game import Game
from rulebots.packages import load_game, path_of_game
from rulebots.packages.named_code import origin_of
from rulebots.packages.players import shipped_files, split_spec
from rulebots.packages.rule_sets import brought_rule_sets, rule_sets_of
from rulebots.players.specs import NONE, in_list, specs_of
from rulebots.web.pages import whole_number
from rulebots.web.served_folder import ServedFolder, game_of

#: The most generations of a run that the page starts, and that a resume adds: those that a person watches.
MOST_GENERATIONS = 1000
#: The most opponents of a run, and the longest field that names them.
MOST_OPPONENTS = 8
LONGEST = 500
#: Runs of a folder that go on at the same time, started by the page or in a terminal.
MOST_RUNNING = 2
#: Where the output of a run is kept, below the folder of runs.
PRINTED = ".printed"
_PROGRAM = "import sys; from evolve.cli.main import main; sys.exit(main())"


@dataclass(frozen=True)
class SettingField:
    """A setting of a run as a field of the form: range and meaning are those that `Settings` declares.

    `default` and `most` are the page's own; an empty field without default is as usual for the game.
    """

    name: str
    default: int | None = None
    most: int | None = None
    #: Whether it stands under More.
    more: bool = True
    #: Whether it stands there only where a link or a form brings it.
    rare: bool = False

    @property
    def range(self) -> Range | None:
        """The numbers that it may be; None for a text."""
        declared = ranges_of(Settings).get(self.name)
        return replace(declared, high=self.most) if declared and self.most else declared

    @property
    def meaning(self) -> str:
        """What it is, in words; of a text also what an empty one stands for."""
        if self.range is not None:
            return self.range.meaning
        declared = next(one.metadata for one in fields(Settings) if one.name == self.name)
        return f"{declared['meaning']}; empty: {declared.get('usual', 'as usual for the game')}"

    def read(self, sent: Mapping[str, str]) -> Any:
        """The value that a form sends, "" for none. Raises UsageError for a number out of its range."""
        text = sent.get(self.name, "").strip()[:LONGEST]
        if self.range is None or (not text and self.default is None):
            return text
        return whole_number(sent, self.name, int(self.range.low), int(self.range.high), self.default)


#: The settings on the form, besides the game and its rules.
FIELDS = (
    SettingField("generations", most=MOST_GENERATIONS, more=False),
    SettingField("population", most=200, more=False),
    SettingField("seed", 1),
    SettingField("start"),
    SettingField("strategy"),
    SettingField("opponents"),
    *(SettingField(name, most=1000, rare=True) for name in ("deals", "opponent_deals", "hall_of_fame")),
)
#: How long a run may take, as `--time` has it, and in words; the first one is that of a new form.
TIMES = {
    "10m": "about 10 minutes",
    "2m": "about 2 minutes",
    "60m": "about an hour",
    "480m": "about 8 hours",
    "": "as long as its size takes",
}


def every_rule_set(game: Game) -> dict[str, Any]:
    """The rule sets of a game that can be bred, by name: those that ship and those that a person has brought."""
    return {**rule_sets_of(game), **brought_rule_sets(game)}


def new_run(sent: Mapping[str, str], name: str, served: ServedFolder) -> list[str]:
    """The words after `evolve` that begin a run. Raises UsageError for a wrong field."""
    from evolve.strategies import make_breeder  # which breeds: the first page does without

    game = game_of(sent.get("game", ""))
    rule_sets = every_rule_set(game)
    rules = sent.get("rules", "").strip() or next(iter(rule_sets_of(game)))
    demand(rules in rule_sets, f"rules: expected one of {', '.join(rule_sets)}, not '{shown(rules)}'")
    values = {field.name: value for field in FIELDS if (value := field.read(sent)) != ""}
    if "start" in values:
        path, player = split_spec(values["start"])
        if path not in shipped_files(game):
            values["start"] = str(served.population_file(path)) + ("" if player is None else f"#{player}")
    if "opponents" in values:
        values["opponents"] = _opponents(values["opponents"], game, served)
    # An unknown strategy or setting of it is refused as by the run itself.
    make_breeder(
        Settings.of(**{**values, "game": game.name, "rules": rules}), rule_sets[rules], [rule_sets[rules].hand_tuned()]
    )
    time = sent.get("time", "")
    demand(time in TIMES, f"time: expected one of {', '.join(filter(None, TIMES))}, not '{shown(time)}'")
    origin = origin_of(rule_sets[rules])
    words = [
        "run", "--game", path_of_game(game.name), "--rules", origin.absolute if origin else rules,
        "--run-dir", str(RUNS / name), "--quiet",
        "--out", str(RUNS / name / CHAMPION),  # the file that the run keeps anyhow, and no second one
        *["--time", time] * bool(time),
    ]  # fmt: skip
    for setting, value in values.items():
        for text in map(in_list, value or (NONE,)) if setting == "opponents" else [str(value)]:
            words += [flags_of(Settings)[setting], text]
    return words


def form_again(about: Mapping[str, Any], game: str, generations: int) -> dict[str, Any]:
    """The fields of the form that begin the same run with the next seed; empty where it has settings beyond the form.

    `about` is the beginning of its log, `generations` are those that it was begun for.
    """
    time = f"{about.get('seconds', 0) / 60:g}m"
    free = about.get("free", ()) if time in TIMES else ()
    names = {"game", "rules", *(field.name for field in FIELDS)} - {*free}
    known = {**about["settings"], "generations": generations, "game": game, "rules": about["rules"]}
    with contextlib.suppress(UsageError):
        settings = settings_of(Path(game), {"settings": known})
        names -= {field.name for field in FIELDS if field.rare} - settings.chosen().keys()
        if settings.chosen().keys() <= {*names, *free} and not any(
            field.range and vars(settings)[field.name] > field.range.high for field in FIELDS if field.name in names
        ):
            form = {
                **vars(settings),
                "seed": settings.seed + 1,
                "opponents": ",".join(map(in_list, settings.opponents)) or NONE,
            }
            return {name: form[name] for name in names} | {"time": time if time in TIMES else ""}
    return {}


def resumed_run(name: str, sent: Mapping[str, str], game: str, rules: str, total: int) -> list[str]:
    """The words that resume a run of that rule set and game, "" if the game is not here. Raises UsageError.

    `total` are the generations that it has or had before it.
    """
    words = ["resume", str(RUNS / name), "--quiet"]
    if sent.get("generations", "").strip():
        words += ["--generations", str(whole_number(sent, "generations", 1, total + MOST_GENERATIONS))]
    return words + code_flags(game, rules)


def code_flags(game: str, rules: str) -> list[str]:
    """The flags by which a command finds a game of the page, "" if it is not here, and a rule set of it."""
    origin = origin_of(every_rule_set(load_game(game)).get(rules)) if game else None
    return [f"--game={path_of_game(game)}"] * (path_of_game(game) != game) + [
        f"--import={named.absolute}" for named in [origin] if named
    ]


def _opponents(text: str, game: Game, served: ServedFolder) -> tuple[str, ...]:
    """The opponents of a run, files as whole paths. Raises UsageError if one is not available."""
    names = specs_of([text])
    demand(len(names) <= MOST_OPPONENTS, f"opponents: expected at most {MOST_OPPONENTS}, not {len(names)}")
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
            demand(name not in running, f"the run '{name}' goes on already")
            demand(
                len(running) < MOST_RUNNING,
                f"{' and '.join(running)} go on, and this page starts no more: stop one, or wait",
            )
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
        """Act as one Ctrl-C: the run ends its step, plays its run-off, and saves the result.

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
        """The processes of running runs, by the run's name."""
        processes = {name: child.pid for name, child in list(self._started.items()) if child.poll() is None}
        root = self.folder / RUNS
        for path in root.iterdir() if root.is_dir() else ():
            process = process_of(path) if path.name not in processes and not path.is_symlink() else None
            if process is not None:
                processes[path.name] = process
        return processes

    def failure(self, name: str) -> str:
        """The last line of the output of a run that was started here and failed; "" if it has not."""
        child = self._started.get(name)
        if child is None or not child.poll() or name in self._stopped:
            return ""
        lines = list[str]()
        with contextlib.suppress(OSError):
            lines = self._printed(name).read_text("utf-8", "replace").splitlines()
        return next((line for line in reversed(lines) if line.strip()), f"it ended with code {child.returncode}")[:2000]

    def beginning(self, name: str) -> bool:
        """Whether a run was started here that has not yet written to its log."""
        log = self.folder / RUNS / name / LOG
        return (
            name in self._started
            and self._started[name].poll() is None
            and not (log.exists() and log.stat().st_mtime > self._printed(name).stat().st_mtime)
        )

    def _printed(self, name: str) -> Path:
        return self.folder / RUNS / PRINTED / f"{name}.txt"
