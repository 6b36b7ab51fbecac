"""One look for every picture."""

from __future__ import annotations

import itertools
import sys

import numpy as np
import pytest

from rulebots.errors import UsageError
from rulebots.output import figures as drawing


@pytest.mark.parametrize(
    ("lowest", "highest", "ends"),
    [
        (41.0, 83.0, (40, 85)),
        (40.0, 85.0, (35, 90)),
        (99.5, 100.0, (90, 101)),
        (0.0, 2.0, (-1, 10)),
        (50, 50, (45, 55)),
    ],
)
def test_an_axis_holds_its_bands(lowest: float, highest: float, ends: tuple[float, float]) -> None:
    low, high = drawing.percent_limits(lowest, highest)
    assert (low, high) == ends
    assert low <= lowest
    assert highest <= high


def test_labels_do_not_meet() -> None:
    for wanted in ([1.0, 1.0, 1.0], [0.0, 9.9, 10.0], [5.0], [], [0.0, 0.1, 10.0, 10.0]):
        places = drawing.spaced(wanted, 1.0, 0.0, 10.0)
        assert len(places) == len(wanted)
        assert all(later - place >= 0.999 for place, later in itertools.pairwise(places))
        assert all(0 <= place <= 10.001 for place in places)


def test_small_weights_have_room_beside_large_ones() -> None:
    assert drawing.linear_weight(np.array([[0.0, 0.3, -0.6, 100.0]])) == pytest.approx(0.2)
    assert drawing.linear_weight(np.zeros((2, 3))) == 1.0


def test_a_scale_of_weights_is_marked_by_powers_of_ten() -> None:
    assert drawing.weight_ticks(np.array([0.3, -0.6, 100.0])) == [-100, -10, -1, 0, 1, 10, 100]
    assert drawing.weight_ticks(np.array([0.3, 0.31])) == [-0.3, 0, 0.3]
    assert drawing.weight_ticks(np.zeros(3)) == [0]


def test_without_matplotlib_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match=r"a picture: matplotlib is not installed; pip install 'rulebots\[plot\]'"):
        drawing.need_matplotlib()


@pytest.mark.slow
def test_the_same_figure_gives_the_same_bytes() -> None:
    def drawn(ending: str) -> bytes:
        with drawing.styled():
            figure = drawing.new_figure(3, 2)
            figure.subplots().plot([1, 2, 3])
            return drawing.picture_bytes(figure, ending)

    for ending in drawing.FORMATS:
        assert drawn(ending) == drawn(ending)
