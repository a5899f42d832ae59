"""The limits of one address, with a clock that stands still, so that every count is exact."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from numberduels.web.http.cpu_share import CpuMeter
from numberduels.web.http.rate_limits import HOUR, RateLimits, TokenBucket
from numberduels.web.settings import Settings, limits, option_flag

from .in_process import Clock, InProcessServer, in_process

DOCUMENT = Path(__file__).parents[2] / "docs" / "hosting.md"

Open = Callable[..., InProcessServer]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens a server with some limits other than the defaults."""
    servers = []

    def open_one(**settings: Any) -> InProcessServer:
        server = in_process(Settings(store=str(tmp_path / "duels.sqlite"), **settings))
        servers.append(server)
        return server.__enter__()

    yield open_one
    for server in servers:
        server.__exit__(None, None, None)


def begin(visitor: TestClient) -> str:
    answer = visitor.post("/new", data={"game": "range-war", "mode": "here"})
    assert answer.status_code == 303
    return str(answer.headers["location"])


def test_so_many_requests_at_once_and_more_when_time_has_passed(opened: Open) -> None:
    server = opened(rate=2.0, burst=5)
    visitor = server.visitor()

    def post() -> int:
        return visitor.post("/api/duels/nothing/move").status_code

    assert [post() for _ in range(7)] == [404] * 5 + [429] * 2
    refused = visitor.post("/api/duels/nothing/move")
    assert (refused.json()["key"], refused.headers["retry-after"]) == ("many_requests", "1")
    assert "at most 2 a second" in refused.json()["error"]
    assert visitor.get("/").status_code == 200, "whoever does too much may still look"
    assert server.visitor("10.0.0.2").post("/api/duels/nothing/move").status_code == 404
    server.clock.now += 1
    assert [post() for _ in range(3)] == [404, 404, 429]


def test_looking_has_a_limit_and_files_and_machines_have_none(opened: Open) -> None:
    visitor = opened(look_rate=1.0, look_burst=3).visitor()
    assert [visitor.get("/api/games").status_code for _ in range(4)] == [200] * 3 + [429]
    for path in ("/static/site.js", "/static/icon.svg", "/healthz", "/metrics"):
        assert visitor.get(path).status_code == 200
    assert visitor.post("/static/site.js").status_code == 405


def test_new_games_and_rematches_have_a_limit_of_their_own(opened: Open) -> None:
    server = opened(games=3)
    visitor = server.visitor()
    place = begin(visitor)
    statuses = []
    for _ in range(4):
        visitor.post(f"{place}/resign")
        answer = visitor.post(f"{place}/rematch")
        statuses.append(answer.status_code)
        place = answer.headers.get("location", place)
    assert statuses == [303, 303, 429, 429]
    made = visitor.post("/api/duels", json={"game": "range-war", "mode": "here"})
    assert (made.status_code, made.json()["key"]) == (429, "many")
    server.clock.now += HOUR / 3
    begin(visitor)


def test_what_the_processor_does_is_measured_for_each_address(opened: Open) -> None:
    server = opened()
    visitor = server.visitor()
    working = server.app.limits.cpu_seconds
    for path in ("/static/site.js", "/healthz"):
        server.processor.step = 0.001
        assert visitor.get(path).status_code == 200
    assert working.tokens("10.0.0.1") == working.burst, "files and machines are free"
    assert visitor.get(begin(visitor)).status_code == 200
    assert working.tokens("10.0.0.1") <= working.burst - 0.002
    assert working.tokens("10.0.0.2") == working.burst


def test_requests_of_an_address_that_has_used_its_share_wait_and_nobody_else_s() -> None:
    async def work() -> None:
        clock, processor = Clock(), Clock()
        meter = CpuMeter(TokenBucket(1_000.0, 5, clock), 2, processor)
        steps: list[str] = []

        async def request(name: str, cost: float) -> str:
            try:
                for _ in range(3):
                    steps.append(name)
                    processor.now += cost
                    await asyncio.sleep(0)
            except asyncio.CancelledError:
                steps.append(f"{name} cancelled")
                raise
            return name

        first = asyncio.ensure_future(meter.run("greedy", request("greedy", 10)))
        assert await meter.run("stranger", request("stranger", 1)) == "stranger"
        assert steps.count("greedy") == 1, "time stands still: there is nothing left"
        assert not meter.full("greedy")
        second = asyncio.ensure_future(meter.run("greedy", request("greedy again", 0)))
        while not meter.full("greedy"):
            await asyncio.sleep(0.001)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert steps[-1] == "greedy cancelled" and not meter.full("greedy")
        clock.now += 1
        assert await second == "greedy again"
        assert not meter._waiting

    asyncio.run(asyncio.wait_for(work(), 60))


