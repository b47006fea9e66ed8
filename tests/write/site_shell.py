"""The shell of this repository's own site, built once for all tests that need it."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from generator.write.site.shell import Shell, build_shell
from tests.write.site_samples import HUB

SITE = Path(__file__).parents[2]
"""The folder that holds ``mkdocs.yml`` and ``site_src``."""


@cache
def sample_shell() -> Shell:
    """The shell for :data:`HUB`."""
    with tempfile.TemporaryDirectory() as work_dir:
        return build_shell(SITE, HUB, Path(work_dir))
