"""The wire: what is said before a request is whole must be neither too long nor too slow."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from numberduels.web.settings import Settings

settings = cache(Settings.handed_over)
"""Those of this worker, which uvicorn does not hand to a protocol."""


class Careful(HttpToolsProtocol):
    """The fast protocol of uvicorn, which by itself gathers headers without an end."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._heard = 0
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._deadline is None:
            return
        self._heard += len(data)
        if self._heard > settings().headers and not self.transport.is_closing():
            self.transport.write(b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n\r\n")
            self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._deadline is None:
            self._expect()

    def on_headers_complete(self) -> None:
        self._settle()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._settle()
        super().connection_lost(exc)

    def _expect(self) -> None:
        """From here on the clock runs."""
        self._heard = 0
        self._deadline = self.loop.call_later(settings().arrival, self._late)

    def _settle(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None

    def _late(self) -> None:
        self._deadline = None
        if not self.transport.is_closing():
            self.transport.close()
