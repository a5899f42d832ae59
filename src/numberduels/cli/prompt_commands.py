"""The commands of the prompt: help, hint, undo, save and so on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from numberduels.cli.console import error_reason
from numberduels.cli.progress import ProgressBar
from numberduels.game.contract import OTHER, Unreadable, always_ends
from numberduels.game.formatting import nearest

if TYPE_CHECKING:
    from numberduels.cli.session import Session


class Quit(Exception):
    """The player typed `quit`."""


class Command(NamedTuple):
    """A command: its function, its help and its argument."""

    run: Callable[[Session, str], None]
    about: str
    takes: str = ""


ALIASES = {"?": "help", "h": "help", "q": "quit", "exit": "quit"}
"""Short names of commands."""

SHORT = "Short: ? or h for help, q for quit."


def split_command(line: str) -> tuple[str, str]:
    """Split a line into its first word, with aliases resolved, and the rest.

    >>> split_command(" Q "), split_command("save My Game.duel")
    (('quit', ''), ('save', 'My Game.duel'))
    """
    word, _, rest = line.strip().partition(" ")
    return ALIASES.get(word.lower(), word.lower()), rest.strip()


def suggest_command(line: str, commands: Iterable[str]) -> str:
    """A hint for a line that is no move: a similar command, or that help lists them.

    >>> suggest_command("udno", ["undo"]), suggest_command("3.5", ["undo"])
    (' Did you mean undo? Type help for all commands.', '')
    """
    word, _ = split_command(line)
    if not word[:1].isalpha():
        return ""
    meant = nearest(word, commands)
    return f" Did you mean {meant}? Type help for all commands." if meant else " Type help for all commands."


def run_command(session: Session, name: str, rest: str) -> None:
    """Run a command; Unreadable if it takes no argument or is not allowed in this game."""
    if rest and not COMMANDS[name].takes:
        raise Unreadable(f"Type {name} alone.")
    if name == "draw" and always_ends(session.table.game):
        raise Unreadable("There is no draw by agreement in a game that always ends.")
    if not session.game.friendly and (name in ADVICE or (name == "moves" and rest)):
        raise Unreadable(f"There is no {name} {rest}".rstrip() + " in a match that is not --friendly.")
    COMMANDS[name].run(session, rest)


ADVICE = ("hint", "undo")
"""Commands that only a friendly match allows, like `moves values`."""


def available_commands(session: Session) -> dict[str, Command]:
    """The commands that this game allows."""
    plain = {} if session.game.friendly else {"moves": Command(_moves, "every legal move")}
    unknown = () if session.game.friendly else ADVICE
    if always_ends(session.table.game):
        unknown = (*unknown, "draw")
    return {name: plain.get(name, each) for name, each in COMMANDS.items() if name not in unknown}


def _help(session: Session, _: str) -> None:
    move = session.game_text.typed(session.table.moves[0])
    session.say(f"Type your move, for example: {move}\n")
    for name, each in available_commands(session).items():
        session.say(f"  {f'{name} {each.takes}':<15} {each.about}\n")
    session.say(f"{SHORT}\n\n")


def _board(session: Session, _: str) -> None:
    console, table, game_text = session.console, session.table, session.game_text
    if console.draws:
        from numberduels.cli.drawn_board import format_board

        text = format_board(console, table, (game_text.label(0), game_text.label(1)))
        console.say(f"\n{text}\n\n")
    else:
        session.say(f"{game_text.position(table.state)}\n")


def _rules(session: Session, _: str) -> None:
    from numberduels.cli.rules import show_rules

    show_rules(session.console, session.game.spec)
    session.say("\n")


def _moves(session: Session, rest: str) -> None:
    if not rest:
        session.say(f"Legal moves: {session.game_text.list_moves(session.table.state)}\n")
    elif rest.lower() == "values":
        from numberduels.cli.move_values import format_move_values

        with ProgressBar("thinking"):
            text = format_move_values(
                session.game_text, session.table.state, session.console.width, nimbers=session.nimbers
            )
        session.say(f"{text}\n")
    else:
        raise Unreadable("Type moves, or moves values.")


def _hint(session: Session, _: str) -> None:
    from numberduels.analysis.hints import find_hint

    table = session.table
    with ProgressBar("thinking"):
        move, why = find_hint(table.game, table.state, session.game.rng("hint"), nimbers=session.nimbers)
    session.say(f"Hint: {session.game_text.typed(move)}. {why}\n\n")


def _undo(session: Session, _: str) -> None:
    gone = session.game.undo()
    if not gone:
        session.say("There is no move to take back.\n\n")
        return
    told = ", then ".join(session.game_text.typed(move) for move in gone)
    session.say(f"Taken back: {told}.\n{session.game_text.position(session.table.state)}\n")
    if session.console.interactive:
        session.autosave()


def _save(session: Session, rest: str) -> None:
    from numberduels.cli.session import resume_command
    from numberduels.game import files

    first, _, others = rest.partition(" ")
    force = first == "--force"
    path = files.absolute_path(others.strip() if force else rest)
    if not path:
        session.say("Say where to: save FILE. To replace a file: save --force FILE.\n\n")
        return
    game = session.game
    own = path == game.path
    try:
        if own:
            game.write_file()
        else:
            text = game.record_text()
            files.write_text(path, text, replacing=session.copies.get(path), force=force)
            session.copies[path] = text
    except (OSError, ValueError) as fault:
        session.say(f"That cannot be saved: {error_reason(fault)}.\n\n")
    else:
        back = resume_command(game, path, session.external_options, copy=not own)
        session.say(f"The game so far is saved. To go on with it: {back}\n\n")


def _resign(session: Session, _: str) -> None:
    session.game.resign()


def _draw(session: Session, _: str) -> None:
    game, mine = session.game, session.table.turn
    offers, other = session.game_text.label(mine), session.game_text.label(OTHER[mine])
    question = f"{other}, {offers} offers a draw. Do you agree? Type yes or no: "
    if session.seats[OTHER[mine]].player:
        from numberduels.play.live_game import accepts_draw

        with ProgressBar("thinking"):
            agreed = accepts_draw(session.table)
        session.say(f"{question}{'yes' if agreed else 'no'}\n")
    else:
        agreed = session.ask_yes_or_no(question)
    if agreed:
        game.agree_draw()
    else:
        session.say(f"{other} plays on.\n\n")


def _quit(_session: Session, _: str) -> None:
    raise Quit


COMMANDS = {
    "help": Command(_help, "this list"),
    "board": Command(_board, "the position once more"),
    "rules": Command(_rules, "how the game is played"),
    "moves": Command(_moves, "every legal move; with the word values, what each is worth", "[values]"),
    "hint": Command(_hint, "a good move, and why"),
    "undo": Command(_undo, "take back your last move"),
    "save": Command(_save, "write the game so far to a file; --force replaces one", "FILE"),
    "resign": Command(_resign, "give up this game"),
    "draw": Command(_draw, "offer a draw"),
    "quit": Command(_quit, "leave; the game can be resumed later"),
}
