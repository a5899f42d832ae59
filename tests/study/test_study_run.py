"""A whole study by its command, against figures that are computed from the rules in another way."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import NormalDist
from typing import Any
from xml.etree import ElementTree

import pytest
from scripted_server import serving

pytestmark = pytest.mark.long

COMMAND = Path(__file__).parents[2] / "examples" / "study" / "run.py"
SIZES = (5, 6, 7)
CONFIG = """
title = "A tiny study"
players = ["chat:lowest"]
baselines = ["random", "perfect"]
opponents = ["random", "perfect"]
vary = ["legal", "disguise"]
positions = 4
rounds = 1
attempts = 1
base_url = "{url}"
[games]
range-war = ["size=5", "size=6", "size=7"]
"""


def study(config: Path, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(COMMAND), str(config), "--out", str(folder), *more],
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
        check=False,
    )


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """The configuration and the folder of a study that has run, while its server still answers."""
    place = tmp_path_factory.mktemp("study")
    with serving() as url:
        (place / "tiny.toml").write_text(CONFIG.format(url=url), encoding="utf-8")
        first = study(place / "tiny.toml", place / "out", "--dry-run")
        # 4 positions at 3 sizes under 4 conditions are 48 requests; the three baselines need none.
        assert "decisions: 72 of 72 to do, 48 requests to models" in first.stdout, first.stderr
        assert not (place / "out").exists()
        done = study(place / "tiny.toml", place / "out")
        assert done.returncode == 0, done.stderr
        yield place / "tiny.toml", place / "out"


def lines(folder: Path, run: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / run / "games.jsonl").read_text().splitlines()]


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with open(folder / "tables" / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


# Range War by its rule book, with plain lists


def legal(size: int, moves: tuple[int, ...]) -> list[int]:
    free = [number for number in range(1, size + 1) if number not in moves]
    if not moves:
        return free
    down = len(moves) % 2 == 1  # the second number is lower, the third higher, and so on
    return [number for number in free if (number < moves[-1]) == down]


@cache
def wins(size: int, moves: tuple[int, ...]) -> bool:
    """Whether who is to move wins."""
    return any(not wins(size, (*moves, move)) for move in legal(size, moves))


def expected(folder: Path, shown: bool) -> dict[int, tuple[int, int]]:
    """By size, in how many of the positions the lowest number that a player sees keeps the value."""
    counts = dict.fromkeys(SIZES, (0, 0))
    for line in lines(folder, "decisions"):
        if line["players"] == ["perfect"]:
            size = int(line["options"]["size"])
            moves = tuple(int(move["move"]) for move in line["moves"][:-1])
            playable = legal(size, moves)
            seen = playable if shown else [n for n in range(1, size + 1) if n not in moves]
            assert {wins(size, (*moves, move)) for move in playable} == {True, False}, (
                "no mistake is possible"
            )
            kept = seen[0] in playable and not wins(size, (*moves, seen[0]))
            counts[size] = counts[size][0] + kept, counts[size][1] + 1
    return counts


def mean(counts: dict[int, tuple[int, int]]) -> float:
    return sum(hits / of for hits, of in counts.values()) / len(counts)


def test_accuracy_is_that_of_the_rule_book(finished: tuple[Path, Path]) -> None:
    _, folder = finished
    rows = {(row["player"], row["legal"], row["disguise"]): row for row in table(folder, "accuracy")}
    for word, shown in (("yes", True), ("no", False)):
        counts = expected(folder, shown)
        assert all(of == 4 for _, of in counts.values())
        for disguise in ("no", "yes"):
            row = rows["chat:lowest", word, disguise]
            assert float(row["accuracy"]) == pytest.approx(mean(counts))
            assert int(row["accuracy_of"]) == 12
    assert float(rows["perfect", "-", "-"]["accuracy"]) == 1
    assert mean(expected(folder, True)) != mean(expected(folder, False)), "the positions tell nothing"


def test_the_effect_of_the_legal_list_is_the_difference_of_both(finished: tuple[Path, Path]) -> None:
    _, folder = finished
    legal_list, disguise = table(folder, "conditions")
    assert (legal_list["condition"], legal_list["change"]) == ("legal", "yes to no")
    change = mean(expected(folder, False)) - mean(expected(folder, True))
    assert float(legal_list["accuracy,_points"]) == pytest.approx(change)
    low, high = (float(legal_list[f"accuracy,_points_{end}"]) for end in ("low", "high"))
    assert low <= change <= high
    assert float(disguise["accuracy,_points"]) == 0  # the disguise does not change what is lowest


def test_sizes_have_wilsons_interval(finished: tuple[Path, Path]) -> None:
    _, folder = finished
    z = NormalDist().inv_cdf(0.975)
    for row, size in zip(table(folder, "sizes"), SIZES, strict=True):
        assert row["size"] == f"size={size}"
        hits, of = int(row["random_hits"]), int(row["random_of"])
        share = hits / of
        # The design effect of n single decisions is n / (n - 1): they count as n - 1.
        count = of - 1 if 0 < hits < of else of
        centre = (share * count + z * z / 2) / (count + z * z)
        half = z / (count + z * z) * (count * share * (1 - share) + z * z / 4) ** 0.5
        assert float(row["random_low"]) == pytest.approx(max(0, centre - half), abs=1e-9)
        assert float(row["random_high"]) == pytest.approx(min(1, centre + half), abs=1e-9)


def test_both_seats_count_the_games_that_were_won(finished: tuple[Path, Path]) -> None:
    _, folder = finished
    played = lines(folder, "games")
    for row in table(folder, "seats"):
        seat = ("first", "second").index(row["seat"])
        own = [line for line in played if line["players"][seat].startswith(row["player"])]
        won = sum(line["result"] == ("1-0", "0-1")[seat] for line in own)
        assert (int(row["won_hits"]), int(row["won_of"]), int(row["games"])) == (won, len(own), 24)


def test_failures_are_the_answers_that_were_illegal(finished: tuple[Path, Path]) -> None:
    _, folder = finished
    for row in table(folder, "failures"):
        name = f"chat:lowest [legal={row['legal']}, disguise={row['disguise']}]"
        own = [line["moves"][-1] for line in lines(folder, "decisions") if line["players"] == [name]]
        missed = sum(move["move"] is None for move in own)
        assert int(row["no_move"]) == int(row["refused:_illegal"]) == missed > 0


def test_figures_are_pictures_with_words_and_the_paper_shows_them(finished: tuple[Path, Path]) -> None:
    _, folder = finished
    paper = (folder / "paper.md").read_text(encoding="utf-8")
    for name in ("accuracy", "sizes", "conditions", "seats"):
        assert f"(figures/{name}.svg)" in paper
        picture = ElementTree.parse(folder / "figures" / f"{name}.svg").getroot()
        words = " ".join(picture.itertext())
        assert "chat:lowest" in words
        assert "95 % intervals" in words
    for word in ("# A tiny study", "seed `0`", "duel arena run", "4 positions are drawn", "random, perfect"):
        assert word in paper
    assert "not complete" not in paper


def test_a_study_that_lost_its_last_games_is_continued_to_the_same_tables(
    finished: tuple[Path, Path], tmp_path: Path
) -> None:
    config, folder = finished
    for run in ("decisions", "games"):
        (tmp_path / run).mkdir()
        (tmp_path / run / "run.json").write_bytes((folder / run / "run.json").read_bytes())
        saved = (folder / run / "games.jsonl").read_text().splitlines(keepends=True)
        (tmp_path / run / "games.jsonl").write_text("".join(saved[: len(saved) // 2]))
    assert study(config, tmp_path, "--tables").returncode == 0
    assert "**The study is not complete.** 60 games or decisions" in (tmp_path / "paper.md").read_text()
    assert study(config, tmp_path).returncode == 0
    for name in ("accuracy", "sizes", "conditions", "opponents", "seats", "failures"):
        first, again = (each / "tables" / f"{name}.csv" for each in (folder, tmp_path))
        assert again.read_bytes() == first.read_bytes(), name
    assert "0 of 72 to do, 0 requests" in study(config, tmp_path, "--dry-run").stdout


def test_with_a_cache_a_second_study_asks_nothing(tmp_path: Path) -> None:
    cache = ("--cache", str(tmp_path / "cache"))
    with serving() as url:
        (tmp_path / "tiny.toml").write_text(CONFIG.format(url=url), encoding="utf-8")
        assert study(tmp_path / "tiny.toml", tmp_path / "first", *cache).returncode == 0
    # The server is gone: a request would fail.
    again = study(tmp_path / "tiny.toml", tmp_path / "second", *cache)
    assert again.returncode == 0, again.stderr
    for run in ("decisions", "games"):
        attempts = [
            [
                each
                for line in lines(tmp_path / name, run)
                for move in line["moves"]
                for each in move.get("attempts", ())
            ]
            for name in ("first", "second")
        ]
        assert attempts[0] and len(attempts[0]) == len(attempts[1])
        assert all(each["cached"] for each in attempts[1])


def test_a_paper_that_was_changed_by_hand_is_kept(finished: tuple[Path, Path]) -> None:
    config, folder = finished
    written = (folder / "paper.md").read_text(encoding="utf-8")
    (folder / "paper.md").write_text("My words.", encoding="utf-8")
    done = study(config, folder, "--tables")
    assert (folder / "paper.md").read_text(encoding="utf-8") == "My words."
    assert "paper.md: changed by hand" in done.stderr
    assert study(config, folder, "--tables", "--force").returncode == 0
    assert (folder / "paper.md").read_text(encoding="utf-8") == written


def test_another_configuration_is_refused_in_one_line(finished: tuple[Path, Path], tmp_path: Path) -> None:
    config, folder = finished
    other = tmp_path / "other.toml"
    other.write_text(config.read_text().replace("positions = 4", "positions = 3"))
    for arguments in (["--tables"], []):
        done = study(other, folder, *arguments)
        assert done.returncode == 2
        assert "positions was 4 and is now 3" in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_a_port_in_use_is_told_in_one_line(finished: tuple[Path, Path], tmp_path: Path) -> None:
    config, _ = finished  # its server is still there
    done = study(config, tmp_path / "out", "--scripted")
    assert done.returncode == 2
    assert done.stderr.startswith("study: the scripted server cannot use port")
