"""Tables that both command lines show: results of matches, and the weights of rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulebots.cli.console import in_terminal, terminal
from rulebots.errors import one_line, printable

if TYPE_CHECKING:
    from rich.table import Table

    from rulebots.files import InputError
    from rulebots.play.match import SprtResult
    from rulebots.play.results import MatchResult
    from rulebots.tournaments.cross_play import CrossPlay
    from rulebots.tournaments.tournament import Tournament

#: Instead of an interval that rests on a handful of different deals.
TOO_FEW = "too few"
#: Instead of a figure about which a match says nothing, however long it is.
UNKNOWN = "unknown"
#: Instead of an interval where both players may play the same.
LEVEL = "every deal even"
#: Columns of a terminal that names need beside whole numbers.
LEAST = 12
#: A column that is shown where some deals were played alike.
DISTINCT = "distinct deals"


def table_of(rows: Iterable[Mapping[str, str]], *text: str, headings: bool = True) -> Table:
    """A table of cells by heading; the columns named `text` hold words, and the others numbers.

    Long texts are folded in a terminal, and nothing is ever cut off. There a column says nothing of no stalled games.
    """
    from rich import box
    from rich.table import Table

    head = box.SIMPLE_HEAD if in_terminal() and headings else None
    padding = (0, 1, 0, 0) if head else (0, 1)  # either way, two blanks between columns
    table = Table(box=head, padding=padding, show_edge=False, pad_edge=False, show_header=headings)
    lines = list(rows)
    if head and {row.get("stalled") for row in lines} == {"0"}:
        lines = [{name: cell for name, cell in row.items() if name != "stalled"} for row in lines]
    names = list(lines[0]) if lines else []
    wide = {name: max(len(printable(cell)) + 2 for cell in (name, *(row[name] for row in lines))) for name in names}
    # Numbers stay whole where there is room for them: what is folded are names.
    whole = sum(wide[name] for name in names if name not in text) < terminal().width - LEAST
    parts = {name: max(len(part) for row in lines for part in [*row[name].split(), name]) for name in names}
    unbroken = sum(parts[name] + 2 if name in text else wide[name] for name in names) <= terminal().width
    for name in names:
        words = name in text
        least = (parts[name] if unbroken else None) if words else wide[name] - 2 if whole else None
        table.add_column(printable(name), justify="left" if words else "right", overflow="fold", min_width=least)
    for row in lines:
        table.add_row(*map(printable, row.values()))
    return table


def cells_of(table: Table) -> list[list[str]]:
    """The headings of a table, and the cells of each row, as texts."""
    columns = [[str(column.header), *map(str, column.cells)] for column in table.columns]
    return [list(row) for row in zip(*columns, strict=True)]


def match_table(r: MatchResult) -> Table:
    """One match, from its first player's side."""
    points, opponent_points = amounts(r.points, r.opponent_points)
    margin, *interval_of_margin = amounts(r.margin, *(r.margin_95 if math.isfinite(r.margin_95[0]) else ()))
    other = _other(r)
    lines = [(name, f"{getattr(r, name):,}", "") for name in ("wins", "draws", "losses", "stalled", "games")]
    if r.distinct_deals < r.deals:
        lines.append((DISTINCT, f"{r.distinct_deals:,}", f"of {r.deals:,}; the others are copies of these"))
    if r.silent and not r.too_few:
        lines.append(("", "", "every game stalled: nothing can be said about who is stronger"))
    lines += [
        ("win rate", percent(r.win_rate), f"95 %: {interval(r)}"),
        ("Elo", signed(r.elo), f"95 %: {elo_interval(r)}"),
        (
            "superiority",
            _nothing(r) if r.silent else percent(r.superiority),
            "likelihood that the true win rate is above 50 %",
        ),
    ]
    of = r.table
    if of is not None and of.perfect is not None:
        lines.append(("perfect", percent(of.perfect[0]), f"of the deals; {other} {percent(of.perfect[1])}"))
    if of is not None and not of.together:
        lines += [
            (
                "tables won alone",
                percent(of.shares[0]),
                f"among {of.seats - 1} opponents, 95 %: {rate_interval(of.share_95[0])}; even is {percent(of.even)}",
            ),
            ("opponent's, alone", percent(of.shares[1]), f"among {of.seats - 1} players"),
            ("place", f"{of.places[0]:.2f}", f"alone; opponent's {of.places[1]:.2f}"),
        ]
    lines += [
        ("points", points, "a game"),
        (f"{other} points", opponent_points, "a game"),
        ("margin", margin, f"95 %: {' to '.join(interval_of_margin) or _nothing(r)}"),
        ("length", f"{r.plies:.1f}", "moves a game"),
    ]
    lines += [(name, f"{own:.2f}", f"a game; {other} {theirs:.2f}") for name, (own, theirs) in r.behaviour.items()]
    rows = (dict(zip(("what", "number", "remark"), line, strict=True)) for line in lines)
    return table_of(rows, "what", "remark", headings=False)


