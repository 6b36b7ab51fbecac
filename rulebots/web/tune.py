"""Tune: the weights of a player's file by hand, with what a change does in games, and a new file of them."""

import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rulebots.errors import UsageError, demand, shown
from rulebots.files import write_new
from rulebots.files.ranges import number_of
from rulebots.packages import package_of
from rulebots.packages.players import shipped_files
from rulebots.packages.population import Entry, population_text, rounded
from rulebots.players import CompiledPlayer, RulePlayer
from rulebots.rules import MOST_WEIGHT
from rulebots.web.board import board_of
from rulebots.web.pages import Pages, post, wants_fragment
from rulebots.web.served_folder import SEARCHES, FilePlayer, NotFound, ProblemsError, ServedFolder, games_here
from rulebots.web.weight_trials import UNCHANGED, WeightTrial, play_of

#: Trials that are remembered, and those that play at the same time.
MOST_TRIALS = 32
MOST_PLAYING = 2
#: Opponents of a trial.
MOST_OPPONENTS = 4
_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_. -]{0,80}\.ya?ml")


class TunePages:
    """The routes of tuning."""

    def __init__(self, served: ServedFolder, pages: Pages) -> None:
        self.served = served
        self.pages = pages
        #: The latest trials of all tabs.
        self._trials: OrderedDict[str, WeightTrial] = OrderedDict()
        self._lock = threading.Lock()
        self.routes = [
            Route("/tune", self._choose),
            Route("/tune/edit", self._edit),
            post("/tune/try", self._try),
            post("/tune/on", self._play_on),
            post("/tune/save", self._save),
            Route("/tune/trial/{id}", lambda request: self._trial_page(request, request.path_params["id"])),
        ]

    def _choose(self, request: Request) -> Response:
        shipped = [(game, sorted(shipped_files(game))) for game in games_here()[0]]
        flaws = self.served.flaws()
        files = {
            game.title: [name for name in self.served.population_files(game) if not flaws.get(name, "unread")]
            for game, _ in shipped
        }
        return self.pages.page(request, "tune.html", shipped=shipped, files=files, flaws=flaws)

    def _edit(self, request: Request) -> Response:
        try:
            player = self._player(request.query_params)
        except ProblemsError as error:
            return self.pages.page(
                request, "problems.html", 422, player=request.query_params["player"], problems=error.problems
            )
        return self._form(request, player, player.entry.weights, {})

    def _try(self, request: Request, fields: Mapping[str, str]) -> Response:
        player = self._player(fields)
        weights = weights_of(player, fields)
        rules = player.population.rules
        names = _opponents(fields)
        demand(
            1 <= len(names) <= MOST_OPPONENTS,
            f"expected 1 to {MOST_OPPONENTS} opponents, chosen or named with spaces between the names, "
            f"not {len(names) or 'none'}",
        )
        trial = WeightTrial(
            RulePlayer(rules, player.entry.weights, UNCHANGED),
            RulePlayer(rules, weights, "changed"),
            self._apart(player, names),
            secrets.randbits(31),
        )
        name = self._add(trial, fields.get("trial", ""))
        trial.done.wait(0.5)
        if wants_fragment(request):
            return self._trial_page(request, name)
        return self._form(request, player, weights, fields, trial_name=name)

    def _play_on(self, request: Request, fields: Mapping[str, str]) -> Response:
        """Add games to an undecided trial; or stop."""
        name = fields.get("trial", "")
        trial = self._trial(name)
        if "stop" in fields:
            trial.stop()
        with self._lock:
            waits = trial.done.is_set() and trial.open and "stop" not in fields
            if waits:
                trial.done.clear()
                trial.stopped = False
        if waits:
            self._begin(trial)
        trial.done.wait(0.5)
        return (
            self._trial_page(request, name) if wants_fragment(request) else RedirectResponse(f"/tune/trial/{name}", 303)
        )

    def _save(self, request: Request, fields: Mapping[str, str]) -> Response:
        """Write the weights to a new file, with the comment above the old one unless a run wrote that."""
        player = self._player(fields)
        weights = weights_of(player, fields)
        name = fields.get("file", "").strip()
        name += ".yaml" if name and "." not in name else ""
        message = ""
        try:
            self._write(player, weights, name)
        except UsageError as error:
            message = str(error)
        saved = "" if message else name
        if wants_fragment(request):
            return self.pages.page(request, "saved.html", message=message, saved=saved, game=player.population.game)
        return self._form(request, player, weights, fields, message=message, saved=saved)

    def _add(self, trial: WeightTrial, former: str) -> str:
        """Begin a trial unless its tab has the same one; else that one stops, and the oldest where too many play."""
        with self._lock:
            if (before := self._trials.get(former)) is not None:
                if before.stands_for(trial):
                    return former
                del self._trials[former]
                before.stop()
                # Whose results nobody saw is no attempt.
                trial.number = before.number + bool(before.results)
            while len(self._trials) >= MOST_TRIALS:
                self._trials.popitem(last=False)[1].stop()
            name = secrets.token_urlsafe(9)
            self._trials[name] = trial
        self._begin(trial)
        return name

    def _begin(self, trial: WeightTrial) -> None:
        """Play; where too many play, the oldest of them stops."""
        with self._lock:
            playing = [one for one in self._trials.values() if not (one is trial or one.stopped or one.done.is_set())]
            if len(playing) >= MOST_PLAYING:
                playing[0].stop()
        trial.start()

    def _trial(self, name: str) -> WeightTrial:
        """The trial of that name. Raises NotFound."""
        with self._lock:
            demand(name in self._trials, "this trial is over: change a weight to begin another one", NotFound)
            return self._trials[name]

    def _apart(self, player: FilePlayer, names: Iterable[str]) -> list[CompiledPlayer]:
        """The opponents of those names, each player once, whatever its names. Raises UsageError for a slow one."""
        apart = dict[Hashable, CompiledPlayer]()
        old = RulePlayer(player.population.rules, player.entry.weights, UNCHANGED)
        for name in names:
            # A search is not even made: that may compile it.
            search = name.partition(":")[0] in SEARCHES
            opponent = old if search or name == UNCHANGED else self.served.player(name, player.population.game)
            if search or not isinstance(opponent, CompiledPlayer):
                raise UsageError(f"'{shown(name)}' is too slow to try weights against: name a rule player")
            apart.setdefault(play_of(opponent), opponent)
        return list(apart.values())

    def _player(self, fields: Mapping[str, str]) -> FilePlayer:
        game = fields.get("game", "")
        player = self.served.file_player(fields.get("player", ""), game)
        held = player.population.game
        demand(game in ("", held.name), f"{player.spec} holds players of {held.title}, not of {game}")
        return player

    def _write(self, player: FilePlayer, weights: npt.NDArray[np.float64], name: str) -> None:
        """Write a population of the one player. Raises UsageError unless the name is that of a new file."""
        demand(
            _FILE.fullmatch(name),
            f"expected the name of a new file in the folder, such as mine.yaml, not '{shown(name)}'",
        )
        changed = frozenset(np.flatnonzero((player.entry.weights != weights).any(axis=0)).tolist())
        demand(changed, "nothing is changed, so there is nothing to save: the weights are those of the file")
        comment = "" if player.population.bred else player.population.comment
        tuned = replace(
            player.population, bred=None,
            players={player.name: Entry(rounded(weights), None, player.entry.note, player.entry.unnamed - changed)},
            comment="\n".join(filter(None, [comment, f"tuned by hand from {player.spec}"])),
        )  # fmt: skip
        write_new(self.served.folder / name, population_text(tuned))

    def _form(
        self,
        request: Request,
        player: FilePlayer,
        weights: npt.NDArray[np.float64],
        fields: Mapping[str, str],
        message: str = "",
        saved: str = "",
        trial_name: str = "",
    ) -> Response:
        rules = player.population.rules
        groups = _groups(
            [{**row, "words": rule.words} for row, rule in zip(rules.rows(weights), rules.rules, strict=True)],
            player.entry.weights,
        )
        package = package_of(rules.game)
        known = [*package.references, *shipped_files(rules.game), *package.baselines]
        # Those for larger tables end in a number; the player itself is the unchanged one.
        fitting = (name for name in known if name != player.spec and not name.rpartition("_")[2].isdigit())
        offered = [one.name for one in self._apart(player, [UNCHANGED, *fitting])]
        return self.pages.page(
            request, "edit.html", 422 if message else 200, player=player, groups=groups, reach=_reach(weights),
            flat=rules.flat, most=int(MOST_WEIGHT), message=message, saved=saved, game=rules.game,
            offered=offered, met=_opponents(fields) or offered[:2], files=self.served.population_files(rules.game),
            now=time.strftime("%H%M"),
            **self._trial_facts(trial_name),
        )  # fmt: skip

    def _trial_page(self, request: Request, name: str) -> Response:
        return self.pages.page(request, "trial.html", fragment="trial_fragment.html", **self._trial_facts(name))

    def _trial_facts(self, name: str) -> Mapping[str, Any]:
        """A trial as the page shows it: its results so far, and the boards; empty without a name."""
        if not name:
            return {"trial": None, "trial_name": "", "results": [], "boards": [], "done": True, "version": 0}
        trial = self._trial(name)
        done = trial.done.is_set()
        version = trial.version  # before what they stand for
        boards = [
            (one, board_of(one.position, one.position.mover, playing=False, advice=one.after, made=one.before))
            for one in list(trial.differences)
        ]
        return {
            "trial": trial, "trial_name": name, "results": list(trial.results.items()), "boards": boards,
            "done": done, "version": version,
        }  # fmt: skip


