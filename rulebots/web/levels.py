"""What the page says of a game before it begins: its card, its picture, and its levels with their ratings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages import package_of
from rulebots.packages.levels import LEVEL, level_players
from rulebots.tournaments.ladder import Ladder, load_ladder
from rulebots.web.board import PageBoard

#: Whom a person meets unless it chooses.
DEFAULT_LEVEL = "casual"
#: Seconds that a move takes on average, by which the length of a game becomes minutes.
SECONDS_A_MOVE = 5
#: The game's file with the ladder of its levels, and the deal of the position that stands for it.
FILE = "levels.yaml"
DEAL = 1


@dataclass(frozen=True)
class GameCard:
    """A game in short: `rules` are its paragraphs, each a text, or a list of texts.

    `facts` are few words each: how many play, for how long, and what is hidden.
    """

    game: Game
    summary: str
    facts: tuple[str, ...]
    rules: tuple[str | tuple[str, ...], ...]


@dataclass(frozen=True)
class LevelRow:
    """A level: its name as a player, what plays, its rating with its interval, and how it does against the one below.

    Texts are empty where nothing was measured.
    """

    level: str
    player: str
    made_of: str
    rating: str = ""
    interval: str = ""
    below: str = ""


def card_of(game: Game) -> GameCard:
    """A game in short. Raises UsageError where a part of it is wrong."""
    summary, rules = package_of(game).about
    head, colon, rest = summary.partition(": ")
    if colon and head.casefold().startswith(game.title.casefold()[:4]):  # the title stands above it
        summary = rest[:1].upper() + rest[1:]
    low = game.fewest_seats
    high = game.most_seats
    seats = f"{low} to {high} players" if high > low else f"{low} player{'' if low == 1 else 's'}"
    facts = [seats + (" together" if game.aim == "together" else "")]
    ladder = _ladder_of(game)
    if ladder is not None and ladder.plies:
        facts.append(f"about {max(1, round(ladder.plies * SECONDS_A_MOVE / 60))} min")
    facts.append("hidden information" if game.hidden else "open")
    return GameCard(game, summary, (*facts, *(["dice"] if game.chance else [])), tuple(_paragraphs(rules)))


def _paragraphs(text: str) -> list[str | tuple[str, ...]]:
    """The paragraphs of a plain text; one that begins with "- " is a list of its items."""
    paragraphs: list[str | tuple[str, ...]] = []
    for block in filter(None, map(str.strip, re.split(r"\n\s*\n", text))):
        if block.startswith("- "):
            paragraphs.append(tuple(" ".join(item.split()) for item in re.split(r"^- ", block, flags=re.MULTILINE)[1:]))
        else:
            paragraphs.append(" ".join(block.split()))
    return paragraphs


@lru_cache(maxsize=64)
def example_board(game: Game) -> PageBoard:
    """The board that stands for a game, as the first seat sees it. Nobody plays there, so that nothing is secret."""
    package = package_of(game)
    try:
        position = Position(game, seed=DEAL)
        for text in package.example.split():
            position.play(position.read(text))
        diagram = package.draw(position, 0) if package.draw else None
    except Exception as error:  # noqa: BLE001 - a user's code
        return PageBoard(None, "", remark=f"there is no picture of {game.name}: {error}")
    if diagram is None:
        return PageBoard(None, position.text(0))
    return PageBoard(diagram, "")


def measured(game: Game) -> tuple[list[LevelRow], str]:
    """The levels of a game, the weakest first, and how they were measured in one line."""
    ladder = _ladder_of(game)
    levels = {f"{LEVEL}:{level}": (level, made_of) for level, made_of in level_players(game).items()}
    if ladder is None:
        command = f"rulebots tournament {','.join(levels)} --game {game.name} --ladder {FILE}"
        remark = f"Not rated yet. Run {command} and put the file into the game's folder."
        return [LevelRow(level, player, made_of) for player, (level, made_of) in levels.items()], remark
    rows = list[LevelRow]()
    for player, (level, made_of) in levels.items():
        below = _against(ladder, player, rows[-1].player) if rows and not ladder.together else ""
        rows.append(LevelRow(level, player, made_of, *_rating(ladder, player), below))
    how = f"Measured on {ladder.settings['deals']} deals, with the usual options"
    if ladder.together:
        return rows, f"{how}, each with copies of itself: points of a game."
    return rows, f"{how}, all against all. A player 100 Elo above another wins 64 of 100 games against it."


def _rating(ladder: Ladder, player: str) -> tuple[str, str]:
    """A level's rating and its interval, in words."""
    rating = ladder.ratings.get(player, {})
    if ladder.together:
        low, high = rating["points_95"]
        return f"{rating['points']:.1f} points", f"{low or 0:.1f} to {high or 0:.1f}"
    ends = [_signed(end) for end in rating["elo_95"]]
    return f"Elo {_signed(rating['elo'])}", "too few deals" if "?" in ends else " to ".join(ends)


def _signed(number: int | None) -> str:
    return "?" if number is None else f"{number:+d}".replace("-", "\N{MINUS SIGN}")


def _against(ladder: Ladder, player: str, other: str) -> str:
    """How often a player wins against another."""
    won = 0.0
    games = 0
    for first, second, wins, draws, losses, stalled in ladder.meetings:
        if {first, second} == {player, other}:
            won += (wins if first == player else losses) + (draws + stalled) / 2
            games += wins + draws + losses + stalled
    return f"{100 * won / games:.0f} %" if games else ""


def _ladder_of(game: Game) -> Ladder | None:
    """The ladder of a game's levels, None where there is none of its present levels."""
    file = package_of(game).folder / FILE
    try:
        ladder = _read(file, file.stat().st_mtime_ns)
    except (OSError, UsageError):
        return None
    same = ladder.game == game.name and set(ladder.players) == {f"{LEVEL}:{level}" for level in level_players(game)}
    return ladder if same else None


@lru_cache(maxsize=64)
def _read(file: Path, _changed: int) -> Ladder:
    """The ladder of a file, read once for each change of it."""
    return load_ladder(file)
