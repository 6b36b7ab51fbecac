"""New rules: what they add on fresh deals at three games, and how many are accepted where lessons are worthless.

At Kalah and circles it begins from the hand-tuned players, at Lost Cities from the champion. Then returns of lessons
are shuffled, with another seed each time: what is accepted then is a false discovery.
"""

from __future__ import annotations

import argparse

import joblib
from machine import Figures

from evolve.analysis.discovery import Discovery, DiscoverySettings
from rulebots.game import load_game
from rulebots.players import RulePlayer
from rulebots.players.names import make_player
from rulebots.ratings import elo

#: Where it begins, and the Elo over it that is aimed at.
AIMS = {"kalah": ("hand_tuned", 40), "circles": ("hand_tuned", 40), "lost-cities": ("champion", 15)}


def main() -> None:
    """Find, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default=",".join(AIMS), help="the games (all three)")
    parser.add_argument("--lessons", type=int, default=20_000, help="lessons of each game (20,000)")
    parser.add_argument("--deals", type=int, default=8000, help="fresh deals of each test, at most (8,000)")
    parser.add_argument("--shuffled", type=int, default=20, help="tries on shuffled lessons of circles (20)")
    parser.add_argument("--seed", type=int, default=73_000_001, help="the seed of the search")
    parser.add_argument("--jobs", type=int, default=joblib.cpu_count(), help="threads")
    parser.add_argument("--quick", action="store_true", help="one game and a few lessons, to see that it works")
    chosen = parser.parse_args()
    lessons, deals, games = (200, 40, "circles") if chosen.quick else (chosen.lessons, chosen.deals, chosen.games)
    settings = DiscoverySettings(lessons=lessons, deals=deals)
    figures = Figures("new rules")
    for name in filter(None, games.split(",")):
        start, aim = AIMS[name]
        search = _searched(name, start, settings, chosen.seed, chosen.jobs)
        found = search.measured(deals)
        kept = ", ".join(expression.name for expression in found.expressions) or "none"
        figures.add(f"{name}: accepted of {len(search.tried)} tested", kept)
        for who, result in (("without new rules", found.against_without), (start, found.against_former)):
            if result is not None:
                low, high = (elo(end) for end in result.win_rate_95)
                rate = elo(result.win_rate)
                aimed = {"met": rate >= aim} if who == start else {}
                text = f"{rate:+.0f} ({low:+.0f} to {high:+.0f})"
                figures.add(f"{name}: Elo against {who}", text, f"+{aim}" if aimed else "", **aimed)
    tries = 1 if chosen.quick else chosen.shuffled
    accepted = [
        found.accepted
        for number in range(tries)
        for found in _searched("circles", "hand_tuned", settings, chosen.seed + 1 + number, chosen.jobs, True).tried
    ]
    if tries:
        figures.add(
            f"shuffled lessons of circles, {tries} tries: accepted, of those that passed the screening",
            f"{sum(accepted)} of {len(accepted)}",
            "0",
            met=not any(accepted),
        )
    figures.show()


def _searched(
    game: str, start: str, settings: DiscoverySettings, seed: int, jobs: int, shuffle: bool = False
) -> Discovery:
    player = make_player(start, load_game(game))
    if not isinstance(player, RulePlayer):
        raise SystemExit(f"'{start}' of {game} does not play by rules")
    search = Discovery(player, settings, seed=seed, jobs=jobs, shuffle=shuffle)
    search.candidates()
    for _ in search.screen():
        pass
    for _ in search.trials():
        pass
    return search


if __name__ == "__main__":
    main()
