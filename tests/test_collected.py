"""Every test there is, is run: pytest passes over folders with certain names unless it is told otherwise."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


def test_no_folder_with_tests_is_passed_over(pytestconfig: pytest.Config) -> None:
    passed_over = pytestconfig.getini("norecursedirs")
    folders = {part for file in TESTS.rglob("test_*.py") for part in file.relative_to(TESTS).parts[:-1]}
    assert {name for name in folders if any(fnmatch(name, pattern) for pattern in passed_over)} == set()
    assert "build" in folders
