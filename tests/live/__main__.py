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
# Where the record itself is wrong about its host, column and folder, and the suite does not count the difference.
# The skills command lists this skill: only its padded name cannot be told from the printed list the record read.
MISREAD = frozenset({("vercel-skills/1.4.5 add --list", "p96-name-quoted-pad")})
_RUN = ("js", "javascript")
HOSTS = (
    *("codex", "opencode", "gemini", "skills_cli", "claude_code", "openclaw"),
    *("skills_ref", "hermes", "deeptutor"),
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
    _refuse_programs(root, probes)
    columns: dict[str, dict[str, Observed]] = {}
    for host in hosts:
        with tempfile.TemporaryDirectory(prefix="live-") as work:
            columns.update(judge_of(host)(root, probes, Path(work).resolve()))
    return columns


def _refuse_programs(root: Path, probes: Sequence[Probe]) -> None:
    """OpenCode and the skills command run front matter that opens with ``---js``: never hand them any."""
    for probe in probes:
        file = root / probe.id / "SKILL.md"
        if not file.is_file():
            continue
        with file.open("rb") as opened:
            first = opened.readline(4096).decode("utf-8-sig", "replace")
        if first.startswith("---") and first[3:].strip().lower() in _RUN:
            raise HostError(f"{file}: its front matter is a program, and some hosts would run it")


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
            folder = entry["folder"]
            recorded = entry.get("verdicts", {}).get(column)
            if recorded is None or (column, folder) in MISREAD:
                continue
            seen = verdicts.get(folder)
            if seen is not None and seen.verdict == recorded["verdict"]:
                continue
            now = "not run" if seen is None else f"{seen.verdict} ({seen.note or '-'})"
            lines.append(f"{column} | {folder} | {recorded['verdict']} ({recorded['note'] or '-'}) -> {now}")
    return lines


def updated(record: Mapping[str, Any], columns: Mapping[str, Mapping[str, Observed]]) -> dict[str, Any]:
    """The record with these verdicts in place of its own; a note stays while the verdict stays the same."""
    probes = []
    for entry in record["probes"]:
        verdicts = dict(entry.get("verdicts", {}))
        for column, seen in columns.items():
            observed = seen.get(entry["folder"])
            known = verdicts.get(column)
            same = observed is not None and known is not None and known["verdict"] == observed.verdict
            if observed is None or same or (column, entry["folder"]) in MISREAD:
                continue
            verdicts[column] = {"verdict": observed.verdict, "note": observed.note or None}
        probes.append({**entry, "verdicts": verdicts})
    hosts = list(dict.fromkeys([*record.get("hosts", ()), *columns]))
    return {**record, "hosts": hosts, "probes": probes}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.live", description="Run released hosts over probes."
    )
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
    # A lone surrogate is no UTF-8; written as \\udxxx it is the JSON escape of itself.
    text = json.dumps(document, indent=1, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
    if str(path) == "-":
        sys.stdout.buffer.write(text)
    else:
        path.write_bytes(text)


if __name__ == "__main__":
    raise SystemExit(main())
