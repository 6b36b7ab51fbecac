"""What a run shows of itself: metrics of each generation on fresh deals, and collapse warnings.

A warning is a sign that a population "improves" by refusing to play, or cannot improve any more. A window is the mean
of the last few generations. It is compared with the best window of the run so far, so that one unlucky generation
raises no warning.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evolve.evaluation.arena import Arena
from evolve.schedules import BASELINES, WATCHING
from rulebots.play.loop import NOBODY
from rulebots.play.results import MatchResult, game_scores
from rulebots.players import Player, RulePlayer
from rulebots.ratings import FEWEST_DEALS, margin_interval, win_rate_interval
from rulebots.rules import Weights

#: The most mirrored deals that measure the best player and the whole population of a generation.
WATCH_DEALS = 200
#: The most that measure the best player against each baseline player, for the collapse warnings.
BASELINE_DEALS = 25
#: The most games that watch a generation, as a share of the games that it is bred from.
WATCHED = 0.1
#: Deals of the best players that a figure is of: fewer a generation are pooled with those of the generations before.
POOLED_DEALS = 60
#: Generations in a window.
WINDOW = 5
#: Warn where the win rate against a baseline player is this much below its best.
FALL = 0.1
#: Warn where the points are below this share of their best.
SHRUNK = 0.5
#: Warn where activities are below this share of their best on average: a single one is a matter of style.
FADED = 0.4
#: Warn where the share of stalled games is more than this, and more than this above its least.
STALLS = 0.05
#: Rounding of points that add up to 0.
ZERO = 1e-9
#: Warn where weights differ by less than this share of their size.
SPREAD = 0.005


@dataclass(frozen=True)
class Metrics:
    """What shows whether a population collapses: figures of one generation's best player, and the population's spread.

    `baselines` are the best player's win rates against the baseline players by name. `points` are its mean points a
    game; 0 where those of all seats add up to 0, which then show no player that refuses to play. `activity` are the
    means a game of the statistics that the game defines, by name, and `stalled` is the share of its games that stalled.
    `spread` is how much the weights of the population differ, as a share of their size.
    """

    baselines: Mapping[str, float]
    points: float
    activity: Mapping[str, float]
    stalled: float
    spread: float


@dataclass(frozen=True)
class Progress:
    """One generation: `best` and `mean` are win rates against the hand-tuned player on fresh deals, 0 to 1.

    They are those of the best player and of all; where a generation has few deals, also of those just before: see
    `RecentMatches`. `best_95` is the 95 % interval of the first. `training` is the win rate of the best player in its
    `training_games`; it is the best because of them, so they flatter it. `champion` is what would come first
    if the run ended here, float64[2, rules]. `games` counts the games of the run so far that it learnt
    from. `warnings` are sentences: see `CollapseWatch`. `margin` is the best player's lead in points a game over the
    hand-tuned one on those deals, with its 95 % interval, where points count; without either, None.
    """

    generation: int
    games: int
    games_a_second: float
    best: float
    best_95: tuple[float, float]
    mean: float
    training: float
    training_games: int
    metrics: Metrics
    warnings: Sequence[str]
    champion: Weights
    margin: float | None = None
    margin_95: tuple[float, float] | None = None


def measure_generation(
    arena: Arena,
    bred: Sequence[RulePlayer],
    best: int,
    hand_tuned: Player,
    baselines: Mapping[str, Player],
    generation: int,
) -> tuple[MatchResult, float, Metrics]:
    """Let a generation and its best player meet the hand-tuned player, and the best the baseline players.

    Gives the match of the best player, the mean win rate of all, and the metrics.
    """
    count = len(bred)
    share = watched_share(arena, len(baselines))
    watched = max(1, int(share * WATCH_DEALS))
    deals = arena.deals(watched, WATCHING, generation)
    # Each deal is played by the next player in turn: one deal for all would say more of the deal than of the players.
    in_turn = arena.mirrored(watched, NOBODY, count)
    turn = (in_turn[:, :1] + generation * watched) % count
    in_turn[:, 1:] = np.where(in_turn[:, 1:] == NOBODY, turn, in_turn[:, 1:])
    everyone = game_scores(arena.play([*bred, hand_tuned], deals, in_turn), 0.0, arena.game)
    pair = arena.match(bred[best], hand_tuned, deals)
    few = arena.deals(max(1, int(share * BASELINE_DEALS)), BASELINES, generation)
    of_all_seats = pair.points + (arena.seats - 1) * pair.opponent_points
    metrics = Metrics(
        baselines={name: arena.match(bred[best], player, few).win_rate for name, player in baselines.items()},
        points=pair.points if abs(of_all_seats) > ZERO else 0.0,
        activity={name: mine for name, (mine, _) in pair.behaviour.items()},
        stalled=pair.stalled / pair.games,
        spread=spread([player.weights for player in bred]),
    )
    return pair, float(everyone.mean()), metrics


def watched_share(arena: Arena, baselines: int) -> float:
    """How many of the most deals watch a generation, 0 to 1: they cost at most WATCHED of its games."""
    most = len(arena.mirrored(1)) * (2 * WATCH_DEALS + baselines * BASELINE_DEALS)
    return min(1.0, WATCHED * arena.games_a_generation / most)


def spread(weights: Sequence[Weights]) -> float:
    """How much players differ: the standard deviation of a weight among them as a share of its size.

    Both are medians over the weights, so that a few weights in the hundreds, of rules that override all others, do
    not hide the changes of the rest. A weight that is 0 for everyone does not count.
    """
    stack = np.array(weights).reshape(len(weights), -1)
    used = stack[:, stack.any(axis=0)]
    return float(np.median(used.std(axis=0)) / np.median(np.abs(used).mean(axis=0))) if used.size else 0.0


@dataclass
class RecentMatches:
    """The matches of the latest generations' best players, as plain data: as many as have POOLED_DEALS deals together.

    Where a generation is small, its few deals alone would say nothing.
    """

    matches: list[dict[str, Any]] = field(default_factory=list)

    def see(self, match: MatchResult, mean: float) -> dict[str, Any]:
        """Take in a generation, with the `mean` of all its players, and give the figures of `Progress` that it adds to.

        Older generations are dropped as soon as the others have enough deals.
        """
        lists = {"scores": match.scores.tolist(), "margins": match.margins.tolist()}
        different = match.effective_deals if match.stalled < match.games else 0.0
        self.matches = [*self.matches, {**lists, "different": different, "mean": mean}]
        while sum(len(one["scores"]) for one in self.matches[1:]) >= POOLED_DEALS:
            del self.matches[0]
        scores, margins = (np.concatenate([one[name] for one in self.matches]) for name in lists)
        different = sum(one["different"] for one in self.matches)
        few = different < FEWEST_DEALS
        figures = {
            "best": float(scores.mean()),
            "best_95": (0.0, 1.0) if few else win_rate_interval(scores, different, match.games / match.deals),
            "mean": float(np.mean([one["mean"] for one in self.matches])),
        }
        if match.in_points:
            figures["margin"] = float(margins.mean())
            figures["margin_95"] = None if few else margin_interval(margins, different)
        return figures


@dataclass
class CollapseWatch:
    """Watches a run's metrics: `recent` is the current window of each series, `best` the best window so far.

    Where only a `share` of the most deals are watched, chance changes more, and more has to change for a warning: its
    limits widen as standard errors do.
    """

    share: float = 1.0
    recent: dict[str, list[float]] = field(default_factory=dict)
    best: dict[str, float] = field(default_factory=dict)

    def see(self, metrics: Metrics) -> list[str]:
        """Take in a generation, and give its warnings: a sentence with figures for each thing that went wrong."""
        warnings: list[str] = []
        wider = self.share**-0.5
        for name, rate in metrics.baselines.items():
            now, best = self._window(f"baseline {name}", rate)
            if now < best - wider * FALL:
                warnings.append(f"the best player wins {now:.0%} against {name}, down from {best:.0%}")
        now, best = self._window("points", metrics.points)
        if best > 0 and now < SHRUNK**wider * best:
            warnings.append(f"the best player makes {now:.1f} points a game, down from {best:.1f}")
        done = {name: self._window(f"activity {name}", amount) for name, amount in metrics.activity.items()}
        shares = {name: now / best for name, (now, best) in done.items() if best > 0}
        if shares and sum(shares.values()) / len(shares) < FADED**wider:
            name = min(shares, key=lambda one: shares[one])
            now, best = done[name]
            warnings.append(f"the best player does little: {name} {now:.1f} a game, down from {best:.1f}")
        now, best = (abs(value) for value in self._window("stalled", -metrics.stalled))
        if now > best + wider * STALLS:
            warnings.append(f"{now:.0%} of the best player's games stall, up from {best:.0%}")
        now, _ = self._window("spread", metrics.spread)
        if len(self.recent["spread"]) == WINDOW and now < SPREAD:
            warnings.append(f"the population's weights differ by only {now:.1%} of their size: nothing new is tried")
        return warnings

    def state(self) -> dict[str, Any]:
        """The windows as plain data, which a new watch goes on from."""
        return {"recent": dict(self.recent), "best": dict(self.best)}

    def _window(self, series: str, value: float) -> tuple[float, float]:
        """The mean of the current window, and that of the best full window so far, this one included."""
        recent = self.recent[series] = [*self.recent.get(series, []), value][-WINDOW:]
        now = sum(recent) / len(recent)
        if len(recent) == WINDOW:
            self.best[series] = max(self.best.get(series, now), now)
        return now, self.best.get(series, now)
