"""Saved games by short ids: duel continue, saved, review and stats; the earlier names of commands work."""

from __future__ import annotations

import csv
import os
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from game_records import record_of
from numberduels.game import files, registry
from numberduels.game.record import Record, write
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.play import series
from numberduels.play.puzzles import PuzzleResult, append_result
from numberduels.play.saved_games import short_id
from tables import table

from .running import Ran, duel, lines, moves_of, play, records, refused, rest, terminal

OPEN = record_of(RangeWar(), (6, 4))
OVER = record_of(SummationDuel(4, 6), (4, 2))


def keep(game: Record, age: int = 0) -> str:
    """Save a game in the data folder, as if this many seconds ago; its id."""
    path = files.new_path(game.spec.name)
    files.write_text(path, write(game))
    moment = os.stat(path).st_mtime - age
    os.utime(path, (moment, moment))
    return short_id(path)


def keep_match(*played: Record) -> str:
    """Save a match of Range War; its id."""
    spec = registry.spec("range-war")
    path = files.new_path("range-war", "matches")
    match = series.Series(spec, spec.make(), ("Ann", "Bob"), rounds=1, played=played)
    files.write_text(path, series.write(match))
    return short_id(path)


def against(kind: str, game: Record = OPEN) -> Record:
    return Record(game.spec, game.game, game.moves, seats=("human", kind))


# duel continue


def test_continue_goes_on_with_the_latest_unfinished_game() -> None:
    keep(OPEN, 20)
    keep(record_of(RangeWar(), (7, 3)), 10)
    keep(OVER)
    ran = duel("continue", typed=lines("9"))
    assert ran.out.startswith("The game goes on after move 2.\nAvailable Numbers: 1,2,4,5,6,8,9,10\n")
    assert "1. 7 3 2. 9 *" in [moves_of(path) for path in records()]


def test_the_command_that_is_printed_after_quit_is_short_and_works() -> None:
    ran = play("range-war", typed="6 4 quit")
    assert re.fullmatch(r"duel continue [0-9a-f]{6}", ran.resume_command)
    assert "The game goes on after move 2." in duel(*ran.resume_command.split()[1:], typed=lines("quit")).out


def test_continue_goes_on_with_a_match() -> None:
    name = keep_match(Record(OPEN.spec, OPEN.game, OPEN.moves, names=("Ann", "Bob"), seed=" 1 0"))
    for arguments in [("continue",), ("continue", name), ("match", "--resume", name)]:
        assert "The match goes on with game 1 of 2" in duel(*arguments, typed=lines("quit")).out


def test_continue_refuses_a_game_that_is_over_and_says_what_to_do_with_it() -> None:
    refused(duel("continue"), "there is no unfinished game here")
    name = keep(OVER)
    refused(duel("continue"), "there is no unfinished game here")
    refused(duel("continue", name), "that game is over", f"duel review {name}")
    first = record_of(RangeWar(), (1,))
    match = keep_match(replace(first, names=("Ann", "Bob")), replace(first, names=("Bob", "Ann")))
    refused(duel("continue", match), "that match is over", f"duel review {match}")


def test_continue_starts_no_program_that_a_file_names() -> None:
    name = keep(against("process:touch owned"))
    refused(duel("continue", name), "name that seat with --p2")
    assert "The game goes on" in duel("continue", name, "--p2", "human", typed=lines("quit")).out


@table("text", ["ffffff", "nothing", ""])
def test_an_id_that_is_not_there_is_one_line(text: str) -> None:
    for command in ("continue", "review", "replay"):
        refused(duel(command, text))


def test_an_id_that_two_games_have_is_told_and_a_longer_one_decides(own_home: Path) -> None:
    folder = own_home / "games"
    folder.mkdir(parents=True)
    for tail in ("0000", "1111"):
        (folder / f"2026-11-16-200500-abcdef{tail}-range-war.duel").write_text(write(OPEN))
    refused(duel("replay", "abcdef"), "can be abcdef1111 or abcdef0000: say which")
    assert duel("replay", "abcdef0000").status == 0


# duel review and duel saved replay


@table("command", ["review", "replay"])
def test_an_id_or_last_is_as_good_as_a_path(command: str) -> None:
    keep(OPEN, 10)
    name = keep(OVER)
    (path,) = (path for path in records() if name in path.name)
    assert duel(command, name).out == duel(command, str(path)).out == duel(command, "last").out
    assert duel(command, "last").status == 0


def test_last_is_the_last_game_of_a_match() -> None:
    name = keep_match(Record(OPEN.spec, OPEN.game, OPEN.moves, names=("Ann", "Bob")))
    assert duel("replay", "last").out == duel("replay", name, "--game", "1").out
    refused(duel("replay", name), "is a match", "--game N")


# duel saved


