"""What fuzz.py damages: sound files of every kind, and what reads them once they are damaged."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from conversations import conversations
from machine import CHECKOUT

from evolve.cli import commands as evolve_commands
from evolve.cli.progress import watch
from evolve.pictures import course_of
from evolve.run import Run
from evolve.settings import Settings, load_run_file, run_file_text
from evolve.start import restored
from evolve.storage import checkpoint, log as run_log
from evolve.storage.folder import SETTINGS, load_run, new_folder, settings_of
from rulebots import load_game, load_population, make_player, play_tournament
from rulebots.cli import commands as rulebots_commands
from rulebots.cli.app import load_commands, run_app
from rulebots.packages.population import check_population, population_text
from rulebots.packages.rule_sets import load_rules
from rulebots.records import check, load_record, play_recorded, record_text
from rulebots.tournaments.ladder import ladder_of, ladder_text, load_ladder

#: Tiny runs of each strategy, whose states are damaged.
STRATEGIES = ("ga", "memetic", "cma-es", "sheppard")
TINY = Settings(game="tictactoe", generations=3, population=4, deals=1, opponent_deals=1, hall_of_fame=2)

SIGNS = (
    ":", "- ", "? ", "[", "]", "{", "}", ",", "#", "&a ", "*a", "!", "!!float ", "%TAG ! a\n", "---\n", "...\n", "|\n",
    "\n", "\n  ", " ", "\t", "'", '"', "\\", "<<: ", "~", ".inf", ".nan", "-1", "0", "1e999", "9" * 5000, "0x_", "true",
    "2001-01-01", "\r", "\x85", "\u2028", "\0", "\ufeff", "\u202e", "\U0001f600", "9" * 400, "1e308", "-1e308", '"x"',
    "[" * 50, "[]," * 50, "a" * 1100, "null",
    "!!python/object/apply:os.system ['true']", "!ruby/object:A ", "=", "/", "..", "\x1b[2J",
)  # fmt: skip
ARGUMENTS = (
    "", "-", "--", "-1", "0", "1", "2", "1e308", "nan", "inf", "9" * 30, "--help", "--json", "--nothing", "\udcff",
    "random", "nobody", "mcts:iterations=x", "minimax:depth=", "perfect:x",
    "population", "population#", "population#nobody", "ladder", "record", "folder", "none.yaml", ".", "/dev/null",
    "--game", "tictactoe", "--rules", "--option", "size=3", "suits=6", "x=y", "seats=3", "table",
    "--seed", "--deals",
    "--opening-plies", "--jobs", "--sprt", "--until", "0.5%", "--swiss", "--gauntlet", "--ply", "--record", "--once",
)  # fmt: skip
#: Commands that end soon whatever follows: the only player that has to be compiled is that of `play`, and it is before
#: the first case. `--deals` is 1 unless an edit says otherwise.
COMMANDS = (
    "rulebots match random population --deals 1", "rulebots match random random --deals 1",
    "rulebots games", "rulebots rules tictactoe", "rulebots players tictactoe", "rulebots schema tictactoe",
    "rulebots replay record", "rulebots replay record 1", "rulebots why random --replay record --number 1 --ply 1",
    "rulebots match random random --game tictactoe --deals 1", "rulebots tournament --rerun ladder",
    "rulebots tournament random random --game tictactoe --deals 1", "evolve check population", "evolve show population",
    "evolve diff population champion", "evolve watch folder --once", "evolve show population --json",
    "rulebots play tictactoe", "rulebots match random random random --game cant-stop --option seats=3 --deals 1",
    "rulebots match random random --game cant-stop --option seats=4 --deals 1", "rulebots replay table",
    "rulebots tournament random random random --game cant-stop --option seats=3 --deals 1",
)  # fmt: skip


class FailedError(AssertionError):
    """A case that is a defect."""


@dataclass(frozen=True)
class Format:
    """What is damaged: sound texts to begin from, words to put in, and what reads the result."""

    sound: tuple[str, ...]
    words: tuple[str, ...]
    read: Callable[[bytes, bool], None]


class Files:
    """Sound files of every kind in a folder, and what reads damaged ones."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.apps = {"rulebots": rulebots_commands, "evolve": evolve_commands}
        for package in self.apps.values():
            load_commands(package)
        game = load_game("tictactoe")
        players = [make_player("random", game) for _ in range(2)]
        names = ["random", "random"]
        played = play_tournament(players, deals=1)
        plain = {"system": "round-robin", "rounds": None, "deals": 1, "seed": 1, "options": {}, "opening_plies": None}
        made = ladder_of(played, names, ["0", "1e5"], plain)
        page = {"deals": 1, "stopped": False, "fault": "", "one_sided": True, "records": {"0-1": "a: b\n"}}
        ladder, of_page = ladder_text(made), ladder_text(replace(made, page=page))
        _, recorded = play_recorded(*players, deals=1)
        record = record_text(recorded)
        three = [make_player("random", load_game("cant-stop")) for _ in range(3)]
        seated, chosen = {"seats": 3}, {**plain, "options": {"seats": 3}}
        of_table = ladder_of(play_tournament(three, deals=1, options=seated), ["random"] * 3, ["0", "1", "2"], chosen)
        _, at_table = play_recorded(*three[:2], deals=1, options=seated)
        ladders, records = (ladder, of_page, ladder_text(of_table)), (record, record_text(at_table))
        populations = tuple(
            (CHECKOUT / "populations" / name).read_text("utf-8")
            for name in ("tictactoe/hand_tuned.yaml", "lost_cities/sheppard.yaml")
        )
        ruby = "--- !ruby/object:A\nprules:\n  :rule_lowCard: [1, 2]\n'drules':\n  rule_singleton:\n  - 1\n  - 2\n"
        quiz = "- - [1, 0.5]\n  - [1]\n- [Rules::PlayLowestFirst, Rules::DepriveOpponent]\n"
        run_file = run_file_text(TINY)
        self.runs = {strategy: self._run(strategy) for strategy in STRATEGIES}
        states = tuple(
            json.dumps({"settings": asdict(settings), "target": "", "run": state})
            for settings, state in self.runs.values()
        )
        log, settings_text = ((self.folder / "ga" / name).read_text() for name in (run_log.NAME, SETTINGS))
        self.formats: Mapping[str, Format] = {
            "population": Format((*populations, ruby, quiz), (*SIGNS, *words_of(populations)), self.population),
            "ladder": Format(ladders, (*SIGNS, *words_of(ladders[1:])), self.ladder),
            "record": Format(records, (*SIGNS, *words_of(records)), self.record),
            "run file": Format((run_file,), (*SIGNS, *words_of([run_file])), self.run_file),
            "checkpoint": Format(states, (*SIGNS, *words_of(states)), self.checkpoint),
            "log": Format((log,), (*SIGNS, *words_of([log])), self.log),
            "settings": Format((settings_text,), (*SIGNS, *words_of([settings_text])), self.settings),
            "command": Format(tuple(c.replace(" ", "\n") for c in COMMANDS), ("\n", *lines(ARGUMENTS)), self.command),
        }
        wires = {who: Format((sound,), (*SIGNS, *words), read) for who, (sound, words, read) in conversations().items()}
        self.formats = {**self.formats, **wires}
        for name, content in zip(
            ("population", "ladder", "record", "table"), (populations[0], ladder, *records), strict=True
        ):
            (folder / name).write_text(content, "utf-8")
        os.fsync = lambda _: None  # nothing here outlives the process
        sys.stdin = io.StringIO()  # `play` gets no answer
        for found in self.formats.values():  # what is compiled or imported at first use does not count for a case
            for text in found.sound:
                found.read(text.encode(), True)

    def _run(self, strategy: str) -> tuple[Settings, dict[str, Any]]:
        """The settings and the state of a run after a generation; `ga` leaves its folder."""
        chosen = replace(TINY, strategy=strategy, population=14 if strategy == "sheppard" else TINY.population)
        run = Run(chosen)
        with new_folder(chosen.file_name, chosen.seed, self.folder / strategy, None) as kept:
            kept.begin(run)
            kept.keep(run, next(run.generations()))
        state: dict[str, Any] = json.loads(json.dumps(run.state()))
        return chosen, state

    def _written(self, name: str, data: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(data)
        return path

    def population(self, data: bytes, _: bool) -> None:
        """A population file, and what is written of it."""
        path = self._written("case.yaml", data)
        problems = check_population(path)
        if any(len(str(problem).splitlines()) != 1 for problem in problems):
            raise FailedError("a problem is not one line")
        if not problems:
            text = population_text(load_population(path))
            path.write_bytes(text.encode())
            if population_text(load_population(path)) != text:
                raise FailedError("written, read and written again it is not the same")

    def ladder(self, data: bytes, _: bool) -> None:
        """A ladder."""
        load_ladder(self._written("case", data))

    def record(self, data: bytes, _: bool) -> None:
        """A record, and its games played again."""
        for _game in check(load_record(self._written("case", data))):
            pass

    def run_file(self, data: bytes, _: bool) -> None:
        """A run file, and what is written of it."""
        path = self._written("case.yaml", data)
        found = load_run_file(path)
        text = run_file_text(Settings.of(found.pop("strategy", None), **found))
        path.write_bytes(text.encode())
        if run_file_text(Settings(**load_run_file(path))) != text:
            raise FailedError("written, read and written again it is not the same")

    def checkpoint(self, data: bytes, sealed: bool) -> None:
        """A checkpoint, and the breeder that goes on from it."""
        folder = self.folder / "case run"
        folder.mkdir(exist_ok=True)
        if sealed:
            head = json.dumps({"format": checkpoint.FORMAT, "by": "fuzz", "run": "0"})[:-1].encode()
            body = head + b', "content": ' + data
            data = body + f', "sha256": "{hashlib.sha256(body).hexdigest()}"}}\n'.encode()
        (folder / checkpoint.NAME).write_bytes(data)
        content = load_run(folder).content
        chosen, game = settings_of(folder, content), load_game("tictactoe")
        restored(chosen, game, load_rules(game=game), [], content["run"], drop_missing=True)

    def log(self, data: bytes, _: bool) -> None:
        """A log, as `watch`, `plot` and `resume` read it."""
        folder = self.folder / "case log"
        folder.mkdir(exist_ok=True)
        (folder / run_log.NAME).write_bytes(data)
        with contextlib.redirect_stdout(io.StringIO()):
            watch(folder, once=True)
        run_log.cut_back(folder, "0", 1)
        (folder / run_log.NAME).write_bytes(data)
        course = course_of(folder)
        course.series("metrics", "spread")
        str(course.title)

    def settings(self, data: bytes, _: bool) -> None:
        """The settings for people, of which `resume` reads the id; and settings for a run."""
        (self.folder / "ga" / SETTINGS).write_bytes(data)
        load_run(self.folder / "ga")
        with contextlib.suppress(ValueError, RecursionError):
            found = json.loads(data)
            if isinstance(found, dict):
                settings_of(self.folder, {"settings": {k: v for k, v in found.items() if k != "run"}})

    def command(self, data: bytes, _: bool) -> None:
        """A command line, in this process."""
        program, *arguments = data.decode("utf-8", "surrogateescape").split("\n")
        # The first word is the program's name and takes no part; a long match is not a mistake.
        package = self.apps.get(program, rulebots_commands)
        if any(len(word) > 3 and word.isdecimal() for word in arguments):
            return
        if {"match", "tournament"} & set(arguments) and not {"--deals", "--rerun"} & set(arguments):
            return
        out, err, before = io.StringIO(), io.StringIO(), set(self.folder.rglob("*"))
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run_app(package.app, "program", [a for a in arguments if a] or ["--help"])
        for path in set(self.folder.rglob("*")) - before:  # later cases must not find files of this one
            path.unlink() if path.is_file() else shutil.rmtree(path, ignore_errors=True)
        told = [line for line in err.getvalue().splitlines() if not line.startswith(("warning: ", "compiling "))]
        if code not in {0, 1, 2} or (code == 2 and len(told) != 1) or len(told) > 1:
            raise FailedError(f"exit code {code}, {told}")


def asdict(chosen: Settings) -> dict[str, Any]:
    """Settings as a checkpoint holds them."""
    from evolve.storage.folder import as_json

    return as_json(chosen)


def words_of(texts: Any) -> tuple[str, ...]:
    """The first words of texts, without repeating one."""
    return tuple(dict.fromkeys(word for text in texts for word in text.replace('"', " ").split()))[:60]


def lines(words: tuple[str, ...]) -> tuple[str, ...]:
    """Words that stand on lines of their own."""
    return tuple(f"\n{word}\n" for word in words)
