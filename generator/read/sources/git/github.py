"""Addresses of public repositories on GitHub."""

from __future__ import annotations

import re
from dataclasses import dataclass

_GITHUB = re.compile(
    r"https://github\.com/([A-Za-z0-9][A-Za-z0-9-]{0,38})/([A-Za-z0-9._-]{1,100}?)(?:\.git)?/?"
)


@dataclass(frozen=True, slots=True)
class GitHubPlace:
    """A public repository on GitHub, as ``owner/name``, and the folder of it that is a source."""

    repository: str
    folder: str


def find_github(location: str, folder: str) -> GitHubPlace | None:
    """The place on GitHub that the address of a git source names, None where it is somewhere else."""
    match = _GITHUB.fullmatch(location)
    if match is None or match[2] in (".", "..", ".git"):
        return None
    return GitHubPlace(f"{match[1]}/{match[2]}", folder.strip("/"))
