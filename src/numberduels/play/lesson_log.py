"""The log of finished lessons."""

from __future__ import annotations

import os
from datetime import date

from numberduels.game import files
from numberduels.play.storage import append_line, failure_note, read_lines

FILE = "lessons.jsonl"


def mark_done(game: str, lesson_key: str) -> str:
    """Note that a lesson is finished; returns a note for the player, empty if all is well."""
    if lesson_key in done(game):
        return ""
    value = {"game": game, "lesson": lesson_key, "day": date.today().isoformat()}
    try:
        append_line(os.path.join(files.data_folder(), FILE), value)
    except OSError as fault:
        return failure_note("that you have finished this lesson", fault)
    return ""


def done(game: str, notes: list[str] | None = None) -> set[str]:
    """The keys of the finished lessons of a game."""
    return {
        value["lesson"]
        for value in read_lines(os.path.join(files.data_folder(), FILE), notes)
        if value.get("game") == game and isinstance(value.get("lesson"), str)
    }
