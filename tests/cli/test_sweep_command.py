"""`duel sweep`, run as a user would: winners, all values of an option, sequences, as text, CSV and SVG."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from numberduels.analysis.sequences import IntegerSequence, ProofStatus
from numberduels.game.contract import ProgressCallback
from numberduels.solvers import TooLarge
from tables import table

from .running import duel, refused

SVG = "{http://www.w3.org/2000/svg}"


def test_a_row_for_each_size() -> None:
    ran = duel("sweep", "restricted-removal", "--size", "2..12", "--nimbers")
    assert (ran.status, ran.err) == (0, "")
    rows = [line.replace("Player ", "").split() for line in ran.out.splitlines()[1:]]
    assert [int(row[0]) for row in rows] == list(range(2, 13))
    assert [int(row[1]) for row in rows] == [1, 2, 2, 1, 1, 2, 2, 1, 1, 1, 1]
    assert [int(row[3]) for row in rows] == [1, 0, 0, 1, 1, 0, 0, 3, 3, 2, 2]
    assert int(rows[8][2]) == 1  # 6 alone wins among 2..10
    assert int(rows[10][2]) == 2


def test_only_who_wins(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    ran = duel("sweep", "restricted-removal", "--size", "2..9", "--winner", "--out", str(file))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[0].split() == ["size", "winner", "positions", "seconds"]
    assert re.findall(r"^ *\d+ +Player (\d) ", ran.out, re.M) == list("12211221")
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert {row["winning_first_moves"] for row in rows} == {""}


def test_the_table_is_written_for_a_spreadsheet_and_drawn(tmp_path: Path) -> None:
    file, drawn = tmp_path / "table.csv", tmp_path / "picture.svg"
    command = ("sweep", "restricted-removal", "--size", "2..12", "--out", str(file), "--out", str(drawn))
    assert duel(*command).status == 0
    head, *rows = csv.reader(file.read_text(encoding="utf-8").splitlines())
    assert head == ["size", "winner", "winning_first_moves", "nimber", "margin", "positions", "seconds"]
    assert [row[0] for row in rows] == [str(n) for n in range(2, 13)]
    assert [row[3] for row in rows] == list("10011003322") and {row[4] for row in rows} == {""}
    picture = ElementTree.parse(drawn).getroot()
    assert picture.findtext(f"{SVG}title") == "Restricted Removal: who wins at each size"
    assert "Player 2 wins at 4 of 11 sizes: 3, 4, 7, 8." in (picture.findtext(f"{SVG}desc") or "")
    for place in ("x.png", "x"):
        refused(duel(*command, "--force", "--out", place), "--out writes .csv or .svg files")
    refused(duel(*command, "--force", "--out", str(tmp_path / "no" / "where.csv")), "written")


def test_a_game_of_points_has_margins_and_a_game_may_have_no_winner() -> None:
    rows = duel("sweep", "number-snatch", "--size", "3..5").out.splitlines()
    assert rows[0].split()[-3:] == ["margin", "positions", "seconds"]
    assert all(int(row.split()[-3]) % 2 for row in rows[1:])  # the sum of a dealt list is odd
    assert re.findall(r"(?m)^ +[34] +nobody +0 ", duel("sweep", "number-collision", "--size", "1..4").out)


def test_sizes_without_a_game_are_said_and_passed_over() -> None:
    ran = duel("sweep", "summation-duel", "--size", "8..10")
    assert ran.status == 0
    assert ran.out.count("no game: the numbers 1 to") == 2
    assert re.search(r"^ +10 +Player 1 +10 ", ran.out, re.M)


def test_a_sweep_ends_where_its_reach_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numberduels.cli.sweep.ALTOGETHER", 20)
    ran = duel("sweep", "restricted-removal", "--size", "3..30")
    assert ran.status == 0
    assert ran.out.splitlines()[-1].endswith("The sweep ends here.")
    assert "beyond reach: " in ran.out


@table("size", ["", "x", "5..2", "0..3", "-3..4", "1..", "1..2..3", "1..99999999", "\uff12..\uff13"])
def test_what_is_no_range_is_refused(size: str) -> None:
    refused(duel("sweep", "range-war", f"--size={size}"), "--size takes a range")


@table(
    "arguments",
    [["chess", "--size", "2..3"], ["range-war", "--size", "2..3", "--numbers", "1,2"]],
)
def test_what_cannot_be_swept_is_refused(arguments: list[str]) -> None:
    refused(duel("sweep", *arguments))


@table("suffix", [".csv", ".svg"])
def test_the_file_of_somebody_else_is_replaced_only_when_that_is_asked_for(
    tmp_path: Path, suffix: str
) -> None:
    file = tmp_path / f"precious{suffix}"
    file.write_text("my diary", encoding="utf-8")
    command = ("sweep", "range-war", "--size", "2..3", "--out", str(file))
    refused(duel(*command), "exists already", "--force")
    assert file.read_text(encoding="utf-8") == "my diary"
    assert list(tmp_path.glob("*.tmp")) == []
    assert duel(*command, "--force").status == 0
    assert "diary" not in file.read_text(encoding="utf-8")


# All values of an option

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


def test_the_table_is_written_as_csv_and_drawn(tmp_path: Path) -> None:
    table, picture = tmp_path / "table.csv", tmp_path / "table.svg"
    assert duel(*ALL, "1..8", "--out", str(table), "--out", str(picture)).status == 0
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == sum(n * (n + 1) // 2 for n in range(1, 9))
    assert [row["target"] for row in rows if row["size"] == "8" and row["winner"] == "2"] == [
        "9", "16", "18", "27", "36",
    ]  # fmt: skip
    assert {row["proven"] for row in rows if row["size"] == "8" and row["target"] in ("16", "36")} == set(
        "01"
    )
    root = ElementTree.parse(picture).getroot()
    words = {each.tag.rpartition("}")[2]: each.text or "" for each in root}
    assert words["title"] == "Summation Duel: who wins for every size and target"
    assert "Size 8: Player 1 wins 31 targets, Player 2 5 targets." in words["desc"]
    assert "prefers-color-scheme: dark" in picture.read_text(encoding="utf-8")


def test_sizes_beyond_reach_are_refused_with_the_reach() -> None:
    refused(duel(*ALL, "2..28"), "all targets are within reach up to size 27")


@table("option", ["--nimbers", "--winner"])
def test_what_the_table_does_not_have_is_refused(option: str) -> None:
    refused(duel(*ALL, "2..5", option), "--target all prints winners and nothing else")


# Sequences

NIMBERS = "restricted-removal-nimbers"


def terms(text: str) -> list[tuple[int, int]]:
    """The lines of a b-file that are no comments."""
    rows = [line.split(" ") for line in text.splitlines() if not line.startswith("#")]
    return [(int(n), int(term)) for n, term in rows]


def test_without_a_name_the_sequences_are_listed() -> None:
    ran = duel("sweep")
    assert ran.status == 0
    assert f"{NIMBERS}\n    a(n) is the nimber of Restricted Removal with the numbers 2 to n.\n" in ran.out
    assert "theorem: proven for every n (ceiling(n / 2)" in ran.out


def test_a_range_of_indices_is_printed_as_a_b_file() -> None:
    ran = duel("sweep", NIMBERS, "--size", "8..11")
    assert ran.status == 0 and ran.out.startswith(f"# {NIMBERS}: ")
    assert "# status: computed exactly\n" in ran.out
    assert terms(ran.out) == [(8, 0), (9, 3), (10, 3), (11, 2)]


def test_without_indices_those_of_the_sequence_are_printed() -> None:
    assert terms(duel("sweep", "number-snatch-margins").out) == [(n, (n + 1) // 2) for n in range(1, 51)]


def squares_below_five(indices: range, _progress: ProgressCallback | None) -> Iterator[int]:
    for n in indices:
        if n == 5:
            raise TooLarge("5 is too large", "4 is within reach")
        yield n * n


def test_what_is_known_is_printed_before_a_term_out_of_reach(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    squares = IntegerSequence(
        "squares", "n times n", range(1, 9), squares_below_five, "a product", ProofStatus.THEOREM
    )
    monkeypatch.setattr("numberduels.cli.sweep.all_sequences", lambda: [squares])
    monkeypatch.setattr("numberduels.cli.sweep.find_sequence", lambda _: squares)
    ran = duel("sweep", "squares", "--out", str(tmp_path / "squares.svg"))
    assert ran.status == 1 and terms(ran.out) == [(1, 1), (2, 4), (3, 9), (4, 16)]
    assert ran.err == "duel: the next term is out of reach: 5 is too large; 4 is within reach\n"
    assert (tmp_path / "squares.svg").read_text(encoding="utf-8").count("<rect") == 5


@table(
    "arguments, reason",
    [
        (["nope"], "duel sweep alone lists the sequences"),
        (["range-war"], "say which sizes: duel sweep range-war --size FROM..TO"),
        ([NIMBERS, "--nimbers"], f"--nimbers is for games, and {NIMBERS} is a sequence"),
        ([NIMBERS, "--winner"], "--winner is for games"),
        ([NIMBERS, "--seed", "3"], "--seed is for games"),
        (["nimbers"], "or did you mean the sequence restricted-removal-nimbers?"),
        ([NIMBERS, "--size", "1..5"], "sizes from 2 on, such as 2..11, not '1..5'"),
        ([NIMBERS, "--size", "9..5"], "not '9..5'"),
        ([NIMBERS, "--size", "2..99999"], "not '2..99999'"),
    ],
)
def test_what_cannot_be_printed_is_refused(arguments: list[str], reason: str) -> None:
    refused(duel("sweep", *arguments), reason)


def test_the_old_command_still_prints_a_sequence() -> None:
    assert duel("sequence", NIMBERS, "2..9") == duel("sweep", NIMBERS, "--size", "2..9")
