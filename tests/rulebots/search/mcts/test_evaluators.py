"""Search with an evaluator written in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from played_positions import after
from search_positions import GAME, start

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.settings import SearchSettings


class Teacher:
    """An evaluator that rates a position by who has the centre, and records the sizes of its batches."""

    def __init__(self) -> None:
        self.centre = start(GAME).read("1,1")
        self.sizes: list[int] = []

    def __call__(self, states: Any) -> tuple[Any, Any]:
        self.sizes.append(len(states))
        owners = states["board"][:, self.centre]
        values = np.where(owners == 0, 0.0, np.where(owners == states["mover"] + 1, 0.9, -0.9))
        return values, np.ones((len(states), GAME.move_count))


def test_a_python_evaluator_is_asked_about_batches_of_positions() -> None:
    teacher = Teacher()
    result = Search(GAME, SearchSettings(iterations=100, batch=5), evaluator=teacher).run(start(GAME), 1)
    assert result.simulations == 100
    assert result.move == teacher.centre
    assert result.value > 0.5
    assert max(teacher.sizes) == 5
    assert np.mean(teacher.sizes) > 2
    again = Search(GAME, SearchSettings(iterations=100, batch=5), evaluator=Teacher()).run(start(GAME), 1)
    assert again.visits.tolist() == result.visits.tolist()


def test_no_position_waits_twice_and_none_that_is_over_is_asked_about() -> None:
    def evaluator(states: Any) -> tuple[Any, None]:
        assert len({state.tobytes() for state in states}) == len(states)
        assert not any(Position.of(GAME, state).over for state in states)
        states["board"] = 1  # what it is given is its own
        return np.zeros(len(states)), None

    late = after(start(GAME), "0,0", "1,1", "0,1", "0,2", "2,0")
    assert Search(GAME, SearchSettings(iterations=300), evaluator=evaluator).run(late, 1).proven.any()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (([0.0, 0.0], None), r"expected values of shape \(1,\) from -1 to 1, not shape \(2,\)"),
        (np.zeros(1), r"expected a pair \(values, priors\), not ndarray"),
        (None, "expected a pair .*, not NoneType"),
        (([1.5], None), "from 1.5 to 1.5"),
        (([np.nan], None), "from nan"),
        (([0.0], np.ones((1, 3))), r"expected priors of shape \(1, \d+\), finite and not negative, not shape \(1, 3\)"),
        (([0.0], np.full((1, GAME.move_count), -1.0)), "from -1"),
    ],
    ids=str,
)
def test_an_evaluator_that_returns_something_wrong_is_told_so(answer: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Search(GAME, SearchSettings(iterations=10), evaluator=lambda states: answer).run(start(GAME), 1)


def test_after_an_evaluators_error_the_search_begins_with_a_new_tree() -> None:
    teacher, broken = Teacher(), [False]

    def evaluator(states: Any) -> tuple[Any, Any]:
        if broken[0]:
            raise KeyError("model")
        return teacher(states)

    search = Search(GAME, SearchSettings(iterations=50), evaluator=evaluator)
    first = search.run(start(GAME), 1)
    broken[0] = True
    with pytest.raises(KeyError, match="model"):
        search.run(after(start(GAME), *first.line[:2]), 1)
    broken[0] = False
    assert search.run(start(GAME), 1).visits.tolist() == first.visits.tolist()
