"""What can be typed at the prompt besides a move."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from numberduels.cli.console import Console
from numberduels.cli.session import COMMANDS, Session
from tables import table

from .running import Ran, duel, lines, moves_of, records, shell

ASKED = "Player 1's turn.\nSelect a number: "


def range_war(*typed: str, options: tuple[str, ...] = ()) -> Ran:
    return duel("play", "range-war", *options, typed=lines(*typed))


def shouted(word: str) -> list[str]:
    return [word, word.upper(), word.capitalize(), f"  {word}\t"]


@table("typed", shouted("help"))
def test_help_lists_every_command_and_asks_the_same_player_again(typed: str) -> None:
    out = range_war(typed).out
    assert out.count(ASKED) == 2
    for name in COMMANDS:
        assert (f"\n  {name} {Session.arguments.get(name, '')}" in out) == (
            name != "draw"
        )  # Range War always ends
    assert "Type your move, for example: 1\n" in out


@table("typed", shouted("moves"))
def test_moves_lists_the_legal_ones_only(typed: str) -> None:
    assert "\nLegal moves: 1, 2, 3, 4, 5\n" in range_war("6", typed).out


@table("typed", shouted("hint"))
def test_a_hint_is_a_winning_move_where_there_is_one(typed: str) -> None:
    out = range_war(typed, options=("--size", "6", "--seed", "1")).out
    assert "\nHint: " in out
    assert "Hint: 1. No lower number is left for them, so they are stuck and you win." in out
    assert out.count(ASKED) == 2


@table("command", ["help", "board", "rules", "hint", "undo", "resign", "quit"])
def test_a_command_with_words_behind_it_is_a_slip_and_costs_nothing(command: str) -> None:
    out = range_war("6", f"{command} please").out
    assert f"\nInvalid choice. Type {command} alone.\n" in out
    assert out.count("Player 2's turn.") == 2


def test_board_shows_the_position_once_more() -> None:
    out = duel("play", "number-collision", "--size", "12", typed=lines("3 11", "board")).out
    assert "[ 1][ 2][ 3][ 4][ 5][ 6][ 7][ 8][ 9][10][11][12]" in out
    assert "[  ][  ][  ][  ][  ][  ][  ][  ][  ][  ][ 3][  ]" in out


@table("typed", shouted("undo"))
def test_undo_takes_the_last_move_back_and_asks_who_made_it(typed: str) -> None:
    out = range_war("6", typed, "7").out
    assert "\nTaken back: 6.\nAvailable Numbers: 1,2,3,4,5,6,7,8,9,10\n\nPlayer 1's turn.\n" in out
    assert "\nPlayer 1 selected 7.\nTrend: No trend established.\n" in out


@table("command", ["help", "rules", "moves", "hint", "save", "save x", "undo", "bad"])
def test_no_command_changes_the_game(command: str, tmp_path: Path) -> None:
    command = command.replace("x", str(tmp_path / "x"))
    typed = ["6", command, "4", command, "9", command]
    if command == "undo":
        typed = ["6", "4", "undo", "4", "undo", "4", "9"]
    range_war(*typed)
    assert moves_of(records()[0]) == "1. 6 4 2. 9 *"


@table("command", ["save", "SAVE", "Save"])
def test_save_writes_a_record_that_replays_and_resumes(command: str, tmp_path: Path) -> None:
    path = tmp_path / "My Game.duel"
    out = range_war("6", "4", f"{command} {path}", "9").out
    assert f"\nThe game so far is saved. To go on with it: duel play --resume '{path}'\n" in out
    assert moves_of(path) == "1. 6 4 *"
    replayed = duel("replay", str(path))
    assert out.startswith(replayed.out.split("\nUnfinished.")[0])
    assert duel("play", "--resume", str(path), typed=lines("10")).out.startswith(
        "The game goes on after move 2.\nAvailable Numbers: 1,2,3,5,7,8,9,10\n\nPlayer 1's turn.\n"
    )


@table("place", ["/", "/nowhere/at/all", "\0", "x" * 300, "/dev/full", "/dev/null", "/proc/1/x"])
def test_a_place_that_cannot_be_saved_to_costs_nothing(place: str) -> None:
    ran = range_war("6", f"save {place}", "4")
    assert "\nThat cannot be saved: " in ran.out
    assert moves_of(records()[0]) == "1. 6 4 *"


# A draw by agreement

SMALL = ("number-collision", "--size", "2", "--values", "2")


def test_two_people_agree_on_a_draw() -> None:
    ran = duel("play", *SMALL, typed=lines("1 1", "draw", "maybe", "yes"))
    assert "Player 1, Player 2 offers a draw. Do you agree? Type yes or no: maybe\n" in ran.out
    assert ran.out.endswith("Please type yes or no: yes\nThe players agree on a draw.\n")
    assert ran.status == 0


def test_the_computer_takes_a_draw_unless_it_wins() -> None:
    """On three cells nobody wins; on two the second player has only to fill the other one."""
    drawn = duel("play", "number-collision", "--size", "3", "--vs", "perfect", typed=lines("draw"))
    assert "Do you agree? Type yes or no: yes\nThe players agree on a draw.\n" in drawn.out
    winning = duel("play", *SMALL, "--vs", "perfect", typed=lines("draw", "draw", "quit"))
    assert "You have offered a draw already." in winning.out
    assert "Do you agree? Type yes or no: no\nPlayer 2 plays on.\n" in winning.out
    losing = duel("play", "number-collision", "--size", "1", "--vs", "perfect", typed=lines("draw"))
    assert "The players agree on a draw." in losing.out


@table("arguments", [("range-war",), ("number-collision", "--repetition", "forbidden", "--size", "3")])
def test_a_game_that_always_ends_has_no_draw_by_agreement(arguments: tuple[str, ...]) -> None:
    out = duel("play", *arguments, typed=lines("draw", "help")).out
    assert "This game always ends by its rules; nobody offers draws." in out
    assert "offer a draw" not in out


@pytest.mark.skipif(os.name != "posix", reason="programs play on Linux and macOS")
def test_who_forfeits_does_not_resign_as_well() -> None:
    ran = range_war("6", options=("--vs", "process:cat"))
    told = ran.out.split("Available Numbers: 1,2,3,4,5,7,8,9,10\n")[1].strip("\n").split("\n")
    assert told[0].startswith("Player 2 forfeits: ") and told[1:] == ["Player 1 wins!"]
    assert "resigns" not in ran.out and ran.status == 0


@table("typed", shouted("quit"))
def test_quit_saves_prints_the_way_back_and_is_no_failure(typed: str) -> None:
    ran = range_war("6", typed, "4")
    assert ran.status == 0
    assert moves_of(records()[0]) == "1. 6 *"
    back = shell(ran.resume_command, lines("4", "9", "5", "7", "3", "8", "2", "10", "1"))
    assert back.out.startswith("The game goes on after move 1.\nAvailable Numbers: 1,2,3,4,5,7,8,9,10\n\n")
    assert back.out.endswith("\nPlayer 2 wins!\n")
    assert (back.err, back.status) == ("", 0)


@table("word", ["q", "Q", "exit", " Exit "])
def test_q_and_exit_are_quit(word: str) -> None:
    ran = range_war("6", word)
    assert ran.status == 0 and "\nThe game is saved." in ran.out
    assert "\nInvalid choice. Type quit alone.\n" in range_war(f"{word} now").out


@table("word", ["?", "h", "H"])
def test_h_and_a_question_mark_are_help(word: str) -> None:
    assert "\n  resign " in range_war(word).out
    puzzle = ("puzzle", "range-war", "--seed", "1")
    assert duel(*puzzle, typed=lines(word)).out.count("  show ") == 1


@table(
    "word, suggestion",
    [
        ("helpme", " Did you mean help? Type help for all commands."),
        ("udno", " Did you mean undo? Type help for all commands."),
        ("castle", " Type help for all commands."),
        ("??", ""),
        ("3.5", ""),
    ],
)
def test_an_unknown_word_is_refused_as_a_move_and_points_to_help(word: str, suggestion: str) -> None:
    out = range_war(word).out
    assert f"\nInvalid choice. '{word}' is not a whole number.{suggestion}\n" in out
    assert out.count(ASKED) == 2
    puzzle = duel("puzzle", "range-war", "--seed", "1", typed=lines(word)).out
    assert f"\nInvalid choice. '{word}' is not a whole number." in puzzle
    assert ("Type help for all commands." in puzzle) == bool(suggestion)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@table(
    "environment, coloured",
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    ],
)
def test_colours_are_for_those_who_want_them(
    environment: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numberduels.cli.console._line_editor", lambda _: False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Console(Terminal(), Terminal()).colour == coloured
    assert not Console(io.StringIO(), Terminal()).colour