def test_list_shows_the_newest_first_with_id_opponent_and_result() -> None:
    names = [keep(against("casual"), 30), keep(against("casual", OVER), 20), keep(OPEN, 10)]
    names.append(keep_match(Record(OPEN.spec, OPEN.game, OPEN.moves, names=("Ann", "Bob"))))
    shown = [re.split(r" {2,}", line) for line in duel("list").out.splitlines()]
    assert [line[0] for line in shown] == names[::-1]
    assert [line[1:4] for line in shown] == [
        ["Range War, match", "Ann and Bob", "unfinished, game 1 of 2"],
        ["Range War", "against a friend", "unfinished, Player 1 to move"],
        ["Summation Duel", "against casual", "you lost"],
        ["Range War", "against casual", "unfinished, your turn"],
    ]
    assert all(re.fullmatch(r"(?:to|yester)day \d\d:\d\d", line[4]) for line in shown)


def test_list_shows_twenty_unless_told_otherwise() -> None:
    for age in range(22):
        keep(OPEN, age)
    assert len(duel("list").out.splitlines()) == 21
    assert duel("list").out.endswith("2 more: duel saved --all\n")
    assert len(duel("list", "--all").out.splitlines()) == 22


def test_list_leaves_out_what_it_cannot_read_and_says_so(own_home: Path) -> None:
    name = keep(OPEN)
    (own_home / "games" / "bad.duel").write_bytes(b"\xff")
    (own_home / "games" / "\x1b[2Jevil.duel").write_text(write(OPEN))
    out = duel("list").out  # which also checks that no escape sequence is printed
    assert name in out and "bad.duel: this is not UTF-8 text" in out


# duel saved delete


def test_delete_removes_the_games_that_are_named_and_no_other() -> None:
    gone, stays, match = keep(OPEN), keep(OVER), keep_match()
    ran = duel("delete", gone, match, "--yes")
    assert ran == Ran(f"Deleted: {gone}\nDeleted: {match}\n", "", 0)
    assert [short_id(str(path)) for path in records()] == [stays]


@pytest.mark.long
def test_delete_asks_on_a_terminal() -> None:
    name = keep(OPEN)
    for reply, left in (("no", 1), ("quit", 1), ("yes", 0)):
        with terminal("delete", name, NO_COLOR="1") as screen:
            screen.expect_exact("Delete 1 game for good? Type yes or no: ")
            screen.send(f"{reply}\r")
            rest(screen)
            assert screen.exitstatus == left
        assert len(records()) == left


def test_delete_without_a_terminal_needs_yes() -> None:
    name = keep(OPEN)
    refused(duel("delete", name), "--yes")
    assert len(records()) == 1


def test_delete_of_an_unknown_game_deletes_nothing(tmp_path: Path) -> None:
    name = keep(OPEN)
    precious = tmp_path / "precious.duel"
    precious.write_text(write(OPEN))
    refused(duel("delete", name, "ffffff", "--yes"), "no kept game called 'ffffff'")
    refused(duel("delete", name, str(precious), "--yes"), "is no kept game")
    refused(duel("delete", "--yes"), "ID")
    assert precious.exists() and len(records()) == 1


# duel stats

RANGE_WAR = registry.spec("range-war")


def keep_played(moves: tuple[int, ...], *, seats: tuple[str, str], day: str) -> None:
    game = RANGE_WAR.make({"size": "5"})
    files.write_text(
        files.new_path("range-war"), write(Record(RANGE_WAR, game, moves, seats=seats, date=day))
    )


def played() -> None:
    keep_played((1,), seats=("human", "casual"), day="2026.11.14")  # right: it wins at once
    keep_played((5, 4), seats=("human", "perfect"), day="2026.11.15")  # 5 throws the win away, and 4 wins
    keep_played((3, 2), seats=("casual", "human"), day="2026.11.15")  # unfinished


def test_without_a_game_it_says_how_to_begin() -> None:
    assert "Play a game, solve a puzzle or take a lesson" in duel("stats").out


def test_csv_has_a_row_for_each_game_and_puzzle(tmp_path: Path) -> None:
    played()
    append_result(PuzzleResult(date(2026, 11, 16), "range-war", 2, "=1+1"))
    target = tmp_path / "mine.csv"
    ran = duel("stats", "--out", str(target))
    assert ran == Ran("3 games and 1 puzzle are written.\n", "", 0)
    with target.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["kind"] for row in rows] == ["game"] * 3 + ["puzzle"]
    assert {row["result"] for row in rows[:3]} == {"won", "lost", "unfinished"}
    assert rows[3]["seed"] == "'=1+1"
    refused(duel("stats", "--out", str(target)), "exists already")
    assert duel("stats", "--out", str(target), "--force").status == 0
    refused(duel("stats", "--out", "x.xlsx"), "--out writes .csv files")


def test_damaged_files_are_left_out_and_noted(own_home: Path) -> None:
    played()
    (own_home / "games" / "bad.duel").write_bytes(b"\xff")
    (own_home / "puzzles.jsonl").write_bytes(b"nonsense\n\xff\n")
    ran = duel("stats")
    assert ran.status == 0
    assert "bad.duel" in ran.out and "2 lines are damaged" in ran.out
    assert ["Range", "War", "3", "1", "1", "1"] in [line.split() for line in ran.out.splitlines()]
