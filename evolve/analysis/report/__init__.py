"""What a game is like to play: figures for its designer, measured on games between players of several strengths.

`plan_of` says what is to be measured, `measured` measures it part by part: each part is plain data, and depends on the
plan only. The parts are kept in a file, and a report of the same plan goes on from them. All figures come with a 95 %
interval.

In restricted play, players never make some moves, and are bred again to do without them. How much a kind of move
matters is read from the win rate of a player without it against one with it: A. Jaffe and others, "Evaluating
Competitive Game Balance with Restricted Play" (AIIDE 2012). Where every legal move is forbidden, the player is free,
because a game has no pass that it could make instead.
"""

import functools
import itertools
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from evolve.analysis.ablation import rule_losses
from evolve.analysis.measuring import Estimate, plain, win_rate
from evolve.analysis.report.games import game_figures, seat_figures, self_play
from evolve.evaluation.arena import Arena, play_generation
from evolve.lessons.rule_ranges import ranges_of
from evolve.settings import HAND_TUNED, Settings
from evolve.strategies import make_breeder
from evolve.workers import Workers
from rulebots import files
from rulebots.errors import FileError, check_known, demand
from rulebots.files import read_text
from rulebots.files.ranges import check_numbers, number
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.kernel import Kernel, kernel
from rulebots.kernel.fingerprint import fingerprint
from rulebots.packages import package_of
from rulebots.packages.players import champion_of, make_player
from rulebots.packages.population import rounded
from rulebots.play.deals import Deals, draw_deals, opening_plies_of
from rulebots.play.match import play_deals
from rulebots.play.results import match_result
from rulebots.players import CompiledPlayer, Player, RulePlayer, Style, decides_by_rules
from rulebots.rules import RuleSet, Weights
from rulebots.rules.scoring import chooser
from rulebots.tournaments.tournament import play_tournament

#: The players of a generation, the mirrored deals each plays against the unrestricted player, and the generations.
POPULATION = 16
DEALS = 20
FORMAT = "rulebots-report/1"
#: A game of one kind of moves that has at most this many moves is played without each of them.
MOST_FORBIDDEN = 12
#: The most variants of a game beside each other.
MOST_VARIANTS = 24
#: What the deals of a report are for: the last number of their identity, which has five; no run has deals of these.
SELF_PLAY, RESTRICTED, SKILL = range(3)


@dataclass(frozen=True)
class Plan:
    """What is measured. `variants` are options of the game by name, the first of them the one looked at closely.

    `players` are measured as a ladder; the games of `player`, by default the best of them, are looked into. It is
    played without each of `forbidden`, names of kinds of moves or moves as text; by default without each kind.

    Raises:
        UsageError: fewer than two players, a number out of range, or options that the game does not have.
    """

    game: Game
    variants: tuple[Mapping[str, int], ...]
    players: tuple[str, ...]
    player: str = ""
    forbidden: tuple[str, ...] | None = None
    deals: int = number(1000, 40, 100_000, "deals of each player with itself")
    generations: int = number(12, 1, 1000, "generations for which a restricted player is bred again")
    seed: int = 1
    opening_plies: int | None = None
    jobs: int = 1

    def __post_init__(self) -> None:
        check_numbers(self)
        demand(
            len(self.players) >= 2,
            f"a report of {self.game.title} needs at least 2 players of different strength, not {len(self.players)}: "
            "name them, such as --players random,FILE.yaml",
        )
        demand(
            1 <= len(self.variants) <= MOST_VARIANTS,
            f"expected 1 to {MOST_VARIANTS} variants of the game, not {len(self.variants)}",
        )
        for options in self.variants:
            self.game.option_values(options)
        _moves_of(self.game, self.forbidden or (), self.variants[0])

    def about(self) -> dict[str, Any]:
        """What decides the figures, in plain data: a report of the same plan goes on where it was stopped."""
        specs = dict.fromkeys(filter(None, [*self.players, self.player]))
        return {
            "format": FORMAT,
            "game": self.game.name,
            "title": self.game.title,
            "variants": [dict(options) for options in self.variants],
            "players": {
                spec: fingerprint([self.player_at(spec, options) for options in self.variants]) for spec in specs
            },
            "player": self.player,
            "forbidden": None if self.forbidden is None else list(self.forbidden),
            "deals": self.deals,
            "generations": self.generations,
            "seed": self.seed,
            "opening_plies": opening_plies_of(self.game, self.game.option_values(self.variants[0]), self.opening_plies),
        }

    def player_at(self, spec: str, options: Mapping[str, int]) -> Player:
        """The player of that name, for tables of a variant."""
        return make_player(spec, self.game, self.game.seats_with(options))

    @property
    def terms(self) -> dict[str, Any]:
        """The arguments that matches and tournaments have in common."""
        return {"opening_plies": self.opening_plies, "jobs": self.jobs}

    def drawn(self, options: Mapping[str, int], purpose: int, count: int) -> Deals:
        """Deals of this plan for a purpose."""
        return draw_deals(
            self.game, count, self.seed, 0, 0, 0, purpose, options=options, opening_plies=self.opening_plies
        )


