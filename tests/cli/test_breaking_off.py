"""A game that is broken off is not lost: ends of input, signals, and the way back."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

from tables import table

from .running import DUEL, PATIENCE, Ran, duel, lines, moves_of, play, records, refused, shell

BOOK = ["6", "4", "9", "5", "7", "3", "8", "2", "10", "1"]
GAMES = {
    "range-war": ("6", "4"),
    "number-snatch": ("3", "5"),
    "restricted-removal": ("5", "2"),
    "summation-duel": ("7", "8"),
    "number-collision": ("place 3 at 5", "3@6"),
}


@table("name", GAMES)
def test_the_end_of_the_input_saves_and_the_printed_way_back_works(name: str) -> None:
    options = ("--numbers", "3,5,8") if name == "number-snatch" else ()
    ran = duel("play", name, *options, "--names", 'Zoë,O\'Neil "X"', typed=lines(*GAMES[name]))
    assert ran.status == 1
    assert ran.out.endswith(f"{ran.resume_command}\n")
    back = shell(ran.resume_command, lines("quit"))
    assert (back.err, back.status) == ("", 0)
    assert "The game goes on after move 2." in back.out
    assert "Player 1 (Zoë)" in back.out


def test_a_last_line_without_a_line_end_counts() -> None:
    duel("play", "range-war", typed=b"6\n4")
    assert moves_of(records()[0]) == "1. 6 4 *"


@table("ply", range(len(BOOK)))
def test_resuming_at_any_ply_goes_on_as_the_book_does(ply: int, tmp_path: Path) -> None:
    path = tmp_path / "book.duel"
    path.write_text('[Game "range-war"]\n\n1. 6 4 2. 9 5 3. 7 3 4. 8 2 5. 10 1 0-1\n')
    whole = play("range-war", typed=" ".join(BOOK)).out
    ran = duel("play", "--resume", str(path), "--ply", str(ply), typed=lines(*BOOK[ply:]))
    assert ran.status == 0
    turn = ran.out[ran.out.index("Player ") :]
    assert whole.endswith(turn)
    assert turn.count("Select a number: ") == len(BOOK) - ply
    assert ("goes on after move" in ran.out) == bool(ply)


def test_a_resigned_game_is_not_resumed_at_its_end_but_before_it(tmp_path: Path) -> None:
    path = tmp_path / "resigned.duel"
    path.write_text('[Game "range-war"]\n[Termination "resigned"]\n\n1. 6 4 1-0\n')
    refused(duel("play", "--resume", str(path)), "over")
    assert duel("replay", str(path)).out.endswith("\nPlayer 2 resigns. Player 1 wins!\n")
    assert "goes on after move 1" in duel("play", "--resume", str(path), "--ply", "1").out


@table("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_in_mid_game_saves_it(number: signal.Signals) -> None:
    with subprocess.Popen(
        [DUEL, "play", "range-war"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdin and running.stdout and running.stderr
        running.stdin.write(b"6\n4\n")
        running.stdin.flush()
        seen = b""
        while not seen.endswith(b"higher than 4.\nSelect a number: "):
            seen += os.read(running.stdout.fileno(), 1)
        running.send_signal(number)
        out, err = running.communicate(timeout=PATIENCE)
    assert err == b""
    assert running.returncode == 128 + number
    assert moves_of(records()[0]) == "1. 6 4 *"
    back = shell(Ran(out.decode(), "", 0).resume_command, lines("9"))
    assert "The game goes on after move 2." in back.out


def test_a_game_that_cannot_be_saved_is_printed(own_home: Path) -> None:
    own_home.write_text("a file where the folder should be")
    ran = play("range-war", typed="6 4")
    assert ran.status == 1
    assert "The game cannot be saved" in ran.out
    assert ran.out.endswith('[Result "*"]\n\n1. 6 4 *\n')


def test_a_piped_game_that_is_finished_leaves_no_file() -> None:
    play("range-war", "--size", "2", typed="1")
    assert records() == []
