"""Settings: kept between two runs, never lost by two processes, and never the reason for a crash."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from numberduels.cli import config
from numberduels.cli.commands import CliError
from numberduels.game import files
from numberduels.play import settings as settings_file
from numberduels.play.settings import (
    DAMAGED,
    KEYS,
    Settings,
    load_settings,
    settings_path,
    update_settings,
)
from tables import table


def written(home: Path, content: bytes) -> Settings:
    """The settings that a file with this content gives."""
    home.mkdir(exist_ok=True)
    Path(settings_path()).write_bytes(content)
    return load_settings()


def test_without_a_file_everything_has_its_default() -> None:
    assert load_settings() == Settings()
    assert Settings().values() == {
        "name": "",
        "opponent": "casual",
        "rule_set": "balanced",
        "first": "random",
        "game": "",
        "theme": "auto",
    }


def test_what_was_saved_is_loaded() -> None:
    settings = Settings("Zoë", "expert", "book", "1", "range-war", "dark", {"range-war": {"size": "12"}})
    changes = {each.name: getattr(settings, each.name) for each in fields(Settings)}
    assert update_settings(None, **changes) == load_settings() == settings


def test_unknown_keys_are_kept(own_home: Path) -> None:
    assert written(own_home, b'{"name": "Ada", "sound": [1, {"loud": true}]}').name == "Ada"
    update_settings(opponent="perfect")
    value = json.loads(Path(settings_path()).read_text(encoding="utf-8"))
    assert value == {"name": "Ada", "opponent": "perfect", "sound": [1, {"loud": True}]}


def test_a_size_is_set_and_unset_by_its_key() -> None:
    settings = Settings().with_value("sizes.range-war.size", "12")
    assert settings.sizes == {"range-war": {"size": "12"}}
    assert settings.values()["sizes.range-war.size"] == "12"
    assert settings.with_value("sizes.range-war.size", "") == Settings()


@table(
    "key, text, phrase",
    [
        ("nmae", "Ada", "did you mean name?"),
        ("name", "a" * 41, "up to 40"),
        ("name", "a\x1b[2J", "printable"),
        ("name", "Ada,Max", "without a comma"),
        ("first", "me", "1, 2 or random"),
        ("theme", "pink", "auto, dark or light"),
        ("opponent", "process:rm -rf", "opponent is human"),
        ("opponent", "os:system", "opponent is human"),
        ("opponent", "chat:gpt", "opponent is human"),
        ("sizes.x", "1", "sizes.GAME.OPTION"),
    ],
)
def test_a_value_that_cannot_be_is_refused_in_one_line(key: str, text: str, phrase: str) -> None:
    with pytest.raises(ValueError, match=phrase.replace("?", r"\?")) as fault:
        Settings().with_value(key, text)
    assert "\n" not in str(fault.value)


@table(
    "content",
    [
        b"",
        b"\n",
        b"not json",
        b"\xff\xfe",
        b"[]",
        b"null",
        b'"name"',
        b"{" * 400 + b"}" * 400,
        b'{"name": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        b'{"name": "' + b"a" * 200_000 + b'"}',
        b'{"name": 5, "opponent": null, "first": [], "sizes": 3}',
        b'{"sizes": {"range-war": 7, "x": {"size": 4}}}',
        b'{"opponent": "process:touch hacked", "theme": "\\u001b[2J"}',
    ],
)
def test_a_damaged_or_hostile_file_gives_the_defaults(content: bytes, own_home: Path) -> None:
    assert written(own_home, content) == Settings()
    assert update_settings(name="Ada").name == "Ada"
    assert load_settings().name == "Ada"


def test_a_damaged_file_is_noted_and_moved_aside(own_home: Path) -> None:
    written(own_home, b"my precious notes")
    notes: list[str] = []
    load_settings(notes)
    assert len(notes) == 1 and "not a settings file" in notes[0]
    update_settings(name="Ada")
    assert (own_home / DAMAGED).read_bytes() == b"my precious notes"


def test_one_wrong_value_does_not_spoil_the_others(own_home: Path) -> None:
    notes: list[str] = []
    written(own_home, b'{"name": "Ada", "first": "me"}')
    assert load_settings(notes) == Settings(name="Ada")
    assert "first is 1, 2 or random" in notes[0]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda each: st.lists(each, max_size=3) | st.dictionaries(st.text(), each, max_size=3),
    max_leaves=8,
)


@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.dictionaries(st.sampled_from([*KEYS, "sizes", "more"]), JSON, max_size=4))
def test_any_json_object_is_loaded_and_can_be_changed(value: dict[str, Any]) -> None:
    path = Path(settings_path())
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    load_settings()
    assert update_settings(name="Ada").name == "Ada"
    assert load_settings().name == "Ada"


def test_a_folder_that_cannot_be_written_is_reported_once(own_home: Path) -> None:
    own_home.write_text("a file where the folder should be")
    notes: list[str] = []
    assert update_settings(notes, name="Ada").name == "Ada"
    assert len(notes) == 1 and "your settings cannot be saved" in notes[0]
    update_settings(notes, name="Bob")
    assert len(notes) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_a_read_only_file_is_not_replaced(own_home: Path) -> None:
    written(own_home, b'{"name": "Ada"}')
    os.chmod(settings_path(), 0o444)
    notes: list[str] = []
    update_settings(notes, name="Bob")
    assert load_settings().name == "Ada"
    assert "read-only" in notes[0]


def test_a_change_is_made_to_what_another_process_has_just_written(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other process writes at the latest moment: when this one is about to take the lock."""
    lock, others = settings_file._lock, [("sizes.number-snatch.size", "9"), ("theme", "dark")]

    def late_lock() -> Any:
        if others:
            assert config.set_value(*others.pop()) == 0
        return lock()

    monkeypatch.setattr(settings_file, "_lock", late_lock)
    assert config.set_value("sizes.range-war.size", "12") == 0
    assert load_settings().sizes == {"range-war": {"size": "12"}, "number-snatch": {"size": "9"}}
    assert load_settings().theme == "dark"
    others.append(("sizes.range-war.opening", "free"))
    update_settings(None, lambda found: found.with_sizes({"number-snatch": {}}))
    assert load_settings().sizes == {"range-war": {"size": "12", "opening": "free"}}
    others.append(("sizes.number-snatch.top", "10"))
    with pytest.raises(CliError, match="top"):  # 15 is possible only with a larger top
        config.set_value("sizes.number-snatch.size", "15")
    assert sorted(os.listdir(own_home)) == [".settings.lock", "settings.json"]


PROGRAM = """
import sys
from numberduels.cli.config import set_value
from numberduels.play.settings import load_settings
for size in range(10, 30):
    set_value(sys.argv[1], str(size))
    assert load_settings().values()[sys.argv[1]] == str(size), "lost"
"""


@pytest.mark.long
def test_processes_that_change_different_settings_lose_none() -> None:
    keys = ("sizes.range-war.size", "sizes.restricted-removal.size", "name")
    running = [subprocess.Popen([sys.executable, "-c", PROGRAM, key]) for key in keys]
    assert [each.wait() for each in running] == [0, 0, 0]
    assert load_settings().values() | dict.fromkeys(keys, "29") == load_settings().values()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="a convention of other platforms")
def test_the_folder_of_the_settings_follows_the_convention(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert files.config_folder() == os.environ["NUMBERDUELS_HOME"]
    monkeypatch.delenv("NUMBERDUELS_HOME")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert files.config_folder() == str(tmp_path / "numberduels")
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert files.config_folder() == str(tmp_path / ".config" / "numberduels")
