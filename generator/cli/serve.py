"""``skillpress serve``: look at a hub on this machine, or answer installers from a built one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import click

from generator.build.recipe import site_folder
from generator.build.run import build
from generator.build.summary import summary_lines
from generator.cli.options import default_jobs, hub_options, read_clock, show_progress
from generator.cli.printing import print_lines
from generator.config import CONFIG_NAME, Config, Options, load_config, local_roots
from generator.errors import ConfigError
from generator.jsondata import load_json
from generator.serve.reload import Reloader
from generator.serve.server import listen, run_server
from generator.write.publish import ROOT_DOCUMENT, WORK_FOLDER


@click.command()
@click.argument("folder", required=False, metavar="[DIR]")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes any free port."
)
@click.option("--no-build", is_flag=True, help="Serve DIR (default: public), a built hub, as it is.")
@hub_options
def command(
    folder: str | None,
    host: str,
    port: int,
    no_build: bool,
    config: str | None,
    url: str | None,
    owner: str | None,
    layout: str | None,
    hosting: str | None,
    naming: str | None,
) -> None:
    """Build DIR (a folder with a hub.yml, or a folder of skills; default: here), serve it, and build again
    with every change. Browsers that look at it reload by themselves.

    The preview lies in a folder of its own and may replace a version's content; what `skillpress build`
    published is not touched. A DIR that is a built hub is served as it is.
    """
    root = Path(folder or ".")
    if no_build or (folder is not None and (root / ROOT_DOCUMENT).is_file()):
        built = Path(folder) if folder is not None else load_config_out(config)
        run_server(built, host, port, base_path=_base_path_of(built), announce=_announce)
        return
    if port:
        # A port that is taken is better known before a build than after it.
        listen(host, port).close()
    options = Options(
        _paths(root), config, f"{WORK_FOLDER}/preview-{port}", url, owner, layout, naming, hosting
    )
    base = root if (root / CONFIG_NAME).is_file() else Path()
    preview = _Preview(options, base, f"http://{host}:{port}" if url is None and port else None)
    settings = preview.settings()
    preview.build(jobs=default_jobs())
    site = site_folder(settings.site_dir)
    watched = [*local_roots(settings), site / "site_src", site / "mkdocs.yml"]
    if (base / CONFIG_NAME).is_file():
        watched.append(base / CONFIG_NAME)
    # The server has threads by now, so a rebuild starts no processes.
    reloader = Reloader(
        watched,
        lambda: preview.build(jobs=1),
        lambda line: print_lines([line], err=True),
        ignored=[settings.out],
    )
    base_path = urlsplit(settings.hub.url).path
    run_server(settings.out, host, port, base_path=base_path, reloader=reloader, announce=_announce)


class _Preview:
    """The build behind a preview; settings are read again each time, so that hub.yml may change too."""

    def __init__(self, options: Options, base: Path, origin: str | None) -> None:
        self._options, self._base, self._origin = options, base, origin

    def settings(self) -> Config:
        """The settings, with the address of the preview in place of the public one."""
        settings = load_config(self._options, self._base)
        if self._origin is None:
            return settings
        address = f"{self._origin}{urlsplit(settings.hub.url).path}"
        return replace(settings, hub=replace(settings.hub, url=address))

    def build(self, *, jobs: int) -> None:
        """Build once and say in a few lines what came of it."""
        settings = self.settings()
        summary = build(settings, now=read_clock(), jobs=jobs, progress=show_progress, preview=True)
        print_lines(summary_lines(summary, None, out="the preview"), err=True)


def load_config_out(config: str | None) -> Path:
    """The output folder that hub.yml names, ``public`` where there is no hub.yml."""
    if config is None and not Path(CONFIG_NAME).is_file():
        return Path("public")
    return load_config(Options(config=config), Path()).out


def _paths(root: Path) -> tuple[str, ...]:
    return () if (root / CONFIG_NAME).is_file() else (str(root),)


def _base_path_of(built: Path) -> str:
    """The base path that a built hub was built for.

    Raises:
        ConfigError: the folder holds no hub.
    """
    try:
        document = load_json((built / ROOT_DOCUMENT).read_bytes())
        return urlsplit(str(document["url"])).path
    except (OSError, ValueError, KeyError, TypeError):
        raise ConfigError(
            f"{built}: no hub here ({ROOT_DOCUMENT} is missing or unreadable). "
            "Build one with `skillpress build PATH --out DIR`, or leave --no-build away to serve a folder of skills."
        ) from None


def _announce(address: str) -> None:
    click.echo(f"Serving {address}  (Ctrl-C ends it)", err=True)
