"""Requests that hold out: what is asked again, how long is waited, where redirects lead, how a download goes on."""

from __future__ import annotations

import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.read.sources.http.fetching import Fetcher, FetchError, Remembered
from generator.read.sources.http.policy import Policy, redirect_target, retry_after, wait_before
from generator.read.sources.http.transport import HttpTransport, Response, Sink, TransportError
from tests.read.sources.scripted import Reply, Scripted, served

HUB = "https://hub.example"
URL = f"{HUB}/file"
DATE = "Mon, 30 Nov 2026 12:00:00 GMT"
LATER = "Mon, 30 Nov 2026 12:00:07 GMT"


@dataclass
class Played:
    """A transport that plays what it is given, and keeps what was asked."""

    answers: list[Response | TransportError]
    asked: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)

    def get(
        self, url: str, headers: Mapping[str, str], *, most: int = 0, into: Sink | None = None
    ) -> Response:
        self.asked.append((url, dict(headers)))
        answer = self.answers.pop(0)
        if isinstance(answer, TransportError):
            raise answer
        if into is not None and into.take(answer.status, answer.body):
            return replace(answer, body=b"")
        return answer


def fetcher(*answers: Response | TransportError, **more: object) -> tuple[Fetcher, Played, list[float]]:
    played, waits = Played(list(answers)), []
    return Fetcher(HUB, played, sleep=waits.append, **more), played, waits  # type: ignore[arg-type]


def ok(body: bytes = b"body", **headers: str) -> Response:
    return Response(200, {k.replace("_", "-"): v for k, v in headers.items()}, body)


def status(number: int, **headers: str) -> Response:
    return Response(number, {k.replace("_", "-"): v for k, v in headers.items()}, b"")


def part(body: bytes, **headers: str) -> Response:
    return Response(200, headers, body, complete=False)


BROKEN = TransportError("the line broke", again=True)
NEVER = TransportError("no certificate", again=False)

RETRY_AFTER = {
    "seconds": ({"retry-after": "7"}, 7.0),
    "a date, by the server's clock": ({"retry-after": LATER, "date": DATE}, 7.0),
    "a date that is past": ({"retry-after": DATE, "date": LATER}, 0.0),
    "a date without a clock": ({"retry-after": LATER}, None),
    "missing": ({}, None),
    "negative": ({"retry-after": "-1"}, None),
    "a fraction": ({"retry-after": "1.5"}, None),
    "digits of other scripts": ({"retry-after": "\u0665"}, None),
    "nonsense": ({"retry-after": "soon", "date": "now"}, None),
    "an absurd number": ({"retry-after": "9" * 5000}, None),
    "an absurd date": ({"retry-after": "Mon, 99 Nov 99999 99:99:99 GMT", "date": DATE}, None),
}  # fmt: skip


@pytest.mark.parametrize(("headers", "seconds"), RETRY_AFTER.values(), ids=RETRY_AFTER)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_retry_after_raises(first: str, second: str) -> None:
    found = retry_after({"retry-after": first, "date": second})
    assert found is None or found >= 0


def test_waits_double_and_end() -> None:
    policy = Policy(attempts=9, first_wait=0.5, longest_wait=10)
    waits = [wait_before(n, {}, policy) for n in range(1, 10)]
    assert waits == [0.5, 1, 2, 4, 8, 10, 10, 10, None]
    assert wait_before(1, {"retry-after": "11"}, policy) is None
    assert wait_before(1, {"retry-after": "0"}, policy) == 0


REDIRECTS = {
    "same host": (HUB, URL, "/x", "https://hub.example/x"),
    "relative": (HUB, "https://hub.example/a/b", "c", "https://hub.example/a/c"),
    "other https host": (HUB, URL, "https://cdn.example/x", "https://cdn.example/x"),
    "fragment is dropped": (HUB, URL, "/x#y", "https://hub.example/x"),
    "https to http": (HUB, URL, "http://hub.example/x", None),
    "another scheme": (HUB, URL, "file:///etc/passwd", None),
    "no scheme": (HUB, URL, "javascript:alert(1)", None),
    "with a name and password": (HUB, URL, "https://a:b@hub.example/", None),
    "no host": (HUB, URL, "https://:443/x", None),
    "bad port": (HUB, URL, "https://hub.example:99999/", None),
    "broken address": (HUB, URL, "https://[::1/", None),
    "http within the origin": ("http://h:1", "http://h:1/a", "/b", "http://h:1/b"),
    "http to https": ("http://h:1", "http://h:1/a", "https://h/b", "https://h/b"),
    "http to another host": ("http://h:1", "http://h:1/a", "http://evil/b", None),
    "http to another port": ("http://h:1", "http://h:1/a", "http://h:2/b", None),
    "https and back to http": ("http://h:1", "https://h/a", "http://h:1/b", None),
}


