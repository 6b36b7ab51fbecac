"""The numbers of a program, by its games: `evolve tune`, and `evolve gate` for continuous integration."""

from evolve.cli.commands import app
from evolve.cli.tuning_options import GateFlags, Program, TuneFlags


@app.with_examples(
    "evolve tune 'python3 bot.py --again {again} --depth {depth}' --game kalah --param again=1.0:-5..5 "
    "--param depth=3:1..8:int",
    "evolve tune --match './play.sh {first} {second} {seed}' --param king=40 --param tempo=12:0..50:int",
    "evolve tune --match arena.py:play --params weights.json --jobs 8",
    "evolve tune --clop './script.py arguments' --param speed=0.5:0..2",
    group="Breed",
)
def tune(program: Program, flags: TuneFlags) -> None:
    """Tune the numbers of a program by its games.

    First it is tried: does the same seed give the same games, and does each parameter change any? Then all parameters
    are varied together, in pairs of mirrored games. At the end fresh games say whether the result beats the start.

    Ctrl-C ends it early: `evolve resume` goes on from the last pair of games.
    """
    from evolve.cli.tuning import begin

    begin(program, flags)


@app.with_examples(
    "evolve gate --match './play.sh {first} {second} {seed}' --base ./bot-main --head ./bot",
    "evolve gate --game kalah --base 'python3 old.py' --head 'python3 new.py' --sprt -10 0",
    group="Measure",
)
def gate(flags: GateFlags) -> None:
    """Test a new version of a program against the old one, for CI.

    Pairs of games with swapped seats are played until a sequential test has a verdict: exit code 0 if the head is
    stronger by ELO1, 1 if it is not, or if --games are not enough. A program that fails is exit code 1, too.
    """
    from evolve.cli.tuning import gate_versions

    gate_versions(flags)
