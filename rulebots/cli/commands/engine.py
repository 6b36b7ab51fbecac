"""`rulebots engine`."""

import os
from typing import Annotated

from rulebots.cli import options as opt
from rulebots.cli.commands import app
from rulebots.cli.lookup import bring, game_of, options_of


@app.with_examples(
    "rulebots engine champion --game lost-cities",
    "rulebots engine mcts:seconds=1 --game kalah",
    "rulebots match champion 'program:rulebots engine shelly --game lost-cities' --deals 10",
    group="Serve",
)
def engine(
    player: opt.PlayerName,
    game: opt.PlayedGame = None,
    protocol: Annotated[str, opt.shared("--protocol")] = "rulebots-player",
    imports: opt.Imports = None,
    option: opt.OptionTexts = None,
) -> None:
    """Answer another program with moves over standard input.

    Nothing else is written to standard output; what the player itself prints goes to standard error. The conversation
    ends when the other side says so, or closes its end. That side chooses a game's options: --option seats=4 here only
    says which `champion` plays, the one bred for four seats.
    """
    from rulebots.packages.players import make_player
    from rulebots.play.stepper import SeatedPlayer, warm_up
    from rulebots.protocols.stdio import engine_maker, serve

    make_engine = engine_maker(protocol)
    bring(game, imports)
    law = game_of(game, [player])
    mover = make_player(player, law, law.seats_with(options_of(option)))
    conversation = make_engine(law, mover)
    warm_up(mover)
    with os.fdopen(os.dup(1), "wb") as sink:
        os.dup2(2, 1)  # a player that prints would break the protocol
        serve(conversation, SeatedPlayer(mover, law), sink=sink)