def table_table(names: Sequence[str], result: MatchResult) -> Table:
    """A line for each player at a table."""
    figures = result.table
    assert figures is not None
    return table_of(
        [
            {
                "player": name,
                "tables won": percent(figures.shares[i]),
                "95 %": rate_interval(figures.share_95[i]),
                "place": f"{figures.places[i]:.2f}",
                "points": amounts(figures.points[i])[0],
                "95 % of points": _amounts_interval(figures.points_95[i]),
            }
            for i, name in enumerate(names)
        ],
        "player",
    )


def _amounts_interval(ends: tuple[float, float]) -> str:
    return " to ".join(amounts(*ends)) if math.isfinite(ends[0]) else TOO_FEW


def standing(r: MatchResult, sprt: SprtResult | None) -> str:
    """The status of a match, on one line."""
    return f"{r.games:,} games{copies(r)}: win rate {rate(r)}, Elo {signed(r.elo)} ({elo_interval(r)})" + (
        f"; log likelihood ratio {sprt.llr:.2f} ({ends(sprt.test.bounds, '.2f')})" if sprt else ""
    )


def verdict(sprt: SprtResult) -> str:
    """Which hypothesis a test has accepted, as a sentence."""
    test = sprt.test
    after = f"after {sprt.match.games:,} games{copies(sprt.match)}"
    if sprt.accepted == "undecided":
        return f"undecided {after}: neither H0 (at most {test.elo0:+g} Elo) nor H1 (at least {test.elo1:+g}) is clear"
    difference = {
        "H0": f"at most {test.elo0:+g}, not at least {test.elo1:+g}",
        "H1": f"at least {test.elo1:+g}, not at most {test.elo0:+g}",
    }[sprt.accepted]
    return (
        f"{sprt.accepted} accepted {after}: the difference is {difference} Elo "
        f"(alpha {test.alpha:g}, beta {test.beta:g})"
    )


def matches_table(results: Mapping[str, MatchResult]) -> Table:
    """A line for each opponent of one player, from that player's side."""
    some_alike = any(r.distinct_deals < r.deals for r in results.values())
    return table_of(
        [
            {
                "compared with" if r.together else "against": opponent,
                **_what_counts(r),
                "stalled": f"{r.stalled:,}",
                "games": f"{r.games:,}",
                **({DISTINCT: f"{r.distinct_deals:,}"} if some_alike else {}),
            }
            for opponent, r in results.items()
        ],
        "against",
        "compared with",
    )


def _other(r: MatchResult) -> str:
    """Whose figures stand beside a player's: together nobody is an opponent."""
    return "the other's" if r.together else "opponent's"


def _what_counts(r: MatchResult) -> dict[str, str]:
    """The win rate, with its interval, and the points; where points count, these first, and the interval is theirs.

    Together nobody wins.
    """
    points = dict(zip(("points", _other(r)), amounts(r.points, r.opponent_points), strict=True))
    rate = {} if r.together else {"win rate": percent(r.win_rate)}
    around = LEVEL if r.level else margin_interval(r.margin_95) if r.in_points else interval(r)
    margin = {"margin": f"{r.margin:+.2f}"}
    return {**points, **margin, "95 %": around, **rate} if r.in_points else {**rate, "95 %": around, **points}