def test_too_many_requests_that_wait_for_their_share_are_refused(opened: Open) -> None:
    server = opened(work_waiting=1)
    server.app.meter._waiting["10.0.0.1"] = 1
    refused = server.visitor().get("/")
    assert (refused.status_code, "at most 1 may wait" in refused.text) == (429, True)
    assert server.visitor("10.0.0.2").get("/").status_code == 200


# Sizes

ABSURD: list[tuple[str, dict[str, Any]]] = [
    ("range-war", {"size": 10_000}),
    ("range-war", {"size": 101}),
    ("range-war", {"size": "9" * 5_000}),
    ("restricted-removal", {"size": 10_000}),
    ("summation-duel", {"size": 100, "target": 5_000}),
    ("summation-duel", {"size": 10_000, "target": 50_000_000}),
    ("number-snatch", {"size": 10_000, "top": 10_000}),
    ("number-snatch", {"top": 999_999_999}),
    ("number-snatch", {"numbers": list(range(1, 1_500))}),
    ("number-snatch", {"numbers": ["9" * 5_000]}),
    ("number-collision", {"size": 100, "values": 100}),
    ("number-collision", {"size": 10_000, "values": 10_000}),
]


def test_absurd_sizes_are_refused_without_the_engine(opened: Open) -> None:
    server = opened()
    for game, sizes in ABSURD:
        data = {"game": game, "options": sizes, "level": "perfect"}
        answer = server.visitor().post("/api/duels", json=data)
        assert answer.status_code == 422, (game, sizes)
        assert len(answer.json()["error"]) < 200
    assert not server.question_pool.asked and not server.move_pool.asked


def test_the_host_says_what_is_absurd(opened: Open) -> None:
    server = opened(largest=20, legal_moves=15)
    sizes = {size: server.visitor().post("/api/duels", json=sized(size)).status_code for size in (15, 16, 21)}
    assert sizes == {15: 201, 16: 409, 21: 422}


def sized(size: int) -> dict[str, Any]:
    return {"game": "range-war", "mode": "here", "options": {"size": size}}


# Schools: many people at one address

PEOPLE = 45
CLASS = 30


def test_all_of_a_school_can_open_the_page_at_once(opened: Open) -> None:
    server = opened()
    for _ in range(PEOPLE):
        visitor = server.visitor()
        assert visitor.get("/").status_code == 200
        assert visitor.get(begin(visitor)).status_code == 200


def test_a_class_can_play_all_afternoon() -> None:
    """Everybody moves every two seconds, sees both sides' moves, and begins a game every two minutes."""
    clock = Clock()
    limit = RateLimits(Settings(), clock)
    for second in range(0, 240, 2):
        clock.now = float(second)
        for _ in range(CLASS):
            assert limit.writes.take("school")
            assert limit.reads.take("school") and limit.reads.take("school")
            if second % 120 == 0:
                assert limit.writes.take("school")
                assert limit.new_games.take("school")
    games_an_hour = CLASS * HOUR / 120
    assert limit.new_games.rate * HOUR > games_an_hour, "so that what was used comes back in time"
    assert Settings().streams_each > 2 * CLASS
    assert Settings().questions > CLASS


# Every limit is an option


def test_every_limit_is_documented_with_its_default() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for each in limits():
        shown = f"{each.default:,g}" if isinstance(each.default, float) else f"{each.default:,}"
        assert f"| `{option_flag(each.name)}` | {shown} | {each.metadata['about']} |" in text


def test_every_setting_reaches_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBERDUELS_SERVE", "")  # which is put back
    settings = replace(Settings(), hosts=("a.example",), trust="127.0.0.1", rate=0.5, keep_days=3)
    settings.to_environment()
    assert Settings.from_environment() == settings
