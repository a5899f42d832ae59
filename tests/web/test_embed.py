"""Finished games in frames of other sites, and that nothing else may be framed."""

from __future__ import annotations

import re
from html import unescape

from starlette.testclient import TestClient

from tables import table

from .in_process import FIVE, begin


def finished(visitor: TestClient, game: str = "range-war") -> str:
    """The id of a game of one move that was resigned."""
    place = begin(visitor, game, name="Ada", other="Bob")
    state = visitor.get(f"/api/duels/{place.removeprefix('/g/')}").json()
    visitor.post(f"{place}/move", data={"move": state["legal"][0]})
    visitor.post(f"{place}/resign")
    return place.removeprefix("/g/")


def policy(headers: dict[str, str], rule: str) -> str:
    found = re.search(rf"{rule} ([^;]*)", headers["content-security-policy"])
    return found[1] if found else ""


@table("game", FIVE)
def test_a_finished_game_may_be_framed_by_any_site(visitor: TestClient, game: str) -> None:
    answer = visitor.get(f"/embed/{finished(visitor, game)}")
    assert answer.status_code == 200
    assert "x-frame-options" not in answer.headers
    assert policy(dict(answer.headers), "frame-ancestors") == "*"
    assert policy(dict(answer.headers), "form-action") == "'none'"
    assert policy(dict(answer.headers), "default-src") == "'none'"
    assert answer.headers["x-robots-tag"] == "noindex"
    assert "Ada" in answer.text and "Move 1 of 1" in answer.text


def test_an_embedded_game_has_no_forms_no_script_and_nothing_of_the_visitor(visitor: TestClient) -> None:
    match = finished(visitor)
    own = visitor.get(f"/embed/{match}").text
    visitor.cookies.clear()
    assert visitor.get(f"/embed/{match}").text == own
    assert not re.search("<form|<button|<script|<input", own)
    outward = [link for link in re.findall("<a [^>]*>", own) if 'href="?' not in link]
    assert outward and all('target="_blank"' in link and 'rel="noopener"' in link for link in outward)


def test_links_lead_through_the_moves(visitor: TestClient) -> None:
    match = finished(visitor)
    start = visitor.get(f"/embed/{match}?ply=0").text
    assert "Move 0 of 1" in start
    assert "Move 1 of 1" in visitor.get(f"/embed/{match}?ply=99").text
    assert "Move 1 of 1" in visitor.get(f"/embed/{match}?ply=x").text


def test_the_page_of_the_game_has_the_code_that_embeds_it(visitor: TestClient) -> None:
    match = finished(visitor)
    code = re.search(r'value="(&lt;iframe [^"]*)"', visitor.get(f"/g/{match}").text)
    assert code
    source = re.search(r'src="([^"]*)"', unescape(code[1]))
    assert source and visitor.get(source[1]).status_code == 200


def test_an_invitation_that_was_taken_back_cannot_be_embedded(visitor: TestClient) -> None:
    place = begin(visitor, mode="friend")
    visitor.post(f"{place}/cancel")
    assert visitor.get(place.replace("/g/", "/embed/")).status_code == 409


def test_nothing_else_may_be_framed(visitor: TestClient) -> None:
    over = finished(visitor)
    running = begin(visitor).removeprefix("/g/")
    for path in ("/", f"/g/{over}", f"/g/{over}/review", f"/embed/{running}", "/embed/nothing", "/games"):
        answer = visitor.get(path)
        assert answer.headers["x-frame-options"] == "DENY", path
        assert policy(dict(answer.headers), "frame-ancestors") == "'none'", path
    assert visitor.get(f"/embed/{running}").status_code == 409
