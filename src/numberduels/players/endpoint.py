"""Endpoint: requests to an OpenAI-compatible server, with retries, deadlines and a concurrency limit."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any
from urllib.parse import urlsplit

from numberduels.players.model_options import (
    BASE_URL,
    KEYS,
    NO_OPTIONS,
    ModelOptions,
    check_base_url,
    read_variable,
)
from numberduels.players.player import Forfeit
from numberduels.players.replies import (
    Reply,
    RequestFailure,
    Secrets,
    one_line,
    parse_completion,
    parse_error_response,
)

TRIES = 5
FIRST_WAIT = 1.0
"""Seconds before the first retry, reduced by random jitter; doubled for each further retry."""
LONGEST_WAIT = 60.0
"""The longest wait between two tries, in seconds, whatever Retry-After says."""
LARGEST_REPLY = 1 << 20
"""The most bytes of a reply."""
LONGEST_TRY = 86_400.0
"""The longest timeout in seconds; sockets refuse an infinite one."""

LOCAL = re.compile(r"localhost|127(\.[0-9]+){3}|::1", re.IGNORECASE)

ChatMessage = dict[str, str]
"""One message of a conversation: its role and its content."""


class Endpoint:
    """A chat server. Keys are read for each request and not stored.

    >>> Endpoint("localhost:8000")
    Traceback (most recent call last):
    ValueError: a base URL begins with http:// or https:// and a host, such as http://localhost:8000/v1
    """

    def __init__(
        self,
        base_url: str = "",
        *,
        options: ModelOptions = NO_OPTIONS,
        seconds: float = 30.0,
        concurrency: int = 8,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        rng: Random | None = None,
    ) -> None:
        """Use the base URL of the options, this one, or that of NUMBERDUELS_BASE_URL.

        `rng` is for the jitter of retries.
        """
        self.base_url = check_base_url(options.base_url or base_url or os.environ.get(BASE_URL, ""))
        self.options = options
        self.seconds = min(seconds, LONGEST_TRY)
        self.concurrency = max(1, concurrency)
        self.sleep = sleep
        self.clock = clock
        self.rng = rng or Random()

    def ask(
        self,
        model: str,
        messages: Sequence[ChatMessage],
        before_request: Callable[[], None] = lambda: None,
    ) -> Reply:
        """The next message of the model; raises Forfeit if all tries fail.

        `before_request` is called before each request; what it raises prevents the request.
        """
        body = json.dumps(request_body(model, messages, self.options)).encode()
        tried = 0
        while True:
            tried += 1
            with request_slots(self.base_url, self.concurrency):
                before_request()
                found = self._once(body)
            if isinstance(found, Reply):
                return found
            if not found.again or tried == TRIES:
                break
            self.sleep(self._wait(tried, found.wait))
        times = f" ({tried} tries)" if tried > 1 else ""
        raise Forfeit(found.cause, f"{found.message}{times}.")

    def _wait(self, tried: int, retry_after: float | None) -> float:
        """Seconds before the next try: exponential backoff with jitter."""
        if retry_after is not None:
            return min(retry_after + self.rng.uniform(0, FIRST_WAIT), LONGEST_WAIT)
        return min(FIRST_WAIT * (1 << tried - 1), LONGEST_WAIT) * self.rng.uniform(0.5, 1)

    def _once(self, body: bytes) -> Reply | RequestFailure:
        """Send the request once."""
        try:
            url, headers, secrets = self._address()
        except ValueError as fault:
            return RequestFailure(str(fault), again=False)
        request = urllib.request.Request(url, body, headers, method="POST")
        started = self.clock()
        with RequestDeadline(self.seconds) as deadline:
            got = send_request(request, deadline, secrets)
        if isinstance(got, RequestFailure):
            return got
        status, got_headers, data = got
        if status != 200:
            return parse_error_response(status, got_headers, data, secrets)
        found = parse_completion(data, secrets)
        return found._replace(seconds=self.clock() - started) if isinstance(found, Reply) else found

    def _address(self) -> tuple[str, dict[str, str], Secrets]:
        """The URL and the headers of a request, and the secrets in them; ValueError if one cannot be sent."""
        named = {name: _key(variable) for name, variable in self.options.secret_headers.items()}
        if self.options.api_key_env is None:
            key = next((key for name in KEYS if (key := read_variable(name))), "")
        else:
            key = _key(self.options.api_key_env) if self.options.api_key_env else ""
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        headers |= {"Authorization": f"Bearer {key}"} if key else {}
        headers |= {**self.options.headers, **named}
        url = f"{self.base_url}/chat/completions{'?' * bool(self.options.query)}{self.options.query}"
        return url, headers, tuple(filter(None, (key, *named.values())))


def _key(variable: str) -> str:
    """The key in an environment variable; ValueError if it is not set."""
    key = read_variable(variable)
    if not key:
        raise ValueError(f"The environment variable {variable} is not set")
    return key


def request_body(model: str, messages: Sequence[ChatMessage], options: ModelOptions) -> dict[str, Any]:
    """The JSON data of a request."""
    return {"model": options.model or model, "messages": list(messages), **options.body}


# Concurrency


_slots: dict[tuple[str, int], threading.Semaphore] = {}

if hasattr(os, "register_at_fork"):
    # A forked child has no threads that would release their slots.
    os.register_at_fork(after_in_child=_slots.clear)


def request_slots(base_url: str, most: int) -> threading.Semaphore:
    """The slots of this process for requests to a server, of which so many may be open."""
    return _slots.setdefault((base_url, most), threading.Semaphore(most))


# One request


class RequestDeadline:
    """Closes a connection when the time is up, even if data still arrives."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.late = False
        self.reached = False
        """Whether a connection was made; a timeout after that is the server's."""
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> RequestDeadline:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._socket = None

    def watched(self, kind: type[http.client.HTTPConnection]) -> Callable[..., http.client.HTTPConnection]:
        """A maker of connections of this kind that are closed at the deadline."""

        def make(*arguments: Any, **options: Any) -> http.client.HTTPConnection:
            connection = kind(*arguments, **options)
            plain_connect = connection.connect

            def connect() -> None:
                plain_connect()
                self.reached = True
                self._socket = connection.sock
                if self.late:
                    self._end()

            connection.connect = connect  # type: ignore[method-assign]
            return connection

        return make

    def _end(self) -> None:
        self.late = True
        if self._socket is not None:
            with suppress(OSError):
                # Not the method of the TLS socket, which another thread is reading from.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class _Connections(urllib.request.HTTPSHandler, urllib.request.HTTPHandler):
    """Opens connections with a deadline."""

    def __init__(self, deadline: RequestDeadline) -> None:
        super().__init__()
        self.deadline = deadline

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(self.deadline.watched(http.client.HTTPConnection), req)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(self.deadline.watched(http.client.HTTPSConnection), req)


