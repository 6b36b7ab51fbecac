"""A server of the page for each test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from page_client import Site, serving


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with serving(tmp_path) as found:
        yield found
