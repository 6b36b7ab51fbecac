"""Event files for TensorBoard: the same figures as in the log."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from evolve.monitoring.metrics import Progress
from rulebots.errors import optional_module
from rulebots.files import OutputError


@contextlib.contextmanager
def event_files(folder: Path) -> Iterator[Callable[[Progress], None]]:
    """A function to call after each generation. Raises UsageError without tensorboardX, the function OutputError."""
    writers = optional_module("tensorboardX", "tensorboard", "--tensorboard")
    with writers.SummaryWriter(str(folder / "tensorboard")) as writer:

        def write(progress: Progress) -> None:
            figures = {f"win_rate/{name}": getattr(progress, name) for name in ("best", "mean", "training")}
            figures |= {f"baselines/{name}": rate for name, rate in progress.metrics.baselines.items()}
            figures |= {"games_a_second": progress.games_a_second, "spread": progress.metrics.spread}
            try:
                for name, figure in figures.items():
                    writer.add_scalar(name, figure, progress.generation)
                writer.flush()
            except OSError as error:
                raise OutputError(f"cannot write '{folder / 'tensorboard'}': {error.strerror or error}") from None

        yield write
