"""Run released hosts over probes and say what they did.

    python -m tests.live                                every host over the record's probes: differences
    python -m tests.live --host codex,opencode          only some hosts
    python -m tests.live --probes FILE --out FILE       another record's probes; all verdicts as JSON
    python -m tests.live --folder DIR --out FILE        every folder below DIR that holds a SKILL.md
    python -m tests.live --write                        put the verdicts into the record

With ``--folder`` nothing is known of what the authors meant: a skill that is listed counts as ``load``, and the
JSON tells name and description for you to compare. Exit code 1 where a verdict differs from the record.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.live.hosts import HostError
from tests.live.model import LOAD, LOSS, Judge, Observed, Probe
from tests.live.place import found_below, place, read_record

ROOT = Path(__file__).resolve().parent.parent.parent
RECORD = ROOT / "generator" / "judge" / "hosts" / "probes.json"
HOSTS = (
    *("codex", "opencode", "gemini", "skills_cli", "claude_code", "openclaw"),
    *("skills_ref", "hermes", "deeptutor", "deerflow", "quick_validate"),
)


def available() -> tuple[str, ...]:
    """The hosts that have a module here."""
    folder = Path(__file__).resolve().parent / "hosts"
    return tuple(host for host in HOSTS if (folder / f"{host}.py").is_file())


def judge_of(host: str) -> Judge:
    """The function that runs ``host``."""
    judge: Judge = import_module(f"tests.live.hosts.{host}").judge
    return judge


def ask(hosts: Sequence[str], root: Path, probes: Sequence[Probe]) -> dict[str, dict[str, Observed]]:
    """What each host does with the probes placed below ``root``: column -> probe -> what was observed."""
    columns: dict[str, dict[str, Observed]] = {}
    for host in hosts:
        with tempfile.TemporaryDirectory(prefix="live-") as work:
            columns.update(judge_of(host)(root, probes, Path(work).resolve()))
    return columns


def ask_record(hosts: Sequence[str], record: Mapping[str, Any]) -> dict[str, dict[str, Observed]]:
    """What each host does with the probes of ``record``, written to a new folder."""
    with tempfile.TemporaryDirectory(prefix="live-") as scratch:
        root = Path(scratch).resolve() / "probes"
        return ask(hosts, root, place(record, root))


def differences(record: Mapping[str, Any], columns: Mapping[str, Mapping[str, Observed]]) -> list[str]:
    """One line for each verdict that is not the recorded one, or is not recorded."""
    lines = []
    for column, verdicts in columns.items():
        for entry in record["probes"]:
            seen = verdicts.get(entry["folder"])
            recorded = entry.get("verdicts", {}).get(column)
            if seen is None or recorded is None or seen.verdict == recorded["verdict"]:
                continue
            was = f"{recorded['verdict']} ({recorded['note'] or '-'})"
            lines.append(f"{column} | {entry['folder']} | {was} -> {seen.verdict} ({seen.note or '-'})")
    return lines


def updated(record: Mapping[str, Any], columns: Mapping[str, Mapping[str, Observed]]) -> dict[str, Any]:
    """The record with these verdicts in place of its own; a note stays while the verdict stays the same."""
    probes = []
    for entry in record["probes"]:
        verdicts = dict(entry.get("verdicts", {}))
        for column, seen in columns.items():
            observed = seen.get(entry["folder"])
            known = verdicts.get(column)
            if observed is None or (known is not None and known["verdict"] == observed.verdict):
                continue
            verdicts[column] = {"verdict": observed.verdict, "note": observed.note or None}
        probes.append({**entry, "verdicts": verdicts})
    hosts = list(dict.fromkeys([*record.get("hosts", ()), *columns]))
    return {**record, "hosts": hosts, "probes": probes}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.live", description="Run released hosts over probes.")
    parser.add_argument("--host", default=",".join(available()), help=f"of {', '.join(available())}")
    parser.add_argument("--probes", type=Path, default=RECORD, help="a record; default the one of the judge")
    parser.add_argument("--folder", type=Path, help="look at every skill folder below this one instead")
    parser.add_argument("--out", type=Path, help="write all verdicts as JSON here; - is standard output")
    parser.add_argument("--write", action="store_true", help="put the verdicts into the record")
    options = parser.parse_args(arguments)
    hosts = options.host.split(",")
    unknown = sorted(set(hosts) - set(available()))
    if unknown:
        parser.error(f"no host {unknown[0]!r}; hosts are {', '.join(available())}")
    try:
        if options.folder is not None:
            return _tell_folder(hosts, options.folder.resolve(), options.out)
        record = read_record(options.probes)
        columns = ask_record(hosts, record)
    except HostError as error:
        sys.stderr.write(f"tests.live: {error}\n")
        return 2
    if options.out is not None:
        _write_json(options.out, _as_json(columns))
    if options.write:
        _write_json(options.probes, updated(record, columns))
    lines = differences(record, columns)
    for line in lines:
        sys.stderr.write(line + "\n")
    compared = sum(len(verdicts) for verdicts in columns.values())
    sys.stderr.write(f"{len(columns)} columns, {compared} verdicts, {len(lines)} not as recorded\n")
    return 1 if lines else 0


def _tell_folder(hosts: Sequence[str], root: Path, out: Path | None) -> int:
    columns = {
        column: {
            probe: replace(seen, verdict=LOAD, note="") if seen.verdict == LOSS else seen
            for probe, seen in verdicts.items()
        }
        for column, verdicts in ask(hosts, root, found_below(root)).items()
    }
    _write_json(out or Path("-"), _as_json(columns))
    return 0


def _as_json(columns: Mapping[str, Mapping[str, Observed]]) -> dict[str, Any]:
    return {
        column: {
            probe: {
                "verdict": seen.verdict,
                "note": seen.note or None,
                "name": seen.name,
                "description": seen.description,
            }
            for probe, seen in verdicts.items()
        }
        for column, verdicts in columns.items()
    }


def _write_json(path: Path, document: Mapping[str, Any]) -> None:
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    if str(path) == "-":
        sys.stdout.write(text)
    else:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
