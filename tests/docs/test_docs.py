"""The documentation is true: its commands and snippets run, and its tables agree with the code."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import fields
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from test_readme import CHECKOUT, ENVIRONMENT, blocks, documents_run_compiled, run_document

from evolve.settings import Settings
from evolve.strategies import strategies
from rulebots.files import MOST_BYTES
from rulebots.game.position import Position
from rulebots.packages import game_names, games as registry, load_game
from rulebots.packages.players import make_player, player_names
from rulebots.packages.population import check_population
from rulebots.packages.rule_sets import rule_sets_of
from rulebots.tournaments.ladder import load_ladder

DOCS = CHECKOUT / "docs"
#: Pages whose tests prepare something; the others need only a folder to run in.
STRATEGY_PAGE = "how-to/add-a-strategy.md"
SECRET_PAGE = "how-to/simultaneous-moves.md"  # noqa: S105 - a page
#: Pages that speak of a file of the tests, which their reader has copied.
COPIED = {SECRET_PAGE: "goofspiel.py", "how-to/hanabi-chromosomes.md": "hle.py"}
EVERY_PAGE = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
DOCUMENTS = [
    *(CHECKOUT / f"{name}.md" for name in ("README", "CHANGELOG", "CONTRIBUTING", "CODE_OF_CONDUCT", "SECURITY")),
    *(DOCS / name for name in EVERY_PAGE),
]


def runs(name: str) -> bool:
    return any(block.kind in {"console", "python"} for block in blocks(DOCS / name))


NEW_PAGE = "tutorial/your-own-game.md"
APART = {STRATEGY_PAGE, NEW_PAGE}
PAGES = [name for name in EVERY_PAGE if name not in APART and runs(name)]


@documents_run_compiled
@pytest.mark.parametrize("name", PAGES)
def test_a_page_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if name in COPIED:
        shutil.copy(CHECKOUT / "tests" / COPIED[name], tmp_path)
    assert run_document(DOCS / name, tmp_path) > 0


@documents_run_compiled
@pytest.mark.parametrize(
    "name", ["rulebots", "evolve", *(f"rulebots.search.{s}" for s in ("mcts", "minimax", "rollout"))]
)
def test_what_help_shows_of_a_package_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page = importlib.import_module(name).__doc__ or ""
    code = page[page.index("from ") :].replace("generations=50", "generations=2, population=12, deals=1, lessons=200")
    game = load_game("tictactoe" if name != "rulebots.search.rollout" else "lost-cities")
    given = {"game": game, "position": Position(game, seed=3), "champion": make_player("champion", game)}
    exec(compile(code, name, "exec"), given)  # noqa: S102 - our own text
    assert capsys.readouterr().out


@documents_run_compiled
def test_the_tutorial_goes_from_a_name_to_a_champion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pip install` of the page is its metadata, from the pyproject.toml that `rulebots new` wrote."""
    monkeypatch.chdir(tmp_path)
    package = tmp_path / "connect-four"
    environment = {**ENVIRONMENT, "PYTHONPATH": str(package)}

    def install(command: str) -> None:
        if "pip install" in command:
            install_without_pip(tomllib.loads((package / "pyproject.toml").read_text())["project"], package)
            monkeypatch.syspath_prepend(str(package))
            forget_packages()

    assert run_document(DOCS / NEW_PAGE, tmp_path, environment, skipped=install) > 0
    tests = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "."]
    checked = subprocess.run(tests, cwd=package, env=environment, capture_output=True, text=True, check=False)
    forget_packages()
    assert checked.returncode == 0, checked.stdout


def forget_packages() -> None:
    """The registry looks up installed packages once, and a test installs more."""
    for found in (registry.packages, registry._offers, registry._entry_points):
        found.cache_clear()


def lines_of_law(page: str, file: str) -> list[str]:
    (text,) = (block.text for block in blocks(DOCS / page) if block.mark == f"file: {file}")
    return text.splitlines()


def test_a_law_is_short() -> None:
    assert len(lines_of_law(NEW_PAGE, "connect-four/connect_four/game.py")) <= 110


