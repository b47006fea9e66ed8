"""What the commands that change the overlay have in common: finding its files, naming skills, writing back."""

from __future__ import annotations

import contextlib
import difflib
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import click

from generator.build.ledgers import Ledgers
from generator.check.writing import FileChange, UnwritableError, write_change
from generator.cli.printing import print_json, print_lines
from generator.config import CONFIG_NAME
from generator.errors import ConfigError
from generator.history.overlay.editing import (
    Decision,
    OverlayFile,
    hub_file,
    make_decision,
    read_overlay_file,
)
from generator.history.overlay.model import SkillKey
from generator.history.overlay.reading import OVERLAY_FOLDER, list_overlay_files, parse_settings
from generator.history.overlay.refs import parse_reason, parse_reference, show_key
from generator.model import Version
from generator.names import InvalidNameError
from generator.read.nodes import MappingNode, ScalarNode
from generator.versions import newest_first
from generator.visible import make_visible

F = TypeVar("F", bound=Callable[..., Any])

SCHEMA: Final = "skillpress.overlay.v1"
_VERSIONS_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Desk:
    """The operator's files, and what the built hub knows.

    ``folder`` is where ``hub.yml`` lies or would lie; ``ledgers`` is None where no hub is built yet, ``hub`` is how
    messages call the output folder.
    """

    folder: str
    files: tuple[OverlayFile, ...]
    in_folder: bool
    hub: str
    ledgers: Ledgers | None
    known: frozenset[SkillKey] = field(default=frozenset())


