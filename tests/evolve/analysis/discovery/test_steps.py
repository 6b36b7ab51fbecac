"""Steps of a search: done once, found again by an equal search, and removed."""

from __future__ import annotations

from evolve.analysis.discovery.steps import Steps


def test_a_step_is_done_once_for_an_identity() -> None:
    done: list[int] = []

    def work() -> int:
        done.append(1)
        return len(done)

    steps = Steps(("a search", 1))
    assert not steps.begun
    assert [steps("one", work), steps("one", work), steps("two", work)] == [1, 1, 2]
    again = Steps(("a search", 1))
    assert again.begun
    assert again("one", work) == 1
    assert Steps(("a search", 2))("one", work) == 3
    again.forget()
    assert Steps(("a search", 1))("one", work) == 4
    for number in (1, 2):
        Steps(("a search", number)).forget()


def test_a_damaged_step_is_done_again(recwarn) -> None:
    steps = Steps("damaged")
    assert steps("one", lambda: 1) == 1
    for path in steps.folder.rglob("output.pkl"):
        path.write_bytes(path.read_bytes()[:5])
    assert Steps("damaged")("one", lambda: 2) == 2
    steps.forget()


def test_without_an_identity_nothing_is_kept() -> None:
    steps = Steps()
    assert (steps.folder, steps.begun) == (None, False)
    assert [steps("one", lambda: 1), steps("one", lambda: 2)] == [1, 2]
    steps.forget()
