"""Atom feeds: valid by RFC 4287, the same every time, safe whatever an author wrote."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from generator.model import Hub, Owner, ScanVerdict, Slug, TimeMs, Version
from generator.write.protocols.atom import (
    HUB_FEED,
    MAX_ENTRIES,
    MEDIA_TYPE,
    Feed,
    FeedEntry,
    category_feed_path,
    entries_of,
    feed_route,
    format_time,
    owner_feed_path,
    shared_feeds,
    skill_feed,
    skill_feed_path,
    write_feed,
)
from tests.samples import make_release
from tests.write.site_samples import make_listing

NS = "{http://www.w3.org/2005/Atom}"
HUB = Hub("The <Hub> & co", "Skills.", "https://hub.example/shelf")
ENTRY = FeedEntry(
    Owner("lab"), Slug("demo-skill"), Version("1.2.0"), "Demo", "Better.", TimeMs(1_764_500_000_123), 5_120,
    ("office",), "Tools",
)  # fmt: skip


def check_valid(data: bytes) -> ElementTree.Element:
    """What RFC 4287 asks of the elements we use (sections 4.1.1, 4.1.2, 4.2.x, 3.3)."""
    root = ElementTree.fromstring(data)
    assert root.tag == f"{NS}feed"
    entries = root.findall(f"{NS}entry")
    for element in (root, *entries):
        for name in ("id", "title", "updated"):
            assert len(element.findall(f"{NS}{name}")) == 1, name
            assert (element.findtext(f"{NS}{name}") or "").strip(), name
        for time in (*element.findall(f"{NS}updated"), *element.findall(f"{NS}published")):
            assert len(time.text or "") == len("2026-11-30T00:00:00.000Z")
        assert element.find(f"{NS}author/{NS}name") is not None
        alternates = [link for link in element.findall(f"{NS}link") if link.get("rel") == "alternate"]
        assert len({(link.get("type"), link.get("hreflang")) for link in alternates}) == len(alternates) == 1
        for link in element.findall(f"{NS}link"):
            assert (link.get("href") or "").startswith("https://")
        for category in element.findall(f"{NS}category"):
            assert category.get("term")
    assert [link.get("rel") for link in root.findall(f"{NS}link")].count("self") == 1
    ids = [entry.findtext(f"{NS}id") for entry in entries]
    assert len(set(ids)) == len(ids)
    assert all((one or "").startswith("https://hub.example/") for one in ids)
    return root


def feed_of(*entries: FeedEntry) -> Feed:
    return skill_feed(Owner("lab"), Slug("demo-skill"), entries)


def test_one_entry() -> None:
    root = check_valid(write_feed(HUB, feed_of(ENTRY)))
    entry = root.find(f"{NS}entry")
    assert entry is not None
    page = "https://hub.example/shelf/lab/skills/demo-skill/"
    assert entry.findtext(f"{NS}id") == f"{page}#1.2.0"
    assert entry.findtext(f"{NS}title") == "Demo 1.2.0"
    assert entry.findtext(f"{NS}summary") == "Better."
    assert entry.findtext(f"{NS}updated") == "2025-11-30T10:53:20.123Z"
    assert root.findtext(f"{NS}updated") == entry.findtext(f"{NS}updated")
    links = {link.get("rel"): link for link in entry.findall(f"{NS}link")}
    assert links["alternate"].get("href") == page
    archive = "https://hub.example/shelf/dl/lab/demo-skill-1.2.0.zip"
    assert (links["enclosure"].get("href"), links["enclosure"].get("length")) == (archive, "5120")
    assert [one.get("term") for one in entry.findall(f"{NS}category")] == ["Tools", "office"]


HOSTILE = {
    "markup": "</title><script>alert(1)</script>",
    "the end of a CDATA section": "]]>",
    "an entity": "&lol; &#0; &#x1F;",
    "controls": "a\x00b\x08c\x0b\x1b[31m",
    "no characters of XML": "a\ufffeb\uffff",
    "half a surrogate": "a\ud800b\udfff",
    "direction and zero width": "a\u202eb\u200bc",
    "quotes": "\"'",
    "empty": "",
    "blank": " \n\t ",
    "long": "x" * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts(name: str) -> None:
    text = HOSTILE[name]
    entry = replace(ENTRY, title=text, note=text, topics=(text,), category=text)
    data = write_feed(replace(HUB, name=text or "x"), feed_of(entry))
    root = check_valid(data)
    assert "script" not in {element.tag.removeprefix(NS) for element in root.iter()}
    assert "\u202e" not in data.decode()
    assert len(data) < 5_000


def test_an_empty_feed_is_valid_and_knows_no_clock() -> None:
    (feed,) = shared_feeds(HUB, ())
    root = check_valid(write_feed(HUB, feed))
    assert root.findtext(f"{NS}updated") == "1970-01-01T00:00:00.000Z"


@pytest.mark.parametrize(
    ("time", "written"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_764_500_000_007, "2025-11-30T10:53:20.007Z"),
        (-5, "1970-01-01T00:00:00.000Z"),
        (10**18, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_times(time: int, written: str) -> None:
    assert format_time(TimeMs(time)) == written


def test_entries_of_a_skill() -> None:
    listing = make_listing("demo-skill", category="Tools")
    releases = [
        make_release("1.0.0", first_seen=10),
        make_release("1.9.0", first_seen=20, verdict=ScanVerdict.BLOCK),
        make_release("1.10.0", first_seen=20),
        replace(make_release("0.9.0", first_seen=30), changelog="A backport."),
    ]
    entries = entries_of(listing, releases)
    assert [entry.version for entry in entries] == ["0.9.0", "1.10.0", "1.9.0", "1.0.0"]
    assert [entry.archive_size is None for entry in entries] == [False, False, True, False]
    assert [entry.note for entry in entries] == ["A backport.", *[releases[0].description] * 3]
    root = check_valid(write_feed(HUB, feed_of(*entries)))
    assert len(root.findall(f"{NS}entry")) == 4


def test_the_feeds_of_a_hub() -> None:
    entries = [
        replace(ENTRY, slug=Slug("one"), at=TimeMs(1), category="Office Tools"),
        replace(ENTRY, slug=Slug("two"), at=TimeMs(3), category="office-tools"),
        replace(ENTRY, slug=Slug("three"), at=TimeMs(2), owner=Owner("other"), category=None),
        replace(ENTRY, slug=Slug("four"), at=TimeMs(4), category="工具"),
    ]
    feeds = {feed.path: [entry.slug for entry in feed.entries] for feed in shared_feeds(HUB, entries)}
    chinese = category_feed_path("工具")
    assert feeds == {
        chinese: ["four"],
        "/feeds/categories/office-tools.xml": ["two", "one"],
        HUB_FEED: ["four", "two", "three", "one"],
        owner_feed_path("lab"): ["four", "two", "one"],
        owner_feed_path("other"): ["three"],
    }
    assert list(feeds) == sorted(feeds)
    assert shared_feeds(HUB, entries) == shared_feeds(HUB, entries[::-1])
    for feed in shared_feeds(HUB, entries):
        check_valid(write_feed(HUB, feed))


def test_the_newest_are_kept() -> None:
    entries = [replace(ENTRY, version=Version(f"1.0.{number}"), at=TimeMs(number)) for number in range(80)]
    feed = feed_of(*entries)
    assert len(feed.entries) == MAX_ENTRIES
    assert feed.entries[0].version == "1.0.79"
    assert all(len(one.entries) == MAX_ENTRIES for one in shared_feeds(HUB, entries))


@pytest.mark.parametrize("category", ["../../etc", "a/b", "CON", "", "x" * 300, "é", "."])
def test_a_category_is_one_safe_name(category: str) -> None:
    path = category_feed_path(category)
    name = path.removeprefix("/feeds/categories/").removesuffix(".xml")
    assert "/" not in name
    assert "." not in name
    assert 3 <= len(name) <= 96


def test_the_route() -> None:
    route = feed_route(HUB, feed_of(ENTRY))
    assert (route.path, route.media_type) == (skill_feed_path("lab", "demo-skill"), MEDIA_TYPE)
    assert route.body == write_feed(HUB, feed_of(ENTRY))
