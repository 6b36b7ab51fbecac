"""Tune: the weights of a player's file by hand, with what a change does in games, and a new file of them."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulebots.errors import UsageError, demand, shown
from rulebots.files import write_new
from rulebots.files.ranges import number_of
from rulebots.game.position import Position
from rulebots.game.random_numbers import rng_of
from rulebots.packages import package_of
from rulebots.packages.players import shipped_files
from rulebots.packages.population import Entry, population_text, rounded
from rulebots.play.background import BackgroundWork
from rulebots.play.deals import DealStream, opening_plies_of
from rulebots.play.match import play_deals
from rulebots.play.results import MatchResult, change_between, match_result
from rulebots.play.stepper import Stepper
from rulebots.players import CompiledPlayer, RulePlayer
from rulebots.players.explaining import deeds_of
from rulebots.web.board import board_of
from rulebots.web.pages import NUMBERED, Pages, is_same, post, wants_fragment
from rulebots.web.served_folder import FilePlayer, NotFound, ProblemsError, ServedFolder, games_here

#: Trials that are remembered, and those that play at the same time.
MOST_TRIALS = 32
MOST_PLAYING = 2
#: Opponents of a trial.
MOST_OPPONENTS = 4
#: Deals of the first block, each played from both seats, and of all; the result is shown after each block.
BLOCK = 50
MOST_DEALS = 400
#: Seconds after which no further block is played.
SECONDS = 8.0
#: Positions in which the changed player moves differently: games searched, positions kept, and seconds.
GAMES = 200
MOST_DIFFERENCES = 8
SEARCHING = 3.0
SEED = 1
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
            post("/tune/save", self._save),
            Route("/tune/trial/{id}", self._show_trial),
        ]

    def _choose(self, request: Request) -> Response:
        shipped = [(game, sorted(shipped_files(game))) for game in games_here()[0]]
        return self.pages.page(request, "tune.html", shipped=shipped, files=self.served.population_files())

    def _edit(self, request: Request) -> Response:
        try:
            player = self._player(request.query_params)
        except ProblemsError as error:
            name = request.query_params["player"]
            return self.pages.page(request, "problems.html", 422, player=name, problems=error.problems)
        return self._form(request, player, player.entry.weights)

    def _try(self, request: Request, fields: Mapping[str, str]) -> Response:
        player = self._player(fields)
        weights = weights_of(player, fields)
        rules = player.population.rules
        names = fields.get("opponents", "").split()
        demand(
            1 <= len(names) <= MOST_OPPONENTS,
            f"opponents: expected 1 to {MOST_OPPONENTS} names separated by spaces",
        )
        opponents = list[CompiledPlayer]()
        for opponent in (self.served.player(name, player.population.game) for name in names):
            if not isinstance(opponent, CompiledPlayer):
                raise UsageError(f"'{opponent.name}' is too slow to try weights against: name a rule player")
            opponents.append(opponent)
        trial = WeightTrial(
            RulePlayer(rules, player.entry.weights, player.name),
            RulePlayer(rules, weights, f"{player.name}, changed"),
            opponents,
        )
        name = self._add(trial, fields.get("trial", ""))
        trial.done.wait(0.5)
        if wants_fragment(request):
            return self._trial_page(request, name)
        return self._form(request, player, weights, trial_name=name)

    def _show_trial(self, request: Request) -> Response:
        """The results of a trial, if there are new ones."""
        trial = self._trial(request.path_params["id"])
        if not trial.done.is_set() and is_same(request, trial.version):
            return Response(status_code=204)
        return self._trial_page(request, request.path_params["id"])

    def _save(self, request: Request, fields: Mapping[str, str]) -> Response:
        """Write the weights to a new file, with the comment above the old one."""
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
        return self._form(request, player, weights, message=message, saved=saved)

    def _add(self, trial: WeightTrial, former: str) -> str:
        """Begin a trial; the former one of the same tab stops, and the oldest where too many play."""
        with self._lock:
            if former in self._trials:
                self._trials.pop(former).stop()
            playing = [other for other in self._trials.values() if not other.done.is_set() and not other.stopped]
            if len(playing) >= MOST_PLAYING:
                playing[0].stop()
            while len(self._trials) >= MOST_TRIALS:
                self._trials.popitem(last=False)[1].stop()
            name = secrets.token_urlsafe(9)
            self._trials[name] = trial
        trial.start()
        return name

    def _trial(self, name: str) -> WeightTrial:
        """The trial of that name. Raises NotFound."""
        with self._lock:
            demand(name in self._trials, "this trial is over: change a weight to begin another one", NotFound)
            return self._trials[name]

    def _player(self, fields: Mapping[str, str]) -> FilePlayer:
        return self.served.file_player(fields.get("player", ""), fields.get("game", ""))

    def _write(self, player: FilePlayer, weights: npt.NDArray[np.float64], name: str) -> None:
        """Write a population of the one player. Raises UsageError unless the name is that of a new file."""
        demand(
            _FILE.fullmatch(name),
            f"expected the name of a new file in the folder, such as mine.yaml, not '{shown(name)}'",
        )
        changed = frozenset(np.flatnonzero((player.entry.weights != weights).any(axis=0)).tolist())
        entry = Entry(rounded(weights), None, player.entry.note, player.entry.unnamed - changed)
        comment = "\n".join(filter(None, [player.population.comment, f"tuned by hand from {player.spec}"]))
        tuned = replace(player.population, players={player.name: entry}, bred=None, comment=comment)
        write_new(self.served.folder / name, population_text(tuned))

    def _form(
        self,
        request: Request,
        player: FilePlayer,
        weights: npt.NDArray[np.float64],
        message: str = "",
        saved: str = "",
        trial_name: str = "",
    ) -> Response:
        rules = player.population.rules
        groups = _groups(
            [{**row, "words": rule.words} for row, rule in zip(rules.rows(weights), rules.rules, strict=True)],
            player.entry.weights,
        )
        return self.pages.page(
            request, "edit.html", 422 if message else 200, player=player, groups=groups, reach=_reach(weights),
            flat=rules.flat, message=message, saved=saved, game=rules.game,
            against=package_of(rules.game).references[0], now=time.strftime("%H%M"), **self._trial_facts(trial_name),
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
        boards = [(one, board_of(one[1], one[1].mover, playing=False)) for one in list(trial.differences)]
        return {
            "trial": trial, "trial_name": name, "results": list(trial.results.items()), "boards": boards,
            "done": done, "version": version,
        }  # fmt: skip


@dataclass(frozen=True)
class TrialResult:
    """The results of old and new weights against one opponent, and the change in win rate with its 95 % interval.

    Both played the same deals, so the interval is that of differences deal by deal.
    """

    old: MatchResult
    new: MatchResult
    change: float
    change_95: tuple[float, float]

    @property
    def verdict(self) -> str:
        """The effect of the change in words."""
        low, high = self.change_95
        if self.old.too_few or self.new.too_few:
            return "too few different deals"
        return "better" if low > 0 else "worse" if high < 0 else "no difference seen"


@dataclass
class WeightTrial(BackgroundWork):
    """A trial of a change: the changed player and the one in the file meet the same opponents on the same deals.

    `results` are those so far of the old and the new weights against each opponent. `differences` are positions in
    which the two move differently: the seed of the game, the position, and both moves.
    """

    old: RulePlayer
    new: RulePlayer
    opponents: Sequence[CompiledPlayer]
    results: dict[str, TrialResult] = field(default_factory=dict)
    differences: list[tuple[int, Position, *tuple[str, ...]]] = field(default_factory=list)
    #: Positions in which both were asked.
    compared: int = 0

    def work(self) -> None:
        """Play both against each opponent, block by block; then look for positions in which they move differently."""
        end = time.monotonic() + SECONDS
        game = self.old.game
        deals = 0
        while deals < MOST_DEALS and not self.stopped and (not deals or time.monotonic() < end):
            deals = min(deals + (deals or BLOCK), MOST_DEALS)
            drawn = DealStream(game, SEED).take(deals)
            for opponent in self.opponents:
                old, new = (play_deals(player, opponent, drawn) for player in (self.old, self.new))
                change, around = change_between(old, new, game)
                before, after = (match_result(games, game) for games in (old, new))
                self.results[opponent.name] = TrialResult(before, after, change, around)
                self.version += 1
        self._compare()

    def _compare(self) -> None:
        """Find the first position of each game in which the new player moves differently.

        The old player plays against the opponents, after the random moves that games of a match begin with.
        """
        end = float("inf")
        game = self.old.game
        opening = opening_plies_of(game, game.option_values())
        for seed in range(1, GAMES + 1):
            opponent = self.opponents[seed % len(self.opponents)]
            position = Position(game, seed=seed)
            rng = rng_of(seed)
            for mover in Stepper(position, int(rng.integers(1, 2**32))).decisions():
                if self.stopped or len(self.differences) == MOST_DIFFERENCES or time.monotonic() > end:
                    return
                if position.plies < opening:
                    position.play(int(rng.choice(position.legal_moves)), chosen=False)
                    continue
                if mover != seed % position.seats:
                    position.play(opponent.decide(position))
                    continue
                self.compared += 1
                before = self.old.decide(position)
                after = self.new.decide(position)
                if self.compared == 1:  # what is compiled for the first position takes none of the time
                    end = time.monotonic() + SEARCHING
                if before != after:
                    self.differences.append((seed, position.copy(), *deeds_of(position, [before, after], NUMBERED)))
                    self.version += 1
                    break
                position.play(before)


def _groups(
    rows: Sequence[Mapping[str, Any]], in_file: npt.NDArray[np.float64]
) -> list[tuple[str, list[dict[str, Any]]]]:
    """Rules by group, those with the largest weight in the file first, each with its weights now and in the file."""
    by_group: dict[str, list[dict[str, Any]]] = {}
    for column, row in enumerate(rows):
        now = [row["early"], row["late"]]
        before = in_file[:, column].tolist()
        tuned = {**row, "column": column, "now": now, "in_file": before, "changed": now != before}
        by_group.setdefault(row["group"], []).append({**tuned, "largest": max(map(abs, before))})
    groups = [(name, sorted(group, key=lambda row: -row["largest"])) for name, group in by_group.items()]
    return sorted(groups, key=lambda group: -group[1][0]["largest"])


def _reach(weights: npt.NDArray[np.float64]) -> float:
    """The end of the sliders: beyond the largest weight, a number of one significant digit."""
    largest = float(np.abs(weights).max(initial=0.0)) * 1.5 or 1.0
    power = 10.0 ** np.floor(np.log10(largest))
    return float(np.ceil(largest / power) * power)


def weights_of(player: FilePlayer, fields: Mapping[str, str]) -> npt.NDArray[np.float64]:
    """The weights of a form, float64[2, rules]; for an empty field and its first three digits, that of the file.

    Raises:
        UsageError: a weight is not a number, or too large; the rule is named.
    """
    weights = player.entry.weights.copy()
    rules = player.population.rules
    for column, rule in enumerate(rules.rules):
        pair: list[Any] = weights[:, column].tolist()
        for half, name in enumerate(("early", "early" if rules.flat else "late")):
            text = fields.get(f"{name}-{column}", "").strip()
            if text not in ("", f"{pair[half]:.3g}"):  # as the page shows that of the file
                number = number_of(text)
                pair[half] = shown(text) if number is None else number  # which the rule set refuses
        try:
            weights[:, column] = rules.weights({rule.group: {rule.name: pair}})[:, column]
        except UsageError as error:
            raise UsageError(f"{rule.key}: {error}") from None
    return weights
