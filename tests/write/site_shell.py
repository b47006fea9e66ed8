"""The shell of this repository's own site, built once for all tests that need it."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from generator.judge.profiles import load_profiles
from generator.model import Catalog, PublishedSkill, Route
from generator.write.site.lists import hub_pages
from generator.write.site.pages import skill_page
from generator.write.site.shell import Shell, build_shell
from tests.write.site_samples import HUB

SITE = Path(__file__).parents[2]
"""The folder that holds ``mkdocs.yml`` and ``site_src``."""


@cache
def sample_shell() -> Shell:
    """The shell for :data:`HUB`."""
    with tempfile.TemporaryDirectory() as work_dir:
        return build_shell(SITE, HUB, Path(work_dir))


def make_page(skill: PublishedSkill, neighbours: Mapping[str, str] | None = None) -> Route:
    """The skill's page in the sample shell."""
    return skill_page(sample_shell(), skill, load_profiles(), neighbours)


def make_hub_pages(catalog: Catalog) -> tuple[Route, ...]:
    """Every page of a catalogue in the sample shell."""
    return hub_pages(sample_shell(), catalog, load_profiles())
