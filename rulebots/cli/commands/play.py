"""`rulebots play`."""

from __future__ import annotations

import dataclasses
import random
import secrets
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulebots.cli import options as opt
from rulebots.cli.commands import app
from rulebots.cli.completion import complete_game
from rulebots.cli.console import say
from rulebots.errors import UsageError, listed
from rulebots.files import free_name, write_new
from rulebots.packages import is_place, load_game
from rulebots.packages.named_code import names_from_data, runs_code

if TYPE_CHECKING:
    from rulebots.game import Game
    from rulebots.records import Ongoing

MOST_POWER = 1_000_000


@app.with_examples(
    "rulebots play lost-cities",
    "rulebots play kalah --last --against minimax:depth=6",
    "rulebots play circles -p 3 -s 5 -e 2 -f -l",
    "rulebots play gomoku --size 9 --random-side",
    "rulebots play tictactoe --player champion --against random --delay 1",
    "rulebots play kalah --position '4,0,5,5,5,4,1/5,4,4,4,4,3,0 1'",
    "rulebots play --resume game.txt",
    context_settings=dict(opt.TAKES_GAME_OPTIONS),
    group="Play",
)
def play(
    context: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="A game, as `rulebots games` names it.", autocompletion=complete_game),
    ] = None,
    against: Annotated[
        list[str] | None,
        opt.against_option(
            "With more seats all others, or one for each if repeated. `you` is a person.",
            default="mcts:power=3; the champion where cards are hidden",
        ),
    ] = None,
    player: Annotated[str | None, opt.player_option(default="you")] = None,
    first: Annotated[bool, opt.switch("--first", "-f", "You begin (the default).")] = False,
    last: Annotated[bool, opt.switch("--last", "The other side begins, and you come last.")] = False,
    random_side: Annotated[bool, opt.switch("--random-side", "The seed decides who begins.")] = False,
    power: Annotated[
        int | None, opt.whole("Against mcts:power=N, 200 N simulations a move.", 1, MOST_POWER, "--power", "-p")
    ] = None,
    style: Annotated[
        str | None,
        opt.named(
            "WORDS",
            "Against the strongest player of a style, such as high-investments: see `evolve styles GAME`.",
            default=False,
        ),
    ] = None,
    imports: opt.Imports = None,
    option: opt.OptionTexts = None,
    position: opt.PositionText = None,
    seed: Annotated[
        int | None,
        opt.seed_option("It deals, and is the chance of players.", 2**32 - 1, default="a different one each time"),
    ] = None,
    delay: Annotated[float, opt.decimal("Between two players: seconds from move to move.", 0, 60)] = 0.0,
    move_seconds: opt.MoveSeconds = None,
    resume: Annotated[Path | None, opt.path_to("FILE", "Continue a saved game.")] = None,
) -> None:
    """Play a game in the terminal, or watch two players play one.

    A move is typed as the game writes it; `?` shows what else may be typed. Hidden cards stay hidden. The game's
    options are flags after its name, such as `--size 9`, or `-s 9` for short (`rulebots games` shows them).
    """
    from rulebots.packages.players import default_opponent
    from rulebots.records import PERSON, Ongoing, new_game

    if first + last + random_side > 1:
        raise typer.BadParameter("--first, --last and --random-side each say who begins: give one of them")
    if sum(value is not None for value in (power, against or None, style)) > 1:
        raise typer.BadParameter("--power, --style and --against each name the other side: give one of them")
    others = [*(against or []), *([] if power is None else [f"mcts:power={power}"])]
    if resume is not None:
        given = (option, context.args, seed, position, style)
        known = [name for name in (game, player) if name is not None and not is_place(name)]
        if any(value not in (None, []) for value in given) or known or first or last or random_side:
            raise typer.BadParameter("a saved game knows its game, options, seed and sides", param_hint="'--resume'")
        opt.bring(game, imports, [name for name in (player, *others) if name is not None and runs_code(name)])
        with names_from_data(game=f"rulebots play {{}} --resume {shlex.quote(str(resume))}", player="--player {}"):
            sit_down(resumed(resume, others), delay, move_seconds)
        return
    if game is None:
        raise typer.BadParameter("expected a game, such as circles, or --resume FILE", param_hint="'[GAME]'")
    played = load_game(opt.game_before_flags(game))
    opt.bring(None, imports)
    options = opt.chosen_options(played, context, option)
    others = others if style is None else [of_style(played, style)]
    seed = secrets.randbelow(2**32) if seed is None else seed
    played.option_values(options)  # before it is known how many play
    seats = played.seats_with(options)
    names = (player or PERSON, *for_each(others, seats - 1, [default_opponent(played)] if seats > 1 else []))
    begins = 1 + (int(seats * random.Random(seed).random()) if random_side else last)  # noqa: S311 - no secret
    recorded = new_game(played, names, options, seed, begins, position)
    sit_down(Ongoing(recorded, seed), delay, move_seconds)


