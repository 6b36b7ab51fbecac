"""Whether the figures of strength are as sure as they say, on simulated matches whose truth is known.

The sequential test's error rates stay within alpha and beta when it is looked at after each block of deals, as in a
match. The 95 % intervals of win rate, Elo, margin and Bradley-Terry ratings contain the truth in 93 to 97 % of the
cases, those of matches at tables of two to four in 94 to 96 %. The games of a simulated deal are not independent: they
share the luck of the cards.
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt
from machine import Figures

from rulebots import Sprt
from rulebots.play.deals import mirrored
from rulebots.play.match import next_block
from rulebots.play.results import Games, MatchResult, match_result
from rulebots.ratings import FEWEST_DEALS, bradley_terry, elo, margin_interval, pentanomial, win_rate_interval

Floats = npt.NDArray[np.float64]
SEED = 4_710
LOW, HIGH = 0.93, 0.97
#: The same at tables, and the seats, the lead in points of the first player and the deals of those matches.
TABLES_LOW, TABLES_HIGH = 0.94, 0.96
TABLES, LEADS, TABLE_DEALS = (2, 3, 4), (0.0, 25.0), 200
#: Intervals are simulated so many times as often as tests: there are many of them, and one may have bad luck.
TIMES = 4
TEST = Sprt(0, 20)
#: Spread of a game's margin, and how much of it the two games of a deal share with opposite signs.
LUCK, SHARED = 40.0, 25.0
#: Margins this near to 0 are draws.
DRAW = 1.0
#: Mean margins of a pair of players, for matches from even to lopsided.
EDGES = (0.0, 10.0, 40.0, 80.0)
#: Mean points of the players of a simulated tournament.
STRENGTHS = (0.0, 5.0, 15.0, 40.0)


def margins(rng: np.random.Generator, edge: float, deals: int) -> Floats:
    """Margins of the two games of each deal, float64[deals, 2]: what the cards give one seat they give both times."""
    cards = rng.normal(0, SHARED, (deals, 1)) * np.array([1.0, -1.0])
    return np.rint(edge + cards + rng.normal(0, LUCK, (deals, 2)))


def scores(margin: Floats) -> Floats:
    """The score of each deal."""
    return ((np.sign(np.where(np.abs(margin) <= DRAW, 0, margin)) + 1) / 2).mean(axis=1)


def true_rate(edge: float) -> float:
    """The win rate of an edge, from a long match."""
    return float(scores(margins(np.random.default_rng(SEED), edge, 2_000_000)).mean())


def edge_of(rate: float) -> float:
    """The edge that gives that win rate, by halving."""
    low, high = -200.0, 200.0
    rng = np.random.default_rng(SEED)
    cards, luck = rng.normal(0, SHARED, (400_000, 1)) * np.array([1.0, -1.0]), rng.normal(0, LUCK, (400_000, 2))
    for _ in range(30):
        edge = (low + high) / 2
        low, high = (edge, high) if scores(np.rint(edge + cards + luck)).mean() < rate else (low, edge)
    return (low + high) / 2


def measure_sprt(matches: int) -> Figures:
    """The rates at which the test takes the wrong hypothesis, where the truth is just that of the other."""
    figures = Figures(f"SPRT of {TEST.elo0:g} to {TEST.elo1:g} Elo over {matches:,} simulated matches for each truth")
    for truth, wrong, risk in ((TEST.elo0, "H1", TEST.alpha), (TEST.elo1, "H0", TEST.beta)):
        edge = edge_of(1 / (1 + 10 ** (-truth / 400)))
        errors, games = 0, 0
        for number in range(matches):
            rng = np.random.default_rng([SEED, number, wrong == "H1"])
            counts = np.zeros(5, np.int64)
            while (verdict := TEST.verdict(counts)) == "undecided":
                counts += pentanomial(scores(margins(rng, edge, next_block(int(counts.sum())))))
            errors += verdict == wrong
            games += 2 * int(counts.sum())
        rate = errors / matches
        what = f"truth {truth:+g} Elo: {wrong} taken ({games / matches:,.0f} games on average)"
        figures.add(what, f"{100 * rate:.1f} %", f"at most {100 * risk:g} %", met=rate <= risk)
    return figures


def measure_coverage(matches: int) -> Figures:
    """How often the intervals contain the truth, for matches and tournaments of some lengths."""
    figures = Figures(f"coverage of the 95 % intervals over {matches:,} simulations each")
    for edge in EDGES:
        rate = true_rate(edge)
        for deals in (FEWEST_DEALS, 100, 1000):
            held = np.zeros(3)
            for number in range(matches):
                margin = margins(np.random.default_rng([SEED, number, deals, int(edge)]), edge, deals)
                low, high = win_rate_interval(scores(margin))
                of_margin = margin_interval(margin.mean(axis=1))
                held += (
                    low <= rate <= high,
                    elo(low) <= elo(rate) <= elo(high),
                    of_margin[0] <= edge <= of_margin[1],
                )
            for name, share in zip(("win rate", "Elo", "margin"), held / matches, strict=True):
                add_coverage(figures, f"{name}, true win rate {100 * rate:.1f} %, {deals:,} deals", share)
    for deals in (100, 400):
        share = cover_ratings(matches, deals)
        add_coverage(figures, f"Bradley-Terry, {len(STRENGTHS)} players on the same {deals:,} deals", share)
    return figures


def add_coverage(figures: Figures, what: str, share: float, low: float = LOW, high: float = HIGH) -> None:
    """A share with its target."""
    target = f"{100 * low:.0f} to {100 * high:.0f} %"
    figures.add(what, f"{100 * share:.1f} %", target, met=low <= share <= high)


def table_match(rng: np.random.Generator, seats: int, lead: float, deals: int) -> MatchResult:
    """A match at a table: the cards give a seat the same in every game of a deal, whoever sits there."""
    schedule = mirrored(deals, seats=seats)
    cards = rng.normal(0, SHARED, (deals, seats))[schedule[:, 0]]
    points = np.rint(lead * (schedule[:, 1:] == 0) + cards + rng.normal(0, LUCK, cards.shape)).astype(np.int64)
    count, none = len(points), np.zeros(len(points), np.int64)
    stalled, faults = np.zeros(count, np.bool_), np.full(count, None, np.object_)
    games = Games(points, none, stalled, np.zeros(count, []), np.arange(count), none, none[:, None], faults)
    return match_result(games)


def measure_tables(matches: int) -> Figures:
    """How often the intervals of a match at a table contain what a very long match gives."""
    figures = Figures(f"coverage of the 95 % intervals of {TABLE_DEALS} deals at tables, {matches:,} simulations each")
    for seats in TABLES:
        for lead in LEADS:
            long = [table_match(np.random.default_rng([SEED, n, 1]), seats, lead, 100_000) for n in range(4)]
            truth = np.mean([_of_table(match)[0] for match in long], axis=0)
            held = np.zeros(len(truth))
            for number in range(matches):
                _, ends = _of_table(table_match(np.random.default_rng([SEED, number, seats]), seats, lead, TABLE_DEALS))
                held += (ends[:, 0] <= truth) & (truth <= ends[:, 1])
            for name, share in zip(("win rate", "margin", "tables won alone"), held / matches, strict=False):
                add_coverage(figures, f"{name} at {seats} seats, lead {lead:g}", share, TABLES_LOW, TABLES_HIGH)
    return figures


def _of_table(match: MatchResult) -> tuple[Floats, Floats]:
    """The figures of a match that have intervals, float64[figures], and these, float64[figures, 2]."""
    found = [(match.win_rate, match.win_rate_95), (match.margin, match.margin_95)]
    if match.table is not None:
        found.append((match.table.shares[0], match.table.share_95[0]))
    return np.array([value for value, _ in found]), np.array([ends for _, ends in found])


def cover_ratings(matches: int, deals: int) -> float:
    """The share of ratings whose intervals contain what a very long tournament on the same law would give."""
    count = len(STRENGTHS)
    pairs = np.array([(i, j) for i in range(count) for j in range(i + 1, count)])
    truth = tournament(np.random.default_rng(SEED), pairs, 200_000).elo
    held = 0
    for number in range(matches):
        found = tournament(np.random.default_rng([SEED, number, deals]), pairs, deals)
        held += int(((found.low <= truth) & (truth <= found.high)).sum())
    return held / (matches * count)


def tournament(rng: np.random.Generator, pairs: npt.NDArray[np.int64], deals: int):  # noqa: ANN201 - Ratings
    """Ratings of players who all meet on the same deals: the cards favour a seat in every pair alike."""
    cards = rng.normal(0, SHARED, (deals, 1)) * np.array([1.0, -1.0])
    found = []
    for i, j in pairs:
        luck = rng.normal(0, LUCK, (deals, 2))
        found.append(scores(np.rint(STRENGTHS[i] - STRENGTHS[j] + cards + luck)))
    numbers = np.tile(np.arange(deals), len(pairs))
    return bradley_terry(len(STRENGTHS), np.repeat(pairs, deals, axis=0), np.concatenate(found), numbers)


def main() -> None:
    """Simulate, then show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--matches",
        type=int,
        default=1000,
        help=f"simulated tests for each truth (default 1,000), and {TIMES} times as many intervals",
    )
    parser.add_argument("--quick", action="store_true", help="10 tests, to see that it works")
    wanted = parser.parse_args()
    matches = 10 if wanted.quick else wanted.matches
    measure_sprt(matches).show()
    print()
    measure_coverage(TIMES * matches).show()
    print()
    measure_tables(10 * matches).show()


if __name__ == "__main__":
    main()