@pytest.mark.parametrize(("start", "current", "location", "target"), REDIRECTS.values(), ids=REDIRECTS)
def test_where_redirects_may_lead(start: str, current: str, location: str, target: str | None) -> None:
    assert redirect_target(start, current, location) == target


# --- repetitions -----------------------------------------------------------------------------------

HOLDS_OUT = {
    "at once": ([ok()], []),
    "after a broken line": ([BROKEN, BROKEN, ok()], [0.5, 1.0]),
    "after server errors": ([status(500), status(502), status(504), ok()], [0.5, 1.0, 2.0]),
    "as long as asked": (
        [status(429, retry_after="9"), status(503, retry_after=LATER, date=DATE), ok()],
        [9.0, 7.0],
    ),
    "after a document that broke off": ([part(b"bo"), ok()], [0.5]),
}


@pytest.mark.parametrize(("answers", "waits"), HOLDS_OUT.values(), ids=HOLDS_OUT)
def test_holds_out(answers: list[Response | TransportError], waits: list[float]) -> None:
    fetching, played, slept = fetcher(*answers)
    assert fetching.document(URL, 100).body == b"body"
    assert slept == waits
    assert played.answers == []


GIVES_UP = {
    "after four attempts": ([status(503)] * 4, "it answers 503"),
    "when asked to wait too long": ([status(429, retry_after="3600")], "asks to come back after 3600"),
    "without a certificate": ([NEVER], "no certificate"),
    "on broken lines": ([BROKEN] * 4, "the line broke"),
    "on a redirect to http": (
        [status(302, location="http://hub.example/")],
        "http://hub.example/, which is not",
    ),
    "on a redirect to nowhere": ([status(301)], "redirects to nowhere"),
    "on redirects in a circle": ([status(302, location="/file")] * 6, "over 5 times"),
    "on a part that nobody asked for": ([status(206)] * 4, "a part that was not asked for"),
}


@pytest.mark.parametrize(("answers", "words"), GIVES_UP.values(), ids=GIVES_UP)
def test_gives_up_and_says_why(answers: list[Response | TransportError], words: str) -> None:
    fetching, played, _ = fetcher(*answers)
    with pytest.raises(FetchError, match=r"hub\.example/file: .*") as caught:
        fetching.document(URL, 100)
    assert words in str(caught.value)
    assert played.answers == []


@pytest.mark.parametrize("number", [400, 401, 403, 404, 410, 423, 501])
def test_a_clear_no_is_an_answer_and_not_asked_again(number: int) -> None:
    fetching, _, slept = fetcher(status(number))
    assert fetching.document(URL, 100).status == number
    assert slept == []


def test_redirects_are_followed_and_the_end_is_told() -> None:
    fetching, played, _ = fetcher(
        status(301, location="/a"), status(307, location="https://cdn.example/b"), ok()
    )
    assert fetching.document(URL, 100).url == "https://cdn.example/b"
    assert [url for url, _ in played.asked] == [URL, f"{HUB}/a", "https://cdn.example/b"]


def test_all_waits_together_are_bounded() -> None:
    fetching, _, slept = fetcher(*[status(503)] * 9, policy=Policy(attempts=100, most_waiting=10))
    with pytest.raises(FetchError):
        fetching.document(URL, 100)
    assert sum(slept) <= 10


def test_a_hub_that_fails_again_and_again_is_asked_no_more() -> None:
    fetching, played, _ = fetcher(*[status(503)] * 5, policy=Policy(attempts=1))
    for _ in range(7):
        with pytest.raises(FetchError):
            fetching.document(URL, 100)
    assert fetching.gone
    assert played.answers == []


def test_one_answer_in_between_and_it_is_not_gone() -> None:
    answers = [*[status(503)] * 4, ok(), *[status(503)] * 4]
    fetching, _, _ = fetcher(*answers, policy=Policy(attempts=1))
    for answer in answers:
        if answer.status == 200:
            fetching.document(URL, 100)
        else:
            with pytest.raises(FetchError):
                fetching.document(URL, 100)
    assert not fetching.gone


# --- conditions ------------------------------------------------------------------------------------


def test_a_remembered_document_is_asked_for_on_condition() -> None:
    fetching, _, _ = fetcher(ok(b"old", etag='"1"'))
    fetching.document(URL, 100)
    again, played, _ = fetcher(status(304), remembered=fetching.seen)
    assert again.document(URL, 100).body == b"old"
    assert played.asked[0][1]["If-None-Match"] == '"1"'
    assert again.seen == fetching.seen == {URL: Remembered(b"old", '"1"', "")}


