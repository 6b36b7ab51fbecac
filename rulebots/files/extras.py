"""Optional packages, which `pip install 'rulebots[EXTRA]'` brings."""

from __future__ import annotations

import importlib
from typing import Any

from rulebots.errors import UsageError


def optional_module(module: str, extra: str, flag: str) -> Any:
    """Import a module of an extra that the user asked for by a flag. Raises UsageError where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise UsageError(f"{flag}: {package} is not installed; pip install 'rulebots[{extra}]'") from None
