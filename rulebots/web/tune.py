"""Tune: the weights of a player's file by hand, with what a change does in games, and a new file of them."""

from __future__ import annotations

import contextlib
import itertools
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from statistics import fmean
from typing import Any

import numpy as np
import numpy.typing as npt
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulebots.errors import UsageError, shown
from rulebots.files import read_text, write_new
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.game.random_numbers import rng_of
from rulebots.packages import package_of
from rulebots.packages.players import shipped_files
from rulebots.packages.population import Entry, population_text, rounded, with_comments_of
from rulebots.play.deals import DealStream, opening_plies_of
from rulebots.play.match import play_deals
from rulebots.play.results import MatchResult, change_between, match_result
from rulebots.play.stepper import Stepper
from rulebots.players import CompiledPlayer, RulePlayer
from rulebots.web.background import BackgroundWork
from rulebots.web.board import board_of
from rulebots.web.pages import Pages, is_same, wants_fragment
from rulebots.web.security import post
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
#: Positions in which the changed player moves otherwise: games that are searched, positions that are kept, and seconds.
GAMES = 24
MOST_DIFFERENCES = 8
SEARCHING = 3.0
SEED = 1
#: Seconds after which games are played interpreted where none is over yet, because something is compiled; and for how
#: long, in seconds.
SOON = 0.4
INTERPRETED = 5.0
_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_. -]{0,80}\.ya?ml")


@dataclass(frozen=True)
class Difference:
    """A position in which the changed player moves otherwise: how it is reached, and both moves."""

    seed: int
    ply: int
    before: str
    after: str
    position: Position


@dataclass(frozen=True)
class TrialResult:
    """What old and new weights did against one opponent, and the difference of their win rates with its 95 % interval.

    Both have played the same deals, so that the interval is one of differences deal by deal.
    """

    old: MatchResult
    new: MatchResult
    change: float
    change_95: tuple[float, float]

    @property
    def verdict(self) -> str:
        """In words what the change does."""
        low, high = self.change_95
        if self.old.too_few or self.new.too_few:
            return "too few different deals"
        return "better" if low > 0 else "worse" if high < 0 else "no difference seen"


@dataclass(frozen=True)
class FirstLook:
    """Games that were played interpreted while something is compiled: how many, and what each won of them."""

    opponent: str
    games: int = 0
    old: float = 0.0
    new: float = 0.0


