"""Engine: runs slow functions in another process, so that the screen answers every key.

The process is started with the first call, and killed when a call is cancelled. Functions and arguments are
sent as pickles over the pipes between this program and its own child; no file and nobody else is involved.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import struct
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any, ParamSpec, TypeVar

from numberduels.engine.processes import lower_priority

P = ParamSpec("P")
R = TypeVar("R")

HEAD = struct.Struct(">I")
"""The length of a message, before each message."""


class EngineError(Exception):
    """A call without a result. The message is one sentence for the player."""


class Engine:
    """One background process. Calls wait for each other; cancelling the running one kills the process.

    Only functions of modules can be run, because they are sent by name: `await engine.run(tasks.hint, text)`.
    """

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._killed: list[asyncio.subprocess.Process] = []

    async def run(self, function: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
        """The result of the call. EngineError if it raised ValueError or if the process ended."""
        async with self._turn:
            try:
                kind, value = await self._call(pickle.dumps((function, arguments, named)))
            except BaseException:
                self.stop()  # cancelled: what the process computes is not wanted any more
                raise
        if kind == "done":
            result: R = value
            return result
        if kind == "refused":
            raise EngineError(value)
        raise RuntimeError(f"a background task failed:\n{value}")

    async def _call(self, message: bytes) -> tuple[str, Any]:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await _start()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(HEAD.pack(len(message)) + message)
            await process.stdin.drain()
            (length,) = HEAD.unpack(await process.stdout.readexactly(HEAD.size))
            kind, value = pickle.loads(await process.stdout.readexactly(length))
        except (OSError, asyncio.IncompleteReadError):
            self.stop()
            return "refused", "The process that computed this has ended. Try it again."
        return kind, value

    def stop(self) -> None:
        """Kill the process; the next call starts another one."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            self._killed = [each for each in self._killed if each.returncode is None] + [process]

    async def close(self) -> None:
        """Kill the process and wait until it has ended and its pipes are closed."""
        self.stop()
        for process in self._killed:
            await process.communicate()


async def _start() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", f"from {__name__} import serve; serve()"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C and Ctrl-Z at the terminal are for the app
    )


# In the background process


def serve() -> None:
    """Answer calls until the app closes the pipe, also while a call is running."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing may be printed into the pipe
    calls: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(source, calls), daemon=True).start()
    lower_priority(5)  # the screen comes first
    while True:
        answer = _answer(calls.get())
        try:
            sink.write(HEAD.pack(len(answer)) + answer)
            sink.flush()
        except OSError:
            return


def _listen(source: IO[bytes], calls: SimpleQueue[bytes]) -> None:
    """Pass messages on; when the app has ended, end this process, too."""
    while len(head := source.read(HEAD.size)) == HEAD.size:
        calls.put(source.read(*HEAD.unpack(head)))
    os._exit(0)


def _answer(message: bytes) -> bytes:
    try:
        function, arguments, named = pickle.loads(message)
        return pickle.dumps(("done", function(*arguments, **named)))
    except (ValueError, MemoryError) as fault:
        return pickle.dumps(("refused", str(fault) or "That is too large for this machine."))
    except Exception:
        return pickle.dumps(("failed", traceback.format_exc()))
