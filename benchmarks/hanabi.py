"""Hanabi beside OpenSpiel, the Hanabi Learning Environment: the same games, and how many of them a second.

First games are compared ply by ply (see tests/oracles/openspiel_hanabi.py): random ones, which end early with the
third life, some that last, and those of the players that ship. Then a rule player's games on one core stand beside
OpenSpiel's random ones from Python. With --company, how a player that was bred for partners gets on with them, beside
the shipped one; with --search, what one seat gains that searches. Both are differences on the same deals.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Any

import numpy as np
import numpy.typing as npt
from machine import CHECKOUT

from rulebots import Position, load_game, make_player
from rulebots.game import Moves
from rulebots.play.deals import draw_deals, mirrored
from rulebots.play.match import play_games
from rulebots.players import RulePlayer
from rulebots.ratings.intervals import margin_interval
from rulebots.search.player import rule_player
from rulebots.search.rollout import RolloutPlayer, RolloutSettings
from rulebots.tournaments.cross_play import cross_play

sys.path.append(str(CHECKOUT / "tests" / "oracles"))
from openspiel_hanabi import Chooser, any_move, careful, differences, theirs

GAME = load_game("hanabi")
TABLES = (2, 3, 4, 5)
SEED = 71_000_001


def as_played_by(name: str, seats: int) -> Chooser:
    """Chooses as that player does."""
    player = make_player(name, GAME, seats)

    def choose(state: Any, _moves: list[int], _rng: np.random.Generator) -> int:
        return player.decide(Position.of(GAME, state, compiled=True))

    choose.__name__ = name
    return choose


def compared(seats: int, games: int, long_games: int, players_games: int) -> int:
    """Compare games of a table; the number of differences, of which the first are printed."""
    found, shipped = [], [as_played_by(name, seats) for name in ("champion", "standard")]
    counts = [(any_move, games), (careful, long_games), *((choose, players_games // 2) for choose in shipped)]
    for choose, count in counts:
        began = time.perf_counter()
        new = list(differences(seats, count, SEED + seats, choose))
        took, name = time.perf_counter() - began, getattr(choose, "__name__", "")
        print(f"{seats} seats, {count:,} games, {name}: {len(new)} differences ({took:.0f} s)", flush=True)
        found += new
    print("".join(f"  {line}\n" for line in found[:3]), end="")
    return len(found)


def speed(seats: int, player: str, games: int) -> tuple[float, float]:
    """Games and moves a second of a team, on one thread."""
    one = make_player(player, GAME, seats)
    deals = draw_deals(GAME, games, SEED, options={"seats": seats})
    schedule = mirrored(games, 0, 0, seats=seats, together=True)
    play_games([one], deals, schedule[:10])
    began = time.perf_counter()
    played = play_games([one], deals, schedule)
    took = time.perf_counter() - began
    return len(played.plies) / took, played.plies.sum() / took


def amount(points: npt.NDArray[np.float64]) -> str:
    """A mean over deals with its 95 % interval."""
    low, high = margin_interval(points)
    return f"{points.mean():6.2f} ± {(high - low) / 2:.2f}"


def print_company(seats: int, one: str, partners: list[str], deals: int, jobs: int) -> None:
    """What that player scores with itself and with partners, beside the player that was bred alone."""
    both = (one, "champion")
    players = [make_player(name, GAME, seats) for name in (*both, *partners)]
    played = cross_play(players, deals=deals, seed=SEED, options={"seats": seats}, jobs=jobs)
    found = {(p.host, p.guest): p.points for p in played.partners}

    def points(player: int, partner: int) -> npt.NDArray[np.float64]:
        """Of teams in which one is among copies of the other, and the other way round; two seats have one table."""
        return np.mean([found[who] for who in {(player, partner), (partner, player)} if who in found], axis=0)

    print(f"{seats} seats, {deals:,} deals{both[0]:>20}{both[1]:>18}{'more':>18}")
    for partner in range(1, 2 + len(partners)):
        mine, other = (points(k, k if partner == 1 else partner) for k in (0, 1))
        name = "itself" if partner == 1 else partners[partner - 2]
        print(f"with {name:<17}{amount(mine):>20}{amount(other):>18}{amount(mine - other):>18}", flush=True)


class Noting(RolloutPlayer):
    """Searches, and notes how much better it expects the moves to be that it plays instead of its guide's, in points.

    The notes, `expected`, are shared by all copies.
    """

    def __init__(self, guide: RulePlayer, settings: RolloutSettings, expected: list[float]) -> None:
        super().__init__(guide, settings)
        self.expected = expected

    def choose(self, seen: Position, moves: Moves) -> int:
        """The move of the search."""
        move, result = super().choose(seen, moves), self.result
        assert result is not None
        self.expected.append(float(result.wins[0] - result.wins[list(result.moves).index(result.guide)]))
        return move

    def for_one_game(self) -> Noting:
        """The same with a search of its own, compiled, and the same notes."""
        player = Noting(self.search.guide, self.search.settings, self.expected)
        player.search.prepare()
        return player


def print_search(seats: int, name: str, simulations: int, deals: int) -> None:
    """What a team of copies gains by one seat, each in turn, that searches with so many rollouts a move."""
    guide = rule_player("--player", name, GAME, seats, "the guide")
    search = Noting(guide, RolloutSettings(simulations=simulations), [])
    drawn, schedule = draw_deals(GAME, deals, SEED, options={"seats": seats}), np.zeros((deals, 1 + seats), np.int64)
    schedule[:, 0] = np.arange(deals)
    alone = play_games([guide, search], drawn, schedule).points[:, 0]
    schedule[np.arange(deals), 1 + np.arange(deals) % seats] = 1
    play_games([guide, search], drawn, schedule[:1])
    points, expected, moves, began = np.zeros(deals), np.zeros(deals), 0, time.process_time()
    for deal in range(deals):
        search.expected.clear()
        points[deal] = play_games([guide, search], drawn, schedule[deal : deal + 1]).points[0, 0]
        expected[deal], moves = np.nansum(search.expected), moves + len(search.expected)
    took = 1000 * (time.process_time() - began) / moves
    print(
        f"{seats} seats, {deals:,} deals, one seat of {name} searches with {simulations:,} rollouts a move, "
        f"{took:.0f} ms of the processor: {points.mean():.2f} instead of {alone.mean():.2f}, "
        f"more: {amount(points - alone).strip()}; by its own rollouts {amount(expected).strip()}",
        flush=True,
    )


def their_speed(their_game: Any, seconds: float) -> tuple[float, float]:
    """Games and moves a second of OpenSpiel's uniformly random games, from Python."""
    began, games, plies = time.perf_counter(), 0, 0
    while time.perf_counter() - began < seconds:
        state = their_game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                cards, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(cards, odds)[0])  # noqa: S311 - no secret
            else:
                state.apply_action(random.choice(state.legal_actions()))  # noqa: S311 - no secret
                plies += 1
        games += 1
    took = time.perf_counter() - began
    return games / took, plies / took


