"""A PostgreSQL of our own for the tests, from the machine's package: started here, and gone afterwards."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]  # it comes without types

from needs import lacking

FAST = ("fsync=off", "full_page_writes=off", "shared_buffers=8MB", "max_connections=60", "listen_addresses=")
GUARD = 'read -r _; kill -INT "$1"; while kill -0 "$1"; do sleep 0.1; done 2>/dev/null; rm -rf "$2"'
"""Ends the server, and clears up, when the pipe to us breaks: however we came to an end."""


def binaries() -> Path | None:
    """The folder of initdb and postgres, of the newest version that is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    elsewhere = shutil.which("initdb")
    return Path(elsewhere).resolve().parent if elsewhere else None


class Server:
    """A server that can be stopped, started and frozen; reached by a socket in its own folder alone."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.user: dict[str, Any] = {}
        self.folder = Path(tempfile.mkdtemp(prefix="duels-pg-"))
        if os.geteuid() == 0:  # PostgreSQL refuses to be run by root
            names = {entry.pw_name: entry for entry in pwd.getpwall()}
            entry = names.get("postgres") or names["nobody"]
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
            self.user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        self.process: subprocess.Popen[bytes] | None = None
        self.guard: subprocess.Popen[bytes] | None = None
        self.databases = 0
        self._run(
            "initdb", "-D", "data", "-U", "duels", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"
        )

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=False, **self.user
        )
        assert done.returncode == 0, done.stderr

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://duels@/{database}?host={self.folder}"

    def fresh(self) -> str:
        """The place of a new, empty database."""
        self.databases += 1
        name = f"fresh_{self.databases}"
        asyncio.run(self._ask(f"CREATE DATABASE {name}"))
        return self.url(name)

    async def _ask(self, command: str) -> None:
        connection = await asyncpg.connect(self.url())
        try:
            await connection.execute(command)
        finally:
            await connection.close()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = [part for option in FAST for part in ("-c", option)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [str(self.programs / "postgres"), "-D", "data", "-k", str(self.folder), *options],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **self.user,
            )
        self.guard = subprocess.Popen(
            ["sh", "-c", GUARD, "sh", str(self.process.pid), str(self.folder)],
            stdin=subprocess.PIPE,
            start_new_session=True,
            **self.user,
        )
        deadline = time.monotonic() + 60
        while True:
            try:
                return asyncio.run(self._ask("SELECT 1"))
            except (OSError, asyncpg.PostgresError):
                text = (self.folder / "log").read_text()
                assert self.process.poll() is None and time.monotonic() < deadline, text
                time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it as an administrator does; by SIGQUIT as a crash does."""
        process, self.process = self.process, None
        guard, self.guard = self.guard, None
        if guard is not None:
            with guard:  # which closes the pipe
                guard.kill()
        if process is not None:
            process.send_signal(how)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def freeze(self) -> None:
        """It is there, and does not answer."""
        self._signal_all(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)
        parent = f"PPid:\t{self.process.pid}\n"
        for status in Path("/proc").glob("[0-9]*/status"):
            try:
                if parent in status.read_text():
                    os.kill(int(status.parent.name), number)
            except OSError:
                continue  # it has ended meanwhile


@contextmanager
def server() -> Iterator[Server]:
    """A server for these tests; without PostgreSQL on the machine they are skipped, and in CI they fail."""
    programs = binaries()
    if programs is None:
        lacking("PostgreSQL", "apt-get install postgresql")
    made = Server(programs)
    try:
        made.start()
        yield made
    finally:
        made.stop()
        shutil.rmtree(made.folder, ignore_errors=True)
