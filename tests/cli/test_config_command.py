"""`duel config`: list, show, set and reset settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from numberduels.play.settings import KEYS, load_settings
from tables import table

from .running import Ran, duel, refused


def test_config_lists_every_setting() -> None:
    ran = duel("config")
    assert ran.status == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == list(KEYS)
    assert "opponent  casual\n" in ran.out


@table(
    "key, typed, kept",
    [
        ("name", "Ada Lovelace", "Ada Lovelace"),
        ("opponent", "Perfect", "perfect"),
        ("opponent", "mcts:400", "mcts:400"),
        ("rule_set", "book", "book"),
        ("rule-set", "book", "book"),
        ("first", "2", "2"),
        ("game", "range", "range-war"),
        ("theme", "dark", "dark"),
        ("sizes.range.size", "12", "12"),
    ],
)
def test_a_setting_is_set_shown_and_reset(key: str, typed: str, kept: str) -> None:
    before = duel("config", key)
    assert duel("config", key, typed) == Ran("", "", 0)
    assert duel("config", key) == Ran(f"{kept}\n", "", 0)
    assert duel("config", key, "--reset") == Ran("", "", 0)
    assert duel("config", key) == before


@table(
    "arguments, phrase",
    [
        (("nmae", "x"), "did you mean name?"),
        (("nmae",), "did you mean name?"),
        (("foo",), "theme and sizes.GAME.OPTION"),
        (("name", "a,b"), "without a comma"),
        (("name", "\x1b[2J"), "printable"),
        (("opponent", "process:rm"), "opponent is human, "),
        (("opponent", "nobody"), "opponent is human, "),
        (("rule_set", "fair"), "rule_set is book, balanced or sizes, not 'fair'"),
        (("first", "3"), "first is 1, 2 or random"),
        (("game", "chess"), "no game called 'chess'"),
        (("theme", "pink"), "auto, dark or light"),
        (("sizes.range-war.size", "0"), "from 1 to 10000"),
        (("sizes.range-war.colour", "3"), "has no option 'colour'; there are size, opening"),
        (("sizes.size", "3"), "a size is called sizes.GAME.OPTION, not 'sizes.size'"),
        (("sizes.", "3"), "sizes.GAME.OPTION"),
        (("name", "x", "--reset"), "--reset takes a KEY and no VALUE"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(arguments: tuple[str, ...], phrase: str) -> None:
    refused(duel("config", *arguments), phrase)
    assert load_settings().values() == {key: load_settings().values()[key] for key in KEYS}


def test_reset_alone_resets_everything_and_keeps_unknown_keys(own_home: Path) -> None:
    duel("config", "name", "Ada")
    path = own_home / "settings.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"later": 1}))
    assert duel("config", "--reset").status == 0
    assert json.loads(path.read_text()) == {"later": 1}


def test_a_damaged_file_is_noted_and_moved_aside(own_home: Path) -> None:
    own_home.mkdir(parents=True)
    (own_home / "settings.json").write_bytes(b"\xff{")
    ran = duel("config")
    assert ran.status == 0 and "this is not a settings file" in ran.out
    assert duel("config", "name", "Ada").status == 0
    assert (own_home / "settings.damaged.json").read_bytes() == b"\xff{"
    assert duel("config", "name").out == "Ada\n"


def test_settings_that_cannot_be_written_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBERDUELS_HOME", "/proc/nowhere")
    monkeypatch.setattr("numberduels.play.storage._reported", set())
    ran = duel("config", "name", "Ada")
    assert ran.status == 1 and "your settings cannot be saved" in ran.out
