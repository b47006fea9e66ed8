"""Which files of the last build no route needs any more. Archives and ledgers are never among them."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator

from generator.model import Listing
from generator.write.layout import Layout, Naming, diff_folder, pack_file, page_file


def skill_places(listing: Listing, layout: Layout) -> tuple[str, ...]:
    """The files and folders that belong to one skill alone, archives and ledger apart."""
    owner, slug = listing.owner, listing.slug
    both = (diff_folder(owner, slug), f"feeds/skills/{owner}/{slug}.xml", *_optional_places(listing))
    if layout is Layout.PACKED:
        return pack_file(owner, slug), page_file(owner, slug), *both
    return _api_place(listing), f"{owner}/skills/{slug}/index.html", *both


def _api_place(listing: Listing) -> str:
    if listing.holds_slug:
        return f"api/v1/skills/{listing.slug}"
    return f"api/v1/owners/{listing.owner}/skills/{listing.slug}"


def _optional_places(listing: Listing) -> tuple[str, ...]:
    """Files and folders that a skill may have or not, by what it holds and which protocols are switched on."""
    owner, slug = listing.owner, listing.slug
    page = f"{owner}/skills/{slug}"
    own = (
        f"{page}/index.md", f"{page}/.well-known", f"npm/@{owner}/{slug}", f"v1/packages/{owner}/{slug}",
        f"bundles/{owner}/{slug}.json", f"api/v1/packages/@{owner}/{slug}",
    )  # fmt: skip
    if not listing.holds_slug:
        return own
    return (
        *own, f"bundles/{slug}.json", f"api/v1/packages/{slug}", f".well-known/skills/{slug}", f"agentskills/{slug}",
    )  # fmt: skip


def find_leftovers(root: str, listing: Listing, written: Collection[str]) -> list[str]:
    """Files of earlier builds in the places a skill may have, that this build did not write."""
    found: list[str] = []
    for place in (_api_place(listing), *_optional_places(listing)):
        path = f"{root}/{place}"
        if os.path.isfile(path):
            found.append(place)
        elif os.path.isdir(path) and not os.path.islink(path):
            for folder, _, names in os.walk(path):
                found += [os.path.relpath(f"{folder}/{name}", root) for name in names]
    return sorted(set(found) - set(written))


def stale_places(
    before: Iterable[Listing], layout_before: Layout, now: Iterable[Listing], layout_now: Layout
) -> list[str]:
    """Files and folders of skills that the last build wrote and this one did not."""
    kept = {place for listing in now for place in skill_places(listing, layout_now)}
    return sorted({place for listing in before for place in skill_places(listing, layout_before)} - kept)


def stale_documents(root: str, naming: Naming) -> Iterator[str]:
    """Documents of the API under a name of another ``naming``, which a plain host might still serve."""
    other = next(name for name in Naming if name is not naming)
    for folder, _, files in os.walk(f"{root}/api/v1"):
        if other.value in files:
            yield os.path.relpath(f"{folder}/{other.value}", root)
