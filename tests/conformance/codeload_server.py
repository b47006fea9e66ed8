"""What GitHub gives at ``codeload``: the archive of a commit, made by git itself from a repository of this machine."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.conformance.pages_server import _running
from tests.read.git.repos import ENVIRONMENT


@contextmanager
def serve_codeload(repositories: dict[str, Path], port: int) -> Iterator[list[str]]:
    """Serve ``/OWNER/NAME/zip/COMMIT`` of each repository by name; the block sees what was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            asked.append(self.path)
            owner, name, form, commit = (self.path.split("/")[1:] + [""] * 4)[:4]
            repository = repositories.get(f"{owner}/{name}")
            body = b""
            if repository is not None and form == "zip":
                command = ["git", "archive", "--format=zip", f"--prefix={name}-{commit}/", commit]
                body = subprocess.run(command, cwd=repository, env=ENVIRONMENT, capture_output=True).stdout
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "application/zip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    with _running(ThreadingHTTPServer(("127.0.0.1", port), Handler)):
        yield asked
