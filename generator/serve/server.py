"""``skillpress serve``: the application behind uvicorn, on a socket that was checked first."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn

from generator.errors import SkillpressError
from generator.serve.app import create_app, normal_base
from generator.serve.reload import Reloader


class ServeError(SkillpressError):
    """The server cannot listen where it was told to."""


def listen(host: str, port: int) -> socket.socket:
    """A bound socket; port 0 takes any free one.

    Raises:
        ServeError: the port is taken or not allowed, or there is no such address here.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise ServeError(f"{host!r} is no address of this machine ({error}); choose another --host") from None
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        # Listening at once tells of a second server before anything is built or printed.
        bound.listen(128)
    except OSError as error:
        bound.close()
        raise ServeError(_why(error, host, port)) from None
    return bound


class _Server(uvicorn.Server):
    """Uvicorn that ends the browsers' event streams first: it waits for open connections."""

    def __init__(self, config: uvicorn.Config, reloader: Reloader | None) -> None:
        super().__init__(config)
        self._reloader = reloader

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._reloader:
            self._reloader.close()
        await super().shutdown(sockets)


def run_server(
    root: Path,
    host: str,
    port: int,
    *,
    base_path: str = "",
    reloader: Reloader | None = None,
    announce: Callable[[str], None] | None = None,
) -> None:
    """Serve the hub at ``root`` until interrupted. ``announce`` gets the URL once the port is ours.

    Raises:
        ServeError: the port is taken.
        TreeError: ``root`` is not a built hub.
    """
    app = create_app(root, base_path=base_path, reloader=reloader)
    with listen(host, port) as bound:
        if announce:
            name = f"[{host}]" if ":" in host else host
            announce(f"http://{name}:{bound.getsockname()[1]}{normal_base(base_path)}/")
        # A download that hangs must not keep Ctrl-C waiting for ever.
        config = uvicorn.Config(app, log_level="warning", server_header=False, timeout_graceful_shutdown=5)
        # uvicorn raises the signal again after it has shut down in order; Ctrl-C is the way to stop, no error.
        with suppress(KeyboardInterrupt):
            _Server(config, reloader).run(sockets=[bound])


def _why(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} on {host} is taken; stop the other program, or choose another --port"
    if error.errno == errno.EACCES:
        return f"port {port} on {host} is not allowed for this user; choose a --port above 1023"
    return f"cannot listen on {host}:{port} ({error.strerror}); choose another --host or --port"
