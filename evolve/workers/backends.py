"""Workers by the name of their backend."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from evolve.workers.base import Workers
from evolve.workers.dask import dask_cluster
from evolve.workers.processes import Processes
from evolve.workers.ray import ray_cluster
from evolve.workers.threads import Threads
from rulebots.errors import UsageError, unknown

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
