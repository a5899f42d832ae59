"""Where records are kept, and that whatever fails, the old file or the new one is there as a whole."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest

from game_records import record_of
from numberduels.game import files
from numberduels.game.record import BadRecord, Record, read, write
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.summation_duel.rules import SummationDuel
from tables import table


def save(path: str, game: Record, *, force: bool = False) -> None:
    files.write_text(path, write(game), force=force)


def load(path: str) -> Record:
    return read(files.read_text(path))


OLD = record_of(SummationDuel(4, 6), (4,), names=("Alice", "Bob"))
NEW = record_of(SummationDuel(4, 6), (4, 2), names=("Alice", "Bob"))

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="links, devices and modes of POSIX")


# Where


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="a convention of other platforms")
@table("empty", ["", None])
def test_the_data_folder_follows_the_convention(
    empty: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def set_or_not(name: str) -> None:
        monkeypatch.setenv(name, empty) if empty is not None else monkeypatch.delenv(name, raising=False)

    set_or_not("NUMBERDUELS_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert files.data_folder() == str(tmp_path / "numberduels")
    set_or_not("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert files.data_folder() == str(tmp_path / ".local" / "share" / "numberduels")


def test_two_games_at_once_get_two_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBERDUELS_HOME", str(tmp_path / "a" / "b"))
    paths = {files.new_path("range-war") for _ in range(50)}
    assert len(paths) == 50
    for path in paths:
        assert os.path.dirname(path) == str(tmp_path / "a" / "b" / "games")
        assert path.endswith("-range-war.duel") and not os.path.exists(path)
    save(paths.pop(), OLD)


# Saving and loading


def test_a_saved_record_loads(tmp_path: Path) -> None:
    path = tmp_path / "game.duel"
    save(str(path), OLD)
    assert load(str(path)) == OLD
    files.write_text(str(path), write(NEW), replacing=write(OLD))
    assert load(str(path)) == NEW
    assert path.read_bytes() == write(NEW).encode()
    assert os.listdir(tmp_path) == ["game.duel"]


@table("content", [b"Dear diary,\n", b"[game]\n", b"\x00", b"{}", b"[Game"])
def test_a_file_that_is_no_record_is_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    path.write_bytes(content)
    for replacing in (None, NEW):
        with pytest.raises(OSError, match="exists already"):
            files.write_text(str(path), write(OLD), replacing=write(replacing) if replacing else None)
    with pytest.raises(OSError, match="exists already"):
        files.check_writable(str(path))
    assert path.read_bytes() == content and os.listdir(tmp_path) == ["diary.txt"]


def test_another_record_is_left_alone_unless_forced(tmp_path: Path) -> None:
    path = tmp_path / "game.duel"
    save(str(path), OLD)
    for replacing in (None, NEW):
        with pytest.raises(OSError, match="exists already, and --force would replace it"):
            files.write_text(str(path), write(NEW), replacing=write(replacing) if replacing else None)
    assert load(str(path)) == OLD
    save(str(path), NEW, force=True)
    assert load(str(path)) == NEW


def test_a_target_is_checked_without_leaving_a_trace(tmp_path: Path) -> None:
    files.check_writable(str(tmp_path / "game.duel"))
    assert os.listdir(tmp_path) == []
    for bad in ("", str(tmp_path / "no" / "where"), str(tmp_path), "x" * 300, "a\0b"):
        with pytest.raises((OSError, ValueError)):
            files.check_writable(bad, force=True)


@posix_only
@table("device", ["/dev/null", "/dev/zero"])
def test_a_device_is_not_overwritten(device: str) -> None:
    before = os.stat(device)
    with pytest.raises(OSError, match="that is not a file"):
        save(device, OLD)
    assert stat.S_ISCHR(os.stat(device).st_mode) and os.stat(device).st_rdev == before.st_rdev


@posix_only
def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    link, target = tmp_path / "link.duel", tmp_path / "far" / "game.duel"
    link.symlink_to(target)
    for record in (OLD, NEW):  # at first the link leads nowhere yet
        files.write_text(str(link), write(record), replacing=write(OLD))
        assert link.is_symlink() and not target.is_symlink()
        assert load(str(target)) == load(str(link)) == record


@posix_only
def test_the_mode_of_a_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "game.duel"
    save(str(path), OLD)
    path.chmod(0o600)
    save(str(path), NEW, force=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_bytes_that_are_no_text_are_named_by_their_line(tmp_path: Path) -> None:
    path = tmp_path / "game.duel"
    path.write_bytes(b'[Game "range-war"]\n[Player1 "\xff"]\n\n*\n')
    with pytest.raises(BadRecord, match=r"^line 2: this is not UTF-8 text$"):
        load(str(path))


@posix_only
def test_an_endless_file_is_refused() -> None:
    with pytest.raises(BadRecord):
        load("/dev/zero")


# The file of a game in progress


@table("spoilt", ["another game", "a folder", "a file that is gone with its folder"])
def test_a_game_whose_file_is_taken_goes_to_the_data_folder(
    spoilt: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NUMBERDUELS_HOME", str(tmp_path / "home"))
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / "game.duel"
    file = files.GameFile("summation-duel", str(path))
    file.save(write(OLD))
    path.unlink()
    if spoilt == "another game":
        save(str(path), record_of(RangeWar()))
    elif spoilt == "a folder":
        path.mkdir()
    else:
        path.parent.rmdir()
    file.save(write(NEW))
    assert file.fault is not None and os.path.dirname(file.path) == str(tmp_path / "home" / "games")
    assert load(file.path) == NEW
    if spoilt == "another game":
        assert load(str(path)) == record_of(RangeWar())


# Whatever fails


@table(
    "step, fault",
    [("replace", OSError), ("fsync", OSError), ("chmod", OSError), ("fsync", KeyboardInterrupt)],
)
def test_a_failure_or_an_interruption_leaves_the_old_file_and_no_draft(
    step: str, fault: type[BaseException], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: Any, **__: Any) -> NoReturn:
        raise fault(28, "No space left on device")

    path = tmp_path / "game.duel"
    save(str(path), OLD)
    with monkeypatch.context() as patch:
        patch.setattr(os, step, fail)
        with pytest.raises(fault, match="No space left"):
            files.write_text(str(path), write(NEW), replacing=write(OLD))
    assert os.listdir(tmp_path) == ["game.duel"] and load(str(path)) == OLD


SAVES_FOR_EVER = """
import itertools, sys
from numberduels.game import files
from numberduels.games.range_war import spec
from numberduels.game.record import BadRecord, Record, read, write
moves = (6, 4, 9, 5, 7, 3, 8, 2, 10, 1)
for number in itertools.count():
    game = Record(spec, spec.make(), moves[: number % 11], seed="s" * (number % 5000))
    files.write_text(sys.argv[1], write(game), force=True)
    print("saved", flush=True)
"""


@pytest.mark.long
@posix_only
def test_a_process_killed_while_it_saves_leaves_a_whole_record(tmp_path: Path) -> None:
    path = tmp_path / "game.duel"
    for saves in (1, 2, 5, 11, 30):
        with subprocess.Popen(
            [sys.executable, "-c", SAVES_FOR_EVER, str(path)], stdout=subprocess.PIPE, text=True
        ) as child:
            assert child.stdout is not None
            for _ in range(saves):
                assert child.stdout.readline() == "saved\n"
            os.kill(child.pid, signal.SIGKILL)
        record = load(str(path))
        assert isinstance(record.game, RangeWar) and read(write(record)) == record
