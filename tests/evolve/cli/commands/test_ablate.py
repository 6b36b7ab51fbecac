"""`evolve ablate`."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from evolve.analysis.ablation import (
    Loss,
    Measurement,
    used,
)
from evolve.cli import main as cli
from rulebots.kernel import compiling
from rulebots.packages.population import load_population


def evolve(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["evolve", *words])
    code = cli.main()
    printed = capsys.readouterr()
    return code, printed.out, printed.err


FILE = """# by hand
format: rulebots-population/1
game: lost-cities
rules: sheppard
players:
  mine:
    weights:
      play: {play_lowest_first: 1, maximum_score_end_game: 1}
"""


@pytest.mark.slow
def test_a_pruned_player_is_written_without_the_rules_that_are_gone(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(FILE)
    deals = "6" if compiling() else "2"
    words = ("ablate", "mine.yaml", "--deals", deals, "--opponents", "none", "--prune", "--jobs", "1")
    code, out, _ = evolve(capsys, monkeypatch, *words)
    assert code == 0
    assert "too few" in out
    assert "no rule is shown to be safe to delete; nothing was written. More --deals may show it" in out
    assert not Path("mine-pruned.yaml").exists()
    deals = "12"
    words = (*words[:3], deals, *words[4:], "--tolerance", "99%")
    code, out, err = evolve(capsys, monkeypatch, *words)
    assert (code, err) == (0, "")
    assert f"mine of Lost Cities without each of its rules: {deals} deals, seed 1" in out
    assert re.search(r"(?m)^play\.\w+ .* [+-][\d.]+ % +(too few|[+-][\d.]+ to [+-])", out), "the change, as on the page"
    assert "against itself, each counting alike; a loss of 99 % does not matter" in out
    assert "wrote mine-pruned.yaml" in out
    population = load_population("mine-pruned.yaml")
    entry = population.players["mine"]
    assert len(used(entry.weights)) < 2
    assert set(used(entry.weights)) | entry.unnamed == set(range(7))
    assert " without " in entry.note
    assert "evolve ablate mine.yaml --deals 12 --tolerance 99% --seed 1 --opponents none --prune" in population.comment


@pytest.mark.parametrize("rules", [0, 1])
def test_ctrl_c_shows_the_rules_that_were_measured(tmp_path: Path, capsys, monkeypatch, rules: int) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(FILE)
    loss, measured = Measurement.loss, []

    def interrupted(*arguments: Any) -> Loss:
        if len(measured) == rules:
            raise KeyboardInterrupt
        measured.append(loss(*arguments))
        return measured[-1]

    monkeypatch.setattr(Measurement, "loss", interrupted)
    words = ("ablate", "mine.yaml", "--deals", "2", "--opponents", "none", "--prune", "--jobs", "1", "--json")
    code, out, err = evolve(capsys, monkeypatch, *words)
    assert code == 130
    if not rules:
        assert (out, err) == ("", "evolve: interrupted in the first rule: there is nothing to show\n")
        return
    assert err.endswith("evolve: interrupted after 1 of 2 rules; not written: mine-pruned.yaml\n")
    assert len(json.loads(out)["rules"]) == 1
    assert json.loads(out)["interrupted"]


WRONG = {
    ("ablate", "mine.yaml", "--deals", "1"): (2, "expected a whole number from 2 to 1,000,000, not '1'"),
    ("ablate", "mine.yaml", "--out", "x.yaml"): (2, "only --prune writes a file"),
    ("ablate", "mine.yaml#you"): (2, "mine.yaml: no player 'you'; there are: mine"),
    ("ablate", "mine.yaml", "--tolerance", "100%"): (2, "--tolerance: expected less than 100%, not 100%"),
    ("ablate", "mine.yaml", "--tolerance", "1"): (2, "expected a share such as 0.5%, not '1'"),
    ("ablate", "none.yaml"): (1, "none.yaml: there is no such file"),
    ("ablate", "mine.yaml", "--opponents", "shely"): (2, "no player 'shely' of lost-cities; did you mean 'shelly'?"),
    ("ablate", "mine.yaml", "--prune", "--out", "mine.yaml"): (1, "'mine.yaml' exists already"),
    ("ablate", "empty.yaml"): (2, "'empty.yaml' weighs no rule: there is nothing to leave out"),
}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_mistake_ends_in_one_line(words, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(FILE)
    Path("empty.yaml").write_text(FILE.replace("play_lowest_first: 1, maximum_score_end_game: 1", ""))
    code, message = WRONG[words]
    found, out, err = evolve(capsys, monkeypatch, *words)
    assert (found, out) == (code, "")
    assert message in err
    assert err.count("\n") == 1
