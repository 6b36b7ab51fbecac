"""What a command printed, whatever had to be compiled: the lines that announce that are no part of the promise."""

from __future__ import annotations

import re


def without_compiling(printed: str) -> str:
    """The text without the lines that say what is being compiled."""
    return re.sub(r"^compiling .*\n", "", printed, flags=re.MULTILINE)
