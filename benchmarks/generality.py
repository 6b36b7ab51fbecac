"""Which defaults of a run breed players that are strong in a field, in games that nobody tuned them for.

Every arm (a mix of self-play, former champions and the hand-tuned player, with a strategy) breeds a champion in each
game and for each seed, within equal games or equal seconds. A game's champions of all arms and seeds then meet each
other, the reference players, the shipped champion and, with --longer, a champion bred ten times as long by the first
arm. What counts is the rating in that field, in cooperative games the points of a team of copies. The games are those
that ship and those in benchmarks/unseen/.

    python benchmarks/generality.py --folder out                          all games and arms, three seeds
    python benchmarks/generality.py --folder out --games lost-cities --arms default,hall
    python benchmarks/generality.py --folder out --seconds 30             equal processor seconds
    python benchmarks/generality.py --folder out --quick                  a hundredth of the games, one seed

Champions are kept in the folder: a run that was stopped goes on from there.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from machine import CHECKOUT, machine

from evolve import Run, Settings
from evolve.storage.result import save
from rulebots import Player, load_game, package_of, play_tournament
from rulebots.packages.players import make_player, shipped_files
from rulebots.play.match import play_match

UNSEEN = ("no_thanks", "nimmt", "liars_dice", "the_game")
#: Game, seats (0: its default table), and the thousands of games of a run, lessons and their rollouts among them: about
#: half a minute of one core each.
GAMES = (
    ("lost-cities", 0, 400), ("kalah", 0, 20), ("circles", 0, 60), ("gomoku", 0, 50), ("tictactoe", 0, 800),
    ("cant-stop", 4, 100), ("hearts", 0, 500), ("hanabi", 0, 120), ("no_thanks", 4, 500), ("nimmt", 4, 400),
    ("liars_dice", 4, 400), ("the_game", 3, 100),
)  # fmt: skip
SEEDS = (1, 2, 3)
#: The champion that is bred longer gets so many times the budget.
LONGER = 10
FIELD_DEALS = 200
TEAM_DEALS = 2000
FIELD_SEED = 71_000_001


#: Elo in a field, or the mean points of a team, with the ends of its 95 % interval.
Strength: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True)
class Arm:
    """A mix of opponents: a strategy (None: the game's own) and settings of a run."""

    strategy: str | None
    settings: Mapping[str, Any]


_NOBODY: Mapping[str, Any] = {"opponents": (), "opponent_share": 0.5, "hall_of_fame": 4}
_TUNED: Mapping[str, Any] = {"opponents": ("hand-tuned",), "hall_of_fame": 0, "opponent_share": 0.75}
ARMS: Mapping[str, Arm] = {
    "default": Arm(None, {}),
    "hall": Arm("ga", _NOBODY),
    "unscaled": Arm("ga:scaling=0", _NOBODY),
    "self": Arm("ga", {**_NOBODY, "hall_of_fame": 0}),
    "mixed": Arm("ga", {**_NOBODY, "opponents": ("hand-tuned",), "opponent_share": 0.6}),
    "tuned": Arm("ga", {**_TUNED, "population": 80, "deals": 1, "opponent_deals": 170}),
    "lessons": Arm("memetic", _NOBODY),
    "cma-es": Arm("cma-es", _NOBODY),
    "spsa": Arm("spsa", _NOBODY),
}


def name_of_game(name: str) -> str:
    """A game by the name that commands take."""
    return f"{CHECKOUT / 'benchmarks' / 'unseen' / name}.py:package" if name in UNSEEN else name


def settings_of(name: str, seats: int, arm: Arm, seed: int) -> Settings:
    """The settings of a run of an arm, which ends by its budget."""
    options = {"seats": seats} if seats else {}
    terms: dict[str, Any] = {"game": name_of_game(name), "seed": seed, "options": options, "generations": 100_000}
    return Settings.of(arm.strategy, **terms, **arm.settings)


def bred(settings: Settings, games: int, seconds: float | None, file: Path, jobs: int) -> int:
    """Breed a champion within a budget, and save it; gives the generations."""
    run = Run(settings, jobs)
    run.compile()
    start = time.process_time()
    for progress in run.generations():
        if time.process_time() - start >= seconds if seconds is not None else progress.games >= games:
            break
    finalists = run.run_off()
    save(run.outcome(finalists, run_off=True, polished=run.polish(finalists), measured=None), file)
    return progress.generation


def field_of(name: str, seats: int, champions: Mapping[str, Path]) -> dict[str, Player]:
    """Who meets in the field: the champions by their labels, references, and the shipped champion."""
    game = load_game(name_of_game(name))
    players = {label: make_player(str(file), game) for label, file in champions.items()}
    players |= {reference: make_player(reference, game) for reference in package_of(game).references}
    if "champion" in shipped_files(game):
        players["shipped"] = make_player("champion", game, seats or None)
    return players


def strengths(name: str, seats: int, players: Mapping[str, Player], jobs: int) -> dict[str, Strength]:
    """Elo in the field, or the mean points of a team, with the ends of its 95 % interval, by label."""
    game = load_game(name_of_game(name))
    options = {"seats": seats} if seats else {}
    if game.together(game.seats_with(game.option_values(options))):
        return {label: _points(player, options, jobs) for label, player in players.items()}
    terms: dict[str, Any] = {"deals": FIELD_DEALS, "seed": FIELD_SEED, "options": options, "jobs": jobs}
    tournament = play_tournament(list(players.values()), **terms)
    labels = list(players)
    rows = zip(tournament.ranking, tournament.rows(), strict=True)
    return {labels[place]: (row["elo"], *row["elo_95"]) for place, row in rows}


def _points(player: Player, options: Mapping[str, int], jobs: int) -> Strength:
    match = play_match(player, player, TEAM_DEALS, FIELD_SEED, options=options, jobs=jobs)
    return float(match.points), *match.table.points_95[0]


def show(name: str, seats: int, found: Mapping[str, Strength], arms: Sequence[str]) -> None:
    """A line for each arm, best first: the mean of its seeds, then each seed with its interval; then everybody else."""
    print(f"{name}{f', {seats} seats' if seats else ''}")
    rows: dict[str, list[Strength]] = {}
    for label, value in found.items():
        arm = label.split(" ")[0]
        rows.setdefault(arm if arm in arms else label, []).append(value)
    for label, values in sorted(rows.items(), key=lambda row: -float(np.mean([value[0] for value in row[1]]))):
        mean = float(np.mean([value[0] for value in values]))
        print(
            f"  {label:<12} {mean:8.1f}   ",
            "  ".join(f"{one:.1f} ({low:.1f} to {high:.1f})" for one, low, high in values),
        )


def main() -> int:
    """Breed what the folder lacks, rate it, print a table a game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--games", default=",".join(name for name, *_ in GAMES))
    parser.add_argument("--arms", default=",".join(ARMS))
    parser.add_argument("--seeds", default=",".join(map(str, SEEDS)))
    parser.add_argument("--share", type=float, default=1.0, help="of the games of each run")
    parser.add_argument("--quick", action="store_true", help="a hundredth of the games, and one seed")
    parser.add_argument("--seconds", type=float, help="of processor time a run, instead of games")
    parser.add_argument("--longer", action="store_true", help="a champion bred ten times as long in the field as well")
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    if chosen.quick:
        chosen.share, chosen.seeds = 0.01, str(SEEDS[0])
    arms = chosen.arms.split(",")
    for name, seats, thousands in GAMES:
        if name not in chosen.games.split(","):
            continue
        champions: dict[str, Path] = {}
        wanted = [(f"{arm} {seed}", arm, int(seed), 1) for seed in chosen.seeds.split(",") for arm in arms]
        if chosen.longer:
            wanted.append((f"{LONGER}x", arms[0], SEEDS[0], LONGER))
        for label, arm, seed, times in wanted:
            games = round(1000 * thousands * times * chosen.share)
            seconds = None if chosen.seconds is None else chosen.seconds * times
            file = chosen.folder / name / f"{arm}-{seed}-{f'{seconds:g}s' if seconds else games}.yaml"
            if not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                began = time.monotonic()
                done = bred(settings_of(name, seats, ARMS[arm], seed), games, seconds, file, chosen.jobs)
                print(f"  {name} {label}: {done} generations, {time.monotonic() - began:.0f} s", file=sys.stderr)
            champions[label] = file
        show(name, seats, strengths(name, seats, field_of(name, seats, champions), chosen.jobs), arms)
    print(machine())
    return 0


if __name__ == "__main__":
    sys.exit(main())
