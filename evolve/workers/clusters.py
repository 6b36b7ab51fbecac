"""Workers by the name of their backend: threads, processes of this machine, or a cluster of dask or ray."""

from __future__ import annotations

import contextlib
import logging
import signal
import socket
import warnings
from collections.abc import Iterator
from typing import Any

from evolve.signals import blocked
from evolve.workers.base import Threads, Workers
from evolve.workers.processes import Processes
from rulebots.errors import UsageError, optional_module, unknown

#: Seconds to wait for the workers of a dask scheduler that has none.
WAIT_SECONDS = 60


@contextlib.contextmanager
def dask_cluster(jobs: int, address: str | None) -> Iterator[None]:
    """A dask client for joblib while the block runs: at an address, else with `jobs` new processes.

    Raises:
        UsageError: dask is not installed, or no scheduler with workers answers at the address.
    """
    distributed = optional_module("distributed", "dask", "--backend dask")
    # It logs the death of a worker and Ctrl-C; the run deals with both.
    for logger in ("distributed", "distributed.client"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as stack:
        where: Any = address or _local_cluster(distributed, jobs, stack)
        try:
            client = stack.enter_context(distributed.Client(where, timeout="10s", set_as_default=True))
        except (OSError, ValueError) as error:
            raise UsageError(f"--address: no dask scheduler answers at '{address}' ({error})") from None
        if not client.scheduler_info()["workers"]:
            warnings.warn(f"waiting for workers of '{address}', for at most {WAIT_SECONDS} seconds", stacklevel=1)
            try:
                client.wait_for_workers(1, timeout=WAIT_SECONDS)
            except TimeoutError:
                raise UsageError(
                    f"--address: the scheduler at '{address}' has no workers after {WAIT_SECONDS} seconds: start some"
                ) from None
        yield


def _local_cluster(distributed: Any, jobs: int, stack: contextlib.ExitStack) -> Any:
    with blocked(signal.SIGINT), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Port 8787 is already in use")  # shown even without a dashboard
        cluster = distributed.LocalCluster(
            n_workers=jobs, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
        )
        return stack.enter_context(cluster)


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


#: Those of clusters, which may run elsewhere already.
CLUSTERS = {"dask": dask_cluster, "ray": ray_cluster}
BACKENDS = ("threads", "loky", *CLUSTERS)


@contextlib.contextmanager
def workers_of(backend: str, jobs: int, address: str | None = None) -> Iterator[Workers]:
    """Workers while the block runs: with `address` those of a cluster that runs already, else new ones here.

    Raises:
        UsageError: an unknown backend, one that is not installed, or no answer at the address.
    """
    if backend not in BACKENDS:
        raise UsageError(unknown("backend", backend, BACKENDS))
    if address and backend not in CLUSTERS:
        raise UsageError(f"--address: a scheduler goes with --backend {' or '.join(CLUSTERS)}, not {backend}")
    if backend == "threads":
        yield Threads(jobs)
        return
    cluster = CLUSTERS[backend](jobs, address) if backend in CLUSTERS else contextlib.nullcontext()
    with cluster, Processes(backend, jobs) as workers:
        yield workers
