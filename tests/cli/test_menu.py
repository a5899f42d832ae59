"""The menu of the line mode: on a real pseudo-terminal, and through a pipe."""

from __future__ import annotations

import sys

import pytest

from numberduels.cli.console import Console
from numberduels.cli.main import can_draw_screens
from numberduels.play.settings import update_settings
from tables import table

from .running import Ran, duel, lines, play, rest, terminal

CTRL_C, CTRL_D = "\x03", "\x04"
MENU = r"(?:Type 1 to \d+|Please type a number)[^:]*: (?:\x1b\[0m)?"


def menu(*typed: str) -> Ran:
    """The menu through a pipe, with these lines typed."""
    return duel("--plain", typed=lines(*typed))


def test_enter_alone_starts_a_game_against_casual_and_shows_its_command() -> None:
    ran = menu("", "")
    assert "Type 1 to 5, or Enter for Range War: " in ran.out
    assert "  duel play range-war --vs casual\n  duel --help lists the other commands.\n" in ran.out
    assert "Player 1's turn." in ran.out


def test_the_settings_choose_the_game_and_the_opponent() -> None:
    update_settings(game="summation-duel", opponent="expert")
    out = menu("", "").out
    assert "  duel play summation-duel --vs expert\n" in out


@table(
    "action, printed",
    [
        ("friend", "Player 2's turn."),
        ("learn", "Lesson: A guided first game"),
        ("puzzle", "Range War ("),
        ("rules", "## How to play"),
    ],
)
def test_everything_that_can_be_done_with_a_game_is_its_command(action: str, printed: str) -> None:
    command = "play" if action == "friend" else action
    out = menu(action, "range-war", "6", "quit").out
    assert f"\n  duel {command} range-war\n" in out
    assert printed in out


def test_an_unfinished_game_can_be_continued() -> None:
    play("range-war", typed="6 4")
    assert "; duel continue goes on with your unfinished game.\n" in menu("rules", "1").out


def test_the_menu_asks_again_after_an_answer_that_it_does_not_offer() -> None:
    wrong = ("0", "99", "?x", "1.0", "-1", "9" * 500, "٣", "zebra")
    ran = menu(*wrong, "q")
    assert ran.out.count("Please type a number from 1 to 5") == len(wrong) and ran.status == 0


@pytest.mark.long
@table("columns", [40, 80])
def test_the_menu_fits_the_terminal(columns: int) -> None:
    with terminal("--plain", columns=columns, NO_COLOR="1") as screen:
        screen.expect(MENU)
        screen.send("\r")
        screen.expect(MENU)
        shown = (screen.before or "").replace("\r", "").split("Which game?\n")[1].splitlines()
    assert all(len(line) <= columns for line in shown)


# The full-screen table or the menu

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
