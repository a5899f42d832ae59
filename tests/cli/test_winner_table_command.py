"""`duel sweep summation-duel --target all`: every size and target, with what is proven about them."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ET
from pathlib import Path

from tables import table

from .running import duel, refused

ALL = ("sweep", "summation-duel", "--target", "all", "--size")


def test_each_size_has_a_row_with_the_targets_of_player_2() -> None:
    ran = duel(*ALL, "4..6")
    assert ran.status == 0
    rows = [line.split() for line in ran.out.splitlines()[1:4]]
    assert rows == [
        ["4", "10", "8", "2", "10", "5,10"],
        ["5", "15", "10", "5", "15", "7,11-14"],
        ["6", "21", "18", "3", "19", "7,14,21"],
    ]


def test_statements_are_proven_seen_or_false() -> None:
    told = duel(*ALL, "1..12").out.partition("N is the size, T the target")[2]
    assert "At once: if T <= N, Player 1 wins.\n    Proven; 78 games of the table, no exception.\n" in told
    assert "    Seen up to size 12, not proven; 40 games of the table, no exception.\n" in told
    assert "same winner.\n    False: the first exception is size 8, target 16.\n" in told


def test_a_guess_without_a_counterexample_in_the_table_is_not_called_proven() -> None:
    told = duel(*ALL, "1..7").out
    guess = "A guess: no exception among 31 games up to size 7; larger sizes may have one."
    assert f"same winner.\n    {guess}\n" in told


def test_a_statement_about_no_game_of_the_table_says_so() -> None:
    told = duel(*ALL, "1..6").out
    assert "2 N - 1 Player 2 wins.\n    It says nothing about the sizes of this table.\n" in told
    assert "; 0 games" not in told


def test_the_table_is_written_as_csv_and_drawn(tmp_path: Path) -> None:
    table, picture = tmp_path / "table.csv", tmp_path / "table.svg"
    assert duel(*ALL, "1..8", "--csv", str(table), "--plot", str(picture)).status == 0
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == sum(n * (n + 1) // 2 for n in range(1, 9))
    assert [row["target"] for row in rows if row["size"] == "8" and row["winner"] == "2"] == [
        "9", "16", "18", "27", "36",
    ]  # fmt: skip
    assert {row["proven"] for row in rows if row["size"] == "8" and row["target"] in ("16", "36")} == {
        "0",
        "1",
    }
    root = ET.parse(picture).getroot()
    words = {each.tag.rpartition("}")[2]: each.text or "" for each in root}
    assert words["title"] == "Summation Duel: who wins for every size and target"
    assert "Size 8: Player 1 wins 31 targets, Player 2 5 targets." in words["desc"]
    assert "prefers-color-scheme: dark" in picture.read_text(encoding="utf-8")


def test_sizes_beyond_reach_are_refused_with_the_reach() -> None:
    refused(duel(*ALL, "2..28"), "all targets are within reach up to size 27")


@table("option", ["--nimbers", "--winner"])
def test_what_the_table_does_not_have_is_refused(option: str) -> None:
    refused(duel(*ALL, "2..5", option), "--target all prints winners and nothing else")


def test_other_games_have_no_such_table() -> None:
    ran = duel("sweep", "range-war", "--size", "2..3", "--opening", "all")
    assert "opening must be lower or free, not 'all'" in ran.out
