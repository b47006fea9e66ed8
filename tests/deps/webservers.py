"""nginx and Caddy from Debian's packages, unpacked into ``.testdeps/webservers`` and not installed; and the engine that
Netlify applies redirects with.

Nothing of Debian's packages runs, no service starts, and no root is needed. apt proves the packages' signatures. The
libraries they need are those of every Debian 12; whoever lacks one is told so by the program itself.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.deps.install import DEPS, InstallError, Part, _fresh_folder, _need_program, _run, npm_part

FOLDER = DEPS / "webservers"
PACKAGES = ("nginx", "caddy")
NGINX = FOLDER / "usr" / "sbin" / "nginx"
CADDY = FOLDER / "usr" / "bin" / "caddy"
PRESENT = (NGINX, CADDY)
NETLIFY = DEPS / "netlify-redirector" / "node_modules" / "netlify-redirector"


def parts() -> tuple[Part, ...]:
    """Both, of the group ``webservers``."""
    debian = Part(
        name="webservers",
        group="webservers",
        made_from=(" ".join(PACKAGES).encode(),),
        present=PRESENT,
        make=_make,
    )
    return (debian, npm_part("netlify-redirector", "webservers", (NETLIFY / "package.json",)))


def _make() -> None:
    for program in ("apt-get", "dpkg-deb"):
        _need_program(program, f"The web servers come from Debian's packages: {', '.join(PACKAGES)}.")
    with tempfile.TemporaryDirectory() as scratch, _fresh_folder(FOLDER) as folder:
        try:
            _run(["apt-get", "--quiet", "download", *PACKAGES], "the web servers", cwd=Path(scratch))
        except InstallError as error:
            raise InstallError(f"{error}\nRun `apt-get update` once as root and try again.") from None
        for package in sorted(Path(scratch).glob("*.deb")):
            _run(["dpkg-deb", "--extract", str(package), str(folder)], package.name)
