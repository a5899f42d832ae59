"""Kept games: newest first, unreadable files left out, and nothing deleted outside the data folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from game_records import record_of
from numberduels.game import files, registry
from numberduels.game.record import Record, write
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.play import series
from numberduels.play.saved_games import (
    delete_game,
    full_id,
    is_kept,
    kept_paths,
    matching_paths,
    newest_unfinished,
    saved_games,
    saved_matches,
    short_id,
    unfinished,
)
from tables import table

OPEN = record_of(RangeWar(), (6, 4))
OVER = record_of(SummationDuel(4, 6), (4, 2))


def keep(game: Record, age: int) -> str:
    """Save a game in the data folder, as if this many seconds ago."""
    path = files.new_path(game.spec.name)
    files.write_text(path, write(game))
    os.utime(path, (1_000_000 - age, 1_000_000 - age))
    return path


def keep_match(played: tuple[Record, ...], age: int) -> str:
    spec = registry.spec("range-war")
    path = files.new_path("range-war", "matches")
    files.write_text(
        path, series.write(series.Series(spec, spec.make(), ("A", "B"), rounds=1, played=played))
    )
    os.utime(path, (1_000_000 - age, 1_000_000 - age))
    return path


def test_games_come_newest_first() -> None:
    old, new, middle = keep(OPEN, 30), keep(OVER, 10), keep(OPEN, 20)
    assert [each.path for each in saved_games()] == [new, middle, old]
    assert [each.path for each in saved_games(limit=2)] == [new, middle]
    assert [each.finished for each in saved_games()] == [True, False, False]
    assert [each.path for each in unfinished()] == [middle, old]


def test_a_resigned_game_is_finished() -> None:
    keep(record_of(RangeWar(), (6, 4), resigned=0), 0)
    assert saved_games()[0].finished


def test_without_a_folder_there_are_no_games() -> None:
    assert (saved_games(), unfinished(), saved_matches()) == ([], [], [])
    assert newest_unfinished() is None


def test_the_newest_unfinished_game_may_be_a_match() -> None:
    keep(OVER, 0)
    game = keep(OPEN, 20)
    found = newest_unfinished()
    assert found and found.path == game
    assert [each.path for each in unfinished()] == [game]  # not the one that is over
    match = keep_match((), 10)
    found = newest_unfinished()
    assert found and found.path == match
    keep_match((), 30)
    os.unlink(match)
    found = newest_unfinished()
    assert found and found.path == game


@table("content", [b"", b"\xff", b"Dear diary", b'[Game "chess"]\n\n*', b"[Game" * 900_000])
def test_a_file_that_is_no_record_is_left_out_and_noted(content: bytes) -> None:
    good = keep(OPEN, 10)
    Path(files.new_path("range-war")).write_bytes(content)
    notes: list[str] = []
    assert [each.path for each in saved_games(notes=notes)] == [good]
    assert len(notes) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and links of POSIX")
def test_pipes_folders_and_dangling_links_are_left_out() -> None:
    good = keep(OPEN, 10)
    os.mkfifo(files.new_path("range-war"))
    os.mkdir(files.new_path("range-war"))
    os.symlink("nowhere", files.new_path("range-war"))
    assert [each.path for each in saved_games()] == [good]


def test_kept_files_are_listed_newest_first_without_being_read(own_home: Path) -> None:
    old, match, new = keep(OPEN, 20), keep_match((), 10), keep(OVER, 0)
    (own_home / "games" / "notes.txt").write_text("no game")
    assert kept_paths() == [new, match, old]


def test_a_file_is_found_by_its_short_id_a_longer_one_or_its_name(own_home: Path) -> None:
    path = keep(OPEN, 0)
    named = own_home / "games" / "mine.duel"
    named.write_text(write(OPEN))
    for text in (short_id(path), full_id(path), full_id(path)[:8], os.path.basename(path)):
        assert matching_paths(text) == [path]
    assert matching_paths("mine") == [str(named)]
    for text in ("", short_id(path)[:4], "min", "../games/mine", "*"):
        assert matching_paths(text) == []


def test_only_games_and_matches_in_the_data_folder_are_kept(own_home: Path, tmp_path: Path) -> None:
    assert is_kept(keep(OPEN, 0)) and is_kept(keep_match((), 0))
    outside = tmp_path / "x.duel"
    for path in (str(outside), str(own_home / "games" / "x.match"), str(own_home / "x.duel"), ""):
        assert not is_kept(path)


def test_a_kept_game_can_be_deleted() -> None:
    path, match = keep(OPEN, 10), keep_match((), 0)
    delete_game(path)
    delete_game(match)
    assert (saved_games(), saved_matches()) == ([], [])
    with pytest.raises(OSError, match=r".+"):
        delete_game(path)


@table("name", ["../outside.duel", "../settings.json", "games/../../x.duel", "diary.txt", ""])
def test_nothing_outside_the_data_folder_is_deleted(name: str, own_home: Path, tmp_path: Path) -> None:
    keep(OPEN, 0)
    victim = own_home / "games" / name if name else tmp_path / "x.duel"
    (own_home / "games" / "games").mkdir()
    victim.write_text("precious")
    with pytest.raises(ValueError, match="only games and matches in the data folder"):
        delete_game(str(victim))
    assert victim.read_text() == "precious"


@pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX")
def test_deleting_a_link_leaves_what_it_leads_to(tmp_path: Path) -> None:
    target = tmp_path / "target.duel"
    target.write_text(write(OPEN), encoding="utf-8")
    link = files.new_path("range-war")
    os.symlink(target, link)
    assert len(saved_games()) == 1
    delete_game(link)
    assert target.exists() and not os.path.lexists(link)


def test_short_ids_are_the_random_part_of_the_name() -> None:
    path = keep(OPEN, 0)
    assert short_id(path) in os.path.basename(path) and len(short_id(path)) == 6
