"""What the page shows of a run: figures and curves from its log."""

from __future__ import annotations

from itertools import pairwise

from page_client import Site

from rulebots.web.chart import BOTTOM, HEIGHT, LEFT, MOST_POINTS, RIGHT, TOP, WIDTH, Series, sparks_of
from rulebots.web.runs.dashboard import MOST_STOPS, SPARK, _moved, course_chart


def test_a_damaged_log_is_no_dead_page(site: Site) -> None:
    folder = site.folder / "runs" / "cut"
    folder.mkdir(parents=True)
    (folder / "log.jsonl").write_text('{"event": "begin"\nnonsense\n')
    assert site.get("/runs").status == 200
    assert "does not say yet what is bred" in site.get("/runs/cut").text


def test_a_chart_has_a_point_for_each_generation_inside_its_edges() -> None:
    best = Series("best", [1, 2, 3], [0.42, 0.5, 0.58], [(0.4, 0.45), (0.45, 0.55), (0.5, 0.65)])
    chart = course_chart([best, Series("mean", [1, 2, 3], [0.4, 0.41, 0.45])])
    assert chart is not None
    points = [tuple(map(float, point.split(","))) for point in chart.curves[0][0].split()]
    xs, ys = zip(*points, strict=True)
    assert (xs[0], xs[-1]) == (LEFT, WIDTH - RIGHT)
    assert ys[0] > ys[1] > ys[2], "a higher rate stands higher"
    assert all(TOP <= y <= HEIGHT - BOTTOM for y in ys)
    assert len(chart.curves[0][1].split()) == 6
    assert chart.curves[1][1] == ""
    assert [label for _, label in chart.across] == ["1", "2", "3"]
    assert course_chart([Series("best", [1], [0.5])]) is None, "one generation is no curve"


def test_a_generation_can_be_pointed_at_and_says_its_values() -> None:
    best = Series("best", [1, 2, 4], [0.42, 0.5, 0.58], [(0.4, 0.45), (0.45, 0.55), (0.5, 0.65)])
    chart = course_chart([best, Series("other", [2, 3], [0.4, 0.41])])
    assert chart is not None
    assert [stop.x for stop in chart.stops] == [1, 2, 3, 4]
    assert chart.stops[1].lines == ["best 50.0 % (45.0 % to 55.0 %)", "other 40.0 %"]
    assert chart.stops[2].lines == ["other 41.0 %"]
    assert list(chart.stops[0].points) == [0]
    columns = [(stop.left, stop.left + stop.width) for stop in chart.stops]
    assert (columns[0][0], columns[-1][1]) == (LEFT, WIDTH - RIGHT), "no place of the chart is without values"
    assert all(abs(end - begin) < 0.2 for (_, end), (begin, _) in pairwise(columns))
    assert all(left <= stop.at <= right for stop, (left, right) in zip(chart.stops, columns, strict=True))


def test_marks_of_generations_are_whole_numbers_and_none_stands_twice() -> None:
    for last in (2, 3, 50):
        chart = course_chart([Series("best", range(1, last + 1), [0.5] * last)])
        assert chart is not None
        assert [label for _, label in chart.across] == [str(n) for n in sorted({1, (1 + last) // 2, last})]


def test_long_curves_are_thinned_and_keep_their_last_point() -> None:
    count = 3 * MOST_POINTS + 1
    chart = course_chart([Series("best", range(count), [0.5] * (count - 1) + [0.6])])
    assert chart is not None
    points = chart.curves[0][0].split()
    assert len(points) <= MOST_POINTS + 2
    assert float(points[-1].split(",")[0]) == WIDTH - RIGHT
    assert len(chart.stops) <= MOST_STOPS + 2
    assert chart.stops[-1].lines == ["best 60.0 %"]


def test_small_curves_share_a_scale_with_0_on_it() -> None:
    curves = [curve.split() for curve in sparks_of([[1.0, 3.0], [0.0, 0.0]], *SPARK)]
    rising, flat = ([float(point.split(",")[1]) for point in curve] for curve in curves)
    assert rising[1] == 2.0, "the largest value stands at the top"
    assert flat == [SPARK[1] - 2] * 2, "0 at the bottom"
    assert sparks_of([[0.0]], *SPARK) == ("1.0,24.0",), "0 at the bottom, of one point too"


def test_a_rule_whose_weights_stand_where_they_stood_has_not_moved() -> None:
    before, now = [[1.0, -6.081], [2.0, 3.0]], [[1.5, -6.0811], [2.0, 3.0]]
    (moved,) = _moved(["a", "b"], [before, now])
    assert (moved["rule"], moved["before"], moved["now"]) == ("a", (1.0, 2.0), (1.5, 2.0))
    assert _moved(["a", "b"], [before, before]) == []
