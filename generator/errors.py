"""Errors for the operator; an author's mistakes are findings, never exceptions."""

from __future__ import annotations


class SkillpressError(Exception):
    """The root of every error a command can end with.

    The message says what is wrong, where, and what to do; it is printed without a traceback.
    """


class ConfigError(SkillpressError):
    """``hub.yml`` or an option holds something we cannot use."""


class SourceError(SkillpressError):
    """A source cannot be read at all: it is missing, or not a folder."""


class PublishError(SkillpressError):
    """The output folder cannot be written, is locked by another build, or is not a hub."""
