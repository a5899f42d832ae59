"""Settings: what the player prefers, in one JSON file in the folder of the settings.

>>> Settings().with_value("name", "Ada").name
'Ada'
>>> Settings().with_value("first", "3")
Traceback (most recent call last):
ValueError: first is 1, 2 or random, not '3'
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from numberduels.game import files
from numberduels.game.formatting import nearest, short, showable
from numberduels.play.storage import first_failure_note, locked, parse_json, read_bytes
from numberduels.players import KINDS, allowed_in_files

FILE = "settings.json"
DAMAGED = "settings.damaged.json"
"""Where a settings file that cannot be read is moved before a new one is written."""

LONGEST = 100_000
"""The most bytes of a settings file."""

MOST_BRACKETS = 500
"""The most brackets in it, so that nothing is nested too deeply to be written again."""

FIRST = ("1", "2", "random")
THEMES = ("auto", "dark", "light")
LONGEST_NAME = 40
LONGEST_TEXT = 200


@dataclass(frozen=True, slots=True)
class Settings:
    """What the player prefers. A key that is not in the file has its default."""

    name: str = ""
    """What the player is called."""
    opponent: str = "casual"
    """Who plays against the player: human or a built-in player."""
    rule_set: str = "balanced"
    """The key of the preferred rule set of every game that has it."""
    first: str = "random"
    """Who begins: 1 for the player, 2 for the opponent, or random."""
    game: str = ""
    """The name of the game that was played last."""
    theme: str = "auto"
    """The colours of the full-screen table: auto, dark or light."""
    sizes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By game, its options as text."""
    other: Mapping[str, Any] = field(default_factory=dict)
    """Unknown keys of the file. They are kept."""

    def with_value(self, key: str, text: str) -> Settings:
        """The settings with another value; an empty text is the default. ValueError says what is wrong.

        The size of a game is set by a key such as `sizes.range-war.size`.
        """
        if key.startswith("sizes."):
            return self._with_size(key, text)
        if key not in KEYS:
            meant = nearest(key, KEYS)
            question = f"; did you mean {meant}? The" if meant else "; the"
            names = f"{', '.join(KEYS)} and sizes.GAME.OPTION"
            raise ValueError(f"there is no setting {short(key)}{question} settings are {names}")
        if text:
            _check(key, text)
        changes: dict[str, Any] = {key: text or getattr(Settings(), key)}
        return replace(self, **changes)

    def _with_size(self, key: str, text: str) -> Settings:
        game, _, option = key.removeprefix("sizes.").rpartition(".")
        if not (game and option and showable(game) and len(key) <= LONGEST_TEXT):
            raise ValueError(f"a size is called sizes.GAME.OPTION, not {short(key)}")
        _check(key, text)
        sizes = {name: dict(texts) for name, texts in self.sizes.items()}
        if text:
            sizes.setdefault(game, {})[option] = text
        elif game in sizes:
            sizes[game].pop(option, None)
        return self.with_sizes(sizes)

    def with_sizes(self, sizes: Mapping[str, Mapping[str, str]]) -> Settings:
        """The settings with other sizes of some games; those of other games stay."""
        return replace(self, sizes={name: texts for name, texts in {**self.sizes, **sizes}.items() if texts})

    def values(self) -> dict[str, str]:
        """Every setting as text, in order; sizes by their keys."""
        plain = {key: getattr(self, key) for key in KEYS}
        sizes = {
            f"sizes.{game}.{option}": text
            for game, texts in self.sizes.items()
            for option, text in texts.items()
        }
        return plain | sizes


KEYS = ("name", "opponent", "rule_set", "first", "game", "theme")
"""The settings that are one text each."""


