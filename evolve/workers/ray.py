"""Ray workers: a local cluster, or one that runs already, perhaps on many machines."""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Iterator

from evolve.signals import blocked
from rulebots.errors import UsageError
from rulebots.files.extras import optional_module


@contextlib.contextmanager
def ray_cluster(jobs: int, address: str | None) -> Iterator[None]:
    """Ray set up for joblib while the block runs: the cluster at an address, else `jobs` new processes.

    Raises:
        UsageError: ray is not installed, does not start, does not answer, or has fewer processors than `jobs`.
    """
    flag = "--backend ray"
    ray = optional_module("ray", "ray", flag)
    optional_module("ray.util.joblib", "ray", flag).register_ray()
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        if address:
            _connect(address)
            ray.init(address, **quiet)
        else:
            # "local": without an address ray takes any cluster that it finds. SIGTERM is blocked as well: where it
            # reaches all processes and ends ray, the run waits for a minute.
            with blocked(signal.SIGINT, signal.SIGTERM):
                ray.init("local", num_cpus=jobs, include_dashboard=False, **quiet)
    except (OSError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        what = f"--address: no ray cluster answers at '{address}'" if address else "--backend ray: it does not start"
        raise UsageError(f"{what} ({error})") from None
    try:
        processors = int(ray.cluster_resources().get("CPU", 0))
        if jobs > processors:
            raise UsageError(f"--jobs: expected at most {processors}, the processors of the ray cluster, not {jobs}")
        yield
    finally:
        ray.shutdown()


def _connect(address: str) -> None:
    """Raise an OSError where nothing listens at all: ray would try for minutes, and print all the while."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
