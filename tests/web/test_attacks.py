"""Attacks of one address on a real server: what it holds is counted, and what another visitor is answered."""

from __future__ import annotations

import re
import resource
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest

from .serving import PATIENCE, Server, parsed_metrics, serving, wait_until

pytestmark = pytest.mark.long

ATTACKER, VISITOR = "127.0.0.1", "127.0.0.2"

GET = b"GET /learn HTTP/1.1\r\nhost: x\r\n\r\n"
POST = b"POST /new HTTP/1.1\r\nhost: x\r\norigin: http://other.example\r\ncontent-length: 100\r\n\r\n"
FILES = 1_024
EACH = 100
"""Connections of one address."""
VISITS = 20
MEGABYTES = 64
"""By which the memory of the server may grow."""


@contextmanager
def attacked(folder: Path, arrival: float) -> Iterator[Server]:
    """A server that trusts nobody, and may open few files."""
    settings = {"connections_each": EACH, "arrival": arrival}
    limits = {resource.RLIMIT_NOFILE: FILES}
    with serving(folder, settings=settings, trust="", limits=limits) as server:
        assert server.process is not None
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (FILES, FILES))
        yield server


def visit(server: Server, path: str) -> tuple[int, str]:
    """The status and the text of a page, for the visitor."""
    address = (VISITOR, 0)
    with closing(HTTPConnection("127.0.0.1", server.port, PATIENCE, source_address=address)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def counted(server: Server) -> dict[str, float]:
    return parsed_metrics(visit(server, "/metrics")[1])


def connect(server: Server, stack: ExitStack, data: bytes) -> socket.socket:
    """A connection of the attacker that has sent this, as far as the server takes it."""
    line = stack.enter_context(socket.socket())
    line.bind((ATTACKER, 0))
    line.settimeout(PATIENCE)
    line.connect(("127.0.0.1", server.port))
    line.setblocking(False)
    with suppress(OSError):
        line.send(data)
    return line


def most_memory(server: Server) -> int:
    """The megabytes that the server had at most."""
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    (peak,) = re.findall(r"VmHWM:\s+(\d+) kB", status)
    return int(peak) >> 10


def test_pipelined_requests_take_no_memory_and_keep_nobody_waiting(tmp_path: Path) -> None:
    with attacked(tmp_path, arrival=600) as server, ExitStack() as stack:
        assert visit(server, "/learn")[0] == 200
        before = most_memory(server)
        for _ in range(300):
            connect(server, stack, GET * (65_536 // len(GET)))
        answers = [visit(server, "/learn")[0] for _ in range(VISITS)]
        assert answers == [200] * VISITS
        assert most_memory(server) - before < MEGABYTES
        assert counted(server)["numberduels_connections"] <= EACH + 1


def test_connections_that_wait_at_the_door_delay_nobody(tmp_path: Path) -> None:
    """They are accepted before they are answered, so that the turn of the visitor comes early."""
    with attacked(tmp_path, arrival=600) as server, ExitStack() as stack:
        learn = 'numberduels_requests_total{method="GET",route="/learn",status="200"}'
        before = counted(server).get(learn, 0)
        assert server.process is not None
        server.process.send_signal(signal.SIGSTOP)
        try:
            for _ in range(EACH - 10):
                connect(server, stack, GET)
            line = HTTPConnection("127.0.0.1", server.port, PATIENCE, source_address=(VISITOR, 0))
            stack.enter_context(closing(line))
            line.request("GET", "/metrics")
        finally:
            server.process.send_signal(signal.SIGCONT)
        answer = parsed_metrics(line.getresponse().read().decode())
        assert answer.get(learn, 0) - before <= 10


def crlf(server: Server, stack: ExitStack) -> None:
    line = connect(server, stack, GET)
    with suppress(OSError):
        line.setblocking(True)
        line.settimeout(PATIENCE)
        assert line.recv(12)
        line.send(b"\r\n")


def unread_body(server: Server, stack: ExitStack) -> None:
    line = connect(server, stack, POST)
    with suppress(OSError):
        line.send(b"x")


def unread_answers(server: Server, stack: ExitStack) -> None:
    connect(server, stack, GET * 2_000)


def half_a_request(server: Server, stack: ExitStack) -> None:
    connect(server, stack, GET[:-2])


@pytest.mark.parametrize("hold", [crlf, unread_body, unread_answers, half_a_request])
def test_one_address_holds_few_connections_and_none_for_ever(
    hold: Callable[[Server, ExitStack], None], tmp_path: Path
) -> None:
    with attacked(tmp_path, arrival=2) as server, ExitStack() as stack:
        for number in range(FILES + 100):
            hold(server, stack)
            if number % 100 == 0:
                assert visit(server, "/learn")[0] == 200
        metrics = counted(server)
        assert metrics["numberduels_connections"] <= EACH + 1
        assert metrics['numberduels_refusals_total{reason="connections_each"}'] > 0
        # While the attacker keeps its ends open, the server lets go of them all.
        wait_until(lambda: counted(server)["numberduels_connections"] <= 1)
        assert visit(server, "/learn")[0] == 200
