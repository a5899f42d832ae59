"""Connections without a network: the socket is a list of bytes, and time passes when a test says so."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from numberduels.web.http.connections import (
    ANSWER,
    DROPPED,
    NEVER,
    SEND_BUFFER,
    STATE,
    Connection,
    ConnectionLimits,
)
from numberduels.web.http.metrics import Metrics
from numberduels.web.settings import ServerSettings

GET = b"GET /page HTTP/1.1\r\nhost: x\r\n\r\n"
POST = b"POST /page HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\n"
ARRIVAL = ServerSettings().arrival
IDLE = 2 * ARRIVAL
HIGH_WATER = 65_536


class StillLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is set by the test."""

    now = 0.0

    def time(self) -> float:
        return self.now


class Wire(asyncio.Transport):
    """A socket: what was written to it, and whether it is read and open."""

    def __init__(self, loop: StillLoop, host: str, end: socket.socket | None = None) -> None:
        super().__init__({"peername": (host, 50_000), "socket": end})
        self.loop = loop
        self.protocol: Any = None
        self.written = b""
        self.unsent = 0
        self.reads = self.open = True
        self.client_reads = True
        self.ended = self.lost = False

    def write(self, data: Any) -> None:
        self.written += data
        if not self.client_reads:
            self.unsent += len(data)
            if self.unsent > HIGH_WATER:
                self.protocol.pause_writing()

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def client_takes(self, number: int) -> None:
        self.unsent -= number
        if not self.unsent:
            self.protocol.resume_writing()

    def pause_reading(self) -> None:
        assert self.reads
        self.reads = False

    def resume_reading(self) -> None:
        assert not self.reads
        self.reads = True

    def is_closing(self) -> bool:
        return not self.open

    def write_eof(self) -> None:
        self.ended = True

    def close(self) -> None:
        if self.open and not self.unsent:
            self.abort()
        self.open = False

    def abort(self) -> None:
        self.open = False
        self.loop.call_soon(self._lose)

    def _lose(self) -> None:
        if not self.lost:
            self.lost = True
            self.protocol.connection_lost(None)


class Site:
    """A server whose application is given by the test, and that has no port."""

    def __init__(self, loop: StillLoop, open_files: int | None = None, **settings: Any) -> None:
        self.loop = loop
        self.metrics = Metrics()
        self.limits = ConnectionLimits(ServerSettings(**settings), self.metrics, open_files)
        self.wires: list[Wire] = []
        self.begun: list[str] = []
        """The paths of requests that the application was given."""
        self.answer: Callable[[Any], Awaitable[None]] = answer_shortly
        self.config = Config(
            self._app, interface="asgi3", lifespan="off", log_config=None, timeout_keep_alive=NEVER
        )
        self.state = ServerState()

    async def _app(self, scope: Any, _: Any, send: Any) -> None:
        self.begun.append(scope["path"])
        try:
            await self.answer(send)
        finally:
            scope["state"]["connection"].answered()

    def connect(self, host: str = "10.0.0.1", end: socket.socket | None = None) -> Wire:
        wire = Wire(self.loop, host, end)
        self.wires.append(wire)
        wire.protocol = Connection(self.config, self.state, {STATE: self.limits}, self.loop)
        wire.protocol.connection_made(wire)
        return wire

    async def send(self, wire: Wire, data: bytes) -> None:
        wire.protocol.data_received(data)
        await self.settle()

    async def settle(self) -> None:
        for _ in range(8):
            await asyncio.sleep(0)

    async def wait(self, seconds: float) -> None:
        end = self.loop.now + seconds
        while self.loop.now < end:
            self.loop.now = min(end, self.loop.now + 0.5)
            await self.settle()

    def refusals(self) -> dict[str, int]:
        text = self.metrics.text().decode()
        found = re.findall(r'numberduels_refusals_total{reason="(\w+)"} (\d+)', text)
        return {reason: int(number) for reason, number in found}


