"""Dask workers: a local cluster, or a scheduler that runs already and has workers on other machines."""

from __future__ import annotations

import contextlib
import logging
import signal
import warnings
from collections.abc import Iterator
from typing import Any

from evolve.signals import blocked
from rulebots.errors import UsageError
from rulebots.files.extras import optional_module

#: Seconds to wait for the workers of a scheduler that has none.
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
