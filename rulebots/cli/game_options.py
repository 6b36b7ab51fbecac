"""The options of a game as flags of a command: `--size 9`, `--last-loses`, and short ones such as `-s 9`.

Which flags there are depends on the game, so a command that takes them lets words through that it does
not know (`TAKES_GAME_OPTIONS`) and asks here what they mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from rulebots.errors import nearest, unknown

if TYPE_CHECKING:
    from rulebots.game import Game, Option

#: `context_settings` of a command whose flags may be a game's options.
TAKES_GAME_OPTIONS: Mapping[str, Any] = {"allow_extra_args": True, "ignore_unknown_options": True}


def chosen_options(game: Game, context: typer.Context) -> dict[str, int]:
    """The options among the words that a command did not know itself; the game checks their values.

    Raises:
        BadParameter: a word that is no flag of the game, a flag twice, or anything but a whole number after it.
    """
    found = {}
    for name, flag, text, value in _flags(game, context):
        if value is None and not re.fullmatch(r"[-+]?[0-9]{1,9}", text):
            raise typer.BadParameter(f"expected a whole number, not '{text}'", param_hint=f"'{flag}'")
        found[name] = int(text) if value is None else value
    return found


def chosen_ranges(game: Game, context: typer.Context) -> dict[str, range]:
    """The same for a command that takes `--pits 1-4` as well; a single number is a range of one.

    Raises:
        BadParameter: as `chosen_options` does.
    """
    found = {}
    for name, flag, text, value in _flags(game, context):
        ends = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", text if value is None else str(value))
        if ends is None or int(ends[2] or ends[1]) < int(ends[1]):
            what = f"expected a whole number, or a range such as 1-4, not '{text}'"
            raise typer.BadParameter(what, param_hint=f"'{flag}'")
        found[name] = range(int(ends[1]), int(ends[2] or ends[1]) + 1)
    return found


def game_before_flags(name: str) -> str:
    """The name of a game, where a command takes its options. Raises BadParameter for a flag in its place."""
    if name.startswith("-"):
        raise typer.BadParameter(f"expected the game first, and its options after it, not '{name}'")
    return name


def is_switch(option: Option) -> bool:
    """Whether an option can only be on or off."""
    return (option.low, option.high) == (0, 1)


def flags_of(name: str, option: Option) -> Mapping[str, int | None]:
    """An option's flags with the value that each stands for; None where a number follows.

    An option that is on or off has two, `--empty-capture` and `--no-empty-capture`; its short flag is for
    the value that is not the default.
    """
    long = f"--{name.replace('_', '-')}"
    if not is_switch(option):
        return dict.fromkeys([long, *([option.flag] if option.flag else [])])
    off = f"--{(option.off or f'no_{name}').replace('_', '-')}"
    return {long: 1, off: 0} | ({option.flag: 1 - option.default} if option.flag else {})


def _flags(game: Game, context: typer.Context) -> Iterator[tuple[str, str, str, int | None]]:
    """Each option among the words: its name, the flag, the text after it, and the value that the flag stands for."""
    known = {flag: (name, value) for name, o in game.options.items() for flag, value in flags_of(name, o).items()}
    rest, taken = list(context.args), set[str]()
    while rest:
        word = rest.pop(0)
        flag, text = _split(word)
        if flag not in known:
            close = nearest(flag, [*known, *_own_flags(context)])
            raise typer.BadParameter(unknown("option", flag, [close] if close else known, game.name))
        name, value = known[flag]
        if name in taken:
            raise typer.BadParameter("it is there twice", param_hint=f"'{flag}'")
        taken.add(name)
        if value is not None and text is not None:
            raise typer.BadParameter(f"it takes no value, not '{text}'", param_hint=f"'{flag}'")
        if value is None and text is None:
            text = rest.pop(0) if rest else ""
        yield name, flag, text or "", value


def _split(word: str) -> tuple[str, str | None]:
    """A flag and the value that is joined to it: `--size=9`, `-s9`."""
    if word.startswith("--") or not word.startswith("-"):
        flag, equals, text = word.partition("=")
        return flag, text if equals else None
    return word[:2], word[2:].removeprefix("=") or None


def _own_flags(context: typer.Context) -> Sequence[str]:
    """The command's own flags: what a misspelt word may have meant as well."""
    parameters: Iterable[Any] = context.command.params
    return [flag for parameter in parameters for flag in parameter.opts if flag.startswith("--")]
