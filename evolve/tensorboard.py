"""Event files for TensorBoard, beside the log: the same figures for those who have it open anyway."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from evolve.progress import Progress
from rulebots.game import UsageError


@contextlib.contextmanager
def event_files(folder: Path) -> Iterator[Callable[[Progress], None]]:
    """A function to call after each generation. Raises UsageError without tensorboardX."""
    try:
        from tensorboardX import SummaryWriter
    except ImportError:
        raise UsageError("--tensorboard: it needs tensorboardX; pip install 'rulebots[tensorboard]'") from None
    with SummaryWriter(str(folder / "tensorboard")) as writer:

        def write(progress: Progress) -> None:
            for name in ("best", "mean", "training"):
                writer.add_scalar(f"win_rate/{name}", getattr(progress, name), progress.generation)
            for name, rate in progress.vitals.nulls.items():
                writer.add_scalar(f"null_players/{name}", rate, progress.generation)
            writer.add_scalar("games_a_second", progress.games_a_second, progress.generation)
            writer.add_scalar("spread", progress.vitals.spread, progress.generation)
            writer.flush()

        yield write