def test_the_rule_of_the_guide_can_be_moved_into_its_game(tmp_path: Path) -> None:
    """In a copy of the checkout: the rule, its name in the set, and its positions, as the page shows them."""
    for name in ("rulebots", "evolve", "populations", "tests", "pyproject.toml"):
        (shutil.copytree if (CHECKOUT / name).is_dir() else shutil.copy)(CHECKOUT / name, tmp_path / name)
    shown = {block.mark.removeprefix("not run: "): block.text for block in blocks(DOCS / "how-to/contribute-a-rule.md")}
    for file, last, before in (
        ("rulebots/games/tictactoe/rules.py", "@kernel\ndef progress(", "\n\n"),
        ("tests/games/tictactoe/test_tictactoe_rules.py", "]\nCASES = [", ""),
    ):
        text = (tmp_path / file).read_text()
        assert text.count(last) == 1
        changed = text.replace(last, shown[file] + before + last).replace(
            "weakens, central)", "weakens, central, diagonal)"
        )
        (tmp_path / file).write_text(changed)
    tests = ["tests/games/tictactoe", "tests/games/test_every_rule.py", "-m", "not slow", "-p", "no:cacheprovider"]
    environment = {**ENVIRONMENT, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", "pytest", *tests]
    checked = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
    assert "diagonal" in (tmp_path / "rulebots/games/tictactoe/rules.py").read_text()


@documents_run_compiled
def test_the_strategy_of_the_guide_is_found_breeds_and_keeps_its_promises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    install_without_pip(project(DOCS / STRATEGY_PAGE), tmp_path)
    environment = {**ENVIRONMENT, "PYTHONPATH": str(tmp_path)}
    assert run_document(DOCS / STRATEGY_PAGE, tmp_path, environment) > 0
    tests = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "tests/evolve/strategies/test_strategies.py",
        "-k",
        "pycma",
    ]
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


def test_the_imports_of_the_quickstart_are_there() -> None:
    lines = re.findall(r"^\|[^`]*`(from [\w., ]+)`", (DOCS / "how-to/notebooks.md").read_text(), re.MULTILINE)
    assert len(lines) > 10
    for line in lines:
        exec(line, {})  # noqa: S102 - our own text


def test_every_page_is_in_the_navigation() -> None:
    navigation = (CHECKOUT / "mkdocs.yml").read_text().split("\nnav:\n")[1]
    for name in EVERY_PAGE:
        assert re.search(rf"(^|\s){re.escape(name)}$", navigation, re.MULTILINE), f"mkdocs.yml does not lead to {name}"


def test_every_command_is_in_the_reference() -> None:
    import evolve.cli.commands
    import rulebots.cli.commands
    from rulebots.cli.app import load_commands

    text = (DOCS / "reference" / "command-line.md").read_text()
    for program, package in (("rulebots", rulebots.cli.commands), ("evolve", evolve.cli.commands)):
        load_commands(package)
        for command in package.app.registered_commands:
            name = command.name or command.callback.__name__
            assert f"<!-- output: {program} {name} --help -->" in text


def test_links_between_documents_lead_somewhere() -> None:
    for path in DOCUMENTS:
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", path.read_text()):
            found = (path.parent / target).resolve() if target else path
            assert found.exists(), f"{path.name}: there is no {target}"
            headings = re.findall(r"^#+ (.*)", found.read_text(), re.MULTILINE) if anchor else []
            assert not anchor or anchor in {anchor_of(h) for h in headings}, f"{path.name}: #{anchor}"


def anchor_of(heading: str) -> str:
    """The name that the site gives a heading."""
    return re.sub(r"[^\w\s-]", "", heading.lower()).strip().replace(" ", "-")


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What makes parts of the pages."""
    monkeypatch.syspath_prepend(DOCS / "hooks")
    return importlib.import_module("pages")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == SECRET_PAGE else pytest.mark.slow)
        for name in EVERY_PAGE
        if re.search("^<!-- (output|code|api|options|settings)", (DOCS / name).read_text(), re.MULTILINE)
    ],
)
def test_what_is_made_from_the_code_stands_in_the_page(pages: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python docs/hooks/pages.py` writes it there: the pages are read on GitHub as well."""
    monkeypatch.chdir(CHECKOUT)
    text = (DOCS / name).read_text()
    assert pages.filled(text) == text
    assert not re.search("^<!-- (output|code|api|options|settings).*\n\n", text, re.MULTILINE)


def test_a_block_that_is_stale_is_made_again(pages: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CHECKOUT)
    mark = "<!-- code: tests/goofspiel.py told -->"
    fresh = pages.filled(f"{mark}\n\nb\n")
    assert fresh.startswith(f"{mark}\n```py\ndef told(")
    assert pages.filled(f"{mark}\n```py\ndef old():\n```\n\nb\n") == fresh
    assert pages.filled("<!-- settings -->\n| old |\n\nb\n") == pages.filled("<!-- settings -->\n\nb\n")


