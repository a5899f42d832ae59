"""The home page: the form for a new game, what it remembers, and the games in progress."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from starlette.testclient import TestClient

from numberduels.game import registry
from numberduels.web.http.forms import CHOICES_COOKIE as LAST

from .in_process import FIVE


def send(visitor: TestClient, **fields: str) -> Any:
    """Send the form as a browser does: with the fields of every game."""
    others = {f"{game}.rules": "book" for game in FIVE}
    return visitor.post("/new", data=others | {"game": "range-war", "mode": "here"} | fields)


def state(visitor: TestClient, answer: Any) -> Any:
    assert answer.status_code == 303, answer.text
    return visitor.get(f"/api/duels/{answer.headers['location'].removeprefix('/g/')}").json()


def chosen(page: str) -> dict[str, str]:
    """What is chosen or filled in on the home page."""
    radios = re.findall(r'<input type="radio" name="([\w.-]+)" value="([\w-]+)" checked>', page)
    texts = re.findall(r'<input name="(name|other)"[^>]* value="([^"]*)"', page)
    return dict(radios) | dict(texts)


def test_only_the_fields_of_the_chosen_game_count(visitor: TestClient) -> None:
    answer = send(visitor, **{"range-war.options.size": "7", "summation-duel.options.size": "5"})
    assert state(visitor, answer)["options"] == {"size": 7, "opening": "lower", "ending": "normal"}
    answer = send(visitor, **{"range-war.rules": "balanced", "summation-duel.rules": "nonsense"})
    assert state(visitor, answer)["options"] == {"size": 15, "opening": "free", "ending": "normal"}


def test_the_last_choice_and_the_name_are_remembered(visitor: TestClient) -> None:
    fields = {"game": "number-snatch", "mode": "friend", "name": 'Jörg & "Co"', "seat": "2"}
    sent = send(visitor, **fields, **{"number-snatch.rules": "balanced", "number-snatch.options.size": "8"})
    assert sent.status_code == 303
    found = chosen(visitor.get("/").text)
    assert (found["game"], found["mode"], found["seat"]) == ("number-snatch", "friend", "2")
    assert unescape(found["name"]) == 'Jörg & "Co"'
    assert {found[f"{game}.rules"] for game in FIVE} == {"balanced"}
    assert 'value="8"' not in visitor.get("/").text  # a size is for one game


def test_what_is_remembered_in_a_cookie_may_be_anything(visitor: TestClient) -> None:
    for cookie in ("game=chess&mode=x&level=random&seat=9&rules=", "%%%", "&" * 500, "name=" + "<b>" * 999):
        visitor.cookies.set(LAST, cookie)
        answer = visitor.get("/")
        assert answer.status_code == 200
        found = chosen(answer.text)
        assert found["mode"] == "computer" and found["level"] == "casual" and "<b>" not in answer.text


def test_a_link_may_choose_the_game(visitor: TestClient) -> None:
    assert chosen(visitor.get("/?game=summation-duel").text)["game"] == "summation-duel"
    assert chosen(visitor.get("/?game=chess").text)["game"] == registry.specs()[0].name


def test_games_in_progress_are_on_the_home_page_and_finished_ones_are_not(visitor: TestClient) -> None:
    assert "Your games" not in visitor.get("/").text
    place = send(visitor).headers["location"]
    assert f'href="{place}"' in visitor.get("/").text
    visitor.post(f"{place}/resign")
    assert "Your games" not in visitor.get("/").text
