"""Preview pictures of links: what they are, who may keep them, what they must not show."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from io import BytesIO
from typing import Any

from PIL import Image
from starlette.testclient import TestClient

from numberduels.analysis.puzzles.selection import daily_level
from numberduels.game.registry import spec
from numberduels.web.http.puzzles import today
from tables import table

from .in_process import FIVE, InProcessServer, begin, invitation_key


def begin_one(visitor: TestClient, **fields: str) -> str:
    """The id of a new game."""
    return begin(visitor, **fields).removeprefix("/g/")


def picture(answer: Any) -> Image.Image:
    assert answer.status_code == 200 and answer.headers["content-type"] == "image/png"
    found = Image.open(BytesIO(answer.content))
    assert found.size == (1200, 630)  # what sites expect
    return found


@table("game", FIVE)
def test_every_game_has_a_picture_of_its_start(visitor: TestClient, game: str) -> None:
    answer = visitor.get(f"/preview/game/{game}.png")
    picture(answer)
    assert answer.headers["cache-control"] == "public, max-age=31536000"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert len(answer.content) < 100_000


def test_the_picture_of_a_game_follows_the_game_until_it_is_over(visitor: TestClient) -> None:
    match = begin_one(visitor, **{"name": "Jörg", "other": "\u4e2d", "options.size": "3"})
    pictures = []
    for move in ("2", "1", "3"):
        answer = visitor.get(f"/preview/g/{match}.png")
        assert answer.headers["cache-control"] == "public, no-cache"
        assert answer.headers["x-robots-tag"] == "noindex"
        pictures.append(picture(answer).tobytes())
        visitor.post(f"/g/{match}/move", data={"move": move})
    answer = visitor.get(f"/preview/g/{match}.png")
    pictures.append(picture(answer).tobytes())
    assert len(set(pictures)) == 4
    assert answer.headers["cache-control"] == "public, max-age=3600"


def test_a_puzzle_has_a_picture_but_not_the_puzzle_of_a_day_to_come(visitor: TestClient) -> None:
    picture(visitor.get("/preview/puzzle/restricted-removal/1/any.png"))
    for day, status in ((today(), 200), (today() + timedelta(2), 404)):
        level = daily_level(spec("restricted-removal"), day)
        path = f"/preview/puzzle/restricted-removal/{level}/{day.isoformat()}.png"
        assert visitor.get(path).status_code == status


def shared(page: str) -> dict[str, str]:
    """What a page tells programs that show links to it."""
    return {
        name: unescape(text)
        for name, text in re.findall(r'<meta property="og:(\w+)" content="([^"]*)"', page)
    }


def test_every_link_has_a_title_and_a_picture_of_its_own(server: InProcessServer) -> None:
    visitor, other = server.visitor(base_url="http://duels.example"), server.visitor()
    match = begin_one(visitor, mode="friend", name="Ada")
    game = visitor.get(f"/g/{match}").text
    key = invitation_key(visitor, f"/g/{match}")
    invited = other.get(f"/g/{match}/join?key={key}").text
    other.post(f"/g/{match}/join", data={"invitation": key})
    other.post(f"/g/{match}/resign")
    pages = {
        "Number Duels": visitor.get("/").text,
        "Range War · Number Duels": game,
        "You are invited to a game of Range War": invited,
        "Review: Range War": visitor.get(f"/g/{match}/review").text,
        "Restricted Removal: a puzzle of level 1": visitor.get("/puzzles/restricted-removal/1/any").text,
    }
    pictures = set()
    for title, page in pages.items():
        found = shared(page)
        assert found["title"] == title and found["description"]
        assert key not in "".join(found.values())  # a preview must not contain the secret of the link
        assert found["image"].startswith(("http://duels.example/", "http://testserver/"))
        pictures.add(found["image"].removeprefix("http://duels.example").removeprefix("http://testserver"))
    assert len(pictures) == 4  # the game and its invitation have the same
    for path in pictures:
        picture(visitor.get(path))
