"""One HTTP request and its answer: the only module here that touches the network.

No cookie, no credential, no proxy and no compression is used. Every answer is bounded in bytes and in time. A host
that the operator did not name is only spoken to at a public address, so that a redirect cannot reach into the
operator's own network.
"""

from __future__ import annotations

import hashlib
import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO, Final, Protocol
from urllib.parse import quote, urlsplit

MOST_BYTES: Final = 64 * 2**20
"""The longest answer read where the caller sets no limit."""
_CHUNK: Final = 16 * 1024
_SAFE: Final = "%/:=&?~+!$,;'@()*[]-._"


@dataclass(frozen=True, slots=True)
class Response:
    """An answer. Names of ``headers`` are in lower case; ``complete`` is false where the body broke off."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    complete: bool = True


class TransportError(Exception):
    """There is no answer, or none that may be read; ``again`` says whether another attempt makes sense."""

    def __init__(self, message: str, *, again: bool) -> None:
        super().__init__(message)
        self.again = again


class SinkError(Exception):
    """What was downloaded cannot be written; ``error`` says why."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


class Sink:
    """A file that takes the body of a download as it comes, so that none is ever whole in memory.

    ``size`` and ``sha256`` are those of what it holds. ``stirred`` is set by whatever changes it.
    """

    def __init__(self, file: BinaryIO) -> None:
        self.size = 0
        self.stirred = False
        self._file = file
        self._hash = hashlib.sha256()

    @property
    def sha256(self) -> str:
        """The sha256 of what it holds."""
        return self._hash.hexdigest()

    def clear(self) -> None:
        """Forget what it holds. Raises :class:`SinkError`."""
        self.stirred = True
        self.size = 0
        self._hash = hashlib.sha256()
        try:
            self._file.seek(0)
            self._file.truncate()
        except OSError as error:
            raise SinkError(error) from None

    def write(self, data: bytes) -> None:
        """Add to what it holds. Raises :class:`SinkError`."""
        self.stirred = True
        try:
            self._file.write(data)
        except OSError as error:
            raise SinkError(error) from None
        self.size += len(data)
        self._hash.update(data)

    def take(self, status: int, body: bytes) -> bool:
        """Whether the body of an answer belongs here, which it then takes: a 200 is the file, a 206 a part of it."""
        if status == 200:
            self.clear()
        elif status != 206:
            return False
        self.write(body)
        return True


class Transport(Protocol):
    """Whatever can answer a GET request; redirects and errors of the server are answers too."""

    def get(
        self, url: str, headers: Mapping[str, str], *, most: int = MOST_BYTES, into: Sink | None = None
    ) -> Response:
        """One exchange. Raises :class:`TransportError`; a body over ``most`` bytes is such an error.

        The body of a 200 or 206 goes ``into`` a sink where one is given, see :meth:`Sink.take`, and ``most`` counts
        what it holds already; the response then has none.
        """
        ...


