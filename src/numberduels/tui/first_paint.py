"""paint_home(): the home screen as plain text, shown at once while Textual is still being loaded.

Textual takes a dozen start-ups of the bare interpreter to load. The picture has the same lines at the same
places, so that the app takes over without a flicker. Keys that are pressed meanwhile wait in the terminal.
"""

from __future__ import annotations

import os
import sys
from datetime import date
from textwrap import wrap
from typing import TextIO

from numberduels.tui.home_text import TITLE, entries, greeting, menu_line

ENTER_FULL_SCREEN = "\033[?1049h\033[?25l\033[2J"
LEAVE_FULL_SCREEN = "\033[?1049l\033[?25h"
LOW = 22
"""Below this many rows the greeting has no empty lines around it."""


def paint_home(out: TextIO) -> None:
    """Switch the terminal to the full screen and print the home screen."""
    try:
        width, height = os.get_terminal_size(out.fileno())
    except (OSError, ValueError):
        return
    lines = home_lines(width, height)
    out.write(ENTER_FULL_SCREEN + "".join(f"\033[{row};1H{line}" for row, line in enumerate(lines, 1)))
    out.flush()


def home_lines(width: int, height: int) -> list[str]:
    """The lines of the home screen, as far as they are known without reading games."""
    from numberduels.play.puzzle_log import read_results
    from numberduels.play.settings import load_settings

    settings, results, today = load_settings(), read_results(), date.today()
    room = [""] if height >= LOW else []
    hello = wrap(greeting(settings, results, today), max(width - 4, 1))
    lines = [f" {TITLE}", *room, *(f"  {line}" for line in hello), *room]
    menu = entries(settings, None, results, today)
    lines += [f"  {menu_line(entry, not place, width - 4)}" for place, entry in enumerate(menu)]
    return [line[:width] for line in lines[:height]]


def leave_full_screen() -> None:
    """Give the terminal back, if the app could not start."""
    sys.stdout.write(LEAVE_FULL_SCREEN)
    sys.stdout.flush()
