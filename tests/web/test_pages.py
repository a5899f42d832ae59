"""The match pages without a script: links, forms, and where they lead."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from numberduels.analysis.lessons import lessons_of
from numberduels.game import registry
from tables import table
from web.serving import wait_until

from .in_process import (
    FIVE,
    InProcessServer,
    begin,
    in_process,
    invitation_key,
    join,
    move_fields,
    offered,
    unlimited,
)

every_game = table("game", FIVE)


@pytest.fixture
def visitor(server: InProcessServer) -> TestClient:
    """Somebody new, who follows redirects."""
    return server.visitor(follow=True)


def send(visitor: TestClient, place: str, move: str, ply: int) -> Any:
    return visitor.post(f"{place}/move", data=move_fields(move) | {"ply": str(ply)})


def invitation(visitor: TestClient, place: str) -> str:
    """The link that invites a friend."""
    return f"{place}/join?key={invitation_key(visitor, place)}"


def with_a_friend(
    visitor: TestClient, server: InProcessServer, game: str = "summation-duel"
) -> tuple[str, TestClient]:
    """A game between the visitor and a friend, who has just sat down."""
    place, friend = begin(visitor, game, "friend"), server.visitor(follow=True)
    join(visitor, friend, place)
    return place, friend


@every_game
def test_a_whole_game_can_be_played_by_forms_alone(visitor: TestClient, game: str) -> None:
    options = {"options.size": "3", "options.values": "2"} if game == "number-collision" else {}
    place = begin(visitor, game, **options)
    rng = Random(5)
    page = visitor.get(place).text
    for ply in range(200):
        moves = offered(page)
        legal = visitor.get(f"/api/duels/{place[3:]}").json()["legal"]
        assert sorted(moves) == sorted(legal)
        if not moves:
            break
        answer = send(visitor, place, rng.choice(moves), ply)
        assert answer.status_code == 200  # after the redirect to the page
        page = answer.text
    assert "wins." in page and "Review the game" in page


def test_a_friend_comes_by_invitation_and_nobody_else(visitor: TestClient, server: InProcessServer) -> None:
    place = begin(visitor, "range-war", "friend", name="Ada")
    link = invitation(visitor, place)
    friend, stranger = server.visitor(follow=True), server.visitor(follow=True)
    assert "/join?key=" not in stranger.get(place).text
    assert stranger.post(f"{place}/join", data={"invitation": "guess"}).status_code == 403
    assert "Ada awaits you." in friend.get(link).text
    join(visitor, friend, place, "<b>Bob</b>")
    assert "&lt;b&gt;Bob&lt;/b&gt;" in visitor.get(place).text
    assert offered(visitor.get(place).text) and not offered(friend.get(place).text)
    assert not offered(stranger.get(place).text)
    assert send(friend, place, "3", 0).status_code == 409
    assert send(stranger, place, "3", 0).status_code == 403


def test_hints_and_values_are_for_games_against_the_computer_and_for_those_over(
    visitor: TestClient, server: InProcessServer
) -> None:
    alone = begin(visitor, "restricted-removal", "computer", level="random")
    assert "Try 6." in visitor.get(f"{alone}?hint=1").text  # the only first move that wins at 2 to 10
    assert "win" in visitor.get(f"{alone}?values=1").text
    stranger = server.visitor(follow=True)
    assert "Try 6." not in stranger.get(f"{alone}?hint=1").text
    shared = begin(visitor, "restricted-removal", "here")
    assert "Hints are for" in visitor.get(f"{shared}?hint=1").text
    assert "Values are shown" in visitor.get(f"{shared}?values=1").text
    visitor.post(f"{shared}/resign")
    assert "Values are shown" not in stranger.get(f"{shared}?values=1").text


def test_the_present_has_no_ply_in_its_address(visitor: TestClient) -> None:
    place = begin(visitor, "summation-duel", "computer", level="random", seat="1")
    visitor.post(f"{place}/resign")
    for ply in ("0", "1", "99", "", "now", "-1"):
        answer = visitor.get(f"{place}?ply={ply}&values=1")
        assert answer.url.path == place and answer.url.query == b"values=1"
    place = begin(visitor, "summation-duel")
    for at, move in enumerate(["4", "9"]):
        send(visitor, place, move, at)
    assert "?ply=2" not in visitor.get(f"{place}?ply=1").text
    assert "?ply=2" not in visitor.get(place).text


# What cannot be begun


def problem(page: str) -> tuple[str, str]:
    """The field that a page says is wrong, and what it says about it."""
    marked = re.search(r'<(?:input|select) name="([^"]*)"[^>]* aria-describedby="problem" autofocus>', page)
    group = re.search(r'aria-describedby="problem"><legend>.*?name="([^"]*)"[^>]* autofocus>', page, re.S)
    said = re.search(r'<span class="problem" id="problem" role="alert"[^>]*>([^<]*)</span>', page)
    found = marked or group
    assert found and said, page
    return unescape(found[1]), unescape(said[1])


@table(
    "game, fields, field, said",
    [
        ("range-war", {"options.size": "101"}, "options.size", "Highest number may be at most 100."),
        ("range-war", {"options.size": "9" * 2001}, "options.size", "at most 2000 characters."),
        ("range-war", {"options.size": "<b>"}, "options.size", "must be a whole number from 1 to 100."),
        ("range-war", {"options.opening": "up"}, "options.opening", "must be lower or free"),
        ("summation-duel", {"options.target": "600"}, "options.target", "choose a target from 1 to 55."),
        ("number-snatch", {"options.numbers": "1,1001"}, "options.numbers", "at most 1000."),
        ("number-snatch", {"options.numbers": "7," * 100 + "7"}, "options.numbers", "at most 100 numbers."),
        ("range-war", {"level": "godlike"}, "level", "choose random, greedy, "),
        ("range-war", {"seat": "3"}, "seat", "choose 1, 2 or random."),
    ],
)
def test_what_is_wrong_stands_beside_its_field_with_its_limit_and_keeps_what_was_typed(
    visitor: TestClient, game: str, fields: dict[str, str], field: str, said: str
) -> None:
    typed = {"mode": "friend", "name": "Ada & Bob", "other": "Eve", "seat": "2", "level": "expert"}
    if field == "level":
        typed["mode"] = "computer"
    answer = visitor.post("/new", data={"game": game} | typed | fields)
    assert answer.status_code in (409, 422)
    name = f"{game}.{field}" if field.startswith("options.") else field
    assert problem(answer.text)[0] == name and said in problem(answer.text)[1]
    assert answer.text.count('role="alert"') == 1
    if name != field or field == "seat":
        assert '<details class="options" open>' in answer.text
    page = unescape(answer.text)
    for name, text in (typed | fields).items():
        name = f"{game}.{name}" if name.startswith("options.") else name
        kept = re.search(rf'<input name="{re.escape(name)}"[^>]* value="([^"]*)"', answer.text)
        radio = f'<input type="radio" name="{name}" value="{text}" checked'
        if kept:
            assert unescape(kept[1]) == text
        elif name not in (field, f"{game}.{field}"):
            assert radio in page, name


def test_what_is_wrong_is_said_in_the_language_of_the_page(visitor: TestClient) -> None:
    answer = visitor.post("/new?language=de", data={"game": "range-war", "options.size": "101"})
    assert problem(answer.text)[1] == "Höchste Zahl: höchstens 100."


def test_what_is_wrong_with_no_field_is_said_in_the_form(visitor: TestClient) -> None:
    answer = visitor.post("/new", data={"game": "range-war", "options.siz": "5"})
    assert answer.status_code == 422 and "Range War has no option" in answer.text
    assert answer.text.index('<form class="new-game"') < answer.text.index('role="alert"')
    answer = visitor.post("/new", data={"game": "<b>chess</b>"})
    assert answer.status_code == 422 and answer.text.count('role="alert"') == 1 and "<b>" not in answer.text


def test_the_address_of_a_form_opened_as_a_page_leads_back_to_where_the_form_is(visitor: TestClient) -> None:
    """After an error the browser shows this address, and somebody may open it again."""
    place = begin(visitor, "range-war")
    assert visitor.post("/new", data={"game": "range-war", "mode": "hard"}).status_code == 422
    for address, home in (
        ("/new", "/"),
        *((f"{place}/{name}", place) for name in ("move", "claim", "rematch", "carry")),
    ):
        answer = visitor.get(address, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, home), address
    assert visitor.get(f"{place}/nonsense").status_code in (404, 405)


def test_a_game_of_another_package_is_played_like_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared = tmp_path / "other-1.0.dist-info" / "entry_points.txt"
    declared.parent.mkdir()
    declared.write_text("[numberduels.games]\nlast-counter = numberduels.games.template:spec\n")
    monkeypatch.syspath_prepend(tmp_path)
    with in_process(unlimited(tmp_path / "duels.sqlite")) as server:
        for language in ("en", "de"):
            visitor = server.visitor(follow=True, headers={"accept-language": language})
            place = begin(visitor, "last-counter")
            assert offered(visitor.get(place).text) == ["1", "2"]
            assert "played 2" in send(visitor, place, "2", 0).text or language == "de"
            assert offered(visitor.get("/learn/last-counter").text) == ["1", "2"]
            home = visitor.get("/").text
            assert "pictures/range-war.svg" in home and "pictures/last-counter" not in home


# What is offered


def test_undo_is_offered_only_where_a_move_can_be_taken_back(
    visitor: TestClient, server: InProcessServer
) -> None:
    first = begin(visitor, "restricted-removal", "computer", level="random", seat="2")
    wait_until(lambda: offered(visitor.get(first).text))
    assert "/undo" not in visitor.get(first).text and visitor.post(f"{first}/undo").status_code == 409
    place, friend = with_a_friend(visitor, server)
    send(visitor, place, "4", 0)
    assert "/takeback" in visitor.get(place).text and "/takeback" not in friend.get(place).text
    visitor.post(f"{place}/takeback")
    assert "/takeback" not in visitor.get(place).text and "/takeback" not in friend.get(place).text


# Invitations


def test_a_broken_invitation_says_so_before_anything_is_pressed(
    visitor: TestClient, server: InProcessServer
) -> None:
    place = begin(visitor, "range-war", "friend")
    for key in ("", "?key=", "?key=guess"):
        answer = server.visitor(follow=True).get(f"{place}/join{key}")
        assert answer.status_code == 403 and "not a complete invitation" in answer.text
        assert "<form" not in answer.text and f'href="{place}"' in answer.text


def test_a_late_invitation_says_so_before_anything_is_pressed(
    visitor: TestClient, server: InProcessServer
) -> None:
    place = begin(visitor, "range-war", "friend")
    link = invitation(visitor, place)
    friend, late = server.visitor(follow=True), server.visitor(follow=True)
    join(visitor, friend, place)
    answer = late.get(link)
    assert answer.status_code == 409 and "That seat is taken" in answer.text and "<form" not in answer.text
    assert friend.get(link).url.path == place  # whoever sits there goes on


# Languages


def test_language_links_lead_to_pages_that_exist(visitor: TestClient, server: InProcessServer) -> None:
    place = begin(visitor, "summation-duel")
    send(visitor, place, "4", 0)
    open_place = begin(visitor, "range-war", "friend")
    stranger = server.visitor(follow=True)
    answers = [
        stranger.get("/nowhere"),
        stranger.get("/learn/range-war?m=3&options.size=5"),
        stranger.post("/new", data={"game": "chess"}),
        stranger.post(f"{open_place}/join", data={"invitation": "guess"}),
        stranger.post(f"{place}/move", data={"move": "5"}),
        visitor.get(f"{place}?ply=0"),
    ]
    for answer in answers:
        (link,) = re.findall(r'<a href="([^"]*)" lang="de"', answer.text)
        german = server.visitor(follow=True).get(unescape(link), headers={"accept-language": "en"})
        told = f"{answer.url} {answer.request.method}: {link}"
        assert german.status_code == 200 or "/join?" in link, told
        assert '<html lang="de">' in german.text, told
    assert "m=3&amp;options.size=5&amp;language=de" in answers[1].text
    assert f'"{place}?ply=0&amp;language=de"' in answers[-1].text


def test_no_page_has_a_script_or_a_style_of_its_own(visitor: TestClient) -> None:
    place = begin(visitor, "number-snatch")
    addresses = ["/", place, "/puzzles", "/learn", "/nowhere", "/learn/range-war/claims"]
    for spec in map(registry.spec, FIVE):
        lessons = ["theorem", *(f"{lesson.key}?m=" for lesson in lessons_of(spec))]
        addresses += [f"/learn/{spec.name}", *(f"/learn/{spec.name}/{each}" for each in lessons)]
    for address in addresses:
        text = visitor.get(address).text
        assert not re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=", text), address
