"""The reference ladder: every player of Lost Cities against every other, on 2,000 mirrored deals; Hearts at four seats.

Writes docs/background/ladder.md, and a ladder file and a picture for each game; run it in a checkout. Another run gives
the same results on any machine: `rulebots tournament --rerun docs/background/ladder/lost-cities.yaml`.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import joblib
from machine import CHECKOUT, Figures

from rulebots import load_game, make_player, play_tournament
from rulebots.packages.players import player_names
from rulebots.tournaments.ladder import contents, ladder_of, ladder_text
from rulebots.tournaments.picture import picture
from rulebots.tournaments.tournament import Tournament

DOCS = CHECKOUT / "docs" / "background"
#: The players of a game's ladder, by default all that come with it, and how few of the deals are enough: at a table of
#: four each is played in 24 orders of the seats, and a search takes its time.
GAMES: dict[str, tuple[tuple[str, ...], int]] = {
    "lost-cities": ((), 1),
    "hearts": (("champion", "rollout:simulations=50", "standard", "duck", "random"), 50),
}
DEALS = 2000
SEED, PAIR = 51, 2
HEAD = """# The reference ladder

Players of a game met each other on the same cards. One command plays all games and writes this page, the ladder files
and the pictures:

<!-- not run: it takes a quarter of an hour, and writes this page -->
```console
$ python benchmarks/ladder.py
```

[Ratings](statistics.md#ratings) are in Elo around a mean of 0, with 95 % intervals over deals. A
[ladder file](../reference/ladder-file.md) names each player with a hash of its content, the seed, the options and the
versions. `rulebots tournament --rerun docs/background/ladder/lost-cities.yaml` plays it again and names any difference.
"""
REMARKS = {
    "lost-cities": (
        "Every player that comes with the game met every other one on {deals:,} mirrored deals, {games:,} games.\n"
        "`sheppard` has the weights 1, 1, 0, 0, 0, 0, 0 that Daniel Sheppard bred. `champion` was bred here, by\n"
        "`evolve run`. `risk_meant` is `risk` without the bug in its Ruby. The others are those of Ruby Quiz 51, as\n"
        "their programs played. One number does not say everything: `discard` never plays a card, ends every game\n"
        "with 0 points, and still ranks far above `risk`, which loses points by playing.\n"
    ),
    "hearts": (
        "Four sit at a table, so five players make five tables, and every two meet equally often. Each table plays\n"
        "{deals:,} deals in all 24 orders of the seats. Ratings compare every two players of a table. Even is 25 %\n"
        "of the tables, and -6.5 points, less where the moon is shot. A result depends on everyone at the table;\n"
        "[one among three of another](measurements.md#hearts) is another question. With 50 rollouts a move the\n"
        "search cannot be told from the champion, its guide.\n"
    ),
}


def play(name: str, deals: int) -> tuple[Tournament, str]:
    """A game's tournament, and its ladder file."""
    game = load_game(name)
    specs = list(GAMES[name][0]) or player_names(game)
    players = [make_player(spec, game) for spec in specs]
    hashes = contents(players)
    settings = {"system": "round-robin", "rounds": None, "deals": deals, "seed": SEED}
    settings |= {"options": {}, "opening_plies": None}
    tournament = play_tournament(players, **settings, jobs=joblib.cpu_count())
    return tournament, ladder_text(ladder_of(tournament, specs, hashes, settings))


def section(tournament: Tournament, deals: int) -> str:
    """A game's part of the page."""
    game, rows = tournament.game, tournament.rows()
    names, table = [row["player"] for row in rows], tournament.seats > PAIR
    remark = REMARKS[game.name].format(deals=deals, games=PAIR * deals)
    lines = [f"\n## {game.title}\n", remark, f"![Ratings and cross table](ladder/{game.name}.png)\n"]
    last = ("tables won", "place", "points") if table else ("win rate", "stalled")
    lines += [f"| player | Elo | 95 % | {' | '.join(last)} |", f"|---|{'---:|' * (2 + len(last))}"]
    for row in rows:
        low, high = row["elo_95"]
        figures = (
            f"{row['elo']:+.0f} | {low:+.0f} to {high:+.0f} | {100 * row['share' if table else 'win_rate']:.1f} % | "
        )
        figures += f"{row['place']:.2f} | {row['points']:.2f}" if table else f"{row['stalled']:,}"
        lines.append(f"| `{row['player']}` | {figures} |")
    what = "ahead of, in %" if table else "win rate in % against"
    lines += ["", f"| {what} | {' | '.join(names)} |", f"|---|{'---:|' * len(names)}"]
    for row in rows:
        cells = (f"{100 * row['against'][name]:.1f}" if name in row["against"] else "" for name in names)
        lines.append(f"| `{row['player']}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Play, then write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=DEALS, help=f"of each pair (default {DEALS:,})")
    parser.add_argument(
        "--docs", type=Path, default=DOCS, help="the folder to write to (default: that of the checkout)"
    )
    parser.add_argument("--quick", action="store_true", help="few deals, written nowhere, to see that it works")
    wanted = parser.parse_args()
    if wanted.quick:
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), 20).show()
    else:
        write(wanted.docs, wanted.deals).show()
        print(f"wrote {wanted.docs / 'ladder.md'}")


def write(docs: Path, deals: int) -> Figures:
    """Play every game's tournament and write the page, the ladder files and the pictures."""
    (docs / "ladder").mkdir(parents=True, exist_ok=True)
    page, figures = HEAD, Figures("the ladder")
    for name, (_, fewer) in GAMES.items():
        began, count = time.perf_counter(), max(1, deals // fewer)
        tournament, text = play(name, count)
        players, best = len(tournament.names), tournament.rows()[0]["player"]
        figures.add(f"{name}, {players} players, {count:,} deals a meeting", f"{time.perf_counter() - began:.0f} s")
        figures.add("the best of them", best, "champion", met=best == "champion")
        what = "mirrored deals a pair" if tournament.seats == PAIR else "deals a meeting"
        title = f"{tournament.game.title}: {count:,} {what}"
        (docs / "ladder" / f"{name}.yaml").write_text(text, encoding="utf-8")
        (docs / "ladder" / f"{name}.png").write_bytes(picture(tournament, "png", title))
        page += section(tournament, count)
    (docs / "ladder.md").write_text(page, encoding="utf-8")
    return figures


if __name__ == "__main__":
    main()
