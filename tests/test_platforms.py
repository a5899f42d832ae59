"""Folders, file names and consoles of other platforms; hosted CI runs the tests on Windows itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from numberduels.game import files
from tables import table


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with a space and an umlaut."""
    path = tmp_path / "Spiele für zwei"
    monkeypatch.setenv("NUMBERDUELS_HOME", str(path))
    return path


@table(
    "platform, variables, data, config",
    [
        ("linux", {}, "~/.local/share", "~/.config"),
        ("linux", {"XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"}, "/d", "/c"),
        ("darwin", {"XDG_DATA_HOME": "/d"}, "~/Library/Application Support", "~/Library/Application Support"),
        ("win32", {"LOCALAPPDATA": "/l", "APPDATA": "/r"}, "/l", "/r"),
        ("win32", {}, "~/AppData/Local", "~/AppData/Roaming"),
    ],
)
def test_the_folders_of_the_user_follow_the_platform(
    platform: str, variables: dict[str, str], data: str, config: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NUMBERDUELS_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert files.data_folder() == os.path.join(os.path.expanduser(data), "numberduels")
    assert files.config_folder() == os.path.join(os.path.expanduser(config), "numberduels")


@table("name", ["openspiel:mnk(m=3,n=3,k=3)", r"python:C:\games\my env.py:Env", "a" * 300, "ä?*<>|"])
def test_a_kept_game_has_a_file_name_that_every_platform_allows(name: str, home: Path) -> None:
    path = Path(files.new_path(name))
    assert path.parent == home / "games"
    assert not set(path.name) & set('<>:"/\\|?*') and path.name.isascii() and len(path.name) < 140
    path.write_bytes(b"")


@pytest.mark.long
@table(
    "encoding, command",
    [("cp1252", "rules number-collision"), ("ascii", "solve number-collision"), ("cp437", "--help")],
)
def test_a_console_that_lacks_characters_shows_others_instead(encoding: str, command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "numberduels", *command.split()],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert (done.stderr, done.returncode) == (b"", 0)
    assert done.stdout.decode(encoding)


@pytest.mark.long
@pytest.mark.usefixtures("home")
def test_a_game_is_played_on_a_console_that_lacks_characters() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "numberduels", "play", "range-war", "--names", "Zoë,Bob"],
        input=b"1\n",
        env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert (done.stderr, done.returncode) == (b"", 0)
    assert b"Player 1 (Zo?)" in done.stdout
