"""What can be wrong with a ladder file."""

from __future__ import annotations

from rulebots.errors import FileError


class LadderError(FileError):
    """A file is not a ladder, or its tournament gives other results when it is played again."""
