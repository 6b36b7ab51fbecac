"""How strong tree search is: against perfect play, against the exact tables, and with and without rules to guide it."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import joblib
from machine import Figures

from rulebots.game import load_game
from rulebots.play.match import play_match
from rulebots.play.results import MatchResult
from rulebots.players.names import make_player
from rulebots.search.exact.accuracy import accuracy

SEED = 61_000_001
#: Least shares: of won positions of circles kept, by a search and by the champion's rules; of points at gomoku.
KEPT_BY_SEARCH, KEPT_BY_RULES, POINTS = 0.95, 0.70, 0.80
#: Ways in which the champion of gomoku may guide a search.
GUIDES = ("prior=champion,expand=0", "rollout=champion", "prior=champion,rollout=champion,expand=0")


def percent(share: float, interval: tuple[float, float]) -> str:
    """A share with its 95 % interval."""
    low, high = (100 * end for end in interval)
    return f"{100 * share:.1f} % ({low:.1f} to {high:.1f})"


def match(
    game: str, first: str, second: str, deals: int, opening_plies: int | None = None, jobs: int = 1
) -> MatchResult:
    """A match by names, every deal from both seats."""
    played = load_game(game)
    players = make_player(first, played), make_player(second, played)
    return play_match(*players, deals, SEED, jobs=jobs, opening_plies=opening_plies)


def tictactoe(quick: bool) -> None:
    """A search loses no game on 3 x 3: from the empty board, so that games differ by the search's luck alone."""
    deals, search = (2, "mcts:iterations=200") if quick else (500, "mcts:iterations=2000")
    figures = Figures(f"Tic-tac-toe 3 x 3, {search}, {2 * deals:,} games from the empty board, half from either side")
    for other in ("perfect", "random"):
        result = match("tictactoe", search, other, deals, opening_plies=0, jobs=joblib.cpu_count())
        figures.add(f"lost to {other}", f"{result.losses} (won {result.wins:,})", "none", met=result.losses == 0)
    figures.show()


def circles(quick: bool) -> None:
    """Won positions, drawn from all of a board, in which the win is kept."""
    size, positions = (3, 10) if quick else (6, 500)
    game, figures = load_game("circles"), Figures(f"Circles of {size} rows, {positions:,} won positions")
    power = 1 if quick else 20
    for name, least in (
        (f"mcts:power={power}", KEPT_BY_SEARCH),
        (f"mcts:power={power},rollout=random", None),
        (f"mcts:power={power},rollout=random,prior=none", None),
        ("champion", KEPT_BY_RULES),
    ):
        found = accuracy(make_player(name, game), {"size": size}, positions, SEED)
        share = percent(found.share, found.share_95)
        if least is None:
            figures.add(f"{name} keeps the win", share)
        else:
            figures.add(f"{name} keeps the win", share, f"at least {least:.0%}", met=found.share >= least)
    figures.show()


def gomoku(quick: bool) -> None:
    """The champion without search; then guiding a search, which has as much time as one with random playouts."""
    deals, plain = (1, "mcts:iterations=20") if quick else (50, "mcts:iterations=5000")
    figures = Figures(f"Gomoku, champion, share of points over {deals} openings from both sides")
    result = match("gomoku", "champion", plain, deals, jobs=joblib.cpu_count())
    share = percent(result.win_rate, result.win_rate_95)
    figures.add(f"without search against {plain}", share, f"at least {POINTS:.0%}", met=result.win_rate >= POINTS)
    figures.show()
    deals, plain = (1, "mcts:seconds=0.001") if quick else (20, "mcts:seconds=0.1")
    figures = Figures(f"Gomoku, {plain},... against {plain}: share of points over {deals} openings from both sides")
    found = {}
    for guide in GUIDES:
        # One game at a time: a search by the clock wants a core of its own.
        result = match("gomoku", f"{plain},{guide}", plain, deals)
        found[guide] = result.win_rate
        figures.add(guide, percent(result.win_rate, result.win_rate_95))
    best = max(found, key=lambda guide: found[guide])
    figures.add(f"best: {best}", f"{100 * found[best]:.1f} %", f"at least {POINTS:.0%}", met=found[best] >= POINTS)
    figures.show()


PARTS: dict[str, Callable[[bool], None]] = {"tictactoe": tictactoe, "circles": circles, "gomoku": gomoku}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small boards and few games, to see that it works")
    parser.add_argument("--game", choices=PARTS, help="only this one")
    given = parser.parse_args()
    for name in [given.game] if given.game else PARTS:
        PARTS[name](given.quick)


if __name__ == "__main__":
    main()
