"""Run one call of DeepTutor's own hub client, inside its own Python, and print the outcome as JSON.

    python deeptutor_driver.py CALL [ARGUMENT]     with PYTHONPATH = the unpacked wheel

The hub comes from ``skill_hubs.json`` of the runtime home, as a user would configure it. Skills are installed
into ``$DEEPTUTOR_HOME/skills``.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zipfile import BadZipFile


def call(name: str, argument: str) -> Any:
    """The outcome of one call, ready for JSON."""
    from deeptutor.services.skill import hub
    from deeptutor.services.skill.service import SkillImportError, SkillService

    provider = hub.get_hub_provider(hub.default_hub())
    slug, _, version = argument.partition("@")
    match name:
        case "search":
            return [asdict(row) for row in provider.search(argument)]
        case "catalog":
            return provider.catalog(query=argument)
        case "detail":
            return provider.detail(argument)
        case "verify":
            return asdict(provider.verify(slug, version=version or None))
        case "web":
            return provider.web_origin
        case "install" | "install-unverified":
            service = SkillService(root=Path(os.environ["DEEPTUTOR_HOME"]) / "skills", builtin_root=None)
            try:
                outcome = hub.install_from_hub(
                    argument, service=service, allow_unverified=name == "install-unverified"
                )
            except (SkillImportError, hub.HubError, BadZipFile) as error:
                return {"refused": str(error)}
            return {
                "name": outcome.result.info.name,
                "tags": outcome.result.info.tags,
                "skipped": sorted(path for path, _ in outcome.result.skipped),
                "version": outcome.ref.version,
                "verdict": outcome.verdict.status,
            }
    raise SystemExit(f"no call {name!r}")


if __name__ == "__main__":
    json.dump(call(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""), sys.stdout)
