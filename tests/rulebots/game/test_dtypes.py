"""Records: fields as attributes, dtypes with more fields, and names that a field may not have."""

from __future__ import annotations

import numpy as np
import pytest

from rulebots.errors import UsageError
from rulebots.game.dtypes import extended, fields_of, records, widened

VIEW = np.dtype([("mover", np.int32), ("hand", np.int8, 3), ("luck", np.int64)], align=True)


def test_records_are_zero_and_their_elements_have_attributes() -> None:
    made = records(VIEW, 2)
    made[1].hand[:] = 1, 2, 3
    assert (made[0].hand.tolist(), made[1].hand.tolist(), int(made[1].luck)) == ([0, 0, 0], [1, 2, 3], 0)


def test_a_wider_record_begins_with_the_view_byte_for_byte() -> None:
    wide = extended(VIEW, [("near", np.float64), ("seen", np.bool_)])
    assert [wide.fields[name] for name in VIEW.names] == [VIEW.fields[name] for name in VIEW.names]
    assert (wide.itemsize % 8, wide.isalignedstruct) == (0, True)
    view = records(VIEW, 1)[0]
    view.mover, view.luck = 1, 2**40
    view.hand[:] = 7, 8, 9
    copied = widened(view, wide)
    assert (int(copied.mover), copied.hand.tolist(), int(copied.luck)) == (1, [7, 8, 9], 2**40)
    assert (float(copied.near), bool(copied.seen)) == (0.0, False)
    view.mover = 0
    assert int(copied.mover) == 1, "it is a copy"


def test_without_more_fields_the_record_is_the_same() -> None:
    assert extended(VIEW, []) is VIEW
    assert fields_of([]) == []


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ([("luck", np.int64)], "a field 'luck' exists already"),
        (
            [("near", np.int64), ("near", np.int8)],
            "expected fields such as .*, not .*: field 'near' occurs more than once",
        ),
        ([("size", np.int64)], "'size' is an attribute of NumPy's records"),
        ([("near", object)], "expected a field of numbers as 'near', not object"),
        ([("near", "U3")], "expected a field of numbers as 'near', not <U3"),
        (np.int64, "expected fields such as"),
        ("no such dtype", "expected fields such as"),
    ],
)
def test_fields_that_cannot_be_are_refused(fields: object, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        extended(VIEW, fields)  # type: ignore[arg-type]


def test_arrays_of_numbers_are_numbers() -> None:
    assert fields_of(VIEW) == [(name, VIEW[name]) for name in VIEW.names]
    with pytest.raises(UsageError, match="as 'when', not datetime64"):
        fields_of(np.dtype([("when", "M8[s]", 3)]))
