"""nginx and Caddy from Debian's packages, unpacked into ``.testdeps/webservers`` without installing them.

    python -m tests.deps.webservers

Nothing of the packages runs, no service starts, and no root is needed. apt proves the packages' signatures. The
libraries they need are those of every Debian 12; whoever lacks one is told so by the program itself.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent.parent / ".testdeps" / "webservers"
PACKAGES = ("nginx", "caddy")
NGINX = FOLDER / "usr" / "sbin" / "nginx"
CADDY = FOLDER / "usr" / "bin" / "caddy"
PRESENT = (NGINX, CADDY)


class WebserversError(Exception):
    """The packages could not be fetched; the message says what to do."""


def make() -> None:
    """Fetch and unpack both.

    Raises:
        WebserversError: apt or dpkg is missing, or the packages are.
    """
    for program in ("apt-get", "dpkg-deb"):
        if shutil.which(program) is None:
            raise WebserversError(f"{program} is not on PATH. The web servers come from Debian's packages.")
    new = FOLDER.with_name("webservers.new")
    shutil.rmtree(new, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        _run(["apt-get", "--quiet", "download", *PACKAGES], scratch)
        for package in sorted(Path(scratch).glob("*.deb")):
            _run(["dpkg-deb", "--extract", str(package), str(new)], scratch)
    shutil.rmtree(FOLDER, ignore_errors=True)
    new.rename(FOLDER)


def _run(command: list[str], folder: str) -> None:
    done = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600
    )
    if done.returncode:
        raise WebserversError(
            f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[-1000:]} "
            "Run `apt-get update` once as root and try again."
        )


if __name__ == "__main__":
    make()
