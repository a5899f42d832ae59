"""On a real pseudo-terminal: line editing, colours, and a game that is cut short."""

from __future__ import annotations

import re
import signal

import pytest

from pseudo_terminals import hang_up
from tables import table

from .running import DUEL, Ran, Screen, lines, moves_of, records, rest, shell, terminal

pytestmark = pytest.mark.long  # a pseudo-terminal each

ASK = r"Select a \S*ber: (?:\x1b\[0m)?"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
UP, LEFT, TAB, RUBOUT, CTRL_A = "\x1b[A", "\x1b[D", "\t", "\x7f", "\x01"
CTRL_C, CTRL_D, CTRL_Z = "\x03", "\x04", "\x1a"


def answer(screen: Screen[str], *typed: str, ask: str = ASK) -> str:
    """Give each answer at the next prompt; what was said before the last of them."""
    for text in typed:
        screen.expect(ask)
        screen.send(text if text in (CTRL_C, CTRL_D) else f"{text}\r")
    return screen.before or ""


def plain(text: str) -> str:
    return COLOUR.sub("", text).replace("\r\n", "\n")


# Line editing


def test_tab_completes_a_command() -> None:
    with terminal("play", "range-war") as screen:
        answer(screen, "6", f"und{TAB}")
        screen.expect("Taken back: 6\\.")


def test_tab_completes_a_legal_move_only() -> None:
    with terminal("play", "number-collision", "--size", "2") as screen:
        screen.expect("<position>\\): ")
        screen.send(f"place 5 at {TAB}{TAB}")
        screen.expect("place 5 at 1 +place 5 at 2")
        screen.send("1\r")
        screen.expect("placed a 5 at position 1\\.")
        screen.expect("<position>\\): ")
        screen.send(f"place 4{TAB}\r")
        screen.expect("placed a 4 at position 2\\.")


def test_a_closed_standard_error_does_not_matter() -> None:
    with terminal("-c", f"{DUEL} play range-war 2>&-", program="bash", NO_COLOR="1") as screen:
        screen.expect_exact("Select a number: ")
        screen.sendline("6")
        screen.expect_exact("Player 1 selected 6.")


# Colours


def test_no_mark_of_the_line_editor_reaches_the_terminal() -> None:
    with terminal("play", "range-war", "--size", "2") as screen:
        seen = answer(screen, "1") + str(screen.after) + rest(screen)
    assert not re.search("[\x01\x02]", seen)


# The drawn board


def board_shown(*arguments: str, term: str = "xterm-256color", columns: int = 80, **env: str) -> str:
    """What the command `board` prints after the move 6, up to the next question."""
    with terminal("play", "range-war", *arguments, term=term, columns=columns, **env) as screen:
        answer(screen, "6", "board", "quit")
        return (screen.before or "").partition("board")[2]


def test_board_draws_the_position_on_a_terminal() -> None:
    said = board_shown(NO_COLOR="1")
    assert "\x1b" not in said.replace("\x1b[?2004l", "").replace("\x1b[?2004h", "")
    lines = [line.rstrip() for line in plain(said).splitlines()]
    assert "lower than 6" in lines
    assert "[ 1] [ 2] [ 3] [ 4] [ 5]   6    7    8    9   10" in lines
    assert "3: leaves 4, 5, 7-10" in lines


def test_the_drawn_board_fits_a_narrow_terminal() -> None:
    said = board_shown(NO_COLOR="1", columns=40)
    assert "[ 1][ 2][ 3][ 4][ 5]  6   7   8   9  10" in plain(said)
    assert all(len(line) <= 40 for line in plain(said).splitlines())


# Ctrl-Z


def test_after_ctrl_z_and_fg_the_prompt_and_what_was_typed_are_back() -> None:
    with terminal("--norc", "-i", program="bash", PS1="shell> ", NO_COLOR="1") as screen:
        screen.expect_exact("shell> ")
        screen.sendline(f"{DUEL} play range-war")
        screen.expect_exact("Select a number: ")
        screen.send(f"17{LEFT}")
        screen.expect_exact("17")
        screen.send(CTRL_Z)
        screen.expect("Stopped.*shell> ")
        screen.sendline("stty -a; fg")
        screen.expect(r" icanon.* echo ")  # the shell has its terminal back
        screen.expect_exact("Select a number: 17")
        screen.sendline(f"{RUBOUT}")
        screen.expect_exact("Player 1 selected 1.")
        screen.expect_exact("shell> ")
        screen.sendline("exit")


# A game that need not end


def test_the_third_occurrence_of_a_position_is_noted() -> None:
    note = "this position has occurred three times"
    with terminal("play", "number-collision", "--size", "3", NO_COLOR="1") as screen:
        ask = "<position>\\): "
        for number, typed in enumerate(("1 1", "1 2") * 3):
            assert (note in answer(screen, typed, ask=ask)) == (number >= 4)
        answer(screen, "quit", ask=ask)


# A game that is cut short


@table("key, status", [(CTRL_C, 130), (CTRL_D, 1), ("quit", 0)])
def test_a_game_that_is_left_can_be_resumed_by_the_printed_command(key: str, status: int) -> None:
    with terminal("play", "range-war") as screen:
        answer(screen, "6", "4", key)
        said = Ran(plain(rest(screen)), "", 0)
        assert screen.exitstatus == status
    assert [moves_of(path) for path in records()] == ["1. 6 4 *"]
    back = shell(said.resume_command, lines("9"))
    assert "The game goes on after move 2." in back.out
    assert "Player 1 selected 9." in back.out


def test_long_thinking_shows_its_progress_and_can_be_broken_off() -> None:
    options = ("--size", "100", "--p1", "random", "--vs", "mcts:1000000")
    with terminal("play", "number-collision", *options, columns=40) as screen:
        screen.expect(r"thinking \[\.+\] 0 %")
        screen.send(CTRL_C)
        assert "The game is saved." in rest(screen)
        assert screen.exitstatus == 130


@table("number, status", [(signal.SIGHUP, 129), (signal.SIGTERM, 143)])
def test_a_terminal_that_is_closed_saves_the_game(number: signal.Signals, status: int) -> None:
    with terminal("play", "range-war") as screen:
        answer(screen, "6", "4", "undo")
        screen.expect(ASK)
        screen.kill(number)
        assert "The game is saved." in rest(screen)
        assert screen.exitstatus == status
    (path,) = records()
    assert moves_of(path) == "1. 6 *"  # undone, and saved so


def test_a_terminal_that_has_vanished_saves_the_game() -> None:
    with terminal("play", "range-war") as screen:
        answer(screen, "6", "4")
        screen.expect(ASK)
        hang_up(screen)
    (path,) = records()
    assert moves_of(path) == "1. 6 4 *"


def test_a_folder_that_cannot_be_written_is_told_once_and_play_goes_on() -> None:
    with terminal("play", "range-war", NUMBERDUELS_HOME="/proc/nowhere") as screen:
        answer(screen, "6")
        screen.expect("Note: this game cannot be saved")
        assert "Note" not in answer(screen, "4", "9", "5")