def main() -> int:
    """Compare, measure and print; 1 if a game differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5000, help="random games compared at each table")
    parser.add_argument("--long-games", type=int, default=2000, help="games that last, compared at each table")
    parser.add_argument("--players-games", type=int, default=2000, help="games of shipped players, likewise")
    parser.add_argument("--player", help="the rule player whose games are counted (standard), or that guides --search")
    parser.add_argument("--measured", type=int, default=2000, help="its games at each table")
    parser.add_argument("--seconds", type=float, default=0.5, help="for OpenSpiel's games at each table")
    parser.add_argument("--company", metavar="PLAYER,PARTNER,...", help="only how it gets on with these partners")
    parser.add_argument("--search", metavar="N,...", help="only what a search with so many rollouts gains")
    parser.add_argument("--seats", type=int, help="only this table (all, but 3 for --company and --search)")
    parser.add_argument("--deals", type=int, default=1000, help="for --company and --search")
    parser.add_argument("--jobs", type=int, default=1, help="threads of --company")
    parser.add_argument("--quick", action="store_true", help="a few games, to see that it works")
    chosen = parser.parse_args()
    tables, seats = (chosen.seats,) if chosen.seats else TABLES, chosen.seats or 3
    if chosen.company or chosen.search:
        if chosen.company:
            one, *partners = chosen.company.split(",")
            print_company(seats, one, partners, chosen.deals, chosen.jobs)
        for simulations in (chosen.search or "").split(",") if chosen.search else []:
            print_search(seats, chosen.player or "champion", int(simulations), chosen.deals)
        return 0
    player = chosen.player or "standard"
    if chosen.quick:
        chosen.games, chosen.long_games, chosen.players_games, chosen.measured = 5, 1, 2, 50
        print_search(2, "champion", 20, 2)
    found = sum(compared(seats, chosen.games, chosen.long_games, chosen.players_games) for seats in tables)
    print(f"\n{'games, moves a second, one core':<34}{player:>20}{'random':>20}{'their random':>20}")
    for seats in tables:
        speeds = [speed(seats, name, chosen.measured) for name in (player, "random")]
        speeds.append(their_speed(theirs(seats), chosen.seconds))
        print(f"{f'{seats} seats':<34}" + "".join(f"{f'{games:,.0f}, {moves:,.0f}':>20}" for games, moves in speeds))
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
