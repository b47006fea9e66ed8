"""The server itself: a taken port is an error in words, and a real request is answered."""

from __future__ import annotations

import socket
import threading
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from generator.serve.reload import Reloader
from generator.serve.server import ServeError, listen, run_server
from generator.serve.tree import TreeError
from tests.serve.conftest import Hubs


def test_a_taken_port_is_named_with_a_way_out() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServeError, match=rf"port {port} on 127\.0\.0\.1 is taken.*--port"):
            listen("127.0.0.1", port)


def test_an_address_that_is_not_ours_is_named() -> None:
    with pytest.raises(ServeError, match=r"203\.0\.113\.7"):
        listen("203.0.113.7", 0)


def test_a_host_that_is_none_is_named() -> None:
    with pytest.raises(ServeError, match="not a host"):
        listen("not a host", 0)


def test_a_folder_that_is_no_hub_is_told_before_a_port_is_taken(tmp_path: Path) -> None:
    with pytest.raises(TreeError, match="skillpress build"):
        run_server(tmp_path, "127.0.0.1", 0)


@dataclass(slots=True)
class Running:
    """A server in a thread: the URL it announced, and the uvicorn inside."""

    url: str
    server: uvicorn.Server
    thread: threading.Thread

    def stop(self) -> None:
        """What Ctrl-C does."""
        self.server.should_exit = True
        self.thread.join(10)
        assert not self.thread.is_alive()


def start(root: Path, monkeypatch: pytest.MonkeyPatch, reloader: Reloader | None = None) -> Running:
    servers: list[uvicorn.Server] = []
    told: list[str] = []
    ready = threading.Event()
    original = uvicorn.Server.run

    def run(self: uvicorn.Server, sockets: list[socket.socket] | None = None) -> None:
        servers.append(self)
        ready.set()
        original(self, sockets)

    monkeypatch.setattr(uvicorn.Server, "run", run)
    options: dict[str, Any] = {"base_path": "hub", "announce": told.append, "reloader": reloader}
    thread = threading.Thread(target=run_server, args=(root, "127.0.0.1", 0), kwargs=options)
    thread.start()
    assert ready.wait(10)
    return Running(told[0], servers[0], thread)


def test_a_real_request_is_answered(hubs: Hubs, monkeypatch: pytest.MonkeyPatch) -> None:
    running = start(hubs.packed, monkeypatch)
    try:
        assert running.url.startswith("http://127.0.0.1:")
        assert running.url.endswith("/hub/")
        with urllib.request.urlopen(running.url + "api/v1/skills/demo/card", timeout=10) as response:
            assert response.status == 200
            assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
            assert "server" not in {name.lower() for name in response.headers}
    finally:
        running.stop()


def test_a_browser_that_listens_does_not_keep_the_server_from_ending(
    hubs: Hubs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = start(hubs.packed, monkeypatch, Reloader((tmp_path,), lambda: None, lambda _line: None))
    with urllib.request.urlopen(running.url + "-/reload", timeout=10) as events:
        assert events.readline() == b"retry: 500\n"
        began = time.monotonic()
        running.stop()
        assert time.monotonic() - began < 4
        assert events.read() == b"\n"
