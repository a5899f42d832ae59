"""The puzzle pages without a script."""

from __future__ import annotations

import re
from datetime import date, timedelta
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from numberduels.analysis.puzzles import LEVELS, Puzzle, daily_puzzle, find_puzzle
from numberduels.analysis.puzzles.selection import DAILY_WALK
from numberduels.engine import pool
from numberduels.game import registry
from numberduels.web.http import puzzles
from tables import table

from .in_process import FIVE, in_process, move_fields, offered, raising, unlimited

every_game = table("game", FIVE)
HERE = "/puzzles/range-war/2/test-1"


FOUND = [find_puzzle(*each, f"test.{number}") for each in product(FIVE, LEVELS) for number in range(5)]
every_kind = table("puzzle", {(puzzle.spec.name, puzzle.kind): puzzle for puzzle in FOUND}.values())


def place(puzzle: Puzzle) -> str:
    return f"/puzzles/{puzzle.spec.name}/{puzzle.level}/{puzzle.seed}"


def send(visitor: TestClient, place: str, move: str, follow: bool = True) -> Any:
    return visitor.post(place, data=move_fields(move), follow_redirects=follow)


@every_kind
def test_a_puzzle_shows_its_task_its_moves_and_hints_and_not_its_solution(
    visitor: TestClient, puzzle: Puzzle
) -> None:
    answer = visitor.get(place(puzzle))
    page = unescape(answer.text)
    assert answer.status_code == 200 and page.count("<h1") == 1
    assert puzzle.task in page
    if puzzle.asks_for == "number" and len(puzzle.answers) > 12:  # else there is a button for each
        first, last = puzzle.answers[0], puzzle.answers[-1]
        assert f'min="{first}" max="{last}"' in page
    else:
        assert set(puzzle.answers) <= set(offered(answer.text))
    for at in puzzle.tables:
        assert f"Player {at.turn + 1}" in page
    assert page.count(">Position A<") == (2 if len(puzzle.tables) == 2 else 0) + (puzzle.asks_for == "choice")
    moves = re.findall(r": </span>(.+)</span></li>", answer.text)
    moves = [re.sub(r"(\d+) on cell (\d+)", r"\1@\2", each) for each in moves]
    notation = puzzle.game_text.format_move
    assert moves == [notation(move) for played in puzzle.positions for move in played]
    assert all(hint in page for hint in puzzle.hints)
    assert "★" not in page and f"/learn/{puzzle.spec.name}?" not in page
    assert puzzle.solution_lines()[0] not in page


@every_kind
def test_the_right_answer_is_praised_and_explained(visitor: TestClient, puzzle: Puzzle) -> None:
    answer = send(visitor, place(puzzle), puzzle.answer)
    assert answer.status_code == 200
    page = unescape(answer.text)
    assert "✓</span> Right" in page
    for line in puzzle.solution_lines():
        assert line in page
    assert f"/puzzles/new?game={puzzle.spec.name}&level={puzzle.level}&after={puzzle.seed}" in page
    assert not offered(answer.text)


@every_kind
def test_a_wrong_answer_is_refuted_and_may_be_tried_again(visitor: TestClient, puzzle: Puzzle) -> None:
    wrong = [answer for answer in puzzle.answers if answer != puzzle.answer][-1]
    page = unescape(send(visitor, place(puzzle), wrong).text)
    assert "✗</span> Not that one" in page
    for line in puzzle.refutation_lines(wrong):
        assert line in page
    assert "★" not in page and 'name="move"' in page
    if "@" in wrong:  # the number is in hand again
        assert re.search(rf'value="{wrong.partition("@")[0]}"[^>]*checked', page)


