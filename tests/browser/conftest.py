"""A server of the page for each test that asks for one, and one with a browser for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Browser
from page_client import Site, serving


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with serving(tmp_path) as found:
        yield found


@pytest.fixture(scope="module")
def module_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("served")) as found:
        yield found


@pytest.fixture(scope="module")
def opened(module_site: Site) -> Iterator[Browser]:
    found = Browser(module_site)
    yield found
    found.driver.quit()


@pytest.fixture
def browser(opened: Browser) -> Iterator[Browser]:
    opened.wide(1280)
    yield opened
    assert opened.elsewhere() == []
    # That an answer is a refusal is a line of the browser's own.
    assert [line for line in opened.complaints() if "status of 422" not in line] == []
