"""Types of arrays, and records with their dtypes: zeroed ones, ones with more fields, and names of fields."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError, demand

#: Docstrings and comments give the shapes.
Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]
#: Records are padded to a multiple of this many bytes.
WORD = 8
#: The most bytes of a record: thousands of games are played at once, and each has one.
MOST_BYTES = 2**24


def records(dtype: np.dtype[Any], count: int, values: Any = None) -> Any:
    """`count` zeroed records, or `values` as records; their elements give the fields as attributes."""
    # Not a recarray: its attribute look-up runs Python code, in which Numba loses a Ctrl-C.
    record = np.dtype((np.record, dtype))
    return np.zeros(count, record) if values is None else np.array(values, record)


def extended(record: np.dtype[Any], fields: npt.DTypeLike) -> np.dtype[Any]:
    """A dtype that begins as `record` does, byte for byte, followed by `fields`.

    Raises:
        UsageError: a name that exists already or cannot be a field's, or fields that NumPy does not accept.
    """
    more = fields_of(fields)
    names = [*(record.names or ()), *(name for name, _ in more)]
    for name in names:
        demand(names.count(name) == 1, f"a field '{name}' exists already: choose another name")
    if not more:
        return record
    known: Mapping[str, Any] = record.fields or {}
    formats = [known[name][0] for name in record.names or ()]
    offsets = [known[name][1] for name in record.names or ()]
    end = record.itemsize
    for _, kind in more:
        end = -(-end // kind.alignment) * kind.alignment
        formats.append(kind)
        offsets.append(end)
        end += kind.itemsize
    layout = {"names": names, "formats": formats, "offsets": offsets, "itemsize": -(-end // WORD) * WORD}
    return np.dtype(layout, align=record.isalignedstruct)  # type: ignore[call-overload]  # NumPy takes it


def widened(view: Any, record: np.dtype[Any]) -> Any:
    """A record of an `extended` dtype that begins with this view; the other fields are 0."""
    wide = records(record, 1)
    wide.view(np.uint8)[: view.dtype.itemsize] = np.frombuffer(view.tobytes(), np.uint8)
    return wide[0]


def fields_of(fields: npt.DTypeLike) -> list[tuple[str, np.dtype[Any]]]:
    """Fields as (name, dtype), from a dtype or from what NumPy makes one of, such as [("near", np.int32)]; [] for none.

    Raises:
        UsageError: NumPy does not accept them, an attribute of NumPy's, such as `size`, would hide one of them, one
            holds no numbers, which compiled code cannot use, or they take more than `MOST_BYTES`.
    """
    if isinstance(fields, Sequence) and not fields:
        return []
    try:
        layout = np.dtype(fields)
    except (TypeError, ValueError) as error:
        raise UsageError(f'expected fields such as [("near", np.int32)], not {fields!r}: {error}') from None
    if layout.names is None or layout.fields is None:
        raise UsageError(f'expected fields such as [("near", np.int32)], not {fields!r}')
    for name in layout.names:
        demand(
            not hasattr(np.void, name),
            f"'{name}' is an attribute of NumPy's records and would hide the field: choose another name",
        )
        kind = layout.fields[name][0].base
        demand(kind.kind not in "OSUMm", f"expected a field of numbers as '{name}', not {kind}")
    listed = [(name, layout.fields[name][0]) for name in layout.names]
    if layout.itemsize > MOST_BYTES:
        name, kind = max(listed, key=lambda field: field[1].itemsize)
        raise UsageError(
            f"expected at most {MOST_BYTES // 2**20} MB, not {layout.itemsize / 2**20:,.0f} MB, "
            f"of which the field '{name}' takes {kind.itemsize / 2**20:,.0f}"
        )
    return listed
