"""The server itself: a taken port is an error in words, and a real request is answered."""

from __future__ import annotations

import socket
import threading
import urllib.request
from pathlib import Path

import pytest
import uvicorn

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


def test_a_real_request_is_answered(hubs: Hubs, monkeypatch: pytest.MonkeyPatch) -> None:
    servers: list[uvicorn.Server] = []
    told: list[str] = []
    ready = threading.Event()
    original = uvicorn.Server.run

    def run(self: uvicorn.Server, sockets: list[socket.socket] | None = None) -> None:
        servers.append(self)
        ready.set()
        original(self, sockets)

    monkeypatch.setattr(uvicorn.Server, "run", run)
    thread = threading.Thread(
        target=run_server,
        args=(hubs.packed, "127.0.0.1", 0),
        kwargs={"base_path": "hub", "announce": told.append},
    )
    thread.start()
    try:
        assert ready.wait(10)
        assert told[0].startswith("http://127.0.0.1:")
        assert told[0].endswith("/hub/")
        with urllib.request.urlopen(told[0] + "api/v1/skills/demo/card", timeout=10) as response:
            assert response.status == 200
            assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
            assert "server" not in {name.lower() for name in response.headers}
    finally:
        servers[0].should_exit = True
        thread.join(10)
    assert not thread.is_alive()
