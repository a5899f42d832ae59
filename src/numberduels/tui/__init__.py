"""The full-screen table: `duel` in a terminal, made with Textual (extra `tui`).

`app` starts it and knows the screens by name; each screen is a module: `home`, `new_game`, `play`, `review`
and so on. `base` is what all screens share, `plain` the widgets that they are made of, `board_view` the
board, and `keys` hands over the keys in their order. Slow work is asked of the engine, which calls functions
of `play`, `analysis` and `tasks` in another process.

Screens show what `numberduels.play` says, and hand keys in. They may import the rooms below, no other front.
"""

from __future__ import annotations


def run_table() -> int:
    """Run the app until the player leaves; returns the exit status."""
    from numberduels.tui.app import run_app

    return run_app()