@every_kind
def test_the_solution_can_be_shown_and_explored(visitor: TestClient, puzzle: Puzzle) -> None:
    page = unescape(visitor.get(f"{place(puzzle)}?solution=1").text)
    assert "★</span> The solution" in page
    for line in puzzle.solution_lines():
        assert line in page
    links = re.findall(rf'href="(/learn/{puzzle.spec.name}\?[^"]*)"', page)
    assert len(links) == len(puzzle.tables)
    notation = puzzle.game_text.format_move
    for link, at in zip(links, puzzle.tables, strict=True):
        answer = visitor.get(link)
        assert answer.status_code == 200
        assert {notation(move) for move in at.moves} <= set(offered(answer.text))


@every_game
def test_the_puzzle_of_the_day_is_linked_and_there(visitor: TestClient, game: str) -> None:
    before = puzzles.today()
    page = visitor.get("/puzzles").text
    after = puzzles.today()  # at midnight another one
    ((level, seed),) = set(re.findall(rf'href="/puzzles/{game}/(\d)/([-\d]+)"', page))
    assert seed in (before.isoformat(), after.isoformat())
    puzzle = daily_puzzle(registry.spec(game), date.fromisoformat(seed))
    assert puzzle and puzzle.level == int(level)
    answer = visitor.get(f"/puzzles/{game}/{level}/{seed}")
    assert answer.status_code == 200 and puzzle.task in unescape(answer.text)


@every_game
def test_the_puzzle_of_tomorrow_cannot_be_opened_today(visitor: TestClient, game: str) -> None:
    tomorrow = puzzles.today() + timedelta(days=2)
    for level in LEVELS:
        answer = visitor.get(f"/puzzles/{game}/{level}/{tomorrow}")
        assert answer.status_code == 404 and "still to come" in answer.text
    assert send(visitor, f"/puzzles/{game}/1/{tomorrow}", "1").status_code == 404
    assert send(visitor, "/puzzles/no-such-game/1/x", "1").status_code == 404


def test_no_other_address_leads_to_the_puzzle_of_tomorrow() -> None:
    assert not puzzles.SEED.fullmatch(DAILY_WALK) and not puzzles.SEED.fullmatch(f"{DAILY_WALK}7")


def test_the_next_puzzle_is_another_one(visitor: TestClient) -> None:
    link = "/puzzles/new?game=range-war&level=3&after=abc"
    answer = visitor.get(link, follow_redirects=False)
    assert answer.headers["location"] == "/puzzles/range-war/3/abc.2"
    hostile = visitor.get("/puzzles/new?game=range-war&level=3&after=../../x", follow_redirects=False)
    assert re.fullmatch(r"/puzzles/range-war/3/[0-9a-f]{8}", hostile.headers["location"])


@table(
    "address",
    [
        "/puzzles/no-such-game/1/x",
        "/puzzles/range-war/6/x",
        "/puzzles/range-war/1/%3Cscript%3E",
        "/puzzles/range-war/1/" + "x" * 41,
        "/puzzles/new?game=range-war&level=99",
    ],
)
def test_what_is_no_puzzle_leads_to_those_there_are(visitor: TestClient, address: str) -> None:
    answer = visitor.get(address)
    assert answer.status_code == 404
    assert 'role="alert"' in answer.text
    assert 'href="/puzzles/range-war/' in answer.text
    assert "<script>" not in answer.text


@table("move", ["99", "abc", "<script>alert(1)</script>", '"><img src=x>', "9" * 5000, "\x00"])
def test_what_is_no_move_is_refused_and_escaped(visitor: TestClient, move: str) -> None:
    answer = visitor.get(HERE, params={"move": move})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert "<script>alert" not in answer.text and "<img src=x" not in answer.text
    assert 'name="move"' in answer.text
    assert len(answer.text) < 20_000


def test_a_hostile_answer_cannot_leave_the_site(visitor: TestClient) -> None:
    answer = send(visitor, HERE, "\r\nLocation: https://evil.example/&solution=1", follow=False)
    assert answer.headers["location"].startswith(f"{HERE}?move=%0D%0A")
    assert "&" not in answer.headers["location"]


@table(
    "fault, status, said",
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
        answer = server.client.get(HERE)
    assert answer.status_code == status
    assert said in answer.text and "secret" not in answer.text
