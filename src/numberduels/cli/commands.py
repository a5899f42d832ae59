"""The sub-commands of `duel`, in groups, how to load them, and how they end early."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module


class CliError(Exception):
    """The user asked for something impossible. The message is one line."""


class CommandDone(SystemExit):
    """The command has nothing more to do: its help was printed, or the server was asked to stop."""


GROUPS = {
    "Play": {
        "play": "play a game or a match, with a friend or the computer",
        "continue": "go on with your latest unfinished game",
        "puzzle": "solve puzzles of any level, or today's",
        "learn": "learn a game step by step",
        "rules": "show the rules of a game",
        "games": "list the games",
    },
    "Your games": {
        "saved": "list, replay or delete your games",
        "review": "judge every move of a saved game",
        "stats": "your games and puzzles in figures",
        "config": "your name, your opponent and other settings",
    },
    "Analysis": {
        "solve": "say who wins a position, and by which moves",
        "sweep": "tables: who wins at every size, and integer sequences",
        "claims": "check what the rule books say about themselves",
        "audit": "say whether an environment is any good, ours or another's",
    },
    "Tools": {
        "arena": "find out how well players play; every move is judged",
        "dataset": "write positions or games with exact values, for training",
        "serve": "open the games to everybody with a browser",
        "mcp": "offer the games as tools to programs that speak MCP",
        "new-game": "write the skeleton of a game of your own",
    },
}
"""The sub-commands and what they do, as the help shows them."""

COMMANDS = {name: about for group in GROUPS.values() for name, about in group.items()}

FUNCTIONS = {"continue": "play:run_continue", "games": "rules:run_games", "stats": "saved:run_stats"}
"""The commands that are not the function `run` of a module of their name."""


SUBCOMMANDS = {
    "saved": {
        "list": "list the saved games; the word list can be left out",
        "replay": "show a saved game again",
        "delete": "delete saved games",
    },
    "arena": {
        "run": "play a run, or go on with one",
        "report": "say what came of one run, or of several",
        "export": "every decision as data: Parquet and JSON lines",
    },
}
"""The commands that consist of others, and what those do."""


ALIASES: dict[str, str] = {
    "arena prompt": "arena run --show-prompt --players chat:MODEL --games",
    "docs": "help",
    "sequence": "sweep",
    "match": "play --rounds 1",
    "daily": "puzzle --daily",
    "list": "saved list",
    "replay": "saved replay",
    "delete": "saved delete",
}
"""Names of merged commands, hidden and for one release: the first words typed, and what replaces them."""


def replace_alias(arguments: list[str]) -> list[str]:
    """The command line with an old name replaced.

    >>> replace_alias(["docs"]), replace_alias(["play", "docs"])
    (['help'], ['play', 'docs'])
    """
    for count in (2, 1):
        if new := ALIASES.get(" ".join(arguments[:count])):
            words, rest = new.split(), arguments[count:]
            if words[-1].startswith("--games") and (not rest or rest[0].startswith("-")):
                words.pop()  # no game is named
            return [*words, *rest]
    return arguments


def load_command(name: str) -> Callable[[list[str]], int]:
    """The function of a command: `run` in the module `new_game` for `new-game`, and so on."""
    module, _, function = FUNCTIONS.get(name, f"{name.replace('-', '_')}:run").partition(":")
    run: Callable[[list[str]], int] = getattr(import_module(f"numberduels.cli.{module}"), function)
    return run
