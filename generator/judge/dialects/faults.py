"""How a reader of this package stops: one exception, which never leaves the package."""

from __future__ import annotations

from generator.judge.dialects.values import Fault


class Refused(Exception):  # noqa: N818  # it becomes a value, not an error
    """A reader refuses the text at ``at`` (an index into it)."""

    def __init__(self, kind: str, at: int, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.at = at
        self.message = message


def fault_at(text: str, refused: Refused, breaks: str = "\n") -> Fault:
    """The refusal with its place; ``breaks`` are the characters that end a line for the library."""
    before = text[: refused.at]
    if "\r" in breaks:
        before = before.replace("\r\n", "\n").replace("\r", "\n")
    line = before.count("\n") + 1
    return Fault(refused.kind, line, len(before) - before.rfind("\n"), refused.message)


class Stopped(Exception):  # noqa: N818  # it becomes a value, not an error
    """A reader stops at a fault whose place is known already."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault
