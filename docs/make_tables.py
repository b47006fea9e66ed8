"""Write what the site publishes of our own verdicts: ``python docs/make_tables.py``.

Two files beside the hosts' data: the agreement with the record of probes, and what each host does with the
example of each finding. Computing them takes a second, which a build should not pay for something that only
changes with our code or with the record: so they are files, and a test keeps them what would be computed now.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from generator.judge.agreement import Agreement, compare_record, read_record
from generator.judge.examples import examples_text
from generator.judge.profiles import load_profiles

HOSTS = Path(__file__).parents[1] / "generator" / "judge" / "hosts"


def agreement_document(agreement: Agreement) -> dict[str, Any]:
    """The table as JSON: for each probe and host ``[recorded, computed, note]``, null where nothing was recorded."""
    cells = {(cell.probe, cell.host): [cell.recorded, cell.computed, cell.note] for cell in agreement.cells}
    return {
        "schema": "skillpress.agreement.v1",
        "hosts": list(agreement.hosts),
        "probes": [
            {"id": probe, "cells": [cells.get((probe, host)) for host in agreement.hosts]}
            for probe in agreement.probes
        ],
    }


def agreement_text() -> str:
    """The whole file."""
    document = agreement_document(compare_record(read_record(), load_profiles()))
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def tables() -> dict[Path, str]:
    """Every file and its text."""
    return {
        HOSTS / "agreement.json": agreement_text(),
        HOSTS / "examples.json": examples_text(load_profiles()),
    }


if __name__ == "__main__":
    for path, text in tables().items():
        path.write_text(text, encoding="utf-8")
