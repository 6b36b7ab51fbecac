"""What the commands say at the end is for the same table: pasted, it plays there."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from evolve.cli import main as evolve_cli
from evolve.cli.progress import flattery
from evolve.evaluation.final import Measured, Standing, Verdict
from rulebots.cli import main as rulebots_cli
from rulebots.errors import UsageError
from rulebots.packages import load_game
from rulebots.packages.population import Entry, Population, population_text
from rulebots.packages.rule_sets import load_rules

PACKAGE = """from goofspiel import game, simple
from rulebots.packages import GamePackage
from rulebots.players import RulePlayer

package = GamePackage(
    __name__,
    game=game,
    rule_sets=(simple,),
    players={"hand": lambda: RulePlayer(simple, simple.hand_tuned(), "hand")},
    references=("hand",),
)
"""
SMALL = ("--option", "seats=3", "--option", "cards=3", "--jobs", "1")
RUN = """format: rulebots-run/1
generations: 1
strategy: ga
population: 4
deals: 1
opponent_deals: 2
runoff_deals: 2
held_out_deals: 4
verdict_deals: 4
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a game for two to five, beside the file of a run."""
    folder = tmp_path_factory.mktemp("games") / "bids_of_a_command"
    folder.mkdir()
    (folder / "__init__.py").write_text(PACKAGE)
    (folder / "game.py").touch()
    (folder.parent / "run.yaml").write_text(RUN)
    return str(folder)


def a_run(place: str) -> tuple[str, ...]:
    """The command of a run of the game there, at its own table."""
    return ("evolve", "run", "--config", str(Path(place).parent / "run.yaml"), "--game", place, *SMALL)


def said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """What a command prints that ends well."""
    monkeypatch.setattr(sys, "argv", list(words))
    code = {"evolve": evolve_cli, "rulebots": rulebots_cli}[words[0]].main()
    printed = capsys.readouterr()
    assert code == 0, printed.err
    return printed.out


@pytest.mark.slow
def test_the_command_that_plays_the_champion_sits_it_at_its_table(place: str, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    out = said(capsys, monkeypatch, *a_run(place), "--out", "bred.yaml")
    assert "score (even: 33.3 %) alone among copies of the same opponents: " in out
    command = out.splitlines()[-2].removeprefix("wrote bred.yaml; measure it: ")
    assert command == f"rulebots match bred.yaml hand --game {place} --option cards=3 --option seats=3"
    assert "even is 33.3 %" in said(capsys, monkeypatch, *shlex.split(command), "--deals", "2")
    words = ("evolve", "ablate", "bred.yaml", "--game", place, "--deals", "12", "--tolerance", "99%", "--prune", *SMALL)
    out = said(capsys, monkeypatch, *words, "--out", "less.yaml")
    command = out.splitlines()[-2].removeprefix("wrote less.yaml; measure it: ")
    assert command == f"rulebots match less.yaml hand --game {place} --option cards=3 --option seats=3"
    assert "--option cards=3 --option seats=3 --prune" in Path("less.yaml").read_text()


@pytest.mark.slow
def test_without_opponents_a_table_of_others_is_no_table_of_copies(place: str, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = (*a_run(place), "--opponents", "none", "--hall-of-fame", "0")
    out = said(capsys, monkeypatch, *words, "--out", "bred.yaml")
    assert " on held-out deals" in out
    assert "gap" not in out
    assert "gap" not in Path("bred.yaml").read_text()


@pytest.mark.parametrize(("words", "works"), [
    (("exploit", "mine.yaml"), "exploitation.Exploitation"),
    (("ablate", "mine.yaml"), "ablation.measurements"),
    (("styles", "tictactoe", "--against", "mine.yaml"), "styles.StyleSearch"),
    (("styles", "tictactoe", "--from", "mine.yaml"), "styles.StyleSearch"),
    (("report", "tictactoe", "--players", "random,mine.yaml"), "report.plan_of"),
])  # fmt: skip
@pytest.mark.parametrize("size", [4, 5])
def test_what_is_not_chosen_is_as_the_file_was_bred(
    words: tuple[str, ...], works: str, size: int, tmp_path: Path, capsys, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rules = load_rules(game=load_game("tictactoe"))
    bred = {"options": {"size": 4, "win": 3}}
    Path("mine.yaml").write_text(
        population_text(Population(rules.game, rules, {"hand": Entry(rules.hand_tuned())}, bred))
    )
    seen = list[object]()

    def asked(*arguments: object, **terms: object) -> None:
        seen.append(terms.get("options", arguments[1]))
        raise UsageError("enough")

    monkeypatch.setattr(f"evolve.analysis.{works}", asked)
    chosen = () if size == 4 else ("--option", "size=5")
    monkeypatch.setattr(sys, "argv", ["evolve", *words, *chosen])
    assert evolve_cli.main() == 2
    assert seen == [{"size": [size], "win": [3]} if "report" in works else {"size": size, "win": 3}]
    taken = "--option size=4, --option win=3" if size == 4 else "--option win=3"
    assert f"as mine.yaml was bred: {taken}\n" in capsys.readouterr().out


def test_the_gap_is_said_beside_the_share_of_equals() -> None:
    verdict = Verdict("champion", "better", 8, 0.6, 4)
    at_two = Measured({}, 0.55, 0.5, 0.5, alone=False, verdict=verdict)
    at_four = replace(at_two, even=0.25, alone=True)
    said = "win rate against the same opponents: 55.0 % in training, 50.0 % on held-out deals, "
    said += "a gap of 5.0 percentage points"
    lucky = ": the best of many in few games is often lucky"
    assert flattery(at_two) == said + lucky
    assert flattery(replace(at_two, training=0.45)).endswith("a gap of -5.0 percentage points")
    around = said.replace("50.0 %", "50.0 % (42.0 to 58.0)")
    assert flattery(replace(at_two, fresh_95=(0.42, 0.58))) == around, "which may be chance"
    in_points = replace(at_two, standing=Standing((), 1.0, None, in_points=True))
    assert flattery(in_points) == said.replace("win rate against", "deals with more points than") + lucky
    alone = "score (even: 25.0 %) alone among copies of"
    assert flattery(at_four) == said.replace("win rate against", alone) + lucky
    assert (
        flattery(replace(at_four, training=None)) == f"{alone} the last generation's players: 50.0 % on held-out deals"
    )
