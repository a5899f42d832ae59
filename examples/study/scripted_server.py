"""A chat server that answers without a model, to try a study: `python scripted_server.py --port 8765`.

Each of its models follows a rule. It takes a move from the list of legal moves in the prompt, or, without
such a list, a number of the position, which may be illegal. The same prompt always gets the same answer.
"""

from __future__ import annotations

import argparse
import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LARGEST = 1 << 20
"""The most bytes of a request."""

Messages = Sequence[dict[str, str]]


def find_moves(messages: Messages) -> list[str]:
    """The legal moves that a prompt lists, or else the numbers of its position.

    >>> find_moves([{"content": "The position now: 1,2,3\\nLegal moves: 2, 3\\n\\nIt is your turn"}])
    ['2', '3']
    >>> find_moves([{"content": "The position now:\\nAvailable Numbers: 7,14\\n\\nIt is your turn"}])
    ['7', '14']
    """
    prompt = "\n".join(message["content"] for message in messages)
    listed = re.search(r"^Legal moves: (.+)$", prompt, re.MULTILINE)
    if listed:
        return listed[1].split(", ")
    position = prompt.rpartition("The position now:")[2].partition("It is your turn")[0]
    numbers = list(dict.fromkeys(re.findall(r"\d+", position)))
    if "@" in prompt:  # a move is a number and a position
        return [f"{number}@{number}" for number in numbers] or ["1@1"]
    return numbers or ["1"]


def _hash(messages: Messages) -> int:
    return int(sha256(json.dumps(messages).encode()).hexdigest()[:8], 16)


def lowest(messages: Messages, attempt: int) -> str:
    """The first of the moves; after a refusal, the next one."""
    moves = find_moves(messages[:2])
    return f"MOVE: {moves[attempt % len(moves)]}"


def highest(messages: Messages, attempt: int) -> str:
    """The last of the moves; after a refusal, the one before."""
    moves = find_moves(messages[:2])
    return f"I take the last one.\nMOVE: {moves[-1 - attempt % len(moves)]}"


def forgetful(messages: Messages, _attempt: int) -> str:
    """Any of the moves; every third answer states none."""
    moves, number = find_moves(messages[:2]), _hash(messages)
    if number % 3 == 0:
        return "I have thought about it for a while, and then forgot what to say."
    return f"MOVE: {moves[number // 3 % len(moves)]}"


MODELS: dict[str, Callable[[Messages, int], str]] = {
    "lowest": lowest,
    "highest": highest,
    "forgetful": forgetful,
}
"""The models by name."""


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        if size > LARGEST:
            self._send(413, {"error": {"message": "the request is too large"}})
            return
        try:
            body = json.loads(self.rfile.read(size))
            messages, model = list(body["messages"]), str(body["model"])
            prompt = "\n".join(str(message["content"]) for message in messages)
        except (ValueError, KeyError, TypeError):
            self._send(400, {"error": {"message": "this is not a request for a chat completion"}})
            return
        if model not in MODELS:
            told = f"there is no model {model[:80]}; there are {', '.join(MODELS)}"
            self._send(404, {"error": {"message": told}})
            return
        attempt = sum(message.get("role") == "assistant" for message in messages)
        text = MODELS[model](messages, attempt)
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        usage = {"prompt_tokens": len(prompt.split()), "completion_tokens": len(text.split())}
        self._send(200, {"object": "chat.completion", "choices": [choice], "usage": usage})

    def _send(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name in the base class
        """Print nothing."""


@contextmanager
def serving(port: int = 0) -> Iterator[str]:
    """Serve on this machine while the block runs; the base URL. Port 0 takes any free port."""
    server = ThreadingHTTPServer(("127.0.0.1", port), _Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("--port", type=int, default=8765)
    with serving(parser.parse_args().port) as url:
        print(f"Models at {url}: {', '.join(MODELS)}. Ctrl-C ends it.", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
