"""How strong the search by rollouts is, against its guide and others, on fresh mirrored deals.

For each budget it plays every deal from both seats. A budget is rollouts per decision, so that the same games can be
played on any machine, or with --seconds the time of a decision. The processor's time for a move is the mean over all
decisions, forced ones included. The deals are of a seed that no training uses; the 95 % intervals are over deals. A
stalled game counts as no win. Against a player made of rules, what the search's moves were worth is measured too
(advantages.py): the same win rate with far less luck in it. With --page the figures are written into a table of that
page of the documentation, in place of those of the same player and opponent.
"""

from __future__ import annotations

import argparse
import datetime as dt
import re
import time
from dataclasses import dataclass
from pathlib import Path

import joblib
import numpy as np
from advantages import Shares, mean_of, play_deals
from machine import Figures, machine, percent

from rulebots import MatchResult, Player, Position, RulePlayer, load_game, make_player, play_match
from rulebots.game import Moves
from rulebots.kernel.fingerprint import fingerprint
from rulebots.ratings.intervals import win_rate_interval
from rulebots.search.rollout import RolloutPlayer
from rulebots.search.rollout.player import player_of

SEED = 54_000_001
DEALS = 1000
#: The deals on which the guide alone meets the opponent.
GUIDES_DEALS, GUIDES_SEED = 20_000, 54_000_002
SIMULATIONS = [100, 300, 1000, 3000]
OPPONENTS = {"lost-cities": ["champion", "shelly"], "cant-stop": ["champion", "standard"]}
#: Least win rates, by game and opponent, each from a number of rollouts on; and the least against the guide at any.
LEAST = {
    ("lost-cities", "champion"): {30_000: 0.58, 800: 0.54},
    ("lost-cities", "shelly"): {800: 0.83},
    ("cant-stop", "champion"): {300: 0.55},
}
NEVER_BELOW = 0.495
#: Rollouts of a second, roughly: what budgets of time are judged by.
PER_SECOND = 30_000


class Timed(RolloutPlayer):
    """The same player; all that are made of it note what their decisions take in one list."""

    def __init__(self, player: RolloutPlayer, took: list[float]) -> None:
        super().__init__(
            *player.search.players[:1], player.search.settings, player.search.players[1:], name=player.name
        )
        self.took = took

    def choose(self, seen: Position, moves: Moves) -> int:
        """As before, with a note of the thread's processor time."""
        began = time.thread_time()
        move = super().choose(seen, moves)
        self.took.append(time.thread_time() - began)
        return move

    def for_one_game(self) -> Timed:
        """Likewise."""
        return Timed(super().for_one_game(), self.took)


def least(game: str, opponent: str, rollouts: float) -> float | None:
    """The win rate to be reached with so many rollouts a decision, None where none is named."""
    named = LEAST.get((game, opponent), {})
    reached = [rate for count, rate in named.items() if rollouts >= count]
    return max(reached, default=NEVER_BELOW if opponent == "champion" else None)


def measure(figures: Figures, spec: str, opponent: str, wanted: argparse.Namespace, rollouts: float) -> str:
    """One player with so many rollouts a decision against one opponent; returns the row of the page's table."""
    game = load_game(wanted.game)
    player = player_of(spec, game)
    other = make_player(opponent, game)
    what = valued(player, other, wanted) if isinstance(other, RulePlayer) else against(player, other, wanted)
    wished = least(game.name, opponent, rollouts)
    target, met = ("", None) if wished is None else (f"at least {100 * wished:.1f} %", what.rate >= wished)
    worth = f", its moves were worth {what.worth}" if what.worth else ""
    pace = f"{1000 * what.seconds:.1f} ms"
    figures.add(f"{spec} v {opponent}, {what.deals:,} deals", f"{what.won}{worth}, {pace} a move", target, met=met)
    print(*figures.rows[-1], flush=True)
    today = dt.datetime.now(dt.UTC).date()
    return f"| `{spec}` | {opponent} | {what.deals:,} | {what.won} | {what.worth} | {pace} | {today} |"


@dataclass(frozen=True)
class Found:
    """What came of a match: the best estimate of the win rate, shares as text, and seconds a decision."""

    rate: float
    deals: int
    won: str
    worth: str
    seconds: float


def against(player: RolloutPlayer, opponent: Player, wanted: argparse.Namespace) -> Found:
    """A match against anybody."""
    until, took = time.monotonic() + 60.0 * wanted.minutes, list[float]()

    def watch(result: MatchResult) -> bool:
        print(f"  {result.deals:,} deals: {percent(result.win_rate, result.win_rate_95)}", flush=True)
        return time.monotonic() < until

    result = play_match(Timed(player, took), opponent, wanted.deals, SEED, jobs=wanted.jobs, watch=watch)
    rate = percent(result.win_rate, result.win_rate_95)
    return Found(result.win_rate, result.deals, rate, "", sum(took) / max(len(took), 1))


