"""The games of one browser: whose turn it is, who waits, what has ended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from numberduels.web.http import my_games
from numberduels.web.http.my_games import MyGames

from .in_process import InProcessServer, in_process, unlimited


@pytest.fixture
def server(tmp_path: Path) -> Iterator[InProcessServer]:
    with in_process(unlimited(tmp_path / "duels.sqlite")) as running:
        yield running


def listed(server: InProcessServer, visitor: TestClient, before: str = "") -> MyGames:
    cookie = "; ".join(f"{each.name}={each.value}" for each in visitor.cookies.jar if each.path == "/")
    app: Any = server.app.app.app  # inside the middleware
    request = Request(
        {"type": "http", "method": "GET", "headers": [(b"cookie", cookie.encode())], "app": app, "path": "/"}
    )
    assert server.client.portal
    return server.client.portal.call(my_games.my_games, request, before)


def begin(visitor: TestClient, **fields: str) -> str:
    return str(visitor.post("/new", data={"game": "range-war", "mode": "here"} | fields).headers["location"])


def with_friend(ann: TestClient, bob: TestClient, **fields: str) -> str:
    place = begin(ann, mode="friend", seat="1", name="Ann", **fields)
    link = ann.cookies.get(f"invitation_{place.removeprefix('/g/')}", path=place)
    bob.post(f"{place}/join", data={"invitation": link, "name": "Bob"})
    return place


def places(games: list[Any]) -> list[str]:
    return [f"/g/{game.match.id}" for game in games]


def test_games_are_sorted_by_whose_turn_it_is(server: InProcessServer) -> None:
    ann, bob = server.visitor(), server.visitor()
    mine, theirs = with_friend(ann, bob), with_friend(ann, bob)
    ann.post(f"{theirs}/move", data={"move": "6"})
    waiting = begin(ann, mode="friend")
    lost = with_friend(ann, bob)
    ann.post(f"{lost}/resign")
    cancelled = begin(ann, mode="friend")
    ann.post(f"{cancelled}/cancel")
    games = listed(server, ann)
    assert [places(group) for group in games[:4]] == [[mine], [theirs], [waiting], [cancelled, lost]]
    assert [game.result for game in games.over] == ["cancelled", "lost"] and games.next == ""
    assert (games.my_turn[0].opponent.name, games.my_turn[0].opponent_online) == ("Bob", False)
    assert [game.result for game in listed(server, bob).over] == ["won"]
    assert places(listed(server, bob).my_turn) == [theirs]


def test_a_question_or_a_claim_is_a_turn(server: InProcessServer) -> None:
    ann, bob = server.visitor(), server.visitor()
    timed, asked = with_friend(ann, bob, clock="minute"), with_friend(ann, bob)
    ann.post(f"{asked}/move", data={"move": "6"})
    bob.post(f"{asked}/move", data={"move": "4"})
    assert (places(listed(server, ann).my_turn), places(listed(server, bob).my_turn)) == ([asked, timed], [])
    bob.post(f"{asked}/takeback")
    ann.post(f"{asked}/move", data={"move": "9"})
    ann.post(f"{asked}/takeback")
    assert places(listed(server, bob).my_turn) == [asked]
    server.wall_clock.advance = 60.0
    games = listed(server, bob)
    assert places(games.my_turn) == [asked, timed]
    assert [game.can_claim for game in games.my_turn] == [False, True]
    assert not listed(server, ann).my_turn[0].can_claim


def test_a_browser_without_a_secret_has_no_games(server: InProcessServer) -> None:
    begin(server.visitor())
    assert listed(server, server.visitor()) == MyGames([], [], [], [], "")


def test_games_come_page_by_page(server: InProcessServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(my_games, "PAGE", 2)
    ann = server.visitor()
    made = [begin(ann) for _ in range(5)]
    seen: list[str] = []
    before = ""
    for _ in range(3):
        games = listed(server, ann, before)
        seen += places(games.my_turn)
        before = games.next
    assert seen == made[::-1] and before == ""
    assert places(listed(server, ann, "nonsense").my_turn) == made[:2:-1], "the first page"
