"""The sub-commands of `duel`, in groups, and how to load them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

GROUPS = {
    "Play": {
        "play": "play a game: against a friend here, or against the computer",
        "continue": "go on with your latest unfinished game",
        "daily": "today's puzzle",
        "puzzle": "solve puzzles of any level",
        "learn": "learn a game step by step",
        "match": "a fair contest: both seats on every deal",
        "rules": "show the rules of a game",
        "games": "list the games",
    },
    "Your games": {
        "list": "list the kept games",
        "review": "judge every move of a kept game",
        "replay": "show a kept game again",
        "stats": "your games and puzzles in figures",
        "delete": "delete kept games",
        "config": "your name, your opponent and other settings",
    },
    "Analysis": {
        "solve": "say who wins a position, and by which moves",
        "sweep": "tables: who wins at every size, and integer sequences",
        "claims": "check what the rule books say about themselves",
        "audit": "say whether an environment is any good, ours or another's",
    },
    "Tools": {
        "arena": "find out how well players play: many games, every move judged",
        "dataset": "write positions or games with exact values, to train and evaluate on",
        "serve": "open the games to everybody with a browser",
        "mcp": "offer the games as tools to programs that speak MCP",
        "new-game": "write the skeleton of a game of your own",
    },
}
"""The sub-commands and what they do, as the help shows them."""

COMMANDS = {name: about for group in GROUPS.values() for name, about in group.items()}

MODULES = {"games": "rules", "continue": "resume", "list": "list_games", "delete": "delete_games"}
"""The modules whose names differ from their commands."""


SUBCOMMANDS = {
    "arena": {
        "run": "play a run, or go on with one",
        "report": "say what came of one run, or of several",
        "export": "every decision as data: Parquet, JSON lines, a log of Inspect",
    }
}
"""The commands that consist of others, and what those do."""


ALIASES: dict[str, str] = {
    "arena prompt": "arena run --show-prompt --players chat:MODEL --games",
    "docs": "help",
    "sequence": "sweep",
}
"""Names of merged commands, hidden and for one release: the first words typed, and what replaces them."""


def replace_alias(arguments: list[str]) -> list[str]:
    """The command line with an old name replaced.

    >>> replace_alias(["docs"]), replace_alias(["play", "docs"])
    (['help'], ['play', 'docs'])
    """
    for count in (2, 1):
        if new := ALIASES.get(" ".join(arguments[:count])):
            return [*new.split(), *arguments[count:]]
    return arguments


def load_command(name: str) -> Callable[[list[str]], int]:
    """The function of a command: `run` in the module `new_game` for `new-game`, and so on."""
    module = import_module(f"numberduels.cli.{MODULES.get(name, name.replace('-', '_'))}")
    run: Callable[[list[str]], int] = module.run_games if name == "games" else module.run
    return run
