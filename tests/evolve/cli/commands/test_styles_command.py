"""`evolve styles`, and `rulebots play --style`."""

from __future__ import annotations

from pathlib import Path

import pytest
from evolve_command import evolve

from evolve.analysis.styles import StyleSearch
from rulebots.cli.commands.play import of_style
from rulebots.errors import UsageError
from rulebots.packages import load_game
from rulebots.packages.population import load_population

SMALL = ("styles", "tictactoe", "--by", "corners,length", "--cells", "3", "--against", "careful", "--games", "300")
SMALL = (*SMALL, "--deals", "10", "--jobs", "1")


@pytest.mark.slow
@pytest.mark.compiled
def test_a_player_for_each_cell_is_written_and_found_by_its_style(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = load_game("tictactoe")
    with pytest.raises(UsageError, match=r"tictactoe-styles.yaml: there is no such file"):
        of_style(game, "low-corners")
    code, out, err = evolve(capsys, monkeypatch, *SMALL, "--plot", "map.svg", "--option", "size=3")
    assert (code, err) == (0, "9 of 9 cells filled, 51,240 games\n")
    assert "Tic-tac-toe: the strongest player of each style, against careful" in out
    assert "wrote tictactoe-styles.yaml; play one: rulebots play tictactoe --against tictactoe-styles.yaml#" in out
    assert Path("map.svg").exists()
    population = load_population("tictactoe-styles.yaml")
    assert population.bred["by"] == ["corners", "length"]
    assert population.options == {"size": 3}
    first, *_ = names = list(population.players)
    assert population.players[first].note.endswith("against careful")
    word = first.split("-")[0]
    assert of_style(game, f"{word}-corners") == f"tictactoe-styles.yaml#{first}"
    with pytest.raises(UsageError, match=f"no style 'sly' in tictactoe-styles.yaml; there are: {names[0]}"):
        of_style(game, "sly")


def test_ctrl_c_before_the_first_players_saves_nothing(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(StyleSearch, "_begin", interrupted)
    code, _, err = evolve(capsys, monkeypatch, *SMALL)
    assert code == 130
    assert "interrupted before the first players were measured: nothing was saved" in err
    assert not list(tmp_path.iterdir())


WRONG = {
    ("styles", "tictactoe", "--seconds", "1", "--games", "1"): (
        2,
        "--seconds and --games each say when",
    ),
    ("styles", "tictactoe", "--by", "corner,length"): (2, "no statistic 'corner' of tictactoe"),
    ("styles", "tictactoe", "--cells", "1"): (2, "expected a whole number from 2 to 50, not '1'"),
    ("styles", "tictactoe", "--plot", "map.pdf"): (2, "expected the name of a picture"),
    ("styles", "tictactoe", "--from", "none.yaml"): (1, "none.yaml: there is no such file"),
    ("styles", "tictactoe", "--rules", "standart"): (2, "did you mean 'standard'?"),
    ("styles", "tictactoe", "--out", "taken.yaml"): (1, "'taken.yaml' exists already"),
}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_mistake_ends_in_one_line(words, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken.yaml").write_text("")
    code, message = WRONG[words]
    found, out, err = evolve(capsys, monkeypatch, *words)
    assert (found, out) == (code, "")
    assert message in err
    assert err.count("\n") == 1
