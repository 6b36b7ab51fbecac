"""`rulebots export`."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rulebots.cli import options as opt
from rulebots.cli.commands import app
from rulebots.cli.console import say
from rulebots.cli.lookup import bring, game_of, options_of, players_of
from rulebots.errors import check_known, demand
from rulebots.files import is_standard, new_folder, write_new

if TYPE_CHECKING:
    from rulebots.players import Player

LANGUAGES = ("python", "js", "c", "web")
_ENDINGS = (".yaml", ".yml")


def language(text: str) -> str:
    """A text as a language. Raises UsageError for another one."""
    check_known("language", text, LANGUAGES, "rulebots export")
    return text


@dataclass(frozen=True)
class ExportFlags:
    """The players, the language, and the file."""

    to: Annotated[
        str, opt.option("The language: python, js or c; or web, a page that plays.", "LANGUAGE", read=language)
    ]
    out: Annotated[
        Path, opt.out_option("For js, its types stand beside it in FILE.d.ts; for web it is a folder.", default=False)
    ]
    players: Annotated[
        list[str] | None, opt.argument("[PLAYERS...]", "Players made of rules: names, path.yaml or path.yaml#player.")
    ] = None
    game: opt.PlayedGame = None
    levels: Annotated[bool, opt.switch("--levels", "The players of the game's levels as well, by level.")] = False
    player_only: Annotated[
        bool, opt.switch("--player-only", "Without the law, for an app that has its own and fills the view.")
    ] = False
    search: Annotated[
        bool, opt.switch("--search", "With a search: rollouts, in which players play games to their ends.")
    ] = False
    imports: opt.Imports = None
    option: opt.OptionTexts = None


@app.with_examples(
    "rulebots export champion --game kalah --to js --out kalah.js",
    "rulebots export champion standard --levels --game hearts --to python --out hearts.py",
    "rulebots export champion.yaml --to c --out player.h --player-only",
    "rulebots export --levels --game kalah --to web --out kalah",
    group="Your own game",
)
def export(flags: ExportFlags) -> None:
    """Write players and their game in another language.

    The one file needs nothing else: a module of Python 3.9, an ES module for browsers and Node, or a header of C99. It
    makes the same moves for the same reasons, and the same seed gives the same games. The options of the game are fixed
    in it. A page is a folder that a browser opens without a server.
    """
    from rulebots.export.contents import contents_of
    from rulebots.export.files import files_of, levels_of, why_not
    from rulebots.players.compiled import decides_by_rules

    specs = flags.players or []
    demand(specs or flags.levels, "expected a player, such as champion, or --levels")
    bring(flags.game, flags.imports)
    for spec in specs:
        why = why_not(spec, game_of(flags.game, specs))
        demand(not why, f"cannot export '{spec}': {why}")
    game, made, options = players_of(specs, flags.game, flags.imports, options_of(flags.option))
    players: dict[str, Player] = {_short(spec): player for spec, player in zip(specs, made, strict=True)}
    demand(len(players) == len(specs), f"expected players of different names, not {', '.join(specs)}")
    ruled = all(decides_by_rules(getattr(player, "player", player)) for player in made)  # a careless one has another
    demand(ruled or not flags.search, "a search needs players made of rules: leave out --search, or the others")
    levels: dict[str, Player] = {}
    if flags.levels:
        levels, refused = levels_of(game_of(flags.game, specs), game.seats_with(options))
        players = {**levels, **players}
        for level, why in refused.items():
            say(f"without the level {level}: {why}")
    contents = contents_of(
        game, players, options, levels=tuple(levels), law_too=not flags.player_only, search=flags.search
    )
    files = files_of(contents, flags.to, flags.out, say)
    if flags.to == "web":
        new_folder(flags.out)
    for path, text in files.items():
        if path == flags.out or not is_standard(flags.out):
            write_new(path, text)
    if not is_standard(flags.out):
        say(f"wrote {flags.out}: {', '.join(players)} of {game.name}")


# The name of a player in the file: of path.yaml#player the player, of path.yaml the file's.
def _short(spec: str) -> str:
    path, _, player = spec.partition("#")
    return player or (Path(path).stem if path.endswith(_ENDINGS) else spec)
