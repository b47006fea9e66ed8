"""The sample hub, written once a session in both layouts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from starlette.applications import Starlette

from generator.model import Route
from generator.serve.app import create_app
from generator.write.layout import Layout
from tests.golden.samples import write_hub


@dataclass(frozen=True, slots=True)
class Hubs:
    """The same hub, packed and exploded, with every route it has."""

    packed: Path
    exploded: Path
    routes: tuple[Route, ...]


@pytest.fixture(scope="session")
def hubs(tmp_path_factory: pytest.TempPathFactory) -> Hubs:
    root = tmp_path_factory.mktemp("hubs")
    routes = write_hub(root / "packed", Layout.PACKED)
    write_hub(root / "exploded", Layout.EXPLODED)
    return Hubs(root / "packed", root / "exploded", tuple(routes))


@pytest.fixture(scope="session")
def app(hubs: Hubs) -> Starlette:
    return create_app(hubs.packed)


@pytest.fixture(scope="session")
def exploded_app(hubs: Hubs) -> Starlette:
    return create_app(hubs.exploded)