@dataclass
class WeightTrial(BackgroundWork):
    """A change that is being tried: the changed player and that of the file meet the same opponents on the same deals.

    `results` are those so far of the old and the new weights against each opponent.
    """

    old: RulePlayer
    new: RulePlayer
    opponents: Sequence[CompiledPlayer]
    results: dict[str, TrialResult] = field(default_factory=dict)
    first: FirstLook | None = None
    differences: list[Difference] = field(default_factory=list)

    def show(self) -> None:
        """Note that the page has something new to show."""
        self.version += 1

    def work(self) -> None:
        """Play, and then look for positions in which the new weights make a difference."""
        threading.Thread(target=self._look, name="FirstLook", daemon=True).start()
        self._play()
        self._compare()

    def _look(self) -> None:
        """Games against the first opponent while nothing else is over, both players from each seat."""
        time.sleep(SOON)
        end = time.monotonic() + INTERPRETED
        opponent = self.opponents[0]
        game = self.old.game
        options = game.option_values()
        seats = game.seats_with(options)
        if game.together(seats):
            return
        won = dict.fromkeys((self.old, self.new), 0.0)
        with contextlib.suppress(Exception):  # what goes wrong is told by the games that count
            for number in itertools.count():
                for player in won:
                    won[player] += _interpreted(player, opponent, number % seats, number // seats + 1)
                    if self.results or self.stopped or time.monotonic() > end:
                        return
                self.first = FirstLook(opponent.name, number + 1, won[self.old], won[self.new])
                self.show()

    def _play(self) -> None:
        """Both players against each opponent, block by block: the same deals for both."""
        end = time.monotonic() + SECONDS
        deals = 0
        while deals < MOST_DEALS and not self.stopped and (not deals or time.monotonic() < end):
            deals = min(deals + (deals or BLOCK), MOST_DEALS)
            drawn = DealStream(self.old.game, SEED).take(deals)
            for opponent in self.opponents:
                old, new = (play_deals(player, opponent, drawn) for player in (self.old, self.new))
                change, around = change_between(old, new, self.old.game)
                before, after = (match_result(games, self.old.game) for games in (old, new))
                self.results[opponent.name] = TrialResult(before, after, change, around)
                self.show()

    def _compare(self) -> None:
        """Games of the old player against the opponents, up to the first position in which the new one moves otherwise.

        They begin with the random moves that games of a match begin with.
        """
        end = time.monotonic() + SEARCHING
        for seed in range(1, GAMES + 1):
            opponent = self.opponents[seed % len(self.opponents)]
            for position, mover in _decisions(self.old.game, seed):
                if self.stopped or len(self.differences) == MOST_DIFFERENCES or time.monotonic() > end:
                    return
                if mover != seed % position.seats:
                    position.play(opponent.decide(position))
                    continue
                before = self.old.decide(position)
                after = self.new.decide(position)
                if before != after:
                    moves = position.write(before), position.write(after)
                    self.differences.append(Difference(seed, position.plies, *moves, position.copy()))
                    self.show()
                    break
                position.play(before)


def _decisions(game: Game, seed: int) -> Iterator[tuple[Position, int]]:
    """The position before each decision of a game after its random opening plies, and who moves; the caller plays."""
    position = Position(game, seed=seed)
    rng = rng_of(seed)
    opening = opening_plies_of(game, game.option_values())
    for mover in Stepper(position, int(rng.integers(1, 2**32))).decisions():
        if position.plies < opening:
            position.play(int(rng.choice(position.legal_moves)), chosen=False)
        else:
            yield position, mover


def _interpreted(player: RulePlayer, opponent: CompiledPlayer, seat: int, seed: int) -> float:
    """A game in which the player has that seat, and the opponent the others: the share of them that it beats."""
    points: Sequence[int] = ()
    for position, mover in _decisions(player.game, seed):
        asked = player if mover == seat else opponent
        position.play(asked.choose_interpreted(position.view(), position.legal_moves))
        points = [position.game.points(position.state, other) for other in range(position.seats)]
    others = [*points[:seat], *points[seat + 1 :]]
    return fmean((float(np.sign(points[seat] - other)) + 1) / 2 for other in others) if others else 0.5


class TunePages:
    """The routes of tuning."""

    def __init__(self, served: ServedFolder, pages: Pages) -> None:
        self.served = served
        self.pages = pages
        #: The latest trials of all tabs.
        self._trials: OrderedDict[str, WeightTrial] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def routes(self) -> list[Route]:
        """What this part answers."""
        return [
            Route("/tune", self.choose),
            Route("/tune/edit", self.edit),
            post("/tune/try", self.begin),
            post("/tune/save", self.save),
            Route("/tune/trial/{id}", self.trial),
        ]

    def choose(self, request: Request) -> Response:
        """The files that can be tuned: shipped ones, and those of the folder."""
        shipped = [(game, sorted(shipped_files(game))) for game in games_here()[0]]
        return self.pages.page(request, "tune.html", shipped=shipped, files=self.served.population_files())

    def edit(self, request: Request) -> Response:
        """The weights of a player."""
        try:
            player = self._player(request.query_params)
        except ProblemsError as error:
            name = request.query_params["player"]
            return self.pages.page(request, "problems.html", 422, player=name, problems=error.problems)
        return self._form(request, player)

    def begin(self, request: Request, fields: Mapping[str, str]) -> Response:
        """Try changed weights."""
        player = self._player(fields)
        weights = weights_of(player, fields)
        rules = player.population.rules
        game = player.population.game
        names = fields.get("opponents", "").split()
        if not 1 <= len(names) <= MOST_OPPONENTS:
            raise UsageError(f"opponents: expected 1 to {MOST_OPPONENTS} names with blanks between them")
        opponents = list[CompiledPlayer]()
        for opponent in (self.served.player(name, game) for name in names):
            if not isinstance(opponent, CompiledPlayer):
                raise UsageError(f"'{opponent.name}' is too slow to try weights against: name a rule player")
            opponents.append(opponent)
        old = RulePlayer(rules, player.entry.weights, player.name)
        trial = WeightTrial(old, RulePlayer(rules, weights, f"{player.name}, changed"), opponents)
        name = self._add(trial, fields.get("trial", ""))
        trial.done.wait(0.5)
        if wants_fragment(request):
            return self._trial_page(request, name, trial)
        return self._form(request, player, weights, trial_name=name)

    def trial(self, request: Request) -> Response:
        """The results of a trial, if there are new ones."""
        name = request.path_params["id"]
        trial = self._trial(name)
        if not trial.done.is_set() and is_same(request, trial.version):
            return Response(status_code=204)
        return self._trial_page(request, name, trial)

    def save(self, request: Request, fields: Mapping[str, str]) -> Response:
        """Write the weights to a new file, with the comments of the old one."""
        player = self._player(fields)
        message = ""
        saved = ""
        weights = weights_of(player, fields)
        try:
            saved = self._write(player, weights, fields.get("file", "").strip())
        except UsageError as error:
            message = str(error)
        if wants_fragment(request):
            return self.pages.page(request, "saved.html", message=message, saved=saved, game=player.population.game)
        return self._form(request, player, weights, message=message, saved=saved)

    def _add(self, trial: WeightTrial, former: str) -> str:
        """Begin a trial; the former one of the same tab stops, and the oldest where too many play."""
        with self._lock:
            if former in self._trials:
                self._trials.pop(former).stop()
            playing = [held for held in self._trials.values() if not held.done.is_set() and not held.stopped]
            if len(playing) >= MOST_PLAYING:
                playing[0].stop()
            while len(self._trials) >= MOST_TRIALS:
                self._trials.popitem(last=False)[1].stop()
            name = secrets.token_urlsafe(9)
            self._trials[name] = trial
        trial.start(compiling=trial.show)
        return name

    def _trial(self, name: str) -> WeightTrial:
        """The trial of that name. Raises NotFound."""
        with self._lock:
            if name not in self._trials:
                raise NotFound("this trial is over: change a weight to begin another one")
            return self._trials[name]

    def _player(self, fields: Mapping[str, str]) -> FilePlayer:
        return self.served.file_player(fields.get("player", ""), fields.get("game", ""))

    def _write(self, player: FilePlayer, weights: npt.NDArray[np.float64], name: str) -> str:
        """Write a population of the one player; gives the name of its file."""
        if not _FILE.fullmatch(name):
            raise UsageError(f"expected the name of a new file in the folder, such as mine.yaml, not '{shown(name)}'")
        changed = frozenset(np.flatnonzero((player.entry.weights != weights).any(axis=0)).tolist())
        entry = Entry(rounded(weights), None, player.entry.note, player.entry.unnamed - changed)
        comment = "\n".join(filter(None, [player.population.comment, f"tuned by hand from {player.spec}"]))
        tuned = replace_fields(player.population, players={player.name: entry}, bred=None, comment=comment)
        write_new(self.served.folder / name, with_comments_of(population_text(tuned), read_text(player.file)))
        return name

    def _form(
        self,
        request: Request,
        player: FilePlayer,
        weights: npt.NDArray[np.float64] | None = None,
        message: str = "",
        saved: str = "",
        trial_name: str = "",
    ) -> Response:
        game = player.population.game
        weights = player.entry.weights if weights is None else weights
        worth = self.pages.worth_of(player) if self.pages.worth_of else {}
        groups = _groups(player.population.rules.rows(weights), player.entry.weights, worth)
        trial = self._trial(trial_name) if trial_name else None
        return self.pages.page(
            request, "edit.html", 422 if message else 200,
            player=player, groups=groups, reach=_reach(weights), flat=player.population.rules.flat,
            message=message, saved=saved, game=game, against=package_of(game).references[0],
            trial=trial, trial_name=trial_name, now=time.strftime("%H%M"), **_facts(trial),
        )  # fmt: skip

    def _trial_page(self, request: Request, name: str, trial: WeightTrial) -> Response:
        return self.pages.page(
            request, "trial.html", fragment="trial_fragment.html", trial=trial, trial_name=name, **_facts(trial)
        )


def _facts(trial: WeightTrial | None) -> Mapping[str, Any]:
    """What the page shows of a trial: its results so far, and the boards."""
    if trial is None:
        return {"results": [], "boards": [], "done": True, "version": 0}
    done = trial.done.is_set()
    version = trial.version  # before what they stand for
    boards = [(one, board_of(one.position, one.position.mover, playing=False)) for one in list(trial.differences)]
    return {"results": list(trial.results.items()), "boards": boards, "done": done, "version": version}


@dataclass(frozen=True)
class RuleRow:
    """A rule as it is tuned: its number, its weights now and in the file, and what it is about."""

    column: int
    rule: str
    meaning: str
    now: tuple[float, float]
    in_file: tuple[float, float]


@dataclass(frozen=True)
class RuleGroup:
    """Rules of a group, the one that matters most first; open where it is the first, or something in it is changed."""

    name: str
    rows: tuple[RuleRow, ...]
    open: bool


def _groups(
    rows: Sequence[Mapping[str, Any]], in_file: npt.NDArray[np.float64], worth: Mapping[int, float]
) -> list[RuleGroup]:
    """Rules by group, those that matter first: by what they are `worth`, where that is known, else by their weight."""
    by_group: dict[str, list[RuleRow]] = {}
    for column, row in enumerate(rows):
        early, late = in_file[:, column].tolist()
        of_file = RuleRow(column, row["rule"], row["meaning"], (row["early"], row["late"]), (early, late))
        by_group.setdefault(row["group"], []).append(of_file)

    def matter(row: RuleRow) -> tuple[float, float]:
        return worth.get(row.column, 0.0), max(map(abs, row.in_file))

    ordered = [(name, sorted(group, key=matter, reverse=True)) for name, group in by_group.items()]
    ordered.sort(key=lambda group: matter(group[1][0]), reverse=True)
    return [
        RuleGroup(name, tuple(group), number == 0 or any(row.now != row.in_file for row in group))
        for number, (name, group) in enumerate(ordered)
    ]


def _reach(weights: npt.NDArray[np.float64]) -> float:
    """How far sliders go to both sides: beyond the largest weight, to a number of one significant digit."""
    largest = float(np.abs(weights).max(initial=0.0)) * 1.5 or 1.0
    power = 10.0 ** np.floor(np.log10(largest))
    return float(np.ceil(largest / power) * power)


def weights_of(player: FilePlayer, fields: Mapping[str, str]) -> npt.NDArray[np.float64]:
    """The weights that a form gives, float64[2, rules]; where it says nothing, those of the file.

    Raises:
        UsageError: a weight is not a number, or too large; the rule is named.
    """
    weights = player.entry.weights.copy()
    rules = player.population.rules
    for column, rule in enumerate(rules.rules):
        texts = [fields.get(f"{half}-{column}", "").strip() for half in ("early", "early" if rules.flat else "late")]
        old = weights[:, column].tolist()
        pair = [_number(text) if text else weight for text, weight in zip(texts, old, strict=True)]
        try:
            weights[:, column] = rules.weights({rule.group: {rule.name: pair}})[:, column]
        except UsageError as error:
            raise UsageError(f"{rule.key}: {error}") from None
    return weights


def _number(text: str) -> float | str:
    """A number, or the text as it is, which the rule set refuses."""
    try:
        return float(text)
    except ValueError:
        return shown(text)
