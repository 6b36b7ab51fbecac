"""Event files for TensorBoard, beside the log: the same figures for those who have it open anyway."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from evolve.monitoring.metrics import Progress
from rulebots.errors import UsageError
from rulebots.files import OutputError


@contextlib.contextmanager
def event_files(folder: Path) -> Iterator[Callable[[Progress], None]]:
    """A function to call after each generation. Raises UsageError without tensorboardX, the function OutputError."""
    try:
        from tensorboardX import SummaryWriter
    except ImportError:
        raise UsageError("--tensorboard: it needs tensorboardX; pip install 'rulebots[tensorboard]'") from None
    with SummaryWriter(str(folder / "tensorboard")) as writer:

        def write(progress: Progress) -> None:
            figures = {f"win_rate/{name}": getattr(progress, name) for name in ("best", "mean", "training")}
            figures |= {f"null_players/{name}": rate for name, rate in progress.vitals.nulls.items()}
            figures |= {"games_a_second": progress.games_a_second, "spread": progress.vitals.spread}
            try:
                for name, figure in figures.items():
                    writer.add_scalar(name, figure, progress.generation)
                writer.flush()
            except OSError as error:
                raise OutputError(f"cannot write '{folder / 'tensorboard'}': {error.strerror or error}") from None

        yield write
