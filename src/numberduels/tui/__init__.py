"""The full-screen table: `duel` in a terminal, made with Textual (extra `tui`)."""

from __future__ import annotations

import sys


def run_table() -> int:
    """Show the home screen at once, load Textual, and run the app until the player leaves."""
    from numberduels.tui.first_paint import leave_full_screen, paint_home

    paint_home(sys.stdout)
    try:
        from numberduels.tui.app import run_app

        return run_app()
    except BaseException:
        leave_full_screen()
        raise
