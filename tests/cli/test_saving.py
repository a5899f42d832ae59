"""Where games are saved: never over somebody else's file, never nowhere, and the printed command works."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import signal
import subprocess
from errno import ENOSPC
from pathlib import Path

import pytest

from numberduels.cli.console import Console
from numberduels.cli.seats import SeatSetup
from numberduels.cli.session import Session
from numberduels.game import files, record, registry
from numberduels.game.table import Table
from numberduels.play import storage
from numberduels.play.live_game import LiveGame
from tables import table

from .running import DUEL, PATIENCE, Ran, duel, lines, moves_of, play, records, refused, shell, terminal

UNFINISHED = '[Game "range-war"]\n[Site "home"]\n[Date "2020.01.02"]\n\n1. 6 4 *\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder and the home of the user."""
    folder = tmp_path / "desk"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(folder))
    return folder


# Resuming


def test_a_resumed_game_goes_on_in_its_own_file(folder: Path) -> None:
    (folder / "game.duel").write_text(UNFINISHED)
    ran = duel("play", "--resume", "game.duel", typed=lines("9"))
    assert moves_of(folder / "game.duel") == "1. 6 4 2. 9 *"
    kept = record.read(files.read_text("game.duel"))
    assert kept.other == (("Site", "home"),) and kept.date == "2020.01.02"
    assert records() == [] and os.listdir(folder) == ["game.duel"]
    assert "The game goes on after move 3." in shell(ran.resume_command).out


def test_a_resumed_game_whose_moves_are_all_taken_back_is_saved_so(folder: Path) -> None:
    (folder / "game.duel").write_text(UNFINISHED)
    assert duel("play", "--resume", "game.duel", typed=lines("undo", "undo", "quit")).status == 0
    assert moves_of(folder / "game.duel") == "*"


def test_going_on_from_an_earlier_move_leaves_the_file_alone(folder: Path) -> None:
    (folder / "game.duel").write_text(UNFINISHED)
    duel("play", "--resume", "game.duel", "--ply", "1", typed=lines("5"))
    assert (folder / "game.duel").read_text() == UNFINISHED
    assert moves_of(records()[0]) == "1. 6 5 *"
    refused(duel("play", "--resume", "game.duel", "--ply", "1", "--save", "game.duel"), "exists already")
    (folder / "other.duel").write_text(UNFINISHED)
    refused(duel("play", "--resume", "game.duel", "--save", "other.duel"), "exists already")


@pytest.mark.long
def test_a_file_that_two_go_on_with_keeps_the_game_of_the_first(folder: Path) -> None:
    (folder / "game.duel").write_text(UNFINISHED)
    with terminal("play", "--resume", "game.duel") as screen:
        screen.expect("Select a number: ")
        duel("play", "--resume", "game.duel", typed=lines("9"))
        screen.sendline("10")
        screen.expect("exists already")
        screen.expect("Select a number: ")
        screen.sendline("quit")
        screen.expect("To go on with it: ")
    assert moves_of(folder / "game.duel") == "1. 6 4 2. 9 *"
    assert moves_of(records()[0]) == "1. 6 4 2. 10 *"


# Games without a move


@table("typed", ["", "quit", "6 undo quit", "undo", "6 undo"])
def test_a_game_without_a_move_leaves_no_file(typed: str, folder: Path) -> None:
    ran = play("range-war", typed=typed)
    assert "No move was made, so there is nothing to save." in ran.out
    ran = play("range-war", "--save", "game.duel", typed=typed)
    assert "No move was made, so there is nothing to save." in ran.out
    assert records() == [] and os.listdir(folder) == []


# Saving


