"""The hubs and the processes that the tests of ``router.js`` share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from generator.write.layout import Layout
from tests.serve.js.hubs import Pair, build_ruled_hub, write_wide_hub
from tests.serve.js.programs import Node


@pytest.fixture(scope="session")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """The sample hub with all protocols."""
    root = tmp_path_factory.mktemp("wide")
    write_wide_hub(root / "packed", Layout.PACKED)
    write_wide_hub(root / "exploded", Layout.EXPLODED)
    return Pair(root / "packed", root / "exploded")


@pytest.fixture(scope="session")
def ruled(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A hub of the real command, with an operator's decisions."""
    root = tmp_path_factory.mktemp("ruled")
    return Pair(
        build_ruled_hub(root / "packed", Layout.PACKED), build_ruled_hub(root / "exploded", Layout.EXPLODED)
    )


@pytest.fixture(scope="session")
def node() -> Iterator[Node]:
    """One Node process for all questions."""
    process = Node.start()
    yield process
    process.stop()
