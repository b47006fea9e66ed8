"""The text of a published skill, out of the archive that lies on the hub."""

from __future__ import annotations

import os
from dataclasses import dataclass

from generator.model import Listing
from generator.write.archive import ArchiveError, read_archive
from generator.write.layout import archive_file

_MANIFEST = "SKILL.md"


@dataclass(frozen=True, slots=True)
class SkillTexts:
    """Reads below the output folder ``root``."""

    root: str

    def read(self, listing: Listing) -> str | None:
        """The ``SKILL.md`` of the latest release; None where nobody may have its archive, or that has no such file."""
        path = f"{self.root}/{archive_file(listing.owner, listing.slug, listing.version)}"
        if not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            data = file.read()
        try:
            files = read_archive(data)
        except ArchiveError:
            return None
        return next((one.data.decode("utf-8", "replace") for one in files if one.path == _MANIFEST), None)
