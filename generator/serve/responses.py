"""From an answer to an HTTP response: conditions, ranges, compression, and the headers every answer has."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Mapping

from starlette.responses import Response, StreamingResponse

from generator.serve.media import HTML
from generator.serve.tree import Answer, FileSlice

COMMON_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Content-Disposition, Content-Range, X-Content-SHA256",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}
GZIP_MIN = 1000
"""Bytes below which compressing is not worth its headers."""
_CHUNK = 256 * 1024
_RANGE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})", re.ASCII)
_COMPRESSIBLE = ("text/", "application/json", "application/x-ndjson", "image/svg+xml", "application/xml")


def respond(answer: Answer, method: str, headers: Mapping[str, str], extra: Mapping[str, str]) -> Response:
    """The response to ``answer``. ``headers`` are the request's, ``extra`` go into the response."""
    out = {**COMMON_HEADERS, "Cache-Control": str(answer.cache), **extra}
    out["Content-Type"] = answer.media_type
    if answer.media_type == HTML:
        out.setdefault("Content-Security-Policy", "frame-ancestors 'none'")
        out["X-Frame-Options"] = "DENY"
    if answer.status >= 400:
        out["Cache-Control"] = "no-store"
    elif answer.etag:
        out["ETag"] = answer.etag
        if _matches(headers.get("if-none-match", ""), answer.etag):
            return _bare(304, out)
    if isinstance(answer.body, FileSlice):
        return _slice(answer.status, answer.body, answer.etag, method, headers, out)
    body = answer.body
    if answer.media_type.startswith(_COMPRESSIBLE):
        out["Vary"] = "Accept-Encoding"
        if len(body) >= GZIP_MIN and accepts_gzip(headers.get("accept-encoding", "")):
            body = gzip.compress(body, 5, mtime=0)
            out["Content-Encoding"] = "gzip"
            if "ETag" in out:
                out["ETag"] = f"W/{answer.etag}"
    out["Content-Length"] = str(len(body))
    return Response(b"" if method == "HEAD" else body, answer.status, out)


def accepts_gzip(header: str) -> bool:
    """Whether an ``Accept-Encoding`` names gzip without refusing it."""
    for item in header.lower().split(","):
        name, _, parameters = item.strip().partition(";")
        if name.strip() in ("gzip", "x-gzip"):
            return not re.fullmatch(r"\s*q\s*=\s*0(\.0*)?\s*", parameters)
    return False


def _matches(header: str, etag: str) -> bool:
    """Weak comparison, as ``If-None-Match`` wants; ClawHub's own unquoted hashes pass too."""
    known = {one.strip().removeprefix("W/").strip('"') for one in header.split(",")}
    return header.strip() == "*" or etag.strip('"') in known


def _bare(status: int, headers: dict[str, str]) -> Response:
    kept = {name: value for name, value in headers.items() if name != "Content-Type"}
    return Response(b"", status, kept)


def _slice(
    status: int, body: FileSlice, etag: str, method: str, headers: Mapping[str, str], out: dict[str, str]
) -> Response:
    """A file's bytes, whole or one range of them. Several ranges are answered with the whole file."""
    out["Accept-Ranges"] = "bytes"
    wanted = headers.get("range", "")
    if wanted and headers.get("if-range", etag) == etag and method == "GET" and status == 200:
        found = byte_range(wanted, body.size)
        if found == (0, 0):
            out["Content-Range"] = f"bytes */{body.size}"
            out["Cache-Control"] = "no-store"
            return _bare(416, out)
        if found is not None:
            start, end = found
            out["Content-Range"] = f"bytes {start}-{end - 1}/{body.size}"
            status, body = 206, FileSlice(body.path, body.offset + start, end - start)
    out["Content-Length"] = str(body.size)
    if method == "HEAD":
        return Response(b"", status, out)
    return StreamingResponse(_chunks(body), status, out)


def byte_range(header: str, size: int) -> tuple[int, int] | None:
    """Start and end (exclusive) of a single byte range; ``(0, 0)`` where nothing of it exists.

    None is a header to ignore: not bytes, several ranges, or not well formed (RFC 9110, 14.2).
    """
    match = _RANGE.fullmatch(header.strip().replace(" ", ""))
    if match is None or not (match.group(1) or match.group(2)):
        return None
    first, last = match.groups()
    if not first:
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(int(last) + 1, size) if last else size
        if last and int(last) < start:
            return None
    return (start, end) if start < end else (0, 0)


def _chunks(body: FileSlice) -> Iterator[bytes]:
    left = body.size
    with body.path.open("rb") as file:
        file.seek(body.offset)
        while left > 0 and (chunk := file.read(min(left, _CHUNK))):
            left -= len(chunk)
            yield chunk