def test_what_the_site_shows_of_commands_is_what_they_print(pages: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = pages.shown("a\n\n<!-- output: rulebots --version -->\n\nb\n")
    assert shown == f"a\n\n```console\n$ rulebots --version\nrulebots {metadata.version('rulebots')}\n```\n\nb\n"
    assert pages.shown("a\n\n<!-- options -->\n").startswith("a\n\n| option | what it means | commands |\n|")
    settings = pages.shown("<!-- settings -->").splitlines()
    assert len(settings) == 2 + len(fields(Settings))
    assert settings[-1].startswith("| `verdict_deals` |  | `8000` | most deals of the test")
    name = "<!-- api: rulebots.load_game -->"
    assert pages.shown(f"{name}\n\nb\n") == "::: rulebots.load_game\n\nb\n"
    assert pages.filled(name) == f"{name}\n{pages.name_in_a_line('rulebots.load_game')}"
    assert pages.name_in_a_line("rulebots.load_game").startswith("`rulebots.load_game(name)`: The game of that name")
    named = pages.shown("<!-- file: nim/game.py -->\n```python\n1\n```\n")
    assert named == '```python title="nim/game.py"\n1\n```\n'
    monkeypatch.chdir(CHECKOUT)
    shown = pages.shown((DOCS / SECRET_PAGE).read_text())
    assert "<!--" not in shown
    assert "```python\n@kernel\ndef observe(state, view):\n" in shown


def test_pictures_are_small_and_text_in_svg_is_text() -> None:
    pictures = [path for path in DOCS.rglob("*") if path.suffix in {".png", ".svg"}]
    assert pictures
    for path in pictures:
        assert path.stat().st_size < 150_000, path.name
        assert path.suffix == ".png" or "<text" in path.read_text(), path.name


def rows(page: str, heading: str) -> list[list[str]]:
    """The rows of the table whose first heading this is."""
    table = re.search(rf"^\| {heading} \|.*?\n\|[-|]+\n(.*?)\n\n", (DOCS / page).read_text(), re.DOTALL | re.MULTILINE)
    assert table, f"{page}: no table of {heading}"
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table[1].splitlines()]


def test_every_setting_of_a_strategy_is_documented() -> None:
    from rulebots.players.specs import NoSettings

    for name, strategy in strategies().items():
        if strategy.own_settings is not NoSettings:
            table = rows("reference/strategies.md", f"setting of `{name}`")
            documented = [(n.strip("`"), d.strip("`")) for n, d, _ in table]
            assert documented == [(f.name, repr(f.default)) for f in fields(strategy.own_settings)]


def test_the_settings_of_tree_search_are_documented() -> None:
    from rulebots.search.mcts.player import MctsSpec as Named

    documented = [
        (name.strip("`"), default.strip("`")) for name, default, _ in rows("reference/search-settings.md", "setting")
    ]
    assert documented == [(f.name, repr(f.default)) for f in fields(Named)]


def test_the_settings_of_the_search_by_rollouts_are_documented() -> None:
    from rulebots.search.rollout.player import RolloutSpec as Named

    table = rows("reference/search-settings.md", "setting of `rollout`")
    documented = [(name.strip("`"), default.strip("`")) for name, default, _ in table]
    assert documented == [(f.name, repr(f.default)) for f in fields(Named)]


def test_the_defaults_of_a_strategy_are_documented() -> None:
    text = " ".join((DOCS / "reference" / "settings.md").read_text().split())
    defaults = {name: strategy.defaults for name, strategy in strategies().items() if strategy.defaults}
    assert set(defaults) == {"memetic", "sheppard", "spsa"}
    assert f"`spsa` for `population` ({defaults['spsa']['population']})" in text
    own, taught = defaults["sheppard"], defaults["memetic"]
    assert f"`memetic` for `lessons` ({taught['lessons']:,})" in text
    help_of_run = " ".join((DOCS / "reference" / "command-line.md").read_text().split())
    assert f"[default: {taught['lessons']} with memetic, as at Lost Cities, else 0]" in help_of_run
    usual = Settings.of()
    assert (usual.game, usual.strategy_name, usual.lessons, usual.deals) == ("lost-cities", "memetic", 2000, 1)
    assert (set(taught), own["opponents"], own["hall_of_fame"]) == ({"lessons"}, (), 0)
    assert (
        f"`population` ({own['population']}), `deals` ({own['deals']}), `opponents` and `hall_of_fame` (none)" in text
    )


