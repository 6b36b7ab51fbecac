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
    with pytest.raises(
        UsageError, match=r"a picture: matplotlib is not installed; in the checkout, pip install '.\[plot\]'"
    ):
        drawing.need_matplotlib()


@pytest.mark.slow
def test_the_same_figure_gives_the_same_bytes() -> None:
    def drawn(ending: str) -> bytes:
        with drawing.styled():
            figure = drawing.new_figure(3, 2)
            figure.subplots().plot([1, 2, 3])
            return drawing.picture_bytes(figure, ending)

    for ending in ("png", "svg"):
        assert drawn(ending) == drawn(ending)


#: What colours become for those who lack one kind of cone, in linear RGB (Machado, Oliveira and Fernandes 2009).
SEEN = {
    "all": np.eye(3),
    "no red": [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]],
    "no green": [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]],
    "no blue": [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]],
}


@pytest.mark.parametrize("eye", SEEN)
def test_colours_stay_apart_for_the_colour_blind(eye: str) -> None:
    """In CIELAB, where 2.3 is just seen."""
    colours = (drawing.FIRST, drawing.SECOND, drawing.THIRD, drawing.FAINT, drawing.WARNING)
    for one, other in itertools.combinations([lab(colour, SEEN[eye]) for colour in colours], 2):
        assert np.linalg.norm(one - other) > 15


def lab(colour: str, seen: np.typing.ArrayLike) -> np.ndarray:
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.clip(seen @ np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4), 0, 1)
    xyz = np.array([[0.4339, 0.3762, 0.1899], [0.2127, 0.7152, 0.0722], [0.0178, 0.1095, 0.8728]]) @ linear
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("last", [1, 2, 3, 7, 50, 2000])
def test_generations_are_marked_in_whole_numbers(last: int) -> None:
    with drawing.styled():
        axes = drawing.new_figure(9, 5).subplots()
        axes.plot(range(1, last + 1), range(last))
        drawing.count_generations(axes)
        low, high = axes.get_xlim()
        marks = [mark for mark in axes.get_xticks() if low <= mark <= high]
        assert marks
        assert all(mark == int(mark) for mark in marks)
