"""The learn pages without a script: rules, theory, claims, the explorer, lessons, and theorems to try out."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from numberduels.analysis.lessons import Lesson, exploration_of, judge_move, lessons_of
from numberduels.engine import pool, tasks
from numberduels.game import registry
from numberduels.game.table import replay
from numberduels.solvers import make_oracle
from tables import table

from .in_process import (
    FIVE,
    InProcessServer,
    hidden_fields,
    move_fields,
    offered,
    raising,
)

every_game = table("game", FIVE)


@pytest.fixture
def visitor(server: InProcessServer) -> TestClient:
    """A browser, which follows redirects."""
    return server.client


def step(visitor: TestClient, page: str, game: str, move: str) -> Any:
    """Press the tile, as the form of the page has it."""
    return visitor.post(f"/learn/{game}", data=hidden_fields(page) | move_fields(move))


# The pages


@every_game
def test_a_lesson_has_the_book_without_what_is_for_a_keyboard(visitor: TestClient, game: str) -> None:
    answer = visitor.get(f"/learn/{game}")
    assert answer.status_code == 200
    assert answer.text.count("<h1") == 1
    for heading in re.findall(r"^## (.*)$", registry.spec(game).rulebook(), re.M):
        assert (f"<h3>{heading}</h3>" in answer.text) == (heading not in ("Options", "At the prompt"))


@every_game
def test_a_lesson_says_who_wins_and_why(visitor: TestClient, game: str) -> None:
    page = unescape(visitor.get(f"/learn/{game}").text)
    theory = page[page.index('id="theory"') : page.index('id="rules"')]
    draws = game == "number-collision"
    assert ("nobody wins" if draws else "Player 1 wins with best play") in theory
    assert 'class="hint"' in theory


# The small board


@every_game
def test_a_game_can_be_played_step_by_step_and_every_move_says_what_it_is_worth(
    visitor: TestClient, game: str
) -> None:
    page = visitor.get(f"/learn/{game}").text
    assert len(re.findall(r'class="value (?:win|draw|loss)"', page)) == len(offered(page)) > 0
    played = []
    for _ in range(4):
        if not offered(page):
            break
        played.append(offered(page)[-1])
        answer = step(visitor, page, game, played[-1])
        assert answer.status_code == 200
        assert answer.url.params["m"] == ",".join(played)
        page = answer.text
    shown = [
        re.sub(r"(\d+) on cell (\d+)", r"\1@\2", each) for each in re.findall(r": </span>(.+)</a></li>", page)
    ]
    assert shown == played


def test_the_sizes_stay_from_move_to_move(visitor: TestClient) -> None:
    page = visitor.get("/learn/range-war?options.size=5&options.opening=free").text
    answer = step(visitor, page, "range-war", "3")
    assert answer.url.params["options.size"] == "5" and answer.url.params["options.opening"] == "free"
    assert offered(answer.text) == ["1", "2", "4", "5"]


def test_a_hint_has_a_reason(visitor: TestClient) -> None:
    page = unescape(visitor.get("/learn/summation-duel?m=8&why=1").text)
    hint = tasks.hint("summation-duel", {}, ["8"])
    assert f"Try {hint['move']}." in page and hint["why"] in page


def test_the_same_numbers_are_dealt_to_everybody(visitor: TestClient) -> None:
    deals = {tuple(offered(visitor.get("/learn/number-snatch").text)) for _ in range(3)}
    assert len(deals) == 1


@table("moves", ["3,9", "3,4", "abc", "<script>alert(1)</script>", '"><img src=x>', "1,1"])
def test_what_is_no_move_leaves_the_position_before_it(visitor: TestClient, moves: str) -> None:
    answer = visitor.get("/learn/range-war", params={"options.size": "5", "m": moves})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert "<script>alert" not in answer.text and "<img src=x" not in answer.text


@table("size", ["101", "99999999999", "x", "<script>alert(1)</script>"])
def test_a_size_that_cannot_be_leaves_the_usual_one(visitor: TestClient, size: str) -> None:
    answer = visitor.get("/learn/range-war", params={"options.size": size})
    assert answer.status_code == 422
    assert offered(answer.text) == [str(each) for each in range(1, 11)]
    assert "<script>alert" not in answer.text and "<img src=x" not in answer.text


def test_a_size_beyond_reach_is_shown_without_values(fresh: InProcessServer) -> None:
    fresh.question_pool.trouble = raising(pool.EngineTimeout("That takes longer than 1 seconds."))
    answer = fresh.client.get("/learn/restricted-removal?options.size=100")
    assert answer.status_code == 200
    assert 'role="alert"' in answer.text and "Traceback" not in answer.text
    assert len(offered(answer.text)) == 99


def test_a_game_that_need_not_end_ends_on_the_small_board(visitor: TestClient) -> None:
    moves = ",".join(["1@1", "1@2"] * 200)
    answer = visitor.get("/learn/number-collision", params={"m": moves})
    assert answer.status_code == 200
    assert "holds no more moves" in answer.text and not offered(answer.text)


def test_a_busy_computer_leaves_the_lesson_as_it_is(fresh: InProcessServer) -> None:
    fresh.question_pool.trouble = raising(pool.EngineBusy("no"))
    answer = fresh.client.get("/learn/range-war")
    assert answer.status_code == 200
    assert "Try again in a moment" in answer.text and len(offered(answer.text)) == 10
    assert fresh.client.get("/learn/range-war/claims").status_code == 503


# The claims


def test_the_claims_of_a_book_are_shown_with_what_was_found_and_with_games_to_see(
    visitor: TestClient,
) -> None:
    """What the claims of each game are worth is tested with the games: the page only shows it."""
    claims = tasks.claims("range-war")
    page = unescape(visitor.get("/learn/range-war/claims").text)
    for claim in claims:
        assert claim["says"] in page and claim["finding"] in page
    assert len(re.findall(r'class="verdict (?:true|false|partly|open)"', page)) == len(claims)
    links = re.findall(r'href="(/learn/range-war\?[^"]*)"', page)
    assert len(links) == sum(claim["record"] is not None for claim in claims) > 0
    for link in links:
        assert visitor.get(link).status_code == 200, link


# What is for a terminal only

# The books


LESSONS = [(name, lesson) for name in FIVE for lesson in lessons_of(registry.spec(name))]
every_lesson = table("game, lesson", LESSONS)


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


def test_a_hostile_move_cannot_leave_the_lesson(visitor: TestClient) -> None:
    data = {"m": "", "stops": "9" * 50, "move": "\r\nLocation: https://evil.example/&stops=5"}
    answer = visitor.post("/learn/range-war/nearest", data=data, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/learn/range-war/nearest?m=%0D%0A")
    assert "&" not in answer.headers["location"]


# Theorems that are tried out


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
