"""`duel` without a full-screen table, and `duel --plain`: two questions, and the command to type."""

from __future__ import annotations

import os

from numberduels.cli.choices import Back, Choice, pick
from numberduels.cli.commands import load_command
from numberduels.cli.console import Console
from numberduels.cli.prompt_commands import Quit

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
    actions = [Choice(key, title) for key, (title, _) in ACTIONS.items()]
    try:
        while True:
            action = pick(console, "What would you like to do?", actions, "computer", top=True)
            try:
                command, *arguments = _command(console, action)
                break
            except Back:
                continue
    except (Quit, EOFError):
        return 0
    console.say(LATER.format(command=" ".join((command, *arguments)), more=_unfinished()))
    return load_command(command)(arguments)


def _command(console: Console, action: str) -> list[str]:
    """The command for this action, with the game that the user chooses."""
    from numberduels.game import registry
    from numberduels.play.settings import load_settings

    settings = load_settings()
    games = [Choice(spec.name, spec.title, spec.summary) for spec in registry.specs()]
    game = pick(console, "Which game?", games, settings.game or games[0].key)
    return [each.format(game=game, opponent=settings.opponent) for each in ACTIONS[action][1]]


def _unfinished() -> str:
    """How to go on with an unfinished game, if there is one."""
    from numberduels.game import files

    if not os.path.exists(files.data_folder()):  # quick, because a new user has none
        return ""
    from numberduels.play.saved_games import newest_unfinished

    return "; duel continue goes on with your unfinished game" if newest_unfinished() else ""
