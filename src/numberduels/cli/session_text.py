"""What a session says around the moves: the introduction, and sentences that speak to the player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberduels.game import options
from numberduels.game.contract import OTHER, always_ends
from numberduels.game.formatting import capitalised
from numberduels.players import COMPUTER

if TYPE_CHECKING:
    from numberduels.cli.session import Session

YOUR_VERBS = {"wins": "win", "is stuck": "are stuck", "has": "have", "resigns": "resign"}
"""The verbs of endings, as they are said to the player."""


def about_computer(text: str, name: str) -> str:
    """What a move of a computer did, with its name where the books say "You".

    >>> about_computer("You chose 4.\\nTotal Sum is now 9.", "the computer")
    'The computer chose 4.\\nTotal Sum is now 9.'
    """
    name = capitalised(name)
    return "\n".join(
        f"{name}{line.removeprefix('You')}" if line.startswith("You ") else line for line in text.split("\n")
    )


def about_you(text: str, label: str) -> str:
    """What is said about a player whose label is this, in sentences to that player.

    >>> about_you("Player 2 has no move. Player 1 (you) wins!", "Player 1 (you)")
    'Player 2 has no move. You win!'
    >>> about_you("So Player 1 (you) is stuck.", "Player 1 (you)")
    'So you are stuck.'
    """
    import re

    verbs = "|".join(YOUR_VERBS)
    # At the beginning of a sentence, then elsewhere.
    text = re.sub(
        rf"(^|[.!] ){re.escape(label)} ({verbs})\b",
        lambda found: f"{found[1]}You {YOUR_VERBS[found[2]]}",
        text,
        flags=re.MULTILINE,
    )
    return re.sub(rf"{re.escape(label)} ({verbs})\b", lambda found: f"you {YOUR_VERBS[found[1]]}", text)


def introduction(session: Session) -> str:
    """The game, its options, its aim, who plays, and what can be typed."""
    game, game_text = session.table.game, session.game_text
    settings = ", ".join(f"{name} {text}" for name, text in options.format_options(game).items())
    seats = "".join(
        f"{game_text.label(seat)} {'' if seat_setup.name == COMPUTER else f'is {COMPUTER} and '}"
        f"plays {seat_setup.kind}.\n"
        for seat, seat_setup in zip(OTHER, session.seats, strict=True)
        if seat_setup.player
    )
    endless = "" if always_ends(game) else "It need not end: offer a draw, resign or quit any time.\n"
    board = "board to see it drawn" if session.console.draws else "board to see it again"
    how = f"Type a move, {board}, or help for all you can type.\n" if not session.unattended else ""
    return f"{session.spec.title} ({settings})\n{session.spec.summary}\n{endless}{seats}{how}\n"
