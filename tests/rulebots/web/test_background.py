"""Work in threads of its own."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from rulebots.errors import UsageError
from rulebots.web.background import BackgroundWork


@dataclass
class Failing(BackgroundWork):
    error_of_work: Exception | None = None
    order: list[str] = field(default_factory=list)

    def work(self) -> None:
        self.order.append("work")
        if self.error_of_work is not None:
            raise self.error_of_work


@pytest.mark.parametrize(
    ("error", "fault"),
    [(None, ""), (UsageError("not so"), "not so"), (KeyError("a bug"), "a bug")],
)
def test_work_ends_with_what_follows_from_it_and_a_line_for_a_fault(error: Exception | None, fault: str) -> None:
    work = Failing(error)
    work.start(then=lambda: work.order.append(f"then, {'done' if work.done.is_set() else 'not done'}"))
    assert work.done.wait(10)
    assert work.order == ["work", "then, not done"]
    assert fault in work.fault
    assert str(work.error or "") == work.fault
    assert "\n" not in work.fault
    assert work.version == 1
