"""One Node for all tests of search."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.search.node import NodeSearch


@pytest.fixture(scope="session")
def node() -> Iterator[NodeSearch]:
    """``search.js`` in real Node."""
    process = NodeSearch.start()
    yield process
    process.close()
