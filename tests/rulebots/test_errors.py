"""Messages are one line, whatever came."""

from __future__ import annotations

import pytest

from rulebots.errors import unknown


@pytest.mark.parametrize("name", ["t\rictactoe", "t\x0btoe", "\x85ga", "a\u2028b", "two\nlines", "x" * 10_000])
def test_whatever_the_name_holds_the_message_is_one_short_line(name: str) -> None:
    for known in (["tictactoe", "ga"], []):
        line = unknown("game", name, known)
        assert len(line.splitlines()) == 1
        assert len(line) < 200
