#!/usr/bin/env python3
"""Keep, list, search and forget notes of one user. Also the module that hooks and server share.

Exit codes: 0 all well, 2 notes cannot be read or written, 3 the note is refused or there is no such note.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import os
import re
import sys
import uuid
from pathlib import Path

MAX_NOTE = 400
MAX_NOTES = 500
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
MASK = "[masked]"
SECRETS = (
    re.compile(r"-{5}BEGIN [A-Z ]{0,30}KEY-{5}[\s\S]{0,8000}?-{5}END [A-Z ]{0,30}KEY-{5}"),
    re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    re.compile(r"\bgh[oprsu]_[A-Za-z0-9]{30,255}\b"),
    re.compile(r"\bgithub_pat_[A-Za-z0-9_]{22,255}\b"),
    re.compile(r"\bsk-[A-Za-z0-9_-]{20,255}"),
    re.compile(r"\bxox[abprs]-[A-Za-z0-9-]{10,255}"),
    re.compile(r"\beyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,2000}"),
)
NAMED_SECRET = re.compile(
    r"\b(pass(?:word|phrase)|passwd|api[ _-]?key|access[ _-]?token|secret|密码|口令)(\s{0,3}(?:is|=|:|：|是|为)\s{0,3})(\S{3,199}[^\s,.;，。；])",
    re.IGNORECASE,
)


class NoteError(Exception):
    """A note that is not kept, or not found; the message is for the user."""


def mask_secrets(text: str) -> tuple[str, int]:
    """The text with things that look like secrets masked, and how many there were."""
    count = 0
    for pattern in SECRETS:
        text, found = pattern.subn(MASK, text)
        count += found
    text, found = NAMED_SECRET.subn(
        lambda m: m.group(0) if m.group(3) == MASK else m.group(1) + m.group(2) + MASK, text
    )
    return text, count + found


def notes_folder() -> Path:
    chosen = os.environ.get("SESSION_NOTES_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "session-notes"


def notes_file(user: str) -> Path:
    return notes_folder() / (hashlib.sha256(user.encode("utf-8")).hexdigest()[:32] + ".jsonl")


def clean(text: str) -> str:
    return " ".join(CONTROL.sub(" ", text).split())


def read_notes(user: str) -> list[dict[str, str]]:
    """Notes of a user, oldest first. Lines that cannot be read are passed over."""
    try:
        lines = notes_file(user).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    notes = []
    for line in lines:
        try:
            note = json.loads(line)
        except ValueError:
            continue
        if isinstance(note, dict) and all(isinstance(note.get(key), str) for key in ("id", "day", "text")):
            notes.append(note)
    return notes


def write_notes(user: str, notes: list[dict[str, str]]) -> None:
    """Replace the file in one step, readable by its owner only."""
    path = notes_file(user)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    scratch = path.with_name(f"{path.name}.{os.getpid()}.new")
    handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(handle, "w", encoding="utf-8", newline="\n") as stream:
        for note in notes:
            stream.write(json.dumps(note, ensure_ascii=False) + "\n")
    os.replace(scratch, path)


def append_note(user: str, note: dict[str, str]) -> None:
    """Add one line in one write, so that a hook and the server can keep notes at the same time."""
    path = notes_file(user)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(handle, (json.dumps(note, ensure_ascii=False) + "\n").encode("utf-8"))
    finally:
        os.close(handle)


def add_note(user: str, text: str) -> dict[str, str]:
    """Keep one note; the same sentence twice is kept once. Raises NoteError for a note that is refused."""
    sentence = clean(text)
    if not sentence:
        raise NoteError("an empty note is not kept")
    if len(sentence) > MAX_NOTE:
        raise NoteError(f"the note has {len(sentence)} characters; {MAX_NOTE} are allowed: keep one sentence")
    if mask_secrets(sentence)[1]:
        raise NoteError("the note looks like it holds a password or token; secrets are not kept")
    notes = read_notes(user)
    for note in notes:
        if note["text"].casefold() == sentence.casefold():
            return note
    if len(notes) >= MAX_NOTES:
        raise NoteError(f"there are {MAX_NOTES} notes already; forget some first")
    note = {"id": uuid.uuid4().hex[:8], "day": datetime.date.today().isoformat(), "text": sentence}
    append_note(user, note)
    return note


def search_notes(user: str, words: str) -> list[dict[str, str]]:
    wanted = words.casefold().split()
    return [note for note in read_notes(user) if all(word in note["text"].casefold() for word in wanted)]


def forget_note(user: str, note_id: str) -> dict[str, str]:
    """Take one note out. Raises NoteError where the user has no such note."""
    notes = read_notes(user)
    for note in notes:
        if note["id"] == note_id:
            write_notes(user, [other for other in notes if other is not note])
            return note
    raise NoteError(f"there is no note {note_id}")


def format_note(note: dict[str, str]) -> str:
    return f"{note['id']}  {note['day']}  {note['text']}"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, argument, summary in (
        ("add", "text", "keep one sentence"),
        ("list", None, "print all notes"),
        ("search", "words", "print notes that hold all the words"),
        ("forget", "id", "take one note out"),
    ):
        sub = commands.add_parser(name, help=summary)
        sub.add_argument("--user", default="default", help="user id (default: %(default)s)")
        if argument:
            sub.add_argument(argument)
    options = parser.parse_args(argv)
    try:
        if options.command == "add":
            print(format_note(add_note(options.user, options.text)))
        elif options.command == "forget":
            print("forgotten: " + forget_note(options.user, options.id)["text"])
        else:
            found = search_notes(options.user, options.words if options.command == "search" else "")
            print("\n".join(map(format_note, found)) or "no notes")
    except NoteError as error:
        print(f"notes_store: {error}", file=sys.stderr)
        return 3
    except OSError as error:
        print(f"notes_store: cannot read or write {notes_folder()}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
