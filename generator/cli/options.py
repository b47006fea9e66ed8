"""Options that more than one command takes, and what they have in common at run time."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any, TypeVar

import click

from generator.errors import ConfigError
from generator.hosting.profiles import HOSTINGS
from generator.model import TimeMs
from generator.write.layout import Layout, Naming

F = TypeVar("F", bound=Callable[..., Any])


def hub_options(function: F) -> F:
    """The options that stand for keys of hub.yml."""
    options = (
        click.option(
            "--config", metavar="FILE", help="The hub.yml to use (default: hub.yml here, if there is one)."
        ),
        click.option("--url", help="The hub's public URL, with its base path if it has one."),
        click.option("--owner", help="Who publishes the skills."),
        click.option(
            "--layout",
            type=click.Choice([layout.value for layout in Layout]),
            help="Each route a file, or a few files a skill.",
        ),
        click.option(
            "--hosting",
            type=click.Choice(list(HOSTINGS)),
            help="The kind of host to build for: layout, configuration, limits.",
        ),
        click.option(
            "--naming",
            type=click.Choice([naming.value for naming in Naming]),
            help="What exploded documents are called.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def read_clock() -> TimeMs:
    """The time of this build: SOURCE_DATE_EPOCH (seconds) where it is set, else now.

    Raises:
        ConfigError: SOURCE_DATE_EPOCH is not a whole number.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        return TimeMs(time.time_ns() // 1_000_000)
    if not epoch.isascii() or not epoch.isdigit() or len(epoch) > 11:
        raise ConfigError(f"SOURCE_DATE_EPOCH={epoch!r}: expected seconds since 1970 as a whole number")
    return TimeMs(int(epoch) * 1000)


def default_jobs() -> int:
    """One worker a core that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def show_progress(stage: str, done: int, total: int) -> None:
    """A line that rewrites itself on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty() or os.environ.get("CI") or total < 50:
        return
    end = "\n" if done >= total else ""
    click.echo(f"\r{stage} {done}/{total} skills{end}", err=True, nl=False)
