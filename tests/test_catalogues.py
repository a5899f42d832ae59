"""The message catalogues hold every message of the source and nothing else, and are compiled."""

from __future__ import annotations

from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Message
from tools.catalogues import CODES, GAMES, SHARED, is_translated, main, messages, texts, updated

from tables import table

HOMES = [(home, code) for home in (SHARED, *GAMES) for code in CODES]
every_catalogue = table("home, code", HOMES)


def test_every_catalogue_is_complete_and_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(check=True) == 0, capsys.readouterr().out


@every_catalogue
def test_a_translation_has_the_values_of_its_message(home: Path, code: str) -> None:
    for message in updated(home, code):
        if message.id:
            ids = list(message.id) if message.pluralizable else [str(message.id)]
            known = {name for text in ids for _, name, _, _ in Formatter().parse(text) if name}
            for text in texts(message):
                assert {name for _, name, _, _ in Formatter().parse(text) if name} <= known, text


def test_messages_are_found_in_calls_of_all_kinds(tmp_path: Path) -> None:
    path = tmp_path / "text.py"
    path.write_text(
        'raise IllegalMove("No {number}.", number=3)\n'
        "x = f\"{self.say('Numbers: {n}', n=1)}\"\n"
        'Message("one", "{count} many", count=2)\n'
        'other("not this")\n'
    )
    assert set(messages(path)) == {"No {number}.", "Numbers: {n}"}
    assert set(messages(path, "de")) == {"No {number}.", ("one", "{count} many")}
    assert not is_translated(Message("a", "")) and is_translated(Message("a", "b"))
