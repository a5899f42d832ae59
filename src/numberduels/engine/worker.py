"""What runs in a worker process: one job after the other, until the parent closes the pipe or has ended."""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from queue import SimpleQueue
from typing import IO, Any

from numberduels.engine.processes import exit_now, limit_memory, lower_priority
from numberduels.game.spec import load_object

MAX_ANSWER = 32 << 20
"""Bytes of an answer: reading a longer one would block the parent."""

_LENGTH = struct.Struct(">I")


def write_message(pipe: IO[bytes], message: bytes) -> None:
    """Send a message with its length."""
    pipe.write(_LENGTH.pack(len(message)) + message)
    pipe.flush()


def read_message(pipe: IO[bytes]) -> bytes:
    """Wait for a message; EOFError if the other end was closed."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    message = pipe.read(length)
    if len(message) < length:
        raise EOFError
    return message


def serve(place: str, memory: int | None, nice: int) -> None:
    """Answer jobs; `place` holds the tasks that are called by name. An empty message ends the process."""
    source, sink = _take_pipes()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # the parent ends its workers
    messages: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(source, messages), daemon=True).start()
    lower_priority(nice)
    if memory:
        limit_memory(memory)
    try:
        tasks: Mapping[str, Callable[..., Any]] = load_object(place) if place else {}
    except Exception:
        write_message(sink, pickle.dumps(("crashed", traceback.format_exc())))
        return
    write_message(sink, pickle.dumps(("done", None)))
    while message := messages.get():
        write_message(sink, run_job(tasks, message))
    _end_programs_politely()


def run_job(tasks: Mapping[str, Callable[..., Any]], message: bytes) -> bytes:
    """Run a pickled job; return the pickled kind of answer and the answer."""
    try:
        task, arguments = pickle.loads(message)
        function = tasks[task] if isinstance(task, str) else task
        answer = pickle.dumps(("done", function(*arguments)))
        if len(answer) > MAX_ANSWER:
            return pickle.dumps(("timeout", "The answer is longer than anybody could read."))
        return answer
    except MemoryError:
        return pickle.dumps(("memory", ""))
    except ValueError as error:
        return pickle.dumps(("rejected", str(error)))
    except BaseException:  # SystemExit, too: a task must not end the worker
        return pickle.dumps(("crashed", traceback.format_exc()))


def _take_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes to the parent. What tasks and their programs print goes to standard error instead."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return source, sink


def _listen(source: IO[bytes], messages: SimpleQueue[bytes]) -> None:
    """Pass messages on; when the parent has ended or hung up, end this process, whatever it is doing."""
    while True:
        try:
            messages.put(read_message(source))
        except EOFError:
            exit_now(1)


def _end_programs_politely() -> None:
    if programs := sys.modules.get("numberduels.players.program"):
        programs.close_lasting()
