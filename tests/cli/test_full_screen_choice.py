"""Whether `duel` opens the full-screen table or the menu of the line mode."""

from __future__ import annotations

import sys

import pytest

from numberduels.cli.console import Console
from numberduels.cli.main import can_draw_screens
from tables import table

from .running import rest, terminal

FULL_SCREEN = "\x1b[?1049h"
WITHOUT_TEXTUAL = """
import sys
sys.modules["textual"] = None
from numberduels.cli.main import main
sys.exit(main([]))
"""


@pytest.mark.long
def test_duel_in_a_terminal_opens_the_full_screen_table() -> None:
    pytest.importorskip("textual")
    with terminal(columns=80) as screen:
        screen.expect_exact(FULL_SCREEN)


@pytest.mark.long
@table("arguments, term", [(("--plain",), "xterm-256color"), ((), "dumb")])
def test_plain_and_a_dumb_terminal_open_the_menu(arguments: tuple[str, ...], term: str) -> None:
    with terminal(*arguments, term=term) as screen:
        screen.expect("Type 1 to 5")
        assert FULL_SCREEN not in (screen.before or "")
        screen.send("q\r")
        rest(screen)
        assert screen.exitstatus == 0


@pytest.mark.long
def test_without_textual_duel_opens_the_menu() -> None:
    with terminal("-c", WITHOUT_TEXTUAL, program=sys.executable) as screen:
        screen.expect("Type 1 to 5")
        assert FULL_SCREEN not in (screen.before or "")
        screen.send("q\r")
        rest(screen)
        assert screen.exitstatus == 0


def test_a_pipe_has_no_screen_to_draw_on() -> None:
    assert not can_draw_screens(Console(None, sys.stdout))
