"""CliError and CommandDone: how a command ends early. They are apart from argparse, which the menu spares."""

from __future__ import annotations


class CliError(Exception):
    """The user asked for something impossible. The message is one line."""


class CommandDone(SystemExit):
    """The command has nothing more to do: its help was printed, or the server was asked to stop."""