Response = tuple[int, Mapping[str, str], bytes]
"""Status, headers and body."""


def send_request(
    request: urllib.request.Request, deadline: RequestDeadline, secrets: Secrets = ()
) -> Response | RequestFailure:
    """Send a request and return the response of any status; redirects are not followed."""
    # Without urllib's handlers for redirects and errors: the key must not be sent to another host.
    opener = urllib.request.OpenerDirector()
    near = LOCAL.fullmatch(urlsplit(request.full_url).hostname or "")
    opener.add_handler(urllib.request.ProxyHandler({} if near else None))
    opener.add_handler(_Connections(deadline))
    opener.add_handler(urllib.request.UnknownHandler())  # or a proxy of an unknown kind would return None
    late = RequestFailure(f"There was no answer within {deadline.seconds:g} seconds", "timeout")
    try:
        with opener.open(request, timeout=deadline.seconds) as response:
            data = response.read(LARGEST_REPLY + 1)
            got = response.status, {name.lower(): value for name, value in response.headers.items()}, data
    except urllib.error.URLError as fault:  # before any response
        if deadline.late and deadline.reached:
            return late
        return RequestFailure(f"The server cannot be reached: {one_line(str(fault.reason), secrets)}")
    except TimeoutError:
        return late
    except (OSError, http.client.HTTPException, ValueError) as fault:
        why = one_line(str(fault), secrets) or type(fault).__name__
        return late if deadline.late else RequestFailure(f"The connection broke: {why}")
    if deadline.late:
        return late
    if len(data) > LARGEST_REPLY:
        return RequestFailure(f"The server's reply is larger than {LARGEST_REPLY:,} bytes")
    return got
