#!/usr/bin/env python3
"""MCP server over stdio that offers a user's notes as tools (JSON-RPC 2.0, one message a line).

Start it without arguments; it ends when its input ends.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

sys.dont_write_bytecode = True  # an installed skill keeps exactly the files it came with

from notes_store import (
    NoteError,
    add_note,
    forget_note,
    format_note,
    read_notes,
    search_notes,
)

VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602


def tool(name: str, summary: str, **arguments: str) -> dict[str, Any]:
    return {
        "name": name,
        "description": summary,
        "inputSchema": {
            "type": "object",
            "properties": {key: {"type": "string", "description": text} for key, text in arguments.items()},
            "required": list(arguments),
            "additionalProperties": False,
        },
    }


TOOLS = (
    tool(
        "note_add",
        "Keep one sentence about the user, after they agreed.",
        text="the sentence, at most 400 characters",
    ),
    tool("note_list", "All notes about the user, oldest first, with their ids."),
    tool("note_search", "Notes that hold all the given words.", words="words separated by spaces"),
    tool("note_forget", "Take one note out for good.", id="the note's id, as note_list prints it"),
)


class RequestError(Exception):
    """A request that is answered with a JSON-RPC error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def call_tool(user: str, name: Any, arguments: Any) -> dict[str, Any]:
    known = next((entry for entry in TOOLS if entry["name"] == name), None)
    if known is None:
        raise RequestError(INVALID_PARAMS, f"there is no tool {name!r}")
    wanted = known["inputSchema"]["required"]
    if not isinstance(arguments, dict) or sorted(arguments) != sorted(wanted):
        raise RequestError(
            INVALID_PARAMS, f"{name} takes exactly these arguments: {', '.join(wanted) or 'none'}"
        )
    if not all(isinstance(value, str) for value in arguments.values()):
        raise RequestError(INVALID_PARAMS, f"{name}: every argument is a text")
    try:
        if name == "note_add":
            text = format_note(add_note(user, arguments["text"]))
        elif name == "note_forget":
            text = "forgotten: " + forget_note(user, arguments["id"])["text"]
        else:
            notes = search_notes(user, arguments["words"]) if name == "note_search" else read_notes(user)
            text = "\n".join(map(format_note, notes)) or "no notes"
    except (NoteError, OSError) as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    return {"content": [{"type": "text", "text": text}], "isError": False}


def answer(user: str, method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        asked = params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": {"name": "session-notes", "version": "1.0.0"},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": list(TOOLS)}
    if method == "tools/call":
        return call_tool(user, params.get("name"), params.get("arguments", {}))
    raise RequestError(NO_METHOD, f"there is no method {method!r}")


def respond(user: str, line: str) -> dict[str, Any] | None:
    """The response to one line, or None for a notification."""
    request_id: Any = None
    try:
        try:
            message = json.loads(line)
        except ValueError:
            raise RequestError(PARSE_ERROR, "the line is not JSON") from None
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            raise RequestError(INVALID_REQUEST, "a request is one object with a method")
        if "id" not in message:
            return None
        request_id = message["id"]
        params = message.get("params", {})
        if not isinstance(params, dict):
            raise RequestError(INVALID_PARAMS, "params must be an object")
        return {"jsonrpc": "2.0", "id": request_id, "result": answer(user, message["method"], params)}
    except RequestError as error:
        return {"jsonrpc": "2.0", "id": request_id, "error": {"code": error.code, "message": str(error)}}


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--user", default="default", help="user id whose notes are served (default: %(default)s)"
    )
    options = parser.parse_args(argv)
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    for line in sys.stdin:
        if line.strip():
            response = respond(options.user, line)
            if response is not None:
                print(json.dumps(response, ensure_ascii=False), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
