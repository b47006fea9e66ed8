"""``router.js`` under real programs: Node, and the edges in workerd and Deno."""

from __future__ import annotations

import base64
import http.client
import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.deps import edges
from tests.hubs import free_port
from tests.serve.client import Got

HERE = Path(__file__).parent
EDGES = HERE.parents[2] / "generator" / "hosting" / "edges"


@dataclass(slots=True)
class Node:
    """A Node process that answers requests over folders with ``router.js``. ``read`` are the files that the last
    request needed."""

    process: subprocess.Popen[str]
    read: list[str] = field(default_factory=list)

    @classmethod
    def start(cls) -> Node:
        """A new process; it ends with :meth:`stop`."""
        node = shutil.which("node")
        assert node is not None, "node is not on PATH: install Node 20 or newer"
        arguments = [node, "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", str(HERE / "driver.mjs")]
        return cls(
            subprocess.Popen(
                arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
        )

    def stop(self) -> None:
        """End the process."""
        self.process.communicate(timeout=10)

    def ask(
        self,
        root: Path,
        target: str,
        method: str = "GET",
        *,
        headers: dict[str, str] | None = None,
        body: bytes = b"",
        keep: bool = True,
        deployment: str | None = None,
    ) -> Got:
        """The answer to a request about the hub in ``root``; without ``keep`` nothing is known from before."""
        told = self._tell(
            {
                "root": str(root),
                "target": target,
                "method": method,
                "headers": headers or {},
                "body": base64.b64encode(body).decode(),
                "keep": keep,
                "deployment": deployment,
            }
        )
        self.read = told["read"]
        return Got(told["status"], told["headers"], base64.b64decode(told["body"]))

    def texts(self, texts: Sequence[str]) -> list[list[str]]:
        """Each text folded, and stripped."""
        found: list[list[str]] = self._tell({"texts": list(texts)})
        return found

    def places(self, router: dict[str, Any], paths: Sequence[str], layout: str) -> dict[str, Any]:
        """The table of ``places.js``, and of each path the place and the present path."""
        told: dict[str, Any] = self._tell({"router": router, "paths": list(paths), "layout": layout})
        return told

    def normal(self, targets: Sequence[str]) -> list[str]:
        """What an edge sees of targets: it gets them as a URL, which has no ``..`` any more."""
        found: list[str] = self._tell({"urls": list(targets)})
        return found

    def _tell(self, message: dict[str, Any]) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"node ended with {self.process.poll()}"
        return json.loads(line)


@dataclass(slots=True)
class Edge:
    """A hub behind one of the edges, in the program that its host runs."""

    process: subprocess.Popen[str]
    host: str
    port: int

    @classmethod
    def start(cls, name: str, root: Path) -> Edge:
        """Serve ``root`` through the edge in ``generator/hosting/edges/NAME.js``; it ends with :meth:`stop`."""
        program = EDGES / f"{name}.js"
        deno = [
            str(edges.DENO),
            "run",
            "--no-config",
            "--no-lock",
            "--no-prompt",
            "--allow-net",
            "--allow-read",
        ]
        port = str(free_port())
        command = {
            "cloudflare_worker": [
                *(
                    "node",
                    str(HERE / "workerd.mjs"),
                    str(edges.MODULES / "miniflare" / "dist" / "src" / "index.js"),
                ),
                *(str(program), str(root)),
            ],
            "netlify_edge": [*deno, str(HERE / "site.mjs"), program.as_uri(), str(root), "pretty"],
            "vercel_edge": [
                *deno,
                "--allow-env=VERCEL_DEPLOYMENT_ID",
                str(HERE / "site.mjs"),
                program.as_uri(),
                str(root),
                "clean",
            ],
            "deno_serve": [*deno, str(program), str(root), port],
        }[name]
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={
                "PATH": f"{Path(shutil.which('node') or '/usr/bin/node').parent}:/usr/bin:/bin",
                "HOME": "/nonexistent",
                "DENO_DIR": "/nonexistent",
                "NO_COLOR": "1",
                "VERCEL_DEPLOYMENT_ID": "1",
            },
        )
        said = []
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line)
            if "http://" in line:
                found = urlsplit(line[line.index("http://") :].split()[0])
                return cls(process, "127.0.0.1", found.port or 80)
        raise AssertionError(f"{name} ended: {''.join(said)}")

    def stop(self) -> None:
        """End the program."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            self.process.wait(timeout=10)

    def ask(
        self, target: str, method: str = "GET", *, headers: dict[str, str] | None = None, body: bytes = b""
    ) -> Got:
        """The answer to one request, on a connection of its own."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=30)
        try:
            connection.putrequest(method, target, skip_accept_encoding=True)
            for name, value in (headers or {}).items():
                connection.putheader(name, value)
            if body or method == "POST":
                connection.putheader("content-length", str(len(body)))
            connection.endheaders(body or None)
            answer = connection.getresponse()
            return Got(
                answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
            )
        finally:
            connection.close()