async def answer_shortly(send: Any, size: int = 5) -> None:
    headers = [(b"content-length", b"%d" % size)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"x" * size})


async def answer_at_length(send: Any) -> None:
    await answer_shortly(send, 2 * HIGH_WATER)


async def answer_never(_: Any) -> None:
    await asyncio.get_running_loop().create_future()


def on_site(test: Callable[[Site], Awaitable[None]], **settings: Any) -> None:
    """Run a test in a loop of its own."""
    loop = StillLoop()

    async def run() -> None:
        site = Site(loop, **settings)
        try:
            await test(site)
        finally:
            for wire in site.wires:
                wire.abort()
            await site.settle()
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(run())


def test_requests_of_one_connection_do_not_queue() -> None:
    async def attack(site: Site) -> None:
        answers: list[asyncio.Event] = []

        async def answer(send: Any) -> None:
            answers.append(asyncio.Event())
            await answers[-1].wait()
            await answer_shortly(send)

        site.answer = answer
        wire = site.connect()
        await site.send(wire, GET * 2_000)
        for number in range(1, 6):
            assert len(site.begun) == number
            assert len(wire.protocol._waiting) == (2_000 - number) * len(GET), "the others wait unread"
            answers[-1].set()
            await site.settle()
        assert wire.written.count(b"HTTP/1.1 200 OK") == 5
        await site.send(wire, GET * 1_000)
        assert not wire.reads and not wire.protocol._waiting, "too many wait: they are dropped"
        answers[-1].set()
        await site.settle()
        assert wire.lost and len(site.begun) == 6
        assert site.refusals() == {"pipelined": 1}

    on_site(attack)


def test_a_few_requests_may_be_sent_at_once_and_are_answered_in_order() -> None:
    async def visit(site: Site) -> None:
        wire = site.connect()
        paths = [b"/one", b"/two", b"/three"]
        await site.send(wire, b"\r\n".join(GET.replace(b"/page", path) for path in paths))
        assert site.begun == [path.decode() for path in paths]
        assert wire.written.count(b"HTTP/1.1 200 OK") == 3
        assert wire.open and wire.reads

    on_site(visit)


