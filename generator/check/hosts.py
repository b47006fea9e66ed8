"""Which hosts a user asks about, by family (``codex``) or by column (``codex/0.171.0``)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from generator.judge.model import Profile
from generator.model import Finding


class UnknownHostError(ValueError):
    """No host has that name; the message names the nearest."""


def choose_profiles(wanted: Iterable[str], profiles: Sequence[Profile]) -> tuple[Profile, ...]:
    """The profiles of the named hosts in the profiles' own order. Each text may name several with commas.

    Raises:
        UnknownHostError: a name is neither a family nor a column.
    """
    chosen: set[str] = set()
    for text in wanted:
        for name in (part.strip() for part in text.split(",")):
            if name:
                chosen.update(_ids_of(name, profiles))
    if not chosen:
        raise UnknownHostError(f"no host is named. Hosts: {_families(profiles)}")
    return tuple(profile for profile in profiles if profile.id in chosen)


def matters_to(found: Finding, hosts: frozenset[str]) -> bool:
    """True where a finding is about one of the hosts, or about no host in particular."""
    return not found.hosts or not hosts.isdisjoint(found.hosts)


def _ids_of(name: str, profiles: Sequence[Profile]) -> list[str]:
    folded = name.casefold()
    ids = [p.id for p in profiles if folded in (p.id.casefold(), p.host.casefold())]
    if not ids:
        known = sorted({p.host for p in profiles} | {p.id for p in profiles})
        # A family that starts alike is meant more often than a column that looks alike.
        near = difflib.get_close_matches(folded, known, n=1, cutoff=0.5)
        near = near or [one for one in known if one.startswith(folded[:3])][:1]
        advice = f"did you mean {near[0]!r}?" if near else "it is none of those we know."
        raise UnknownHostError(f"no host is called {name!r}; {advice} Hosts: {_families(profiles)}")
    return ids


def _families(profiles: Sequence[Profile]) -> str:
    return ", ".join(sorted({profile.host for profile in profiles}))