@dataclass(slots=True)
class HttpTransport:
    """The network. Safe for several threads; each keeps its own connections.

    ``trusted`` is the URL that the operator wrote: its host may have any address. ``timeout`` is the longest silence,
    ``deadline`` the longest exchange, both in seconds.
    """

    trusted: str
    timeout: float = 30.0
    deadline: float = 600.0
    agent: str = "skillpress"
    tls: ssl.SSLContext = field(default_factory=ssl.create_default_context)
    _local: threading.local = field(default_factory=threading.local)

    def get(
        self, url: str, headers: Mapping[str, str], *, most: int = MOST_BYTES, into: Sink | None = None
    ) -> Response:
        """See :meth:`Transport.get`."""
        try:
            parts = urlsplit(url)
            place = (parts.scheme, parts.hostname or "", parts.port)
        except ValueError:
            raise TransportError(f"{url!r} is no address", again=False) from None
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise TransportError(f"{url!r} is no http or https address", again=False)
        target = quote(parts.path or "/", safe=_SAFE) + (
            f"?{quote(parts.query, safe=_SAFE)}" if parts.query else ""
        )
        sent = {"User-Agent": self.agent, "Accept-Encoding": "identity", **headers}
        kept = self._connections().pop(place, None)
        if kept is not None:
            try:
                return self._exchange(kept, place, target, sent, most, into)
            except TransportError as error:
                # The server may have closed it in the meantime, which says nothing about this request.
                if not error.again or (into is not None and into.stirred):
                    raise
        return self._exchange(self._connect(place), place, target, sent, most, into)

    def _connections(self) -> dict[tuple[str, str, int | None], http.client.HTTPConnection]:
        connections: dict[tuple[str, str, int | None], http.client.HTTPConnection]
        connections = self._local.__dict__.setdefault("connections", {})
        return connections

    def _connect(self, place: tuple[str, str, int | None]) -> http.client.HTTPConnection:
        scheme, host, port = place
        number = port or (443 if scheme == "https" else 80)
        trusted = host == urlsplit(self.trusted).hostname
        shown = f"[{host}]" if ":" in host else host
        connection = http.client.HTTPConnection(shown, port, timeout=self.timeout)
        connection.auto_open = 0  # it would open a socket that nobody judged
        try:
            plain = _open_socket(host, number, self.timeout, trusted)
            connection.sock = (
                self.tls.wrap_socket(plain, server_hostname=host) if scheme == "https" else plain
            )
        except ssl.SSLCertVerificationError as error:
            raise TransportError(
                f"{host} has no valid certificate: {error.verify_message}", again=False
            ) from None
        except (OSError, UnicodeError) as error:
            raise TransportError(f"{host} cannot be reached: {_reason(error)}", again=True) from None
        return connection

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        place: tuple[str, str, int | None],
        target: str,
        headers: Mapping[str, str],
        most: int,
        into: Sink | None,
    ) -> Response:
        # The socket's timeout starts anew with every byte; this ends a server that drips them.
        expired = threading.Event()
        guard = threading.Timer(self.deadline, _shut, [connection.sock, expired])
        guard.daemon = True
        guard.start()
        late = TransportError(f"{place[1]} takes over {self.deadline:g} seconds", again=True)
        try:
            connection.request("GET", target, headers=dict(headers))
            answer = connection.getresponse()
            told = _headers(answer)
            body, complete = _body(answer, told, most, into)
            if expired.is_set():
                raise late
        except (OSError, http.client.HTTPException, ValueError) as error:
            connection.close()
            silent = TransportError(f"{place[1]} does not answer: {_reason(error)}", again=True)
            raise (late if expired.is_set() else silent) from None
        except (TransportError, SinkError):
            connection.close()
            raise
        finally:
            guard.cancel()
        if complete and not answer.will_close and answer.isclosed():
            self._connections()[place] = connection
        else:
            connection.close()
        return Response(answer.status, told, body, complete)


def _headers(answer: http.client.HTTPResponse) -> dict[str, str]:
    told: dict[str, str] = {}
    for name, value in answer.getheaders():
        key = name.lower()
        told[key] = f"{told[key]}, {value}" if key in told else value
    return told


def _body(
    answer: http.client.HTTPResponse, headers: Mapping[str, str], most: int, into: Sink | None
) -> tuple[bytes, bool]:
    too_large = TransportError(f"the answer has over {most:,} bytes", again=False)
    if headers.get("content-encoding", "identity").lower() not in ("identity", ""):
        raise TransportError("the answer is compressed, which was not asked for", again=False)
    kept = bytearray()
    take: Callable[[bytes], object] = kept.extend
    left = most
    if into is not None and into.take(answer.status, b""):
        take, left = into.write, most - into.size
    if answer.length is not None and answer.length > left:
        raise too_large
    size, whole = 0, True
    try:
        while chunk := answer.read(_CHUNK):
            size += len(chunk)
            if size > left:
                raise too_large
            take(chunk)
    except http.client.IncompleteRead as broken:
        take(broken.partial[: left - size])
        whole = False
    except OSError:
        whole = False
    # Headers that are cut off look like headers that end: without a length, an empty body is no answer.
    lost = answer.status == 200 and answer.length is None and not answer.chunked and not size
    return bytes(kept), whole and not answer.length and not lost


def _open_socket(host: str, port: int, timeout: float, trusted: bool) -> socket.socket:
    """A connection to the first address that answers. The address that was judged is the one connected to."""
    last: OSError | None = None
    for family, kind, protocol, _, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        if not trusted and not ipaddress.ip_address(address[0]).is_global:
            raise TransportError(f"{host} leads to {address[0]}, which is no public address", again=False)
        opened = socket.socket(family, kind, protocol)
        try:
            opened.settimeout(timeout)
            opened.connect(address)
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return opened
        except OSError as error:
            opened.close()
            last = error
    raise last or OSError("it has no address")


def _shut(sock: socket.socket | None, expired: threading.Event) -> None:
    expired.set()
    if sock is not None:
        try:
            sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            return


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it is silent for too long"
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__)[:200]
