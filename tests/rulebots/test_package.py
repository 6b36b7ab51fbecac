"""What a stranger meets first: the package on an index, its files for people and machines, and how it is released."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from checkout import CHECKOUT

PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
VERSION = PROJECT["project"]["version"]
GIT = shutil.which("git")
#: https://keepachangelog.com/en/1.1.0/
CHANGES = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]


def read(name: str) -> dict:
    found = yaml.safe_load((CHECKOUT / name).read_text())
    assert isinstance(found, dict)
    return found


def test_the_citation_has_what_its_format_asks_for() -> None:
    found = read("CITATION.cff")
    assert found["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= found.keys()
    assert (found["version"], found["license"]) == (VERSION, PROJECT["project"]["license"])
    assert found["repository-code"] == PROJECT["project"]["urls"]["Homepage"]


def test_the_version_is_that_of_the_installed_package() -> None:
    assert metadata.version("rulebots") == VERSION


def test_the_release_workflow_builds_checks_and_then_publishes_without_a_password() -> None:
    found = read(".github/workflows/release.yml")
    assert found[True]["push"]["tags"] == ["v*"]  # YAML 1.1 takes the key `on` for true
    jobs = found["jobs"]
    assert {name: job.get("needs") for name, job in jobs.items()} == {
        "build": None,
        "check": "build",
        "publish": "check",
    }
    assert [name for name, job in jobs.items() if job["permissions"].get("id-token") == "write"] == ["publish"]
    assert jobs["publish"]["if"] == "github.event_name == 'push'"  # a tag that is run by hand is a tag as well
    assert jobs["build"]["steps"][2]["if"] == "startsWith(github.ref, 'refs/tags/')"
    steps = [step for job in jobs.values() for step in job["steps"]]
    assert all(("uses" in step) != ("run" in step) for step in steps)
    assert steps[-1]["uses"].startswith("pypa/gh-action-pypi-publish@")
    assert not any("password" in str(step) or "secrets." in str(step) for step in steps)
    ran = " ".join(step.get("run", "") for step in steps)
    for script in re.findall(r"\.ci/\S+", ran):
        assert (CHECKOUT / script).is_file(), script
    assert "twine check --strict" in ran
    claimed = [name.rpartition(" ")[2] for name in PROJECT["project"]["classifiers"] if re.search(r":: 3\.\d+$", name)]
    assert jobs["check"]["strategy"]["matrix"]["python"] == claimed


def test_every_workflow_names_actions_by_their_commits_and_has_no_rights_of_its_own() -> None:
    for path in sorted((CHECKOUT / ".github" / "workflows").iterdir()):
        found = read(str(path.relative_to(CHECKOUT)))
        assert found["permissions"] == {}
        steps = [step for job in found["jobs"].values() for step in job["steps"]]
        assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"]) for step in steps if "uses" in step), path


def test_the_tests_run_on_every_system_and_python_and_all_of_them_on_linux() -> None:
    quick, everything = read(".github/workflows/tests.yml")["jobs"].values()
    matrix = quick["strategy"]["matrix"]
    assert [name.partition("-")[0] for name in matrix["os"]] == ["ubuntu", "macos", "windows"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert set(matrix["python"]) == set(everything["steps"][1]["with"]["python-version"].split())
    line = next(line for line in (CHECKOUT / "CONTRIBUTING.md").read_text("utf-8").splitlines() if "Quick tier" in line)
    words = quick["steps"][-1]["run"].replace('"', "'").partition(" -m pytest ")[2].split(" --durations")[0].split(" ")
    assert all(word in line for word in words[2:]), "its selection is that of CONTRIBUTING"
    assert quick["env"]["NUMBA_DISABLE_JIT"] == "1"
    assert everything["steps"][-1]["run"] == ".ci/run"


def test_the_check_lets_pip_compile_nothing() -> None:
    """Its variable is set to 0 for that: https://pip.pypa.io/en/stable/topics/configuration/#boolean-options."""
    setting = re.search(r"^export (PIP_NO_COMPILE)=(\S+)$", (CHECKOUT / ".ci" / "run").read_text(), re.MULTILINE)
    assert setting is not None
    code = "from pip._internal.commands import create_command as of; "
    code += "print(of('install').parser.get_default_values().compile)"
    environment = {**os.environ, setting[1]: setting[2]}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() in {"False", "0"}


