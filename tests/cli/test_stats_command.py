"""`duel stats`: games by game, opponent and seat, accuracy, puzzles, and CSV."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

from numberduels.game import files, registry
from numberduels.game.record import Record, write
from numberduels.play.puzzles import PuzzleResult, append_result

from .running import Ran, duel, refused

RANGE_WAR = registry.spec("range-war")


def keep(moves: tuple[int, ...], *, seats: tuple[str, str], day: str) -> None:
    game = RANGE_WAR.make({"size": "5"})
    files.write_text(
        files.new_path("range-war"), write(Record(RANGE_WAR, game, moves, seats=seats, date=day))
    )


def played() -> None:
    keep((1,), seats=("human", "casual"), day="2026.11.14")  # right: it wins at once
    keep((5, 4), seats=("human", "perfect"), day="2026.11.15")  # 5 throws the win away, and 4 wins
    keep((3, 2), seats=("casual", "human"), day="2026.11.15")  # unfinished


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
