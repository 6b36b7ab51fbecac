"""`rulebots play`."""

from __future__ import annotations

import contextlib
import dataclasses
import random
import secrets
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulebots.cli import options as opt
from rulebots.cli.app import Interrupted
from rulebots.cli.commands import app
from rulebots.cli.console import in_terminal, say
from rulebots.cli.interrupts import Interrupts
from rulebots.cli.lookup import bred_options, bring, chosen_options, game_before_flags, game_name, option_in_words
from rulebots.cli.tables import counted
from rulebots.errors import UsageError, demand, listed, shown
from rulebots.files import free_name, is_file, write_new
from rulebots.packages import game_names, is_place, load_game
from rulebots.packages.named_code import names_from_data, runs_code

if TYPE_CHECKING:
    from rulebots.game import Game
    from rulebots.records import Ongoing

MOST_POWER = 1_000_000
#: Seconds that the first board waits for the players: most mistakes in their names are seen by then.
FAULTS_WITHIN = 0.5


@dataclass(frozen=True)
class PlayFlags:
    """The game, who plays it, and how it begins."""

    game: Annotated[str | None, opt.argument("[GAME]", "A game, as `rulebots games` names it.")] = None
    against: Annotated[
        list[str] | None,
        opt.shared(
            "--against",
            "With more seats all others, or one for each if repeated. `you` is a person; `mcts:power=3` is a strong "
            "search.",
            default="level:casual, as on the page",
        ),
    ] = None
    player: Annotated[str | None, opt.shared("--player", default="you")] = None
    first: Annotated[bool, opt.switch("--first", "-f", "You begin (the default).")] = False
    last: Annotated[bool, opt.switch("--last", "The other side begins, and you come last.")] = False
    random_side: Annotated[bool, opt.switch("--random-side", "The seed decides who begins.")] = False
    power: Annotated[
        int | None, opt.whole("Against mcts:power=N, 200 N simulations a move.", 1, MOST_POWER, "--power", "-p")
    ] = None
    style: Annotated[
        str | None,
        opt.option(
            "Against the strongest player of a style, such as high-investments: see `evolve styles GAME`.",
            "WORDS",
            default=False,
        ),
    ] = None
    imports: opt.Imports = None
    option: opt.OptionTexts = None
    position: opt.PositionText = None
    seed: Annotated[
        int | None,
        opt.shared(
            "--seed",
            "It deals, and players draw their chance from it.",
            high=2**32 - 1,
            default="a different one each time",
        ),
    ] = None
    delay: Annotated[float, opt.decimal("Between two players: seconds from move to move.", 0, 60)] = 0.0
    move_seconds: opt.MoveSeconds = None
    resume: Annotated[Path | None, opt.option("Continue a saved game.", "FILE", read=opt.named_path)] = None

    @property
    def others(self) -> list[str]:
        """The players of the other side that are named."""
        return [*(self.against or []), *([] if self.power is None else [f"mcts:power={self.power}"])]


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
def play(context: typer.Context, flags: PlayFlags) -> None:
    """Play a game in the terminal, or watch two players play one.

    A move is typed as the game writes it; `?` shows what else may be typed. Hidden cards stay hidden. The game's
    options are flags after its name, such as `--size 9`, or `-s 9` for short (`rulebots games GAME` shows them). They
    default to those that the players of the first file were bred with.
    """
    if (
        flags.resume is None
        and flags.game
        and game_name(flags.game) not in game_names()
        and is_file(flags.game)
        and not flags.game.endswith(".py")
    ):
        flags = dataclasses.replace(flags, game=None, resume=Path(flags.game))
    sides = {"--first": flags.first, "--last": flags.last, "--random-side": flags.random_side}
    opt.at_most_one(sides, "who begins")
    opt.at_most_one(
        {"--power": flags.power, "--style": flags.style, "--against": flags.against}, "who plays on the other side"
    )
    if flags.resume is None:
        sit_down(_new_game(flags, context), flags)
        return
    chosen = (flags.option, context.args, flags.seed, flags.position, flags.style)
    known = [name for name in (flags.game, flags.player) if name is not None and not is_place(name)]
    said = any(value not in (None, []) for value in chosen) or known or any(sides.values())
    demand(not said, "--resume: a saved game knows its game, options, seed and sides: leave them out")
    players = [name for name in (flags.player, *flags.others) if name is not None and runs_code(name)]
    bring(flags.game, flags.imports, players)
    command = f"rulebots play {{}} --resume {shlex.quote(str(flags.resume))}"
    with names_from_data(game=command, player="--player {}"):
        sit_down(resumed(flags.resume, flags.others), flags)


