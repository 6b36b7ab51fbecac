"""What can be wrong with a ladder file."""

from __future__ import annotations

from rulebots.errors import FileError


class LadderError(FileError):
    """A file that is no ladder, or one whose tournament does not come out again."""
