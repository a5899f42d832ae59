"""The main screens look as the pictures in the documents show them."""

from __future__ import annotations

import pytest
from tools import table_pictures

from .driving import (
    in_app,
)


@pytest.mark.parametrize("name", table_pictures.SCENES)
@in_app
async def test_the_screen_is_as_the_picture_shows_it(name: str) -> None:
    async with table_pictures.scene(name) as pilot:
        shown = table_pictures.screen_text(pilot.app)
    text = (table_pictures.FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert shown == text.removesuffix("\n"), "if this is meant: make pictures"


def test_the_pictures_load_nothing_from_other_servers() -> None:
    pictures = sorted(table_pictures.FOLDER.glob("*.svg"))
    assert {path.stem for path in pictures} == set(table_pictures.SCENES)
    for path in pictures:
        text = path.read_text(encoding="utf-8")
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
