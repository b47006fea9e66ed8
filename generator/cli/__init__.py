"""The ``skillpress`` command: one thin module per subcommand, each imported only when it runs."""

from __future__ import annotations

import importlib
import io
import os
import sys

import click

from generator import __version__
from generator.errors import SkillpressError
from generator.visible import make_visible

_COMMANDS = {
    "build": "Build a hub from folders of skills.",
    "catalog": "Print what a host would put into its system prompt.",
    "check": "Check skills: what to mend, and which agents load them.",
    "deprecate": "Say that a skill should no longer be used, and what to use instead.",
    "diff": "Show what differs between two versions of a skill, first what it can do now.",
    "explain": "Explain a finding: why it matters, who minds, how to mend it.",
    "marketplace": "Write the Claude Code marketplace of the repository a hub is built from.",
    "mirror": "Make a folder equal to a published hub, and keep it so.",
    "probe": "Ask a live hub what installers ask, and say who can use it.",
    "quarantine": "Give a skill, or a version of it, out to nobody.",
    "search": "Find skills in a hub.",
    "undo": "Take a decision about a skill back.",
    "verify": "Re-hash everything that a published hub promises.",
    "serve": "Build, serve and rebuild a hub on this machine; or serve a built one.",
    "yank": "Never choose a version again; who pins it still gets it.",
}


class _LazyGroup(click.Group):
    """Imports a subcommand's module when it is asked for: an unchanged build should not pay for a server."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        command = importlib.import_module(f"generator.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="skillpress")
def cli() -> None:
    """A static registry for agent skills.

    Exit codes: 0 done, 1 something is not published and --strict was given or a check found something,
    2 wrong use, 3 the command cannot go on, 130 interrupted.
    """


def main() -> None:
    """Run the command; an operator's error ends with its message and exit code 3, never a traceback."""
    if sys.getfilesystemencoding() != "utf-8":
        # The names of a hub's files are UTF-8 everywhere, whatever locale a build runs in.
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A name in Chinese must not end a build whose output goes to a pipe of another encoding.
            stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(cli.main(standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        click.echo(
            "Interrupted. No file is left half written; what was published before is untouched.", err=True
        )
        sys.exit(130)
    except SkillpressError as error:
        click.echo("\n".join(make_visible(line) for line in f"skillpress: {error}".split("\n")), err=True)
        sys.exit(3)
    except BrokenPipeError:
        # Whoever read the output has seen enough; Python must not complain about it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(3)
    except OSError as error:
        click.echo(f"skillpress: the output cannot be written ({error.strerror or error})", err=True)
        sys.exit(3)
