"""What the home screen says, as plain lines, so that it can be painted before Textual is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from numberduels.game.contract import HUMAN
from numberduels.game.formatting import plural
from numberduels.play.puzzle_log import PuzzleResult, puzzle_rating, streak
from numberduels.play.settings import Settings
from numberduels.players import COMPUTER, opponent_name

TITLE = "Number Duels"


class Entry(NamedTuple):
    """A line of the home menu: its key, what it does, a few words more, and the action of the screen."""

    key: str
    title: str
    about: str
    action: str


def entries(
    settings: Settings, unfinished: int | None, results: Sequence[PuzzleResult], today: date
) -> list[Entry]:
    """The menu, with what is known about the player; `unfinished` is None before the games are read."""
    count = "" if unfinished is None else f"{unfinished} unfinished" if unfinished else "no unfinished game"
    return [
        Entry("p", "Play", f"against {_opponent(settings.opponent)}", "new_game"),
        Entry("c", "Continue", count, "resume"),
        Entry("t", "Today's puzzles", _daily(results, today), "today"),
        Entry(
            "z",
            "More puzzles",
            f"your rating {puzzle_rating(results)}" if results else "easy to hard",
            "puzzles",
        ),
        Entry("l", "Learn", "a guided first game of each game", "learn"),
        Entry("k", "My games", "look at them again, review, delete", "games"),
        Entry("s", "Statistics", "how well you play", "statistics"),
        Entry("e", "Settings", "your name, colours, sizes", "settings"),
        Entry("q", "Quit", "", "leave"),
    ]


def greeting(settings: Settings, results: Sequence[PuzzleResult], today: date) -> str:
    """A greeting, with the streak of daily puzzles if there is one.

    >>> print(greeting(Settings(name="Ada"), [], date(2026, 11, 17)))
    Welcome, Ada.
    """
    hello = f"Welcome, {settings.name}." if settings.name else "Five number games for two players."
    days = streak(results, today)
    if not days:
        return hello
    if any(each.daily and each.solved and each.day == today for each in results):
        return f"{hello} Your streak: {plural(days, 'day')}."
    return f"{hello} Your streak: {plural(days, 'day')}. Solve a puzzle of today to keep it."


def _daily(results: Sequence[PuzzleResult], today: date) -> str:
    solved = {each.game for each in results if each.daily and each.solved and each.day == today}
    days = streak(results, today)
    parts = [f"{len(solved)} solved today" if solved else "new every day"]
    if days:
        parts.append(f"streak {plural(days, 'day')}")
    return ", ".join(parts)


def _opponent(kind: str) -> str:
    return opponent_name(kind) if kind == HUMAN else f"{COMPUTER}, {kind}"


def menu_line(entry: Entry, chosen: bool, width: int) -> str:
    """One line of the menu.

    >>> menu_line(Entry("p", "Play", "against a friend", ""), True, 40)
    '▸ p  Play              against a friend'
    """
    head = f"{'▸' if chosen else ' '} {entry.key}  {entry.title}"
    return (f"{head:<22} {entry.about}".rstrip())[:width] if width >= 40 else head[:width]