def _new_game(flags: PlayFlags, context: typer.Context) -> Ongoing:
    from rulebots.packages.levels import default_opponent
    from rulebots.records import PERSON, Ongoing, new_game

    game = load_game(game_before_flags(flags.game or _asked_game()))
    bring(None, flags.imports)
    others = flags.others if flags.style is None else [of_style(game, flags.style)]
    chosen = chosen_options(game, context, flags.option)
    options = bred_options([flags.player or PERSON, *others], game, chosen) | chosen
    seed = secrets.randbelow(2**32) if flags.seed is None else flags.seed
    game.option_values(options)  # before it is known how many play
    seats = game.seats_with(options)
    default = [default_opponent(game)] if seats > 1 else []
    names = (flags.player or PERSON, *for_each(others or default, seats - 1))
    drawn = 1 + int(seats * random.Random(seed).random())  # noqa: S311 - no secret
    begins = drawn if flags.random_side else 2 if flags.last else 1
    return Ongoing(new_game(game, names, options, seed, begins, flags.position), seed)


def _asked_game() -> str:
    """The game that the person names, by its name or number. Raises UsageError where nobody can be asked."""
    from rulebots.cli.dialogue import LEAVING, Left, typed

    numbered = {str(number): name for number, name in enumerate(game_names(), 1)}
    demand(sys.stdin.isatty(), f"GAME: expected a game, one of {', '.join(numbered.values())}, or --resume FILE")
    say("\n".join(f"{number:>3}  {name}" for number, name in numbered.items()))
    with contextlib.suppress(Left):
        while (text := typed("which game? ")) not in LEAVING:
            if is_place(name := numbered.get(text, game_name(text))) or name in game_names():
                return name
            say(f"expected a name or a number from 1 to {len(numbered)}, not '{shown(text)}'")
    raise Interrupted("no game was named")


def for_each(players: Sequence[str], seats: int) -> Sequence[str]:
    """Assign players to seats; a single player takes every seat. Raises UsageError for another number of them."""
    if len(players) == 1 and seats:
        return [*players] * seats
    demand(
        len(players) == seats,
        f"--against: expected a player for each of {counted(seats, 'other seat')}, or one for all, not {len(players)}",
    )
    return players


def of_style(game: Game, words: str) -> str:
    """The strongest player of a style in the file that `evolve styles` writes: the first with all of the words.

    Raises:
        PopulationError: the file is not in this folder. UsageError: there is no such style in it.
    """
    from rulebots.packages.population import load_population

    path = Path(f"{game.file_name}-styles.yaml")
    names = list(load_population(path).players)
    chosen = next((name for name in names if all(word in name for word in words.split(","))), None)
    if chosen is None:
        raise UsageError(f"--style: no style '{words}' in {path}; there are: {listed(names)}")
    return f"{path}#{chosen}"


def resumed(file: Path, others: Sequence[str]) -> Ongoing:
    """The unfinished game of a record, with these players in the place of those that it names."""
    from rulebots.records import PERSON, Ongoing, load_record

    record = load_record(file)
    game = next((one for one in record.games if one.result.points is None), None)
    if game is None:
        raise UsageError(f"{file}: there is no unfinished game in it; rulebots replay shows the finished ones")
    if others:
        names = list(game.names)
        own = max((i for i, name in enumerate(names) if name == PERSON), default=0)
        further = [i for i in range(len(names)) if i != own]
        places = [i for i in further if names[i] != PERSON] or further
        for i, name in zip(places, for_each(others, len(places)), strict=True):
            names[i] = name
        game = dataclasses.replace(game, names=tuple(names))
    return Ongoing(game, record.seed if len(record.games) == 1 else None)


