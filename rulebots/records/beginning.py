"""The first position of a single game, dealt by a seed, as a record that `Ongoing` goes on from."""

from __future__ import annotations

from collections.abc import Mapping

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.play.deals import draw_deals
from rulebots.records.model import RecordedGame, Result

#: What a person is called in a record.
PERSON = "you"


def new_game(
    game: Game,
    names: tuple[str, str],
    options: Mapping[str, int],
    seed: int,
    begins: int,
    position: str = "",
) -> RecordedGame:
    """A game between player 1 and player 2 (`names`) without a move; `begins`, 1 or 2, says which of them has seat 0.

    `position` is where it begins if not with its deal, as `Position.to_text` writes it.

    Raises:
        UsageError: a wrong option or seed, or a position in which the game is over. PositionError: no position.
    """
    deals = draw_deals(game, 1, seed, options=options, opening_plies=0)
    if position:
        given = Position.from_text(game, position, options)
        if given.over:
            raise UsageError(f"position '{position}': the game is over there")
        position = given.to_text()
    return RecordedGame(
        game=game,
        number=1,
        names=names,
        begins=begins,
        options={option: int(deals.options[option]) for option in game.options},
        deal=tuple(deals.cards[0].tolist()),
        rows=(),
        result=Result(None),
        luck=(int(deals.luck[0, 0]), int(deals.luck[0, 1])),
        chance=int(deals.outcomes[0]) if game.chance else None,
        position=position,
    )
