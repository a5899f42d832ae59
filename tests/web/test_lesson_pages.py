"""Lessons without a script (play, stop at the mistake, why, take back), and theorems to try out."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from numberduels.analysis.lessons import Lesson, exploration_of, judge_move, lessons_of
from numberduels.engine import tasks
from numberduels.game import registry
from numberduels.game.table import replay
from numberduels.solvers import make_oracle
from tables import table

from .in_process import FIVE, InProcessServer, hidden_fields, move_fields, offered

LESSONS = [(name, lesson) for name in FIVE for lesson in lessons_of(registry.spec(name))]
every_lesson = table("game, lesson", LESSONS)


@pytest.fixture
def visitor(server: InProcessServer) -> TestClient:
    """A browser, which follows redirects."""
    return server.client


def press(visitor: TestClient, page: str, move: str) -> Any:
    """Press a tile of the page, as its form would send it."""
    (action,) = set(re.findall(r'<form class="play" method="post" action="([^"]*)"', page))
    return visitor.post(action, data=hidden_fields(page) | move_fields(move))


@every_lesson
def test_a_lesson_begins_with_its_idea(visitor: TestClient, game: str, lesson: Lesson) -> None:
    page = unescape(visitor.get(f"/learn/{game}/{lesson.key}").text)
    assert page.count("<h1") == 1 and lesson.title in page and lesson.idea in page
    if lesson.example:
        assert lesson.example in page and not offered(page)
        assert f'href="/learn/{game}/{lesson.key}?m="' in page


@every_lesson
def test_a_lesson_is_won_by_moves_that_give_nothing_away(
    visitor: TestClient, game: str, lesson: Lesson
) -> None:
    spec = registry.spec(game)
    rules = lesson.game(spec)
    oracle, parse = make_oracle(rules), spec.text_for(rules).parse_move
    answer = visitor.get(f"/learn/{game}/{lesson.key}?m=")
    while moves := offered(answer.text):
        played = tasks.lesson(game, lesson.key, answer.url.params["m"].split(",") if moves else [])
        table = replay(rules, map(parse, played["moves"]))
        legal = [move for move in moves if parse(move) in table.moves]  # a line may be forbidden
        good = next(move for move in legal if judge_move(oracle, table.state, parse(move)) is None)
        answer = press(visitor, answer.text, good)
        assert answer.status_code == 200 and "Stop:" not in answer.text
    assert "Well done: you have won." in answer.text
    assert f'data-lesson-done="{game}/{lesson.key}"' in answer.text


def test_a_mistake_is_stopped_explained_and_taken_back(visitor: TestClient) -> None:
    before = visitor.get("/learn/range-war/nearest?m=")
    answer = press(visitor, before.text, "7")
    page = unescape(answer.text)
    assert answer.status_code == 200
    # 6 is theirs after the jump to 7: the lesson itself says so.
    assert "Stop: 7 gives it away." in page and "After 7 they answer 6 and win." in page
    assert offered(page) == offered(before.text)
    on = press(visitor, page, "6")
    assert "Stop:" not in on.text and on.url.params["m"] == "6" and on.url.params["stops"] == "1"


def test_stopped_moves_are_counted_at_the_end(visitor: TestClient) -> None:
    first = press(visitor, visitor.get("/learn/number-collision/last-cell?m=").text, "1@2")
    second = press(visitor, first.text, "2@2")
    won = press(visitor, second.text, "3@2")
    assert "Well done" in won.text and "2 moves were taken back." in won.text


def test_the_number_of_a_stopped_move_stays_in_hand(visitor: TestClient) -> None:
    page = press(visitor, visitor.get("/learn/number-collision/last-cell?m=").text, "2@2").text
    assert re.search(r'name="number" value="2"[^>]*checked', page)


def test_a_hint_in_a_lesson_has_a_reason(visitor: TestClient) -> None:
    page = unescape(visitor.get("/learn/restricted-removal/pairs?m=&hint=1").text)
    assert "Try 6." in page  # the only move that wins with the numbers 2 to 10


def test_a_lesson_can_be_left_at_any_move(visitor: TestClient) -> None:
    page = unescape(visitor.get("/learn/range-war/nearest?m=6,7").text)
    assert 'href="/learn/range-war/nearest?m=6">One move back' in page
    assert 'href="/learn/range-war/nearest?m=">Start again' in page


@table("moves", ["99", "x", "<script>alert(1)</script>", '"><img src=x>', "6,6"])
def test_what_is_no_move_of_a_lesson_is_refused(visitor: TestClient, moves: str) -> None:
    answer = visitor.get("/learn/range-war/nearest", params={"m": moves})
    assert answer.status_code == 422 and 'role="alert"' in answer.text
    assert "<script>alert" not in answer.text and "<img src=x" not in answer.text
    assert offered(answer.text)


@table(
    "place", ["/learn/range-war/no-such-lesson", "/learn/no-such-game/nearest", "/learn/no-such-game/theorem"]
)
def test_a_lesson_that_does_not_exist_is_not_found(visitor: TestClient, place: str) -> None:
    assert visitor.get(place).status_code == 404
    assert visitor.post(place, data={"move": "1"}).status_code in (404, 405)


def test_a_hostile_move_cannot_leave_the_lesson(visitor: TestClient) -> None:
    data = {"m": "", "stops": "9" * 50, "move": "\r\nLocation: https://evil.example/&stops=5"}
    answer = visitor.post("/learn/range-war/nearest", data=data, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/learn/range-war/nearest?m=%0D%0A")
    assert "&" not in answer.headers["location"]


@every_lesson
def test_a_lesson_in_german_is_german(visitor: TestClient, game: str, lesson: Lesson) -> None:
    page = unescape(visitor.get(f"/learn/{game}/{lesson.key}?m=&language=de").text)
    assert lesson.idea not in page and "Du bist Spieler" in page
    visitor.cookies.clear()


# Theorems that are tried out

every_game = table("game", FIVE)


def shown_winners(page: str) -> list[int]:
    return [int(each) for each in re.findall(r'<a class="winner-(\d)"', page)]


@every_game
def test_every_number_of_an_exploration_has_a_page(visitor: TestClient, game: str) -> None:
    found = exploration_of(registry.spec(game))
    assert found and found.first in found.values
    for place in (0, len(found.values) // 2, len(found.values) - 1):
        answer = visitor.get(f"/learn/{game}/theorem?at={place}")
        page = unescape(answer.text)
        assert answer.status_code == 200
        assert re.search(rf'aria-current="true"><span class="number">{found.values[place]}<', page)
        assert len(shown_winners(page)) == len(found.values)
        assert f'value="{place}"' in page  # the slider


def test_range_war_is_won_by_the_first_player_from_the_middle_only(visitor: TestClient) -> None:
    page = visitor.get("/learn/range-war/theorem").text
    assert shown_winners(page) == [2] * 6 + [1] + [2] * 6


def test_the_values_on_the_board_are_those_of_this_number(visitor: TestClient) -> None:
    page = visitor.get("/learn/summation-duel/theorem?at=41").text  # the target 42, where only 6 wins
    assert re.findall(r'class="value (\w+)"', page) == ["loss"] * 5 + ["win"] + ["loss"] * 4


@table("at", ["99", "-1", "x", "<script>", "9" * 40])
def test_a_number_that_is_not_there_shows_the_first_one(visitor: TestClient, at: str) -> None:
    answer = visitor.get("/learn/range-war/theorem", params={"at": at})
    assert answer.status_code == 200 and 'aria-current="true"><span class="number">4<' in answer.text
    assert "<script>" not in answer.text.replace('<script type="module"', "")
