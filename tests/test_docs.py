"""The guide does what it says: its commands and snippets run, and its tables are those of the code."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from dataclasses import MISSING, fields
from pathlib import Path

import pytest
import yaml
from test_readme import CHECKOUT, ENVIRONMENT, README, blocks, documents_run_compiled, matches, run_document

from evolve.settings import STRATEGY_DEFAULTS, Settings
from evolve.storage.result import FLAGS
from rulebots.files import MOST_BYTES
from rulebots.game import load_game
from rulebots.players.names import player_names
from rulebots.population import check_population
from rulebots.tournaments.ladder import load_ladder

DOCS = CHECKOUT / "docs"
#: Pages with a setting of their own; the others need nothing but a folder to run in.
OWN_TESTS = ("add-a-game.md", "add-a-strategy.md")
PAGES = sorted({path.name for path in DOCS.glob("*.md")} - {*OWN_TESTS})


@documents_run_compiled
@pytest.mark.parametrize("name", PAGES)
def test_a_page_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_document(DOCS / name, tmp_path)


@documents_run_compiled
def test_the_game_of_the_guide_is_found_played_bred_and_keeps_its_contract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    install_without_pip(project(DOCS / "add-a-game.md"), tmp_path)
    environment = {**ENVIRONMENT, "PYTHONPATH": str(tmp_path)}
    run_document(DOCS / "add-a-game.md", tmp_path, environment)
    tests = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/test_games.py", "-k", "nim"]
    checked = subprocess.run(tests, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
    assert re.search(r"^1\d passed|^[2-9]\d passed", checked.stdout, re.MULTILINE), checked.stdout


@documents_run_compiled
def test_the_strategy_of_the_guide_is_found_breeds_and_keeps_its_promises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    install_without_pip(project(DOCS / "add-a-strategy.md"), tmp_path)
    environment = {**ENVIRONMENT, "PYTHONPATH": str(tmp_path)}
    run_document(DOCS / "add-a-strategy.md", tmp_path, environment)
    tests = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/test_breeder.py", "-k", "pycma"]
    checked = subprocess.run(tests, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
    assert re.search(r"^[4-9] passed", checked.stdout, re.MULTILINE), checked.stdout


def project(page: Path) -> dict[str, dict[str, dict[str, str]]]:
    """The pyproject.toml of a page, its `project` table."""
    (text,) = (block.text for block in blocks(page) if block.mark == "file: pyproject.toml")
    return tomllib.loads(text)["project"]


def install_without_pip(about: dict, folder: Path) -> None:
    """What an editable install leaves behind, for a folder on PYTHONPATH: the metadata with the entry points."""
    metadata = folder / f"{about['name'].replace('-', '_')}-{about['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\n")
    lines = []
    for group, points in about["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines))


def test_every_page_is_named_in_readme() -> None:
    for name in (*PAGES, *OWN_TESTS):
        assert f"(docs/{name})" in README.read_text(), f"README does not lead to docs/{name}"


def test_links_between_documents_lead_somewhere() -> None:
    for path in [README, CHECKOUT / "CHANGELOG.md", *DOCS.glob("*.md")]:
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", path.read_text()):
            found = (path.parent / target).resolve() if target else path
            assert found.exists(), f"{path.name}: there is no {target}"
            headings = re.findall(r"^#+ (.*)", found.read_text(), re.MULTILINE) if anchor else []
            assert not anchor or anchor in {h.lower().replace(" ", "-") for h in headings}, f"{path.name}: #{anchor}"


def rows(page: str, heading: str) -> list[list[str]]:
    """The rows of the table with that first heading; a bar inside `code` separates nothing."""
    table = re.search(rf"^\| {heading} \|.*?\n\|[-|]+\n(.*?)\n\n", (DOCS / page).read_text(), re.DOTALL | re.MULTILINE)
    assert table, f"{page}: no table of {heading}"
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table[1].splitlines()]


def test_every_setting_is_documented_with_its_flag_and_default() -> None:
    documented = {name.strip("`"): (flag.strip("`"), default.strip("`")) for name, flag, default, _ in settings_rows()}
    flags = {**FLAGS, "game": "--game", "generations": "--generations", "seed": "--seed"}
    assert documented == {
        f.name: (flags.get(f.name, ""), repr({} if f.default is MISSING else f.default)) for f in fields(Settings)
    }


def test_every_setting_of_a_strategy_is_documented() -> None:
    from evolve.strategies import strategies
    from evolve.strategies.base import NoSettings

    own = {name: s.own_settings for name, s in strategies().items() if s.own_settings is not NoSettings}
    assert own
    for name, settings in own.items():
        documented = [(n.strip("`"), d.strip("`"), m) for n, d, m in rows("breeding.md", f"setting of `{name}`")]
        assert documented == [(f.name, repr(f.default), f.metadata["meaning"]) for f in fields(settings)]


def test_the_settings_of_tree_search_are_documented() -> None:
    from rulebots.search.mcts.spec import MctsSpec

    documented = [(name.strip("`"), default.strip("`")) for name, default, _ in rows("mcts.md", "setting")]
    assert documented == [(f.name, repr(f.default)) for f in fields(MctsSpec)]


def settings_rows() -> list[list[str]]:
    return rows("breeding.md", "setting")


def test_the_defaults_of_a_strategy_are_documented() -> None:
    text = " ".join((DOCS / "breeding.md").read_text().split())
    own, taught = STRATEGY_DEFAULTS["sheppard"], STRATEGY_DEFAULTS["memetic"]
    assert set(STRATEGY_DEFAULTS) == {"memetic", "sheppard"}
    named = [f"`{name}` ({number:,})" for name, number in taught.items()]
    assert f"`memetic` for {', '.join(named[:-1])} and {named[-1]}" in text
    assert own["opponents"] == ()
    assert f"`population` ({own['population']}), `deals` ({own['deals']}) and `opponents` (none)" in text


NUMBERS = {2: "two", 8: "eight"}


def test_the_numbers_that_breeding_speaks_of_are_the_codes() -> None:
    from evolve.strategies import base as breeder
    from evolve.strategies import sheppard

    text = " ".join((DOCS / "breeding.md").read_text().split())
    points = round(0.1 / Settings.margin)
    assert f"the default of {Settings.margin} it takes a mean of {points} points" in text
    assert f"{Settings.held_out_deals:,} of them" in text
    assert f"with that rule at {breeder.NEW_WEIGHT}" in text
    kept, copies = (NUMBERS[number] for number in (sheppard.KEPT, sheppard.COPIES))
    low, high = sheppard.NEWCOMER
    assert f"always {sheppard.POPULATION} players" in text
    assert f"{kept.capitalize()} stay as they are; the mean of the best two joins them, and {copies} mutants" in text
    assert f"moved by up to {sheppard.WIDTH}), and one newcomer with weights between {low} and {high}" in text


@pytest.mark.parametrize(("line", "message"), rows("population-files.md", "line 4"))
def test_a_line_that_ends_the_reading_has_the_message_beside_it(line: str, message: str, tmp_path: Path) -> None:
    (bad,) = (block.text for block in blocks(DOCS / "population-files.md") if block.mark == "file: bad.yaml")
    head = "".join(bad.splitlines(keepends=True)[:3])
    path = tmp_path / "p.yaml"
    path.write_text(head + line.strip("`").encode().decode("unicode_escape") + "\n")
    assert_message(path, message)


def test_a_file_that_is_none_has_the_message_beside_it(tmp_path: Path) -> None:
    contents = {
        "empty": b"",
        "binary": b"\0\1\2",
        "in another encoding": b"gr\xfc\xdfe",
        "over 2 MB": b"#" * (MOST_BYTES + 1),
    }
    documented = dict(rows("population-files.md", "file"))
    assert documented.keys() == {*contents, "not there", "a folder"}
    for what, message in documented.items():
        path = tmp_path if what == "a folder" else tmp_path / "p.yaml"
        if what in contents:
            path.write_bytes(contents[what])
        elif what == "not there":
            path.unlink(missing_ok=True)
        assert_message(path, message)


def assert_message(path: Path, message: str) -> None:
    found = [str(problem).removeprefix(f"{path}:").strip() for problem in check_population(path)]
    assert any(matches(message.strip("`"), problem) for problem in found), found


def test_the_keys_of_a_file_are_documented() -> None:
    from rulebots.population.own_layout import KEYS

    assert tuple(key.strip("`") for key, _ in rows("population-files.md", "key")) == KEYS


def test_documents_speak_of_no_place_but_this_project() -> None:
    for path in [README, CHECKOUT / "CHANGELOG.md", *DOCS.glob("*.md")]:
        assert not re.search(r"/root/|/work/|/home/|/opt/|localhost", path.read_text()), path.name
        assert b"\r" not in path.read_bytes(), path.name


def test_the_reference_ladder_is_that_of_its_file_and_has_every_player() -> None:
    paths = sorted((DOCS / "ladder").glob("*.yaml"))
    assert paths
    for path in paths:
        ladder, game = load_ladder(path), load_game(path.stem)
        assert list(ladder.players) == player_names(game)
        assert ladder.settings["deals"] >= 2000
        page = (DOCS / "ladder.md").read_text().split(f"## {game.title}")[1]
        for name, rating in yaml.safe_load(path.read_text())["ratings"].items():
            assert f"| `{name}` | {rating['elo']:+d} | {rating['elo_95'][0]:+d} to {rating['elo_95'][1]:+d} |" in page
