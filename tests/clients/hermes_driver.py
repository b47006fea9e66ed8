"""Run one call of hermes-agent's own hub client, inside its own Python, and print the outcome as JSON.

    python hermes_driver.py CALL ARGUMENT     with HERMES_HOME = an empty folder

The steps are those of ``hermes skills install``, without the sources that need the internet.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import Any


def call(name: str, argument: str) -> Any:
    """The outcome of one call, ready for JSON."""
    skills_guard: Any = import_module("tools.skills_guard")
    skills_hub: Any = import_module("tools.skills_hub")
    source = skills_hub.WellKnownSkillSource()
    match name:
        case "search":
            found = source.search(argument, limit=100)
            return [
                {"name": one.name, "description": one.description, "identifier": one.identifier}
                for one in found
            ]
        case "install":
            bundle = source.fetch(argument)
            if bundle is None:
                return {"refused": "not found"}
            quarantine = skills_hub.quarantine_bundle(bundle)
            result = skills_guard.scan_skill(quarantine, source=bundle.identifier)
            allowed, reason = skills_guard.should_allow_install(result)
            if not allowed:
                return {"refused": reason}
            folder = skills_hub.install_from_quarantine(quarantine, bundle.name, "", bundle, result)
            return {"folder": str(folder), "files": sorted(bundle.files)}
        case "check":
            return skills_hub.check_for_skill_updates(sources=[source])
    raise SystemExit(f"no call {name!r}")


if __name__ == "__main__":
    outcome = call(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
    json.dump(outcome, sys.stdout, default=str)
