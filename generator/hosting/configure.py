"""The configuration of a host, as files: pure, from the facts of a hub."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from generator.hosting import caddy, cloudflare, container, headers, netlify, nginx, objects, programs
from generator.hosting.facts import HubFacts
from generator.hosting.profiles import Hosting
from generator.hosting.texts import NOT_FOUND


class Where(StrEnum):
    """Where a file of the configuration belongs.

    TREE: into the published folder, at its root. BESIDE: into the folder that holds the published one, never
    inside it: it says things about the machine.
    """

    TREE = "tree"
    BESIDE = "beside"


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """One file of a configuration; ``path`` is relative to the folder that ``where`` names."""

    where: Where
    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What only the operator's machine knows.

    ``root`` is the published folder there, ``folder`` its name beside the configuration, ``configuration`` the
    folder nginx reads its files from, ``listen`` and ``address`` where nginx and Caddy listen.
    """

    root: str = "/srv/hub"
    folder: str = "public"
    configuration: str = "/etc/nginx/hub"
    listen: str = "80"
    address: str = ""


def configure(
    hosting: Hosting, facts: HubFacts, settings: ServerSettings | None = None
) -> tuple[ConfigFile, ...]:
    """Every file that the host needs besides the hub's own; empty where it needs none."""
    said = settings or ServerSettings()
    match hosting.name:
        case "nginx":
            made = nginx.nginx_files(facts, said.root, said.listen, said.configuration)
            files = [ConfigFile(Where.BESIDE, f"nginx/{path}", data) for path, data in made.items()]
            recipe = container.nginx_recipe(said.folder, "nginx")
            return (*files, ConfigFile(Where.BESIDE, container.NGINX_RECIPE, recipe), _ignore(said.folder))
        case "caddy":
            made = caddy.caddy_files(facts, said.root, said.address or facts.host or ":80")
            return tuple(ConfigFile(Where.BESIDE, f"caddy/{path}", data) for path, data in made.items())
        case "github-pages":
            return (ConfigFile(Where.TREE, ".nojekyll", b""), _not_found_page())
        case "gitlab-pages":
            return (_not_found_page(),)
        case "netlify":
            return (
                ConfigFile(Where.TREE, "_headers", headers.headers_file(facts.base)),
                ConfigFile(Where.TREE, "_redirects", netlify.redirects_file(facts)),
                ConfigFile(Where.TREE, netlify.MISSING, netlify.missing_file()),
                ConfigFile(Where.BESIDE, "netlify.toml", netlify.netlify_toml(said.folder)),
                ConfigFile(Where.BESIDE, "netlify/edge-functions/hub.js", programs.netlify_entry()),
                *_program(programs.NETLIFY),
            )
        case "cloudflare":
            return (
                ConfigFile(Where.TREE, ".assetsignore", cloudflare.ignore_file()),
                ConfigFile(Where.BESIDE, "wrangler.jsonc", cloudflare.wrangler_file(facts, said.folder)),
                *_program(programs.CLOUDFLARE),
            )
        case "vercel":
            return (
                ConfigFile(Where.BESIDE, "vercel.json", headers.vercel_file(facts.base, said.folder)),
                ConfigFile(Where.BESIDE, ".vercelignore", container.ignore_recipe(said.folder)),
                ConfigFile(Where.BESIDE, "middleware.js", programs.vercel_entry()),
                *_program(programs.VERCEL),
            )
        case "s3":
            return (_not_found_page(), ConfigFile(Where.BESIDE, objects.SCRIPT, objects.upload_script(facts)))
        case "container":
            recipe = container.serve_recipe(said.folder, facts.base)
            return (ConfigFile(Where.BESIDE, container.RECIPE, recipe), _ignore(said.folder))
    return ()


def _not_found_page() -> ConfigFile:
    """The one page for everything missing. Programs print it as it is, and look for just this text in it
    (contract/clawhub.md 0.13), so it is no page at all."""
    return ConfigFile(Where.TREE, "404.html", NOT_FOUND.encode())


def _ignore(folder: str) -> ConfigFile:
    return ConfigFile(Where.BESIDE, container.IGNORE, container.ignore_recipe(folder))


def _program(entry: str) -> tuple[ConfigFile, ...]:
    return tuple(ConfigFile(Where.BESIDE, path, data) for path, data in programs.program_files(entry).items())
