"""The home page with its form for a new game, and the page of my games with opponents, turns and news."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from numberduels.game import registry
from numberduels.web.http import my_games
from numberduels.web.http.forms import CHOICES_COOKIE as LAST

from . import in_process
from .in_process import FIVE, InProcessServer, join


@pytest.fixture
def ada(server: InProcessServer) -> TestClient:
    return server.visitor()


@pytest.fixture
def bob(server: InProcessServer) -> TestClient:
    return server.visitor()


def begin(visitor: TestClient, mode: str = "here", **fields: str) -> str:
    return in_process.begin(visitor, mode=mode, **{"seat": "1"} | fields)


def listed(visitor: TestClient) -> dict[str, str]:
    """What the page says of each game, by the address of the game."""
    found = re.findall(
        r'<a class="game-entry [^>]*href="([^"]*)"[^>]*>(.*?)</a>', visitor.get("/games").text, re.S
    )
    return {url: " ".join(unescape(re.sub("<[^>]*>", " ", text)).split()) for url, text in found}


def news(visitor: TestClient) -> Any:
    return visitor.get("/games/news").json()


def test_every_game_of_this_browser_is_listed_with_opponent_and_turn(
    ada: TestClient, bob: TestClient
) -> None:
    friend = begin(ada, "friend", name="Ada")
    assert "a friend is awaited Waiting" in listed(ada)[friend]
    join(ada, bob, friend)
    assert "against Bob Your turn" in listed(ada)[friend]
    assert "against Ada Their turn" in listed(bob)[friend]
    ada.post(f"{friend}/move", data={"move": "5"})
    assert "against Bob Their turn" in listed(ada)[friend]
    bob.post(f"{friend}/resign")
    assert "You won" in listed(ada)[friend] and "You lost" in listed(bob)[friend]
    screen = begin(ada, "here", name="Ada", other="Eve")
    assert "Ada and Eve at one screen Go on" in listed(ada)[screen]
    alone = begin(ada, "computer")
    assert "against the computer" in listed(ada)[alone]
    assert [*listed(bob)] == [friend]


def test_where_it_is_your_turn_comes_first(ada: TestClient, bob: TestClient) -> None:
    yours, theirs = begin(ada, "friend"), begin(ada, "friend", seat="2")
    for place in (yours, theirs):
        join(ada, bob, place)
    assert [*listed(ada)] == [yours, theirs]
    assert [*listed(bob)] == [theirs, yours]


def test_a_question_or_a_claim_is_a_turn(server: InProcessServer, ada: TestClient, bob: TestClient) -> None:
    timed, asked = begin(ada, "friend", clock="minute"), begin(ada, "friend")
    for place in (timed, asked):
        join(ada, bob, place)
    ada.post(f"{asked}/move", data={"move": "6"})
    assert "Their turn" in listed(bob)[timed] and "Their turn" in listed(ada)[asked]
    ada.post(f"{asked}/takeback")
    bob.post(f"{asked}/decline")
    bob.post(f"{asked}/move", data={"move": "4"})
    ada.post(f"{asked}/takeback")
    assert "Your answer" in listed(bob)[asked]
    ada.post(f"{asked}/move", data={"move": "9"})
    ada.post(f"{asked}/takeback")
    assert "Your turn" in listed(bob)[asked]
    server.wall_clock.advance = 60.0
    assert "Out of time" in listed(bob)[timed] and "Your turn" in listed(ada)[timed]
    server.wall_clock.advance = 0.0


def test_a_long_list_has_pages(ada: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(my_games, "PAGE", 2)
    games = {begin(ada) for _ in range(3)}
    first = ada.get("/games").text
    onward = re.search(r'href="(/games\?before=[^"]*)"', first)
    assert onward
    rest = ada.get(onward[1]).text
    assert set(re.findall(r"/g/\w+", first + rest)) == games
    assert "Earlier games" in first and "Earlier games" not in rest
    assert ada.get("/games?before=nonsense").status_code == 200


def test_news_are_what_the_opponent_did_and_never_what_i_did(ada: TestClient, bob: TestClient) -> None:
    place = begin(ada, "friend", name="Ada")

    def told(visitor: TestClient) -> tuple[bool, str]:
        [entry] = [each for each in news(visitor) if each["url"] == place]
        return entry["yours"], entry["news"]

    assert told(ada) == (False, "")
    join(ada, bob, place)
    assert told(ada) == (True, "Bob has joined your game of Range War.")
    ada.post(f"{place}/move", data={"move": "5"})
    assert told(ada) == (False, "")
    assert told(bob) == (True, "Ada played 5 in Range War: it is your turn.")
    ada.post(f"{place}/takeback")
    assert told(bob) == (True, "Ada asks to take a move back in Range War.")
    assert told(ada) == (False, "")
    ada.post(f"{place}/resign")
    assert told(ada) == (False, "Range War: You lost.")
    assert told(bob) == (False, "Range War: You won.")
    place = ada.post(f"{place}/rematch").headers["location"]
    assert told(bob)[1] == "Ada has started a rematch of Range War." and told(ada)[1] == ""


def test_a_rematch_is_news_for_the_player_who_did_not_start_it(ada: TestClient, bob: TestClient) -> None:
    for rules, words in (("book", "a rematch of"), ("balanced", "the second game of")):
        place = begin(ada, "friend", name="Ada", game="number-snatch", rules=rules)
        join(ada, bob, place)
        ada.post(f"{place}/resign")
        assert ("First game over" if rules == "balanced" else "You lost") in listed(ada)[place]
        rematch = bob.post(f"{place}/rematch").headers["location"]
        told = [
            next(each["news"] for each in news(visitor) if each["url"] == rematch) for visitor in (ada, bob)
        ]
        assert told == [f"Bob has started {words} Number Snatch.", ""]


def test_news_are_in_the_language_of_the_visitor_and_never_kept(ada: TestClient, bob: TestClient) -> None:
    place = begin(ada, "friend", name="Ada")
    join(ada, bob, place, "")
    answer = ada.get("/games/news", headers={"accept-language": "de"})
    assert answer.json()[0]["news"] == "Dein Gegenüber ist deinem Spiel Range War beigetreten."
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-robots-tag"] == "noindex"


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


def test_after_the_first_of_two_games_nobody_has_lost(ada: TestClient) -> None:
    place = begin(ada, "computer", game="number-snatch", rules="balanced", level="skilled")
    ada.post(f"{place}/resign")
    page = ada.get(place).text
    assert "After the first game Player 2 leads by" in page and "Second game, seats swapped" in page
    assert not re.search("You lose|You win|★|Next opponent|Another opponent|finale lost|finale won", page)
    assert "★" not in ada.get(f"{place}/review").text
    assert "First game over" in listed(ada)[place]
