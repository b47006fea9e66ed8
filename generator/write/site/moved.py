"""The page at an address that a skill had once; for hosts that cannot redirect."""

from __future__ import annotations

from generator.write.site.view import escape_html


def moved_page(old: str, new: str, url: str) -> bytes:
    """A page that leads on by itself and in words. ``url`` is the absolute address of the present page."""
    address = escape_html(url)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape_html(old)} is now {escape_html(new)}</title>\n"
        f'<link rel="canonical" href="{address}">\n<meta http-equiv="refresh" content="0; url={address}">\n'
        f'</head>\n<body>\n<p>{escape_html(old)} is now <a href="{address}">{escape_html(new)}</a>.</p>\n'
        "</body>\n</html>\n"
    ).encode()
