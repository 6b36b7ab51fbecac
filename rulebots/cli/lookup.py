"""What the words of a command name: games and their options, players, code of the user's own; and their completion.

A shell runs the program for each TAB, so completing compiles nothing and leaves out what cannot be read. Names of other
files are the shell's own business.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from rulebots.cli.console import say
from rulebots.errors import UsageError, demand, nearest, shown, unknown
from rulebots.files.ranges import whole_of
from rulebots.packages import DEFAULT_GAME, game_names, is_place, load_game, package_of
from rulebots.packages.games import holds_game
from rulebots.packages.rule_sets import rule_sets_of

if TYPE_CHECKING:
    from rulebots.game import Game, Option
    from rulebots.players import Player

_ENDINGS = (".yaml", ".yml")


def bring(game: str | None = None, imports: Iterable[str] | None = None, players: Iterable[str] = ()) -> None:
    """Import the code that the user names, so that data files find it.

    Raises:
        CodeError: there is no such thing, or it has a mistake.
    """
    if game is not None:
        load_game(game)
    for kind, names in (("code", imports or ()), ("player", players)):
        for name in names:
            from rulebots.packages.players import bring_code

            bring_code(kind, name)


def game_name(text: str) -> str:
    """The name of the installed game that a text means in other letters, such as `Tic-Tac-Toe`; else the text."""
    return next((name for name in game_names() if _letters(name) == _letters(text)), text)


def means_game(text: str) -> bool:
    """Whether a text means a game and cannot mean a player: an installed one, its folder, or a file `game.py`."""
    return game_name(text) in game_names() or (is_place(text) and (holds_game(text) or Path(text).name == "game.py"))


def _letters(text: str) -> str:
    return re.sub("[-_ ]", "", text.casefold())


def game_of(name: str | None, players: Iterable[str] = ()) -> Game:
    """The game of that name; without a name that of the first file among the players, else the default.

    Raises:
        UsageError: there is no such game. PopulationError: the file is not a population.
    """
    if name is not None:
        return load_game(name)
    from rulebots.packages.players import files_among

    return next((population.game for _, population in files_among(players)), load_game(DEFAULT_GAME))


def bred_options(specs: Iterable[str], game: Game, chosen: Container[str]) -> dict[str, int]:
    """The options, other than the chosen ones, that the players of the first file were bred for; a line says so.

    Raises:
        UsageError: a file lacks the player. PopulationError: a file is not a population.
    """
    from rulebots.packages.players import options_among

    path, bred = options_among(specs, game)
    taken = {name: value for name, value in bred.items() if name not in chosen}
    if taken:
        say(f"as {path} was bred: {', '.join(f'--option {name}={value}' for name, value in taken.items())}")
    return taken


def players_of(
    specs: Sequence[str], game: str | None, imports: Iterable[str] | None, chosen: Mapping[str, int]
) -> tuple[Game, list[Player], dict[str, int]]:
    """The players of those names, their game, and its options (see `bred_options`), with the user's code for them.

    Raises:
        UsageError: there is no such game or player. CodeError: the user's code has a mistake.
        PopulationError: a file is not a population.
    """
    from rulebots.packages.players import make_player

    bring(game, imports)
    for spec in specs:
        demand(not means_game(spec), f"'{spec}' is a game: name it first, or as --game {spec}")
    played = game_of(game, specs)
    options = {**bred_options(specs, played, chosen), **chosen}
    return played, [make_player(spec, played, played.seats_with(options)) for spec in specs], options


def options_of(texts: Sequence[str] | None) -> dict[str, int]:
    """`["suits=6"]` as `{"suits": 6}`; the game checks names and ranges. Raises UsageError for another form."""
    options: dict[str, int] = {}
    for text in texts or ():
        name, _, number = text.partition("=")
        value = whole_of(number)
        if not name or value is None:
            raise UsageError(f"--option: expected NAME=VALUE with a whole number, such as suits=6, not '{text}'")
        demand(name not in options, f"--option: '{name}' is there twice")
        options[name] = value
    return dict(sorted(options.items()))


# A game's options as flags of a command: `--size 9`, `--last-loses`, and short ones such as `-s 9`.


def chosen_ranges(
    game: Game, context: typer.Context, texts: Sequence[str] | None = None, *, ranges: bool = True
) -> dict[str, range]:
    """The game's options among the words that a command did not know, such as `--pits 1-4`; the game checks the values.

    Those of the `texts` of `--option`, too. A single number is a range of one; without `ranges` it is all that may
    stand there.

    Raises:
        UsageError: a word that is not a flag of the game, an option twice, or anything but whole numbers after it.
    """
    options = options_of(texts)
    chosen = {name: range(value, value + 1) for name, value in options.items()}
    for name, flag, text, value in _game_flags(game, context):
        demand(name not in options, f"--option: '{name}' is there twice")
        ends = re.fullmatch(r"([-+]?[0-9]{1,9})(?:-([0-9]{1,9}))?", text if value is None else str(value))
        if ends is None or (ends[2] and not (ranges and int(ends[1]) <= int(ends[2]))):
            more = ", or a range such as 1-4," if ranges else ","
            raise UsageError(f"{flag}: expected a whole number{more} not '{text}'")
        chosen[name] = range(int(ends[1]), int(ends[2] or ends[1]) + 1)
    return chosen


def chosen_options(game: Game, context: typer.Context, texts: Sequence[str] | None = None) -> dict[str, int]:
    """The options of `chosen_ranges`, a number each. Raises UsageError as it does."""
    return {name: values[0] for name, values in chosen_ranges(game, context, texts, ranges=False).items()}


def game_before_flags(name: str) -> str:
    """The name of a game, where a command takes its options. Raises UsageError for a flag in its place."""
    demand(not name.startswith("-"), f"expected the game first, and its options after it, not '{name}'")
    return name


def is_switch(option: Option) -> bool:
    """Whether an option of a game can only be on or off."""
    return (option.low, option.high) == (0, 1)


def option_in_words(name: str, option: Option, value: int) -> str:
    """An option's value for people: `size 9`, `last loses`, `no passing`."""
    word = name if value else option.off or f"no {name}"
    return f"{word if is_switch(option) else f'{name} {value}'}".replace("_", " ")