async def stream_once(send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await answer_never(send)


LAST = GET.replace(b"host", b"connection: close\r\nhost")
UPGRADE = GET.replace(b"host", b"connection: upgrade\r\nupgrade: h2c\r\nhost")

LINGERERS: list[tuple[list[bytes], Any, bool, float, str]] = [
    ([], answer_shortly, True, ARRIVAL, ""),
    ([GET[:-2]], answer_shortly, True, ARRIVAL, "late"),
    ([GET[place : place + 1] for place in range(12)], answer_shortly, True, ARRIVAL, "late"),
    ([GET], answer_shortly, True, IDLE, ""),
    ([GET, *[b"\r\n"] * 28], answer_shortly, True, IDLE, ""),
    ([GET, GET[:10]], answer_shortly, True, 1 + ARRIVAL, "late"),
    ([POST + b"x"], answer_never, True, ARRIVAL, "late"),
    ([POST, b"x"], answer_shortly, True, ARRIVAL, "late"),
    ([GET * 3], answer_at_length, False, ARRIVAL, "unread"),
    ([GET * 3, GET * 5_000], answer_at_length, False, ARRIVAL, "unread"),
    ([GET], answer_shortly, False, IDLE + ARRIVAL, "unread"),
    ([LAST], answer_shortly, False, 2 * ARRIVAL, "unread"),
    ([GET], answer_never, True, ANSWER, ""),
    ([GET], stream_once, True, 2 * ANSWER, ""),
    ([UPGRADE], answer_shortly, True, IDLE, ""),
]
"""What a client sends, a second apart; how it is answered; whether it reads; after how many seconds it is
dropped; the reason that is counted."""


def test_every_connection_has_a_deadline_at_every_moment() -> None:
    for number, (sent, answer, reads, seconds, reason) in enumerate(LINGERERS):

        async def attack(
            site: Site,
            row: int = number,
            sent: list[bytes] = sent,
            answer: Any = answer,
            reads: bool = reads,
            seconds: float = seconds,
            reason: str = reason,
        ) -> None:
            site.answer = answer
            wire = site.connect()
            wire.client_reads = reads
            for second, part in enumerate(sent):
                await site.wait(second - site.loop.now)
                await site.send(wire, part)
            await site.wait(seconds - 0.5 - site.loop.now)
            assert not wire.lost and site.limits.count == 1, row
            await site.wait(1)
            assert wire.lost and site.limits.count == 0, row
            refusals = {name: count for name, count in site.refusals().items() if name != "pipelined"}
            assert refusals == ({reason: 1} if reason else {}), row

        on_site(attack)


def test_an_unread_body_closes_the_connection_when_the_client_could_read_the_answer() -> None:
    async def visit(site: Site) -> None:
        wire = site.connect()
        await site.send(wire, POST + b"x")
        assert b"HTTP/1.1 200 OK" in wire.written
        assert wire.ended and not wire.lost, "closing now would reset the connection"
        await site.send(wire, b"xxxx" + GET)
        assert wire.lost and site.begun == ["/page"]
        endless = site.connect()
        await site.send(endless, POST.replace(b": 5", b": 999999999") + b"x")
        await site.send(endless, b"x" * DROPPED)
        assert endless.lost

    on_site(visit)


def test_a_slow_client_keeps_its_connection_while_it_reads() -> None:
    async def visit(site: Site) -> None:
        site.answer = answer_at_length
        wire = site.connect()
        wire.client_reads = False
        await site.send(wire, GET)
        for _ in range(10):
            wire.client_takes(8_192)
            await site.wait(ARRIVAL)
        assert wire.open
        wire.client_takes(wire.unsent)
        wire.client_reads = True
        await site.send(wire, GET)
        assert len(site.begun) == 2

    on_site(visit)


def test_a_stream_lasts_while_it_writes_and_is_read() -> None:
    async def visit(site: Site) -> None:
        async def stream(send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            while True:
                await send({"type": "http.response.body", "body": b": still here\n\n", "more_body": True})
                await asyncio.sleep(15)

        site.answer = stream
        wire = site.connect()
        await site.send(wire, GET)
        for _ in range(200):
            await site.wait(15)
        assert wire.open and wire.written.count(b"still here") == 201
        wire.client_reads = False
        for _ in range(int(ANSWER // 15) + 2):
            await site.wait(15)
        assert wire.lost and site.refusals() == {"unread": 1}

    on_site(visit)


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux can do that")
def test_the_system_holds_few_unread_bytes_and_drops_a_stream_whose_client_has_vanished() -> None:
    async def visit(site: Site) -> None:
        with socket.socket() as end:
            site.connect(end=end)
            held = end.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
            assert held in (SEND_BUFFER, 2 * SEND_BUFFER), "Linux doubles it"
            assert end.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == IDLE * 1_000

    on_site(visit)


def test_connections_are_limited_for_each_address_and_in_all_and_refusals_are_counted() -> None:
    async def attack(site: Site) -> None:
        first = [site.connect("10.0.0.1") for _ in range(4)]
        assert [b"HTTP/1.1 429" in wire.written for wire in first] == [False] * 3 + [True]
        network = [site.connect(f"2001:db8::{number}") for number in range(4)]
        assert b"HTTP/1.1 429" in network[-1].written, "a customer of IPv6 has a whole network"
        third = [site.connect("10.0.0.3") for _ in range(3)]
        assert b"HTTP/1.1 503" in third[-1].written
        assert (site.limits.count, site.refusals()) == (8, {"connections_each": 2, "connections": 1})
        await site.wait(ARRIVAL)
        assert all(wire.lost for wire in (*first, *network, *third))
        assert (site.limits.count, site.limits.refused) == (0, 0)
        again = site.connect("10.0.0.1")
        await site.send(again, GET)
        assert again.written.startswith(b"HTTP/1.1 200")

    on_site(attack, connections=8, connections_each=3)


def test_refused_connections_hold_few_descriptors() -> None:
    async def attack(site: Site) -> None:
        wires = [site.connect() for _ in range(1_000)]
        await site.settle()
        assert sum(not wire.lost for wire in wires) == 2 + 32
        assert all(wire.written.startswith(b"HTTP/1.1 429") for wire in wires[2:])

    on_site(attack, connections_each=2)


@pytest.mark.parametrize("trust", ["127.0.0.1,10.0.0.0/8", "*"])
def test_the_connections_of_a_trusted_proxy_are_those_of_many_visitors(trust: str) -> None:
    async def visit(site: Site) -> None:
        wires = [site.connect("10.1.2.3") for _ in range(10)]
        await site.settle()
        assert not any(wire.written for wire in wires), "none was refused"
        strangers = [site.connect("192.0.2.1") for _ in range(4)]
        assert b"429" in strangers[-1].written or trust == "*"

    on_site(visit, connections_each=3, trust=trust)


def test_there_are_fewer_connections_than_files_may_be_open() -> None:
    async def start(site: Site) -> None:
        assert (site.limits.most, site.limits.most_each) == (928, 400)

    async def start_small(site: Site) -> None:
        assert (site.limits.most, site.limits.most_each) == (104, 52), "one address gets at most half"

    on_site(start, open_files=1_024)
    on_site(start_small, open_files=200)


def test_headers_and_bodies_have_a_largest_size() -> None:
    async def attack(site: Site) -> None:
        chunked = POST.replace(b"content-length: 5", b"transfer-encoding: chunked")
        table = [
            (b"GET / HTTP/1.1\r\nx: " + b"a" * 70_000, b"431"),
            (b"GET / HTTP/1.1\r\nx: " + b"a" * 70_000 + b"\r\n\r\n", b"431"),
            (chunked + b"3\r\nabc\r\n0\r\n\r\n", b"411"),
            (POST.replace(b": 5", b": -5"), b"400"),
            (POST.replace(b": 5", b": " + b"9" * 50), b"400"),
            (POST.replace(b": 5", b": 5\r\ncontent-length: 6") + b"xxxxx", b"400"),
            (b"nonsense\r\n\r\n", b"400"),
        ]
        for sent, status in table:
            wire = site.connect()
            await site.send(wire, sent)
            assert wire.written.startswith(b"HTTP/1.1 " + status), sent[:100]
            assert wire.is_closing() or wire.ended or status == b"200", sent[:100]

    on_site(attack)


def test_a_body_that_is_too_long_is_not_read_while_its_request_waits() -> None:
    async def attack(site: Site) -> None:
        turn = asyncio.Event()

        async def answer(send: Any) -> None:
            await turn.wait()
            await answer_shortly(send)

        site.answer = answer
        wire = site.connect()
        await site.send(wire, POST.replace(b": 5", b": 1000000000"))
        pieces = 0
        while wire.reads and pieces < 100:
            await site.send(wire, b"x" * 65_536)
            pieces += 1
        assert pieces <= 2 and site.begun == ["/page"]
        turn.set()
        await site.settle()
        assert wire.written.endswith(b"xxxxx")
        assert wire.ended and wire.reads, "the client gets to read the answer"
        await site.send(wire, b"x" * DROPPED)
        assert wire.lost and site.refusals() == {}

    on_site(attack)


def test_a_body_that_is_too_long_and_has_arrived_closes_the_connection_at_once() -> None:
    async def visit(site: Site) -> None:
        wire = site.connect()
        length = ServerSettings().body + 1
        await site.send(wire, POST.replace(b": 5", b": %d" % length) + b"x" * length)
        assert wire.written.endswith(b"xxxxx") and wire.lost

    on_site(visit)
