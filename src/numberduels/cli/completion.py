"""`duel --completion SHELL`: shell completion, generated from the commands and their parsers."""

from __future__ import annotations

from numberduels.cli import completion_scripts
from numberduels.cli.completion_words import SHELLS, collect
from numberduels.cli.parser import CliError
from numberduels.game.formatting import short


def print_completion(arguments: list[str]) -> int:
    """Print the completion for the shell that the arguments name."""
    if len(arguments) != 1 or arguments[0] not in SHELLS:
        given = f", not {short(' '.join(arguments))}" if arguments else ""
        raise CliError(f"--completion takes {', '.join(SHELLS[:-1])} or {SHELLS[-1]}{given}")
    write = getattr(completion_scripts, f"{arguments[0]}_script")
    print(write(list(collect())), end="")
    return 0
