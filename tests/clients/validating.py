"""The Agent Skills reference validator, on folders that installers left."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.conftest import require
from tests.deps import clients
from tests.hubs import minimal_environment


def check_valid(folder: Path) -> None:
    """Fail where ``agentskills validate`` refuses an installed skill."""
    require("installers")
    done = subprocess.run(
        [clients.AGENTSKILLS, "validate", folder],
        env=minimal_environment(folder.parent), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, f"{folder.name}: {done.stdout}{done.stderr}"
