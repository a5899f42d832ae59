"""The limits of one address, with a clock that stands still, so that every count is exact."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import asdict, replace
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from starlette.testclient import TestClient

from numberduels.web.http.app import _engine_pool
from numberduels.web.http.rate_limits import ADDRESS, HOUR, MOST_HELD, RateLimits, TokenBucket, Turns
from numberduels.web.match.subscriptions import MAX_WATCHED, Subscriptions, TooManySubscriptions
from numberduels.web.settings import OF_EACH_ADDRESS, ServerSettings

from .in_process import Clock, InProcessServer, in_process

DOCUMENT = Path(__file__).parents[2] / "docs" / "hosting.md"
SECURITY = Path(__file__).parents[2] / "SECURITY.md"

Open = Callable[..., InProcessServer]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens a server with some limits other than the defaults."""
    servers = []

    def open_one(**settings: Any) -> InProcessServer:
        server = in_process(ServerSettings(store=str(tmp_path / "duels.sqlite"), **settings))
        servers.append(server)
        return server.__enter__()

    yield open_one
    for server in servers:
        server.__exit__(None, None, None)


def begin(visitor: TestClient) -> str:
    answer = visitor.post("/new", data={"game": "range-war", "mode": "here"})
    assert answer.status_code == 303
    return str(answer.headers["location"])


def test_an_address_that_was_idle_for_long_has_no_more_than_a_burst() -> None:
    clock = Clock()
    bucket = TokenBucket(2.0, 5, clock)
    assert bucket.take("a")
    clock.now += HOUR
    assert [bucket.take("a") for _ in range(7)] == 5 * [True] + 2 * [False]


def test_subscriptions_are_limited_for_each_address_and_for_all_together() -> None:
    subscriptions = Subscriptions(most=3, most_each=2)
    opened = [subscriptions.open("match", "a"), subscriptions.open_for_visitor("key", "a")]
    for open_one in (subscriptions.open, subscriptions.open_for_visitor):
        with pytest.raises(TooManySubscriptions):
            open_one("either", "a")
    subscriptions.open("match", "b")
    with pytest.raises(TooManySubscriptions):
        subscriptions.open("match", "c")
    subscriptions.end(opened[0])
    subscriptions.open_for_visitor("key", "c")
    with pytest.raises(TooManySubscriptions):
        subscriptions.open_for_visitor("key", "d")
    for number in range(MAX_WATCHED + 1):
        subscriptions.watch(opened[1], f"match {number}")
    assert len(opened[1].match_ids) == MAX_WATCHED


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
    for path in ("/static/nothing", "/static/", "/static/site.js.map"):
        assert visitor.get(path).status_code == 429, "only files that exist are free"


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


async def take_turn(turns: Turns, address: str, order: list[str]) -> None:
    """A request of this address, which notes when its turn has come."""
    ADDRESS.set(address)
    await turns.take()
    order.append(address)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


def test_a_request_waits_for_at_most_one_of_every_other_address() -> None:
    """In each row, requests of a stranger are among floods of others, which were sent in this order."""
    flood, other, stranger = ["flood"] * 500, ["other"] * 500, ["stranger"]

    async def work(sent: list[str], order: list[str]) -> None:
        turns = Turns()
        tasks = [asyncio.create_task(take_turn(turns, address, order)) for address in sent]
        await asyncio.sleep(0)
        tasks[100].cancel()  # a client goes away
        await asyncio.gather(*tasks, return_exceptions=True)

    for sent in (flood + stranger, flood + stranger + other, flood + other + stranger, stranger + flood):
        order: list[str] = []
        run(work(sent, order))
        # The first request begins at once, before any other has come.
        assert order.index("stranger") <= len(set(sent)), sent[:3]
        assert len(order) == len(sent) - 1, "nobody is forgotten"


def test_one_request_begins_in_each_pass_of_the_event_loop() -> None:
    async def work() -> None:
        turns, begun = Turns(), list[str]()
        tasks = [asyncio.create_task(take_turn(turns, "a", begun)) for _ in range(10)]
        await asyncio.sleep(0)
        for _ in range(10):
            before = len(begun)
            await asyncio.sleep(0)
            assert len(begun) - before <= 1
        await asyncio.gather(*tasks)

    run(work())


