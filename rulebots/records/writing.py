"""Makes records of games, and writes them as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.files import free_name, refuse_unwritable, unwritable, write_new
from rulebots.game import Game
from rulebots.game.checks import contract_error, described
from rulebots.game.position import Position
from rulebots.play.deals import Deals, draw_deals
from rulebots.play.match import game_of, mirrored, play_deals
from rulebots.play.results import Games, MatchResult, match_result, no_games
from rulebots.play.sides import Terms
from rulebots.players import Player, PlayerFault, name_of, named_apart
from rulebots.records.model import FORMAT, STALLED, UNFINISHED, Record, RecordedGame, Result, Row
from rulebots.registry import origin_of_game

#: The most moves on a line.
ROW = 10


def play_recorded(
    first: Player,
    second: Player,
    deals: int = 1000,
    seed: int = 1,
    options: Mapping[str, int] | None = None,
    jobs: int = 1,
    opening_plies: int | None = None,
    move_seconds: float | None = None,
    rescue: Callable[[Record], object] | None = None,
) -> tuple[MatchResult, Record]:
    """`play_match` with a record of its games; players of the same name are numbered.

    If a fault ends the match after some moves, `rescue` gets the record of the games. Most of them may be unfinished,
    because games advance together.

    Raises:
        UsageError, PlayerFault: as `play_match` does.
    """
    game = game_of([first, second])
    drawn = draw_deals(game, deals, seed, options=options, opening_plies=opening_plies)
    a, b = named_apart([name_of(first), name_of(second)])
    games = no_games(game, 2 * deals, game.ply_cap)
    try:
        play_deals(first, second, drawn, jobs, terms=Terms(move_seconds), room=games)
    except PlayerFault:
        so_far = record_of((a, b), drawn, mirrored(deals), games, seed)
        if rescue and so_far.games:
            rescue(so_far)
        raise
    return match_result(games), record_of((a, b), drawn, mirrored(deals), games, seed)


def record_of(
    names: tuple[str, str], deals: Deals, schedule: npt.NDArray[np.int64], games: Games, seed: int | None = None
) -> Record:
    """A record of games between two players; `schedule` is int64[games, 3] of (deal, seat 0, seat 1), players 0 and 1.

    `games` must have kept their moves (`play_games(..., keep_moves=True)`). `seed` is the one that `draw_deals` drew
    the deals from, if it had no other identity. Games without a move of a player's are left out, and one that did not
    come to its end is unfinished.
    """
    game = deals.game
    options = {name: int(deals.options[name]) for name in game.options}
    played = list[RecordedGame]()
    begun = np.flatnonzero(games.plies > games.openings).tolist()
    for number in begun:
        deal, in_seat_0, _ = schedule[number].tolist()
        plies, opening = int(games.plies[number]), int(games.openings[number])
        position = Position(game, options, deals.cards[deal], compiled=True)
        rows, moves = [], games.moves[number, :plies].tolist()
        for first_ply, last_ply in _cuts(opening, plies):
            for move in moves[first_ply:last_ply]:
                position.play(move)
            texts = tuple(_text(game, move) for move in moves[first_ply:last_ply])
            rows.append(Row(first_ply + 1, texts, position.points, last_ply <= opening))
        ended = position.over or position.stalled
        played.append(
            RecordedGame(
                game=game,
                number=len(played) + 1,
                names=names,
                begins=in_seat_0 + 1,
                options=options,
                deal=tuple(deals.cards[deal].tolist()),
                rows=tuple(rows),
                result=Result(position.points, position.stalled) if ended else Result(None),
                luck=(int(deals.luck[deal, 0]), int(deals.luck[deal, 1])),
                chance=int(deals.outcomes[deal]) if game.chance else None,
            )
        )
    return Record(game, names, options, tuple(played), seed, deals.opening_plies)


class RecordFolder:
    """A folder that gets a record of each game, game-0001.txt; it is made if there is none.

    Raises:
        OutputError: files cannot be written there.
    """

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise unwritable(folder, error) from None
        refuse_unwritable(folder / "game")
        self._folder = folder

    def write(
        self, number: int, names: tuple[str, str], first: int, deals: Deals, which: int, position: Position, remark: str
    ) -> None:
        """Write the game of a deal, `deals[which]`, that has come to this position; a remark follows it.

        `names` are those of the players, and `first` is the seat of the one named first. Raises OutputError.
        """
        game, ended = position.game, position.over or position.stalled
        one, two = named_apart(names)
        recorded = RecordedGame(
            game=game,
            number=1,
            names=(one, two),
            begins=first + 1,
            options={name: int(deals.options[name]) for name in game.options},
            deal=tuple(deals.cards[which].tolist()),
            rows=rows_of(game, [ply.move for ply in position.history()], deals.opening_plies),
            result=Result(position.points, position.stalled) if ended else Result(None),
            luck=(int(deals.luck[which, 0]), int(deals.luck[which, 1])),
            chance=int(deals.outcomes[which]) if game.chance else None,
        )
        record = Record(game, recorded.names, recorded.options, (recorded,), opening_plies=deals.opening_plies)
        write_new(free_name(self._folder / f"game-{number:04}.txt"), f"{record_text(record)}# {remark}\n")


def rows_of(game: Game, moves: Sequence[int], opening: int = 0) -> tuple[Row, ...]:
    """Moves as lines of a record, without points."""
    texts = [_text(game, move) for move in moves]
    return tuple(
        Row(first + 1, tuple(texts[first:last]), opening=last <= opening) for first, last in _cuts(opening, len(moves))
    )


def _text(game: Game, move: int) -> str:
    """A move as the game writes it. Raises CodeError if that is not a text."""
    text: Any = game.write(move)
    if not isinstance(text, str):
        raise contract_error(game.write, f"gives {described(text)} for the move {move}: expected some text")
    return text


def record_text(record: Record) -> str:
    """The text of a record, the same byte for byte for the same games."""
    return "".join(f"{line}\n" for line in _lines(record))


def _lines(record: Record) -> Iterator[str]:
    yield f"format: {FORMAT}"
    yield f"by: rulebots {metadata.version('rulebots')}"
    yield f"game: {origin_of_game(record.game.name) or record.game.name}"
    yield from _terms(record.names, record.options)
    if record.seed is not None:
        yield f"seed: {record.seed}"
    yield f"opening plies: {record.opening_plies}"
    yield f"games: {len(record.games)}"
    for game in record.games:
        yield ""
        yield from _game(game, record)


def _terms(names: tuple[str, str], options: Mapping[str, int]) -> Iterator[str]:
    for number, name in enumerate(names, 1):
        yield f"player {number}: {' '.join(name.split())}"
    if options:
        yield f"options: {' '.join(f'{name}={value}' for name, value in options.items())}"


def _game(game: RecordedGame, record: Record) -> Iterator[str]:
    yield f"game {game.number}: player {game.begins} begins"
    general = list(_terms(record.names, record.options))
    yield from (line for line in _terms(game.names, game.options) if line not in general)
    if game.deal:
        yield f"deal: {' '.join(map(str, game.deal))}"
    if game.position:
        yield f"position: {game.position}"
    if game.luck is not None:
        yield f"luck: {game.luck[0]} {game.luck[1]}"
    if game.chance is not None:
        yield f"chance: {game.chance}"
    for row in game.rows:
        yield f"{'opening' if row.opening else 'ply'} {row.first}: {' '.join(row.moves)}{_points(row.points, ' = ')}"
    yield f"result: {_points(game.result.points) or UNFINISHED}{f' {STALLED}' if game.result.stalled else ''}"


def _points(points: tuple[int, int] | None, before: str = "") -> str:
    return "" if points is None else f"{before}{points[0]} {points[1]}"


def _cuts(opening: int, plies: int) -> Iterator[tuple[int, int]]:
    """The first ply and the end of each line: at most ROW moves, those of the opening in separate lines."""
    for start, end in ((0, opening), (opening, plies)):
        for first in range(start, end, ROW):
            yield first, min(first + ROW, end)
