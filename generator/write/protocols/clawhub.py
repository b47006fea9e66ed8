"""The ClawHub API as ready answers: what a hub tells ``clawhub``, OpenClaw and DeepTutor.

Measured against the ClawHub CLI 0.8.0 to 0.23.3, OpenClaw 2026.9.6 and DeepTutor of 2026-08-19. The shapes
are in :mod:`clawhub_types` and :mod:`clawhub_answers`, the answers about one skill in :mod:`clawhub_skill`,
those about the hub in :mod:`clawhub_hub`; this module is the door.
"""

from __future__ import annotations

from generator.write.protocols.clawhub_hub import hub_routes
from generator.write.protocols.clawhub_rows import archive_route, list_row, page_url, skill_base
from generator.write.protocols.clawhub_security import judge
from generator.write.protocols.clawhub_skill import skill_answers

__all__ = ["archive_route", "hub_routes", "judge", "list_row", "page_url", "skill_answers", "skill_base"]