def test_templates_of_issues_have_what_the_site_asks_for() -> None:
    folder = CHECKOUT / ".github" / "ISSUE_TEMPLATE"
    forms = [path for path in sorted(folder.glob("*.yml")) if path.name != "config.yml"]
    assert len(forms) == 2
    for path in forms:
        found = read(str(path.relative_to(CHECKOUT)))
        assert {"name", "description", "body"} <= found.keys()
        assert len({field["id"] for field in found["body"]}) == len(found["body"])
        assert all(field["attributes"]["label"] for field in found["body"])
    assert read(".github/ISSUE_TEMPLATE/config.yml")["contact_links"]


def release_problems(tag: str, root: Path) -> str:
    shutil.copytree(CHECKOUT / ".ci", root / ".ci", dirs_exist_ok=True)
    command = [sys.executable, str(root / ".ci" / "release.py"), tag]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == (not done.stderr)
    return done.stderr


def test_a_release_needs_its_version_everywhere(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "CITATION.cff", "CHANGELOG.md"):
        shutil.copy(CHECKOUT / name, tmp_path)
    assert f"expected a heading '## [{VERSION}] - YEAR-MONTH-DAY'" in release_problems(f"v{VERSION}", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## [{VERSION}] - 2026-12-24\n\n### Added\n")
    assert release_problems(f"v{VERSION}", tmp_path) == ""
    assert release_problems("v9.9.9", tmp_path).startswith(f"the tag is v9.9.9: expected v{VERSION}")
    (tmp_path / "CITATION.cff").write_text("version: 0.0.1\n")
    assert release_problems(f"v{VERSION}", tmp_path) == f"CITATION.cff: expected version: {VERSION}\n"


def test_the_changelog_has_one_form() -> None:
    text = (CHECKOUT / "CHANGELOG.md").read_text()
    releases = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - (unreleased|\d{4}-\d\d-\d\d)", name) for name in releases)
    assert len(set(releases)) == len(releases) > 0
    for release in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        kinds = re.findall(r"^### (.*)$", release, re.MULTILINE)
        assert kinds == [kind for kind in CHANGES if kind in kinds]
        assert kinds


def on_the_index(text: str) -> str:
    """README as the package has it: hatch-fancy-pypi-readme replaces by these patterns when it builds."""
    hook = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    assert hook["fragments"] == [{"path": "README.md"}]
    for one in hook["substitutions"]:
        text = re.sub(one["pattern"], one["replacement"].replace("$HFPR_VERSION", VERSION), text)
    return text


def test_the_readme_of_the_index_has_whole_addresses_of_things_that_are_there() -> None:
    shown = on_the_index((CHECKOUT / "README.md").read_text())
    targets = re.findall(r"(!?)\[[^\]]*\]\(([^)\s]+)\)", shown)
    assert len(targets) > 15
    page, picture = (
        f"{PROJECT['project']['urls']['Homepage']}/blob/v{VERSION}/",
        f"https://raw.githubusercontent.com/rulebots/rulebots/v{VERSION}/",
    )
    assert sum(bool(mark) for mark, _ in targets) >= 2
    for mark, target in targets:
        own = picture if mark else page
        assert target.startswith((own, "https://")), target
        assert not target.startswith(own) or (CHECKOUT / target.removeprefix(own).partition("#")[0]).is_file(), target
    assert on_the_index("![a](b.png) [c](d.md#e) [f](#g) [h](https://i)") == (
        f"![a]({picture}b.png) [c]({page}d.md#e) [f](#g) [h](https://i)"
    )


@pytest.mark.skipif(GIT is None or not (CHECKOUT / ".git").exists(), reason="needs the repository and git")
def test_the_source_distribution_has_everything() -> None:
    listed = subprocess.run([str(GIT), "ls-files"], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    top = {line.partition("/")[0] for line in listed.splitlines()}
    included = {name.strip("/") for name in PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]}
    assert included | {"pyproject.toml", "LICENSE", ".gitignore"} == top
