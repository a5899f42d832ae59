"""Read the sentences on the screen, wherever their lines are broken."""

from __future__ import annotations

from textual.pilot import Pilot

from .driving import screen_text

DRAWN = str.maketrans(dict.fromkeys("│▁▂▃▄▅▆▇█", " "))
"""Frames and scroll bars."""


def words(pilot: Pilot[int]) -> str:
    """What is on the screen, in one line and without frames and scroll bars."""
    return " ".join(screen_text(pilot).translate(DRAWN).split())
