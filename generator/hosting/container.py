"""Recipes of container images: our server, or nginx, with the published files inside."""

from __future__ import annotations

from generator import __version__
from generator.write.publish import WORK_FOLDER

RECIPE, NGINX_RECIPE, IGNORE = "Containerfile", "Containerfile.nginx", ".containerignore"


def serve_recipe(folder: str, base: str) -> bytes:
    """An image that runs ``skillpress serve``: every route, search and the POST."""
    return (
        "# Written by `skillpress build --hosting container`. Build it beside the published folder:\n"
        "#   podman build -t hub . && podman run --rm -p 8000:8000 hub\n"
        "FROM python:3.12-slim\n"
        f"RUN pip install --no-cache-dir skillpress=={__version__}\n"
        f"COPY {folder} /srv/hub\n"
        "USER 65534:65534\n"
        "EXPOSE 8000\n"
        f"# The hub answers below {base or '/'}: its public URL says so.\n"
        'CMD ["skillpress", "serve", "/srv/hub", "--no-build", "--host", "0.0.0.0", "--port", "8000"]\n'
    ).encode()


def nginx_recipe(folder: str, configuration: str) -> bytes:
    """An image of nginx with the files of ``configuration`` (a folder that ``--hosting nginx`` wrote)."""
    return (
        "# Written by `skillpress build --hosting nginx`. The hub must be exploded.\n"
        "FROM nginx:stable-alpine\n"
        f"COPY {folder} /srv/hub\n"
        f"COPY {configuration} /etc/nginx/hub\n"
        "RUN printf 'include /etc/nginx/hub/hub.conf;\\n' > /etc/nginx/conf.d/default.conf\n"
    ).encode()


def ignore_recipe(folder: str) -> bytes:
    """What is not given away: the build's notes, and archives under quarantine."""
    return f"{folder}/{WORK_FOLDER}\n".encode()
