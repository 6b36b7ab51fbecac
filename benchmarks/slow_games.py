"""What a run of minutes breeds for games of OpenSpiel as they are, at ten to some hundred games a second.

Each game has rules in plain Python with weights that a player of the game would guess; backgammon has those of the
tutorial. A run breeds by lessons alone (no games within the population), by selection alone, or as `evolve run --time`
does it by itself. Its champion then meets the guessed weights on fresh deals, from both seats. A run has one worker
and 20 minutes, the processor time of ten minutes on two cores.

    pip install -e ".[open-spiel]"
    python benchmarks/slow_games.py --folder out
    python benchmarks/slow_games.py --folder out --games othello --stages together,selection --time 5m
    python benchmarks/slow_games.py --folder out --quick

Champions are kept in the folder: what was stopped goes on from there.
"""

from __future__ import annotations

import argparse
import functools
import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from machine import CHECKOUT, machine

from rulebots import RulePlayer, RuleSet, load_rules, make_player, play_match, rule
from rulebots.live import openspiel

Board = npt.NDArray[np.bool_]

# ---- connect four

ROWS, COLUMNS = 6, 7
#: The squares of each line of four, int[69, 4], a square being COLUMNS * row + column.
LINES = np.array(
    [
        [COLUMNS * (row + step * down) + column + step * right for step in range(4)]
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        for row in range(ROWS - 3 * down)
        for column in range(3 * (right < 0), COLUMNS - 3 * (right > 0))
    ]
)


