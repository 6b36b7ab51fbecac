"""Results as HTML tables for notebooks, and as pandas tables."""

import html
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rulebots.errors import optional_module


def html_table(headings: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table in HTML, numbers as they are given; every text is escaped."""
    head = "".join(f"<th>{html.escape(heading)}</th>" for heading in headings)
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def data_frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Rows as a `pandas.DataFrame`, a column for each key; of a pair `NAME_95` columns `NAME_low` and `NAME_high`.

    Raises:
        UsageError: pandas is not installed.
    """
    pandas = optional_module("pandas", "pandas", "to_pandas")
    return pandas.DataFrame([dict(itertools.chain.from_iterable(map(_columns, row, row.values()))) for row in rows])


def _columns(name: str, value: Any) -> list[tuple[str, Any]]:
    if not name.endswith("_95"):
        return [(name, value)]
    low, high = (None, None) if value is None else value
    return [(f"{name[:-3]}_low", low), (f"{name[:-3]}_high", high)]