def test_no_request_begins_while_connections_are_accepted_for_a_while() -> None:
    """A connection comes in each pass of the event loop, with a request; the last is the stranger's."""

    async def work(others: int, order: list[str]) -> None:
        turns, tasks = Turns(), []
        for address in ["flood"] * others + ["stranger"]:
            turns.arrive()
            tasks.append(asyncio.create_task(take_turn(turns, address, order)))
            await asyncio.sleep(0)
        assert bool(order) == (others > MOST_HELD), "connections that never end do not stop all requests"
        await asyncio.gather(*tasks)

    for others, most in ((100, 2), (MOST_HELD * 3, 5)):
        order: list[str] = []
        run(work(others, order))
        assert order.index("stranger") <= most, others


def test_every_request_takes_a_turn_of_its_address(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []

    async def take(_: Turns) -> None:
        taken.append(ADDRESS.get())

    monkeypatch.setattr(Turns, "take", take)
    server = opened(look_burst=1)
    for path in ("/", "/refused", "/static/site.js", "/healthz", "/metrics"):
        taken.clear()
        server.visitor("10.0.0.7").get(path)
        assert taken == ["10.0.0.7"], path


def test_requests_at_once_have_a_limit_for_each_address_even_behind_a_proxy(opened: Open) -> None:
    server = opened(connections_each=1)
    with server.app.limits.request("10.0.0.1"):
        refused = server.visitor().get("/")
        assert (refused.status_code, "at most 1 at once" in refused.text) == (429, True)
        assert refused.headers["connection"] == "close", "what else it has sent is not read"
        assert server.visitor("10.0.0.2").get("/").status_code == 200
    assert server.visitor().get("/").status_code == 200
    assert (
        b'numberduels_refusals_total{reason="many_requests"} 1.0' in server.visitor().get("/metrics").content
    )


def test_a_server_that_cannot_write_is_not_well(opened: Open) -> None:
    server = opened()
    assert server.visitor().get("/healthz").status_code == 200
    server.app.services.store.write_failed = monotonic()
    health = server.visitor().get("/healthz")
    assert (health.status_code, health.json()) == (503, {"status": "the store cannot be read or written"})
    server.app.services.store.write_failed = -inf
    assert server.visitor().get("/healthz").status_code == 200


def test_a_disk_without_room_for_an_event_is_noticed(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    server = opened()
    store = server.app.services.store
    connect = store._connect

    def almost_full() -> Any:
        connection = connect()
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + 3}")
        return connection

    monkeypatch.setattr(store, "_connect", almost_full)
    assert server.visitor().get("/healthz").status_code == 503


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
    limit = RateLimits(ServerSettings(), clock)
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
    assert ServerSettings().streams_each > 2 * CLASS
    assert ServerSettings().questions > CLASS


def test_the_documents_name_the_figure_of_every_limit() -> None:
    section = DOCUMENT.read_text(encoding="utf-8").partition("## Limits")[2].partition("\n## ")[0]
    told = [
        float(figure.replace(",", "")) for figure in re.findall(r"^\| ([\d,]+) \|", section, re.MULTILINE)
    ]
    settings = asdict(ServerSettings())
    limits = list(settings.items())[list(settings).index(OF_EACH_ADDRESS[0]) :]
    assert told == [value for _, value in limits]


def test_the_promises_to_visitors_name_the_figures_that_hold() -> None:
    told = " ".join(SECURITY.read_text(encoding="utf-8").split())
    limits = ServerSettings()
    for promise in (
        f"at most {limits.connections_each} connections and never more than half of all",
        f"{limits.streams_each} streams",
        f"{limits.rate:g} requests a second that change something",
        f"at most {limits.headers >> 10} kB waiting",
        f"{limits.arrival:g} seconds to send or to read and {2 * limits.arrival:g} to do nothing",
        f"bounded in time ({limits.seconds:g} seconds) and memory ({limits.memory >> 10} GB, `--memory`)",
    ):
        assert promise in told


def test_the_computer_is_bounded_in_time_memory_and_waiting_questions() -> None:
    pool = _engine_pool(ServerSettings(thinkers=3, seconds=4.0, memory=256, questions=5))
    assert (pool.workers, pool.seconds, pool.each) == (3, 4.0, 5)
    assert pool._worker_options[1] == 256 << 20


def test_every_setting_reaches_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBERDUELS_SERVE", "")  # which is put back
    settings = replace(ServerSettings(), hosts=("a.example",), trust="127.0.0.1", rate=0.5, keep_days=3)
    settings.to_environment()
    assert ServerSettings.from_environment() == settings