def valued(player: RolloutPlayer, opponent: RulePlayer, wanted: argparse.Namespace) -> Found:
    """A match against a rule player, with what the moves were worth: the guide's win rate and what they add."""
    usual, error = guides(player.search.guide, opponent)
    games, names = list[Shares](), (player.game.name, player.name, opponent.name)
    for games in play_deals(names, wanted.deals, SEED, wanted.jobs, wanted.minutes):
        if len(games) % 20 == 0:
            print(f"  {len(games):,} deals: {percent(*_added(usual, error, games))}", flush=True)
    rate, interval = _added(usual, error, games)
    won = np.array([one.won for one in games])
    shares = percent(float(won.mean()), win_rate_interval(won)), percent(rate, interval)
    return Found(rate, len(games), *shares, float(np.mean([one.seconds for one in games])))


def guides(guide: RulePlayer, opponent: RulePlayer) -> tuple[float, float]:
    """The guide's win rate against an opponent, and half of its 95 % interval: one half against itself."""
    if fingerprint(guide) == fingerprint(opponent):
        return 0.5, 0.0
    found = play_match(guide, opponent, GUIDES_DEALS, GUIDES_SEED)
    low, high = found.win_rate_95
    rate = percent(found.win_rate, found.win_rate_95)
    print(f"  {guide.name} v {opponent.name}, {found.deals:,} deals: {rate}", flush=True)
    return found.win_rate, (high - low) / 2.0


def _added(usual: float, error: float, games: list[Shares]) -> tuple[float, tuple[float, float]]:
    """The guide's win rate and what the moves of a search add, with the errors of both."""
    mean, (low, high) = mean_of(np.array([one.worth for one in games]))
    half = float(np.hypot((high - low) / 2.0, error))
    return usual + mean, (usual + mean - half, usual + mean + half)


def write(page: Path, game: str, rows: list[str]) -> None:
    """Put rows into the table of a game on a page, and name the machine."""
    text = page.read_text(encoding="utf-8")
    begin, end = f"<!-- benchmarks/rollout.py --game {game} -->\n", "<!-- end -->\n"
    found = re.search(f"{re.escape(begin)}(.*?){re.escape(end)}", text, re.DOTALL)
    if found is None:
        raise SystemExit(f"{page}: expected a line '{begin.strip()}' and after it '{end.strip()}'")
    former = [line for line in found[1].splitlines() if line.startswith("| `")]
    table = {tuple(row.split("|")[1:3]): row for row in [*former, *rows]}
    lines = [
        "| player | against | deals | games won | its moves' worth | time a move | date |",
        "|---|---|---:|---|---|---:|---|",
    ]
    lines += [*table.values(), "", machine().replace("machine: ", "Machine: ") + "."]
    page.write_text(text.replace(found[0], begin + "\n".join(lines) + "\n" + end), encoding="utf-8")
    print(f"wrote {page}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--game", default="lost-cities", choices=OPPONENTS)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="at most about so many for each row")
    parser.add_argument("--opponents", nargs="+", help="by default the champion and another one")
    budgets = parser.add_mutually_exclusive_group()
    budgets.add_argument("--simulations", type=int, nargs="+", help="rollouts per decision, one budget after another")
    budgets.add_argument("--seconds", type=float, nargs="+", help="seconds per decision instead")
    parser.add_argument("--settings", default="", help="more settings of the player, such as belief=no")
    parser.add_argument("--page", type=Path, help="write the figures into the table of this page")
    parser.add_argument("--quick", action="store_true", help="a look at whether it runs: no figures to go by")
    parser.add_argument("--jobs", type=int, default=int(joblib.cpu_count()))
    args = parser.parse_args()
    if args.quick:
        args.deals, args.simulations, args.seconds = 1, [20], None
    chosen = (
        {f"seconds={s}": PER_SECOND * s for s in args.seconds}
        if args.seconds
        else {f"simulations={n}": n for n in args.simulations or SIMULATIONS}
    )
    figures = Figures(f"search by rollouts at {args.game}")
    for opponent in args.opponents or OPPONENTS[args.game]:
        for budget, rollouts in chosen.items():
            spec = f"rollout:{budget},{args.settings}" if args.settings else f"rollout:{budget}"
            row = measure(figures, spec, opponent, args, rollouts)
            if args.page:
                write(args.page, args.game, [row])
    figures.show()


if __name__ == "__main__":
    main()
