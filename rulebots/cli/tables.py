"""Tables that both command lines show: results of matches, and the weights of rules."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulebots.cli.console import in_terminal

if TYPE_CHECKING:
    from rich.table import Table

    from rulebots.play.match import SprtResult
    from rulebots.play.results import MatchResult, TableFigures
    from rulebots.tournaments.cross_play import CrossPlay
    from rulebots.tournaments.standings import Tournament

#: Instead of an interval that rests on a handful of different deals.
TOO_FEW = "too few"
#: A column that is shown where some deals were played alike.
DISTINCT = "distinct deals"


def new_table(columns: Mapping[str, bool], *, headings: bool = True) -> Table:
    """An empty table; `columns` says for each heading whether its column holds numbers.

    Long texts are folded in a terminal, and nothing is ever cut off.
    """
    from rich import box
    from rich.table import Table

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
    if r.distinct_deals < r.deals:
        table.add_row(DISTINCT, f"{r.distinct_deals:,}", f"of {r.deals:,}; the others are copies of these")
    table.add_row("win rate", percent(r.win_rate), f"95 %: {interval(r)}")
    table.add_row("Elo", signed(r.elo), f"95 %: {elo_interval(r)}")
    superiority = TOO_FEW if r.too_few else percent(r.superiority)
    table.add_row("superiority", superiority, "likelihood that the true win rate is above 50 %")
    if r.table is not None:
        _add_table_figures(table, r.table)
    for name, shown in zip(("points", "opponent's points"), amounts(r.points, r.opponent_points), strict=True):
        table.add_row(name, shown, "a game")
    margin, *around = amounts(r.margin, *(() if r.too_few else r.margin_95))
    table.add_row("margin", margin, f"95 %: {' to '.join(around) or TOO_FEW}")
    table.add_row("length", f"{r.plies:.1f}", "moves a game")
    for name, (first, second) in r.behaviour.items():
        table.add_row(name, f"{first:.2f}", f"a game; opponent's {second:.2f}")
    return table


def _add_table_figures(table: Table, of: TableFigures) -> None:
    """The rows of a match of more than two seats, or of a cooperative game."""
    if of.perfect is not None:
        table.add_row("perfect", percent(of.perfect[0]), f"of the deals; opponent's {percent(of.perfect[1])}")
    if not of.together:
        around = f"95 %: {rate_interval(of.share_95[0])}; even is {percent(of.even)}"
        table.add_row("tables won alone", percent(of.shares[0]), f"among {of.seats - 1} opponents, {around}")
        table.add_row("opponent's, alone", percent(of.shares[1]), f"among {of.seats - 1} players")
        table.add_row("place", f"{of.places[0]:.2f}", f"alone; opponent's {of.places[1]:.2f}")


def table_table(names: Sequence[str], result: MatchResult) -> Table:
    """A line for each player at a table."""
    r = result.table
    assert r is not None
    numbers = ("tables won", "95 %", "place", "points", "95 % of points")
    table = new_table({"player": False, **dict.fromkeys(numbers, True)})
    rows = zip(names, r.shares, r.share_95, r.places, r.points, r.points_95, strict=True)
    for name, share, share_95, place, points, points_95 in rows:
        around = TOO_FEW if math.isinf(points_95[0]) else " to ".join(amounts(*points_95))
        table.add_row(name, percent(share), rate_interval(share_95), f"{place:.2f}", *amounts(points), around)
    return table


def standing(r: MatchResult, sprt: SprtResult | None) -> str:
    """The status of a match, on one line."""
    text = f"{r.games:,} games{copies(r)}: win rate {rate(r)}, Elo {signed(r.elo)} ({elo_interval(r)})"
    if sprt is None:
        return text
    lower, upper = sprt.test.bounds
    return f"{text}; log likelihood ratio {sprt.llr:.2f} ({lower:.2f} to {upper:.2f})"


def verdict(sprt: SprtResult) -> str:
    """Which hypothesis a test has accepted, as a sentence."""
    match, test = sprt.match, sprt.test
    after = f"after {match.games:,} games{copies(match)}"
    if sprt.accepted == "undecided":
        return f"undecided {after}: neither H0 (at most {test.elo0:+g} Elo) nor H1 (at least {test.elo1:+g}) is clear"
    said = f"at most {test.elo0:+g}, not at least {test.elo1:+g}"
    if sprt.accepted == "H1":
        said = f"at least {test.elo1:+g}, not at most {test.elo0:+g}"
    return f"{sprt.accepted} accepted {after}: the difference is {said} Elo (alpha {test.alpha:g}, beta {test.beta:g})"


def matches_table(results: Mapping[str, MatchResult]) -> Table:
    """A line for each opponent of one player, from that player's side."""
    some_alike = any(r.distinct_deals < r.deals for r in results.values())
    numbers = ["win rate", "95 %", "points", "opponent's", "stalled", "games", *([DISTINCT] if some_alike else [])]
    table = new_table({"against": False, **dict.fromkeys(numbers, True)})
    for opponent, r in results.items():
        counts = [f"{count:,}" for count in (r.stalled, r.games, *([r.distinct_deals] if some_alike else []))]
        table.add_row(opponent, percent(r.win_rate), interval(r), *amounts(r.points, r.opponent_points), *counts)
    return table