def plan_of(game: Game, options: Mapping[str, Sequence[int]] | None = None, **given: Any) -> Plan:
    """The plan for a game with every combination of these values of its options; `given` are other fields of `Plan`.

    Raises:
        UsageError: as `Plan` does.
    """
    values = options or {}
    variants = tuple(dict(zip(values, variant, strict=True)) for variant in itertools.product(*values.values()))
    demand(
        not any(game.seats_with(game.option_values(variant)) == 1 for variant in variants),
        "a report is of games at two seats or more: one seat alone has no course of leads to tell of",
    )
    package = package_of(game)
    by_strength = dict.fromkeys([*reversed(package.baselines), *reversed(package.references), champion_of(game)])
    return Plan(game, variants, tuple(given.pop("players", None) or by_strength), **given)


def measured(
    plan: Plan, done: Mapping[str, Any] | None = None, begin: Callable[[str], object] = lambda _: None
) -> Iterator[tuple[str, Any]]:
    """Measure the plan part by part: the name of each part and its figures, plain data as in the report's JSON.

    Parts in `done` are taken from there. `begin` is called with the name of each part that is measured now.

    Raises:
        PlayerFault: a player fails. CodeError: a user's code breaks the contract.
    """
    parts = dict(done or {})

    def part(name: str, figures: Callable[..., Any], *arguments: Any) -> tuple[str, Any]:
        if name not in parts:
            begin(name)
            parts[name] = plain(figures(plan, *arguments))
        return name, parts[name]

    for which, options in enumerate(plan.variants):
        yield part(f"ladder {which}", _ladder, options)
        spec = plan.player or _best(plan, parts[f"ladder {which}"]["players"])
        yield part(f"course {which}", _course, options, spec)
    player = plan.player_at(parts["course 0"]["player"], plan.variants[0])
    if not decides_by_rules(player):
        return  # such as a search: it has no rules, and cannot be bred
    yield part("rules", _rules, player)
    for name, moves in (without := _restrictions(plan, parts["course 0"])).items():
        yield part(f"without {name}", _restricted, player, moves, 2 * len(without))


def _best(plan: Plan, lines: Sequence[Mapping[str, Any]]) -> str:
    """The best player; of those that its rating does not tell from others, the one that was named last."""
    best = lines[0]["elo"]["mean"]
    near = {line["player"] for line in lines if line["elo"]["mean"] == best or (line["elo"]["high"] or best) > best}
    return next(spec for spec in reversed(plan.players) if spec in near)