def ratings_table(tournament: Tournament) -> Table:
    """A line for each player, best first."""
    seats = tournament.seats
    ratings = tournament.rows()
    unknown = TOO_FEW if tournament.ratings.connected else UNKNOWN
    some_alike = any(row["distinct_deals"] < row["games"] // tournament.games_a_deal for row in ratings)
    return table_of(
        [
            {
                "": str(rating["rank"]),
                "player": rating["player"],
                "Elo": signed(rating["elo"]),
                "95 %": ends(rating["elo_95"]) if math.isfinite(rating["elo_95"][0]) else unknown,
                **({"Elo": "", "95 %": "all games stalled"} if rating["games"] == rating["stalled"] > 0 else {}),
                "ahead of" if seats > 2 else "win rate": percent(rating["win_rate"]),
                **(
                    {
                        f"won (of {percent(1 / seats)})": percent(rating["share"]),
                        "place": amounts(rating["place"])[0],
                        "points": amounts(rating["points"])[0],
                    }
                    if seats > 2
                    else {}
                ),
                "games": f"{rating['games']:,}",
                "stalled": f"{rating['stalled']:,}",
                **({DISTINCT: f"{rating['distinct_deals']:,}"} if some_alike else {}),
            }
            for rating in ratings
        ],
        "player",
    )


def points_table(result: CrossPlay) -> Table:
    """A line for each player of a cooperative game, the most points with copies of itself first."""
    return table_of(
        [
            {
                "": str(player["rank"]),
                "player": player["player"],
                "points": amounts(player["points"])[0],
                "95 %": _amounts_interval(player["points_95"]),
                **({} if player["perfect"] is None else {"perfect": percent(player["perfect"])}),
                **({} if player["with_others"] is None else {"with others": amounts(player["with_others"])[0]}),
                "games": f"{player['games']:,}",
                "stalled": f"{player['stalled']:,}",
            }
            for player in result.rows()
        ],
        "player",
    )


def partners_table(result: CrossPlay) -> Table:
    """The mean points of each line's player with the others: its copies and one of the column's player."""
    title = "points with" if result.seats == 2 else "points of its copies with one"
    return _square(title, result.names, result.ranking, result.points, lambda points: amounts(points)[0])


def cross_table(result: Tournament) -> Table:
    """The win rate in percent of each line's player against those of the columns, best first."""
    title = "ahead of" if result.seats > 2 else "win rate against"
    return _square(title, result.names, result.ranking, 100 * result.cross_table, lambda rate: f"{rate:.1f}")


def _square(
    title: str, names: Sequence[str], ranking: Sequence[int], values: Any, shown: Callable[[float], str]
) -> Table:
    """A line and a column for each player, best first; NaN is left out."""
    return table_of(
        (
            {
                "": str(rank),
                title: names[i],
                **{str(n): "" if math.isnan(values[i, j]) else shown(values[i, j]) for n, j in enumerate(ranking, 1)},
            }
            for rank, i in enumerate(ranking, 1)
        ),
        title,
    )


def weights_table(groups: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Table:
    """Every rule with its weights and its meaning, group by group; `rows` are those of `RuleSet.rows`."""
    return table_of(
        (
            {
                "group": row["group"],
                "rule": row["rule"],
                "early": f"{row['early']:g}",
                "late": f"{row['late']:g}",
                "meaning": row["meaning"],
            }
            for row in sorted(rows, key=lambda row: groups.index(row["group"]))
        ),
        "group",
        "rule",
        "meaning",
    )


def counted(count: int, what: str) -> str:
    """`1 game`, `2 games`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def each_once(problems: Iterable[InputError]) -> list[str]:
    """Problems of a file, a line each: players that were written by a program share their mistakes."""
    alike: dict[str, list[InputError]] = {}
    for problem in problems:
        alike.setdefault(problem.message, []).append(problem)
    more = " (and {}, the last on line {})".format
    return [
        one_line(first) + (more(counted(len(others), "more time"), others[-1].line) if others else "")
        for first, *others in alike.values()
    ]


def percent(share: float) -> str:
    """0.712 as `71.2 %`; UNKNOWN for NaN."""
    return UNKNOWN if math.isnan(share) else f"{100 * share:.1f} %"


def rate(result: MatchResult) -> str:
    """A win rate with its 95 % interval: `71.2 % (70.1 to 73.2)`."""
    return f"{percent(result.win_rate)} ({interval(result)})"


def interval(result: MatchResult) -> str:
    """The 95 % interval of the win rate, in percent: `70.1 to 73.2`."""
    return _nothing(result) if result.silent else rate_interval(result.win_rate_95)


def rate_interval(pair: tuple[float, float]) -> str:
    """An interval of a win rate, in percent; TOO_FEW for one that excludes nothing, as too few deals give it."""
    low, high = pair
    return TOO_FEW if (low, high) == (0.0, 1.0) else ends((100 * low, 100 * high), ".1f")


def margin_interval(pair: Sequence[float] | None) -> str:
    """An interval of a margin in points: `+0.21 to +0.35`; TOO_FEW for None and one that excludes nothing."""
    return TOO_FEW if pair is None or math.isinf(pair[0]) else ends(pair, "+.2f")


def elo_interval(result: MatchResult) -> str:
    """The 95 % interval of the Elo difference: `-3 to +12`."""
    return _nothing(result) if result.silent else ends(result.elo_95)


def _nothing(result: MatchResult) -> str:
    """In place of an interval that excludes nothing."""
    return TOO_FEW if result.too_few else UNKNOWN


def copies(result: MatchResult) -> str:
    """In brackets how many deals were distinct; nothing where all were."""
    return f" (distinct deals: {result.distinct_deals:,} of {result.deals:,})" * (result.distinct_deals != result.deals)


def amounts(*numbers: float) -> list[str]:
    """Numbers on one scale, such as a mean and the ends of its interval, with two digits of the largest or more.

    NaN is UNKNOWN.
    """
    largest = max(map(abs, numbers))
    decimals = 1 if largest >= 10 else 2 if largest >= 1 else 3
    return [UNKNOWN if math.isnan(number) else f"{number:.{decimals}f}" for number in numbers]


def signed(elo: float) -> str:
    """An Elo difference in whole points: `+12`, `-3`, `+inf`; UNKNOWN for NaN."""
    return UNKNOWN if math.isnan(elo) else f"{elo:+.0f}"


def exact(value: float) -> str:
    """An exact value with its sign; an expected one, a float, with four decimals."""
    return f"{value:+d}" if isinstance(value, int) else f"{value:+.4f}"


def ends(pair: Sequence[float], how: str = "+.0f") -> str:
    """An interval: `-3 to +12`."""
    low, high = pair
    return f"{low:{how}} to {high:{how}}"