def ratings_table(tournament: Tournament) -> Table:
    """A line for each player, best first."""
    rows, unknown = tournament.rows(), TOO_FEW if tournament.ratings.connected else "unknown"
    seats, a_deal = tournament.seats, tournament.games_a_deal
    some_alike = any(row["distinct_deals"] < row["games"] // a_deal for row in rows)
    at_tables = [f"won (of {percent(1 / seats)})", "place", "points"] if seats > 2 else []
    rate = ["ahead of", *at_tables] if seats > 2 else ["win rate"]
    numbers = ["Elo", "95 %", *rate, "games", "stalled", *([DISTINCT] if some_alike else [])]
    table = new_table({"": True, "player": False, **dict.fromkeys(numbers, True)})
    for row in rows:
        counts = [f"{row[name]:,}" for name in ("games", "stalled", *(["distinct_deals"] if some_alike else []))]
        rating = (signed(row["elo"]), ends(row["elo_95"]) if math.isfinite(row["elo_95"][0]) else unknown)
        had = (percent(row["share"]), f"{row['place']:.2f}", *amounts(row["points"])) if seats > 2 else ()
        table.add_row(str(row["rank"]), row["player"], *rating, percent(row["win_rate"]), *had, *counts)
    return table


def points_table(found: CrossPlay) -> Table:
    """A line for each player of a game for all together, the most points with copies of itself first."""
    rows = found.rows()
    some = [name for name in ("perfect", "with_others") if rows[0][name] is not None]
    table = new_table(
        {"": True, "player": False}
        | dict.fromkeys(["points", "95 %", *(name.replace("_", " ") for name in some), "games", "stalled"], True)
    )
    for row in rows:
        known = math.isfinite(row["points_95"][0])
        points, *around = amounts(row["points"], *(row["points_95"] if known else ()))
        more = {"perfect": percent(row["perfect"] or 0), "with_others": amounts(row["with_others"] or 0)[0]}
        shown = (points, " to ".join(around) or TOO_FEW, *(more[name] for name in some))
        table.add_row(str(row["rank"]), row["player"], *shown, f"{row['games']:,}", f"{row['stalled']:,}")
    return table


def partners_table(found: CrossPlay) -> Table:
    """The mean points of each line's player with the others: its copies and one of the column's player."""
    ranking, points = found.ranking, found.points
    title = "points with" if found.seats == 2 else "points of its copies with one"
    table = new_table({"": True, title: False, **{str(rank + 1): True for rank in range(len(ranking))}})
    for rank, i in enumerate(ranking, 1):
        cells = ("" if math.isnan(points[i, j]) else amounts(points[i, j])[0] for j in ranking)
        table.add_row(str(rank), found.names[i], *cells)
    return table


def cross_table(tournament: Tournament) -> Table:
    """The win rate in percent of each line's player against those of the columns, best first."""
    ranking, rates = tournament.ranking, tournament.cross_table
    title = "ahead of" if tournament.seats > 2 else "win rate against"
    table = new_table({"": True, title: False, **{str(rank + 1): True for rank in range(len(ranking))}})
    for rank, i in enumerate(ranking, 1):
        cells = ("" if math.isnan(rates[i, j]) else f"{100 * rates[i, j]:.1f}" for j in ranking)
        table.add_row(str(rank), tournament.names[i], *cells)
    return table


def weights_table(groups: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Table:
    """Every rule with its weights and its meaning, group by group; `rows` are those of `RuleSet.rows`."""
    table = new_table({"group": False, "rule": False, "early": True, "late": True, "meaning": False})
    for row in sorted(rows, key=lambda row: groups.index(row["group"])):
        table.add_row(row["group"], row["rule"], f"{row['early']:g}", f"{row['late']:g}", row["meaning"])
    return table


def percent(share: float) -> str:
    """0.712 as `71.2 %`."""
    return f"{100 * share:.1f} %"


def rate(result: MatchResult) -> str:
    """A win rate with its 95 % interval: `71.2 % (70.1 to 73.2)`."""
    return f"{percent(result.win_rate)} ({interval(result)})"


def interval(result: MatchResult) -> str:
    """The 95 % interval of the win rate, in percent: `70.1 to 73.2`."""
    return rate_interval(result.win_rate_95)


def rate_interval(pair: tuple[float, float]) -> str:
    """An interval of a win rate, in percent; TOO_FEW for one that excludes nothing, as too few deals give it."""
    low, high = pair
    return TOO_FEW if (low, high) == (0.0, 1.0) else ends((100 * low, 100 * high), ".1f")


def elo_interval(result: MatchResult) -> str:
    """The 95 % interval of the Elo difference: `-3 to +12`."""
    return TOO_FEW if result.too_few else ends(result.elo_95)


def copies(result: MatchResult) -> str:
    """In brackets how many deals were distinct; nothing where all were."""
    distinct, deals = result.distinct_deals, result.deals
    return f" (distinct deals: {distinct:,} of {deals:,})" if distinct < deals else ""


def amounts(*numbers: float) -> list[str]:
    """Numbers on one scale, such as a mean and the ends of its interval, with two digits of the largest or more."""
    largest = max(map(abs, numbers))
    decimals = 1 if largest >= 10 else 2 if largest >= 1 else 3
    return [f"{number:.{decimals}f}" for number in numbers]


def signed(elo: float) -> str:
    """An Elo difference in whole points: `+12`, `-3`, `+inf`."""
    return f"{elo:+.0f}"


def exact(value: float) -> str:
    """An exact value with its sign; an expected one, a float, with four decimals."""
    return f"{value:+d}" if isinstance(value, int) else f"{value:+.4f}"


def ends(pair: tuple[float, float], how: str = "+.0f") -> str:
    """An interval: `-3 to +12`."""
    low, high = pair
    return f"{low:{how}} to {high:{how}}"
