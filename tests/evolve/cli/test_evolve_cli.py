"""`evolve`, as its user meets it: a short run in a real process, Ctrl-C, and every way to ask wrongly."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_output import without_compiling

from evolve import Run, Settings
from evolve.cli import main as cli
from rulebots.packages.population import find_player, load_population

SMALL = ("--population", "12", "--deals", "1")


HEADER = "# evolve run --game lost-cities --generations 2 --seed 3 --population 12"


real_runs = pytest.mark.compiled


def evolve(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("evolve")), *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=120)
    done.stderr = without_compiling(done.stderr)
    return done


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("evolve")


@pytest.fixture(scope="module")
def bred(folder: Path) -> subprocess.CompletedProcess[str]:
    """One run, with one thread: what it printed. Its file is `lost_cities-seed3.yaml` in the folder."""
    return evolve("run", "--generations", "2", *SMALL, "--seed", "3", "--jobs", "1", cwd=folder)


@real_runs
def test_a_run_reports_its_progress_its_strength_and_its_file_in_plain_text(bred, folder):
    assert (bred.returncode, bred.stderr) == (0, "")
    assert "\x1b" not in bred.stdout
    lines = bred.stdout.splitlines()
    progress = [line for line in lines if line.startswith("generation ") and " of 2: best " in line]
    assert [line.split(":")[0] for line in progress] == ["generation 1 of 2", "generation 2 of 2"]
    assert all("against shelly" in line and "games a second" in line for line in progress)
    references = ["shelly", "sheppard", "risk", "dumb", "discard", "random"]
    table = next(place for place, line in enumerate(lines) if line.startswith("the champion on "))
    rows = [line.split("  ")[0].strip() for line in lines[table + 2 : table + 11]]
    assert rows == [*references, "hand-tuned", "shipped champion", "generation 1"]
    field = r"over the field of shelly, hand-tuned, shipped champion, generation 1: [\d.]+ % \([\d.]+ to [\d.]+\)"
    assert re.fullmatch(field, lines[table + 11])
    rest = [line for line in lines[table + 12 :] if not line.startswith("WARNING: ")]
    assert re.fullmatch(r"Elo against shelly: [+-]\d+, 95 %: [+-]\d+ to [+-]\d+", rest[0])
    rates = r"[\d.]+ % in training, [\d.]+ % \([\d.]+ to [\d.]+\) on held-out deals, a gap of "
    assert re.match(f"win rate against the same opponents: {rates}", rest[1])
    verdict = r"the champion is ((worse|(no |not shown to be )?better) than|about even with) the shipped champion \("
    assert any(re.match(verdict, line) for line in lines[:table])
    idle = (
        r"\d+ of \d+ rules changed no move in \d+ games: .*; to see which can go: evolve ablate lost_cities-seed3.yaml"
    )
    assert all(re.fullmatch(idle, line) for line in rest[2:-2])
    file = "lost_cities-seed3.yaml"
    assert lines[-2:] == [
        f"wrote {file}; measure it: rulebots match {file} shelly",
        f"play against it: rulebots play lost-cities --against {file}",
    ]
    assert (folder / file).is_file()


@real_runs
def test_the_file_says_what_bred_it_and_how_strong_the_champion_is(bred, folder):
    text = (folder / "lost_cities-seed3.yaml").read_text()
    assert text.splitlines()[0] == HEADER
    population = load_population(folder / "lost_cities-seed3.yaml")
    assert population.bred is not None
    usual = Settings.of()
    matches = 12 * 11 + 12 * usual.opponent_deals * 2
    assert [population.bred[key] for key in ("generations", "seed")] == [2, 3]
    # Each lesson is a game, and at least two moves of it are played out.
    assert population.bred["games"] > 2 * (matches + usual.lessons * (1 + 2 * usual.rollouts))
    name, champion = find_player(population)
    assert name == "champion"
    assert champion.rating is not None
    strength = ["elo", "plus_minus", "against", "training", "held_out", "gap", "field", "former", "verdict"]
    strength += ["start", "start_verdict"]
    assert list(champion.rating) == strength
    assert champion.rating["gap"] == pytest.approx(champion.rating["training"] - champion.rating["held_out"], abs=2e-4)
    assert champion.rating["verdict"] in ("better", "not better", "worse", "undecided")
    assert list(population.players)[1:3] == ["finalist_2", "finalist_3"]


@real_runs
def test_the_command_in_the_header_breeds_the_same_file_with_two_threads(bred, folder):
    command = shlex.split(HEADER.removeprefix("# evolve "))
    again = evolve(*command, "--jobs", "2", "--quiet", cwd=folder)
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout == "lost_cities-seed3-2.yaml\n"
    assert (folder / "lost_cities-seed3-2.yaml").read_bytes() == (folder / "lost_cities-seed3.yaml").read_bytes()


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [str(Path(sys.executable).with_name("evolve")), "run", *SMALL, "--generations", "100000", *arguments]
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell that runs the tests in the background lets its children ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads here
    )
    watchdog = threading.Timer(60, process.kill)
    watchdog.daemon = True
    watchdog.start()
    return process


def read_until(lines: Iterator[str], beginning: str) -> str:
    return next(line for line in lines if line.startswith(beginning))


@real_runs
def test_ctrl_c_saves_what_a_run_of_that_many_generations_would_have_bred(folder):
    process = start(folder, "--out", "stopped.yaml", "--run-dir", "runs/stopped")
    read_until(process.stdout, "generation 1 of 100000")
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate()
    population = load_population(folder / "stopped.yaml")
    done = population.bred["generations"]
    assert process.returncode == 130
    assert without_compiling(stderr) == (
        f"evolve: interrupted after generation {done}; what was bred so far is in stopped.yaml; "
        "continue with: evolve resume runs/stopped\n"
    )
    assert stdout.splitlines()[-2].startswith("wrote stopped.yaml; ")
    assert stdout.splitlines()[-1] == "play against it: rulebots play lost-cities --against stopped.yaml"
    header = (folder / "stopped.yaml").read_text().splitlines()[0]
    assert f"--generations {done} " in header
    evolve(*shlex.split(header)[2:], "--out", "whole.yaml", cwd=folder)
    assert (folder / "whole.yaml").read_bytes() == (folder / "stopped.yaml").read_bytes()


def test_ctrl_c_in_the_first_generation_says_that_it_is_lost(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def interrupted(run: Run) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Run, "_breed", interrupted)
    monkeypatch.setattr("sys.argv", ["evolve", "run", "tictactoe", "--population", "4", "--run-dir", "runs/lost"])
    assert cli.main() == 130
    lost = "evolve: interrupted in the first generation, which is lost; begin it again with: evolve resume runs/lost\n"
    assert without_compiling(capsys.readouterr().err) == lost
    assert not [*tmp_path.glob("*.yaml")]


@real_runs
def test_a_second_ctrl_c_or_sigterm_leaves_out_the_run_off_and_saves_all_the_same(folder):
    process = start(folder, "--out", "hasty.yaml", "--run-dir", "runs/hasty")
    read_until(process.stdout, "generation 1 of 100000")
    process.send_signal(signal.SIGINT)
    read_until(process.stdout, "interrupted after generation")
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate()
    assert process.returncode == 130
    assert stderr.endswith("; what was bred so far is in hasty.yaml; continue with: evolve resume runs/hasty\n")
    assert without_compiling(stderr).count("\n") == 1
    assert "The run-off was left out" in (folder / "hasty.yaml").read_text().splitlines()[1]
    _, champion = find_player(load_population(folder / "hasty.yaml"))
    assert champion.rating is None


@real_runs
def test_show_lists_the_rules_of_the_player_that_was_asked_for(bred, folder):
    shown = evolve("show", "lost_cities-seed3.yaml#finalist_2", cwd=folder)
    assert shown.returncode == 0
    title, headings, *lines = shown.stdout.splitlines()
    assert title == "finalist_2, of Lost Cities with the rules 'standard'"
    assert headings.split() == ["group", "rule", "early", "late", "meaning"]
    rules = load_population(folder / "lost_cities-seed3.yaml").rules.rules
    assert [line.split()[1] for line in lines[: len(rules)]] == [rule.name for rule in rules]
    assert [line.endswith(rule.meaning) for line, rule in zip(lines, rules, strict=False)] == [True] * len(rules)


@real_runs
def test_show_json_is_the_player_as_the_file_has_it(bred, folder):
    shown = evolve("show", "lost_cities-seed3.yaml", "--json", cwd=folder)
    data = json.loads(shown.stdout)
    population = load_population(folder / "lost_cities-seed3.yaml")
    _, champion = find_player(population)
    assert (data["player"], data["game"], data["rules"]) == ("champion", "lost-cities", "standard")
    assert (data["rating"], data["bred"]) == (champion.rating, population.bred)
    assert population.rules.weights(data["weights"]).tolist() == champion.weights.tolist()


@real_runs
def test_check_lists_every_problem_and_fails_for_one_bad_file_among_good_ones(bred, folder):
    (folder / "bad.yaml").write_text(
        "format: rulebots-population/1\ngame: lost-cities\nrules: shelly\nplayers:\n  a:\n    weights:\n"
        "      play:\n        in_sequense: 1\n        low_card: [1, 2, 3]\n"
    )
    checked = evolve("check", "lost_cities-seed3.yaml", "bad.yaml", cwd=folder)
    assert (checked.returncode, checked.stderr) == (1, "")
    good, first, second = checked.stdout.splitlines()
    count = len(load_population(folder / "lost_cities-seed3.yaml").players)
    assert good == f"lost_cities-seed3.yaml: ok, {count} players of lost-cities, rule set standard"
    assert first.startswith("bad.yaml:8:9: no rule 'in_sequense'")
    assert first.endswith("did you mean 'in_sequence'?")
    assert second.startswith("bad.yaml:9:19: expected one number or [early, late]")


def test_check_says_that_code_is_no_population_file(tmp_path: Path) -> None:
    (tmp_path / "sower.py").write_text("mine: list[int] = []\n")
    checked = evolve("check", "sower.py", cwd=tmp_path)
    assert checked.returncode == 1
    assert checked.stdout == "sower.py: that is Python: expected a population file, as `evolve run` writes it\n"


@real_runs
def test_help_and_check_do_without_what_plays_games(bred, folder):
    program = (
        "import sys; from evolve.cli import commands; from rulebots.cli.app import load_commands, run_app\n"
        "load_commands(commands)\n"
        "run_app(commands.app, 'evolve', ['run', '--help'])\n"
        "run_app(commands.app, 'evolve', ['check', 'lost_cities-seed3.yaml'])\n"
        "sys.exit(' '.join({'numba', 'scipy', 'deap', 'joblib', 'rich'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert found.stderr.strip() == ""
    assert "Examples:" in found.stdout


BAD = {
    ("run", "--generations", "0"): (2, "--generations: expected a whole number from 1 to 1,000,000, not '0'"),
    ("run", "--population", "1"): (2, "--population: expected a whole number from 2 to 20,000, not '1'"),
    ("run", "--population", "many"): (2, "--population: expected a whole number from 2 to 20,000, not 'many'"),
    ("run", "--deals", "0"): (2, "--deals: expected a whole number from 1 to 100,000, not '0'"),
    ("run", "--jobs", "0"): (2, "--jobs: expected a whole number from 1 to 1,024, not '0'"),
    ("run", "--seed", "-1"): (2, "expected a whole number from 0 to 4,294,967,295, not '-1'"),
    ("run", "--game", "lost-citys"): (2, "no game 'lost-citys'; did you mean 'lost-cities'?"),
    ("run", "--rules", "shely"): (2, "no rule set 'shely' of lost-cities; did you mean 'shelly'?"),
    ("run", "--strategy", "luck"): (2, "no strategy 'luck'; there are: cma-es, ga, memetic, sheppard, spsa"),
    ("run", "--strategy", "sheppard", "--population", "20"): (2, "always breeds 14 players, not 20"),
    ("run", "--opponents", "shelly,nobody"): (2, "no player 'nobody' of lost-cities"),
    ("run", "--option", "suits=7"): (2, "option 'suits' of lost-cities takes a whole number from 5 to 6, not 7"),
    ("run", "--option", "colours=5"): (2, "no option 'colours' of lost-cities; there are: suits"),
    ("run", "--option", "suits"): (2, "--option: expected NAME=VALUE with a whole number, such as suits=6"),
    ("run", "--from", "none.yaml"): (1, "none.yaml: there is no such file"),
    ("run", "--from", "SHIPPED#nix"): (2, ": no player 'nix'"),
    ("run", "--from", "SHIPPED", "--rules", "standard"): (2, "expected players of lost-cities with the rule set"),
    ("run", "--out", "SHIPPED"): (1, "exists already, and no file is overwritten: choose another name"),
    ("run", "--out", "no/such/folder.yaml"): (1, "cannot write 'no/such/folder.yaml': there is no folder 'no/such'"),
    ("run", "--out", "/proc/champion.yaml"): (1, "cannot write '/proc/champion.yaml'"),
    ("run", "--schedule", "swis"): (2, "no schedule 'swis'; did you mean 'swiss'?"),
    ("run", "--schedule", "gauntlet", "--opponents", "none"): (2, "schedule: 'gauntlet' needs opponents"),
    ("run", "--strategy", "ga:winers=0.5"): (2, "no setting 'winers' of ga; did you mean 'winners'?"),
    ("run", "--run-dir", "/proc/run"): (1, "cannot make the folder '/proc/run'"),
    ("run", "--run-dir", "/proc"): (2, "--run-dir: '/proc' exists already"),
    ("resume", "nowhere"): (1, "nowhere: expected the folder of a run"),
    ("watch", "nowhere"): (1, "nowhere: expected the folder of a run"),
    ("resume", "/proc"): (1, "/proc: there is no checkpoint: expected the folder of a run"),
    ("run", "--frm", "x.yaml"): (2, "no option '--frm'"),
    ("rnu",): (2, "no command 'rnu'; did you mean 'run'?"),
    ("check", ""): (2, "expected the name of a file, not ''"),
    ("show",): (2, "expected path.yaml"),
    ("show", "none.yaml"): (1, "none.yaml: there is no such file"),
    ("show", "SHIPPED#hnad"): (2, "no player 'hnad'; did you mean 'hand'?"),
}


def test_a_name_with_a_line_break_is_shown_on_one_line(tmp_path, capsys, monkeypatch):
    head = "format: rulebots-population/1\ngame: lost-cities\nrules: sheppard\nplayers:\n"
    (tmp_path / "a.yaml").write_text(head + '  "a\\nb": {weights: {}}\n  "c\\nd": {weights: {}}\n')
    monkeypatch.setattr(sys, "argv", ["evolve", "show", str(tmp_path / "a.yaml")])
    assert cli.main() == 0
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first == "a b, of Lost Cities with the rules 'sheppard'"
    assert last == "players of this file: a b, c d"


@pytest.mark.parametrize("arguments", BAD, ids=" ".join)
def test_a_mistake_ends_in_one_line_that_names_it(arguments, capsys, monkeypatch):
    shipped = Path(__file__).parents[3] / "populations" / "lost_cities" / "sheppard.yaml"
    monkeypatch.setattr(sys, "argv", ["evolve", *(word.replace("SHIPPED", str(shipped)) for word in arguments)])
    code, message = BAD[arguments]
    assert cli.main() == code
    printed = capsys.readouterr()
    assert printed.err.startswith("evolve: ")
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


@pytest.mark.slow
def test_a_run_file_starts_no_program_unless_a_flag_names_it(tmp_path: Path):
    (tmp_path / "run.yaml").write_text("format: rulebots-run/1\ngame: kalah\nopponents: ['program:touch started']\n")
    run = evolve("run", "--config", "run.yaml", cwd=tmp_path)
    assert run.returncode in {1, 2}
    told = "the player 'program:touch started' is not here, and code is never loaded from a file: "
    assert run.stderr == f"evolve: {told}--opponents 'program:touch started' brings it\n"
    assert not (tmp_path / "started").exists()
