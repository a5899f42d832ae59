"""Text fits the terminal: every command in 40 columns, and nothing changes where there is no terminal."""

from __future__ import annotations

import io
import os
import re
import sys
from typing import Protocol

import pytest

from numberduels.cli.commands import COMMANDS, SUBCOMMANDS
from numberduels.cli.main import main
from numberduels.cli.wrapping import fold
from tables import table

from .running import GAMES, duel, lines, terminal

LARGE = {
    "range-war": ("--size", "60"),
    "number-snatch": ("--size", "30", "--top", "90"),
    "restricted-removal": ("--size", "60"),
    "summation-duel": ("--size", "60", "--target", "500"),
    "number-collision": ("--size", "60", "--values", "20"),
}
TYPED = re.compile("https:|Select |Enter |Choose |<position>|duel ")


class Run(Protocol):
    """Runs a command and returns what it printed."""

    def __call__(self, *arguments: str, typed: bytes = ..., width: int = ...) -> str: ...


class Wide(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in this process, its output being a terminal with so many columns."""

    def run(*arguments: str, typed: bytes = b"", width: int = 40) -> str:
        out = io.BytesIO()
        monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((width, 20)))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
        monkeypatch.setattr(sys, "stdout", Wide(out, encoding="utf-8"))
        assert main(arguments) in (0, 1)
        return out.getvalue().decode()

    return run


def fits(text: str, width: int) -> None:
    """No line is too wide, left aside what is typed and what is to be copied."""
    for line in text.split("\n"):
        assert len(line) <= width or TYPED.match(line), line


@table("width", [40, 60])
@table("game", GAMES)
def test_a_game_fits(game: str, width: int, narrow: Run) -> None:
    typed = lines("help", "board", "rules", "moves", "moves values", "hint", "castle", "99", "quit")
    out = narrow("play", game, "--seed", "1", "--names", f"Alice,{'B' * 12}", typed=typed, width=width)
    fits(out, width)
    assert "How to play\n" in out and "Hint: " in out
    typed = lines("board", "moves", "quit")
    fits(narrow("play", game, *LARGE[game], "--seed", "1", typed=typed, width=width), width)
    fits(narrow("puzzle", game, "--seed", "1", typed=lines("help", "hint", "hint", "show")), width)


@table("command", ["", *COMMANDS, *(f"arena {each}" for each in SUBCOMMANDS["arena"])])
def test_the_help_of_a_command_fits(command: str, narrow: Run) -> None:
    out = narrow(*command.split(), "--help")
    fits(out, 40)
    assert "duel" in out


@table(
    "command",
    ["games", "rules range-war", "claims restricted-removal", "sweep restricted-removal --size 2..6"]
    + [f"solve {game}" for game in GAMES],
)
def test_what_a_command_prints_fits(command: str, narrow: Run) -> None:
    fits(narrow(*command.split()), 40)


def test_the_cells_of_a_board_stay_above_each_other(narrow: Run) -> None:
    out = narrow("play", "number-collision", "--size", "12", typed=lines("3 11", "board"))
    assert "[ 5][ 6][ 7][ 8][ 9][10][11][12]\n[  ][  ][  ][  ][  ][  ][ 3][  ]\n" in out


def test_a_command_to_copy_stays_in_one_piece(narrow: Run) -> None:
    out = narrow("play", "range-war", typed=lines("6", "quit"))
    assert "\nThe game is saved. To go on with it:\nduel continue " in out


@table("width", [20, 33, 40, 78, 200])
def test_folding_loses_no_word(width: int) -> None:
    for game in GAMES:
        text = duel("rules", game).out
        folded = fold(text, width)
        assert "".join(folded.split()) == "".join(text.split())
        assert fold(folded, width) == folded


def test_colours_take_no_room() -> None:
    painted = "\x1b[36mPlayer 1\x1b[0m is the computer"
    assert fold(painted, 24) == painted


@pytest.mark.long
def test_on_a_real_terminal_a_long_prompt_is_folded_and_what_is_typed_is_read() -> None:
    with terminal("play", "number-collision", columns=40, NO_COLOR="1") as screen:
        screen.expect_exact("Enter your move (place <number> at\r\n")
        screen.expect_exact("<position>): ")
        screen.sendline("3 5")
        screen.expect_exact("Player 1 placed a 3 at position 5.")
