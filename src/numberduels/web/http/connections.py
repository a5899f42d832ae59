"""Connections: limited in number, in bytes and in time.

`duel serve` gives uvicorn `Connection` as its protocol. It stands between the socket and uvicorn's own
protocol, as the protocol of the one and the transport of the other, and hands over one request at a time.
Bytes of later requests wait unread, and every connection has a deadline at every moment.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from numberduels.web.http.metrics import Metrics
from numberduels.web.http.rate_limits import network_of
from numberduels.web.settings import ServerSettings

NEVER = 1 << 30
"""Seconds after which uvicorn closes idle connections, which is done here instead."""

ANSWER = 660.0
"""Seconds without a byte of the answer: far more than any answer takes."""

PROGRESS = 4_096
"""Bytes that a slow client must read before each deadline."""

DROPPED = 1 << 20
"""Bytes of an unread body that are dropped after the answer, so that the client gets to read the answer."""

SPARE_FILES = 64
"""Descriptors for everything but connections and engine processes."""

FILES_OF_ENGINE = 8
"""Descriptors for an engine process."""

MAX_DIGITS = 18
"""Digits of the length of a body."""

UNKNOWN_LENGTH, BAD_LENGTH = -1, -2

SEND_BUFFER = 1 << 17
"""Bytes of an answer that the system holds until the client reads them."""

STATE = "connections"
"""The name of the limits in the state that the application gives to uvicorn."""

EACH = "connections_each"
"""The reason of a refusal: one address has too many connections."""


class ConnectionLimits:
    """The open connections of this worker, in all and of each address."""

    def __init__(
        self,
        settings: ServerSettings,
        metrics: Metrics,
        open_files: int | None = None,
        on_arrival: Callable[[], None] = lambda: None,
    ) -> None:
        files = _open_files() if open_files is None else open_files
        others = SPARE_FILES + 2 * FILES_OF_ENGINE * settings.thinkers
        self.settings = settings
        self.metrics = metrics
        self.on_arrival = on_arrival
        """Called for each new connection."""
        self.most = max(2, min(settings.connections, files - others))
        self.most_each = min(settings.connections_each, self.most // 2)
        self.count = 0
        self.refused = 0
        """Refused connections whose clients have not read that yet."""
        self._by_address: Counter[str] = Counter()
        self._is_trusted = lru_cache(4_096)(self._find_trusted)

    def open(self, host: str) -> str:
        """Count a new connection; if it is one too many, the reason, and it is not counted."""
        address = network_of(host)
        if self.count >= self.most:
            return "connections"
        # Visitors behind a proxy share its address. There the requests of each visitor are limited instead.
        if self._by_address[address] >= self.most_each and not self._is_trusted(host):
            return EACH
        self._count(address, 1)
        return ""

    def close(self, host: str) -> None:
        """Forget a connection that was counted."""
        self._count(network_of(host), -1)

    def _count(self, address: str, number: int) -> None:
        self.count += number
        self.metrics.connections.set(self.count)
        self._by_address[address] += number
        if not self._by_address[address]:
            del self._by_address[address]

    def _find_trusted(self, host: str) -> bool:
        trust = self.settings.trust
        if trust == "*":
            return True
        try:
            return any(ip_address(host) in ip_network(each) for each in trust.split(",") if each)
        except ValueError:  # not an address
            return False


class Connection(asyncio.Protocol):
    """One connection, as uvicorn makes it. For uvicorn's own protocol it is the transport."""

    __slots__ = (
        "_arriving",
        "_blocked",
        "_busy",
        "_closing",
        "_deadline",
        "_due",
        "_host",
        "_http",
        "_idle",
        "_limits",
        "_loop",
        "_overfull",
        "_reading",
        "_refused",
        "_settings",
        "_transport",
        "_unsent",
        "_waiting",
        "_withheld",
        "_wrote",
        "body_left",
    )

    def __init__(self, config: Any, server_state: Any, app_state: dict[str, Any], _loop: Any = None) -> None:
        self._loop = _loop or asyncio.get_running_loop()
        self._limits: ConnectionLimits = app_state[STATE]
        self._settings = self._limits.settings
        self._idle = 2 * self._settings.arrival
        """Seconds that a connection may wait for its next request."""
        self._http: Any = AutoHTTPProtocol(  # type: ignore[call-arg]
            config=config, server_state=server_state, app_state=app_state | {"connection": self}, _loop=_loop
        )
        self._transport: Any = None
        self._host = ""
        self._refused = False
        self._waiting = b""
        """Bytes of requests that uvicorn was not given yet."""
        self._overfull = False
        """Whether there were too many of them: they are dropped, and this request is the last."""
        self._busy = False
        """Whether a request is being answered."""
        self.body_left = 0
        """Bytes of the body of this request that uvicorn was not given."""
        self._withheld = False
        """Whether its headers say that the body is too long. They are refused, so uvicorn gets none of it."""
        self._arriving = False
        """Whether a part of a request has arrived, and the rest has a deadline."""
        self._reading = True
        self._closing = False
        self._wrote = False
        """Whether a part of the answer was written since the deadline was set."""
        self._blocked = False
        """Whether the client reads so slowly that nothing more is written."""
        self._unsent = 0
        """Bytes that the client had not read when that was last checked; 0 while it keeps up."""
        self._due = 0.0
        self._deadline: asyncio.TimerHandle | None = None

    # The protocol of the socket

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._limits.on_arrival()
        self._host = (transport.get_extra_info("peername") or ("unknown",))[0]
        if reason := self._limits.open(self._host):
            self._refused = True
            self._limits.refused += 1
            self._refuse(reason, "429 Too Many Requests" if reason == EACH else "503 Service Unavailable")
            if self._limits.refused > SPARE_FILES // 2:
                transport.close()  # too few descriptors are left to wait until the client has read this
            return
        self._set_deadline(self._settings.arrival)
        _limit_socket(transport, self._idle)
        self._http.connection_made(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._closing, self._waiting = True, b""
        if self._deadline is not None:
            self._deadline.cancel()
        if self._refused:
            self._limits.refused -= 1
        else:
            self._limits.close(self._host)
            self._http.connection_lost(exc)

    def eof_received(self) -> None:
        """The transport closes itself."""

    def data_received(self, data: bytes) -> None:
        if not self._closing:
            self._waiting += data
            self._hand_over()
            return
        self.body_left -= len(data)
        if self.body_left <= 0:
            self._transport.close()

    def pause_writing(self) -> None:
        self._blocked = True
        self._unsent = self._transport.get_write_buffer_size()
        self._set_deadline(self._settings.arrival)
        self._http.pause_writing()

    def resume_writing(self) -> None:
        self._blocked = False
        self._unsent = 0
        if not self._closing:
            self._set_deadline(ANSWER if self._busy else self._idle)
        self._http.resume_writing()
        if self._overfull and not self._busy:
            self.close()
        self._hand_over()

    # The transport of uvicorn's protocol, which does not decide when bytes are read

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._transport.get_extra_info(name, default)

    def is_closing(self) -> bool:
        return self._closing or self._transport.is_closing()

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def write(self, data: bytes) -> None:
        self._wrote = True
        if not self._closing:
            self._transport.write(data)

    def close(self) -> None:
        """Close when everything is sent; if a body is still arriving, when the client has sent it."""
        if self.is_closing():
            return
        self.body_left -= len(self._waiting)
        self._closing, self._waiting = True, b""
        self._set_deadline(self._settings.arrival)
        if self.body_left > 0:
            self.body_left = min(self.body_left, DROPPED)
            self._transport.write_eof()
            self._read(True)
        else:
            self._transport.close()

    # Requests, one at a time

    def answered(self) -> None:
        """The application has answered: the next request may come."""
        self._loop.call_soon(self._after_answer)

    def _after_answer(self) -> None:
        if self.body_left or self._overfull:
            self.close()
        if self.is_closing():
            return
        self._busy = self._wrote = False
        if not self._blocked:
            self._set_deadline(self._idle)
            self._hand_over()

    def _hand_over(self) -> None:
        """Give uvicorn the rest of its request as it arrives; the next one when the last answer is read."""
        if self.is_closing() or self._overfull:
            return
        if self._busy:
            if self.body_left and not self._withheld:
                self._give(self.body_left)
        elif not self._blocked:
            self._waiting = self._waiting.lstrip(b"\r\n")
            if self._waiting:
                self._begin_request()
        if (self._busy or self._blocked) and len(self._waiting) > self._settings.headers:
            if not self._withheld:
                self._limits.metrics.refuse("pipelined")
            self._waiting, self._overfull = b"", True
            self._read(False)

    def _begin_request(self) -> None:
        """Give uvicorn the next request, if all of its headers are there; it must arrive in time."""
        most = self._settings.headers
        start = self._waiting.find(b"\r\n\r\n", 0, most) + 4
        if start < 4:
            if len(self._waiting) >= most:
                self._refuse("headers", "431 Request Header Fields Too Large")
            else:
                self._await_arrival()
            return
        length = body_length(self._waiting[: start - 2].lower())
        if length == UNKNOWN_LENGTH:
            self._refuse("length", "411 Length Required")
        elif length == BAD_LENGTH:
            self._refuse("length", "400 Bad Request")
        else:
            self._busy = True
            self.body_left = start + length
            self._withheld = length > self._settings.body
            self._give(start if self._withheld else self.body_left)

    def _await_arrival(self) -> None:
        if not self._arriving:
            self._arriving = True
            self._set_deadline(self._settings.arrival)

    def _give(self, most: int) -> None:
        part, self._waiting = self._waiting[:most], self._waiting[most:]
        self.body_left -= len(part)
        if not self.body_left:
            self._arriving = False
            self._set_deadline(ANSWER)
        else:
            self._await_arrival()
        self._http.data_received(part)

    def _read(self, reads: bool) -> None:
        """Read from the socket, or pause."""
        if reads != self._reading and not self._transport.is_closing():
            self._reading = reads
            (self._transport.resume_reading if reads else self._transport.pause_reading)()

    # Ends

    def _refuse(self, reason: str, status: str) -> None:
        """Answer with this status, and close."""
        self._limits.metrics.refuse(reason)
        text = f"{status}\n"
        head = f"HTTP/1.1 {status}\r\ncontent-type: text/plain\r\ncontent-length: {len(text)}\r\n"
        self._transport.write(f"{head}retry-after: 1\r\nconnection: close\r\n\r\n{text}".encode())
        self.body_left = DROPPED
        self.close()

    def _set_deadline(self, seconds: float) -> None:
        self._due = self._loop.time() + seconds
        if self._deadline is None or self._deadline.when() > self._due:
            self._set_timer()

    def _set_timer(self) -> None:
        """Set the timer. A deadline that is put off keeps its timer, which is set again when it has run."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self._loop.call_at(self._due, self._on_timer)

    def _on_timer(self) -> None:
        if self._loop.time() < self._due:
            self._set_timer()
        else:
            self._deadline = None
            self._on_deadline()

    def _on_deadline(self) -> None:
        before, self._unsent = self._unsent, self._transport.get_write_buffer_size()
        if self._unsent and (not before or self._unsent <= before - PROGRESS):  # a slow client may read on
            self._set_deadline(self._settings.arrival)
        elif self._busy and self._wrote and not (self._unsent or self._closing):  # a stream goes on
            self._wrote = False
            self._set_deadline(ANSWER)
        else:
            if self._unsent or self._arriving:
                self._limits.metrics.refuse("unread" if self._unsent else "late")
            self._transport.abort()


def body_length(head: bytes) -> int:
    r"""The number of bytes of a body, by the headers in lower case; unknown if it would come in chunks.

    >>> body_length(b"\r\ncontent-length: 5\r\n"), body_length(b"\r\ntransfer-encoding: chunked\r\n")
    (5, -1)
    """
    length = head.partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0].strip() or b"0"
    if not length.isdigit() or len(length) > MAX_DIGITS:
        return BAD_LENGTH
    return UNKNOWN_LENGTH if b"\r\ntransfer-encoding:" in head else int(length)


def _open_files() -> int:
    """The number of descriptors that this process may have."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows has no such limit
        return 1 << 20
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 1 << 20 if most == resource.RLIM_INFINITY else most


def _limit_socket(transport: Any, seconds: float) -> None:
    """Let the system hold few unread bytes, and close connections whose client took nothing for so long.

    Event streams write so little that it would never be noticed otherwise.
    """
    end = transport.get_extra_info("socket")
    if getattr(end, "family", None) in (socket.AF_INET, socket.AF_INET6):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(seconds * 1_000))
