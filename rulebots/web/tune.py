"""Tune: the weights of a player's file by hand, with what a change does in games, and a new file of them."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
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
from rulebots.play.deals import Deals, DealStream, opening_plies_of
from rulebots.play.match import REPEATING, play_deals
from rulebots.play.results import Games, MatchResult, joined, match_result
from rulebots.play.stepper import Stepper
from rulebots.players import CompiledPlayer, RulePlayer
from rulebots.players.compiled import is_compiled
from rulebots.players.explaining import explain
from rulebots.players.sentences import deeds_of, words_of
from rulebots.ratings import Sprt, paired_interval
from rulebots.rules import MOST_WEIGHT
from rulebots.web.board import board_of
from rulebots.web.pages import NUMBERED, Pages, post, wants_fragment
from rulebots.web.served_folder import SEARCHES, FilePlayer, NotFound, ProblemsError, ServedFolder, games_here

#: Trials that are remembered, and those that play at the same time.
MOST_TRIALS = 32
MOST_PLAYING = 2
#: Opponents of a trial.
MOST_OPPONENTS = 4
#: Deals of a block, each played from both seats, at first, then 1 / SHARE of those played; the result is shown after
#: each block. The most of a trial, all of whose games are in memory.
BLOCK = 50
SHARE = 4
MOST_DEALS = 10_000
#: Seconds of games after which an undecided trial waits for somebody to say Play on.
SECONDS = 8.0
#: Better and worse by 3 of 100 games or more: `verdict_on_gains` halves gains, so the Elo is that of half of it.
TEST = Sprt(elo0=0.0, elo1=10.0, beta=0.05)
#: The risk of a session that any verdict of its trials, "better" or "worse", is false.
RISK = 0.05
#: The opponent that is the player as it stands in its file.
UNCHANGED = "unchanged"
UNDECIDED = "undecided"
#: Positions in which the changed player moves differently: games searched, positions kept, and seconds.
GAMES = 200
MOST_DIFFERENCES = 8
SEARCHING = 3.0
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
            name = request.query_params["player"]
            return self.pages.page(request, "problems.html", 422, player=name, problems=error.problems)
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
        opponents = self._apart(player, names)
        old = RulePlayer(rules, player.entry.weights, UNCHANGED)
        trial = WeightTrial(old, RulePlayer(rules, weights, "changed"), opponents, secrets.randbits(31))
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
            trials = self._trials.values()
            playing = [one for one in trials if one is not trial and not (one.stopped or one.done.is_set())]
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
            apart.setdefault(_play_of(opponent), opponent)
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
        entry = Entry(rounded(weights), None, player.entry.note, player.entry.unnamed - changed)
        comment = "\n".join(filter(None, [player.population.comment, f"tuned by hand from {player.spec}"]))
        tuned = replace(player.population, players={player.name: entry}, bred=None, comment=comment)
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
        met = _opponents(fields) or offered[:2]
        return self.pages.page(
            request, "edit.html", 422 if message else 200, player=player, groups=groups, reach=_reach(weights),
            flat=rules.flat, most=int(MOST_WEIGHT), message=message, saved=saved, game=rules.game,
            offered=offered, met=met, files=self.served.population_files(rules.game), now=time.strftime("%H%M"),
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


@dataclass(frozen=True)
class Difference:
    """A position of the game of a `seed` in which the changed player moves differently, with both moves in words.

    `reason` is what the rule says of the new move whose term in the difference of the two grew most.
    """

    seed: int
    position: Position
    before: int
    after: int
    deed_before: str
    deed_after: str
    reason: str


@dataclass(frozen=True)
class TrialResult:
    """The results of old and new weights against one opponent, and the change with its 95 % interval.

    The change is one of the win rate, or where points count of the lead in points a game; in a game played together,
    that is of the points. Both played the same deals, so the interval is that of differences deal by deal. `says` is
    what tests of better and of worse say together, which stay valid though somebody looks after each block. They look
    for changes of 3 % of a `unit`: a game, or where points count three standard deviations of a deal's change.
    """

    old: MatchResult
    new: MatchResult
    change: float
    change_95: tuple[float, float]
    says: str
    unit: float

    @classmethod
    def of(cls, test: Sprt, old: MatchResult, new: MatchResult) -> TrialResult:
        """The result of two matches."""
        gains = new.margins - old.margins if new.in_points else new.scores - old.scores
        unit = new.in_points * 3 * float(gains.std()) or 1.0
        effective = min(old.effective_deals, new.effective_deals)
        better, worse = (test.verdict_on_gains(sign * gains / unit, effective) for sign in (1, -1))
        alike = "no difference" if better == worse == "H0" else UNDECIDED
        says = "better" if better == "H1" else "worse" if worse == "H1" else alike
        low, high = paired_interval(gains / unit, effective)
        return cls(old, new, float(gains.mean()), (unit * low, unit * high), says, unit)

    @property
    def too_few(self) -> bool:
        """Whether nearly all games were copies of a few."""
        return self.old.too_few or self.new.too_few


@dataclass
class WeightTrial(BackgroundWork):
    """A trial of a change: the changed player and the one in the file meet the same opponents on the same deals.

    The deals are those of a `seed` of its own: who tries many weights on the same ones finds those that suit these
    deals. `results` are those so far of the old and the new weights against each opponent. `differences` are positions
    in which the two move differently.
    """

    old: RulePlayer
    new: RulePlayer
    opponents: Sequence[CompiledPlayer]
    seed: int
    #: Which attempt of its session it is, from 1 on: the luckiest of many looks better than it is.
    number: int = 1
    results: dict[str, TrialResult] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    #: Positions in which both were asked.
    compared: int = 0

    def __post_init__(self) -> None:
        self._deals = DealStream(self.old.game, self.seed)
        self._games = dict[tuple[str, bool], Games]()
        self.deals = 0

    @property
    def unchanged(self) -> bool:
        """Whether both have the same weights, so that there is nothing to play for."""
        return np.array_equal(self.old.weights, self.new.weights)

    def stands_for(self, other: WeightTrial) -> bool:
        """Whether another trial asks what this one answers, or is answering: same weights, same opponents."""
        asked, of_other = ([*map(_play_of, (one.old, one.new, *one.opponents))] for one in (self, other))
        return asked == of_other and not self.fault and bool(self.results or not self.stopped)

    @property
    def outweighing(self) -> list[str]:
        """The rules, in words, that the change makes weigh more than all others together."""
        old, new = (np.abs(player.weights).max(axis=0) for player in (self.old, self.new))
        rules = self.new.rules.rules
        return [rule.words for rule, was, now in zip(rules, old, new, strict=True) if now > max(was, new.sum() - now)]

    @property
    def open(self) -> bool:
        """Whether more games may decide what is undecided so far."""
        repeating = self.deals >= REPEATING
        return (
            not self.fault
            and self.deals < MOST_DEALS
            and any(one.says == UNDECIDED and not (one.too_few and repeating) for one in self.results.values())
        )

    @property
    def test(self) -> Sprt:
        """The test of one of its verdicts. The risks of a session's verdicts, however many, add up to RISK."""
        return replace(TEST, alpha=RISK / (self.number * (self.number + 1)) / (2 * len(self.opponents)))

    def work(self) -> None:
        """Play both against each opponent, block by block; then look for positions in which they move differently."""
        end = float("inf")
        if self.unchanged:
            return
        while not self.stopped and (self.open or not self.deals) and time.monotonic() < end:
            count = max(BLOCK, self.deals // SHARE)
            drawn = self._deals.take(count)
            for opponent in self.opponents:
                decided = opponent.name in self.results and self.results[opponent.name].says != UNDECIDED
                if self.stopped or decided:
                    continue
                self.results[opponent.name] = TrialResult.of(
                    self.test,
                    *(
                        match_result(self._played(player, opponent, drawn), self.old.game)
                        for player in (self.old, self.new)
                    ),
                )
                self.version += 1
            if end == float("inf"):  # the first block may have waited for the compiler
                end = time.monotonic() + SECONDS
            self.deals += count
        if not self.differences:
            self._compare()

    def _played(self, player: RulePlayer, opponent: CompiledPlayer, drawn: Deals) -> Games:
        """All games so far of a match, with those on further deals."""
        key = opponent.name, player is self.new
        games = play_deals(player, opponent, drawn)
        self._games[key] = joined([self._games[key], games]) if key in self._games else games
        return self._games[key]

    def _compare(self) -> None:
        """Find the first position of each game in which the new player moves differently.

        The old player plays against the opponents, after the random moves that games of a match begin with.
        """
        end = float("inf")
        self.compared = 0
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
                    self.differences.append(self._difference(seed, position.copy(), before, after))
                    self.version += 1
                    break
                position.play(before)

    def _difference(self, seed: int, position: Position, before: int, after: int) -> Difference:
        deed_before, deed_after = deeds_of(position, [before, after], NUMBERED)
        [doing] = deeds_of(position, [before], NUMBERED, doing=True)
        was, now = (
            {term.rule.key: term for term in explain(player, position).between(after, before)}
            for player in (self.old, self.new)
        )
        amounts = {
            key: sum(sign * terms[key].amount for sign, terms in ((1, now), (-1, was)) if key in terms)
            for key in {**was, **now}
        }
        key = max(amounts, key=amounts.__getitem__)
        reason = words_of(now.get(key) or was[key], "it", doing, whole=True)
        return Difference(seed, position, before, after, deed_before, deed_after, reason)


def _play_of(player: CompiledPlayer) -> Hashable:
    """What decides the moves of a player: two names of one player have the same."""
    return (player.style, player.weights.tobytes()) if is_compiled(player) else player.name


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
