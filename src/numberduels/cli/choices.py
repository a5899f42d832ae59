"""Questions with numbered answers, for menus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from numberduels.cli.console import Console
from numberduels.cli.prompt_commands import Quit, split_command
from numberduels.cli.wrapping import hanging

WIDE = 64
"""From this width on, the sentences stand in a column of their own."""

WIDEST = 100

ROOM = 8
"""The characters that an answer needs at least."""

HELP = """\
Type the number in front of your choice, or the beginning of its word.
Enter alone takes the choice that the question names. back (b) leaves a question,
quit (q) leaves the program.
"""


class Choice(NamedTuple):
    """One answer: a word that can be typed, its line, and a sentence about it."""

    key: str
    title: str
    about: str = ""


class Back(Exception):
    """The user typed `back`."""


def pick(
    console: Console, question: str, choices: Sequence[Choice], default: str = "", *, top: bool = False
) -> str:
    """Ask for one of the answers and return its key; Back and Quit if the user wants to leave.

    The `top` menu has nothing to go back to.
    """
    words = [*(str(number) for number in range(1, len(choices) + 1)), *(each.key for each in choices)]
    fallback = next((each for each in choices if each.key == default), None)
    first = fallback.title.partition(":")[0] if fallback else ""
    asks = f"Type 1 to {len(choices)}", f"Please type a number from 1 to {len(choices)}, help or quit"
    prompt = f"\n{question}\n{_lines(console, choices)}{_asked(console, asks[0], first)}"
    while True:
        typed = console.ask(prompt, lambda: (*words, "help", *(() if top else ("back",)), "quit"))
        reply, _ = split_command(typed)
        if not reply and fallback:
            return fallback.key
        if reply == "quit":
            raise Quit
        if reply in ("b", "back") and not top:
            raise Back
        if reply == "help":
            console.say_paragraphs(f"\n{HELP}\n")
            continue
        if found := _meant(typed.strip().lower(), choices):
            return found.key
        prompt = _asked(console, asks[1], first)


def _asked(console: Console, what: str, default: str) -> str:
    """A question that names what Enter does, with room for the answer in its last line."""
    if not default:
        return f"{what}: "
    whole = f"{what}, or Enter for {default}: "
    narrow = console.width is not None and len(whole) + ROOM > console.width
    return f"Enter: {default}\n{what}: " if narrow else whole


def _meant(text: str, choices: Sequence[Choice]) -> Choice | None:
    """The answer that a number, a word or its beginning means; the first one if several begin so."""
    numbers = {str(number): each for number, each in enumerate(choices, 1)}
    if text in numbers:
        return numbers[text]
    if not text[:1].isalpha():
        return None
    exact = [each for each in choices if each.key == text]
    begun = [each for each in choices if each.key.startswith(text) or each.title.lower().startswith(text)]
    return next(iter(exact or begun), None)


def _lines(console: Console, choices: Sequence[Choice]) -> str:
    """The numbered answers: titles and sentences in columns, on a narrow terminal one after the other."""
    width = min(console.width or WIDEST, WIDEST)
    figures = len(str(len(choices)))
    column = max(len(each.title) for each in choices) + 2
    lines = []
    for number, each in enumerate(choices, 1):
        head = f"  {number:>{figures}}  "
        text = f"{each.title}: {each.about}" if each.about else each.title
        if each.about and width >= WIDE:
            head, text = f"{head}{each.title:<{column}}", each.about
        lines.append(hanging(head, text, width))
    return "".join(f"{line}\n" for line in lines)


def ask_yes_or_no(console: Console, question: str, default: bool | None = None) -> bool:
    """Ask a yes-or-no question; Quit if the user wants to leave."""
    first = "" if default is None else "yes" if default else "no"
    ask = _asked(console, "Type yes or no", first)
    prompt = f"{question} {ask}"
    while True:
        reply, _ = split_command(console.ask(prompt, lambda: ("yes", "no")))
        if reply in ("y", "yes", "n", "no"):
            return reply.startswith("y")
        if reply == "quit":
            raise Quit
        if not reply and default is not None:
            return default
        prompt = _asked(console, "Please type yes or no", first)
