"""A tournament as a picture."""

from __future__ import annotations

import pytest

from rulebots.tournaments.picture import picture
from rulebots.tournaments.tournament import Tournament


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_picture_is_drawn_and_the_same_each_time(played: Tournament, ending: str) -> None:
    drawn = picture(played, ending, "a title")
    assert drawn.startswith({"png": b"\x89PNG", "svg": b"<?xml"}[ending])
    assert drawn == picture(played, ending, "a title")
