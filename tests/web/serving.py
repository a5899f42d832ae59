"""A real `duel serve` in another process, and small clients that use it as bots do."""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager, closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import httpx2 as httpx

DUEL = str(Path(sys.executable).parent / "duel")
PATIENCE = 60.0
"""Seconds before something that hangs fails its test; nothing is timed by it."""

LIBC = ctypes.CDLL(None)

_addresses = count(1)


def somebody() -> dict[str, str]:
    """Headers of somebody at an address of their own, as the proxy in front of the server tells it."""
    number = next(_addresses)
    return {"x-forwarded-for": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}


class Server:
    """A server that can be stopped, killed and started again, on the same port and the same store."""

    def __init__(
        self,
        folder: Path,
        store: str = "",
        *options: str,
        limits: dict[int, int] | None = None,
        environment: dict[str, str] | None = None,
        settings: dict[str, Any] | None = None,
        trust: str = "127.0.0.1",
    ) -> None:
        # Bound, and not listened on, for as long as this lives: so nobody else is given the port meanwhile.
        self._held = socket.socket()
        self._held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._held.bind(("127.0.0.1", 0))
        self.port = int(self._held.getsockname()[1])
        self.store = store or str(folder / "duels.sqlite")
        self.options = options
        self.limits = limits or {}
        """Of the system's resources, for the process."""
        self.environment = {"NUMBERDUELS_SERVE": json.dumps(settings or {})} | (environment or {})
        """Variables beside those of the tests; the first has limits that no option sets."""
        self.trust = trust
        self.log = folder / "server.log"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it is well."""
        command = [DUEL, "serve", "--port", str(self.port), "--store", self.store]
        command += ["--thinkers", "1", *(("--trust", self.trust) if self.trust else ())]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, *self.options],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
                env=os.environ | self.environment,
                preexec_fn=self._limit,
            )
        self.until_well()

    def _limit(self) -> None:
        LIBC.prctl(1, signal.SIGKILL)  # it does not outlive the tests
        for kind, most in self.limits.items():
            resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))

    def until_well(self) -> None:
        assert self.process is not None
        process = self.process
        wait_until(lambda: self.well() or process.poll() is not None, self.log_text)
        assert process.poll() is None, self.log_text()

    def well(self) -> bool:
        with suppress(OSError, HTTPException):
            return self.get("/healthz")[0] == 200
        return False

    def get(self, path: str, headers: dict[str, str] | None = None) -> tuple[int, str]:
        """The status and the text of a page, by a new connection, which any worker may answer."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as connection:
            connection.request("GET", path, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def workers(self, count: int) -> set[int]:
        """The process ids of the workers, when so many have started."""
        found: set[int] = set()

        def ask() -> bool:
            with suppress(OSError, HTTPException):
                found.clear()
                found.update(map(int, re.findall(r'streams{pid="(\d+)"', self.get("/metrics")[1])))
            return len(found) == count

        wait_until(ask, lambda: f"only {found} have started")
        return found

    def kill(self) -> None:
        """Pull the plug of the server and of all that it has started."""
        assert self.process is not None
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process = None

    def stop(self) -> int:
        """Ask it to end, and wait; its status."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(PATIENCE)
        self.kill()
        return status

    def close(self) -> None:
        """End it, and give the port back."""
        if self.process is not None:
            self.kill()
        self._held.close()

    def log_text(self) -> str:
        return self.log.read_text(encoding="utf-8")

    def log_lines(self) -> list[dict[str, Any]]:
        """Every line of the log, each of which is JSON."""
        return [json.loads(line) for line in self.log_text().splitlines()]

    def metrics(self) -> dict[str, float]:
        """What the server counts, by name and labels."""
        return parsed_metrics(self.get("/metrics")[1])

    def visitor(self, **headers: str) -> httpx.Client:
        """Somebody at an address of their own."""
        return httpx.Client(base_url=self.url, headers=somebody() | headers, timeout=PATIENCE)


@contextmanager
def serving(folder: Path, store: str = "", *options: str, **settings: Any) -> Iterator[Server]:
    server = Server(folder, store, *options, **settings)
    try:
        server.start()
        yield server
    finally:
        server.close()


def wait_until(done: Callable[[], Any], why: Callable[[], str] = str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < deadline, why()
        time.sleep(0.03)


SAMPLE = re.compile(r'([a-z_]+)(?:\{((?:[a-z]+="[^"\\\n]*",?)*)\})? ([0-9.e+-]+)')


def parsed_metrics(text: str) -> dict[str, float]:
    """The samples of Prometheus' text format, added up over processes; other lines must be comments."""
    assert text.endswith("\n")
    found: dict[str, float] = {}
    for line in text.splitlines():
        if line.startswith("# "):
            assert re.fullmatch(r"# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge|histogram))", line), line
            continue
        sample = SAMPLE.fullmatch(line)
        assert sample, line
        labels = re.sub(r',?pid="\d+"', "", sample[2] or "")
        name = f"{sample[1]}{{{labels}}}" if labels else sample[1]
        found[name] = found.get(name, 0.0) + float(sample[3])
    return found


# Bots: bare connections, so that hundreds of them cost little


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Line:
    """One bot's connection, at an address of its own: kept open, and made anew when it is broken."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port = port
        self.headers = somebody()
        self.token = token
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, data: Any = None) -> Answer:
        """Ask once; OSError or EOFError when nobody answers."""
        try:
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self.port)
            reader, writer = self._streams
            writer.write(request(method, path, data, self._all_headers()))
            async with asyncio.timeout(PATIENCE):
                status, headers = await head(reader)
                body = await reader.readexactly(int(headers["content-length"]))
        except BaseException:
            self.close()
            raise
        if headers.get("connection") == "close":
            self.close()
        return Answer(status, headers, body)

    async def post(self, path: str, **data: Any) -> Answer:
        return await self.ask("POST", path, data)

    async def get(self, path: str) -> Answer:
        return await self.ask("GET", path)

    def _all_headers(self) -> dict[str, str]:
        return self.headers | ({"authorization": f"Bearer {self.token}"} if self.token else {})

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def patiently(self, method: str, path: str, data: Any = None) -> Answer:
        """Ask until there is an answer that is not a 503, as bots are to do."""
        async with asyncio.timeout(PATIENCE):
            while True:
                with suppress(OSError, EOFError):
                    answer = await self.ask(method, path, data)
                    if answer.status != 503:
                        return answer
                await asyncio.sleep(0.1)


def request(method: str, path: str, data: Any, headers: dict[str, str]) -> bytes:
    body = b"" if data is None else json.dumps(data).encode()
    lines = [f"{method} {path} HTTP/1.1", "host: 127.0.0.1", f"content-length: {len(body)}"]
    lines += ["content-type: application/json", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


async def head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """The status and the headers of an answer."""
    first, *rest = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    pairs = (line.partition(": ") for line in rest if line)
    return int(first.split()[1]), {name.lower(): value for name, _, value in pairs}


class Message(NamedTuple):
    """One event of a stream."""

    event: str
    id: int | None
    data: Any


class Unopened(Exception):
    """A stream that was not opened, and the status of the answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


async def events(
    port: int, path: str, seen: int = 0, headers: dict[str, str] | None = None
) -> AsyncGenerator[Message, None]:
    """The events of one connection, until it ends; Unopened where the answer is a refusal."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        last = {"last-event-id": str(seen)} if seen else {}
        writer.write(request("GET", path, None, (headers or somebody()) | last))
        status, told = await head(reader)
        if status != 200:
            raise Unopened(status)
        assert told["content-type"].startswith("text/event-stream")
        async for block in _blocks(reader, told.get("transfer-encoding") == "chunked"):
            fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
            if "event" in fields:
                number = int(fields["id"]) if "id" in fields else None
                yield Message(fields["event"], number, json.loads(fields["data"]))
    finally:
        writer.close()


async def _blocks(reader: asyncio.StreamReader, chunked: bool) -> AsyncIterator[str]:
    """What stands between empty lines."""
    text = b""
    while True:
        if chunked:
            size = int(await reader.readline() or b"0", 16)
            piece = await reader.readexactly(size) if size else b""
            await reader.readline()
        else:
            piece = await reader.read(65_536)
        if not piece:
            return
        text += piece
        *blocks, text = text.split(b"\n\n")
        for block in blocks:
            yield block.decode()


class Watcher:
    """Looks at a game as a browser does: says what it has seen, and comes back whenever the line is lost or
    the store is away."""

    def __init__(self, port: int, match: str) -> None:
        self.port = port
        self.path = f"/api/duels/{match}/stream"
        self.headers = somebody()
        self.state: dict[str, Any] = {}
        self.versions: list[int] = []
        self.connections = 0
        self.byes = 0

    async def watch(self) -> None:
        """Until cancelled, or until the game is over."""
        while self.state.get("status") != "over":
            try:
                seen = self.versions[-1] if self.versions else 0
                async with aclosing(events(self.port, self.path, seen, self.headers)) as stream:
                    self.connections += 1
                    async for message in stream:
                        if message.event == "bye":
                            self.byes += 1
                            break
                        assert message.id is not None
                        self.state = message.data
                        self.versions.append(message.id)
                        if self.state["status"] == "over":
                            return
            except (OSError, EOFError, ValueError):
                pass  # the line is lost
            except Unopened as refusal:
                assert refusal.status == 503, "nothing else keeps a watcher out"
            await asyncio.sleep(0.1)


@asynccontextmanager
async def watching(port: int, match: str) -> AsyncIterator[Watcher]:
    watcher = Watcher(port, match)
    task = asyncio.create_task(watcher.watch())
    try:
        yield watcher
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