def test_a_date_is_a_condition_too_and_a_new_state_replaces_the_old() -> None:
    fetching, played, _ = fetcher(ok(b"new", etag='"2"'), remembered={URL: Remembered(b"old", "", DATE)})
    assert fetching.document(URL, 100).body == b"new"
    assert played.asked[0][1]["If-Modified-Since"] == DATE
    assert fetching.seen[URL] == Remembered(b"new", '"2"', "")


def test_unmodified_although_nothing_is_remembered_is_no_document() -> None:
    fetching, _, _ = fetcher(status(304))
    assert fetching.document(URL, 100).status == 304


# --- downloads that go on --------------------------------------------------------------------------


def rest(start: int, body: bytes, total: int, etag: str = '"1"', *, complete: bool = True) -> Response:
    headers = {"content-range": f"bytes {start}-{start + len(body) - 1}/{total}", "etag": etag}
    return Response(206, headers, body, complete)


GOES_ON = {
    "once": ([part(b"abc", etag='"1"'), rest(3, b"def", 6)], ["", "bytes=3-"]),
    "twice": (
        [part(b"ab", etag='"1"'), rest(2, b"cd", 6, complete=False), rest(4, b"ef", 6)], ["", "bytes=2-", "bytes=4-"],
    ),
    "after an error in between": ([part(b"abc", etag='"1"'), status(503), ok(b"abcdef")], ["", "bytes=3-", ""]),
    "from the start where it changed": ([part(b"xyz", etag='"0"'), ok(b"abcdef", etag='"1"')], ["", "bytes=3-"]),
    "from the start on a refused range": (
        [part(b"xyz", etag='"0"'), status(416), ok(b"abcdef")], ["", "bytes=3-", ""],
    ),
    "from the start on a failed condition": (
        [part(b"xyz", etag='"0"'), status(412), ok(b"abcdef")], ["", "bytes=3-", ""],
    ),
    "from the start where the part starts elsewhere": (
        [part(b"abc", etag='"1"'), rest(2, b"cdef", 6), ok(b"abcdef")], ["", "bytes=3-", ""],
    ),
    "from the start where the part is of another state": (
        [part(b"abc", etag='"1"'), rest(3, b"xyz", 6, '"2"'), ok(b"abcdef")], ["", "bytes=3-", ""],
    ),
    "from the start without an etag": ([part(b"abc"), ok(b"abcdef")], ["", ""]),
    "from the start with a weak etag": ([part(b"abc", etag='W/"1"'), ok(b"abcdef")], ["", ""]),
    "where the line breaks before the first byte": ([part(b"", etag='"1"'), ok(b"abcdef")], ["", ""]),
}  # fmt: skip


@pytest.mark.parametrize(("answers", "ranges"), GOES_ON.values(), ids=GOES_ON)
def test_a_download_goes_on(answers: list[Response | TransportError], ranges: list[str]) -> None:
    fetching, played, _ = fetcher(*answers)
    answer = fetching.download(URL, 100)
    assert (answer.status, answer.body) == (200, b"abcdef")
    assert [headers.get("Range", "") for _, headers in played.asked] == ranges
    assert all(("Range" in headers) == ("If-Range" in headers) for _, headers in played.asked)


# --- the network -----------------------------------------------------------------------------------


def get(script: Scripted, target: str = "/", most: int = 1000, **more: float) -> Response:
    return HttpTransport(script.url, **more).get(script.url + target, {}, most=most)  # type: ignore[arg-type]


def test_answers_come_as_they_are_on_one_connection() -> None:
    script = Scripted({"/": Reply(418, b"tea", {"X-A": "1", "x-a": "2"}), "/b": Reply(body=b"b")})
    with served(script):
        transport = HttpTransport(script.url)
        first, second = (transport.get(script.url + path, {"Accept": "x"}) for path in ("/", "/b"))
    assert (first.status, first.body, first.headers["x-a"], first.complete) == (418, b"tea", "1, 2", True)
    assert second.body == b"b"
    assert script.connections == 1
    assert script.asked[0].headers["accept-encoding"] == "identity"
    assert "authorization" not in script.asked[0].headers


def test_a_connection_that_was_closed_meanwhile_is_opened_again() -> None:
    closing = Reply(raw=b"HTTP/1.1 200 X\r\nContent-Length: 1\r\n\r\nx")
    with served(Scripted({"/": closing})) as script:
        transport = HttpTransport(script.url)
        assert [transport.get(script.url + "/", {}).body for _ in range(3)] == [b"x"] * 3


