"""What every benchmark shares: where things stand, the machine it ran on, and a table of figures with their targets."""

from __future__ import annotations

import os
import platform
import resource
import sys
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent


def program(name: str, checkout: Path | None = None) -> Path:
    """A command as installed for the Python that runs this, or in the environment `.venv` of another checkout."""
    return Path(sys.executable).parent / name if checkout is None else checkout / ".venv" / "bin" / name


def machine() -> str:
    """One line: processor, cores, and the versions that decide the speed. Imports none of them."""
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("numpy", "numba"))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"machine: {_processor()}, {cores} cores; Python {platform.python_version()}, {versions}"


def peak_memory() -> int:
    """The most memory that this process has had, in bytes."""
    status = Path("/proc/self/status")
    if status.exists():  # Linux counts in `ru_maxrss` what the process that started this one had by then
        found = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmHWM"))
        return int(found.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return f"{line.split(':', 1)[1].strip()} ({platform.machine()})"
    return platform.processor() or platform.machine()


@dataclass
class Figures:
    """A table of figures, each with its target, if it has one."""

    title: str
    rows: list[tuple[str, str, str, str]] = field(default_factory=list)

    def add(self, what: str, figure: str, target: str = "", *, met: bool | None = None) -> None:
        """A figure as text; with a target, say whether it is met."""
        self.rows.append((what, figure, target, "" if met is None else "met" if met else "NOT MET"))

    def show(self) -> None:
        """Print the table and the machine."""
        rows = [("", "figure", "target", ""), *self.rows]
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        print(self.title)
        for what, figure, target, verdict in rows:
            line = f"  {what:<{widths[0]}}  {figure:>{widths[1]}}  {target:<{widths[2]}}  {verdict}"
            print(line.rstrip())
        print(machine(), flush=True)


def percent(share: float, interval: tuple[float, float]) -> str:
    """A share with its 95 % interval."""
    low, high = (100 * end for end in interval)
    return f"{100 * share:.1f} % ({low:.1f} to {high:.1f})"
