"""New rules: what they add on fresh deals at three games, and how many are accepted where lessons are worthless.

At Kalah and circles it begins from the hand-tuned players, at Lost Cities from the champion. Then the returns of
lessons are shuffled, with another seed each time: what is accepted then is a false discovery.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import joblib
from machine import Figures

from evolve.analysis.discovery import Discovery, DiscoverySettings
from rulebots import RulePlayer, load_game, make_player

#: Where it begins, and the Elo over it that is aimed at.
AIMS = {"kalah": ("hand_tuned", 40), "circles": ("hand_tuned", 40), "lost-cities": ("champion", 15)}
#: What each game needs besides the usual settings. Games of Lost Cities are quick.
SETTINGS = {"kalah": {"lessons": 40_000}, "lost-cities": {"lessons": 100_000, "rollouts": 4}}
#: Random plies at the beginning: with the usual four, Kalah has too few openings to tell players 4 Elo apart.
OPENING_PLIES = {"kalah": 8}


def main() -> None:
    """Find, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default=",".join(AIMS), help="the games (all three)")
    parser.add_argument(
        "--lessons",
        type=int,
        default=None,
        help="lessons of each game (100,000 at Lost Cities, 40,000 at Kalah, 20,000 at circles)",
    )
    parser.add_argument("--deals", type=int, default=8000, help="fresh deals of each test, at most (8,000)")
    parser.add_argument("--shuffled", type=int, default=20, help="tries on shuffled lessons of circles (20)")
    parser.add_argument("--seed", type=int, default=73_000_001, help="the seed of the search")
    parser.add_argument("--jobs", type=int, default=joblib.cpu_count(), help="threads")
    parser.add_argument("--quick", action="store_true", help="one game and a few lessons, to see that it works")
    chosen = parser.parse_args()
    lessons, deals, games = (200, 40, "circles") if chosen.quick else (chosen.lessons, chosen.deals, chosen.games)
    figures = Figures("new rules")
    for name in filter(None, games.split(",")):
        start, aim = AIMS[name]
        search = _searched(name, start, _settings(name, lessons, deals), chosen.seed, chosen.jobs)
        found = search.measured(deals)
        kept = ", ".join(expression.name for expression in found.expressions) or "none"
        figures.add(f"{name}: accepted of {len(search.tried)} tested", kept)
        results = {"the same lessons without new rules": found.against_without, start: found.against_former}
        for who, result in results.items():
            if result is not None:
                rate, (low, high) = result.elo, result.elo_95
                # Better weights alone are not new rules.
                aimed = {"met": rate >= aim and bool(found.expressions)} if who == start else {}
                text = f"{rate:+.0f} ({low:+.0f} to {high:+.0f})"
                figures.add(f"{name}: Elo against {who}", text, f"+{aim}" if aimed else "", **aimed)
    tries = 1 if chosen.quick else chosen.shuffled
    accepted = [
        found.accepted
        for number in range(tries)
        for found in _searched(
            "circles", "hand_tuned", _settings("circles", lessons, deals), chosen.seed + 1 + number, chosen.jobs, True
        ).tried
    ]
    if tries:
        figures.add(
            f"shuffled lessons of circles, {tries} tries: accepted, of those that passed the screening",
            f"{sum(accepted)} of {len(accepted)}",
            "0",
            met=not any(accepted),
        )
    figures.show()


def _settings(game: str, lessons: int | None, deals: int) -> DiscoverySettings:
    usual = DiscoverySettings(deals=deals)
    given = replace(usual, **SETTINGS.get(game, {}))
    return given if lessons is None else replace(given, lessons=lessons)


def _searched(
    game: str, start: str, settings: DiscoverySettings, seed: int, jobs: int, shuffle: bool = False
) -> Discovery:
    player = make_player(start, load_game(game))
    if not isinstance(player, RulePlayer):
        raise SystemExit(f"'{start}' of {game} does not play by rules")
    plies = OPENING_PLIES.get(game)
    search = Discovery(player, settings, seed=seed, opening_plies=plies, jobs=jobs, shuffle=shuffle)
    search.candidates()
    for _ in search.screen():
        pass
    for _ in search.trials():
        pass
    return search


if __name__ == "__main__":
    main()