def flags_of(name: str, option: Option) -> Mapping[str, int | None]:
    """The flags of a game's option with the value that each stands for; None where a number follows.

    An option that is on or off has two, `--empty-capture` and `--no-empty-capture`; its short flag is for
    the value that is not the default.
    """
    long = f"--{name.replace('_', '-')}"
    off = f"--{(option.off or f'no_{name}').replace('_', '-')}"
    short = [option.flag] if option.flag else []
    both = {long: 1, off: 0, **dict.fromkeys(short, 1 - option.default)}
    return both if is_switch(option) else dict.fromkeys([long, *short])


def _game_flags(game: Game, context: typer.Context) -> Iterator[tuple[str, str, str, int | None]]:
    """Each option among the words: its name, the flag, the text after it, and the value that the flag stands for."""
    known = {flag: (name, value) for name, o in game.options.items() for flag, value in flags_of(name, o).items()}
    words = list(context.args)
    names = set[str]()
    while words:
        flag, text = _split(words.pop(0))
        if flag not in known:
            own = [flag for parameter in context.command.params for flag in parameter.opts if flag.startswith("--")]
            how = f": name an opponent by --against {shown(flag)}" if "--against" in own else ""
            demand(flag.startswith("-"), f"did not expect '{shown(flag)}' after the game{how}")
            close = nearest(flag, [*known, *own])
            others = f"{unknown('option', flag, known, game.name)}; all others: {context.command_path} --help"
            raise UsageError(unknown("option", flag, [close], game.name) if close else others)
        name, value = known[flag]
        demand(name not in names, f"{flag}: it is there twice")
        names.add(name)
        demand(value is None or text is None, f"{flag}: it takes no value, not '{text}'")
        if value is None and text is None:
            text = words.pop(0) if words else ""
        yield name, flag, text or "", value


def _split(word: str) -> tuple[str, str | None]:
    """A flag and the value that is joined to it: `--size=9`, `-s9`."""
    if word.startswith("--") or not word.startswith("-"):
        flag, equals, text = word.partition("=")
        return flag, text if equals else None
    return word[:2], word[2:].removeprefix("=") or None


# Completion.


def complete_game(begun: str) -> list[str]:
    """The games whose names begin like this."""
    return [name for name in game_names() if name.startswith(begun)]


def complete_player(context: typer.Context, begun: str) -> list[str]:
    """The players whose names begin like this, of the game that the command names: its own, files, players of a file.

    Of a list with commas, the last one is completed.
    """
    from rulebots.packages.players import KINDS, player_names, shipped_files
    from rulebots.packages.population import load_population

    before, comma, last = begun.rpartition(",")
    path, mark, _ = last.rpartition("#")
    try:
        game = load_game(_completed_game(context))
        if mark:
            names = [f"{path}#{name}" for name in load_population(shipped_files(game).get(path, path)).players]
        else:
            files = [name for ending in _ENDINGS for name in sorted(glob.glob(f"{glob.escape(last)}*{ending}"))]  # noqa: PTH207 - as it was typed
            # A game may stand before its players.
            first = [] if context.params.get("game") or context.args else game_names()
            names = [*first, *player_names(game), *package_of(game).searches, *KINDS, *files]
    except UsageError:
        return []
    return [before + comma + name for name in names if name.startswith(last)]


def complete_rules(context: typer.Context, begun: str) -> list[str]:
    """The rule sets of the game that the command names, whose names begin like this."""
    try:
        return [name for name in rule_sets_of(load_game(_completed_game(context))) if name.startswith(begun)]
    except UsageError:
        return []


def _completed_game(context: typer.Context) -> str:
    game: Any = context.params.get("game")
    arguments = [one.name for one in context.command.params if one.param_type_name == "argument"]
    if not game and arguments[:1] == ["game"]:  # where the value of an option is not typed yet, arguments wait
        game = context.args[:1]
    return (game[-1] if isinstance(game, list | tuple) and game else game) or DEFAULT_GAME
