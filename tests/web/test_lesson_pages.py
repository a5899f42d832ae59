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


@table("at", ["99", "-1", "x", "<script>", "9" * 40])
def test_a_number_that_is_not_there_shows_the_first_one(visitor: TestClient, at: str) -> None:
    answer = visitor.get("/learn/range-war/theorem", params={"at": at})
    assert answer.status_code == 200 and 'aria-current="true"><span class="number">4<' in answer.text
    assert "<script>" not in answer.text.replace('<script type="module"', "")
