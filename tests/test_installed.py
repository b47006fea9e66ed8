"""Versions of installed libraries."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from generator.build.recipe import RENDERERS
from generator.installed import installed_versions
from generator.write.site.shell_cache import MAKERS


@pytest.mark.parametrize("name", sorted({*RENDERERS, *MAKERS}))
def test_versions_are_those_of_importlib(name: str) -> None:
    assert installed_versions([name]) == (version(name),)


def test_what_is_not_installed_is_missing() -> None:
    assert installed_versions(["no-such-distribution", "jinja2"])[0] == "missing"
