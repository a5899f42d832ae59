"""`duel` without arguments: a menu with three questions that starts a game."""

from __future__ import annotations

from collections.abc import Sequence

from numberduels import registry
from numberduels.cli.arguments import make_seat
from numberduels.cli.console import Console
from numberduels.cli.play import PlaySettings, fresh_seed, start_play
from numberduels.cli.prompt_commands import split_command
from numberduels.cli.session import HUMAN
from numberduels.spec import GameSpec

WIDE = 80
OPPONENTS = (
    (HUMAN, "a friend, at this keyboard"),
    ("beginner", "the computer, easy"),
    ("casual", "the computer, not so easy"),
    ("skilled", "the computer, hard"),
    ("expert", "the computer, very hard"),
    ("perfect", "the computer, perfect: it never goes wrong"),
)
HELP = """\
Type the number in front of your choice, or quit (q) to leave.
In a game, help lists what you can type besides a move. In the shell, duel --help lists all commands.
"""
STARTERS = (("1", "you"), ("2", "the other player"), ("random", "toss a coin"))


def menu(console: Console) -> int:
    """Ask three questions, play the game, and repeat as long as the user wants."""
    console.say("Number Duels: five games with numbers for two players\n")
    try:
        while True:
            specs = registry.specs()
            spec = specs[_pick(console, "Which game?", [_line(console, spec) for spec in specs])]
            who = OPPONENTS[_pick(console, "Who plays against you?", [about for _, about in OPPONENTS])][0]
            first = STARTERS[_pick(console, "Who starts?", [about for _, about in STARTERS])][0]
            you = make_seat(HUMAN, "you")
            other = make_seat(who, "your friend" if who == HUMAN else "the computer")
            console.say("\n")
            status = start_play(
                PlaySettings(spec, spec.make(), (you, other), fresh_seed(), first, delay=0.6), console
            )
            if status or not _again(console):
                return status
    except EOFError:
        return 0


def _line(console: Console, spec: GameSpec) -> str:
    """One line of the menu; in columns on a wide terminal."""
    wide = (console.width or WIDE) >= WIDE
    return f"{spec.title:<20}{spec.summary}" if wide else f"{spec.title}: {spec.summary}"


def _pick(console: Console, question: str, answers: Sequence[str]) -> int:
    """Ask for one of the numbered answers and return its index."""
    lines = "".join(f"  {number}  {answer}\n" for number, answer in enumerate(answers, 1))
    numbers = [str(number) for number in range(1, len(answers) + 1)]
    prompt = f"\n{question}\n{lines}Type a number from 1 to {len(answers)}: "
    while True:
        reply, _ = split_command(console.ask(prompt, lambda: (*numbers, "help", "quit")))
        if reply in numbers:
            return numbers.index(reply)
        if reply == "quit":
            raise EOFError
        if reply == "help":
            console.say(f"\n{HELP}")
        else:
            prompt = f"Please type a number from 1 to {len(answers)}, help or quit: "


def _again(console: Console) -> bool:
    reply = console.ask("\nAnother game? Type yes or no: ", lambda: ("yes", "no"))
    return reply.strip().lower() in ("y", "yes")