def test_the_page_on_breeding_has_the_numbers_of_the_code() -> None:
    from evolve.strategies import base as breeder, sheppard

    text = " ".join((DOCS / "background" / "breeding.md").read_text().split())
    assert (Settings.margin, Settings.margin * 33) == (0.003, pytest.approx(0.1, abs=0.005))
    assert "the default of 0.003 it takes a mean of 33 points" in text
    assert f"{Settings.held_out_deals:,} of them" in text
    assert f"with that rule at {breeder.NEW_WEIGHT}" in text
    assert (sheppard.KEPT, sheppard.WIDTH, sheppard.COPIES, sheppard.IMMIGRANT) == (8, 0.05, 2, (-0.2, 0.8))


@pytest.mark.parametrize(("line", "message"), rows("how-to/population-files.md", "line 4"))
def test_a_line_that_ends_the_reading_has_the_message_beside_it(line: str, message: str, tmp_path: Path) -> None:
    (bad,) = (block.text for block in blocks(DOCS / "how-to" / "population-files.md") if block.mark == "file: bad.yaml")
    head = "".join(bad.splitlines(keepends=True)[:3])
    path = tmp_path / "p.yaml"
    path.write_text(head + line.strip("`").encode().decode("unicode_escape") + "\n")
    assert_message(path, message)


def test_a_file_that_cannot_be_read_has_the_message_beside_it(tmp_path: Path) -> None:
    contents = {
        "empty": b"",
        "binary": b"\0\1\2",
        "in another encoding": b"gr\xfc\xdfe",
        "over 2 MB": b"#" * (MOST_BYTES + 1),
    }
    documented = dict(rows("how-to/population-files.md", "file"))
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
    assert message.strip("`") in found


def unlinked(text: str) -> str:
    """A cell of a table without its links."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)


def test_the_keys_of_the_files_are_documented_as_they_are_declared() -> None:
    from evolve import settings
    from rulebots.packages.population.population_file import layout
    from rulebots.tournaments import ladder

    for page, declared in (("population-file", layout()), ("ladder-file", ladder.LAYOUT)):
        found = [(key, unlinked(meaning)) for key, meaning in rows(f"reference/{page}.md", "key")]
        assert found == declared.table(), page
    assert tuple(next(iter(rows("reference/run-file.md", "key")))) == settings.layout().table()[0]


def test_documents_speak_of_no_place_but_this_project() -> None:
    for path in DOCUMENTS:
        assert not re.search(r"/root/|/work/|/home/|/opt/|localhost", path.read_text()), path.name
        assert os.linesep == "\n" or "\r" not in path.read_text()


def test_the_reference_ladder_agrees_with_its_file_and_has_every_player() -> None:
    files = {path.stem: path for path in (DOCS / "background" / "ladder").glob("*.yaml")}
    assert set(files) == {"lost-cities", "hearts"}
    for name, path in files.items():
        ladder, game = load_ladder(path), load_game(name)
        if name == "lost-cities":
            assert list(ladder.players) == player_names(game)
            assert ladder.settings["deals"] >= 2000
        else:  # four at a table, the hand-tuned weights once and a search
            assert ladder.seats == 4
            assert {*player_names(game), "rollout:simulations=50"} == {*ladder.players, "hand_tuned"}
        page = (DOCS / "background" / "ladder.md").read_text().split(f"## {game.title}")[1]
        for player, rating in yaml.safe_load(path.read_text())["ratings"].items():
            assert f"| `{player}` | {rating['elo']:+d} | {rating['elo_95'][0]:+d} to {rating['elo_95'][1]:+d} |" in page


def test_every_player_and_rule_set_of_lost_cities_is_in_a_table() -> None:
    text, game = (DOCS / "reference" / "games" / "lost-cities.md").read_text(), load_game("lost-cities")
    for name in [*player_names(game), *rule_sets_of(game)]:
        assert f"\n| `{name}` |" in text, f"the page says nothing about '{name}'"


def test_every_game_has_a_page() -> None:
    assert {Path(name).stem for name in EVERY_PAGE if name.startswith("reference/games/")} - {"index"} == {
        *game_names()
    }


def test_every_claim_has_its_benchmark() -> None:
    text = (DOCS / "background" / "measurements.md").read_text()
    named = re.findall(r"`python (benchmarks/\w+\.py)([^`]*)`", text)
    programs = {path for path in (CHECKOUT / "benchmarks").glob("*.py") if '__name__ == "__main__"' in path.read_text()}
    assert {Path(script).name for script, _ in named} == {path.name for path in programs}
    for script, flags in named:
        source = (CHECKOUT / script).read_text()
        for flag in re.findall(r"--[\w-]+", flags):
            assert f'"{flag}"' in source, f"{script} has no {flag}"
