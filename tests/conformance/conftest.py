"""One built hub a server, each served once for the whole session."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from generator.hosting.profiles import Hosting
from generator.probe.model import ProbeReport
from generator.probe.run import probe
from generator.read.sources.http.transport import HttpTransport
from tests.conformance.samples import build_hub
from tests.conformance.servers import SERVERS, Place, Server
from tests.hubs import free_port


@dataclass(frozen=True, slots=True)
class Running:
    """A server with its hub."""

    name: str
    server: Server
    place: Place

    def probe(self, *, hosting: Hosting | None = None, skill: str = "acme/alpha") -> ProbeReport:
        """Probe it."""
        return probe(self.place.url, HttpTransport(self.place.url), skill=skill, hosting=hosting)


def ask(
    running: Running, question: str, method: str = "GET", body: bytes | None = None
) -> tuple[int, dict[str, str], bytes]:
    """One request, the address as it stands."""
    connection = http.client.HTTPConnection("127.0.0.1", running.place.port, timeout=30)
    try:
        connection.putrequest(method, f"{running.place.base}{question}", skip_accept_encoding=True)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Running]]:
    """A function from the name of a server to that server, running."""
    made: dict[str, Running] = {}
    with ExitStack() as stack:

        def get(name: str) -> Running:
            if name not in made:
                server = SERVERS[name]
                folder = tmp_path_factory.mktemp(name)
                place = Place(folder / "hub" / "public", folder, free_port(), server.base)
                build_hub(folder / "hub", place.url, server.hosting)
                stack.enter_context(server.serve(place))
                made[name] = Running(name, server, place)
            return made[name]

        yield get