def _check(key: str, text: str) -> None:
    """ValueError if this text cannot be the value of a setting."""
    most = LONGEST_NAME if key == "name" else LONGEST_TEXT
    if not showable(text) or len(text) > most or (key == "name" and "," in text):
        without = " without a comma" if key == "name" else ""
        raise ValueError(f"{key} takes up to {most} printable characters{without}, not {short(text)}")
    if key == "first" and text not in FIRST:
        raise ValueError(f"first is 1, 2 or random, not {short(text)}")
    if key == "theme" and text not in THEMES:
        raise ValueError(f"theme is auto, dark or light, not {short(text)}")
    # A settings file may come from anybody: it must not start a program or call a model.
    if key == "opponent" and not allowed_in_files(text):
        raise ValueError(f"opponent is human, {', '.join(KINDS)} or mcts:N, not {short(text)}")


def settings_path() -> str:
    """Where the settings are."""
    return os.path.join(files.config_folder(), FILE)


def load_settings(notes: list[str] | None = None) -> Settings:
    """The settings of this user; what is wrong in the file has its default, and a note says so."""
    return _load(notes)[0]


def _load(notes: list[str] | None) -> tuple[Settings, str | None]:
    """The settings, and the text of the file; None if it is damaged, empty if there is none."""

    def note(text: str) -> None:
        if notes is not None:
            notes.append(f"Note: {settings_path()}: {text}")

    try:
        data = read_bytes(settings_path(), LONGEST + 1)
    except FileNotFoundError:
        return Settings(), ""
    except OSError as fault:
        note(f"{fault.strerror or fault}; your settings are not used.")
        return Settings(), ""
    too_large = len(data) > LONGEST or data.count(b"{") + data.count(b"[") > MOST_BRACKETS
    value = None if too_large else parse_json(data)
    if not isinstance(value, dict):
        if data.strip():
            note("this is not a settings file; your settings are not used.")
        return Settings(), None if data.strip() else data.decode()
    settings = Settings(other={key: each for key, each in value.items() if key not in (*KEYS, "sizes")})
    for key in KEYS:
        try:
            if key in value:
                settings = settings.with_value(key, _text(key, value[key]))
        except ValueError as fault:
            note(f"{fault}.")
    sizes = value.get("sizes", {})
    for game, texts in sizes.items() if isinstance(sizes, dict) else ():
        for option, text in texts.items() if isinstance(texts, dict) else ():
            try:
                settings = settings.with_value(f"sizes.{game}.{option}", _text(option, text))
            except ValueError as fault:
                note(f"{fault}.")
    return settings, data.decode()


def _text(key: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise ValueError(f"{key} must be a text")


def update_settings(
    notes: list[str] | None = None, change: Callable[[Settings], Settings] | None = None, **changes: Any
) -> Settings:
    """Change some settings and keep all others as they are in the file; returns the new ones.

    A new value that depends on the old one, such as one size among all sizes, needs `change`: it gets the
    settings in the file while no other process can change them.
    """

    def change_all(settings: Settings) -> Settings:
        return replace(change(settings) if change else settings, **changes)

    try:
        with _lock():
            settings, text = _load(None)
            changed = change_all(settings)
            if changed != settings or not text:
                _write(changed, text)
    except OSError as fault:
        note = first_failure_note("your settings", fault)
        if note and notes is not None:
            notes.append(note)
        return change_all(load_settings())
    return changed


def _lock() -> Any:
    return locked(os.path.join(files.config_folder(), ".settings.lock"))


def _write(settings: Settings, replacing: str | None) -> None:
    """Write the file; only what differs from the defaults, and unknown keys."""
    default = Settings()
    value = {key: getattr(settings, key) for key in KEYS if getattr(settings, key) != getattr(default, key)}
    if settings.sizes:
        value["sizes"] = {game: dict(texts) for game, texts in settings.sizes.items()}
    path = settings_path()
    if replacing is None:
        os.replace(path, os.path.join(files.config_folder(), DAMAGED))
    whole = value | dict(settings.other)
    text = json.dumps(whole, indent=2, ensure_ascii=False)
    if any("\ud800" <= char <= "\udfff" for char in text):  # half a character, which no file can hold
        text = json.dumps(whole, indent=2)
    files.write_text(path, f"{text}\n", replacing=replacing or None)
