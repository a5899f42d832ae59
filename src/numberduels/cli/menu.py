"""`duel` without a full-screen table, and `duel --plain`: two questions, and the command to type."""

from __future__ import annotations

import os
from collections.abc import Mapping

from numberduels.cli.commands import load_command
from numberduels.cli.console import Console
from numberduels.cli.prompt import Quit, split_command

TITLE = "Number Duels: five games with numbers for two players\n"

ACTIONS = {
    "computer": ("Play against the computer", ("play", "{game}", "--vs", "{opponent}")),
    "friend": ("Play with a friend, here", ("play", "{game}")),
    "learn": ("Learn a game step by step", ("learn", "{game}")),
    "puzzle": ("Solve puzzles", ("puzzle", "{game}")),
    "rules": ("Read the rules of a game", ("rules", "{game}")),
}
"""What can be done with a game, and the command for it."""

LATER = """
  duel {command}
  duel --help lists the other commands{more}.

"""


def menu(console: Console) -> int:
    """Ask what to do and with which game, show the command, and run it; returns its exit status."""
    console.say(TITLE)
    titles = {key: title for key, (title, _) in ACTIONS.items()}
    try:
        action = pick(console, "What would you like to do?", titles, "computer")
        command, *arguments = _command(console, action)
    except (Quit, EOFError):
        return 0
    console.say(LATER.format(command=" ".join((command, *arguments)), more=_unfinished()))
    return load_command(command)(arguments)


def _command(console: Console, action: str) -> list[str]:
    """The command for this action, with the game that the user chooses."""
    from numberduels.game import registry
    from numberduels.play.settings import load_settings

    settings = load_settings()
    column = max(len(spec.title) for spec in registry.specs()) + 2
    games = {spec.name: f"{spec.title:<{column}}{spec.summary}" for spec in registry.specs()}
    game = pick(console, "Which game?", games, settings.game or next(iter(games)))
    return [each.format(game=game, opponent=settings.opponent) for each in ACTIONS[action][1]]


def pick(console: Console, question: str, choices: Mapping[str, str], default: str) -> str:
    """Ask for one of the choices, each a key and its line, by number or by word; returns the key."""
    lines = "".join(f"  {number}  {line}\n" for number, line in enumerate(choices.values(), 1))
    enter = f", or Enter for {choices[default].split('  ')[0]}: " if default in choices else ": "
    prompt = f"\n{question}\n{lines}Type 1 to {len(choices)}{enter}"
    numbers = {str(number): key for number, key in enumerate(choices, 1)}
    while True:
        text = console.ask(prompt, lambda: (*numbers, *choices, "quit")).strip().lower()
        if split_command(text)[0] == "quit":
            raise Quit
        if not text and default in choices:
            return default
        meant = (
            key for key, line in choices.items() if key.startswith(text) or line.lower().startswith(text)
        )
        if found := numbers.get(text) or (next(meant, "") if text[:1].isalpha() else ""):
            return found
        prompt = f"Please type a number from 1 to {len(choices)}, the beginning of a word, or quit{enter}"


def _unfinished() -> str:
    """How to go on with an unfinished game, if there is one."""
    from numberduels.game import files

    if not os.path.exists(files.data_folder()):  # quick, because a new user has none
        return ""
    from numberduels.play.saved_games import newest_unfinished

    return "; duel continue goes on with your unfinished game" if newest_unfinished() else ""
