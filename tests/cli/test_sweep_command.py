"""`duel sweep`, run as a user would: the table, the file for a spreadsheet and the picture."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tables import table

from .running import duel, refused

SVG = "{http://www.w3.org/2000/svg}"
HEADINGS = ["size", "winner", "winning_first_moves", "nimber", "margin", "positions", "seconds"]


def test_a_row_for_each_size() -> None:
    ran = duel("sweep", "restricted-removal", "--size", "2..12", "--nimbers")
    assert (ran.status, ran.err) == (0, "")
    rows = [line.replace("Player ", "").split() for line in ran.out.splitlines()[1:]]
    assert [int(row[0]) for row in rows] == list(range(2, 13))
    assert [int(row[1]) for row in rows] == [1, 2, 2, 1, 1, 2, 2, 1, 1, 1, 1]
    assert [int(row[3]) for row in rows] == [1, 0, 0, 1, 1, 0, 0, 3, 3, 2, 2]
    assert int(rows[8][2]) == 1  # 6 alone wins among 2..10
    assert int(rows[10][2]) == 2


@table(
    "arguments, winners",
    [
        (["range-war", "--size", "1..6"], ["Player 1"] * 6),
        (["range-war", "--size", "1..4", "--opening", "free"], ["Player 1", "Player 2"] * 2),
        (["number-snatch", "--size", "3..5"], ["Player 1"] * 3),
        (["summation-duel", "--size", "10..10", "--target", "44"], ["Player 2"]),
        (["number-collision", "--size", "1..4"], ["Player 1", "Player 2", "nobody", "nobody"]),
    ],
)
def test_who_wins(arguments: list[str], winners: list[str]) -> None:
    ran = duel("sweep", *arguments)
    assert ran.status == 0
    found = re.findall(r"^ *\d+ +(Player \d|nobody) ", ran.out, re.M)
    assert found == winners


def test_only_who_wins(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    ran = duel("sweep", "restricted-removal", "--size", "2..9", "--winner", "--csv", str(file))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[0].split() == ["size", "winner", "positions", "seconds"]
    assert re.findall(r"^ *\d+ +Player (\d) ", ran.out, re.M) == list("12211221")
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert {row["winning_first_moves"] for row in rows} == {""}


def test_the_picture_of_who_wins_alone_has_the_sizes_under_the_winners(tmp_path: Path) -> None:
    file = tmp_path / "picture.svg"
    assert duel("sweep", "number-collision", "--size", "1..3", "--winner", "--plot", str(file)).status == 0
    drawn = [text.text for text in ElementTree.parse(file).getroot().iter(f"{SVG}text")]
    assert "winning first moves" not in drawn
    assert drawn[-3:] == ["size", "1", "3"]


def test_one_size_is_a_range() -> None:
    ran = duel("sweep", "range-war", "--size", "7")
    assert ran.out.count("\n") == 2


def test_the_file_for_a_spreadsheet(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    ran = duel("sweep", "restricted-removal", "--size", "2..12", "--csv", str(file))
    assert ran.status == 0
    rows = list(csv.reader(file.read_text(encoding="utf-8").splitlines()))
    assert rows[0] == HEADINGS
    assert [row[0] for row in rows[1:]] == [str(n) for n in range(2, 13)]
    assert [row[3] for row in rows[1:]] == ["1", "0", "0", "1", "1", "0", "0", "3", "3", "2", "2"]
    assert {row[4] for row in rows[1:]} == {""}


def test_a_margin_and_a_draw_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    assert duel("sweep", "number-snatch", "--size", "3..5", "--csv", str(file)).status == 0
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert all(int(row["margin"]) % 2 for row in rows)  # the sum of a dealt list is odd
    assert duel("sweep", "number-collision", "--size", "3..4", "--csv", str(file), "--force").status == 0
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert [(row["winner"], row["winning_first_moves"]) for row in rows] == [("", "0"), ("", "0")]


@table(
    "arguments, title, told",
    [
        (
            ["restricted-removal", "--size", "2..12"],
            "Restricted Removal",
            "Player 2 wins at 4 of 11 sizes: 3, 4, 7, 8.",
        ),
        (["number-snatch", "--size", "3..6"], "Number Snatch", "Player 1 wins at 4 of 4 sizes: 3, 4, 5, 6."),
        (["number-collision", "--size", "1..4"], "Number Collision", "nobody wins at 2 of 4 sizes: 3, 4."),
    ],
)
def test_the_picture(tmp_path: Path, arguments: list[str], title: str, told: str) -> None:
    file = tmp_path / "picture.svg"
    assert duel("sweep", *arguments, "--plot", str(file)).status == 0
    picture = ElementTree.parse(file).getroot()
    assert picture.tag == f"{SVG}svg"
    assert picture.get("role") == "img"
    assert picture.findtext(f"{SVG}title") == f"{title}: who wins at each size"
    assert told in (picture.findtext(f"{SVG}desc") or "")
    assert float(picture.get("width") or 0) > 0
    text = file.read_text(encoding="utf-8")
    assert "nan" not in text.replace("name", "")
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")  # it needs nothing from elsewhere


def test_the_picture_of_no_size_at_all(tmp_path: Path) -> None:
    file = tmp_path / "picture.svg"
    ran = duel("sweep", "summation-duel", "--size", "1..3", "--plot", str(file))
    assert ran.status == 0
    ElementTree.parse(file)


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


@table(
    "size",
    [
        "",
        "x",
        "5..2",
        "0..3",
        "-3..4",
        "1..",
        "..4",
        "1..2..3",
        "1...3",
        "1..99999999",
        "1e3",
        "\uff12..\uff13",
    ],
)
def test_what_is_no_range_is_refused(size: str) -> None:
    refused(duel("sweep", "range-war", f"--size={size}"), "--size takes a range")


@table(
    "arguments",
    [["range-war"], [], ["chess", "--size", "2..3"], ["range-war", "--size", "2..3", "--numbers", "1,2"]],
)
def test_what_cannot_be_swept_is_refused(arguments: list[str]) -> None:
    refused(duel("sweep", *arguments))


@table("option", ["--csv", "--plot"])
def test_the_file_of_somebody_else_is_left_alone(tmp_path: Path, option: str) -> None:
    file = tmp_path / "precious"
    file.write_text("my diary", encoding="utf-8")
    refused(duel("sweep", "range-war", "--size", "2..3", option, str(file)), "exists already", "--force")
    assert file.read_text(encoding="utf-8") == "my diary"
    assert list(tmp_path.glob("*.tmp")) == []


@table("option", ["--csv", "--plot"])
def test_a_file_is_replaced_when_that_is_asked_for(tmp_path: Path, option: str) -> None:
    file = tmp_path / "mine"
    assert duel("sweep", "range-war", "--size", "2..9", option, str(file)).status == 0
    before = len(file.read_text(encoding="utf-8"))
    refused(duel("sweep", "range-war", "--size", "2..3", option, str(file)), "exists already")
    assert duel("sweep", "range-war", "--size", "2..3", "--force", option, str(file)).status == 0
    assert len(file.read_text(encoding="utf-8")) < before


@table("option", ["--csv", "--plot"])
def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path, option: str) -> None:
    refused(duel("sweep", "range-war", "--size", "2..3", option, str(tmp_path / "no" / "where")), "written")
