"""A server on this machine that speaks the protocol of chat completions and behaves as a script tells it.

    with ChatServer([busy(), "MOVE: 5"]) as server:
        player = ChatPlayer("any", Terms(base_url=server.url), sleep=naps.append)

Each request takes the next behaviour of the script; when it has run out, every request is answered by
`otherwise`: the first legal move that the prompt lists. A plain text stands for an answer with that content.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from numberduels.players.model_options import BASE_URL


@dataclass(frozen=True)
class Asked:
    """One request as it came in; the names of its headers are in small letters."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, str]]:
        return list(self.body["messages"])

    @property
    def prompt(self) -> str:
        """All messages, one after the other."""
        return "\n".join(message["content"] for message in self.messages)


@dataclass(frozen=True)
class Answer:
    """What goes back: after a delay in seconds, or piece by piece, or not at all."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    delay: float = 0.0
    drop: bool = False
    """Hang up without a word."""
    cut: int = 0
    """Announce so many bytes more than are sent."""
    pause: float = 0.0
    """Seconds after every single byte."""


Behaviour = Callable[[Asked], Answer]


def say(text: Any, *, tokens: tuple[int, int] | None = (11, 3), **message: Any) -> Behaviour:
    """Answer with this content, and with these counts of tokens; other fields of the message may be given."""
    body: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, **message},
                "finish_reason": "stop",
            }
        ],
    }
    if tokens:
        body["usage"] = {
            "prompt_tokens": tokens[0],
            "completion_tokens": tokens[1],
            "total_tokens": sum(tokens),
        }
    return send(body)


def send(body: Any, status: int = 200, **headers: str) -> Behaviour:
    """Answer with this body: bytes as they are, anything else as JSON. `retry_after="2"` gives a header."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-").title(): value for name, value in headers.items()}
    return lambda _: Answer(status, data, {"Content-Type": "application/json"} | named)


def fail(status: int, message: str = "", **headers: str) -> Behaviour:
    """Answer with an error as these servers word it."""
    return send({"error": {"message": message, "type": "error"}}, status, **headers)


def busy(after: str = "2") -> Behaviour:
    """Too many requests; come back after so many seconds, or at that date."""
    return fail(429, "Slow down.", **({"retry_after": after} if after else {}))


def slow(seconds: float, then: str = "MOVE: 1") -> Behaviour:
    """Answer late."""
    return lambda asked: Answer(body=say(then)(asked).body, delay=seconds)


def drip(pause: float, then: str = "MOVE: 1") -> Behaviour:
    """Answer byte by byte."""
    return lambda asked: Answer(body=say(then)(asked).body, pause=pause)


def drop(_: Asked) -> Answer:
    """Hang up without a word."""
    return Answer(drop=True)


def cut_off(_: Asked) -> Answer:
    """Hang up in the middle of the body."""
    return Answer(body=b'{"choices": [{"mess', cut=100)


def echo(asked: Asked) -> Answer:
    """Send the request back as the content of the answer, headers and all."""
    return say(json.dumps({"path": asked.path, "headers": asked.headers, "body": asked.body}))(asked)


def legal(prompt: str) -> list[str]:
    """The legal moves that a prompt lists."""
    found = re.findall(r"^Legal moves: (.+)$", prompt, re.MULTILINE)
    assert found, f"no legal moves in: {prompt}"
    return str(found[-1]).split(", ")


def first_legal(asked: Asked) -> Answer:
    """Answer with the first legal move that the prompt lists, after a word of reasoning."""
    return say(f"The first will do.\nMOVE: {legal(asked.prompt)[0]}")(asked)


class ChatServer:
    """Listens on a free port of this machine, at `url`, while the `with` lasts; `asked` are the requests.

    Meanwhile it is the server that the environment names.
    """

    def __init__(self, script: Iterable[Behaviour | str] = (), otherwise: Behaviour = first_legal) -> None:
        self.script = [say(each) if isinstance(each, str) else each for each in script]
        self.otherwise = otherwise
        self.asked: list[Asked] = []
        self.open = self.most_open = 0
        """Requests in hand now, and the most there ever were at once."""
        self.first = threading.Event()
        """Set by the first request."""
        self.closing = threading.Event()
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                server.handle(self)

            def do_GET(self) -> None:
                server.handle(self)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the library's name
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> ChatServer:
        self._thread.start()
        self._before = os.environ.get(BASE_URL)
        os.environ[BASE_URL] = self.url
        return self

    def __exit__(self, kind: type[BaseException] | None, _: object, __: TracebackType | None) -> None:
        if self._before is None:
            os.environ.pop(BASE_URL, None)
        else:
            os.environ[BASE_URL] = self._before
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def handle(self, request: BaseHTTPRequestHandler) -> None:
        data = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in request.headers.items()}
        asked = Asked(request.path, headers, json.loads(data) if data else {})
        with self._lock:
            self.asked.append(asked)
            self.first.set()
            self.open += 1
            self.most_open = max(self.most_open, self.open)
            behaviour = self.script.pop(0) if self.script else self.otherwise
        try:
            self._answer(request, behaviour(asked))
        except OSError:
            pass  # who asked did not wait
        finally:
            request.close_connection = True

    def _answer(self, request: BaseHTTPRequestHandler, answer: Answer) -> None:
        if answer.delay:
            self.closing.wait(answer.delay)
        with self._lock:
            self.open -= 1  # before the client can know that it is answered
        if answer.drop:
            return
        request.send_response(answer.status)
        for name, value in answer.headers.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(answer.body) + answer.cut))
        request.end_headers()
        step = 1 if answer.pause else len(answer.body) or 1
        for at in range(0, len(answer.body), step):
            request.wfile.write(answer.body[at : at + step])
            if answer.pause and self.closing.wait(answer.pause):
                return
