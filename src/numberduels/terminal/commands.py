"""What can be typed at the prompt besides a move."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from numberduels.terminal.console import reason

if TYPE_CHECKING:
    from numberduels.terminal.session import Session


class Command(NamedTuple):
    """What a command does, how it is written with what it takes, and a word about it."""

    run: Callable[[Session, str], None]
    form: str
    about: str


def _help(session: Session, _: str) -> None:
    move = session.words.typed(session.table.moves[0])
    session.say(f"Type your move, for example: {move}\n")
    for command in COMMANDS.values():
        session.say(f"  {command.form:<10} {command.about}\n")
    session.say("\n")


def _rules(session: Session, _: str) -> None:
    session.say(f"{session.room.book()}\n")


def _moves(session: Session, _: str) -> None:
    session.say(f"Legal moves: {session.words.choices(session.table.state)}\n")


def _hint(session: Session, _: str) -> None:
    from numberduels.players.hint import hint

    table = session.table
    move, why = hint(table.game, table.state, session.rng("hint"))
    session.say(f"Hint: {session.words.typed(move)} ({why})\n\n")


def _undo(session: Session, _: str) -> None:
    table = session.table
    # Back to the last turn of a human: a computer's reply goes back with the move it answered.
    turns = [table.game.turn(before) for before, _, _ in table.steps()]
    mine = [ply for ply, seat in enumerate(turns) if session.chairs[seat].player is None]
    if not mine:
        session.say("There is no move to take back.\n\n")
        return
    gone = [table.undo() for _ in range(table.ply - mine[-1])]
    told = ", then ".join(session.words.typed(move) for move in gone)
    session.say(f"Taken back: {told}.\n{session.words.board(table.state)}\n")


def _save(session: Session, path: str) -> None:
    from numberduels import files

    if not path:
        session.say("Say where to: save FILE.\n\n")
        return
    try:
        files.save(path, session.record())
    except (OSError, ValueError) as fault:
        session.say(f"That cannot be saved: {reason(fault)}.\n\n")
    else:
        session.say("The game so far is saved.\n\n")


def _resign(session: Session, _: str) -> None:
    session.resigned = session.table.turn


def _quit(_session: Session, _: str) -> None:
    from numberduels.terminal.session import Left

    raise Left


COMMANDS = {
    "help": Command(_help, "help", "this list"),
    "rules": Command(_rules, "rules", "how the game is played"),
    "moves": Command(_moves, "moves", "every legal move"),
    "hint": Command(_hint, "hint", "a good move"),
    "undo": Command(_undo, "undo", "take back your last move"),
    "save": Command(_save, "save FILE", "write the game so far to a file"),
    "resign": Command(_resign, "resign", "give up this game"),
    "quit": Command(_quit, "quit", "leave; the game can be resumed later"),
}
