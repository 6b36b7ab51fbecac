"""What the next roll of Can't Stop may bring, against counting."""

from __future__ import annotations

import naive_cant_stop as naive
import pytest

from rulebots.games.cant_stop.facts import BUST, GAIN, VALUE

# --- chances of the next roll, against counting


@pytest.mark.parametrize(("sides", "columns"), [(6, (7,)), (6, (2, 3, 12)), (6, (6, 7, 8)), (4, (2, 5)), (2, (3,))])
def test_how_likely_a_roll_fits_nowhere(sides: int, columns: tuple[int, ...]) -> None:
    missed = sum(
        count
        for dice, count in naive.rolls(sides).items()
        if not any(column in pair for pair in naive.pairings(dice) for column in columns)
    )
    assert BUST[sides, sum(1 << (column - 2) for column in columns)] == pytest.approx(missed / sides**4)


def test_published_chances_of_a_roll() -> None:
    """Of 1,296 rolls 834 bring a 7 and 171 a 2; 6, 7 and 8 miss 104, 2, 3 and 12 miss 729."""
    assert BUST[6, 1 << 5] * 1296 == pytest.approx(1296 - 834)
    assert BUST[6, 1] * 1296 == pytest.approx(1296 - 171)


@pytest.mark.parametrize(("sides", "columns"), [(6, (6, 7, 8)), (6, (2, 3, 12)), (5, (4, 6, 7)), (3, (2, 4))])
def test_what_a_roll_brings_on_average(sides: int, columns: tuple[int, ...]) -> None:
    total = sum(
        count
        * max(sum(abs(column - sides - 1) + 1 for column in pair if column in columns) for pair in naive.pairings(dice))
        for dice, count in naive.rolls(sides).items()
    )
    assert GAIN[sides, sum(1 << (column - 2) for column in columns)] == pytest.approx(total / sides**4)


def test_a_space_is_worth_what_the_rule_of_28_says() -> None:
    assert VALUE[6].tolist() == [6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 0]
