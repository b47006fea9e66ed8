"""Fixtures every folder of tests may use: hubs built and served through the real command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.deps import install
from tests.hubs import LiveHub

MakeHub = Callable[..., LiveHub]


def require(group: str) -> None:
    """Fail, never skip, where what the tests of ``group`` use is not installed."""
    gone = install.missing(group)
    if gone:
        command = "make extended" if group == install.EXTENDED else "make test"
        pytest.fail(f"not installed: {', '.join(gone)}; run `{command}`", pytrace=False)


@pytest.fixture(scope="session")
def make_hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeHub]:
    """A function that makes an empty hub folder; whatever it serves ends with the test session."""
    made: list[LiveHub] = []

    def make(name: str, *, layout: str = "packed", base: str = "", naming: str = "index.html") -> LiveHub:
        folder: Path = tmp_path_factory.mktemp(name)
        hub = LiveHub(folder=folder, layout=layout, base=base, naming=naming)
        made.append(hub)
        return hub

    yield make
    for hub in made:
        hub.stop()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests made to be read, such as the table of agreement; through workers too."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, text in getattr(report, "user_properties", ()):
                if name == "printed" and getattr(report, "when", "") == "call":
                    terminalreporter.section(report.nodeid)
                    terminalreporter.write_line(str(text))