def _ladder(plan: Plan, options: Mapping[str, int]) -> dict[str, Any]:
    """A line for each player, best first: its rating, and what happens when it meets itself.

    They meet each other on a quarter as many deals. `skill` is what the first scores against the last. In a cooperative
    game the points that each makes with itself replace the rating.
    """
    deals = plan.drawn(options, SELF_PLAY, plan.deals)
    players = [plan.player_at(spec, options) for spec in plan.players]
    seats = [seat_figures(plan.game, self_play(player, deals, plan.jobs)) for player in players]
    if plan.game.together(deals.seats):
        order = sorted(range(len(players)), key=lambda place: -seats[place]["points"].mean)
        ratings = {place: seats[place]["points"] for place in order}
    else:
        ratings = _ratings(plan, players, options, deals.seats)
    lines = [{"player": plan.players[place], "elo": elo, **seats[place]} for place, elo in ratings.items()]
    best, *_, worst = ratings
    ends = play_deals(players[best], players[worst], plan.drawn(options, SKILL, max(1, plan.deals // 4)), plan.jobs)
    return {"players": lines, "skill": win_rate(match_result(ends, plan.game))}


def _ratings(plan: Plan, players: Sequence[Player], options: Mapping[str, int], seats: int) -> dict[int, Estimate]:
    """The Elo of each player by its number, the best first; copies fill a table for which there are too few players."""
    seated = [players[i % len(players)] for i in range(max(seats, len(players)))]
    rated = play_tournament(seated, deals=max(1, plan.deals // 4), seed=plan.seed, options=options, **plan.terms)
    ratings = {}
    for row, place in zip(rated.rows(), rated.ranking, strict=True):
        if place < len(players):
            low, high = row["elo_95"] if row["elo_95"][0] > -math.inf else (None, None)
            ratings[place] = Estimate(row["elo"], low, high, row["distinct_deals"])
    return ratings


def _course(plan: Plan, options: Mapping[str, int], spec: str) -> dict[str, Any]:
    return {
        "player": spec,
        **game_figures(plan.player_at(spec, options), plan.drawn(options, SELF_PLAY, plan.deals), plan.jobs, plan.seed),
    }


def _rules(plan: Plan, player: RulePlayer) -> list[dict[str, Any]]:
    """What each rule of the player adds against itself as it is, on a quarter of the deals."""
    losses = rule_losses(player, [], max(2, plan.deals // 4), plan.seed, options=plan.variants[0], **plan.terms)
    meanings = {rule.key: rule.words for rule in player.rules.rules}
    return [
        {
            "name": key,
            "meaning": meanings[key],
            "loss": Estimate(loss.mean, low, high, loss.distinct_deals),
            "verdict": loss.verdict,
        }
        for key, loss in losses.items()
        for low, high in [(None, None) if loss.too_few else (loss.low, loss.high)]
    ]


def _restricted(plan: Plan, player: RulePlayer, moves: Sequence[int], of_several: int) -> dict[str, Estimate]:
    """What the player scores against itself without these moves: as it is, and bred again for it.

    All `of_several` intervals, with those of other moves, hold together in 95 %.
    """
    deals = plan.drawn(plan.variants[0], RESTRICTED, plan.deals // 2)
    versions = {"at_once": player.weights, "bred_again": _bred_again(plan, player, moves)}
    return {
        name: win_rate(match_result(play_deals(restricted, player, deals, plan.jobs), plan.game), of_several)
        for name, weights in versions.items()
        for restricted in [RestrictedPlayer(player.rules, weights, moves, name)]
    }


def _restrictions(plan: Plan, course: Mapping[str, Any]) -> dict[str, list[int]]:
    """What is forbidden, by name: what the plan says, else each kind of move with an alternative, else each move."""
    if plan.forbidden is not None:
        return _moves_of(plan.game, plan.forbidden, plan.variants[0])
    kinds, moves = ([line["name"] for line in course[table]] for table in ("kinds", "moves"))
    return _moves_of(plan.game, kinds or (moves if len(moves) <= MOST_FORBIDDEN else []), plan.variants[0])


def _moves_of(game: Game, names: Sequence[str], options: Mapping[str, int]) -> dict[str, list[int]]:
    """The moves that each name of a kind, or text of a move, stands for. Raises UsageError for another name.

    With these options the game may have no such move: then it cannot read the text.
    """
    if not names:
        return {}
    moves: dict[str, list[int]] = {}
    for move in range(game.move_count):
        moves.setdefault(game.kinds[int(game.kind(move))].name, []).append(move)
    kinds = [kind.name for kind in game.kinds]
    texts = {game.text.write(move): [move] for move in range(game.move_count)}
    for name in names:
        check_known("kind of move", name, [*kinds, *texts], game.name)
        if name not in kinds:
            game.text.read(name, Position(game, options).state)
    return {name: moves.get(name, []) if name in kinds else texts[name] for name in names}


def load_parts(path: Path, about: Mapping[str, Any]) -> dict[str, Any]:
    """The parts that a file holds; empty if the file does not exist.

    Raises:
        FileError: it is not a report, or one of another plan; the message says in what they differ.
        InputError: it cannot be read.
    """
    if not path.exists():
        return {}
    try:
        content = json.loads(read_text(path, "report"))
        parts = dict(content["parts"])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise FileError(f"{path}: expected the figures of a report; name another --out") from None
    differs = [name for name in about if content.get(name) != about[name]]
    demand(
        not differs, f"{path} is a report of another plan ({', '.join(differs)} differ); name another --out", FileError
    )
    return parts


def save_parts(path: Path, about: Mapping[str, Any], parts: Mapping[str, Any]) -> None:
    """Replace the parts in a file. Raises OutputError."""
    files.replace(path, json.dumps({**about, "parts": parts}, indent=1) + "\n")


class RestrictedPlayer(CompiledPlayer):
    """A player of rules that makes none of the `forbidden` moves, by number, unless all legal ones are."""

    def __init__(self, rules: RuleSet, weights: Weights, forbidden: Sequence[int], name: str) -> None:
        mask = np.zeros((2, rules.game.move_count))
        mask[:, list(forbidden)] = 1.0
        super().__init__(restricted_style(rules), np.concatenate([weights, mask], axis=1), name)


@functools.cache
def restricted_style(rules: RuleSet) -> Style:
    """The style of restricted players of a rule set: after the weights stands a 1 for each forbidden move.

    So one compiled style serves all restrictions. The choice is the set's `decide`, so that every form of the set, such
    as one that is checked or called back in Python, chooses in the same way.
    """
    within = replace(rules, decide=functools.partial(_within, decide=rules.decide))
    return Style(rules.game, chooser(within), len(rules.rules) + rules.game.move_count, within)


def _within(rules: RuleSet, decide: Callable[[RuleSet], Kernel[..., int]] | None) -> Kernel[..., int]:
    """A kernel that chooses as `decide` does, among the moves that are allowed."""
    choose = chooser(replace(rules, decide=decide))
    first = len(rules.rules)

    @kernel
    def choose_within(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
        allowed = 0
        for i in range(n):
            if weights[0, first + moves[i]] == 0.0:
                moves[allowed] = moves[i]
                allowed += 1
        return choose(view, moves, allowed if allowed > 0 else n, weights, blended, scores)

    return choose_within


def _bred_again(plan: Plan, player: RulePlayer, forbidden: Sequence[int]) -> Weights:
    """The weights of a best response to the player that never makes these moves, bred against the player only."""
    settings = Settings.of(
        "ga",
        game=player.game.name,
        population=POPULATION,
        generations=plan.generations,
        opponents=(HAND_TUNED,),
        opponent_deals=DEALS,
        schedule="gauntlet",
        seed=plan.seed,
        options=dict(plan.variants[0]),
        opening_plies=plan.opening_plies,
    )
    arena = Arena(player.game, settings, Workers(plan.jobs))
    breeder = make_breeder(settings, player.rules, [player.weights])
    if breeder.unscaled:
        breeder.scale(ranges_of(arena, [player]))
    for generation in range(settings.generations):
        population = [
            RestrictedPlayer(player.rules, weights, forbidden, f"bred {i}") for i, weights in enumerate(breeder.ask())
        ]
        breeder.tell(play_generation(arena, population, [player], generation).tally)
    return rounded(breeder.finalists()[0])
