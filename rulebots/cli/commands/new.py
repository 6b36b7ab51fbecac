"""`rulebots new`."""

import re
from typing import Annotated

from rulebots.cli import options as opt
from rulebots.cli.commands import app
from rulebots.cli.console import say
from rulebots.errors import demand


@app.with_examples(
    "rulebots new nim",
    "rulebots new connect-four --board 7",
    "rulebots new hearts --hidden --seats 3-4",
    group="Your own game",
)
def new(
    name: Annotated[str, opt.argument("NAME", "The game's name, such as connect-four; a new folder.")],
    hidden: Annotated[bool, opt.switch("--hidden", "Begin with a game of hidden cards.")] = False,
    dice: Annotated[bool, opt.switch("--dice", "Begin with a game of dice.")] = False,
    seats: Annotated[
        str | None, opt.option("How many play: a number, or a range such as 2-4.", "N", default=False)
    ] = None,
    together: Annotated[bool, opt.switch("--together", "A cooperative game: all share their points.")] = False,
    board: Annotated[int | None, opt.whole("Begin with a game on N x N points.", 0, default=False)] = None,
) -> None:
    """Write the package of a new game: law, rules, opponents, tests.

    It can be installed, played and bred at once; then it is yours to change.
    """
    from rulebots.packages.scaffold import BOARD, DICE, HIDDEN, new_game

    chosen = [variant for variant, on in ((HIDDEN, hidden), (DICE, dice), (BOARD, board is not None)) if on]
    demand(
        len(chosen) <= 1, f"expected one of --hidden, --dice and --board N, not {len(chosen)}: begin with the nearest"
    )
    folder = new_game(
        name, chosen[0] if chosen else None, board, seats=_seats_of("2" if seats is None else seats), together=together
    )
    say(f"wrote the game '{name}' to {folder}; install it, and breed a first player:")
    say(f"  cd {folder} && pip install -e . && evolve run --game {name} --generations 20")


def _seats_of(text: str) -> int | tuple[int, int]:
    demand(
        re.fullmatch(r"[0-9]{1,3}(-[0-9]{1,3})?", text),
        f"--seats: expected a number such as 3, or a range such as 2-4, not {text!r}",
    )
    low, _, high = text.partition("-")
    return int(low) if high in ("", low) else (int(low), int(high))
