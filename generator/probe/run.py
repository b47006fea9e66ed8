"""A whole probe: a sample, every client, what is wrong, and what the hosting should have given."""

from __future__ import annotations

from urllib.parse import urlsplit

from generator.hosting.expectations import EXPECTED, NEEDS, is_less
from generator.hosting.profiles import Hosting
from generator.probe.asking import Asker
from generator.probe.clients import CLIENTS
from generator.probe.model import ClientReport, ProbeReport, level_of
from generator.probe.sampling import ProbeError, find_sample
from generator.probe.troubles import find_troubles
from generator.read.sources.http.transport import Transport


def probe(
    url: str, transport: Transport, *, skill: str | None = None, hosting: Hosting | None = None
) -> ProbeReport:
    """Ask the hub at ``url`` everything. ``skill`` (``owner/slug``) is what is asked about, the hub's first where None.

    With a ``hosting`` the result is held against what that hosting can give.

    Raises:
        ProbeError: there is no hub, or nothing in it that could be asked about.
    """
    base = url.rstrip("/")
    parts = urlsplit(base)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ProbeError(f"{url}: not an http or https URL. Name the address of a published hub.")
    asker = Asker(base, transport)
    root = asker.follow("/hub.json", "application/json").json()
    asker.protocols = _protocols(root)
    sample = find_sample(asker, skill)
    reports = []
    for name, client in CLIENTS.items():
        switched_off = asker.protocols is not None and name in NEEDS and NEEDS[name] not in asker.protocols
        steps = () if switched_off else tuple(client.ask(asker, sample))
        reports.append(ClientReport(name, level_of(steps), steps))
    wanted = EXPECTED[hosting.kind] if hosting is not None else {}
    told = root if isinstance(root, dict) else {}
    return ProbeReport(
        url=base,
        name=_text(told.get("name")),
        generator=_text(told.get("generator")),
        skill=f"{sample.owner}/{sample.slug}",
        version=sample.version,
        clients=tuple(reports),
        troubles=tuple(find_troubles(asker, sample, root)),
        requests=asker.requests,
        hosting=hosting.name if hosting is not None else "",
        worse=tuple(
            one.client for one in reports if one.client in wanted and is_less(one.level, wanted[one.client])
        ),
    )


def _protocols(root: object) -> frozenset[str] | None:
    """The protocols that a root document names."""
    named = root.get("protocols") if isinstance(root, dict) else None
    return frozenset(one for one in named if isinstance(one, str)) if isinstance(named, list) else None


def _text(value: object) -> str:
    return value[:200] if isinstance(value, str) else ""