CHUNKED = b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n"
BODIES = {
    "cut off": (Reply(body=b"abcdef", cut=3), b"abc", False),
    "cut off before it starts": (Reply(body=b"abcdef", cut=0), b"", False),
    "chunks": (Reply(raw=CHUNKED + b"3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n"), b"abcdef", True),
    "chunks cut off": (Reply(raw=CHUNKED + b"3\r\nabc\r\n9\r\nde"), b"abc", False),
    "chunks that are none": (Reply(raw=CHUNKED + b"zz\r\nabc\r\n"), b"", False),
    "headers cut off": (Reply(raw=b"HTTP/1.1 200 X\r\nContent-Ty"), b"", False),
    "until the line closes": (Reply(raw=b"HTTP/1.1 200 X\r\n\r\nabc"), b"abc", True),
}


@pytest.mark.parametrize(("reply", "body", "complete"), BODIES.values(), ids=BODIES)
def test_bodies(reply: Reply, body: bytes, complete: bool) -> None:
    with served(Scripted({"/": reply})) as script:
        answer = get(script)
    assert (answer.body, answer.complete) == (body, complete)


REFUSED = {
    "too long by its own word": (Reply(body=b"x" * 2000), "over 1,000 bytes", False),
    "too long in chunks": (
        Reply(raw=CHUNKED + b"7d0\r\n" + b"x" * 2000 + b"\r\n0\r\n\r\n"),
        "over 1,000 bytes",
        False,
    ),
    "too long without a word": (
        Reply(raw=b"HTTP/1.1 200 X\r\n\r\n" + b"x" * 2000),
        "over 1,000 bytes",
        False,
    ),
    "compressed": (Reply(body=b"x", headers={"Content-Encoding": "gzip"}), "compressed", False),
    "no HTTP": (Reply(raw=b"SSH-2.0-x\r\n"), "does not answer", True),
    "nothing": (Reply(raw=b""), "does not answer", True),
    "headers without end": (
        Reply(raw=b"HTTP/1.1 200 X\r\n" + b"X-A: 1\r\n" * 500 + b"\r\n"),
        "does not answer",
        True,
    ),
    "a header without end": (Reply(raw=b"HTTP/1.1 200 X\r\nX-A: " + b"1" * 99_000), "does not answer", True),
    "a status that is none": (Reply(raw=b"HTTP/1.1 abc X\r\n\r\n"), "does not answer", True),
}


@pytest.mark.parametrize(("reply", "words", "again"), REFUSED.values(), ids=REFUSED)
def test_answers_that_are_not_read(reply: Reply, words: str, again: bool) -> None:
    with served(Scripted({"/": reply})) as script, pytest.raises(TransportError, match=words) as caught:
        get(script)
    assert caught.value.again is again


def test_a_server_that_is_silent_or_drips_is_left() -> None:
    with served(Scripted({"/": Reply(body=b"x" * 500, drip=0.02)})) as script:
        started = time.monotonic()
        with pytest.raises(TransportError, match=r"over 0\.4 seconds"):
            get(script, deadline=0.4)
        assert time.monotonic() - started < 3
        with pytest.raises(TransportError, match="silent"):
            get(Scripted({"/": Reply(body=b"x", drip=2)}, script.port), timeout=0.005)


def test_a_body_that_drips_keeps_what_came() -> None:
    with served(
        Scripted({"/": Reply(raw=b"HTTP/1.1 200 X\r\nContent-Length: 100000\r\n\r\n" + b"x" * 40_000)})
    ) as script:
        answer = get(script, most=200_000)
    assert not answer.complete
    assert len(answer.body) == 40_000


def test_a_host_that_the_operator_did_not_name_must_be_public() -> None:
    with served(Scripted({"/": Reply(body=b"secret")})) as script:
        transport = HttpTransport("https://hub.example")
        for host in ("127.0.0.1", "localhost"):
            with pytest.raises(TransportError, match="no public address"):
                transport.get(f"http://{host}:{script.port}/", {})
    assert script.asked == []


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "ftp://h/", "https:///x", "http://a:b@127.0.0.1/", "http://127.0.0.1:99999/", "x"],
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(TransportError, match="is no"):
        HttpTransport("http://127.0.0.1").get(url, {})


def test_a_target_cannot_smuggle_a_header() -> None:
    with served(Scripted({})) as script:
        get(script, "/a b\r\nX-Evil: 1\u00e9?q=\n")
    assert "x-evil" not in script.asked[0].headers


def test_nobody_listens() -> None:
    with served(Scripted({})) as script:
        port = script.port
    with pytest.raises(TransportError, match="cannot be reached") as caught:
        HttpTransport("http://127.0.0.1").get(f"http://127.0.0.1:{port}/", {})
    assert caught.value.again


def test_https_asks_for_a_certificate() -> None:
    assert HttpTransport(HUB).tls.verify_mode is ssl.CERT_REQUIRED
    assert HttpTransport(HUB).tls.check_hostname
    with served(Scripted({"/": Reply(body=b"x")})) as script, pytest.raises(TransportError):
        HttpTransport(script.url, timeout=2).get(f"https://127.0.0.1:{script.port}/", {})
