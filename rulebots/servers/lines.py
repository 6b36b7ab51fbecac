"""Bytes that come in pieces, as lines."""

from __future__ import annotations

from rulebots.protocols.protocol import LineTooLong, ProtocolError

#: Bytes of a line without an end that are shown.
_SHOWN = 40


class Lines:
    """Cuts what comes into lines; memory stays below the longest line and one piece.

    Lines end in LF or CR LF. What is not UTF-8 is a breach of every protocol here.
    """

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self._rest = bytearray()
        self._searched = 0

    def feed(self, data: bytes) -> None:
        """Take what has come."""
        self._rest += data

    @property
    def begun(self) -> str:
        """How a line begins whose end has not come; empty for none."""
        return self._rest[:_SHOWN].decode("utf-8", "replace")

    def next(self) -> str | None:
        """The next whole line, without its end; None if there is none yet.

        Raises:
            LineTooLong: it is that. ProtocolError: it is not UTF-8; the lines after it can be read.
        """
        end = self._rest.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._rest)
        if (len(self._rest) if end < 0 else end) > self.longest:
            raise LineTooLong(self.longest)
        if end < 0:
            return None
        line = bytes(self._rest[:end])
        del self._rest[: end + 1]
        self._searched = 0
        try:
            return line.decode("utf-8").removesuffix("\r")
        except UnicodeDecodeError:
            raise ProtocolError(f"sent {line[:20]!r}: expected text in UTF-8") from None
