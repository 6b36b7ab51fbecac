"""Completion, asked for as a shell asks: by variables of the environment, for a command line that is half typed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from checkout import POPULATIONS

from rulebots.cli import commands
from rulebots.cli.app import load_commands, run_app

load_commands(commands)


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """What bash is offered for the last word of a line; of `rulebots`, in a folder with two population files."""
    monkeypatch.chdir(tmp_path)
    text = (POPULATIONS / "lost_cities" / "champion.yaml").read_text()
    for file in ("mine.yaml", "runs/best.yaml"):
        Path(file).parent.mkdir(exist_ok=True)
        Path(file).write_text(text)
    Path("broken.yaml").write_text("nonsense: [")

    def ask(line: str) -> list[str]:
        monkeypatch.setenv("_RULEBOTS_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line.replace(" ", "\n"))
        monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))
        with pytest.raises(SystemExit, match="0"):
            run_app(commands.app, "rulebots", [])
        printed = capsys.readouterr()
        assert printed.err == ""
        return printed.out.split()

    return ask


def test_commands_and_flags_are_completed(offered) -> None:
    assert offered("rulebots tour") == ["tournament"]
    assert offered("rulebots match --op") == ["--option", "--opening-plies"]


def test_games_are_completed_as_arguments_and_options(offered) -> None:
    assert offered("rulebots players ka") == ["kalah"]
    assert offered("rulebots match --game ka") == ["kalah"]
    assert offered("rulebots match ka") == offered("rulebots why ka") == ["kalah"]
    assert offered("rulebots why kalah champ") == ["champion"]
    assert offered("rulebots play ha") == ["hanabi"]


def test_players_are_those_of_the_game_that_the_line_names(offered) -> None:
    assert offered("rulebots match shel") == ["shelly", "shelly_mended"]
    assert offered("rulebots match --game kalah deep") == offered("rulebots play kalah --against deep") != []
    assert offered("rulebots tournament shelly dumb champ") == ["champion"]
    assert offered("rulebots match shelly mct") == ["mcts"]
    assert offered("rulebots match --game nowhere shel") == []


def test_files_of_players_and_the_players_in_them_are_completed(offered) -> None:
    assert offered("rulebots match mi") == ["minimax", "mine.yaml"]
    assert offered("rulebots match runs/") == ["runs/best.yaml"]
    assert "mine.yaml#finalist_2" in offered("rulebots match mine.yaml#")
    assert offered("rulebots match mine.yaml#finalist_2") == ["mine.yaml#finalist_2"]
    assert "champion#finalist_2" in offered("rulebots why champion#")
    assert offered("rulebots match broken.yaml#") == []


def test_rule_sets_are_completed(offered) -> None:
    assert offered("rulebots rules kalah --rules st") == ["standard"]
    assert offered("rulebots check lost-cities --rules shel") == ["shelly", "shelly_mended"]


def test_other_files_are_left_to_the_shell(offered) -> None:
    """A shell completes the names of files where nothing is offered: bash by `-o default`, zsh by `_files`."""
    assert offered("rulebots replay mi") == []
    assert offered("rulebots match --record mi") == []


@pytest.mark.slow
def test_evolve_completes_lists_in_a_process_of_its_own(tmp_path: Path) -> None:
    code = "from evolve.cli.main import main; raise SystemExit(main())"
    line = "evolve run --game lost-cities --partners shelly,ri"
    environment = {
        "_EVOLVE_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": line, "NUMBA_DISABLE_JIT": "1", "PATH": "",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert '"shelly,risk"' in done.stdout