def _opponents(fields: Mapping[str, str]) -> list[str]:
    """The opponents of a form: those that are ticked, and those that are named."""
    ticked = [name for field, name in fields.items() if field.startswith("against-")]
    return list(dict.fromkeys([*ticked, *fields.get("opponents", "").split()]))


def _groups(
    rows: Sequence[Mapping[str, Any]], in_file: npt.NDArray[np.float64]
) -> list[tuple[str, list[dict[str, Any]]]]:
    """Rules by group, those with the largest weight in the file first, each with its weights now and in the file."""
    by_group: dict[str, list[dict[str, Any]]] = {}
    for column, row in enumerate(rows):
        before = in_file[:, column].tolist()
        by_group.setdefault(row["group"], []).append(
            {
                **row,
                "column": column,
                "now": [row["early"], row["late"]],
                "in_file": before,
                "largest": max(map(abs, before)),
                "changed": before != [row["early"], row["late"]],
            }
        )
    groups = [(name, sorted(group, key=lambda row: -row["largest"])) for name, group in by_group.items()]
    return sorted(groups, key=lambda group: -group[1][0]["largest"])


def _reach(weights: npt.NDArray[np.float64]) -> float:
    """The end of the sliders: beyond the largest weight, a number of one significant digit."""
    largest = np.abs(weights).max(initial=0.0) * 1.5 or 1.0
    power = 10.0 ** np.floor(np.log10(largest))
    return float(np.ceil(largest / power) * power)


def weights_of(player: FilePlayer, fields: Mapping[str, str]) -> npt.NDArray[np.float64]:
    """The weights of a form, float64[2, rules]; for an empty field and its first three digits, that of the file.

    Raises:
        UsageError: a weight is not a number, or too large; the rule is named as on the page.
    """
    weights = player.entry.weights.copy()
    for column, rule in enumerate(player.population.rules.rules):
        for half, name in enumerate(("early", "early" if player.population.rules.flat else "late")):
            text = fields.get(f"{name}-{column}", "").strip().replace(",", ".")
            if text not in ("", f"{weights[half, column]:.3g}"):  # as the page shows that of the file
                number = number_of(text)
                demand(
                    number is not None and abs(number) <= MOST_WEIGHT,
                    f"“{rule.words}”: expected a number from -{MOST_WEIGHT:.0f} to {MOST_WEIGHT:.0f}, "
                    f"not '{shown(text)}'",
                )
                weights[half, column] = number
    return weights
