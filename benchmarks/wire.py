"""A client that costs as little as may be: many connections in one process, just enough HTTP."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any


class Line:
    """One connection that stays open; one request at a time."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def open(self) -> Line:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        return self

    async def post(self, path: str, fields: dict[str, Any], token: str = "") -> tuple[int, Any]:
        """Send an object; the status and what came back."""
        body = json.dumps(fields).encode()
        head = [f"POST {path} HTTP/1.1", "Host: x", "Content-Type: application/json"]
        head += [f"Content-Length: {len(body)}", *([f"Authorization: Bearer {token}"] if token else [])]
        self.writer.write("\r\n".join([*head, "", ""]).encode() + body)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        data = await self.reader.readexactly(length)
        return int(answer[9:12]), json.loads(data)

    def close(self) -> None:
        self.writer.close()


class Watcher(asyncio.Protocol):
    """A stream: tells when each version arrived."""

    def __init__(self, path: str, arrived: Callable[[int, float], None], token: str = "") -> None:
        self.path = path
        self.token = token
        self.arrived = arrived
        self.ready = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        token = f"Authorization: Bearer {self.token}\r\n" if self.token else ""
        transport.write(f"GET {self.path} HTTP/1.1\r\nHost: x\r\n{token}\r\n".encode())

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        at = data.find(b"id: ")
        while at >= 0:
            self.arrived(int(data[at + 4 : data.index(b"\n", at)]), now)
            if not self.ready.done():
                self.ready.set_result(None)
            at = data.find(b"id: ", at + 4)


async def watch(port: int, path: str, arrived: Callable[[int, float], None], token: str = "") -> Watcher:
    """Open a stream, and wait until it has told the first state."""
    _, watcher = await asyncio.get_running_loop().create_connection(
        lambda: Watcher(path, arrived, token), "127.0.0.1", port
    )
    await watcher.ready
    return watcher
