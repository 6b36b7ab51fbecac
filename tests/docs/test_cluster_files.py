"""The files of the page about clusters: the script runs, and the file for Kubernetes names what there is."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from test_readme import CHECKOUT, ENVIRONMENT, blocks, documents_run_compiled

#: Options behind a command of the files, the command of two words.
OPTIONS = re.compile(r"\b(dask scheduler|dask worker|evolve run|evolve resume)\b([^&;\n]*)")
#: Programs that Slurm has, and that are elsewhere in a test, with what stands for them.
PROGRAMS = {
    "hostname": "echo 127.0.0.1",
    "srun": 'trap \'kill $(jobs -p)\' TERM; "$@" & "$@" & wait',
    "dask": f'exec {sys.executable} -m dask "$@"',
    "evolve": f"exec {sys.executable} -c 'import sys; from evolve.cli.main import main; sys.exit(main())' \"$@\"",
}
RUN = ["--game", "tictactoe", "--generations", "2", "--population", "6", "--opponent-deals", "2"]


def file_of_page(name: str) -> str:
    (text,) = (block.text for block in blocks(CHECKOUT / "docs/how-to/cluster.md") if block.mark == f"file: {name}")
    return text


def help_of(command: str) -> str:
    program, name = command.split()
    if program == "dask":
        arguments = [sys.executable, "-m", "dask", name, "--help"]
    else:
        arguments = [sys.executable, "-c", "from evolve.cli.main import main; main()", name, "--help"]
    environment = {**os.environ, "COLUMNS": "200"}
    return subprocess.run(arguments, env=environment, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("name", ["breed.sh", "breed.yaml"])
def test_every_option_of_a_file_is_one_of_its_command(name: str) -> None:
    # In YAML a command is a list.
    text = file_of_page(name).replace(", ", " ").replace("$workers", "--backend --address --jobs")
    found = {command: set(re.findall(r"--[a-z-]+", options)) for command, options in OPTIONS.findall(text)}
    assert len(found) == 4
    for command, options in found.items():
        known = set(re.findall(r"--[a-z-]+", help_of(command)))
        assert options <= known, f"{command}: {options - known}"


def test_the_script_is_one() -> None:
    subprocess.run(["/bin/bash", "-n"], input=file_of_page("breed.sh"), text=True, check=True)


def test_the_parts_for_kubernetes_name_each_other() -> None:
    parts = {
        (part["kind"], part["metadata"]["name"]): part["spec"]
        for part in yaml.safe_load_all(file_of_page("breed.yaml"))
    }
    deployments = [spec for (kind, _), spec in parts.items() if kind == "Deployment"]
    for spec in deployments:
        assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
    service, scheduler = parts["Service", "scheduler"], parts["Deployment", "scheduler"]["template"]
    assert service["selector"] == scheduler["metadata"]["labels"]
    port = str(service["ports"][0]["port"])
    command = scheduler["spec"]["containers"][0]["command"]
    assert command[command.index("--port") + 1] == port
    job, workers = parts["Job", "breed"]["template"]["spec"], parts["Deployment", "workers"]
    script = job["containers"][0]["command"][-1]
    address = f"scheduler:{port}"
    assert address in workers["template"]["spec"]["containers"][0]["command"]
    assert f"--address {address} --jobs {workers['replicas']}" in script
    subprocess.run(["/bin/bash", "-n"], input=script, text=True, check=True)
    (volume,) = job["volumes"]
    assert ("PersistentVolumeClaim", volume["persistentVolumeClaim"]["claimName"]) in parts
    assert {mount["name"] for mount in job["containers"][0]["volumeMounts"]} == {volume["name"]}


@documents_run_compiled
def test_the_script_breeds_and_resumes_with_two_workers(tmp_path: Path) -> None:
    (tmp_path / "breed.sh").write_text(file_of_page("breed.sh"))
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "activate").touch()
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, line in PROGRAMS.items():
        (programs / name).write_text(f"#!/bin/bash\n{line}\n")
        (programs / name).chmod(0o755)
    slurm = {"SLURM_JOB_ID": str(os.getpid()), "SLURM_JOB_NAME": "two", "SLURM_NTASKS": "2"}
    environment = {**ENVIRONMENT, **slurm, "PATH": f"{programs}:{os.environ['PATH']}"}

    def run(*words: str) -> None:
        with (tmp_path / "printed.txt").open("w+") as printed:
            process = subprocess.Popen(
                words, cwd=tmp_path, env=environment, stdout=printed, stderr=subprocess.STDOUT, start_new_session=True
            )
            try:
                assert process.wait(240) == 0, (tmp_path / "printed.txt").read_text()
            finally:  # Slurm ends what a job leaves behind
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

    run("bash", "breed.sh", *RUN, "--out", "workers.yaml")
    run("evolve", "run", *RUN, "--out", "threads.yaml")
    assert (tmp_path / "workers.yaml").read_bytes() == (tmp_path / "threads.yaml").read_bytes()
    run("bash", "breed.sh")
    assert (tmp_path / "runs" / "two" / "checkpoint.json").is_file()