def desk_options(function: F) -> F:
    """The options that every one of these commands takes."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print one JSON document."),
        click.option(
            "--out", metavar="DIR", help="The built hub to look names up in (default: hub.yml's, or public)."
        ),
        click.option("--config", metavar="FILE", help="The hub.yml to change (default: hub.yml here)."),
    ):
        function = option(function)
    return function


def open_desk(config: str | None, out: str | None) -> Desk:
    """Read hub.yml, the overlay's files, and the names in the built hub.

    Raises:
        ConfigError: a file cannot be read or understood.
    """
    path = config or CONFIG_NAME
    folder = os.path.dirname(path)
    data = _read(path, os.path.basename(path)) if config or os.path.lexists(path) else b""
    files = [hub_file(os.path.basename(path), data)]
    overlay = os.path.join(folder, OVERLAY_FOLDER)
    files += [
        OverlayFile(
            f"{OVERLAY_FOLDER}/{name}", _read(os.path.join(overlay, name), f"{OVERLAY_FOLDER}/{name}")
        )
        for name in list_overlay_files(overlay)
    ]
    hub = out or os.path.join(folder, _out_of(files[0]))
    ledgers = Ledgers(hub, trusting=True) if os.path.isdir(os.path.join(hub, "ledger")) else None
    renamed = [one for file in files for one in read_overlay_file(file).rename]
    known = {
        *(ledgers.skills() if ledgers else ()),
        *(one.target for one in renamed),
        *(one.skill for one in renamed),
    }
    return Desk(
        folder, tuple(files), os.path.isdir(overlay), hub, ledgers, frozenset(known if ledgers else ())
    )


def _read(path: str, name: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise ConfigError(f"{name}: no such file. Name an existing hub.yml with --config.") from None
    except OSError as error:
        raise ConfigError(f"{name}: cannot be read ({error.strerror}).") from None


def _out_of(file: OverlayFile) -> str:
    """The output folder that ``hub.yml`` names."""
    node = parse_settings(file.data, file.name)
    out = node.get("out") if isinstance(node, MappingNode) else None
    return out.value.strip() if isinstance(out, ScalarNode) and out.value.strip() else "public"


# --- names -----------------------------------------------------------------------------------------


def find_skill(
    desk: Desk, text: str, hint: str, *, others: Collection[SkillKey] = (), must_exist: bool = True
) -> tuple[SkillKey, Version | None]:
    """The skill and version that a reference means. ``others`` are skills that count as known.

    Raises:
        click.BadParameter: it is no reference, means no skill or several, or (with ``must_exist``) is not on the
            built hub.
    """
    try:
        reference = parse_reference(text)
    except (InvalidNameError, ValueError) as error:
        raise _wrong(_capital(str(error)), hint) from None
    known = {*desk.known, *others}
    if reference.owner is not None:
        key = (reference.owner, reference.slug)
        if must_exist and desk.ledgers is not None and key not in known:
            raise _wrong(
                f"{show_key(key)} is not on the hub in {desk.hub}.{_nearest(show_key(key), known)}", hint
            )
        return key, reference.version
    named = sorted(key for key in known if key[1] == reference.slug)
    if len(named) == 1:
        return named[0], reference.version
    if named:
        raise _wrong(
            f"{reference.slug} is the slug of {', '.join(map(show_key, named))}. Name one of them", hint
        )
    if desk.ledgers is None:
        raise _wrong(
            f"{reference.slug} names no owner, and no hub is built in {desk.hub}. Write owner/slug", hint
        )
    raise _wrong(
        f"No skill on the hub in {desk.hub} has the slug {reference.slug}.{_nearest(reference.slug, known)}",
        hint,
    )


def check_version(desk: Desk, key: SkillKey, version: Version | None, *, required: bool) -> str | None:
    """What is to be said of a version that the hub does not know; None where there is nothing to say.

    Raises:
        click.BadParameter: a version is ``required`` and missing.
        LedgerError: the skill's ledger is damaged.
    """
    releases = desk.ledgers.releases(key) if desk.ledgers is not None else ()
    versions = newest_first([release.version for release in releases])
    more = f" and {len(versions) - _VERSIONS_SHOWN} more" if len(versions) > _VERSIONS_SHOWN else ""
    listed = f"It has {', '.join(versions[:_VERSIONS_SHOWN])}{more}" if versions else ""
    if version is None:
        if required:
            raise _wrong(f"Name a version: {show_key(key)}@1.2.3. {listed}".rstrip(), "REF")
        return None
    if desk.ledgers is not None and version not in versions:
        return f"{show_key(key)} has no version {version}. {listed}".rstrip()
    return None


def parse_reason_option(text: str) -> str:
    """The text of ``--reason``.

    Raises:
        click.BadParameter: it is empty, too long, or holds invisible characters.
    """
    try:
        return parse_reason(text)
    except ValueError as error:
        raise _wrong(_capital(str(error)), "--reason") from None


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _wrong(message: str, hint: str) -> click.BadParameter:
    end = "" if message.endswith(("?", ".")) else "."
    return click.BadParameter(make_visible(f"{message}{end}"), param_hint=hint)


def wrong_reference(message: str) -> click.BadParameter:
    """Wrong use of REF."""
    return _wrong(message, "REF")


def _nearest(text: str, known: Iterable[SkillKey]) -> str:
    names = {name: show_key(key) for key in sorted(known) for name in (key[1], show_key(key))}
    close = difflib.get_close_matches(text, list(names), n=1, cutoff=0.6)
    return f" Did you mean {names[close[0]]}?" if close else ""


# --- writing ---------------------------------------------------------------------------------------


def decide(desk: Desk, decision: Decision, notes: Sequence[str], *, as_json: bool) -> None:
    """Write a decision down and say so.

    Raises:
        ConfigError: it cannot be written, or contradicts what stands there.
    """
    changed = make_decision(desk.files, decision, in_folder=desk.in_folder)
    save(desk, changed)
    shown = show_key(*decision.subject)
    unchecked = (
        [] if desk.ledgers is not None else [f"No hub is built in {desk.hub}: the name was not checked."]
    )
    report(
        decision.kind, decision, changed, (*notes, *unchecked), as_json=as_json,
        done=f"{decision.kind} {shown}" if changed else f"{decision.kind} {shown} stands there already",
    )  # fmt: skip


def save(desk: Desk, files: Iterable[OverlayFile]) -> None:
    """Put the new bytes in place, each file whole or not at all.

    Raises:
        ConfigError: one cannot be written, or was changed by somebody else meanwhile.
    """
    before = {file.name: file.data for file in desk.files}
    for file in files:
        path = os.path.realpath(os.path.join(desk.folder, file.name))
        folder, name = os.path.split(path)
        try:
            if os.path.lexists(path):
                write_change(FileChange(folder, name, name, before.get(file.name, b""), file.data))
            else:
                _create(folder, name, file.data)
        except UnwritableError as error:
            raise ConfigError(f"{file.name}: not changed, since {error}.") from None
        except OSError as error:
            raise ConfigError(f"{file.name}: cannot be written ({error.strerror}).") from None


def _create(folder: str, name: str, data: bytes) -> None:
    scratch = os.path.join(folder, f".skillpress-{os.getpid()}.tmp")
    handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(scratch, os.path.join(folder, name))
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(scratch)
        raise


def report(
    command: str,
    decision: Decision,
    changed: Sequence[OverlayFile],
    notes: Sequence[str],
    *,
    done: str,
    as_json: bool,
) -> None:
    """Say what was done, for people or for programs."""
    (owner, slug), version = decision.subject
    if as_json:
        value = {"reason": decision.value} if isinstance(decision.value, str) else dict(decision.value)
        print_json(
            {
                "schema": SCHEMA,
                "command": command,
                "kind": decision.kind,
                "owner": owner,
                "slug": slug,
                "version": version,
                "decision": value if command != "undo" else None,
                "changed": bool(changed),
                "files": [file.name for file in changed],
                "notes": [make_visible(note) for note in notes],
            }
        )
        return
    files = ", ".join(file.name for file in changed)
    print_lines(
        [f"{files}: {done}. The next build publishes it." if changed else f"Nothing changed: {done}."]
    )
    print_lines((f"Note: {note}" for note in notes), err=True)