def for_each(players: Sequence[str], seats: int, default: Sequence[str]) -> Sequence[str]:
    """Who plays so many seats: one of the players each, or the only one all. Raises BadParameter."""
    chosen = players or default
    if len(chosen) == seats:
        return chosen
    if len(chosen) != 1 or not seats:
        expected = (
            "expected one player" if seats == 1 else f"expected one player for all {seats} others, or one for each"
        )
        what = f"{expected}, not {len(chosen)}" if seats else "you are alone at a table of one seat: leave it out"
        raise typer.BadParameter(what, param_hint="'--against'")
    return [*chosen] * seats


def of_style(game: Game, words: str) -> str:
    """The strongest player of a style in the file that `evolve styles` writes: the first with all of the words.

    Raises:
        UsageError: there is no such file in this folder, or no such style in it.
    """
    from rulebots.packages.population import load_population

    path = Path(f"{game.name.replace('-', '_')}-styles.yaml")
    if not path.exists():
        raise UsageError(f"--style: there is no {path} in this folder; `evolve styles {game.name}` makes it")
    names = list(load_population(path).players)
    found = next((name for name in names if all(word in name for word in words.split(","))), None)
    if found is None:
        raise UsageError(f"--style: no style '{words}' in {path}; there are: {listed(names)}")
    return f"{path}#{found}"


def resumed(file: Path, others: Sequence[str]) -> Ongoing:
    """The unfinished game of a record, with these players in the place of those that it names."""
    from rulebots.records import PERSON, Ongoing, load_record

    record = load_record(file)
    left = next((one for one in record.games if one.result.points is None), None)
    if left is None:
        raise UsageError(f"{file}: there is no unfinished game in it; rulebots replay shows the finished ones")
    if others:
        names = list(left.names)
        own = len(names) - 1 - names[::-1].index(PERSON) if PERSON in names else 0
        further = [place for place in range(len(names)) if place != own]
        places = [place for place in further if names[place] != PERSON] or further
        for place, name in zip(places, for_each(others, len(places), ()), strict=True):
            names[place] = name
        left = dataclasses.replace(left, names=tuple(names))
    return Ongoing(left, record.seed)


def sit_down(ongoing: Ongoing, delay: float, move_seconds: float | None) -> None:
    """Play the game until it ends or the person leaves.

    Raises:
        PlayerFault: a player fails; the game so far is in a new file, which the message names.
    """
    from rulebots.cli.dialogue import Dialogue, Left
    from rulebots.packages.players import champion_of, make_player
    from rulebots.players import PlayerFault
    from rulebots.records import PERSON, in_words

    game, names = ongoing.game, ongoing.recorded.seats
    chosen = ongoing.recorded.options
    made = [None if name == PERSON else make_player(name, game) for name in names]
    for one in filter(None, made):
        one.check_seats(len(names))
    players = tuple(one and one.beginning_a_game(seat, chosen, move_seconds) for seat, one in enumerate(made))
    dialogue = Dialogue(ongoing, players, champion_of(game), lambda name: make_player(name, game), delay, move_seconds)
    options = "".join(f", {name} {value}" for name, value in chosen.items())
    dealt_by = "" if ongoing.seed is None else f", seed {ongoing.seed}"
    begins, *after = dialogue.names
    verb = ("begin" if after else "play alone") if players[0] is None else "begins" if after else "plays alone"
    link = " with" if game.together(len(names)) else " against"
    answer = f"{link} {in_words(after)}" if after else ""
    say(f"{game.title}{options}{dealt_by}: {begins} {verb}{answer}")
    try:
        dialogue.run()
    except Left:
        say("You left the game.")
    except PlayerFault as fault:
        raise PlayerFault(f"{fault}; it loses. {kept(ongoing)}", fault.seat) from fault


def kept(ongoing: Ongoing) -> str:
    """Where the game so far was written to, and how to go on with it, in words."""
    from rulebots.cli.dialogue import to_resume
    from rulebots.records import record_text

    file = free_name(Path(f"{ongoing.game.name.replace('-', '_')}-unfinished.txt"))
    write_new(file, record_text(ongoing.record()))
    return f"The game so far is in {file}; to continue against another player: {to_resume(ongoing, file)} --against ..."
