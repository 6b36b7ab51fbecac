"""The options of `evolve tune` and `evolve gate`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from evolve.cli.options import Address, Backend, Quiet, time_option
from rulebots.cli import options as opt

MatchCommand = Annotated[
    str | None,
    opt.option(
        "A command that plays a match between {first} and {second} and prints its result, or FILE.py:NAME, a function.",
        "CMD",
        "--match",
    ),
]
TimeLimit = Annotated[
    float | None,
    opt.decimal(
        "The most seconds of a match, or of a move of a player.", 0.01, 1e6, default="600 for a match, 10 for a move"
    ),
]
Protocol = Annotated[str, opt.shared("--protocol", "That of the program: rulebots or piskvork.")]


@dataclass(frozen=True)
class Program:
    """What plays, and how parameters reach it."""

    command: Annotated[
        str | None,
        opt.argument(
            "[COMMAND]", "The program that is tuned, with {name} for its parameters, {params} for their file."
        ),
    ] = None
    match: MatchCommand = None
    clop: Annotated[
        str | None, opt.option("Instead: a connection script of CLOP, SCRIPT PROCESSOR SEED NAME VALUE ...", "CMD")
    ] = None
    param: Annotated[
        list[str] | None,
        opt.option(
            "A parameter, NAME=START:LOW..HIGH with :int or :log, or words with bars between; repeatable.",
            "TEXT",
            "--param",
        ),
    ] = None
    params: Annotated[
        Path | None, opt.file_read("A JSON, YAML or INI file whose numbers are tuned: those of --param, or all.")
    ] = None
    param_file: Annotated[Path | None, opt.file_read("A file of any format with {name} for parameters.")] = None
    environment: Annotated[
        bool, opt.switch("--environment", "Parameters reach the program as variables RULEBOTS_PARAM_NAME too.")
    ] = False
    game: Annotated[str | None, opt.shared("--game", "That of the program.", default=False)] = None
    option: opt.OptionTexts = None
    protocol: Protocol = "rulebots"
    time_limit: TimeLimit = None


@dataclass(frozen=True)
class TuneFlags:
    """How long, with what, and where the result goes."""

    games: Annotated[int | None, opt.shared("--games", "Of the search.", 2, 10**9, default="20000")] = None
    time: Annotated[float | None, time_option("Instead of --games, which then fit it.", default=False)] = None
    fresh: Annotated[
        int | None, opt.whole("Games at the end, the result against the start.", 2, value="N", default="a fifth")
    ] = None
    seed: Annotated[int, opt.shared("--seed", "Where the program repeats itself.")] = 1
    keep_dead: Annotated[bool, opt.switch("--keep-dead", "Go on where a parameter changes nothing.")] = False
    jobs: opt.Jobs = None
    backend: Backend = None
    address: Address = None
    run_dir: Annotated[
        Path | None, opt.option("A new folder for the run.", "DIR", default="runs/ and game, date and seed")
    ] = None
    out: Annotated[Path | None, opt.out_option("A new one.", default="FILE-tuned, or tuned.json")] = None
    quiet: Quiet = False
    as_json: opt.AsJson = False


@dataclass(frozen=True)
class GateFlags:
    """The versions, what plays, and the test."""

    base: Annotated[str, opt.option("The old version: what {second} stands for, a command or a file.", "TEXT")]
    head: Annotated[str, opt.option("The new version: what {first} stands for.", "TEXT")]
    match: MatchCommand = None
    game: Annotated[
        str | None, opt.shared("--game", "Instead of --match: the versions are its players.", default=False)
    ] = None
    option: opt.OptionTexts = None
    protocol: Protocol = "rulebots"
    sprt: Annotated[
        tuple[float, float],
        opt.option("Instead: test whether A is at least ELO1 stronger, or at most ELO0. A is the head.", "ELO0 ELO1"),
    ] = (0.0, 10.0)
    games: Annotated[int, opt.shared("--games", "At most.", 2, 10**9)] = 10_000
    seed: opt.Seed = 1
    time_limit: TimeLimit = None
    jobs: opt.Jobs = None
    as_json: opt.AsJson = False
