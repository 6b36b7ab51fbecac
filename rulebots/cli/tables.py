"""Tables that both command lines show: results of matches, and the weights of rules."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table

from rulebots.cli.console import in_terminal
from rulebots.rules import EARLY, LATE, RuleSet, Weights

if TYPE_CHECKING:
    from rulebots.play.open_ended import SprtResult
    from rulebots.play.results import MatchResult
    from rulebots.tournaments.standings import Tournament


def new_table(columns: Mapping[str, bool], *, headings: bool = True) -> Table:
    """An empty table; `columns` says for each heading whether its column holds numbers.

    Long texts are folded in a terminal, and nothing is ever cut off.
    """
    frame = box.SIMPLE_HEAD if in_terminal() else None
    table = Table(box=frame, pad_edge=in_terminal(), show_header=headings)
    for heading, numbers in columns.items():
        table.add_column(heading, justify="right" if numbers else "left", overflow="fold")
    return table


def match_table(r: MatchResult) -> Table:
    """One match, from its first player's side."""
    table = new_table({"what": False, "number": True, "remark": False}, headings=False)
    for name in ("wins", "draws", "losses", "stalled", "games"):
        table.add_row(name, f"{getattr(r, name):,}", "")
    table.add_row("win rate", percent(r.win_rate), f"95 %: {interval(r)}")
    table.add_row("Elo", signed(r.elo), f"95 %: {ends(r.elo_95)}")
    table.add_row("superiority", percent(r.superiority), "likelihood that the true win rate is above 50 %")
    for name in ("points", "opponent_points"):
        table.add_row(name.replace("_", "'s "), f"{getattr(r, name):.1f}", "a game")
    table.add_row("margin", f"{r.margin:.1f}", f"95 %: {ends(r.margin_95, '.1f')}")
    table.add_row("length", f"{r.plies:.1f}", "moves a game")
    for name, (first, second) in r.behaviour.items():
        table.add_row(name, f"{first:.2f}", f"a game; opponent's {second:.2f}")
    return table


def standing(r: MatchResult, sprt: SprtResult | None) -> str:
    """The status of a match, on one line."""
    text = f"{r.games:,} games: win rate {percent(r.win_rate)} ({interval(r)}), Elo {signed(r.elo)} ({ends(r.elo_95)})"
    if sprt is None:
        return text
    lower, upper = sprt.test.bounds
    return f"{text}; log likelihood ratio {sprt.llr:.2f} ({lower:.2f} to {upper:.2f})"


def verdict(sprt: SprtResult) -> str:
    """Which hypothesis a test has accepted, as a sentence."""
    after, test = f"after {sprt.match.games:,} games", sprt.test
    if sprt.accepted == "undecided":
        return f"undecided {after}: neither H0 (at most {test.elo0:+g} Elo) nor H1 (at least {test.elo1:+g}) is clear"
    said = f"at most {test.elo0:+g}, not at least {test.elo1:+g}"
    if sprt.accepted == "H1":
        said = f"at least {test.elo1:+g}, not at most {test.elo0:+g}"
    return f"{sprt.accepted} accepted {after}: the difference is {said} Elo (alpha {test.alpha:g}, beta {test.beta:g})"


def matches_table(results: Mapping[str, MatchResult]) -> Table:
    """A line for each opponent of one player, from that player's side."""
    numbers = ("win rate", "95 %", "points", "opponent's", "stalled", "games")
    table = new_table({"against": False, **dict.fromkeys(numbers, True)})
    for opponent, r in results.items():
        means = (f"{mean:.1f}" for mean in (r.points, r.opponent_points))
        table.add_row(opponent, percent(r.win_rate), interval(r), *means, f"{r.stalled:,}", f"{r.games:,}")
    return table


def ratings_table(tournament: Tournament) -> Table:
    """A line for each player, best first."""
    numbers = ("Elo", "95 %", "win rate", "games", "stalled")
    table = new_table({"": True, "player": False, **dict.fromkeys(numbers, True)})
    for row in tournament.rows():
        counts = (f"{row['games']:,}", f"{row['stalled']:,}")
        rating = (signed(row["elo"]), ends(row["elo_95"]))
        table.add_row(str(row["rank"]), row["player"], *rating, percent(row["win_rate"]), *counts)
    return table


def cross_table(tournament: Tournament) -> Table:
    """The win rate in percent of each line's player against those of the columns, best first."""
    ranking, rates = tournament.ranking, tournament.cross_table
    table = new_table({"": True, "win rate against": False, **{str(rank + 1): True for rank in range(len(ranking))}})
    for rank, i in enumerate(ranking, 1):
        cells = ("" if math.isnan(rates[i, j]) else f"{100 * rates[i, j]:.1f}" for j in ranking)
        table.add_row(str(rank), tournament.names[i], *cells)
    return table


def weights_table(rules: RuleSet, weights: Weights) -> Table:
    """Every rule with its weights and its meaning; `weights` is float64[2, rules]."""
    table = new_table({"group": False, "rule": False, "early": True, "late": True, "meaning": False})
    for group in rules.groups:
        for column, rule in enumerate(rules.rules):
            if rule.group == group:
                pair = (f"{weights[half, column]:g}" for half in (EARLY, LATE))
                table.add_row(group, rule.name, *pair, rule.meaning)
    return table


def percent(share: float) -> str:
    """0.712 as `71.2 %`."""
    return f"{100 * share:.1f} %"


def interval(result: MatchResult) -> str:
    """The 95 % interval of the win rate, in percent: `70.1 to 73.2`."""
    low, high = result.win_rate_95
    return ends((100 * low, 100 * high), ".1f")


def signed(elo: float) -> str:
    """An Elo difference in whole points: `+12`, `-3`, `+inf`."""
    return f"{elo:+.0f}"


def ends(pair: tuple[float, float], how: str = "+.0f") -> str:
    """An interval: `-3 to +12`."""
    low, high = pair
    return f"{low:{how}} to {high:{how}}"