def sit_down(ongoing: Ongoing, flags: PlayFlags) -> None:
    """Play the game until it ends or the person leaves, and another one if that is wanted.

    Where it ends otherwise, the game so far is in a new file, and a message says how to go on.

    Raises:
        PlayerFault: a player fails. Interrupted: on Ctrl-C.
    """
    from rulebots.cli.dialogue import Dialogue, Left
    from rulebots.game import CHANCE
    from rulebots.packages.levels import in_speech
    from rulebots.packages.players import make_player
    from rulebots.play.background import Preparation
    from rulebots.players import Player, PlayerFault
    from rulebots.records import PERSON, Ongoing, in_words, new_game

    game = ongoing.game
    names = ongoing.recorded.seats
    options = ongoing.recorded.options

    def make() -> tuple[list[Player | None], str]:
        players = [None if name == PERSON else make_player(name, game, len(names)) for name in names]
        for player in filter(None, players):
            player.check_seats(len(names))
        return players, ""

    preparation = Preparation(make)
    if sys.stdin.isatty() and in_terminal():
        preparation.start()
        preparation.made.wait(FAULTS_WITHIN)
        if preparation.error:
            raise preparation.error
    else:
        preparation.players, _ = make()
        preparation.done.set()
    dialogue = Dialogue(ongoing, preparation, flags.delay, flags.move_seconds)
    known = game.options
    changed = [option_in_words(name, known[name], n) for name, n in options.items() if n != known[name].default]
    title = ", ".join([game.title, *changed, *[f"seed {ongoing.seed}"] * (ongoing.seed is not None)])
    said = [
        f"{said.removesuffix(')')}{', ' if said.endswith(')') else ' ('}{name})" if in_speech(name) != name else said
        for said, name in zip(dialogue.names, names, strict=True)
    ]
    begins = ongoing.positions[0].mover in (0, CHANCE)
    first, *others = sorted(said, key=lambda one: not begins and one != PERSON)
    s = "" if first == PERSON else "s"
    link = "with" if game.together(len(names)) else "against"
    verb = "begin" if begins and others else "play"
    say(f"{title}: {first} {verb}{s} {f'{link} {in_words(others)}' if others else 'alone'}")
    try:
        with Interrupts() as interrupts, interrupts.allowed():  # `input` may answer Ctrl-C by a SystemError
            dialogue.run()
    except Left as left:
        say(f"{left}{_kept(ongoing)}")
    except KeyboardInterrupt:
        say("")  # after the question that has no answer
        raise Interrupted(f"interrupted{_kept(ongoing) or '; nothing was kept: there is no new move'}") from None
    except PlayerFault as fault:
        again = _kept(ongoing, "against another player", " --against ...")
        raise PlayerFault(f"{fault}; it loses{again}", fault.seat) from fault
    if dialogue.again:
        drawn = secrets.randbelow(2**32)
        sit_down(Ongoing(new_game(game, names, options, drawn, 1, ongoing.recorded.position or None), drawn), flags)


def _kept(ongoing: Ongoing, how: str = "", flags: str = "") -> str:
    """Where the game is now, and how to go on, to follow what ended it; "" for a game without a new move."""
    from rulebots.cli.dialogue import to_resume
    from rulebots.records import record_text

    if len(ongoing.moves) <= ongoing.recorded.plies:
        return ""
    file = free_name(Path(f"{ongoing.game.file_name}-unfinished.txt"))
    write_new(file, record_text(ongoing.record()))
    to_continue = " ".join(filter(None, ["to continue", how]))
    return f"; the game so far is in {file}; {to_continue}: {to_resume(ongoing, file)}{flags}"
