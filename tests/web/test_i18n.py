"""The pages in every language: which one a visitor reads, and that all of it is in that language."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import get_args

from babel.messages.pofile import read_po
from tools.catalogues import SHARED, SOURCE, texts

from numberduels.analysis import claims, judgement, puzzles
from numberduels.game import board
from numberduels.game.messages import Message
from numberduels.players import LEVELS
from numberduels.web.http import i18n
from numberduels.web.http.i18n import ENGLISH, languages, preferred, translator
from tables import table

from .in_process import FIVE, in_process, unlimited

every_other_language = table("language", [name for name in languages() if name != ENGLISH])


# Whole families of texts, each as large as what it is about


def test_every_value_that_chooses_a_text_has_one() -> None:
    assert set(i18n.LEVELS) == {*LEVELS}
    assert set(i18n.PUZZLE_LEVELS) == {*puzzles.LEVELS}
    assert set(i18n.TILES) == {*board.KINDS}
    assert set(i18n.VERDICTS) == {*judgement.VERDICTS}
    assert set(i18n.CLAIMS) == {*get_args(claims.Verdict)}
    assert set(i18n.VALUES) == {"win", "draw", "loss"}


# Which language


@table(
    "accepted, language",
    [
        ("DE-at", "de"),
        ("en;q=0.5, de;q=0.8", "de"),
        ("en-GB,en;q=0.9,de;q=0.1", "en"),
        ("de, en", "de"),
        ("en, de", "en"),
        ("fr, es;q=0.9", "en"),
        ("", "en"),
        ("de;q=abc", "en"),
        ("en;q=abc, de;q=0.1", "de"),
    ],
)
def test_the_browser_is_heard(accepted: str, language: str) -> None:
    assert preferred(accepted) == language


@table(
    "chosen",
    ["", "xx", "DE", "disguise", "de.mo", "../locale/de", "../../../etc/passwd", "de\0", "d" * 10**6],
)
def test_nobody_can_choose_what_is_no_language(chosen: str) -> None:
    assert preferred("de", chosen) == "de"
    assert preferred("", chosen) == "en"


@table(
    "accepted",
    [
        ";q=1",
        "de;q=nan,en;q=nan,de;q=1,en;q=nan",
        "de;q=inf,en;q=-inf",
        "de;q=" + "9" * 10**6,
        "," * 10**6,
        "\0\ud800\N{ARABIC-INDIC DIGIT ONE}",
    ],
)
def test_whatever_a_browser_sends_some_language_is_spoken(accepted: str) -> None:
    assert preferred(accepted) in languages()


# What is said


def test_values_are_filled_in_as_each_language_writes_them() -> None:
    found = Message("locks {numbers}", numbers=(4, 6, 8))
    say = translator("de").for_game("restricted-removal")
    assert (str(found), say(found)) == ("locks 4, 6 and 8", "sperrt 4, 6 und 8")


@every_other_language
def test_what_nobody_translated_is_said_in_english(language: str) -> None:
    unknown = Message("No catalogue has {count} of these.", count=2)
    assert translator(language)(unknown) == "No catalogue has 2 of these."
    assert translator(language).is_english(unknown) and not translator(ENGLISH).is_english(unknown)


def test_a_message_of_a_game_is_not_taken_from_another_game() -> None:
    found = Message("locks nothing")
    assert translator("de").for_game("range-war")(found) == "locks nothing"


# Whole pages


def english_phrases(game: str) -> set[str]:
    """The longer parts of English messages that German says differently."""
    found = set()
    for home in (SHARED, SOURCE / "games" / game.replace("-", "_")):
        with (home / "locale" / "de.po").open("rb") as file:
            catalogue = read_po(file)
        for each in catalogue:
            if each.id and texts(each)[0] != (each.id if isinstance(each.id, str) else each.id[0]):
                ids = [each.id] if isinstance(each.id, str) else list(each.id)
                found |= {part.strip(" .:;,") for text in ids for part in re.split(r"\{\w+\}", text)}
    return {phrase for phrase in found if " " in phrase and len(phrase) > 7}


@table("game", FIVE)
def test_no_english_message_is_on_a_german_page(game: str, tmp_path: Path) -> None:
    phrases = english_phrases(game)
    assert {"is not a whole number", "Who wins, and why"} <= phrases
    with in_process(unlimited(tmp_path / "duels.sqlite")) as running:
        visitor = running.client
        visitor.headers["accept-language"] = "de"
        place = visitor.post("/new", data={"game": game, "mode": "here"}).url.path
        legal = visitor.get(f"/api/duels/{place.removeprefix('/g/')}").json()["legal"]
        visitor.post(f"{place}/move", data={"move": legal[0]})
        pages = ["/", "/learn", f"/learn/{game}?why=1", f"/learn/{game}?m={legal[0]}", "/puzzles", place]
        pages += [
            f"/puzzles/{game}/2/seed?solution=1",
            f"/learn/{game}?m=999",
            f"{place}?values=1",
            "/nothing",
        ]
        visitor.post(f"{place}/resign")
        for page in [*pages, f"{place}/review"]:
            text = re.sub(r'<(\w+)[^>]*lang="en".*?</\1>', "", visitor.get(page).text, flags=re.S)
            visible = unescape(re.sub("<[^>]*>", " ", text))
            assert not {phrase for phrase in phrases if phrase in visible}, page