@functools.lru_cache(maxsize=2000)
def lines(state: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """How many men of each seat each line of four has, int[69]."""
    board = np.frombuffer(str(state).replace("\n", "").encode(), np.uint8)
    first, second = ((board == ord(man))[LINES].sum(axis=1) for man in "xo")
    return first, second


def open_lines(state: Any, seat: int, men: int) -> int:
    """Lines that hold so many men of a seat, and none of the other."""
    counts = lines(state)
    return int(((counts[seat] == men) & (counts[1 - seat] == 0)).sum())


@rule("move", early=10)
def wins(state: Any, move: int, after: Any) -> bool:
    """It makes four in a row."""
    return bool(after.is_terminal() and after.player_return(state.current_player()) > 0)


@rule("move", early=-5)
def loses(state: Any, move: int, after: Any) -> bool:
    """The opponent can make four in a row at once."""
    if after.is_terminal():
        return False
    return any(after.child(reply).player_return(1 - state.current_player()) > 0 for reply in after.legal_actions())


@rule("move", early=0.5)
def threes(state: Any, move: int, after: Any) -> int:
    """Own lines that lack one man."""
    return open_lines(after, state.current_player(), 3)


@rule("move", early=0.2)
def twos(state: Any, move: int, after: Any) -> int:
    """Own lines that lack two men."""
    return open_lines(after, state.current_player(), 2)


@rule("move", early=-0.5)
def their_threes(state: Any, move: int, after: Any) -> int:
    """The opponent's lines that lack one man."""
    return open_lines(after, 1 - state.current_player(), 3)


@rule("move", early=-0.2)
def their_twos(state: Any, move: int, after: Any) -> int:
    """The opponent's lines that lack two men."""
    return open_lines(after, 1 - state.current_player(), 2)


@rule("move", early=0.3)
def central(state: Any, move: int) -> float:
    """How close it is to the middle."""
    return 1 - abs(move - 3) / 3


connect_four = RuleSet(
    "connect_four", openspiel("connect_four"), (wins, loses, threes, twos, their_threes, their_twos, central)
)

# ---- othello

SIDE = 8
CORNERS = (0, 7, 56, 63)
EDGES = [square for square in range(64) if {square // SIDE, square % SIDE} & {0, 7} and square not in CORNERS]
#: The squares beside each corner.
BESIDE = {0: (1, 8, 9), 7: (6, 14, 15), 56: (48, 49, 57), 63: (54, 55, 62)}


@functools.lru_cache(maxsize=2000)
def discs(state: Any) -> tuple[str, str, str]:
    """The board as 64 letters, and the letters of the seats."""
    return "".join(line[2:17:2] for line in str(state).split("\n")[2:10]), "x", "o"


def balance(state: Any, seat: int, squares: Iterable[int]) -> int:
    """A seat's discs on these squares, less the other's."""
    board, *letters = discs(state)
    on = [board[square] for square in squares]
    return on.count(letters[seat]) - on.count(letters[1 - seat])


@rule("move", early=3)
def corners(state: Any, move: int, after: Any) -> int:
    """Own corners, less the opponent's."""
    return balance(after, state.current_player(), CORNERS)


@rule("move", early=-1)
def beside_corners(state: Any, move: int, after: Any) -> int:
    """Own discs beside empty corners, less the opponent's."""
    board = discs(after)[0]
    squares = [square for corner in CORNERS if board[corner] == "-" for square in BESIDE[corner]]
    return balance(after, state.current_player(), squares)


@rule("move", early=0.5)
def edges(state: Any, move: int, after: Any) -> int:
    """Own discs on edges, less the opponent's."""
    return balance(after, state.current_player(), EDGES)


@rule("move", early=-0.2)
def replies(state: Any, move: int, after: Any) -> int:
    """The opponent's moves after it."""
    same = after.is_terminal() or after.current_player() == state.current_player()
    return 0 if same else len(after.legal_actions())


@rule("move", early=-0.1, late=0.3)
def more(state: Any, move: int, after: Any) -> int:
    """Own discs, less the opponent's."""
    return balance(after, state.current_player(), range(64))


@rule("move", early=1)
def moves_again(state: Any, move: int, after: Any) -> bool:
    """The opponent has to pass."""
    return not after.is_terminal() and after.legal_actions() == [64]


def filled(state: Any) -> float:
    """The share of the board that is filled."""
    return (60 - discs(state)[0].count("-")) / 60 if not state.is_terminal() else 1.0


othello = RuleSet(
    "othello",
    openspiel("othello"),
    (corners, beside_corners, edges, replies, more, moves_again),
    progress=filled,  # type: ignore[arg-type]
)

# ---- gin rummy: cards 0 to 51 by suit and rank are discards, too

UPCARD, STOCK, PASS, KNOCK, MELDS = 52, 53, 54, 55, 56
#: In the observation: where each seat's hand begins, then the upcard and the discards.
HANDS, UP, DISCARDS = (2, 54), 118, 170
#: The first melds of three of a kind, four of a kind, and runs of three, four and five cards, with their cards.
LAID = ((MELDS, 3), (MELDS + 52, 4), (MELDS + 65, 3), (MELDS + 109, 4), (MELDS + 149, 5))


def cards(observation: Any, begin: int) -> list[int]:
    """The cards that a part of an observation names."""
    return [int(card) for card in np.flatnonzero(observation.tensor[begin : begin + 52])]


def hand_of(observation: Any) -> tuple[int, ...]:
    """The cards of the seat that moves."""
    return tuple(cards(observation, HANDS[observation.seat]))


def melds_of(hand: Sequence[int], card: int) -> list[set[int]]:
    """The melds of a hand that a card may belong to as the lowest of a run, or with others of its rank."""
    same = [other for other in hand if other % 13 == card % 13]
    found = [set(same)] if len(same) == 4 else []
    found += [set(same) - {other} for other in same if other != card] if len(same) == 4 else []
    found += [set(same)] if len(same) == 3 else []
    for length in (3, 4, 5):
        run = set(range(card, card + length))
        if card % 13 + length <= 13 and run <= set(hand):
            found.append(run)
    return found


@functools.lru_cache(maxsize=100_000)
def deadwood(hand: tuple[int, ...]) -> int:
    """The fewest points outside melds: each card melds, by its lowest or its rank, or is left."""
    if not hand:
        return 0
    card, rest = hand[0], hand[1:]
    least = min(card % 13 + 1, 10) + deadwood(rest)
    for meld in melds_of(hand, card):
        least = min(least, deadwood(tuple(other for other in hand if other not in meld)))
    return least


@functools.lru_cache(maxsize=100_000)
def best_left(hand: tuple[int, ...]) -> int:
    """The least deadwood that a discard leaves."""
    return min(deadwood(tuple(other for other in hand if other != card)) for card in hand)


def kept(observation: Any, move: int) -> tuple[int, ...]:
    """The hand without a discard."""
    return tuple(card for card in hand_of(observation) if card != move)


@rule("move", early=-1)
def left(observation: Any, move: int) -> float:
    """Deadwood that a discard leaves, in tens."""
    return deadwood(kept(observation, move)) / 10 if move < UPCARD else 0.0


@rule("move", early=1)
def helps(observation: Any, move: int) -> float:
    """Deadwood that the upcard saves, in tens, less a third."""
    if move != UPCARD:
        return 0.0
    hand = hand_of(observation)
    return (deadwood(hand) - best_left(tuple(sorted({*hand, *cards(observation, UP)})))) / 10 - 0.3


@rule("move", early=0.1)
def neighbours(observation: Any, move: int) -> int:
    """Pairs of cards that a discard leaves, of a rank or next to each other in a suit."""
    if move >= UPCARD:
        return 0
    hand = kept(observation, move)
    near = ((card, other) for card in hand for other in hand if card < other)
    return sum(card % 13 == other % 13 or (other - card == 1 and other % 13 > 0) for card, other in near)


@rule("move", early=0.1)
def safe(observation: Any, move: int) -> int:
    """Cards of its rank that are discarded already."""
    return sum(card % 13 == move % 13 for card in cards(observation, DISCARDS)) if move < UPCARD else 0


@rule("move", early=1)
def knocks(observation: Any, move: int) -> bool:
    """It knocks."""
    return move == KNOCK


@rule("move", early=-0.5)
def knocks_high(observation: Any, move: int) -> float:
    """Deadwood with which it knocks, in tens."""
    return best_left(hand_of(observation)) / 10 if move == KNOCK else 0.0


@rule("move", early=1)
def lays(observation: Any, move: int) -> int:
    """Cards of the meld that it lays."""
    return next((count for first, count in reversed(LAID) if move >= first), 0)


gin_rummy = RuleSet("gin_rummy", openspiel("gin_rummy"), (left, helps, neighbours, safe, knocks, knocks_high, lays))

# ---- the runs

#: The rules of each game; those of backgammon are written into the folder.
GAMES = {
    "connect_four": f"{Path(__file__).resolve()}:connect_four",
    "othello": f"{Path(__file__).resolve()}:othello",
    "gin_rummy": f"{Path(__file__).resolve()}:gin_rummy",
    "backgammon": "backgammon.py:mine",
}
#: Flags of each stage: the product's own choice, selection alone, and lessons alone, with next to no population.
STAGES = {
    "together": [],
    "selection": ["--strategy", "ga"],
    "lessons": ["--strategy", "memetic", "--population", "2", "--deals", "1", "--opponent-deals", "1"],
}
FRESH_SEED = 987_000_001


def bred(game: str, stage: str, time: str, folder: Path) -> Path:
    """The champion of a run, which is bred unless the folder has it."""
    file = folder / f"{game}-{stage}.yaml"
    if not file.exists():
        began = os.times()
        words = ["evolve", "run", "--rules", GAMES[game], "--time", time, "--jobs", "1", *STAGES[stage]]
        with (folder / f"{game}-{stage}.log").open("w") as log:
            subprocess.run([*words, "--out", file.name], cwd=folder, stdout=log, stderr=subprocess.STDOUT, check=True)
        ended = os.times()
        seconds = ended.children_user - began.children_user + ended.children_system - began.children_system
        file.with_suffix(".seconds").write_text(f"{seconds:.0f}\n", "utf-8")
    return file


def row(game: str, stage: str, time: str, deals: int, folder: Path) -> str:
    """What a run cost, and how its champion does against the guessed weights."""
    file = bred(game, stage, time, folder)
    rules = load_rules(str(folder / GAMES[game]))  # an absolute path stays as it is
    guessed = RulePlayer(rules, rules.hand_tuned(), "guessed")
    match = play_match(make_player(str(file), rules.game), guessed, deals, FRESH_SEED)
    low, high = (100 * end for end in match.win_rate_95)
    head = re.search(r"generations: (\d+).*games: (\d+)", file.read_text("utf-8"))
    generations, games = map(int, head.groups()) if head else (0, 0)
    result = f"{100 * match.win_rate:.1f} ({low:.1f} to {high:.1f})"
    if match.in_points:
        result += f"; {match.margin:+.2f} ({match.margin_95[0]:+.2f} to {match.margin_95[1]:+.2f}) points"
    seconds = int(file.with_suffix(".seconds").read_text("utf-8"))
    return (
        f"{game:<13} {stage:<10} {generations:>11} {games:>8,} {seconds:>9} {match.games:>6,} "
        f"{match.distinct_deals:>8,}  {result}"
    )


def main() -> None:
    """Breed what the folder lacks, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--stages", default=",".join(STAGES))
    parser.add_argument("--time", default="20m", help="of each run")
    parser.add_argument("--deals", type=int, default=800, help="fresh deals, each played from both seats")
    parser.add_argument("--quick", action="store_true", help="runs of some seconds, and few deals")
    chosen = parser.parse_args()
    if chosen.quick:
        chosen.time, chosen.deals = "10s", 10
    chosen.folder.mkdir(parents=True, exist_ok=True)
    page = (CHECKOUT / "docs" / "tutorial" / "backgammon.md").read_text("utf-8")
    backgammon = re.search(r"<!-- file: backgammon.py -->\n```python\n(.*?)```", page, re.DOTALL)
    assert backgammon is not None
    (chosen.folder / "backgammon.py").write_text(backgammon[1], "utf-8")
    print("game          stage      generations    games processor s  fresh distinct  won against the guess, %")
    for stage in chosen.stages.split(","):
        for game in chosen.games.split(","):
            print(row(game, stage, chosen.time, chosen.deals, chosen.folder), flush=True)
    print(machine())


if __name__ == "__main__":
    main()