@table("place", ["~/game.duel", "a file.duel", "-x.duel", "./it's \\.duel"])
def test_the_printed_command_works_from_everywhere(
    place: str, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(folder)
    saved = duel("play", "range-war", f"--save={place}", typed=lines("6", "4"))
    typed = duel("play", "range-war", typed=lines("6", f"save copy of {place[-6:]}", "4"))
    printed = re.findall(r"To go on with it: (.+)", typed.out)[0]
    (name,) = {*os.listdir(folder)} - {f"copy of {place[-6:]}"}
    assert moves_of(folder / name) == "1. 6 4 *"
    monkeypatch.chdir(tmp_path)
    assert "The game goes on after move 2." in shell(saved.resume_command).out
    assert "The game goes on after move 1." in shell(printed).out
    for each in folder.iterdir():
        each.unlink()


@pytest.mark.usefixtures("folder")
def test_a_name_that_could_command_a_terminal_is_printed_so_that_bash_takes_it() -> None:
    name = "\x1b[2J\x9b\udcff'.duel"
    ran = duel("play", "range-war", "--save", os.fsencode(name), typed=lines("6", "4"))
    assert "\x1b" not in ran.out and "\x9b" not in ran.out
    done = subprocess.run(["bash", "-c", ran.resume_command], stdin=subprocess.DEVNULL, capture_output=True)
    assert b"The game goes on after move 2." in done.stdout


def test_save_at_the_prompt_replaces_its_own_file_and_no_other(folder: Path) -> None:
    (folder / "other.duel").write_text(UNFINISHED)
    ran = play_lines(
        "6", "save mine.duel", "4", "save mine.duel", "save other.duel", "save --force  other.duel"
    )
    assert ran.out.count("The game so far is saved.") == 3
    assert ran.out.count("That cannot be saved: that file exists already, and --force would replace it.") == 1
    assert moves_of(folder / "mine.duel") == moves_of(folder / "other.duel") == "1. 6 4 *"


def play_lines(*typed: str) -> Ran:
    return duel("play", "range-war", typed=lines(*typed))


@pytest.mark.long
def test_a_target_that_is_gone_at_the_end_costs_no_game(folder: Path) -> None:
    (folder / "there").mkdir()
    with terminal("play", "range-war", "--size", "3", "--save", "there/game.duel") as screen:
        screen.expect("Select a number: ")
        (folder / "there").rmdir()
        screen.sendline("1")
        screen.expect("cannot be written .No such file or directory.. The game is saved in")
        screen.expect("duel saved replay ")
        screen.wait()
    assert screen.exitstatus == 1
    assert moves_of(records()[0]) == "1. 1 1-0"


@pytest.mark.usefixtures("folder")
def test_a_target_is_refused_before_the_first_move() -> None:
    for place in ("nowhere/game.duel", ".", "/dev/null", "x" * 300):
        refused(duel("play", "range-war", "--save", place, typed=lines("1")), "cannot be written")


def test_a_disk_that_stays_full_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    spec, out = registry.spec("range-war"), io.StringIO()
    monkeypatch.setattr(storage, "_reported", set())
    live = LiveGame(spec, Table(spec.make()), seed="1")
    session = Session(Console(None, out), live, (SeatSetup(), SeatSetup()))

    def save() -> None:
        raise OSError(ENOSPC, "No space left on device")

    live.write_file = save  # type: ignore[method-assign]
    for _ in range(3):
        session._autosave()
    assert out.getvalue().count("this game cannot be saved") == 1


def test_a_file_that_is_read_only_is_left_alone(folder: Path) -> None:
    path = folder / "game.duel"
    path.write_text(UNFINISHED)
    path.chmod(0o400)
    ran = duel("play", "--resume", "game.duel", typed=lines("9", "quit"))
    assert "cannot be written (that file is read-only). The game is saved in" in ran.out and ran.status == 1
    assert path.read_text() == UNFINISHED and moves_of(records()[0]) == "1. 6 4 2. 9 *"


# Reports of the arena

ARENA_RUN = shlex.split("arena run --out run --players random,greedy --games range-war --rounds 1")


def test_a_report_is_brought_up_to_date_and_replaces_nothing_else(folder: Path) -> None:
    assert duel(*ARENA_RUN).status == 0
    page = folder / "run" / "report.html"
    for _ in range(2):
        assert duel("arena", "report", "run").status == 0
    other = '<!doctype html>\n<html lang="en">\n<p>mine'
    page.write_text(other)
    (folder / "index.html").write_text(other)
    refused(duel("arena", "report", "run"), "exists already")
    refused(duel("arena", "report", "run", "--html", "index.html"), "exists already")
    assert page.read_text() == (folder / "index.html").read_text() == other
    assert duel("arena", "report", "run", "--html", "index.html", "--force").status == 0


@table("name", ["report.html", "run.json", "games.jsonl", "lock"])
@table("content", ["precious, without a line end", None])
def test_links_in_the_folder_of_a_run_are_not_followed(name: str, content: str | None, folder: Path) -> None:
    if name == "report.html":
        assert duel(*ARENA_RUN).status == 0
    (folder / "run").mkdir(exist_ok=True)
    (folder / "run" / name).symlink_to(folder / "precious")
    if content is not None:
        (folder / "precious").write_text(content)
    refused(
        duel("arena", "report", "run") if name == "report.html" else duel(*ARENA_RUN), f"{name} is a link"
    )
    if content is None:
        assert not (folder / "precious").exists()
    else:
        assert (folder / "precious").read_text() == content
        (folder / "precious").unlink()
    shutil.rmtree(folder / "run")


# A game that is broken off

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


@table("forfeit", ["", '[Forfeit "time"]\n'])
def test_a_resigned_game_is_not_resumed_at_its_end_but_before_it(forfeit: str, tmp_path: Path) -> None:
    path = tmp_path / "resigned.duel"
    path.write_text(f'[Game "range-war"]\n[Termination "resigned"]\n{forfeit}\n1. 6 4 1-0\n')
    refused(duel("play", "--resume", str(path)), "over")
    assert duel("replay", str(path)).out.endswith("Player 1 wins!\n")
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
