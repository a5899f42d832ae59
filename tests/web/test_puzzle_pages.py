"""The puzzle pages without a script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from numberduels.analysis.puzzles import LEVELS
from numberduels.web.engine import pool, tasks
from numberduels.web.http import puzzles

from .in_process import FIVE, in_process, raising, unlimited

every_game = pytest.mark.parametrize("game", FIVE)
SEED = "test-1"


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with in_process(unlimited(tmp_path_factory.mktemp("puzzles") / "duels.sqlite")) as running:
        yield running.client


def place_of(game: str, level: int = 2) -> str:
    return f"/puzzles/{game}/{level}/{SEED}"


def offered(page: str) -> list[str]:
    """The moves that the page offers, as its form would send them."""
    places = [unescape(each) for each in re.findall(r'name="move"[^>]*?value="([^"]*)"', page)]
    hand = [unescape(each) for each in re.findall(r'name="number" value="([^"]*)"', page)]
    return [number + place for number in hand for place in places] if hand else places


def send(visitor: TestClient, place: str, move: str, follow: bool = True) -> Any:
    number, at, rest = move.partition("@")
    fields = {"number": number, "move": at + rest} if at else {"move": move}
    return visitor.post(place, data=fields, follow_redirects=follow)


@every_game
def test_a_puzzle_shows_its_task_and_offers_every_legal_move(visitor: TestClient, game: str) -> None:
    told = tasks.puzzle(game, 2, SEED)
    answer = visitor.get(place_of(game))
    assert answer.status_code == 200
    assert told["task"] in answer.text
    assert f"You are Player {told['to_move']}" in answer.text
    assert set(told["legal"]) <= set(offered(answer.text))
    assert answer.text.count("<h1") == 1


@every_game
def test_a_puzzle_shows_the_moves_that_led_to_it(visitor: TestClient, game: str) -> None:
    page = visitor.get(place_of(game)).text
    moves = re.findall(r": </span>([\d@]+)</span></li>", page)
    assert moves == tasks.puzzle(game, 2, SEED)["moves"]


@every_game
def test_a_puzzle_gives_nothing_away_before_it_is_solved(visitor: TestClient, game: str) -> None:
    page = visitor.get(place_of(game)).text
    assert "★" not in page and "/learn/" + game + "?" not in page
    assert tasks.check_solution(game, 2, SEED, None)["why"] not in unescape(page)


@every_game
def test_the_right_move_is_praised_and_explained(visitor: TestClient, game: str) -> None:
    found = tasks.check_solution(game, 2, SEED, None)
    answer = send(visitor, place_of(game), found["solution"])
    assert answer.status_code == 200
    page = unescape(answer.text)
    assert "✓</span> Right" in page
    assert found["why"] in page
    assert f"/puzzles/new?game={game}&level=2" in page
    assert not offered(answer.text)


@every_game
def test_a_wrong_move_is_refuted_and_may_be_tried_again(visitor: TestClient, game: str) -> None:
    told = tasks.puzzle(game, 2, SEED)
    solution = tasks.check_solution(game, 2, SEED, None)["solution"]
    wrong = next(move for move in told["legal"] if move != solution)
    answer = send(visitor, place_of(game), wrong)
    page = unescape(answer.text)
    assert "✗</span> Not that one" in page
    for line in tasks.check_solution(game, 2, SEED, wrong)["refutation"]:
        assert line in page
    assert solution in offered(answer.text)
    assert "★" not in page


def test_an_answer_has_an_address_of_its_own(visitor: TestClient) -> None:
    answer = send(visitor, place_of("range-war"), "3", follow=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == f"{place_of('range-war')}?move=3"


def test_a_number_that_was_placed_wrongly_is_in_hand_again(visitor: TestClient) -> None:
    place = place_of("number-collision", 3)
    told, solution = (
        tasks.puzzle("number-collision", 3, SEED),
        tasks.check_solution("number-collision", 3, SEED, None)["solution"],
    )
    wrong = [move for move in told["legal"] if move != solution][-1]
    page = send(visitor, place, wrong).text
    assert re.search(rf'value="{wrong.partition("@")[0]}"[^>]*checked', page)


@every_game
def test_the_solution_can_be_shown(visitor: TestClient, game: str) -> None:
    found = tasks.check_solution(game, 2, SEED, None)
    page = unescape(visitor.get(f"{place_of(game)}?solution=1").text)
    assert "★</span> The solution" in page
    for line in found["answer"]:
        assert line in page


def test_a_solved_puzzle_can_be_explored(visitor: TestClient) -> None:
    page = visitor.get(f"{place_of('range-war')}?solution=1").text
    link = unescape(re.findall(r'href="(/learn/range-war\?[^"]*)"', page)[0])
    told = tasks.puzzle("range-war", 2, SEED)
    answer = visitor.get(link)
    assert answer.status_code == 200
    assert offered(answer.text) == told["legal"]


@every_game
def test_the_puzzle_of_the_day_is_linked_and_there(visitor: TestClient, game: str) -> None:
    before = puzzles.daily(datetime.now(UTC).date())
    page = visitor.get("/puzzles").text
    after = puzzles.daily(datetime.now(UTC).date())  # at midnight another one
    ((level, seed),) = set(re.findall(rf'href="/puzzles/{game}/(\d)/([-\d]+)"', page))
    assert (int(level), seed) in (before, after)
    assert visitor.get(f"/puzzles/{game}/{level}/{seed}").status_code == 200


def test_the_week_becomes_harder_from_monday_to_sunday() -> None:
    monday = date(2026, 1, 5)
    levels = [puzzles.daily(monday + timedelta(days=each))[0] for each in range(7)]
    assert levels == sorted(levels) and levels[0] == 1 and levels[-1] > 3
    assert set(levels) <= set(LEVELS)
    assert puzzles.daily(monday)[1] == "2026-01-05"


def test_endless_puzzles_have_permanent_addresses(visitor: TestClient) -> None:
    places = set()
    for _ in range(3):
        answer = visitor.get("/puzzles/new?game=range-war&level=3", follow_redirects=False)
        assert answer.status_code == 303
        places.add(answer.headers["location"])
    assert len(places) == 3
    assert all(re.fullmatch(r"/puzzles/range-war/3/[0-9a-f]{8}", place) for place in places)
    assert visitor.get(places.pop()).status_code == 200


@pytest.mark.parametrize(
    "place",
    [
        "/puzzles/no-such-game/1/x",
        "/puzzles/range-war/0/x",
        "/puzzles/range-war/6/x",
        "/puzzles/range-war/one/x",
        "/puzzles/range-war/1/%3Cscript%3E",
        "/puzzles/range-war/1/-x",
        "/puzzles/range-war/1/" + "x" * 41,
        "/puzzles/new?game=no-such-game",
        "/puzzles/new?game=range-war&level=99",
        "/puzzles/new",
    ],
)
def test_what_is_no_puzzle_leads_to_those_there_are(visitor: TestClient, place: str) -> None:
    answer = visitor.get(place)
    assert answer.status_code == 404
    assert 'role="alert"' in answer.text
    assert 'href="/puzzles/range-war/' in answer.text
    assert "<script>" not in answer.text


def test_a_post_to_what_is_no_puzzle_is_answered_alike(visitor: TestClient) -> None:
    assert send(visitor, "/puzzles/no-such-game/1/x", "1").status_code == 404
    assert send(visitor, "/puzzles/range-war/7/x", "1").status_code == 404


@pytest.mark.parametrize(
    "move", ["99", "abc", "<script>alert(1)</script>", '"><img src=x>', "9" * 5000, "\x00"]
)
def test_what_is_no_move_is_refused_and_escaped(visitor: TestClient, move: str) -> None:
    answer = visitor.get(place_of("range-war"), params={"move": move})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert "<script>alert" not in answer.text and "<img src=x" not in answer.text
    assert offered(answer.text) == tasks.puzzle("range-war", 2, SEED)["legal"]
    assert len(answer.text) < 20_000


def test_a_hostile_answer_cannot_leave_the_site(visitor: TestClient) -> None:
    answer = send(
        visitor, place_of("range-war"), "\r\nLocation: https://evil.example/&solution=1", follow=False
    )
    assert answer.headers["location"].startswith(f"{place_of('range-war')}?move=%0D%0A")
    assert "&" not in answer.headers["location"]


def test_a_page_of_puzzles_has_no_style_or_script_of_its_own(visitor: TestClient) -> None:
    for place in ("/puzzles", place_of("range-war"), f"{place_of('range-war')}?move=1"):
        page = visitor.get(place).text
        assert "style=" not in page and "<style" not in page and " on" + "click" not in page
        assert re.findall(r"<script[^>]*>[^<]+", page) == []


@pytest.mark.parametrize(
    ("fault", "status", "said"),
    [
        (pool.EngineBusy("no"), 503, "Try again in a moment"),
        (pool.EngineTimeout("no"), 409, "too long"),
        (pool.EngineCrashed("Traceback: secret"), 409, "too long"),
        (pool.EngineRejected("no puzzle of level 2 was found"), 404, "No puzzle of level 2 was found."),
    ],
)
def test_a_computer_that_cannot_is_excused(tmp_path: Path, fault: Exception, status: int, said: str) -> None:
    with in_process(unlimited(tmp_path / "duels.sqlite")) as server:
        server.question_pool.trouble = raising(fault)
        answer = server.client.get(place_of("range-war"))
    assert answer.status_code == status
    assert said in answer.text and "secret" not in answer.text
